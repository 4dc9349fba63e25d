// What the bodies of a crowd want, written again.
#include "scene/scene_write_parts.h"

void thudi_put_order(thudi_out *out, const thud_scene *scene)
{
    thudi_put(out, "order: 1\n");
    if (!(scene->noise > 0))
        return;
    thudi_put(out, "noise: ");
    thudi_put_number(out, scene->noise);
    thudi_put(out, "\nseed: ");
    thudi_put_whole(out, (double)scene->seed);
    thudi_put(out, "\n");
}

static void put_doors(thudi_out *out, const thud_scene_wish *wish)
{
    for (int i = 0; i < wish->door_count; i++)
    {
        thudi_put(out, i == 0 ? "doors: [[" : ", [");
        thudi_put_vector(out, wish->doors + 4 * (size_t)i, 2);
        thudi_put(out, ", ");
        thudi_put_vector(out, wish->doors + 4 * (size_t)i + 2, 2);
        thudi_put(out, "]");
    }
    thudi_put(out, "], cell: ");
    thudi_put_number(out, wish->cell);
}

void thudi_put_crowd(thudi_out *out, const thudi_scene *scene)
{
    const thud_scene *view = &scene->view;
    if (view->wish_count > 0)
        thudi_put(out, "\ncrowd:\n");
    for (int i = 0; i < view->wish_count; i++)
    {
        const thud_scene_wish *wish = &view->wishes[i];
        thudi_put(out, "  - {");
        if (wish->material >= 0)
        {
            thudi_put(out, "material: ");
            thudi_put_string(out, view->materials[wish->material].name);
            thudi_put(out, ", ");
        }
        if (wish->door_count > 0)
            put_doors(out, wish);
        else
        {
            thudi_put(out, "velocity: ");
            thudi_put_varyings(out, wish->velocity, view->dim);
        }
        thudi_put_law(out, ", speed: ", &scene->speeds[i].law);
        thudi_put(out, ", seed: ");
        thudi_put_whole(out, (double)scene->speeds[i].seed);
        thudi_put(out, "}\n");
    }
}
