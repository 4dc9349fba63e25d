// A scene written with all its defaults, in the order of docs/scenes.md, so that reading it gives
// the same scene.
#include "scene/scene_data.h"
#include "scene/scene_write_parts.h"

#include <math.h>
#include <string.h>

static void put_line(thudi_out *out, const char *key, const char *text)
{
    thudi_put(out, key);
    thudi_put_string(out, text);
    thudi_put(out, "\n");
}

static void put_number_line(thudi_out *out, const char *key, double x)
{
    thudi_put(out, key);
    thudi_put_number(out, x);
    thudi_put(out, "\n");
}

static void put_common(thudi_out *out, const thudi_scene *scene)
{
    const thud_scene *view = &scene->view;
    thudi_put(out, "thud: 1\n");
    put_line(out, "title: ", view->title);
    thudi_put(out, "about: ");
    thudi_put_text(out, view->about);
    thudi_put(out, view->kind == THUD_SCENE_SPHERES ? "\nkind: spheres\n" : "\nkind: inclusion\n");
    thudi_put(out, "units: {length: ");
    thudi_put_string(out, view->unit_length);
    thudi_put(out, ", time: ");
    thudi_put_string(out, view->unit_time);
    thudi_put(out, ", mass: ");
    thudi_put_string(out, view->unit_mass);
    thudi_put(out, "}\n");
    if (scene->parameter_count > 0)
        thudi_put(out, "\nparameters:\n");
    for (int i = 0; i < scene->parameter_count; i++)
    {
        thudi_put(out, "  ");
        thudi_put(out, scene->parameters[i]);
        put_number_line(out, ": ", scene->values[i]);
    }
    if (scene->parameter_count > 0) // what they stood for may be written as numbers below
        thudi_put(out, "resolved: true\n");
    thudi_put(out, "\ntime:\n");
    put_number_line(out, "  start: ", view->start);
    thudi_put(out, "  step: ");
    thudi_put_number(out, view->step);
    thudi_put(out, view->step_is_auto ? " # auto\n" : "\n");
    put_number_line(out, "  end: ", view->end);
    put_number_line(out, "  frames: ", view->frames);
    thudi_put(out, view->record_all ? "record: all\n" : "record: frames\n");
    put_number_line(out, "checkpoints: ", view->checkpoints);
}

static void put_materials(thudi_out *out, const thud_scene *scene)
{
    if (scene->material_count > 0)
        thudi_put(out, "\nmaterials:\n");
    for (int i = 0; i < scene->material_count; i++)
    {
        const thud_scene_material *material = &scene->materials[i];
        thudi_put(out, "  ");
        thudi_put_string(out, material->name);
        thudi_put(out, ": {");
        if (material->density > 0)
        {
            thudi_put(out, "density: ");
            thudi_put_number(out, material->density);
            thudi_put(out, ", ");
        }
        thudi_put(out, "growth: ");
        thudi_put_growth(out, material->growth);
        thudi_put(out, ", restitution: 0, friction: 0}\n");
    }
}

// What a contact does, as further keys of its map; nothing when it is inelastic.
static void put_law(thudi_out *out, double restitution, double glue)
{
    if (restitution > 0)
    {
        thudi_put(out, ", restitution: ");
        thudi_put_number(out, restitution);
    }
    if (glue < 0)
        thudi_put(out, ", glue: ");
    if (glue < 0 && isinf(glue))
        thudi_put(out, "unlimited");
    else if (glue < 0)
        thudi_put_number(out, -glue);
}

static void put_contacts(thudi_out *out, const thud_scene *scene)
{
    if (scene->contact_count > 0)
        thudi_put(out, "\ncontacts:\n");
    for (int i = 0; i < scene->contact_count; i++)
    {
        const thud_scene_contact *contact = &scene->contacts[i];
        thudi_put(out, "  - {between: [");
        thudi_put_string(out, scene->materials[contact->a].name);
        thudi_put(out, ", ");
        thudi_put_string(out, scene->materials[contact->b].name);
        thudi_put(out, "]");
        if (contact->restitution == 0 && contact->glue == 0)
            thudi_put(out, ", restitution: 0");
        put_law(out, contact->restitution, contact->glue);
        thudi_put(out, "}\n");
    }
}

