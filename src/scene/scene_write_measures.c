// The map `measure` of a scene, written as it is read.
#include "scene/scene_write_parts.h"

#include <math.h>
#include <string.h>

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

void thudi_put_measured_wall(thudi_putter *p, const thudi_field *field, const void *from)
{
    thudi_put_key(p, field);
    thudi_put_string(p->out, thudi_measured_wall(p->scene, from));
}

void thudi_put_measured_plane(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_measure *measure = from;
    thudi_put_key(p, field);
    thudi_put_flow(p, field->of, &measure->plane);
}

void thudi_put_polygon(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_measure *measure = from;
    thudi_put_key(p, field);
    for (int i = 0; i < measure->corner_count; i++)
    {
        thudi_put(p->out, i > 0 ? ", " : "[");
        thudi_put_vector(p->out, measure->corners + (size_t)p->dim * (size_t)i, p->dim);
    }
    thudi_put(p->out, "]");
}

void thudi_put_measured_box(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_measure *measure = from;
    thudi_put_key(p, field);
    thudi_put_box(p, measure->low, measure->high);
}

void thudi_put_measured_material(thudi_putter *p, const thudi_field *field, const void *from)
{
    thudi_put_key(p, field);
    thudi_put_material_name(p, ((const thud_scene_measure *)from)->material);
}

// `reaches` or `falls_to`
void thudi_put_reached(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_measure *measure = from;
    if (strcmp(field->key, measure->falls ? "falls_to" : "reaches") != 0)
        return;
    thudi_put_key(p, field);
    thudi_put_number(p->out, measure->value);
}

// As read_of reads it: a body, several, or those of a material.
static void put_of(thudi_putter *p, const thud_scene_measure *measure)
{
    const thud_scene *scene = &p->scene->view;
    if (measure->body >= 0 && scene->bodies[measure->body].name)
        thudi_put_string(p->out, scene->bodies[measure->body].name);
    else if (measure->body >= 0)
        thudi_put_whole(p->out, measure->body);
    else if (measure->material >= 0)
        thudi_put_flow(p, &thudi_of_thing, measure);
    else
        thudi_put(p->out, "all");
}

// Write the one key that the measure has.
void thudi_put_measure(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_measure *measure = from;
    if (strcmp(field->key, thudi_measure_thing.fields[measure->kind].key) != 0)
        return;
    thudi_put_key(p, field);
    if (field->form == THUDI_A_PART)
        thudi_put_flow(p, field->of, measure);
    else if (measure->kind == THUD_MEASURE_FORCE_ON)
        thudi_put_string(p->out, thudi_measured_wall(p->scene, measure));
    else if (measure->kind != THUD_MEASURE_COORDINATION)
        put_of(p, measure);
    else if (isinf(measure->low[0]))
        thudi_put(p->out, "all");
    else
        thudi_put_flow(p, &thudi_box_thing, measure);
}

void thudi_put_measures(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (scene->measure_count > 0)
        thudi_put_heading(p, field);
    for (int i = 0; i < scene->measure_count; i++)
    {
        thudi_put_entry_name(p, scene->measures[i].name);
        thudi_put_flow(p, &thudi_measure_thing, &scene->measures[i]);
        thudi_put(p->out, "\n");
    }
}
