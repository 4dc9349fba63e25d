// The times within a step where the force is not smooth: the declared breaks, and the sign changes
// of the functions of thud_kinks at q_n. All of them are collected and sorted. By their bounds a
// stretch has no zero, or at most one because the slope keeps its sign; others are cut in two until
// neighbouring numbers are left. A single zero is enclosed by secants and halvings in turn.
#include "verify/checker.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LOOKS 400000

typedef struct zeros
{
    thudi_checker *checker;
    thudi_times *times;
    int which; // function
    int looks;
} zeros;

static thud_status note(thudi_checker *checker, thudi_times *times, double t)
{
    if (!(t > checker->t && t < checker->t_next))
        return THUD_OK; // f is looked at inside of the step alone
    if (times->count == times->capacity)
    {
        int capacity = 2 * times->capacity + 16;
        double *more = thudi_checker_allocate(checker, (size_t)capacity * sizeof *more);
        if (!more)
            return THUD_ERR_MEMORY;
        if (times->count > 0)
            memcpy(more, times->at, (size_t)times->count * sizeof *more);
        thudi_checker_free_times(checker, times);
        times->at = more;
        times->capacity = capacity;
    }
    times->at[times->count++] = t;
    return THUD_OK;
}

void thudi_checker_free_times(const thudi_checker *checker, thudi_times *times)
{
    thudi_checker_release(checker, times->at, (size_t)times->capacity * sizeof *times->at);
    times->at = NULL;
    times->capacity = 0;
}

static thud_status bounds(zeros *z, double a, double b, thud_kink_range *range)
{
    const thud_kinks *kinks = z->checker->problem->kinks;
    if (++z->looks > MOST_LOOKS)
        return THUD_ERR_QUADRATURE;
    bool failed = kinks->range(z->which, a, b, z->checker->before->q, range, kinks->user) != 0;
    return failed ? THUD_ERR_CALLBACK : THUD_OK;
}

static thud_status value(zeros *z, double t, double *x)
{
    thud_kink_range range = {.low = NAN};
    thud_status status = bounds(z, t, t, &range);
    *x = range.low;
    return status;
}

// A time inside (a, b), by the secant through both values or in the middle; a if there is none.
static double guess(double a, double b, double at_a, double at_b, bool by_secant)
{
    double middle = a + (b - a) / 2, t = a - at_a * ((b - a) / (at_b - at_a));
    if (!(middle > a && middle < b))
        return a;
    return by_secant && t > a && t < b ? t : middle;
}

// The function is monotone from a to b, or a and b are neighbours.
static thud_status enclose(zeros *z, double a, double b)
{
    double at_a, at_b, at_t;
    thud_status status = value(z, a, &at_a);
    if (status == THUD_OK)
        status = value(z, b, &at_b);
    if (status != THUD_OK || (at_a < 0) == (at_b < 0))
        return status;
    for (int i = 0;; i++)
    {
        double t = guess(a, b, at_a, at_b, i % 2 == 0);
        if (t == a)
            return note(z->checker, z->times, b);
        status = value(z, t, &at_t);
        if (status != THUD_OK)
            return status;
        if ((at_t < 0) == (at_a < 0))
            a = t, at_a = at_t;
        else
            b = t, at_b = at_t;
    }
}

static thud_status search(zeros *z, double a, double b)
{
    thud_kink_range range;
    double middle = a + (b - a) / 2;
    thud_status status = bounds(z, a, b, &range);
    if (status != THUD_OK)
        return status;
    bool absent = !(range.low <= 0 && range.high >= 0); // or not defined
    bool constant = (range.low == range.high) || (range.slope_low == 0 && range.slope_high == 0);
    if (absent || constant)
        return THUD_OK;
    if (range.slope_low >= 0 || range.slope_high <= 0 || middle == a || middle == b)
        return enclose(z, a, b);
    status = search(z, a, middle);
    return status == THUD_OK ? search(z, middle, b) : status;
}

static int earlier(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

thud_status thudi_checker_find_times(thudi_checker *checker, thudi_times *times)
{
    const thud_inclusion *problem = checker->problem;
    thud_status status = THUD_OK;
    *times = (thudi_times){0};
    for (int i = 0; i < problem->break_count && status == THUD_OK; i++)
        status = note(checker, times, problem->breaks[i]);
    int count = problem->kinks ? problem->kinks->count : 0;
    zeros z = {.checker = checker, .times = times};
    double from = nextafter(checker->t, INFINITY), to = nextafter(checker->t_next, -INFINITY);
    for (; z.which < count && from < to && status == THUD_OK; z.which++)
        status = search(&z, from, to);
    if (status == THUD_OK && times->count > 1)
        qsort(times->at, (size_t)times->count, sizeof *times->at, earlier);
    return status;
}
