// One step of growth: all diameters D become D (1 + growth). Each centre i first gets a random
// displacement w_i, in proportion to the growth. Then it moves by x_i, the nearest displacement
// that leaves room for the larger spheres,
//
//     min sum |x_i - w_i|^2   over   d_ab + n_ab . (x_b - x_a) >= D (1 + growth)   for near pairs.
//
// d_ab is the distance of a and b before the step, and n_ab the unit vector from a to b. A distance
// is convex in x: the true distance after the step is at least the left side. So the larger spheres
// have no overlap.
#include "jam/jam.h"

#include <math.h>
#include <string.h>

// Largest random displacement along an axis, as a part of growth D, by which the diameter grows.
static const double SHAKE = 8;

// The shift of a row, as a part of growth D. The projection may miss a row by half of its shift.
static const double SHIFT = 1.0 / 16;

// Pairs whose gap is below this part of the larger diameter get a row: REACH + REACH_GROWTH growth.
static const double REACH = 1.0 / 16;
static const double REACH_GROWTH = 4;

// A length that is above the distance of any two centres, which is at most sqrt(3) / 2.
static const double FARTHEST = 2;

// Fill the first guess: the multipliers of the last step, in proportion to the growth.
static thud_status guess(thud_jam *jam, double growth)
{
    int count = thud_rows_count(jam->rows), at = 0;
    double scale = jam->last_growth > 0 ? growth / jam->last_growth : 0;
    THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->warm, (size_t)count + 1));
    for (int i = 0; i < count; i++)
    {
        thud_key key = jam->pairs.items[i].key;
        while (at < jam->last_count && thud_key_before(jam->last.items[at].key, key))
            at++;
        bool known = at < jam->last_count && thud_key_same(jam->last.items[at].key, key);
        jam->warm.items[i] = known ? scale * jam->last.items[at].impulse : 0;
    }
    return THUD_OK;
}

// Keep the multipliers mu of a step that grew, for the next guess.
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

// Project w, which is in jam->bodies. The step is 1, so the velocity u is the displacement x.
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
    double target = jam->diameter * (1 + growth), reach = REACH + REACH_GROWTH * growth;
    thud_answer answer;
    for (size_t k = 0; k < dim; k++)
        jam->bodies[k] = SHAKE * growth * jam->diameter * (2 * thudi_jam_uniform(jam) - 1);
    *grown = false;
    while (!*grown)
    {
        // All pairs had rows, and two spheres overlap: a row is about the nearest image of a
        // sphere, and another image came near. This counts as no room.
        if (target * reach > FARTHEST)
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
        reach *= 2; // if two spheres overlap: they had no row
    }
    THUD_TRY(remember(jam, answer.mu, growth));
    memcpy(jam->q, jam->trial, dim * sizeof *jam->q);
    jam->diameter = target;
    return THUD_OK;
}
