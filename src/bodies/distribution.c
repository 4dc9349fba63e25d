// Radii drawn from a distribution: fixed, uniform, normal and lognormal within bounds, or a list.
#include "bodies/distribution.h"

#include "core/math/elementary.h"

enum
{
    MOST_DRAWS = 1000000
};

static double draw_unbounded(const thudi_distribution *distribution, thudi_random *random)
{
    double normal = thudi_random_normal(random);
    if (distribution->kind == THUDI_DRAW_NORMAL)
        return distribution->a + distribution->b * normal;
    return distribution->a * thudi_exp(distribution->b * normal);
}

static thud_status draw_within(const thudi_distribution *distribution, thudi_random *random,
                               double *radius)
{
    for (int draw = 0; draw < MOST_DRAWS; draw++)
    {
        *radius = draw_unbounded(distribution, random);
        if (*radius >= distribution->min && *radius <= distribution->max)
            return THUD_OK;
    }
    return THUD_ERR_LIMIT;
}

thud_status thudi_distribution_draw(const thudi_distribution *distribution, thudi_random *random,
                                    double *radius)
{
    switch (distribution->kind)
    {
    case THUDI_DRAW_FIXED:
        *radius = distribution->a;
        return THUD_OK;
    case THUDI_DRAW_UNIFORM:
        *radius =
            distribution->a + (distribution->b - distribution->a) * thudi_random_uniform(random);
        if (*radius > distribution->b) // by rounding
            *radius = distribution->b;
        return THUD_OK;
    case THUDI_DRAW_CHOICES:
        *radius =
            distribution->choices[thudi_random_below(random, (uint64_t)distribution->choice_count)];
        return THUD_OK;
    case THUDI_DRAW_NORMAL:
    case THUDI_DRAW_LOGNORMAL:
        return draw_within(distribution, random, radius);
    }
    return THUD_ERR_ARGUMENT;
}
