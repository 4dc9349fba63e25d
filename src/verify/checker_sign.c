// Certificate 2, sign: multipliers of `after` matched with the rows, in the range that the law
// allows, each with a row of its own.
#include "verify/checker.h"

#include <float.h>

// An impulse scaled to another step and back is known to an ulp, and it is a sum.
#define FEW_ULPS (8 * DBL_EPSILON)

// Number n of those that the law keeps of a stored multiplier; NAN if the record has not so many.
static double stored_number(const thud_state *state, int m, int n)
{
    if (n == 0)
        return state->multipliers[m].memory;
    return n <= state->more_width
               ? state->more[(size_t)state->more_width * (size_t)m + (size_t)n - 1]
               : NAN;
}

// The sum of the absolute values of all numbers kept of a stored multiplier; NAN if one is none.
static double stored_size(const thudi_checker *checker, const thud_state *state, int m)
{
    double sum = 0;
    for (int n = 0; n < checker->per_row; n++)
        sum += fabs(stored_number(state, m, n));
    return sum;
}

// The numbers kept of a stored multiplier; zeros without one.
static void copy_numbers(const thudi_checker *checker, const thud_state *state, int m,
                         double numbers[THUD_KEPT_MAX])
{
    for (int n = 0; n < checker->per_row; n++)
        numbers[n] = m < 0 ? 0 : stored_number(state, m, n);
}

// Let the law verify the multiplier of one row.
static void verify_row(thudi_checker *checker, int i)
{
    double before[THUD_KEPT_MAX], after[THUD_KEPT_MAX], mu = thudi_checker_impulse(checker, i);
    thud_row_room room;
    copy_numbers(checker, checker->before, checker->before_index[i], before);
    copy_numbers(checker, checker->after, checker->after_index[i], after);
    thudi_checked_row row = {.row = thudi_checker_row(checker, i, &room),
                             .index = i,
                             .impulse = mu,
                             .rounding = checker->starts_segment ? FEW_ULPS * fabs(mu) : 0,
                             .before = before,
                             .after = after};
    checker->load[i] = checker->law->verify_row(&row, &checker->verdict.checks[THUD_CERT_SIGN]);
}

// Find the multipliers stored before the step. A memory that is owed must have a row now.
static void read_before(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_SIGN];
    const thud_multiplier *stored = checker->before->multipliers;
    for (int i = 0; i < checker->row_count; i++)
        checker->before_index[i] = -1;
    for (int m = 0, i = 0; m < checker->before->multiplier_count; m++)
    {
        while (i < checker->row_count &&
               thud_key_before(thudi_list_key(&checker->rows, i), stored[m].key))
            i++;
        if (i < checker->row_count &&
            thud_key_same(thudi_list_key(&checker->rows, i), stored[m].key))
            checker->before_index[i++] = m;
        else if (checker->law->owes_memories)
            thudi_checker_keep_worst(check, stored_size(checker, checker->before, m), 0, -1,
                                     stored[m].key);
    }
}

// Verify the order of the list and that none of its numbers is free: a law that keeps nothing
// stores zeros, a multiplier of zeros alone is not stored, and no row has more numbers than the law
// keeps.
static void verify_list(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_SIGN];
    const thud_multiplier *stored = checker->after->multipliers;
    if (checker->after->multiplier_count > 0 && checker->after->more_width >= checker->per_row)
        thudi_checker_keep_worst(check, INFINITY, 0, -1, stored[0].key);
    for (int m = 0; m < checker->after->multiplier_count; m++)
    {
        double size = stored_size(checker, checker->after, m);
        if (m > 0 && thud_key_before(stored[m].key, stored[m - 1].key))
            thudi_checker_keep_worst(check, INFINITY, 0, -1, stored[m].key);
        if (!isfinite(stored[m].impulse) || !isfinite(size))
            thudi_checker_keep_worst(check, NAN, 0, -1, stored[m].key);
        if ((checker->law->kept == 0 && size != 0) ||
            (stored[m].impulse == 0 && size == 0 && !checker->starts_segment))
            thudi_checker_keep_worst(check, INFINITY, 0, -1, stored[m].key);
    }
}

// Rows and multipliers are both sorted by key; those of equal key match in order.
void thudi_checker_verify_sign(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_SIGN];
    const thud_multiplier *stored = checker->after->multipliers;
    int count = checker->after->multiplier_count, m = 0;
    // a new segment has scaled its impulses to the new step, as first guesses
    checker->unscale = checker->starts_segment ? checker->h / checker->after->h : 1;
    read_before(checker);
    for (int i = 0; i <= checker->row_count; i++)
    {
        bool is_row = i < checker->row_count;
        thud_key key = is_row ? thudi_list_key(&checker->rows, i) : thud_key_number(0);
        for (; m < count && (!is_row || thud_key_before(stored[m].key, key)); m++)
            thudi_checker_keep_worst(
                check, fabs(stored[m].impulse) + stored_size(checker, checker->after, m), 0, -1,
                stored[m].key);
        if (!is_row)
            continue;
        bool is_stored = m < count && thud_key_same(stored[m].key, key);
        checker->after_index[i] = is_stored ? m++ : -1;
        verify_row(checker, i);
    }
    verify_list(checker);
}
