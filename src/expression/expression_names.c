// The functions and constants that every expression may use, and help with names that are unknown.
#include "expression/expression_names.h"
#include "expression/expression_text.h"

#include <stdio.h>
#include <string.h>

static const thudi_function functions[] = {
    {"sin", THUDI_OP_SIN, 1},     {"cos", THUDI_OP_COS, 1},   {"tan", THUDI_OP_TAN, 1},
    {"asin", THUDI_OP_ASIN, 1},   {"acos", THUDI_OP_ACOS, 1}, {"atan", THUDI_OP_ATAN, 1},
    {"sinh", THUDI_OP_SINH, 1},   {"cosh", THUDI_OP_COSH, 1}, {"tanh", THUDI_OP_TANH, 1},
    {"exp", THUDI_OP_EXP, 1},     {"log", THUDI_OP_LOG, 1},   {"sqrt", THUDI_OP_SQRT, 1},
    {"abs", THUDI_OP_ABS, 1},     {"pow", THUDI_OP_POWER, 2}, {"atan2", THUDI_OP_ATAN2, 2},
    {"step", THUDI_OP_STEP, 1},   {"min", THUDI_OP_MIN, 0},   {"max", THUDI_OP_MAX, 0},
    {"hypot", THUDI_OP_HYPOT, 0},
};

enum
{
    FUNCTIONS = sizeof functions / sizeof *functions
};

static bool is_name(const char *name, size_t length, const char *known)
{
    return strncmp(known, name, length) == 0 && known[length] == '\0';
}

const thudi_function *thudi_function_find(const char *name, size_t length)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (is_name(name, length, functions[i].name))
            return &functions[i];
    return NULL;
}

bool thudi_constant_find(const char *name, size_t length, double *value)
{
    bool pi = is_name(name, length, "pi"), e = is_name(name, length, "e");
    if (pi || e)
        *value = pi ? 3.141592653589793238 : 2.718281828459045235;
    return pi || e;
}

int thudi_name_find(const char *name, size_t length, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (is_name(name, length, names[i]))
            return i;
    return -1;
}

void thudi_names_mark(const char *text, size_t length, const char *const *names, int count,
                      bool *marks)
{
    const thudi_source source = {.text = text, .length = length};
    for (size_t at = 0; at < length;)
    {
        size_t name = thudi_source_name(&source, at), number = thudi_source_number(&source, at);
        int i = name > 0 ? thudi_name_find(text + at, name, names, count) : -1;
        if (i >= 0)
            marks[i] = true;
        at += name > 0 ? name : (number > 0 ? number : 1); // 1e5 is no use of a name e5
    }
}

// Write "use one of: x, y, A, t", or nothing when it does not fit or there are none.
static void list_names(const thud_symbols *symbols, char hint[256])
{
    size_t used = (size_t)snprintf(hint, 256, "use one of: ");
    const char *between = "";
    int own = symbols->coordinate_count + symbols->parameter_count;
    for (int i = 0; i < own + symbols->time && used < 256; i++)
    {
        const char *name = "t";
        if (i < symbols->coordinate_count)
            name = symbols->coordinates[i];
        else if (i < own)
            name = symbols->parameters[i - symbols->coordinate_count];
        used += (size_t)snprintf(hint + used, 256 - used, "%s%s", between, name);
        between = ", ";
    }
    if (used >= 256 || own + symbols->time == 0)
        hint[0] = '\0';
    else if (symbols->others)
        (void)snprintf(hint + used, 256 - used, "%s", symbols->others);
}

// Write "functions: sin, cos, ...".
static void list_functions(char hint[256])
{
    size_t used = (size_t)snprintf(hint, 256, "functions: ");
    for (int i = 0; i < FUNCTIONS && used < 256; i++)
        used +=
            (size_t)snprintf(hint + used, 256 - used, "%s%s", i > 0 ? ", " : "", functions[i].name);
}

void thudi_name_hint(const char *name, size_t length, bool is_call, const thud_symbols *symbols,
                     char hint[256])
{
    const char *all[FUNCTIONS + 2] = {"pi", "e"};
    for (int i = 0; i < FUNCTIONS; i++)
        all[i + 2] = functions[i].name;
    const char *best[4];
    int count = 0;
    const char *t = "t";
    const struct
    {
        const char *const *names;
        int count;
    } groups[4] = {{symbols->coordinates, symbols->coordinate_count},
                   {symbols->parameters, symbols->parameter_count},
                   {&t, symbols->time},
                   {all, FUNCTIONS + 2}};
    // the nearest of the nearest is the nearest, and the order of the groups is kept
    for (int g = 0; g < 4; g++)
    {
        const char *near = thud_nearest(name, length, groups[g].names, groups[g].count);
        if (near)
            best[count++] = near;
    }
    const char *near = thud_nearest(name, length, best, count);
    if (is_name(name, length, "nan") || is_name(name, length, "inf") ||
        is_name(name, length, "infinity"))
        (void)snprintf(hint, 256, "use a finite number");
    else if (near)
        (void)snprintf(hint, 256, "did you mean '%s'?", near);
    else if (is_call)
        list_functions(hint);
    else
        list_names(symbols, hint);
}
