// What scenes of kind inclusion have, written: coordinates, forces, constraints, exact solutions.
#include "scene/scene_write_parts.h"

#include <math.h>

void thudi_put_coordinates(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    thudi_put_heading(p, field);
    for (int i = 0; i < scene->coordinate_count; i++)
    {
        thudi_put_entry_name(p, scene->coordinates[i].name);
        thudi_put_flow(p, &thudi_coordinate_thing, &scene->coordinates[i]);
        thudi_put(p->out, "\n");
    }
}

// Write one of the maps from coordinates to functions; nothing when it is empty. The field's offset
// counts from the start of a coordinate.
void thudi_put_forces(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    bool any = false;
    for (int i = 0; i < scene->coordinate_count; i++)
    {
        const thud_scene_coordinate *coordinate = &scene->coordinates[i];
        const thud_varying *force =
            (const thud_varying *)((const char *)coordinate + field->offset);
        if (!thud_varying_is_given(force))
            continue;
        if (!any)
            thudi_put_heading(p, field);
        any = true;
        thudi_put_entry_name(p, coordinate->name);
        thudi_put_varying(p->out, force);
        thudi_put(p->out, "\n");
    }
}

void thudi_put_breaks(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    thudi_put_key(p, field);
    thudi_put_vector(p->out, scene->breaks, scene->break_count);
    thudi_put(p->out, "\n");
}

void thudi_put_constraints(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (scene->constraint_count > 0)
        thudi_put_heading(p, field);
    for (int i = 0; i < scene->constraint_count; i++)
    {
        thudi_put_entry_name(p, scene->constraints[i].name);
        thudi_put_flow(p, &thudi_constraint_thing, &scene->constraints[i]);
        thudi_put(p->out, "\n");
    }
}

void thudi_put_known(thudi_putter *p, const thudi_field *field, const void *from)
{
    const double *x = (const double *)((const char *)from + field->offset);
    if (isnan(*x))
        return;
    thudi_put_key(p, field);
    thudi_put_number(p->out, *x);
}

void thudi_put_smooth(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_smoothness *smooth = &((const thud_scene *)from)->smooth;
    if (isnan(smooth->gap_tt) && isnan(smooth->gap_tq))
        return;
    thudi_put(p->out, "\n");
    thudi_put_key(p, field);
    thudi_put_flow(p, &thudi_smooth_thing, smooth);
    thudi_put(p->out, "\n");
}

void thudi_put_until(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_piece *piece = from;
    if (!isfinite(piece->until))
        return;
    thudi_put_key(p, field);
    thudi_put_number(p->out, piece->until);
}

void thudi_put_exact(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (!scene->exact)
        return;
    thudi_put_heading(p, field);
    for (int i = 0; i < scene->coordinate_count; i++)
    {
        const thud_scene_exact *exact = &scene->exact[i];
        thudi_put(p->out, "  ");
        thudi_put_string(p->out, scene->coordinates[i].name);
        thudi_put(p->out, ":");
        for (int k = 0; k < exact->count; k++)
        {
            thudi_put(p->out, "\n    - ");
            thudi_put_flow(p, &thudi_piece_thing, &exact->pieces[k]);
        }
        thudi_put(p->out, "\n");
    }
}
