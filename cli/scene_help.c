// Keys of scenes for people, from the tables that scenes are read by.
#include "scene_help.h"

#include "options.h"
#include "report.h"

#include <string.h>
#include <thud/scene_fields.h>

enum
{
    MOST_FULL = 4,     // keys that are explained in full; of more, only the paths are listed
    MOST_TABLES = 32,  // tables of docs/scenes.md
    MOST_ROWS = 64,    // rows of a table
    MOST_KEYS = 400,   // keys of all things
    NAME_SIZE = 64,    // bytes of a key, or of a path in a table
    PLAIN_SIZE = 1000, // bytes of a help text
    LABEL = 9          // width of "Default: "
};

// Text without the marks of Markdown, with code in the quotes that help uses.
static const char *strip(char plain[PLAIN_SIZE], const char *text)
{
    size_t used = 0;
    for (; *text && used + 1 < PLAIN_SIZE; text++)
        if (*text == '`')
            plain[used++] = '\'';
        else if (*text != '*' && *text != '\\')
            plain[used++] = *text;
    plain[used] = '\0';
    return plain;
}

// The last part of a path that has this length, and the length of the rest before it.
static const char *last_part(const char *path, size_t length, size_t *part, size_t *rest)
{
    size_t start = length;
    while (start > 0 && path[start - 1] != '.')
        start--;
    *part = length - start;
    *rest = start > 0 ? start - 1 : 0;
    return path + start;
}

static bool is_part(const char *part, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(part, word, length) == 0;
}

// Does the path end in what is wanted? NAME matches any name, N any number, and both may be left
// out. is_full: the whole path must match.
static bool matches(const char *path, size_t length, const char *wanted, size_t wanted_length,
                    bool is_full)
{
    size_t part, rest, own, own_rest;
    if (wanted_length == 0)
        return length == 0 || !is_full;
    if (length == 0)
        return false;
    const char *last = last_part(path, length, &part, &rest);
    const char *other = last_part(wanted, wanted_length, &own, &own_rest);
    bool is_number = is_part(last, part, "N"), is_name = is_part(last, part, "NAME");
    bool fits = is_name || (part == own && strncmp(last, other, own) == 0) ||
                (is_number && strspn(other, "0123456789") >= own);
    if (fits && matches(path, rest, wanted, own_rest, is_full))
        return true;
    return (is_number || is_name) && matches(path, rest, wanted, wanted_length, is_full);
}

typedef struct search
{
    const char *wanted;
    bool is_full, is_listed; // whole paths only; print paths alone
    int count;
} search;

static bool is_wanted(const search *s, const thud_scene_field *field)
{
    return matches(field->path, strlen(field->path), s->wanted, strlen(s->wanted), s->is_full);
}

static bool count_field(const thud_scene_field *field, void *user)
{
    search *s = user;
    s->count += is_wanted(s, field);
    return false;
}

// Print the help text as a sentence.
static void print_help(const char *help)
{
    char plain[PLAIN_SIZE], sentence[PLAIN_SIZE + 2];
    (void)strip(plain, help);
    if (plain[0] >= 'a' && plain[0] <= 'z')
        plain[0] = (char)(plain[0] - 'a' + 'A');
    (void)snprintf(sentence, sizeof sentence, "%s.", plain);
    cli_print_wrapped(sentence, 0, 0);
}

static void print_labelled(const char *label, const char *text)
{
    char plain[PLAIN_SIZE];
    (void)printf("%-*s", LABEL, label);
    cli_print_wrapped(strip(plain, text), LABEL, LABEL);
}

static bool print_field(const thud_scene_field *field, void *user)
{
    search *s = user;
    if (!is_wanted(s, field))
        return false;
    if (s->is_listed)
    {
        (void)printf("  %s\n", field->path);
        return false;
    }
    (void)printf("%s%s\n\n", s->count++ > 0 ? "\n" : "", field->path);
    print_help(field->help);
    (void)putchar('\n');
    print_labelled("Value:", field->value);
    if (field->unit[0])
        print_labelled("Unit:", field->unit);
    print_labelled("Default:", field->initial);
    if (strcmp(field->kind, "both") != 0)
        print_labelled("Kind:", field->kind);
    return false;
}

// The last parts of all paths, among which the nearest is found.
typedef struct key_names
{
    char names[MOST_KEYS][NAME_SIZE];
    const char *list[MOST_KEYS];
    int count;
} key_names;

static bool add_name(const thud_scene_field *field, void *user)
{
    key_names *n = user;
    size_t part, rest;
    if (n->count == MOST_KEYS)
        return true;
    const char *last = last_part(field->path, strlen(field->path), &part, &rest);
    (void)snprintf(n->names[n->count], NAME_SIZE, "%s", last);
    n->list[n->count] = n->names[n->count];
    n->count++;
    return false;
}