void thudi_put_plane(thudi_out *out, const thud_scene_plane *plane, int dim)
{
    thudi_put(out, "{plane: {point: ");
    thudi_put_varyings(out, plane->point, dim);
    thudi_put(out, ", normal: ");
    thudi_put_varyings(out, plane->normal, dim);
    thudi_put(out, "}");
}

// The end of a wall's map, with its material unless that is the only one.
static void put_wall_end(thudi_out *out, const thud_scene *scene, int material)
{
    if (material >= 0 && scene->material_count > 1)
    {
        thudi_put(out, ", material: ");
        thudi_put_string(out, scene->materials[material].name);
    }
    thudi_put(out, "}\n");
}

static void put_walls(thudi_out *out, const thudi_scene *scene, bool in_files)
{
    int dim = scene->view.dim;
    if (scene->wall_count > 0)
        thudi_put(out, "\nwalls:\n");
    for (int i = 0; i < scene->wall_count; i++)
    {
        const thudi_wall_entry *entry = &scene->walls[i];
        thudi_put(out, "  ");
        thudi_put_string(out, entry->name);
        thudi_put(out, ": ");
        if (entry->obstacle)
        {
            thudi_put_obstacle(out, scene, entry->obstacle, in_files);
            put_wall_end(out, &scene->view, scene->view.obstacles[entry->obstacle->index].material);
            continue;
        }
        if (!entry->is_box)
        {
            thudi_put_plane(out, &scene->view.walls[entry->first].plane, dim);
            put_wall_end(out, &scene->view, scene->view.walls[entry->first].material);
            continue;
        }
        thudi_put(out, "{box: [");
        thudi_put_vector(out, entry->low, dim);
        thudi_put(out, ", ");
        thudi_put_vector(out, entry->high, dim);
        thudi_put(out, "]");
        put_wall_end(out, &scene->view, scene->view.walls[entry->first].material);
    }
}

static void put_spheres(thudi_out *out, const thudi_scene *scene, const char *bodies_file)
{
    const thud_scene *view = &scene->view;
    put_number_line(out, "\ndim: ", view->dim);
    if (view->order == THUD_FIRST_ORDER)
        thudi_put_order(out, view);
    else
    {
        thudi_put(out, "gravity: ");
        thudi_put_varyings(out, view->gravity, view->dim);
        put_number_line(out, "\ndrag: ", view->drag);
    }
    thudi_put_cell(out, view);
    thudi_put(out,
              view->overlaps == THUD_REFUSE_OVERLAP ? "overlaps: refuse\n" : "overlaps: project\n");
    if (strcmp(view->quality, "custom") == 0)
    {
        thudi_put(out, "solver: {tol: ");
        thudi_put_number(out, view->tol);
        thudi_put(out, ", tol_a: ");
        thudi_put_number(out, view->tol_a);
        thudi_put(out, "}\n");
    }
    else
    {
        thudi_put(out, "solver: {quality: ");
        thudi_put(out, view->quality);
        thudi_put(out, "}\n");
    }
    thudi_put_growths(out, view);
    put_materials(out, view);
    put_contacts(out, view);
    thudi_put_entries(out, scene, bodies_file);
    thudi_put_crowd(out, scene);
    put_walls(out, scene, bodies_file != NULL);
    thudi_put_measures(out, scene);
}

