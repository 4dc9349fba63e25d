// Numbers as text, in the C locale and rounded to nearest, whatever locale and rounding the program
// has. Reading is exact. Writing takes as many digits as reading the same double back needs.
#include "thud/text.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    LONGEST = 1000, // characters of a number that is read
    DIGITS_SURE = 15,
    DIGITS_ALWAYS = 17 // this many digits determine a double
};

// Settings that the C library's conversions depend on.
typedef struct manner
{
    locale_t locale;
    int rounding;
} manner;

// Set the C locale and rounding to nearest for this thread alone, until go_back. It allocates
// nothing.
static manner go_plain(void)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    manner before = {uselocale(plain), fegetround()};
    if (before.rounding != FE_TONEAREST)
        (void)fesetround(FE_TONEAREST);
    return before;
}

static void go_back(manner before)
{
    locale_t plain = uselocale(before.locale);
    freelocale(plain);
    if (before.rounding != FE_TONEAREST)
        (void)fesetround(before.rounding);
}

static double read_plain(const char *text)
{
    manner before = go_plain();
    double x = strtod(text, NULL);
    go_back(before);
    return x;
}

static void write_plain(char text[THUD_NUMBER_SIZE], int digits, double x)
{
    manner before = go_plain();
    (void)snprintf(text, THUD_NUMBER_SIZE, "%.*g", digits, x);
    go_back(before);
}

// Compare the bits: a processor that drops subnormal numbers finds them equal to 0.
static bool are_same(double a, double b)
{
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
}

const char *thud_number_write(char text[THUD_NUMBER_SIZE], double x)
{
    if (!isfinite(x))
    {
        const char *word = isnan(x) ? "nan" : (x > 0 ? "inf" : "-inf");
        return memcpy(text, word, strlen(word) + 1);
    }
    for (int digits = DIGITS_SURE; digits <= DIGITS_ALWAYS; digits++)
    {
        write_plain(text, digits, x);
        if (digits == DIGITS_ALWAYS || are_same(read_plain(text), x))
            break;
    }
    return text;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t length, size_t at)
{
    while (at < length && is_digit(text[at]))
        at++;
    return at;
}

static size_t skip_sign(const char *text, size_t length, size_t at)
{
    return at < length && (text[at] == '+' || text[at] == '-') ? at + 1 : at;
}

static bool is_number(const char *text, size_t length)
{
    size_t start = skip_sign(text, length, 0), at = skip_digits(text, length, start);
    size_t digits = at - start;
    if (at < length && text[at] == '.')
    {
        size_t point = at + 1;
        at = skip_digits(text, length, point);
        digits += at - point;
    }
    if (digits > 0 && at < length && (text[at] == 'e' || text[at] == 'E'))
    {
        size_t power = skip_sign(text, length, at + 1);
        at = skip_digits(text, length, power);
        digits = at - power;
    }
    return digits > 0 && at == length;
}

bool thud_number_read(const char *text, size_t length, double *x)
{
    char copy[LONGEST + 1];
    if (length > LONGEST || !is_number(text, length))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    double value = read_plain(copy);
    if (!isfinite(value))
        return false;
    *x = value;
    return true;
}
