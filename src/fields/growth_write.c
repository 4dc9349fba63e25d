// Laws of growth, written so that they are read back as they were.
#include "fields/growth.h"

static void put_table(thudi_out *out, const thud_scene_growth *growth)
{
    thudi_put(out, "{table: [");
    for (int i = 0; i < growth->count; i++)
    {
        thudi_put(out, i > 0 ? ", " : "");
        thudi_put_vector(out, (double[]){growth->t[i], growth->value[i]}, 2);
    }
    thudi_put(out, "]}");
}

static void put_law(thudi_out *out, const thud_scene_growth *growth)
{
    if (growth->expression)
        thudi_put_expression(out, growth->expression);
    else
        put_table(out, growth);
}

void thudi_put_growth(thudi_out *out, const thud_scene_growth *growth)
{
    if (!growth)
        thudi_put(out, "1");
    else if (growth->name)
        thudi_put_string(out, growth->name);
    else
        put_law(out, growth);
}

void thudi_put_growths(thudi_out *out, const thud_scene *scene)
{
    if (scene->growth_count > 0)
        thudi_put(out, "\ngrowth:\n");
    for (int i = 0; i < scene->growth_count; i++)
    {
        thudi_put(out, "  ");
        thudi_put_string(out, scene->growths[i].name);
        thudi_put(out, ": ");
        put_law(out, &scene->growths[i]);
        thudi_put(out, "\n");
    }
}