// One of the maps from coordinates to expressions; nothing when it is empty.
static void put_fields(thudi_out *out, const thud_scene *scene, const char *key, bool impulse)
{
    bool any = false;
    for (int i = 0; i < scene->coordinate_count; i++)
    {
        const thud_scene_coordinate *coordinate = &scene->coordinates[i];
        const thud_varying *field = impulse ? &coordinate->impulse : &coordinate->force;
        if (!thud_varying_is_given(field))
            continue;
        if (!any)
            thudi_put(out, key);
        any = true;
        thudi_put(out, "  ");
        thudi_put_string(out, coordinate->name);
        thudi_put(out, ": ");
        thudi_put_varying(out, field);
        thudi_put(out, "\n");
    }
}

static void put_constraints(thudi_out *out, const thud_scene *scene)
{
    if (scene->constraint_count > 0)
        thudi_put(out, "\nconstraints:\n");
    for (int i = 0; i < scene->constraint_count; i++)
    {
        const thud_scene_constraint *constraint = &scene->constraints[i];
        thudi_put(out, "  ");
        thudi_put_string(out, constraint->name);
        thudi_put(out, ": {gap: ");
        thudi_put_varying(out, &constraint->gap);
        thudi_put(out, ", shift: ");
        thudi_put_number(out, constraint->shift);
        put_law(out, constraint->restitution, constraint->glue);
        thudi_put(out, "}\n");
    }
}

static void put_smooth(thudi_out *out, const thud_smoothness *smooth)
{
    bool tt = !isnan(smooth->gap_tt), tq = !isnan(smooth->gap_tq);
    if (!tt && !tq)
        return;
    thudi_put(out, "\nsmooth: {");
    if (tt)
    {
        thudi_put(out, "gap_tt: ");
        thudi_put_number(out, smooth->gap_tt);
    }
    if (tq)
    {
        thudi_put(out, tt ? ", gap_tq: " : "gap_tq: ");
        thudi_put_number(out, smooth->gap_tq);
    }
    thudi_put(out, "}\n");
}

static void put_inclusion(thudi_out *out, const thud_scene *scene)
{
    bool first = scene->order == THUD_FIRST_ORDER;
    thudi_put(out, first ? "\norder: 1\n\ncoordinates:\n" : "\norder: 2\n\ncoordinates:\n");
    for (int i = 0; i < scene->coordinate_count; i++)
    {
        const thud_scene_coordinate *coordinate = &scene->coordinates[i];
        thudi_put(out, "  ");
        thudi_put_string(out, coordinate->name);
        thudi_put(out, ": {start: ");
        thudi_put_number(out, coordinate->start);
        if (!first)
        {
            thudi_put(out, ", velocity: ");
            thudi_put_number(out, coordinate->velocity);
        }
        thudi_put(out, ", mass: ");
        thudi_put_number(out, coordinate->mass);
        thudi_put(out, "}\n");
    }
    put_fields(out, scene, first ? "\nvelocity:\n" : "\nforce:\n", false);
    put_fields(out, scene, "\nimpulse:\n", true);
    thudi_put(out, "\nbreaks: ");
    thudi_put_vector(out, scene->breaks, scene->break_count);
    thudi_put(out, "\n");
    if (!first)
        put_number_line(out, "drag: ", scene->drag);
    if (scene->noise > 0)
    {
        put_number_line(out, "noise: ", scene->noise);
        put_number_line(out, "seed: ", (double)scene->seed);
    }
    put_constraints(out, scene);
    put_smooth(out, &scene->smooth);
    thudi_put_measures(out, thudi_scene_of(scene));
    thudi_put_exact(out, scene);
}

thud_status thud_scene_write(const thud_scene *scene, const char *bodies_file, thud_sink_fn *sink,
                             void *user)
{
    if (!scene || !sink)
        return THUD_ERR_ARGUMENT;
    thudi_out out = {.sink = sink, .user = user};
    put_common(&out, thudi_scene_of(scene));
    if (scene->kind == THUD_SCENE_SPHERES)
        put_spheres(&out, thudi_scene_of(scene), bodies_file);
    else
        put_inclusion(&out, scene);
    return thudi_out_end(&out);
}
