// Rows that depend on active ones and cannot hold together with them. If they miss it by the
// rounding of their gaps, that is made good; else a Farkas vector may prove that K is empty; else
// the row is set aside, and the certificate tells how much it is violated.
#include "certify/certify.h"
#include "project/exact/active_set.h"

#include <float.h>
#include <string.h>

// The factor of THUDI_FAR_PROOF once no answer was found: a proof of any reach beyond w says more.
static const double SOME_PROOF = 4;

// |n_i| . |x|: what rounding of n_i . x is measured against.
static double terms_of_x(const thudi_dual *d, int i)
{
    int room[6];
    const int *index = thudi_dual_index(d, i, room);
    const double *value = thudi_dual_value(d, i);
    double sum = 0;
    for (int k = 0; k < thudi_row_size(thudi_dual_head(d, i)); k++)
        sum += fabs(value[k] * d->set->x[index[k]]);
    return sum;
}

// What row i's goal may be off because its gap and its terms are rounded numbers.
static double rounding_of(const thudi_dual *d, int i)
{
    const thudi_active_set *set = d->set;
    double noise = thudi_row_noise(d->problem, i) / d->problem->h / set->norm[i];
    return THUDI_DUAL_ULPS / 2 * DBL_EPSILON * (set->size[i] + noise);
}

// Row s is a combination of active rows with coefficients <= 0: together they cannot all hold.
static void write_farkas(const thudi_dual *d, int s)
{
    const thudi_active_set *set = d->set;
    double *y = d->task->y, sum = 1;
    for (int j = 0; j < set->count; j++)
        sum += fmax(0, -set->direction[j]);
    for (int j = 0; j < set->count; j++)
    {
        int i = set->active[j];
        y[i] = fmax(0, -set->direction[j]) / sum / set->norm[i];
    }
    y[s] = 1 / sum / set->norm[s];
}

// Nearly dependent is not dependent: a Farkas vector proves something only if the velocities it
// rules out are beyond those of the problem, by the factor `far`.
static thud_status farkas_proves(const thudi_dual *d, int s, double far, bool *proves)
{
    thud_farkas farkas;
    write_farkas(d, s);
    THUD_TRY(thudi_certify_farkas(d->problem, d->task->y, d->problem->shift_scale,
                                  d->task->projector->rooms, &farkas));
    double speed = thudi_length(d->problem, d->problem->w) + d->set->size[s];
    *proves = farkas.radius > far * speed;
    if (!*proves)
        memset(d->task->y, 0, (size_t)d->rows * sizeof *d->task->y);
    return THUD_OK;
}

// Rows that cannot all hold, but only by the rounding of their gaps, are each given that rounding,
// once. False when the conflict is real, or when all have been given it before.
static bool relieve(thudi_dual *d, int s, double violation)
{
    thudi_active_set *set = d->set;
    double rounding = rounding_of(d, s);
    for (int j = 0; j < set->count; j++)
        rounding += fmax(0, -set->direction[j]) * rounding_of(d, set->active[j]);
    if (violation > rounding)
        return false;
    bool any = false;
    for (int j = 0; j <= set->count; j++)
    {
        int i = j < set->count ? set->active[j] : s;
        if (set->relief[i] > 0 || (i != s && set->direction[j] >= 0))
            continue;
        double room = rounding_of(d, i);
        set->goal[i] -= room;
        set->relief[i] = room * set->norm[i] * d->problem->h;
        any = any || room > 0;
        *d->task->relieved += room > 0;
    }
    if (any)
        thudi_dual_make_feasible(d);
    return any;
}

thud_status thudi_dual_classify_dependent(thudi_dual *d, int s, double violation, bool dependent,
                                          thudi_dual_entry *outcome)
{
    thudi_active_set *set = d->set;
    double far = dependent && d->task->projector->seeks_proof ? SOME_PROOF : THUDI_FAR_PROOF;
    double rounding = 2 * THUDI_DUAL_ULPS * DBL_EPSILON * terms_of_x(d, s) + rounding_of(d, s);
    bool proves = false;
    *outcome = THUDI_RELIEVED;
    if (dependent && relieve(d, s, violation))
        return THUD_OK;
    // violated by rounding only, the row is set aside; the certificate will say how much
    if (!dependent || violation > rounding)
        THUD_TRY(farkas_proves(d, s, far, &proves));
    *outcome = proves ? THUDI_INFEASIBLE : dependent ? THUDI_SET_ASIDE : THUDI_ENTERED;
    if (*outcome == THUDI_SET_ASIDE) // where nothing can be proved, too
        set->place[s] = THUDI_ASIDE;
    return THUD_OK;
}
