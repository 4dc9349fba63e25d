// Stress of contacts. Every contact spreads its force along its branch, from centre to centre or
// from a centre to its foot on a wall. A box of volume V has
//
//     sigma = (1 / V) sum over contacts of (part of the branch inside) force normal branch^T.
//
// In a periodic cell the images of a contact count too. Contacts without friction push along their
// branches, so sigma is symmetric; it is positive where they push. The motion of the bodies adds
// nothing.
#include "measure/model_measures.h"

#include "core/math/exact_four.h"

#include <math.h>
#include <string.h>

// The part of the segment from a to b that is inside a box. A segment in the border between two
// boxes belongs to the upper one.
static double inside_part(int dim, const double *a, const double *b, const double *low,
                          const double *high)
{
    double first = 0, last = 1;
    for (int k = 0; k < dim; k++)
    {
        double way = b[k] - a[k];
        if (way == 0)
        {
            if (!(a[k] >= low[k] && a[k] < high[k]))
                return 0;
            continue;
        }
        double enter = ((way > 0 ? low[k] : high[k]) - a[k]) / way;
        double leave = ((way > 0 ? high[k] : low[k]) - a[k]) / way;
        first = enter > first ? enter : first;
        last = leave < last ? leave : last;
    }
    return last > first ? last - first : 0;
}

static double volume_of(const thud_scene_measure *measure, int dim)
{
    double volume = 1;
    for (int k = 0; k < dim; k++)
        volume *= measure->high[k] - measure->low[k];
    return volume;
}

// Add part force normal_i branch_j of one contact.
static void add_stress(const thud_touch *touch, double load, thudi_exact_four sums[3])
{
    for (int i = 0; i < 3; i++)
    {
        double push = load * touch->normal[i], part[3];
        for (int k = 0; k < 3; k++)
            part[k] = push * (touch->to[k] - touch->from[k]);
        thudi_exact_four_add(&sums[i], (four){part[0], part[1], part[2], 0});
    }
}

double *thudi_measure_stress(const thud_model *model, const thud_scene_measure *measure,
                             const thud_view *view, double *values)
{
    int dim = model->scene->dim;
    thudi_exact_four sums[3];
    double sum[3][4], volume = volume_of(measure, dim);
    thudi_copies copies = thudi_model_copies(model, view->t);
    thud_touch touch = {.a = 0};
    double force = 0;
    for (int i = 0; i < 3; i++)
        thudi_exact_four_clear(&sums[i]);
    for (int i = 0; i < view->state->multiplier_count; i++)
        for (int m = 0; m < copies.count; m++)
        {
            if (m == 0 && !thudi_measure_touch(model, view, i, &touch, &force))
                break;
            thud_touch seen = thudi_copies_move(&copies, m, &touch);
            add_stress(&touch,
                       force * inside_part(dim, seen.from, seen.to, measure->low, measure->high),
                       sums);
        }
    for (int i = 0; i < 3; i++)
        thudi_exact_four_values(&sums[i], sum[i]);
    *values++ = (sum[0][0] + sum[1][1] + sum[2][2]) / (dim * volume);
    for (int i = 0; i < dim && i < 3; i++)
        *values++ = sum[i][i] / volume;
    for (int i = 0; i < dim && i < 3; i++)
        for (int k = i + 1; k < dim && k < 3; k++)
            *values++ = (sum[i][k] + sum[k][i]) / (2 * volume);
    return values;
}

static double edge_of(const thud_scene_measure *measure, int bin)
{
    double low = measure->low[measure->axis], high = measure->high[measure->axis];
    return bin == measure->bins ? high : low + (high - low) * bin / measure->bins;
}

// The first bin that a branch can reach, one lower in case of rounding.
static int lowest_bin(const thud_scene_measure *measure, const thud_touch *touch)
{
    int axis = measure->axis;
    double low = measure->low[axis], wide = measure->high[axis] - low;
    double from = touch->from[axis] < touch->to[axis] ? touch->from[axis] : touch->to[axis];
    double bin = floor((from - low) / wide * measure->bins) - 1;
    return bin > 0 ? bin < measure->bins ? (int)bin : measure->bins : 0;
}

// Add the parts of one contact in the slabs.
static void add_profile(const thud_scene_measure *measure, int dim, const thud_touch *touch,
                        double force, thudi_exact_sum *sums)
{
    int axis = measure->axis;
    double low[3], high[3], volume = volume_of(measure, dim) / measure->bins, work = 0;
    double top = touch->from[axis] > touch->to[axis] ? touch->from[axis] : touch->to[axis];
    memcpy(low, measure->low, sizeof low);
    memcpy(high, measure->high, sizeof high);
    for (int k = 0; k < dim && k < 3; k++)
        work += force * touch->normal[k] * (touch->to[k] - touch->from[k]);
    for (int b = lowest_bin(measure, touch); b < measure->bins; b++)
    {
        low[axis] = edge_of(measure, b);
        high[axis] = edge_of(measure, b + 1);
        if (low[axis] > top)
            break;
        thudi_exact_add(&sums[b], work * inside_part(dim, touch->from, touch->to, low, high) /
                                      (dim * volume));
    }
}

double *thudi_measure_profile(const thud_model *model, const thud_scene_measure *measure,
                              const thud_view *view, double *values)
{
    thudi_copies copies = thudi_model_copies(model, view->t);
    thud_touch touch = {.a = 0};
    double force = 0;
    thudi_exact_sum *sums = model->series->sums;
    memset(sums, 0, (size_t)measure->bins * sizeof *sums);
    for (int i = 0; i < view->state->multiplier_count; i++)
        for (int m = 0; m < copies.count; m++)
        {
            if (m == 0 && !thudi_measure_touch(model, view, i, &touch, &force))
                break;
            thud_touch seen = thudi_copies_move(&copies, m, &touch);
            add_profile(measure, model->scene->dim, &seen, force, sums);
        }
    for (int b = 0; b < measure->bins; b++)
        *values++ = thudi_exact_value(&sums[b]);
    return values;
}
