// Round numbers for axes: 1, 2 and 5 times powers of ten.
#include "colors/ticks.h"

#include "core/math/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\xe2\x88\x92"

// Axes beyond these get no ticks: powers of ten on the way must be normal numbers.
static const double LEAST = 1e-290, LARGEST = 1e290;

// In steps of its ticks: an axis farther from 0 than this needs more digits than a label has.
static const double FARTHEST = 1e7;

// Larger labels are written with a power of ten.
static const double MOST_PLAIN = 1e6;

// 10^e, correctly rounded.
static double ten_to(int e)
{
    double x = 0;
    char text[16];
    int length = snprintf(text, sizeof text, "1e%d", e);
    return thud_number_read(text, (size_t)length, &x) ? x : INFINITY;
}

static int floor_log10(double x)
{
    int e = (int)floor(thudi_log(x) / thudi_log(10));
    // the quotient is off by rounding next to a power of ten
    if (ten_to(e + 1) <= x)
        e++;
    return ten_to(e) > x ? e - 1 : e;
}

// The smallest of 1, 2, 5 times 10^e that is not below `least`.
static int round_step(double least, int *e)
{
    static const int factors[] = {1, 2, 5};
    *e = floor_log10(least);
    for (int k = 0; k < 3; k++)
        if (factors[k] * ten_to(*e) >= least * (1 - THUDI_TICK_SLACK))
            return factors[k];
    ++*e;
    return 1;
}

thudi_ticks thudi_ticks_linear(double low, double high, int most)
{
    thudi_ticks ticks = {.count = 0};
    double span = high - low;
    if (most < 1 || !(span / most > LEAST) || !(span < LARGEST))
        return ticks;
    int e, factor = round_step(span / most, &e);
    double unit = ten_to(e < 0 ? -e : e), step = e < 0 ? factor / unit : factor * unit;
    double slack = THUDI_TICK_SLACK * span, begin = floor(low / step);
    if (!(fabs(low) + fabs(high) < FARTHEST * step))
        return ticks;
    ticks.exponent = e;
    for (int i = (int)begin; ticks.count < THUDI_TICKS; i++)
    {
        int multiple = i * factor;
        // one rounding: a multiple of a tenth is what its decimal fraction says
        double x = e < 0 ? multiple / unit : multiple * unit;
        if (x > high + slack)
            break;
        if (x < low - slack)
            continue;
        ticks.at[ticks.count] = x;
        ticks.multiple[ticks.count++] = multiple;
    }
    return ticks;
}

thudi_ticks thudi_ticks_whole(double low, double high, int most)
{
    double span = high - low;
    // so many parts of the span that each is above 1/2 and at most 1: the step is 1
    if (span < most)
        most = span > 1 ? (int)ceil(span) : 1;
    return thudi_ticks_linear(low, high, most);
}

thudi_ticks thudi_ticks_log(double low, double high, int most)
{
    thudi_ticks ticks = {.is_log = true};
    if (!(low > LEAST) || !(high > low) || !(high < LARGEST) || most < 1)
        return ticks;
    int first = floor_log10(low * (1 - THUDI_TICK_SLACK)) + 1,
        last = floor_log10(high * (1 + THUDI_TICK_SLACK));
    int stride = last > first ? (last - first) / most + 1 : 1;
    for (int e = first; e <= last && ticks.count < THUDI_TICKS; e++)
    {
        if (e % stride != 0)
            continue;
        ticks.at[ticks.count] = ten_to(e);
        ticks.multiple[ticks.count++] = e;
    }
    return ticks;
}

static void add_raised(char *text, size_t size, int n)
{
    static const char *const digits[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    char number[16];
    (void)snprintf(number, sizeof number, "%d", n);
    for (const char *c = number; *c; c++)
    {
        size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s",
                       *c == '-' ? "\xe2\x81\xbb" : digits[*c - '0']);
    }
}

// multiple * 10^exponent without a power: digits with a point among them, or zeros after.
static void write_plain(char text[THUDI_TICK_LABEL], int multiple, int exponent)
{
    char digits[24];
    if (multiple == 0)
        exponent = 0;
    int length = snprintf(digits, sizeof digits, "%0*d", exponent < 0 ? 1 - exponent : 1,
                          multiple < 0 ? -multiple : multiple);
    int whole = exponent < 0 ? length + exponent : length;
    (void)snprintf(text, THUDI_TICK_LABEL, "%s%.*s%s%s%.*s", multiple < 0 ? MINUS : "", whole,
                   digits, exponent < 0 ? "." : "", digits + whole, exponent > 0 ? exponent : 0,
                   "00000000");
}

const char *thudi_tick_label(char text[THUDI_TICK_LABEL], const thudi_ticks *ticks, int i)
{
    int multiple = ticks->multiple[i], most = 0;
    for (int k = 0; k < ticks->count; k++)
    {
        int size = ticks->multiple[k] < 0 ? -ticks->multiple[k] : ticks->multiple[k];
        most = size > most ? size : most;
    }
    if (ticks->is_log)
    {
        (void)snprintf(text, THUDI_TICK_LABEL, "10");
        add_raised(text, THUDI_TICK_LABEL, multiple);
    }
    else if (ticks->exponent >= -4 && ticks->exponent <= 5 &&
             most * ten_to(ticks->exponent) < MOST_PLAIN)
        write_plain(text, multiple, ticks->exponent);
    else
    {
        write_plain(text, multiple, 0);
        if (multiple != 0)
        {
            size_t used = strlen(text);
            (void)snprintf(text + used, THUDI_TICK_LABEL - used,
                           "\xc3\x97"
                           "10");
            add_raised(text, THUDI_TICK_LABEL, ticks->exponent);
        }
    }
    return text;
}
