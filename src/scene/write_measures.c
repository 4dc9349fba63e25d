// The map `measure` of a scene, written as it is read.
#include "scene/scene_write_parts.h"

#include <math.h>

const char *thudi_measured_wall(const thudi_scene *scene, const thud_scene_measure *measure)
{
    if (measure->wall_count == 0)
        return scene->view.obstacles[measure->obstacle].name;
    for (int i = 0; i < scene->wall_count; i++)
        if (scene->walls[i].first == measure->first_wall &&
            scene->walls[i].count == measure->wall_count)
            return scene->walls[i].name;
    return scene->view.walls[measure->first_wall].name;
}

// Its map is left open, for what may follow.
static void put_box(thudi_out *out, const thud_scene_measure *measure, int dim)
{
    thudi_put(out, "{box: [");
    thudi_put_vector(out, measure->low, dim);
    thudi_put(out, ", ");
    thudi_put_vector(out, measure->high, dim);
    thudi_put(out, "]");
}

static void put_polygon(thudi_out *out, const thud_scene_measure *measure, int dim)
{
    thudi_put(out, "{polygon: [");
    for (int i = 0; i < measure->corner_count; i++)
    {
        thudi_put(out, i > 0 ? ", " : "");
        thudi_put_vector(out, measure->corners + (size_t)dim * (size_t)i, dim);
    }
    thudi_put(out, "]}");
}

static void put_torque(thudi_out *out, const thudi_scene *scene, const thud_scene_measure *measure)
{
    thudi_put(out, "torque_on: {wall: ");
    thudi_put_string(out, thudi_measured_wall(scene, measure));
    thudi_put(out, ", about: ");
    thudi_put_expressions(out, measure->about, scene->view.dim);
    thudi_put(out, "}");
}

static void put_profile(thudi_out *out, const thud_scene_measure *measure, int dim)
{
    static const char *const axes[] = {"x", "y", "z"};
    thudi_put(out, "pressure_profile: ");
    put_box(out, measure, dim);
    thudi_put(out, ", axis: ");
    thudi_put(out, axes[measure->axis]);
    thudi_put(out, ", bins: ");
    thudi_put_number(out, measure->bins);
    thudi_put(out, "}");
}

static void put_measure(thudi_out *out, const thudi_scene *scene, const thud_scene_measure *measure)
{
    int dim = scene->view.dim;
    switch (measure->kind)
    {
    case THUD_MEASURE_FORCE_ON:
        thudi_put(out, "force_on: ");
        thudi_put_string(out, thudi_measured_wall(scene, measure));
        return;
    case THUD_MEASURE_COUNT_THROUGH:
        thudi_put(out, "count_through: ");
        thudi_put_plane(out, &measure->plane, dim);
        thudi_put(out, "}");
        return;
    case THUD_MEASURE_TORQUE_ON:
        put_torque(out, scene, measure);
        return;
    case THUD_MEASURE_FLOW_THROUGH:
        thudi_put(out, "flow_through: ");
        put_polygon(out, measure, dim);
        return;
    case THUD_MEASURE_PRESSURE_PROFILE:
        put_profile(out, measure, dim);
        return;
    case THUD_MEASURE_STRESS:
    case THUD_MEASURE_PACKING_FRACTION:
        thudi_put(out, measure->kind == THUD_MEASURE_STRESS ? "stress: " : "packing_fraction: ");
        put_box(out, measure, dim);
        thudi_put(out, "}");
        return;
    case THUD_MEASURE_COORDINATION:
        thudi_put(out, "coordination: ");
        if (isinf(measure->low[0]))
            thudi_put(out, "all");
        else
        {
            put_box(out, measure, dim);
            thudi_put(out, "}");
        }
    }
}

void thudi_put_measures(thudi_out *out, const thudi_scene *scene)
{
    const thud_scene *view = &scene->view;
    if (view->measure_count > 0)
        thudi_put(out, "\nmeasure:\n");
    for (int i = 0; i < view->measure_count; i++)
    {
        thudi_put(out, "  ");
        thudi_put_string(out, view->measures[i].name);
        thudi_put(out, ": {");
        put_measure(out, scene, &view->measures[i]);
        thudi_put(out, "}\n");
    }
}
