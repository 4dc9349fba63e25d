// Expressions computed from their text in quadruple precision: see quad_interpreter.h.
#include "quad_interpreter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader
{
    const char *c;
    const quad_place *place;
    double margin;
} reader;

static quad sum(reader *r);

static void blanks(reader *r)
{
    while (*r->c == ' ')
        r->c++;
}

static bool take(reader *r, char c)
{
    blanks(r);
    if (*r->c != c)
        return false;
    r->c++;
    return true;
}

static quad keep(reader *r, quad value, quad margin)
{
    double distance = (double)margin;
    if (!(fabsq(value) <= 300) || isnanq(margin))
        distance = -1;
    if (!(distance >= r->margin))
        r->margin = distance;
    return value;
}

static quad smaller(quad a, quad b)
{
    return a < b ? a : b;
}

static quad root_of_squares(const quad *a, int count)
{
    quad squares = 0;
    for (int i = 0; i < count; i++)
        squares += a[i] * a[i];
    return sqrtq(squares);
}

static quad extreme(reader *r, const quad *a, int count, int sign)
{
    quad best = a[0], gap = 1;
    for (int i = 1; i < count; i++)
        best = sign * a[i] < sign * best ? a[i] : best;
    int seen = 0;
    for (int i = 0; i < count; i++)
        if (a[i] != best || seen++ > 0)
            gap = smaller(gap, fabsq(a[i] - best));
    return keep(r, best, gap);
}

static quad several(reader *r, const char *name, const quad *a, int count)
{
    if (strcmp(name, "min") == 0)
        return extreme(r, a, count, 1);
    if (strcmp(name, "max") == 0)
        return extreme(r, a, count, -1);
    if (strcmp(name, "hypot") == 0)
    {
        quad h = root_of_squares(a, count);
        return keep(r, h, h);
    }
    if (strcmp(name, "atan2") == 0)
    {
        quad h = root_of_squares(a, 2);
        // away from the jump on the negative axis, too
        return keep(r, atan2q(a[0], a[1]), a[1] > 0 ? h : smaller(h, fabsq(a[0])));
    }
    return keep(r, powq(a[0], a[1]), a[0]); // pow
}

static quad call(reader *r, const char *name, const quad *a, int count)
{
    static const struct
    {
        const char *name;
        quad (*function)(quad);
    } smooth[] = {{"sin", sinq},   {"cos", cosq},   {"atan", atanq}, {"sinh", sinhq},
                  {"cosh", coshq}, {"tanh", tanhq}, {"exp", expq}};
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++)
        if (strcmp(name, smooth[i].name) == 0)
            return keep(r, smooth[i].function(a[0]), 1);
    if (strcmp(name, "tan") == 0)
        return keep(r, tanq(a[0]), fabsq(cosq(a[0])));
    if (strcmp(name, "asin") == 0)
        return keep(r, asinq(a[0]), 1 - fabsq(a[0]));
    if (strcmp(name, "acos") == 0)
        return keep(r, acosq(a[0]), 1 - fabsq(a[0]));
    if (strcmp(name, "log") == 0)
        return keep(r, logq(a[0]), a[0]);
    if (strcmp(name, "sqrt") == 0)
        return keep(r, sqrtq(a[0]), a[0]);
    if (strcmp(name, "abs") == 0)
        return keep(r, fabsq(a[0]), fabsq(a[0]));
    return several(r, name, a, count);
}

static quad named(reader *r, const char *name)
{
    if (name[0] == 'x')
        return r->place->x[name[1] - '0'];
    if (name[0] == 't')
        return r->place->t;
    if (name[0] == 'k')
        return r->place->k;
    // the library's constants are doubles
    return name[0] == 'p' ? (quad)3.14159265358979323846 : (quad)2.71828182845904523536;
}

static quad primary(reader *r)
{
    blanks(r);
    if (isdigit((unsigned char)*r->c) || *r->c == '.')
    {
        char *end;
        double value = strtod(r->c, &end); // literals are doubles
        r->c = end;
        return value;
    }
    if (take(r, '('))
    {
        quad value = sum(r);
        return take(r, ')') ? value : (quad)0 / (quad)0;
    }
    char name[16] = "";
    for (int i = 0; i < 15 && isalnum((unsigned char)*r->c); i++)
        name[i] = *r->c++;
    if (!take(r, '('))
        return named(r, name);
    quad a[8] = {0};
    int count = 0;
    do
        a[count++] = sum(r);
    while (count < 8 && take(r, ','));
    quad value = call(r, name, a, count);
    return take(r, ')') ? value : (quad)0 / (quad)0;
}

static quad signed_power(reader *r)
{
    if (take(r, '-'))
        return -signed_power(r);
    if (take(r, '+'))
        return signed_power(r);
    quad base = primary(r);
    if (!take(r, '^'))
        return base;
    quad exponent = signed_power(r);
    bool whole = exponent == (int)exponent && exponent > 0; // then any base will do
    return keep(r, powq(base, exponent), whole ? 1 : base);
}

static quad product(reader *r)
{
    quad value = signed_power(r);
    for (;;)
        if (take(r, '*'))
            value = keep(r, value * signed_power(r), 1);
        else if (take(r, '/'))
        {
            quad divisor = signed_power(r);
            value = keep(r, value / divisor, fabsq(divisor));
        }
        else
            return value;
}

static quad sum(reader *r)
{
    quad value = product(r);
    for (;;)
        if (take(r, '+'))
            value = keep(r, value + product(r), 1);
        else if (take(r, '-'))
            value = keep(r, value - product(r), 1);
        else
            return value;
}

quad quad_interpret(const char *text, const quad_place *place, double *margin)
{
    reader r = {text, place, 1};
    quad value = sum(&r);
    blanks(&r);
    if (*r.c) // not understood to its end
        r.margin = -1;
    if (margin)
        *margin = r.margin;
    return value;
}
