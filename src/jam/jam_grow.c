// One step of growth: the smallest displacement that leaves room for larger spheres,
//
//     min sum |x_i|^2   over   d_ab + n_ab . (x_b - x_a) >= D (1 + growth)   for all near pairs.
//
// A distance is convex in x, so what holds here holds for the spheres moved.
#include "jam/jam.h"

#include <math.h>
#include <string.h>

static const double SHIFT = 1.0 / 16; // of a step's growth: how exactly it is taken
static const double REACH = 1.0 / 16; // of the diameter: pairs that are looked at

// Forces of a projection that failed: the multipliers grow along a Farkas vector.
static thud_status keep_network(thud_jam *jam, const double *y)
{
    int count = thud_rows_count(jam->rows);
    THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->contacts, (size_t)count + 1));
    jam->contact_count = 0;
    for (int i = 0; i < count; i++)
        if (y[i] > 0)
            jam->contacts.items[jam->contact_count++] = (thud_jam_contact){
                .a = jam->pairs.items[i].a / 3, .b = jam->pairs.items[i].b / 3, .force = y[i]};
    return THUD_OK;
}

thud_status thudi_jam_grow(thud_jam *jam, double growth, bool *grown)
{
    size_t dim = 3 * (size_t)jam->count;
    double target = jam->diameter * (1 + growth), reach = REACH + 4 * growth;
    thud_answer answer;
    memset(jam->bodies, 0, dim * sizeof *jam->bodies);
    *grown = false;
    while (!*grown)
    {
        THUD_TRY(thudi_jam_rows(jam, target * (1 + reach), target, SHIFT * growth * jam->diameter));
        thud_projection problem = {
            .dim = (int)dim, .h = 1, .w = jam->bodies, .rows = jam->rows, .shift_scale = 1};
        thud_status status = thud_project(&problem, jam->projector, &answer);
        if (status == THUD_ERR_INFEASIBLE || status == THUD_ERR_NOT_CONVERGED)
            return keep_network(jam, answer.farkas.y && status == THUD_ERR_INFEASIBLE
                                         ? answer.farkas.y
                                         : answer.mu);
        THUD_TRY(status);
        for (size_t k = 0; k < dim; k++)
        {
            double x = jam->q[k] + answer.u[k];
            jam->trial[k] = x - floor(x);
        }
        *grown = thudi_jam_nearest(jam, jam->trial, NULL) >= target;
        reach *= 2; // a pair that was not looked at came too near
    }
    memcpy(jam->q, jam->trial, dim * sizeof *jam->q);
    jam->diameter = target;
    return THUD_OK;
}
