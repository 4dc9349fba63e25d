// Two texts as thud_json writes them, one value a line, compared line by line. The structure is
// that of the own text alone: a free value has no room for another key.
#include "run/verify/verify_json_lines.h"

#include "thud/json.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum
{
    DEEPEST = 8, // objects and lists within each other
    NAME = 60
};

// Where a line of the own text is: names[k] is the key of the object at depth k.
typedef struct place
{
    char names[DEEPEST][NAME];
} place;

static bool is_one_of(const char *key, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

// Values at the top, and in objects of the top.
static bool is_free(const char *key, const char *section, const thudi_json_freedom *freedom)
{
    static const char *const keys[] = {"ending", "written", "resumed", "threads"};
    static const char *const sections[] = {"seconds", "thud", "host"};
    if (section[0] == '\0')
        return is_one_of(key, keys, sizeof keys / sizeof *keys) ||
               (freedom->has_failed && strcmp(key, "error") == 0);
    if (strcmp(section, "accuracy") == 0)
        return !freedom->is_halved && strcmp(key, "not_halved") == 0;
    // where a run came from is as it says; after which step is in the log
    if (strcmp(section, "continues") == 0)
        return strcmp(key, "run") == 0;
    // what is enclosed follows from a checkpoint, if there is one
    if (strcmp(section, "enclosed") == 0)
        return !freedom->has_enclosed;
    return is_one_of(section, sections, sizeof sections / sizeof *sections);
}

// The second run, at half the step, leaves nothing else in the folder.
static bool is_of_second_run(const char *key, int depth)
{
    static const char *const whole[] = {"steps", "seconds"};
    static const char *const each[] = {"end_halved", "mean_halved", "largest_halved"};
    return depth == 3 ? is_one_of(key, whole, sizeof whole / sizeof *whole)
                      : is_one_of(key, each, sizeof each / sizeof *each);
}

// The key of a line, "" if it has none; where its value begins.
static size_t read_key(const char *line, size_t length, char key[NAME])
{
    size_t first = strspn(line, " ");
    key[0] = '\0';
    if (first >= length || line[first] != '"')
        return first;
    size_t end = first + 1;
    while (end < length && line[end] != '"')
        end++;
    (void)snprintf(key, NAME, "%.*s", (int)(end - first - 1), line + first + 1);
    return end + 3 < length ? end + 3 : length;
}

// The same up to the value, one value of the same kind, and the same comma.
static bool is_value_alone(const char *told, size_t told_length, const char *own, size_t own_length,
                           size_t value)
{
    if (told_length <= value || memcmp(told, own, value) != 0 ||
        (told[value] == '"') != (own[value] == '"'))
        return false;
    const char *end = thud_json_skip_scalar(told + value);
    if (!end || end > told + told_length)
        return false;
    size_t comma = own[own_length - 1] == ',';
    return told + told_length == end + comma && (comma == 0 || *end == ',');
}

static bool is_line_same(const char *told, size_t told_length, const char *own, size_t own_length,
                         place *at, const thudi_json_freedom *freedom)
{
    char key[NAME];
    size_t value = read_key(own, own_length, key);
    int depth = (int)(strspn(own, " ") / 2);
    bool opens = own_length > 0 && (own[own_length - 1] == '{' || own[own_length - 1] == '[');
    if (opens && depth < DEEPEST)
        (void)snprintf(at->names[depth], NAME, "%s", key);
    bool is_known = opens || key[0] == '\0' || depth < 1 || depth > DEEPEST;
    bool may_differ = false;
    if (!is_known && depth <= 2)
        may_differ = is_free(key, at->names[depth - 1], freedom);
    else if (!is_known)
        may_differ = strcmp(at->names[2], "halved") == 0 && is_of_second_run(key, depth);
    return may_differ ? is_value_alone(told, told_length, own, own_length, value)
                      : told_length == own_length && memcmp(told, own, own_length) == 0;
}

int thudi_json_first_difference(const char *told, const char *own,
                                const thudi_json_freedom *freedom, char key[60])
{
    place at = {0};
    for (int line = 1; *told || *own; line++)
    {
        size_t told_length = strcspn(told, "\n"), own_length = strcspn(own, "\n");
        if (!is_line_same(told, told_length, own, own_length, &at, freedom))
        {
            (void)read_key(own, own_length, key);
            return line;
        }
        told += told_length + (told[told_length] == '\n');
        own += own_length + (own[own_length] == '\n');
    }
    return 0;
}
