// --help, from the table.
#include "options.h"
#include "report.h"

#include <string.h>

enum
{
    COLUMN = 28 // where the explanations of options begin
};

static void print_option(const cli_option *option)
{
    int used = option->letter ? printf("  -%c, ", option->letter) : printf("      ");
    used += printf("--%s", option->name);
    if (option->value)
        used += printf(" %s", option->value);
    if (used > COLUMN - 2)
    {
        (void)putchar('\n');
        used = 0;
    }
    (void)printf("%*s", COLUMN - used, "");
    cli_print_wrapped(option->about, COLUMN, COLUMN);
}

static void print_examples(const char *examples)
{
    (void)printf("\nExamples:\n");
    while (*examples)
    {
        size_t length = strcspn(examples, "\n");
        (void)printf("  %.*s\n", (int)length, examples);
        examples += length + 1;
    }
}

static void print_command(const cli_command *command)
{
    (void)printf("Usage: thud %s [OPTIONS]%s%s\n\n", command->name,
                 command->arguments[0] ? " " : "", command->arguments);
    cli_print_wrapped(command->text, 0, 0);
    (void)printf("\nOptions:\n");
    for (int i = 0; i < command->option_count; i++)
        print_option(&command->options[i]);
    for (int i = 0; i < cli_common_option_count; i++)
        print_option(&cli_common_options[i]);
    print_examples(command->examples);
}

static void print_program(void)
{
    (void)printf(
        "Usage: thud COMMAND [OPTIONS] [ARGUMENTS]\n"
        "       thud --version | --help\n"
        "\n"
        "Simulates inelastic spheres and disks in contact, and other second-order\n"
        "differential inclusions with unilateral constraints. Proves every step it takes.\n"
        "\n"
        "Commands:\n");
    for (int i = 0; i < cli_command_count; i++)
        (void)printf("  %-10s %s\n", cli_commands[i].name, cli_commands[i].about);
    (void)printf("\nExit codes:\n");
#define PRINT_EXIT(name, value, text) (void)printf("  %-4d %s\n", value, text);
    CLI_EXIT_LIST(PRINT_EXIT)
#undef PRINT_EXIT
    (void)printf("\n'thud COMMAND --help' explains a command,\n"
                 "'thud help WORD' a word that Thud prints.\n");
}

void cli_print_usage(const cli_command *command)
{
    if (command)
        print_command(command);
    else
        print_program();
}
