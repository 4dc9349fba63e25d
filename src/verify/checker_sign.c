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
static double stored_size(const thudi_exam *exam, const thud_state *state, int m)
{
    double sum = 0;
    for (int n = 0; n < exam->per_row; n++)
        sum += fabs(stored_number(state, m, n));
    return sum;
}

static void copy_numbers(const thudi_exam *exam, const thud_state *state, int m, int i,
                         double *numbers)
{
    for (int n = 0; n < exam->per_row; n++)
        numbers[(size_t)exam->per_row * (size_t)i + (size_t)n] = stored_number(state, m, n);
}

// Let the law verify the multiplier of one row.
static void verify_row(thudi_exam *exam, int i)
{
    size_t first = (size_t)exam->per_row * (size_t)i;
    thudi_checked_row row = {.row = thud_rows_get(exam->rows, i),
                             .index = i,
                             .impulse = exam->mu[i],
                             .rounding = exam->starts_segment ? FEW_ULPS * fabs(exam->mu[i]) : 0,
                             .before = exam->kept_before + first,
                             .after = exam->kept_after + first};
    exam->load[i] = exam->law->verify_row(&row, &exam->verdict.checks[THUD_CERT_SIGN]);
}

// Read the numbers kept before the step. A memory that is owed must have a row now.
static void read_before(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_SIGN];
    const thud_multiplier *stored = exam->before->multipliers;
    for (int m = 0, i = 0; m < exam->before->multiplier_count; m++)
    {
        while (i < exam->row_count &&
               thud_key_before(thud_rows_get(exam->rows, i).key, stored[m].key))
            i++;
        if (i < exam->row_count && thud_key_same(thud_rows_get(exam->rows, i).key, stored[m].key))
            copy_numbers(exam, exam->before, m, i++, exam->kept_before);
        else if (exam->law->owes_memories)
            thudi_exam_note(check, stored_size(exam, exam->before, m), 0, -1, stored[m].key);
    }
}

// Verify the order of the list and that none of its numbers is free: a law that keeps nothing
// stores zeros, a multiplier of zeros alone is not stored, and no row has more numbers than the law
// keeps.
static void verify_list(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_SIGN];
    const thud_multiplier *stored = exam->after->multipliers;
    if (exam->after->multiplier_count > 0 && exam->after->more_width >= exam->per_row)
        thudi_exam_note(check, INFINITY, 0, -1, stored[0].key);
    for (int m = 0; m < exam->after->multiplier_count; m++)
    {
        double size = stored_size(exam, exam->after, m);
        if (m > 0 && thud_key_before(stored[m].key, stored[m - 1].key))
            thudi_exam_note(check, INFINITY, 0, -1, stored[m].key);
        if (!isfinite(stored[m].impulse) || !isfinite(size))
            thudi_exam_note(check, NAN, 0, -1, stored[m].key);
        if ((exam->law->kept == 0 && size != 0) ||
            (stored[m].impulse == 0 && size == 0 && !exam->starts_segment))
            thudi_exam_note(check, INFINITY, 0, -1, stored[m].key);
    }
}

// Rows and multipliers are both sorted by key; those of equal key match in order.
void thudi_exam_sign(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_SIGN];
    const thud_multiplier *stored = exam->after->multipliers;
    int count = exam->after->multiplier_count, m = 0;
    // a new segment has scaled its impulses to the new step, as first guesses
    double factor = exam->starts_segment ? exam->h / exam->after->h : 1;
    read_before(exam);
    for (int i = 0; i <= exam->row_count; i++)
    {
        bool is_row = i < exam->row_count;
        thud_key key = is_row ? thud_rows_get(exam->rows, i).key : thud_key_number(0);
        for (; m < count && (!is_row || thud_key_before(stored[m].key, key)); m++)
            thudi_exam_note(check, fabs(stored[m].impulse) + stored_size(exam, exam->after, m), 0,
                            -1, stored[m].key);
        if (is_row && m < count && thud_key_same(stored[m].key, key))
        {
            copy_numbers(exam, exam->after, m, i, exam->kept_after);
            exam->mu[i] = stored[m++].impulse * factor;
        }
        if (is_row)
            verify_row(exam, i);
    }
    verify_list(exam);
}
