// thud help: usage, manual pages, completions.
#include "commands.h"
#include "report.h"

#include <string.h>

int command_help(const cli_call *call)
{
    const char *shell = cli_value(call, "completion", NULL);
    if (shell)
        return cli_print_completion(shell);
    const cli_command *command = NULL;
    if (call->argument_count > 0 && strcmp(call->arguments[0], "thud") != 0)
    {
        command = cli_find_command(call->arguments[0]);
        if (!command)
            return CLI_USAGE;
    }
    if (cli_has(call, "man"))
        cli_print_manual(command);
    else
        cli_print_usage(command);
    return CLI_DONE;
}
