// thud help: usage, manual pages, completions, and the words of the glossary.
#include "commands.h"
#include "glossary.h"
#include "report.h"

#include <string.h>

// The arguments with blanks in between, cut off where they are longer than any name.
static void join_arguments(const cli_call *call, char *name, size_t size)
{
    size_t used = 0;
    name[0] = '\0';
    for (int i = 0; i < call->argument_count && used < size; i++)
        used +=
            (size_t)snprintf(name + used, size - used, "%s%s", i ? " " : "", call->arguments[i]);
}

static void print_help(const cli_call *call, const cli_command *command)
{
    if (cli_has(call, "man"))
        cli_print_manual(command);
    else
        cli_print_usage(command);
}

int command_help(const cli_call *call)
{
    const char *shell = cli_value(call, "completion", NULL);
    if (shell)
        return cli_print_completion(shell);
    char name[80];
    join_arguments(call, name, sizeof name);
    if (call->argument_count == 0 || strcmp(name, "thud") == 0)
    {
        print_help(call, NULL);
        return CLI_DONE;
    }
    const cli_command *command = cli_command_named(name);
    if (!command && cli_has(call, "man"))
        command = cli_find_command(name); // complains if the name is unknown
    else if (!command)
        return strcmp(name, "words") == 0 ? cli_print_words() : cli_print_word(name);
    if (!command)
        return CLI_USAGE;
    print_help(call, command);
    return CLI_DONE;
}
