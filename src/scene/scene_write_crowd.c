// What the bodies of a crowd want, written again.
#include "scene/scene_write_parts.h"

void thudi_put_group_material(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_group *group = from;
    if (group->material < 0)
        return;
    thudi_put_key(p, field);
    thudi_put_material_name(p, group->material);
}

void thudi_put_group_velocity(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_group *group = from;
    if (group->door_count > 0)
        return;
    thudi_put_key(p, field);
    thudi_put_varyings(p->out, group->velocity, p->dim);
}

void thudi_put_doors(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_group *group = from;
    if (group->door_count == 0)
        return;
    thudi_put_key(p, field);
    for (int i = 0; i < group->door_count; i++)
    {
        thudi_put(p->out, i == 0 ? "[[" : ", [");
        thudi_put_vector(p->out, group->doors + 4 * (size_t)i, 2);
        thudi_put(p->out, ", ");
        thudi_put_vector(p->out, group->doors + 4 * (size_t)i + 2, 2);
        thudi_put(p->out, "]");
    }
    thudi_put(p->out, "]");
}

static const thudi_speed_entry *speed_of(const thudi_putter *p, const thud_scene_group *group)
{
    return &p->scene->speeds[group - p->scene->view.groups];
}

void thudi_put_speed(thudi_putter *p, const thudi_field *field, const void *from)
{
    thudi_put_key(p, field);
    thudi_put_distribution(p, &speed_of(p, from)->law);
}

void thudi_put_speed_seed(thudi_putter *p, const thudi_field *field, const void *from)
{
    thudi_put_key(p, field);
    thudi_put_whole(p->out, (double)speed_of(p, from)->seed);
}

void thudi_put_crowd(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (scene->group_count > 0)
        thudi_put_heading(p, field);
    for (int i = 0; i < scene->group_count; i++)
    {
        thudi_put(p->out, "  - ");
        thudi_put_flow(p, &thudi_group_thing, &scene->groups[i]);
        thudi_put(p->out, "\n");
    }
}