static int fail_key(const char *wanted)
{
    key_names n = {.count = 0};
    size_t part, rest;
    char hint[120] = "'thud help scene' lists the keys at the top of a scene";
    (void)thud_scene_each_field(add_name, &n);
    const char *last = last_part(wanted, strlen(wanted), &part, &rest);
    const char *near = thud_nearest(last, part, n.list, n.count);
    if (near && strcmp(near, last) != 0)
        (void)snprintf(hint, sizeof hint, "did you mean '%s'?", near);
    return cli_fail_usage(hint, "no key of a scene is called '%s'", wanted);
}

int cli_print_key(const char *wanted)
{
    search s = {.wanted = wanted, .is_full = true};
    (void)thud_scene_each_field(count_field, &s);
    if (s.count == 0)
    {
        s.is_full = false; // accept the end of a path
        (void)thud_scene_each_field(count_field, &s);
    }
    if (s.count == 0)
        return fail_key(wanted);
    s.is_listed = s.count > MOST_FULL;
    if (s.is_listed)
        (void)printf("'%s' is a key of several things:\n\n", wanted);
    s.count = 0;
    (void)thud_scene_each_field(print_field, &s);
    return CLI_DONE;
}

static bool print_top(const thud_scene_field *field, void *user)
{
    char plain[PLAIN_SIZE];
    const char *kind = user;
    if (strchr(field->path, '.') || strcmp(field->kind, kind) != 0)
        return false;
    (void)printf("  %-13s ", field->path);
    cli_print_wrapped(strip(plain, field->value), 16, 16);
    return false;
}

void cli_print_keys(void)
{
    static char both[] = "both", spheres[] = "spheres", inclusion[] = "inclusion";
    (void)printf("\nKeys of a scene ('thud help scene KEY' explains one):\n");
    (void)thud_scene_each_field(print_top, both);
    (void)printf("\nOf kind 'spheres':\n");
    (void)thud_scene_each_field(print_top, spheres);
    (void)printf("\nOf kind 'inclusion':\n");
    (void)thud_scene_each_field(print_top, inclusion);
}

static bool print_path(const thud_scene_field *field, void *user)
{
    (void)user;
    (void)printf("%s ", field->path);
    return false;
}

void cli_print_key_paths(void)
{
    (void)thud_scene_each_field(print_path, NULL);
}

// The tables in the order of their first keys, then the rows of one table. Several paths may lead
// to the same key.
typedef struct key_tables
{
    const char *tables[MOST_TABLES];
    int table_count, at;
    char rows[MOST_ROWS][NAME_SIZE];
    int row_count;
} key_tables;

static bool note_table(const thud_scene_field *field, void *user)
{
    key_tables *t = user;
    for (int i = 0; i < t->table_count; i++)
        if (strcmp(t->tables[i], field->table) == 0)
            return false;
    if (t->table_count < MOST_TABLES)
        t->tables[t->table_count++] = field->table; // a constant
    return false;
}

static bool print_row(const thud_scene_field *field, void *user)
{
    key_tables *t = user;
    if (strcmp(field->table, t->tables[t->at]) != 0)
        return false;
    for (int i = 0; i < t->row_count; i++)
        if (strcmp(t->rows[i], field->local) == 0)
            return false;
    if (t->row_count < MOST_ROWS)
        (void)snprintf(t->rows[t->row_count++], NAME_SIZE, "%s", field->local);
    (void)printf("| `%s` | %s | %s | %s | %s |\n", field->local, field->value, field->help,
                 field->unit, field->initial);
    return false;
}

void cli_print_key_tables(void)
{
    key_tables t = {.table_count = 0};
    (void)thud_scene_each_field(note_table, &t);
    for (t.at = 0; t.at < t.table_count; t.at++)
    {
        (void)printf("<!-- keys: %s -->\n| key | value | meaning | unit | default "
                     "|\n|---|---|---|---|---|\n",
                     t.tables[t.at]);
        t.row_count = 0;
        (void)thud_scene_each_field(print_row, &t);
        (void)printf("<!-- end of keys -->\n");
    }
}

static int print_text(const char *text, size_t length, void *user)
{
    (void)user;
    return fwrite(text, 1, length, stdout) == length ? 0 : -1;
}

int cli_print_schema(void)
{
    thud_status status = thud_scene_write_schema(print_text, NULL);
    return status == THUD_ERR_MEMORY
               ? cli_fail(status, &(thud_fault){.text = "no memory for the schema"})
               : CLI_DONE; // a failed print is reported when the program ends
}
