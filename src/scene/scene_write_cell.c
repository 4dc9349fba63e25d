// The periodic cell of a scene and its growths, written.
#include "scene/scene_write_parts.h"

void thudi_put_cell(thudi_out *out, const thud_scene *scene)
{
    static const char *const axes[] = {"x: [", "y: [", "z: ["};
    const thud_scene_cell *cell = &scene->cell;
    bool any = false;
    for (int k = 0; k < scene->dim && k < 3; k++)
    {
        if (!cell->is_periodic[k])
            continue;
        thudi_put(out, any ? ", " : "cell: {");
        thudi_put(out, axes[k]);
        thudi_put_number(out, cell->low[k]);
        thudi_put(out, ", ");
        thudi_put_number(out, cell->high[k]);
        thudi_put(out, "]");
        any = true;
    }
    if (thud_varying_is_given(&cell->shear))
    {
        thudi_put(out, ", shear: ");
        thudi_put_varying(out, &cell->shear);
    }
    if (any)
        thudi_put(out, "}\n");
}

void thudi_put_growth(thudi_out *out, const thud_scene_growth *growth)
{
    if (!growth)
        thudi_put(out, "1");
    else if (growth->name)
        thudi_put_string(out, growth->name);
    else
        thudi_put_varying(out, &growth->factor);
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
        thudi_put_varying(out, &scene->growths[i].factor);
        thudi_put(out, "\n");
    }
}
