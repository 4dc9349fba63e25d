// Fills to test: laws, regions, what must hold of every result, and the same fill done slowly.
#include "fill_rig.h"

#include "bodies/distribution.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

thudi_distribution fill_rig_law(int kind, double radius)
{
    static double choices[4];
    thudi_distribution law = {.kind = THUDI_DRAW_FIXED, .a = radius};
    switch (kind)
    {
    case 1:
        law = (thudi_distribution){THUDI_DRAW_UNIFORM, .a = radius / 4, .b = radius};
        break;
    case 2:
        law = (thudi_distribution){THUDI_DRAW_NORMAL, radius, radius / 5, radius / 9,
                                   2 * radius,        NULL,   0};
        break;
    case 3:
        law = (thudi_distribution){THUDI_DRAW_LOGNORMAL, radius / 5, 1.5, radius / 1000,
                                   1.5 * radius,         NULL,       0};
        break;
    case 4:
        for (int i = 0; i < 4; i++)
            choices[i] = radius * pow(0.1, i);
        law =
            (thudi_distribution){.kind = THUDI_DRAW_CHOICES, .choices = choices, .choice_count = 4};
        break;
    default:
        break;
    }
    return law;
}

thudi_fill fill_rig_make(int dim, bool is_ball, int law, int count, uint64_t seed)
{
    thudi_fill fill = {.dim = dim,
                       .region = {.is_ball = is_ball,
                                  .low = {-1.1, 2, 0.3},
                                  .high = {1, 3.7, 1.9},
                                  .center = {0.1, -0.2, 5},
                                  .radius = 1.3},
                       .count = count,
                       .attempts = 10000,
                       .velocity = {0.5, -1.5, 2.5},
                       .seed = seed};
    // about a fifth of the room
    fill.radius = fill_rig_law(law, dim == 2 ? 0.45 / sqrt(count) : 0.55 / cbrt(count));
    return fill;
}

static double distance_of(int dim, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
    {
        double d = b[k] - a[k];
        sum += d * d;
    }
    return sqrt(sum);
}

static bool apart(const thudi_fill *fill, const thud_sphere *a, const thud_sphere *b)
{
    double distance = distance_of(fill->dim, a->center, b->center);
    return distance - a->radius - b->radius >= fill->gap &&
           distance - b->radius - a->radius >= fill->gap;
}

static bool inside(const thudi_fill *fill, const thud_sphere *s)
{
    const thudi_region *region = &fill->region;
    double r = s->radius;
    if (region->is_ball)
        return distance_of(fill->dim, s->center, region->center) + r + fill->gap <= region->radius;
    for (int k = 0; k < fill->dim; k++)
        if (!(s->center[k] >= region->low[k] + r + fill->gap &&
              s->center[k] <= region->high[k] - r - fill->gap) ||
            !(s->center[k] - region->low[k] - r >= fill->gap &&
              region->high[k] - s->center[k] - r >= fill->gap))
            return false;
    return true;
}

void fill_rig_check(const thudi_fill *fill, const thud_sphere *there, int there_count,
                    const thud_sphere *spheres)
{
    for (int i = 0; i < fill->count; i++)
    {
        const thud_sphere *s = &spheres[i];
        CHECK(inside(fill, s));
        for (int j = 0; j < i; j++)
            CHECK(apart(fill, s, &spheres[j]));
        for (int j = 0; j < there_count; j++)
            CHECK(apart(fill, &there[j], s));
        CHECK(s->mass == 0 && s->radius > 0);
        CHECK(memcmp(s->velocity, fill->velocity, (size_t)fill->dim * sizeof(double)) == 0);
        CHECK(fill->dim == 3 || (s->center[2] == 0 && s->velocity[2] == 0));
    }
}

static bool slow_place(const thudi_fill *fill, const thud_sphere *there, int there_count,
                       thud_sphere *spheres, const int *order, int placed, thudi_random *random)
{
    const thudi_region *region = &fill->region;
    thud_sphere s = spheres[order[placed]];
    double half = region->radius - s.radius - fill->gap;
    for (int attempt = 0; attempt < fill->attempts; attempt++)
    {
        do
            for (int k = 0; k < fill->dim; k++)
            {
                double low = region->is_ball ? region->center[k] - half
                                             : region->low[k] + s.radius + fill->gap;
                double high = region->is_ball ? region->center[k] + half
                                              : region->high[k] - s.radius - fill->gap;
                s.center[k] = low + (high - low) * thudi_random_uniform(random);
            }
        while (region->is_ball && !inside(fill, &s));
        bool is_free = inside(fill, &s);
        for (int i = 0; i < placed && is_free; i++)
            is_free = apart(fill, &s, &spheres[order[i]]);
        for (int i = 0; i < there_count && is_free; i++)
            is_free = apart(fill, &s, &there[i]);
        if (is_free)
        {
            spheres[order[placed]] = s;
            return true;
        }
    }
    return false;
}

int fill_rig_slow(const thudi_fill *fill, const thud_sphere *there, int there_count,
                  thud_sphere *spheres)
{
    thudi_random random = thudi_random_start(fill->seed);
    int *order = calloc((size_t)fill->count, sizeof *order), placed = 0;
    if (!order)
        return -1;
    for (int i = 0; i < fill->count; i++)
    {
        spheres[i] = (thud_sphere){0};
        memcpy(spheres[i].velocity, fill->velocity, (size_t)fill->dim * sizeof(double));
        CHECK(thudi_distribution_draw(&fill->radius, &random, &spheres[i].radius) == THUD_OK);
        int at = i;
        for (; at > 0 && spheres[order[at - 1]].radius < spheres[i].radius; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    while (placed < fill->count &&
           slow_place(fill, there, there_count, spheres, order, placed, &random))
        placed++;
    free(order);
    return placed;
}

uint64_t fill_rig_hash(const thud_sphere *spheres, int count)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (int i = 0; i < count; i++)
    {
        uint64_t bits[8];
        memcpy(bits, &spheres[i], sizeof bits);
        for (int k = 0; k < 8; k++)
            h = (h ^ bits[k]) * 0x100000001b3u ^ h >> 29;
    }
    return h;
}
