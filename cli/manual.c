// Manual pages in roff, from the table.
#include "options.h"
#include "report.h"

#include <ctype.h>
#include <string.h>

// Escape what is special for roff: backslashes, dashes, and dots and quotes at the start of a line.
static void print_roff(const char *text)
{
    bool is_start = true;
    for (; *text; text++)
    {
        if (is_start && (*text == '.' || *text == '\''))
            (void)fputs("\\&", stdout);
        if (*text == '\\')
            (void)fputs("\\e", stdout);
        else if (*text == '-')
            (void)fputs("\\-", stdout);
        else if (*text == '\n')
            (void)fputs(text[1] == '\n' ? "\n.PP" : "\n", stdout);
        else
            (void)putchar(*text);
        is_start = *text == '\n';
    }
}

static void print_heading(const char *name, const char *about)
{
    (void)printf(".TH \"");
    for (; *name; name++)
        (void)putchar(toupper((unsigned char)*name));
    (void)printf("\" 1 \"\" \"Thud %s\" \"Thud\"\n", thud_version());
    (void)printf(".SH NAME\n%s\n", about);
}

static void print_option(const cli_option *option)
{
    (void)printf(".TP\n\\fB");
    if (option->letter)
        (void)printf("\\-%c\\fR, \\fB", option->letter);
    (void)printf("\\-\\-");
    print_roff(option->name);
    (void)printf("\\fR");
    if (option->value)
    {
        (void)printf(" \\fI");
        print_roff(option->value);
        (void)printf("\\fR");
    }
    (void)putchar('\n');
    print_roff(option->about);
    (void)putchar('\n');
}

static void print_command(const cli_command *command)
{
    char name[64], about[160];
    (void)snprintf(name, sizeof name, "thud-%s", command->name);
    (void)snprintf(about, sizeof about, "thud\\-%s \\- %s", command->name, command->about);
    print_heading(name, about);
    (void)printf(".SH SYNOPSIS\n\\fBthud %s\\fR [\\fIOPTIONS\\fR] \\fI", command->name);
    print_roff(command->arguments);
    (void)printf("\\fR\n.SH DESCRIPTION\n");
    print_roff(command->text);
    (void)printf("\n.SH OPTIONS\n");
    for (int i = 0; i < command->option_count; i++)
        print_option(&command->options[i]);
    for (int i = 0; i < cli_common_option_count; i++)
        print_option(&cli_common_options[i]);
    (void)printf(".SH EXAMPLES\n.nf\n");
    print_roff(command->examples);
    (void)printf(".fi\n.SH SEE ALSO\n\\fBthud\\fR(1)\n");
}

static void print_program(void)
{
    print_heading(
        "thud", "thud \\- differential inclusions with unilateral constraints, every step proved");
    (void)printf(".SH SYNOPSIS\n\\fBthud\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] "
                 "[\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n"
                 "Simulates inelastic spheres and disks in contact, and other second\\-order "
                 "differential inclusions with unilateral constraints, from scene files. Proves "
                 "every step it takes.\n"
                 ".SH COMMANDS\n");
    for (int i = 0; i < cli_command_count; i++)
    {
        (void)printf(".TP\n\\fBthud\\-%s\\fR(1)\n", cli_commands[i].name);
        print_roff(cli_commands[i].about);
        (void)putchar('\n');
    }
    (void)printf(".SH EXIT STATUS\n");
#define PRINT_EXIT(name, value, text) (void)printf(".TP\n\\fB%d\\fR\n%s\n", value, text);
    CLI_EXIT_LIST(PRINT_EXIT)
#undef PRINT_EXIT
}

void cli_print_manual(const cli_command *command)
{
    if (command)
        print_command(command);
    else
        print_program();
}
