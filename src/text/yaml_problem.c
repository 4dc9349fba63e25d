// libyaml's syntax errors, translated for users who do not know its terms.
#include "text/yaml_problem.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct translation
{
    const char *problem; // a part of libyaml's text
    const char *text;    // one sentence; %s is " begun in line 7"
    const char *hint;
    bool at_context; // the place is where the construct began
} translation;

static const translation translations[] = {
    {"found unexpected end of stream", "a quoted text is not closed", "add the closing quote",
     true},
    {"found unexpected document indicator", "a quoted text is not closed", "add the closing quote",
     true},
    {"could not find expected ':'", "a key without ':' and a value", "write KEY: VALUE", true},
    {"did not find expected ',' or ']'", "the list%s needs ',' or ']' here", "", false},
    {"did not find expected ',' or '}'", "the map%s needs ',' or '}' here", "", false},
    {"mapping values are not allowed", "':' is not expected here",
     "put a text that contains ': ' in quotes; check the indentation", false},
    {"mapping keys are not allowed", "a key is not expected here", "check the indentation", false},
    {"block sequence entries are not allowed", "a list item '-' is not expected here",
     "put a text that begins with '- ' in quotes; check the indentation", false},
    {"did not find expected '-' indicator", "the list%s needs '-' here", "check the indentation",
     false},
    {"did not find expected key", "the map%s needs another key here",
     "check the indentation and the closing of quotes and brackets", false},
    {"found a tab character", "a tab is used for indentation", "use spaces", false},
    {"found unknown escape character", "this escape in double quotes is unknown",
     "write \\\\ for a backslash, or use single quotes", false},
    {"did not find expected hexdecimal number", "an escape needs hexadecimal digits",
     "write \\\\ for a backslash, or use single quotes", false},
    {"invalid Unicode character escape", "this escape does not stand for a Unicode character", "",
     false},
    {"did not find expected comment or line break", "nothing else may follow on this line",
     "begin the text in the next line", false},
    {"did not find expected <document start>", "there is text after the end of the scene",
     "write one scene per file; check the indentation", false},
    {"did not find expected node content", "a value is missing here",
     "put a text that begins with a special character in quotes", false},
    {"did not find expected alphabetic or numeric character", "there is '&' or '*' without a name",
     "put an expression that begins with * in quotes", true},
    {"found unexpected ':'", "':' is not expected here",
     "put a space after it, or put the text in quotes", false},
    {"directive", "directives (%) are not used in scenes", "remove the line that begins with %",
     true},
    {"%", "directives (%) are not used in scenes", "remove the line that begins with %", true},
    {"incompatible YAML document", "directives (%) are not used in scenes",
     "remove the line that begins with %", false},
    {"tag", "tags (!) are not used in scenes", "put a text that begins with ! in quotes", true},
    {"nesting level", "maps and lists are nested too deeply", "", false},
};

// The character at a mark, 0 at the end.
static char character_at(const char *text, size_t length, const yaml_mark_t *mark)
{
    size_t at = 0;
    for (size_t i = 0; at < length && i < mark->index; i++)
        do
            at++;
        while (at < length && ((unsigned char)text[at] & 0xc0) == 0x80);
    return at < length ? text[at] : '\0';
}

