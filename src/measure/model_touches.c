// The contacts that carry load in a model of spheres: which bodies touch, and where.
#include "build/model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// The foot of x on a wall.
static void foot_on_wall(const thud_model *model, int wall, double t, const double x[3],
                         double foot[3])
{
    thud_plane plane;
    thud_model_wall(model, wall, t, &plane);
    double height = -plane.offset;
    for (int k = 0; k < 3; k++)
        height += plane.normal[k] * x[k];
    for (int k = 0; k < 3; k++)
        foot[k] = x[k] - height * plane.normal[k];
}

static void point_from_a_to_b(thud_touch *touch)
{
    double square = 0;
    for (int k = 0; k < 3; k++)
    {
        touch->normal[k] = touch->to[k] - touch->from[k];
        square += touch->normal[k] * touch->normal[k];
    }
    double length = sqrt(square);
    for (int k = 0; k < 3; k++)
        touch->normal[k] /= length;
}

static bool make_touch(const thud_model *model, double t, const double *q, thud_key key,
                       thud_touch *touch)
{
    const thud_scene *scene = model->scene;
    size_t dim = (size_t)scene->dim;
    int facet;
    thudi_model_key(model, key, &touch->a, &touch->b);
    if (touch->a >= scene->body_count || touch->b >= scene->body_count || touch->b == INT_MIN)
        return false;
    memcpy(touch->from, q + dim * (size_t)touch->a, dim * sizeof *q);
    if (touch->b >= 0)
    {
        memcpy(touch->to, q + dim * (size_t)touch->b, dim * sizeof *q);
        thudi_model_image(model, t, key, touch);
    }
    else if (-1 - touch->b >= scene->wall_count)
    {
        int obstacle = thudi_model_obstacle_of(model, key, &facet);
        thudi_model_foot(model, obstacle, facet, t, touch->from, touch->to);
    }
    else
        foot_on_wall(model, -1 - touch->b, t, touch->from, touch->to);
    point_from_a_to_b(touch);
    thudi_model_enter(model, t, touch);
    return true;
}

int thud_model_touches(const thud_model *model, double t, const double *q,
                       const thud_multiplier *multipliers, int count, thud_touch *touch)
{
    int found = 0;
    for (int i = 0; i < count && model->world; i++)
    {
        touch[found] = (thud_touch){.impulse = multipliers[i].impulse};
        if (multipliers[i].impulse > 0 &&
            make_touch(model, t, q, multipliers[i].key, &touch[found]))
            found++;
    }
    return found;
}
