// The map `measure` of a scene, written as it is read.
#include "scene/scene_write_parts.h"
#include "scene/tables.h"

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

static void put_region(thudi_out *out, const thud_scene_measure *measure, int dim)
{
    if (isinf(measure->low[0])) // coordination of all bodies
    {
        thudi_put(out, "all");
        return;
    }
    put_box(out, measure, dim);
    thudi_put(out, "}");
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
    thudi_put(out, "{wall: ");
    thudi_put_string(out, thudi_measured_wall(scene, measure));
    thudi_put(out, ", about: ");
    thudi_put_varyings(out, measure->about, scene->view.dim);
    thudi_put(out, "}");
}

static void put_profile(thudi_out *out, const thud_scene_measure *measure, int dim)
{
    static const char *const axes[] = {"x", "y", "z"};
    put_box(out, measure, dim);
    thudi_put(out, ", axis: ");
    thudi_put(out, axes[measure->axis]);
    thudi_put(out, ", bins: ");
    thudi_put_number(out, measure->bins);
    thudi_put(out, "}");
}

// As read_of reads it.
static void put_of(thudi_out *out, const thud_scene *scene, const thud_scene_measure *measure)
{
    if (measure->body >= 0 && scene->bodies[measure->body].name)
        thudi_put_string(out, scene->bodies[measure->body].name);
    else if (measure->body >= 0)
        thudi_put_whole(out, measure->body);
    else if (measure->material >= 0)
    {
        thudi_put(out, "{material: ");
        thudi_put_string(out, scene->materials[measure->material].name);
        thudi_put(out, "}");
    }
    else
        thudi_put(out, "all");
}

static void put_time(thudi_out *out, const thud_scene_measure *measure)
{
    thudi_put(out, "{column: ");
    thudi_put_string(out, measure->column);
    thudi_put(out, measure->falls ? ", falls_to: " : ", reaches: ");
    thudi_put_number(out, measure->value);
    thudi_put(out, "}");
}

// What follows the word of its kind.
static void put_measure(thudi_out *out, const thudi_scene *scene, const thud_scene_measure *measure)
{
    int dim = scene->view.dim;
    switch (measure->kind)
    {
    case THUD_MEASURE_FORCE_ON:
        thudi_put_string(out, thudi_measured_wall(scene, measure));
        return;
    case THUD_MEASURE_COUNT_THROUGH:
        thudi_put_plane(out, &measure->plane, dim);
        thudi_put(out, "}");
        return;
    case THUD_MEASURE_TORQUE_ON:
        put_torque(out, scene, measure);
        return;
    case THUD_MEASURE_FLOW_THROUGH:
        put_polygon(out, measure, dim);
        return;
    case THUD_MEASURE_PRESSURE_PROFILE:
        put_profile(out, measure, dim);
        return;
    case THUD_MEASURE_STRESS:
    case THUD_MEASURE_PACKING_FRACTION:
    case THUD_MEASURE_COORDINATION:
        put_region(out, measure, dim);
        return;
    case THUD_MEASURE_POSITION_OF:
    case THUD_MEASURE_VELOCITY_OF:
    case THUD_MEASURE_SPEED_OF:
    case THUD_MEASURE_HEIGHT_OF:
    case THUD_MEASURE_KINETIC_ENERGY_OF:
        put_of(out, &scene->view, measure);
        return;
    case THUD_MEASURE_TIME_WHEN:
        put_time(out, measure);
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
        thudi_put(out, thudi_measure_thing.fields[view->measures[i].kind].key);
        thudi_put(out, ": ");
        put_measure(out, scene, &view->measures[i]);
        thudi_put(out, "}\n");
    }
}