// Where a line begins, counted from 0; the end of the text if there is none.
static const char *find_line(const thudi_source *source, size_t line)
{
    const char *at = source->text, *end = source->text + source->length;
    for (; line > 0 && at < end; line--)
    {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    return at;
}

// Finds a line that begins like "seed:6". YAML reads it as a text, and fails at what follows.
static bool find_space(const thudi_source *source, size_t line, thudi_yaml_problem *problem)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789";
    char key[THUDI_QUOTE_SIZE], value[THUDI_QUOTE_SIZE], text[400];
    const char *begin = find_line(source, line), *end = source->text + source->length;
    size_t length = 0;
    while (begin + length < end && length < sizeof text - 1 && begin[length] != '\n')
        length++;
    (void)snprintf(text, sizeof text, "%.*s", (int)length, begin);
    size_t indent = strspn(text, " "), word;
    while (strncmp(text + indent, "- ", 2) == 0)
        indent += 2 + strspn(text + indent + 2, " ");
    word = strspn(text + indent, letters);
    const char *rest = text + indent + word;
    if (source->is_override || word == 0 || rest[0] != ':' || strchr(" \t\r/", rest[1]))
        return false;
    const char *comment = strstr(rest, " #");
    thudi_quote(key, text + indent, word);
    thudi_quote(value, rest + 1, comment ? (size_t)(comment - rest) - 1 : strlen(rest + 1));
    problem->mark = (yaml_mark_t){.line = line, .column = indent};
    (void)snprintf(problem->text, sizeof problem->text, "a space is missing after '%s:'", key);
    (void)snprintf(problem->own_hint, sizeof problem->own_hint, "write '%s: %s'", key, value);
    problem->hint = problem->own_hint;
    return true;
}

// Is the cause such a key: where the construct began, in the line of the problem, or in the line
// before? In the line before, the key must have the same indent, because further lines of a long
// text are indented more.
static bool is_space_missing(const yaml_parser_t *parser, const thudi_source *source,
                             thudi_yaml_problem *problem)
{
    size_t line = parser->problem_mark.line;
    if (parser->context && find_space(source, parser->context_mark.line, problem))
        return true;
    if (find_space(source, line, problem))
        return true;
    thudi_yaml_problem before = {.hint = ""};
    const char *at = find_line(source, line), *end = source->text + source->length;
    size_t indent = 0;
    while (at + indent < end && at[indent] == ' ')
        indent++;
    if (line == 0 || !find_space(source, line - 1, &before) || before.mark.column != indent)
        return false;
    *problem = before;
    problem->hint = problem->own_hint;
    return true;
}

// Name the character that cannot begin a value.
static void name_character(char c, thudi_yaml_problem *problem)
{
    if (c == '\t')
    {
        (void)snprintf(problem->text, sizeof problem->text, "a tab is used for indentation");
        problem->hint = "use spaces";
        return;
    }
    (void)snprintf(problem->text, sizeof problem->text, "a text cannot begin with '%c'", c);
    problem->hint = "put it in quotes";
}

static void translate(const translation *t, const yaml_parser_t *parser, bool is_override,
                      thudi_yaml_problem *problem)
{
    if (t->at_context && parser->context)
        problem->mark = parser->context_mark;
    problem->hint = t->hint;
    char begun[48] = "";
    const char *hole = strstr(t->text, "%s");
    if (!is_override)
        (void)snprintf(begun, sizeof begun, " begun in line %zu", parser->context_mark.line + 1);
    if (hole)
        (void)snprintf(problem->text, sizeof problem->text, "%.*s%s%s", (int)(hole - t->text),
                       t->text, begun, hole + 2);
    else
        (void)snprintf(problem->text, sizeof problem->text, "%s", t->text);
}

void thudi_yaml_find_problem(const yaml_parser_t *parser, const thudi_source *source,
                             thudi_yaml_problem *problem)
{
    const char *found = parser->problem ? parser->problem : "unknown problem";
    const char *context = parser->context ? parser->context : "";
    *problem = (thudi_yaml_problem){.mark = parser->problem_mark, .hint = ""};
    if (is_space_missing(parser, source, problem))
        return;
    char c = character_at(source->text, source->length, &parser->problem_mark);
    if (strstr(found, "cannot start any token") || c == '\t')
    {
        name_character(c, problem);
        return;
    }
    if (strstr(found, "did not find expected key") && (c == ']' || c == '}'))
    {
        (void)snprintf(problem->text, sizeof problem->text, "this '%c' closes nothing", c);
        problem->hint = "remove it";
        return;
    }
    size_t count = sizeof translations / sizeof *translations;
    for (size_t i = 0; i < count; i++)
        if (strstr(found, translations[i].problem) || strstr(context, translations[i].problem))
        {
            translate(&translations[i], parser, source->is_override, problem);
            return;
        }
    (void)snprintf(problem->text, sizeof problem->text, "this is not valid YAML: %s", found);
}
