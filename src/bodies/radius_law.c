// Radii drawn from a distribution: fixed, uniform, normal and lognormal within bounds, or a list.
#include "bodies/radius_law.h"

#include "core/math/elementary.h"

enum
{
    MOST_DRAWS = 1000000
};

static double draw_unbounded(const thudi_radius_law *law, thudi_random *random)
{
    double normal = thudi_random_normal(random);
    if (law->kind == THUDI_RADIUS_NORMAL)
        return law->a + law->b * normal;
    return law->a * thudi_exp(law->b * normal);
}

static thud_status draw_within(const thudi_radius_law *law, thudi_random *random, double *radius)
{
    for (int draw = 0; draw < MOST_DRAWS; draw++)
    {
        *radius = draw_unbounded(law, random);
        if (*radius >= law->min && *radius <= law->max)
            return THUD_OK;
    }
    return THUD_ERR_LIMIT;
}

thud_status thudi_radius_draw(const thudi_radius_law *law, thudi_random *random, double *radius)
{
    switch (law->kind)
    {
    case THUDI_RADIUS_FIXED:
        *radius = law->a;
        return THUD_OK;
    case THUDI_RADIUS_UNIFORM:
        *radius = law->a + (law->b - law->a) * thudi_random_uniform(random);
        if (*radius > law->b) // by rounding
            *radius = law->b;
        return THUD_OK;
    case THUDI_RADIUS_CHOICES:
        *radius = law->choices[thudi_random_below(random, (uint64_t)law->choice_count)];
        return THUD_OK;
    case THUDI_RADIUS_NORMAL:
    case THUDI_RADIUS_LOGNORMAL:
        return draw_within(law, random, radius);
    }
    return THUD_ERR_ARGUMENT;
}
