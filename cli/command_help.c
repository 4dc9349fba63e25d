// thud help: usage, manual pages, completions, keys of scenes, and the words of the glossary.
#include "commands.h"
#include "glossary.h"
#include "law_help.h"
#include "report.h"
#include "scene_help.h"

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

// 'thud help scene KEY', 'thud help laws', and both in other forms; -1 if the call asks for
// neither.
static int print_keys(const cli_call *call)
{
    if (cli_has(call, "schema"))
        return cli_print_schema();
    if (call->argument_count == 1 && strcmp(call->arguments[0], "laws") == 0 &&
        !cli_has(call, "man"))
    {
        if (cli_has(call, "markdown"))
            cli_print_law_table();
        else
            cli_print_laws();
        return CLI_DONE;
    }
    if (call->argument_count == 0 || strcmp(call->arguments[0], "scene") != 0 ||
        cli_has(call, "man"))
        return -1;
    if (call->argument_count > 1)
        return cli_print_key(call->arguments[1]);
    if (cli_has(call, "markdown"))
        cli_print_key_tables();
    else
    {
        cli_print_usage(cli_command_named("scene"));
        cli_print_keys();
    }
    return CLI_DONE;
}

int command_help(const cli_call *call)
{
    const char *shell = cli_value(call, "completion", NULL);
    if (shell)
        return cli_print_completion(shell);
    int code = print_keys(call);
    if (code >= 0)
        return code;
    char name[80];
    join_arguments(call, name, sizeof name);
    if (call->argument_count == 0 || strcmp(name, "thud") == 0)
    {
        print_help(call, NULL);
        return CLI_DONE;
    }
    const cli_command *command = cli_command_named(name);
    if (!command && cli_has(call, "man"))
        command = cli_find_command(name); // fails with a message if the name is unknown
    else if (!command)
        return strcmp(name, "words") == 0 ? cli_print_words() : cli_print_word(name);
    if (!command)
        return CLI_USAGE;
    print_help(call, command);
    return CLI_DONE;
}
