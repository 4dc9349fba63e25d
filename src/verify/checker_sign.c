// Certificate 2, sign: multipliers of `after` matched with the rows, in the range that the law
// allows, each with a row of its own.
#include "verify/checker.h"

#include <float.h>

#define FEW_ULPS (8 * DBL_EPSILON)

// What the law allows of one row: mu >= 0, and with glue mu >= gamma_n. A memory is mu of the
// displacement where contacts bounce, and max(gamma_min, gamma_n - mu) with glue.
static void judge_law(thudi_exam *exam, int i)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_SIGN];
    thud_row row = thud_rows_get(exam->rows, i);
    double mu = exam->mu[i], kept = exam->kept[i], held = exam->held[i];
    exam->load[i] = mu;
    if (exam->problem->law == THUD_LAW_RESTITUTION)
    {
        exam->load[i] = kept;
        thudi_exam_note(check, kept >= 0 ? 0 : -kept, 0, i, row.key);
    }
    else if (exam->problem->law == THUD_LAW_GLUE)
    {
        double nu = exam->load[i] = mu - held, least = row.numbers ? row.numbers[0] : 0;
        double wanted = -nu > least ? -nu : least;
        // an impulse scaled to another step and back is known to an ulp
        double room = exam->starts_segment ? FEW_ULPS * fabs(mu) : 0;
        thudi_exam_note(check, nu >= 0 ? 0 : -nu, room, i, row.key);
        thudi_exam_note(check, held <= 0 ? 0 : held, 0, i, row.key);
        thudi_exam_note(check, kept == wanted ? 0 : fabs(kept - wanted),
                        FEW_ULPS * (fabs(mu) + fabs(held)), i, row.key);
        return;
    }
    thudi_exam_note(check, mu >= 0 ? 0 : -mu, 0, i, row.key);
}

// With glue, whatever was held before must have a row now.
static void read_held(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_SIGN];
    const thud_multiplier *stored = exam->before->multipliers;
    for (int m = 0, i = 0; m < exam->before->multiplier_count; m++)
    {
        while (i < exam->row_count &&
               thud_key_before(thud_rows_get(exam->rows, i).key, stored[m].key))
            i++;
        if (i < exam->row_count && thud_key_same(thud_rows_get(exam->rows, i).key, stored[m].key))
            exam->held[i++] = stored[m].memory;
        else if (exam->problem->law == THUD_LAW_GLUE)
            thudi_exam_note(check, fabs(stored[m].memory), 0, -1, stored[m].key);
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
    read_held(exam);
    for (int i = 0; i <= exam->row_count; i++)
    {
        bool is_row = i < exam->row_count;
        thud_key key = is_row ? thud_rows_get(exam->rows, i).key : thud_key_number(0);
        for (; m < count && (!is_row || thud_key_before(stored[m].key, key)); m++)
            thudi_exam_note(check, fabs(stored[m].impulse) + fabs(stored[m].memory), 0, -1,
                            stored[m].key);
        if (is_row && m < count && thud_key_same(stored[m].key, key))
        {
            exam->kept[i] = stored[m].memory;
            exam->mu[i] = stored[m++].impulse * factor;
        }
        if (is_row)
            judge_law(exam, i);
    }
    for (m = 0; m < count; m++)
    {
        if (m > 0 && thud_key_before(stored[m].key, stored[m - 1].key))
            thudi_exam_note(check, INFINITY, 0, -1, stored[m].key);
        if (!isfinite(stored[m].impulse) || !isfinite(stored[m].memory))
            thudi_exam_note(check, NAN, 0, -1, stored[m].key);
        // no word of a record is free: plain contacts remember nothing, and what is 0 is not kept
        bool is_plain = exam->problem->law == THUD_LAW_INELASTIC, is_idle = stored[m].impulse == 0;
        if ((is_plain && stored[m].memory != 0) ||
            (is_idle && stored[m].memory == 0 && !exam->starts_segment))
            thudi_exam_note(check, INFINITY, 0, -1, stored[m].key);
    }
}
