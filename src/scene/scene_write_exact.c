// The key `exact` of a scene, written as it is read.
#include "scene/scene_write_parts.h"

#include <math.h>

static void put_piece(thudi_out *out, const thud_scene_piece *piece)
{
    thudi_put(out, "{");
    if (isfinite(piece->until))
    {
        thudi_put(out, "until: ");
        thudi_put_number(out, piece->until);
        thudi_put(out, ", ");
    }
    thudi_put(out, "q: ");
    thudi_put_varying(out, &piece->q);
    if (thud_varying_is_given(&piece->u))
    {
        thudi_put(out, ", u: ");
        thudi_put_varying(out, &piece->u);
    }
    thudi_put(out, "}");
}

void thudi_put_exact(thudi_out *out, const thud_scene *scene)
{
    if (!scene->exact)
        return;
    thudi_put(out, "\nexact:\n");
    for (int i = 0; i < scene->coordinate_count; i++)
    {
        const thud_scene_exact *exact = &scene->exact[i];
        thudi_put(out, "  ");
        thudi_put_string(out, scene->coordinates[i].name);
        thudi_put(out, ":");
        for (int k = 0; k < exact->count; k++)
        {
            thudi_put(out, "\n    - ");
            put_piece(out, &exact->pieces[k]);
        }
        thudi_put(out, "\n");
    }
}
