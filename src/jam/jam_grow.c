// One step of growth. The centres are shaken, by less and less as the growth gets smaller, and
// moved from there to the nearest positions with room for larger spheres,
//
//     min sum |x_i - w_i|^2   over   d_ab + n_ab . (x_b - x_a) >= D (1 + growth)   for near pairs.
//
// A distance is convex in x, so what holds here holds for the spheres moved.
#include "jam/jam.h"

#include <math.h>
#include <string.h>

static const double SHAKE = 8;        // |w| along each axis, in units of the growth of a diameter
static const double SHIFT = 1.0 / 16; // of the growth: how exactly it is taken
static const double REACH = 1.0 / 16; // of the diameter: pairs that are looked at
static const double FARTHEST = 2;     // no two centres are so far apart

// Multipliers of the last step are a first guess, in proportion to the growth.
static thud_status guess(thud_jam *jam, double growth)
{
    int count = thud_rows_count(jam->rows), at = 0;
    double part = jam->last_growth > 0 ? growth / jam->last_growth : 0;
    THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->warm, (size_t)count + 1));
    for (int i = 0; i < count; i++)
    {
        thud_key key = jam->pairs.items[i].key;
        while (at < jam->last_count && thud_key_before(jam->last.items[at].key, key))
            at++;
        bool known = at < jam->last_count && thud_key_same(jam->last.items[at].key, key);
        jam->warm.items[i] = known ? part * jam->last.items[at].impulse : 0;
    }
    return THUD_OK;
}

static thud_status remember(thud_jam *jam, const double *mu, double growth)
{
    int count = thud_rows_count(jam->rows);
    THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->last, (size_t)count + 1));
    jam->last_count = 0;
    jam->last_growth = growth;
    for (int i = 0; i < count; i++)
        if (mu[i] > 0)
            jam->last.items[jam->last_count++] =
                (thud_multiplier){.key = jam->pairs.items[i].key, .impulse = mu[i]};
    return THUD_OK;
}

// Project w, which is in `bodies`.
static thud_status project(thud_jam *jam, double growth, double reach, thud_answer *answer)
{
    double target = jam->diameter * (1 + growth);
    THUD_TRY(thudi_jam_rows(jam, target * (1 + reach), target, SHIFT * growth * jam->diameter));
    THUD_TRY(guess(jam, growth));
    thud_projection problem = {.dim = 3 * jam->count,
                               .h = 1,
                               .w = jam->bodies,
                               .rows = jam->rows,
                               .warm = jam->warm.items,
                               .shift_scale = 1};
    return thud_project(&problem, jam->projector, answer);
}

thud_status thudi_jam_grow(thud_jam *jam, double growth, bool *grown)
{
    size_t dim = 3 * (size_t)jam->count;
    double target = jam->diameter * (1 + growth), reach = REACH + 4 * growth;
    thud_answer answer;
    for (size_t k = 0; k < dim; k++)
        jam->bodies[k] = SHAKE * growth * jam->diameter * (2 * thudi_jam_uniform(jam) - 1);
    *grown = false;
    while (!*grown)
    {
        if (target * reach > FARTHEST) // all pairs were looked at: they have come round the cube
            return THUD_OK;
        thud_status status = project(jam, growth, reach, &answer);
        if (status == THUD_ERR_INFEASIBLE || status == THUD_ERR_NOT_CONVERGED)
            return THUD_OK;
        THUD_TRY(status);
        for (size_t k = 0; k < dim; k++)
        {
            double x = jam->q[k] + answer.u[k];
            jam->trial[k] = x - floor(x);
        }
        *grown = thudi_jam_nearest(jam, jam->trial) >= target;
        reach *= 2; // a pair that was not looked at came too near
    }
    THUD_TRY(remember(jam, answer.mu, growth));
    memcpy(jam->q, jam->trial, dim * sizeof *jam->q);
    jam->diameter = target;
    return THUD_OK;
}
