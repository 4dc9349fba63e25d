// Random expressions as text: see expression_samples.h.
#include "expression_samples.h"

#include <stdarg.h>
#include <string.h>

typedef struct writer
{
    test_random *random;
    char *text;
    size_t used;
} writer;

static void say(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(writer *w, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int count = vsnprintf(w->text + w->used, SAMPLE_LENGTH - w->used, format, values);
    va_end(values);
    w->used += (size_t)count;
    if (w->used >= SAMPLE_LENGTH)
        w->used = SAMPLE_LENGTH - 1;
}

static int pick(writer *w, int count)
{
    return test_random_int(w->random, 0, count - 1);
}

static void leaf(writer *w)
{
    static const char *const names[] = {"t", "t", "x0", "x1", "x2", "x3", "k", "pi", "e"};
    static const char *const numbers[] = {"2", "0.5", "1.25", "3", ".1", "1e-1", "7.5e-01"};
    if (pick(w, 4) > 0)
        say(w, "%s", names[pick(w, 9)]);
    else
        say(w, "%s", numbers[pick(w, 7)]);
}

static void any(writer *w, int depth);

static void call(writer *w, int depth)
{
    static const char *const names[] = {"sin",  "cos",   "tan",  "asin", "acos", "atan",
                                        "sinh", "cosh",  "tanh", "exp",  "log",  "sqrt",
                                        "abs",  "atan2", "pow",  "min",  "max",  "hypot"};
    int which = pick(w, 18), count = which < 13 ? 1 : which < 15 ? 2 : 1 + pick(w, 3);
    say(w, "%s(", names[which]);
    for (int i = 0; i < count; i++)
    {
        any(w, depth - 1);
        say(w, i + 1 < count ? (pick(w, 2) ? "," : " , ") : ")");
    }
}

static void power(writer *w, int depth)
{
    static const char *const exponents[] = {"2", "3", "0.5", "-1", "-2.5", "t", "x1", "k"};
    say(w, "(");
    any(w, depth - 1);
    say(w, ")^%s", exponents[pick(w, 8)]);
}

static void any(writer *w, int depth)
{
    static const char *const between[] = {"+", " + ", "-", " - ", "*", " * ", "/", "*"};
    int kind = depth == 0 ? 0 : pick(w, 10);
    if (kind == 0)
        leaf(w);
    else if (kind < 4)
        call(w, depth);
    else if (kind == 4)
        power(w, depth);
    else if (kind == 5)
    {
        say(w, "(-");
        any(w, depth - 1);
        say(w, ")");
    }
    else
    {
        bool closed = pick(w, 3) > 0;
        say(w, closed ? "(" : "");
        any(w, depth - 1);
        say(w, "%s", between[pick(w, 8)]);
        any(w, depth - 1);
        say(w, closed ? ")" : "");
    }
}

void expression_sample(test_random *random, int depth, char text[SAMPLE_LENGTH])
{
    writer w = {random, text, 0};
    do
    {
        w.used = 0;
        any(&w, depth);
    } while (w.used >= SAMPLE_LENGTH - 1);
}
