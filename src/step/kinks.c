// The times within a step where the force is not smooth: sign changes of the functions a(t, q) of
// thud_kinks, q frozen. A stretch is passed where the range of a has no 0, or a is constant; where
// a is monotone its signs at both ends tell all, and bisection finds the time to the last bit; any
// other stretch is halved. Ranges are bounds, so that no time is missed.
#include "step/kinks.h"

#include "core/memory.h"

#include <math.h>

enum
{
    DEEPEST = 1100 // halvings until the ends of any stretch are neighbours
};

typedef struct stretch
{
    thudi_kink_search *search;
    int which;
} stretch;

static thud_status search_range(stretch *s, double from, double to, thud_kink_range *range)
{
    const thud_kinks *kinks = s->search->kinks;
    if (s->search->looks >= THUDI_KINK_LOOKS)
    {
        s->search->lost = s->which;
        return THUD_ERR_QUADRATURE;
    }
    s->search->looks++;
    return kinks->range(s->which, from, to, s->search->q, range, kinks->user) == 0
               ? THUD_OK
               : THUD_ERR_CALLBACK;
}

// Is a >= 0 at t?
static thud_status sign_at(stretch *s, double t, bool *positive)
{
    thud_kink_range at;
    THUD_TRY(search_range(s, t, t, &at));
    *positive = at.low >= 0;
    return THUD_OK;
}

// Signs differ at a and b: the first number of the other sign, if there is but one change.
static thud_status pin(stretch *s, double a, double b, bool before, double *found)
{
    for (double middle = a + (b - a) / 2; middle > a && middle < b; middle = a + (b - a) / 2)
    {
        bool positive;
        THUD_TRY(sign_at(s, middle, &positive));
        *(positive == before ? &a : &b) = middle;
    }
    *found = b;
    return THUD_OK;
}

static bool is_passed(const thud_kink_range *r)
{
    return isnan(r->low) || r->low > 0 || r->high < 0 || (r->low == 0 && r->high == 0) ||
           (r->slope_low == 0 && r->slope_high == 0);
}

// The first change of sign in (a, b), else b.
static thud_status find_first(stretch *s, double a, double b, double *found)
{
    double end[DEEPEST];
    int waiting = 0;
    end[0] = b;
    while (waiting >= 0)
    {
        thud_kink_range range;
        double high = end[waiting], middle = a + (high - a) / 2;
        bool before, after;
        THUD_TRY(search_range(s, a, high, &range));
        bool narrow = !(middle > a && middle < high) || waiting + 1 == DEEPEST;
        if (!is_passed(&range) && !narrow && range.slope_low < 0 && range.slope_high > 0)
        {
            end[++waiting] = middle;
            continue;
        }
        if (!is_passed(&range))
        {
            THUD_TRY(sign_at(s, a, &before));
            THUD_TRY(sign_at(s, high, &after));
            if (before != after)
                return pin(s, a, high, before, found);
        }
        a = high;
        waiting--;
    }
    *found = b;
    return THUD_OK;
}

// The force is never asked for at the ends of a piece: what happens there alone does not count.
thud_status thudi_kinks_next(thudi_kink_search *search, double start, double end, double *next)
{
    double low = nextafter(start, end), high = nextafter(end, start), first = high;
    *next = end;
    search->lost = -1;
    for (int k = 0; search->kinks && k < search->kinks->count && low < first; k++)
    {
        stretch s = {search, k};
        THUD_TRY(find_first(&s, low, first, &first));
    }
    if (low < first && first < high)
        *next = first;
    return THUD_OK;
}
