// The periodic cell of a scene, written.
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
    if (cell->shear)
    {
        thudi_put(out, ", shear: ");
        thudi_put_expression(out, cell->shear);
    }
    if (any)
        thudi_put(out, "}\n");
}
