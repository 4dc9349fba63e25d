// The glossary: entries "## word" of docs/glossary.md, printed without their markup.
#include "glossary.h"

#include "options.h"
#include "report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int cli_read_words(cli_word words[CLI_WORDS])
{
    static const char mark[] = "\n## ";
    int count = 0;
    for (const char *at = strstr(cli_glossary, mark); at && count < CLI_WORDS;)
    {
        at += sizeof mark - 1;
        size_t length = strcspn(at, "\n");
        cli_word *word = &words[count++];
        (void)snprintf(word->name, sizeof word->name, "%.*s", (int)length, at);
        word->text = at + length;
        at = strstr(at, mark);
        word->length = (int)(at ? (size_t)(at - word->text) : strlen(word->text));
    }
    return count;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '-' || c == '_';
}

static bool is_same(const char *a, const char *b)
{
    while (*a && ((is_blank(*a) && is_blank(*b)) ||
                  tolower((unsigned char)*a) == tolower((unsigned char)*b)))
    {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

// Remove the markup of a text: code gets the quotes that help uses, a link keeps its words only,
// and every paragraph becomes one line. plain has room for all of the text.
static void strip_markup(const char *text, int length, char *plain)
{
    char before = '\n', *start = plain;
    for (int i = 0; i < length; i++)
    {
        char c = text[i];
        if (c == ']' && i + 1 < length && text[i + 1] == '(')
        {
            while (i < length && text[i] != ')')
                i++;
            continue;
        }
        if (c == '[')
            continue;
        if (c == '\n' && i + 1 < length && text[i + 1] != '\n' && before != '\n')
            c = ' ';
        before = text[i];
        *plain++ = (char)(c == '`' ? '\'' : c);
    }
    while (plain > start && plain[-1] == '\n')
        plain--;
    *plain = '\0';
}

static int print_entry(const cli_word *word)
{
    char *plain = malloc((size_t)word->length + 1);
    if (!plain)
        return cli_fail(THUD_ERR_MEMORY, &(thud_fault){.text = "no memory for the entry"});
    strip_markup(word->text, word->length, plain);
    (void)printf("%s\n\n", word->name);
    cli_print_wrapped(plain + strspn(plain, "\n"), 0, 0);
    free(plain);
    return CLI_DONE;
}

// The first entry that has `wanted` among its words, such as "backward bound" for "backward":
// columns of series.csv shorten words in this way.
static const char *find_containing(const cli_word *words, int count, const char *wanted)
{
    char part[sizeof words->name];
    for (int i = 0; i < count; i++)
        for (const char *at = words[i].name; *at;)
        {
            size_t length = strcspn(at, " -_,");
            (void)snprintf(part, sizeof part, "%.*s", (int)length, at);
            if (length > 0 && is_same(part, wanted))
                return words[i].name;
            at += length + (at[length] != '\0');
        }
    return NULL;
}

int cli_print_word(const char *wanted)
{
    cli_word words[CLI_WORDS];
    const char *names[CLI_WORDS + CLI_NAMES];
    int count = cli_read_words(words), name_count = 0;
    for (int i = 0; i < count; i++)
    {
        if (is_same(words[i].name, wanted))
            return print_entry(&words[i]);
        names[name_count++] = words[i].name;
    }
    for (int i = 0; i < cli_command_count; i++)
        names[name_count++] = cli_commands[i].name;
    const char *near = find_containing(words, count, wanted);
    if (!near)
        near = thud_nearest(wanted, strlen(wanted), names, name_count);
    char hint[120];
    if (near)
        (void)snprintf(hint, sizeof hint, "did you mean '%.80s'?", near);
    else
        (void)snprintf(hint, sizeof hint,
                       "'thud --help' lists the commands, 'thud help words' the words");
    return cli_fail_usage(hint, "no command and no word of the glossary is called '%s'", wanted);
}

int cli_print_words(void)
{
    cli_word words[CLI_WORDS];
    int count = cli_read_words(words);
    for (int i = 0; i < count; i++)
        (void)printf("%s\n", words[i].name);
    return CLI_DONE;
}
