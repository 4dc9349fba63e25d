// Completions of shells, from the table.
#include "glossary.h"
#include "options.h"
#include "report.h"
#include "scene_help.h"

#include <string.h>

static void each_option(const cli_command *command,
                        void (*visit)(const cli_command *command, const cli_option *option))
{
    for (int i = 0; i < command->option_count; i++)
        visit(command, &command->options[i]);
    for (int i = 0; i < cli_common_option_count; i++)
        visit(command, &cli_common_options[i]);
}

// What 'thud help' explains: commands, and the words of the glossary with '-' for blanks.
static void print_help_words(void)
{
    cli_word words[CLI_WORDS];
    int count = cli_read_words(words);
    for (int i = 0; i < cli_command_count; i++)
        (void)printf("%s ", cli_commands[i].name);
    for (int i = 0; i < count; i++)
    {
        for (const char *c = words[i].name; *c; c++)
            (void)putchar(*c == ' ' ? '-' : *c);
        (void)putchar(' ');
    }
    (void)printf("laws words");
}

static void bash_option(const cli_command *command, const cli_option *option)
{
    (void)command;
    (void)printf(" --%s", option->name);
}

static void bash_choices(const cli_command *command, const cli_option *option)
{
    if (option->choices)
        (void)printf("    %s:--%s) words='%s' ;;\n", command->name, option->name, option->choices);
}

static void print_bash(void)
{
    (void)printf("# bash completion of thud\n"
                 "_thud() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                 "    local words='' command=${COMP_WORDS[1]}\n"
                 "    if ((COMP_CWORD == 1)); then\n"
                 "        words='");
    for (int i = 0; i < cli_command_count; i++)
        (void)printf("%s ", cli_commands[i].name);
    (void)printf("--help --version'\n"
                 "    else\n"
                 "    case $command:$before in\n");
    for (int i = 0; i < cli_command_count; i++)
        each_option(&cli_commands[i], bash_choices);
    (void)printf("    help:help) words='");
    print_help_words();
    (void)printf("' ;;\n"
                 "    help:scene) words='");
    cli_print_key_paths();
    (void)printf("' ;;\n"
                 "    *) [[ $word == -* ]] && case $command in\n");
    for (int i = 0; i < cli_command_count; i++)
    {
        (void)printf("        %s) words='", cli_commands[i].name);
        each_option(&cli_commands[i], bash_option);
        (void)printf("' ;;\n");
    }
    (void)printf("        esac ;;\n"
                 "    esac\n"
                 "    fi\n"
                 "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                 "}\n"
                 "complete -o default -F _thud thud\n");
}

// Print text within single quotes, where only a quote is special for zsh and fish.
static void print_quoted(const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            (void)fputs("'\\''", stdout);
        else if (*text == '[' || *text == ']' || *text == ':')
            (void)printf("\\%c", *text);
        else
            (void)putchar(*text);
}

static void zsh_option(const cli_command *command, const cli_option *option)
{
    (void)command;
    (void)printf("            '*--%s", option->name);
    (void)printf("%s[", option->value ? "=" : "");
    print_quoted(option->about);
    (void)printf("]");
    if (option->choices)
        (void)printf(":%s:(%s)", option->name, option->choices);
    else if (option->value)
        (void)printf(":%s:_files", option->name);
    (void)printf("' \\\n");
}

static void print_zsh(void)
{
    (void)printf("#compdef thud\n"
                 "local -a commands\n"
                 "commands=(\n");
    for (int i = 0; i < cli_command_count; i++)
    {
        (void)printf("    '%s:", cli_commands[i].name);
        print_quoted(cli_commands[i].about);
        (void)printf("'\n");
    }
    (void)printf(")\n"
                 "if ((CURRENT == 2)); then\n"
                 "    _describe command commands\n"
                 "else\n"
                 "    case $words[2] in\n");
    for (int i = 0; i < cli_command_count; i++)
    {
        (void)printf("    %s)\n        shift words; ((CURRENT--))\n", cli_commands[i].name);
        if (strcmp(cli_commands[i].name, "help") == 0)
        {
            (void)printf("        [[ $words[2] == scene && CURRENT -gt 2 ]] && compadd -- ");
            cli_print_key_paths();
            (void)printf("&& return\n");
        }
        (void)printf("        _arguments \\\n");
        each_option(&cli_commands[i], zsh_option);
        if (strcmp(cli_commands[i].name, "help") == 0)
        {
            (void)printf("            '*:word:(");
            print_help_words();
            (void)printf(")' ;;\n");
        }
        else
            (void)printf("            '*:file:_files' ;;\n");
    }
    (void)printf("    esac\nfi\n");
}

static void print_fish_text(const char *text)
{
    for (; *text; text++)
        (void)printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void fish_option(const cli_command *command, const cli_option *option)
{
    (void)printf("complete -c thud -n '__fish_seen_subcommand_from %s' -l %s", command->name,
                 option->name);
    if (option->letter)
        (void)printf(" -s %c", option->letter);
    if (option->value)
        (void)printf(" -r");
    if (option->choices)
        (void)printf(" -a '%s'", option->choices);
    (void)printf(" -d '");
    print_fish_text(option->about);
    (void)printf("'\n");
}

static void print_fish(void)
{
    for (int i = 0; i < cli_command_count; i++)
    {
        (void)printf("complete -c thud -n __fish_use_subcommand -a %s -d '", cli_commands[i].name);
        print_fish_text(cli_commands[i].about);
        (void)printf("'\n");
        each_option(&cli_commands[i], fish_option);
    }
    (void)printf("complete -c thud -n '__fish_seen_subcommand_from help' -f -a '");
    print_help_words();
    (void)printf("'\n"
                 "complete -c thud -n '__fish_seen_subcommand_from help; and "
                 "__fish_seen_subcommand_from scene' -f -a '");
    cli_print_key_paths();
    (void)printf("'\n");
}

int cli_print_completion(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else if (strcmp(shell, "fish") == 0)
        print_fish();
    else
        return cli_fail_usage("choose bash, zsh or fish", "no completions for '%s'", shell);
    return CLI_DONE;
}
