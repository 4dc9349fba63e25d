// Finding commands and options in the table.
#include "options.h"

#include "report.h"

#include <string.h>

// "did you mean 'run'?", or what to do instead when no name is near.
static void suggest(const char *word, const char *const *names, int count, const char *dashes,
                    const char *otherwise, char *hint, size_t size)
{
    const char *near = thud_nearest(word, strlen(word), names, count);
    if (near)
        (void)snprintf(hint, size, "did you mean '%s%s'?", dashes, near);
    else
        (void)snprintf(hint, size, "%s", otherwise);
}

const cli_command *cli_command_named(const char *name)
{
    for (int i = 0; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

const cli_command *cli_find_command(const char *name)
{
    const cli_command *command = cli_command_named(name);
    if (command)
        return command;
    const char *names[CLI_NAMES];
    char hint[120];
    for (int i = 0; i < cli_command_count; i++)
        names[i] = cli_commands[i].name;
    suggest(name, names, cli_command_count, "", "run 'thud --help' to list the commands", hint,
            sizeof hint);
    (void)cli_fail_usage(hint, "no command is called '%s'", name);
    return NULL;
}

static const cli_option *find_in(const cli_option *options, int count, const char *name,
                                 size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
            return &options[i];
    return NULL;
}

static const cli_option *find_option(const cli_command *command, const char *name, size_t length)
{
    const cli_option *own = find_in(command->options, command->option_count, name, length);
    return own ? own : find_in(cli_common_options, cli_common_option_count, name, length);
}

// Keys of 'time' that users take for options: "--set time.frames=VALUE".
static const char *find_time_key(const char *name)
{
    static const char *const keys[] = {"frames", "step", "end", "start"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(name, keys[i]) == 0)
            return keys[i];
    return NULL;
}

// Fail for a word that begins with dashes and is not an option of the command.
static int fail_option(const cli_command *command, const char *word, size_t length)
{
    const char *names[CLI_NAMES];
    char hint[120], otherwise[80], name[80];
    int count = 0;
    for (int i = 0; i < command->option_count; i++)
        names[count++] = command->options[i].name;
    for (int i = 0; i < cli_common_option_count; i++)
        names[count++] = cli_common_options[i].name;
    (void)snprintf(otherwise, sizeof otherwise, "see 'thud %s --help'", command->name);
    size_t dashes = strspn(word, "-");
    (void)snprintf(name, sizeof name, "%.*s", (int)(length - dashes), word + dashes);
    const char *key = find_option(command, "set", 3) ? find_time_key(name) : NULL;
    if (key)
        (void)snprintf(hint, sizeof hint, "write --set time.%s=VALUE", key);
    else
        suggest(name, names, count, "--", otherwise, hint, sizeof hint);
    return cli_fail_usage(hint, "%s has no option '%.*s'", command->name, (int)length, word);
}

static const cli_option *find_letter(const cli_command *command, char letter)
{
    for (int i = 0; i < command->option_count; i++)
        if (command->options[i].letter == letter)
            return &command->options[i];
    for (int i = 0; i < cli_common_option_count; i++)
        if (cli_common_options[i].letter == letter)
            return &cli_common_options[i];
    return NULL;
}

// Is `value` one of the words of `choices`?
static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *word = choices; *word; word += *word == ' ')
    {
        size_t size = strcspn(word, " ");
        if (size == length && strncmp(word, value, size) == 0)
            return true;
        word += size;
    }
    return false;
}

static int add_given(const cli_command *command, cli_call *call, const cli_option *option,
                     const char *value)
{
    char hint[80];
    (void)snprintf(hint, sizeof hint, "see 'thud %s --help'", command->name);
    if (option->value && !value)
        return cli_fail_usage(hint, "--%s needs a value, %s", option->name, option->value);
    if (!option->value && value)
        return cli_fail_usage(hint, "--%s takes no value", option->name);
    if (option->choices && value && !is_choice(option->choices, value))
        return cli_fail_usage(hint, "--%s must be one of: %s; not '%s'", option->name,
                              option->choices, value);
    if (call->given_count == CLI_VALUES)
        return cli_fail_usage("put them into the scene", "more than %d options", CLI_VALUES);
    call->given[call->given_count++] = (cli_given){option, value};
    return 0;
}

// One word that begins with a dash; *next is the following word if that is its value.
static int take_option(const cli_command *command, const char *word, char **rest, int rest_count,
                       int *used, cli_call *call)
{
    bool is_long = word[1] == '-';
    const char *equals = is_long ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - (is_long ? 2 : 1);
    const cli_option *option = NULL;
    if (is_long)
        option = find_option(command, word + 2, length);
    else if (length == 1)
        option = find_letter(command, word[1]);
    if (!option)
        return fail_option(command, word, length + (is_long ? 2 : 1));
    const char *value = equals ? equals + 1 : NULL;
    if (option->value && !value && rest_count > 0)
    {
        value = rest[0];
        *used = 1;
    }
    return add_given(command, call, option, value);
}

// Fail for an argument too many: perhaps a folder, or half of a name with a space.
static int fail_excess(const cli_command *command, const char *word)
{
    char hint[200] = "quote names that contain spaces";
    if (command->most > 0 && find_option(command, "out", 3))
        (void)snprintf(hint, sizeof hint,
                       "write '--out %.100s' to name the output; quote names that contain spaces",
                       word);
    return cli_fail_usage(hint, "one argument too many: '%s'", word);
}

int cli_parse(const cli_command *command, int count, char **words, cli_call *call)
{
    bool only_arguments = false;
    char hint[80];
    *call = (cli_call){.command = command};
    for (int i = 0; i < count; i++)
    {
        int used = 0, code = 0;
        if (!only_arguments && strcmp(words[i], "--") == 0)
            only_arguments = true;
        else if (!only_arguments && words[i][0] == '-' && words[i][1] != '\0')
            code = take_option(command, words[i], words + i + 1, count - i - 1, &used, call);
        else if (call->argument_count < command->most)
            call->arguments[call->argument_count++] = words[i];
        else
            code = fail_excess(command, words[i]);
        if (code != 0)
            return code;
        i += used;
    }
    (void)snprintf(hint, sizeof hint, "usage: thud %s %s", command->name, command->arguments);
    if (call->argument_count < command->least && !cli_has(call, "help"))
        return cli_fail_usage(hint, "%s needs an argument", command->name);
    return 0;
}

bool cli_has(const cli_call *call, const char *option)
{
    return cli_value(call, option, NULL) != NULL;
}

const char *cli_value(const cli_call *call, const char *option, const char *otherwise)
{
    for (int i = call->given_count - 1; i >= 0; i--)
        if (strcmp(call->given[i].option->name, option) == 0)
            return call->given[i].value ? call->given[i].value : "";
    return otherwise;
}

int cli_values(const cli_call *call, const char *option, const char *values[CLI_VALUES])
{
    int count = 0;
    for (int i = 0; i < call->given_count; i++)
        if (strcmp(call->given[i].option->name, option) == 0)
            values[count++] = call->given[i].value;
    return count;
}
