// CSV: one line per body and frame, and a second file of contacts; for inclusions one line per
// frame, and a second file of multipliers.
#include "export/exporter.h"

static bool is_inclusion(const thudi_export *export)
{
    return export->def->scene->kind == THUD_SCENE_INCLUSION;
}

static void write_numbers(thudi_stream *out, const double *values, int count)
{
    for (int i = 0; i < count; i++)
    {
        (void)thudi_stream_text(out, ",");
        (void)thudi_stream_number(out, values[i]);
    }
}

// The first two fields of every line.
static void write_when(thudi_stream *out, const thud_snapshot *snapshot)
{
    (void)thudi_stream_integer(out, snapshot->frame);
    write_numbers(out, &snapshot->t, 1);
}

static void name_coordinates(thudi_stream *out, const thud_scene *scene)
{
    (void)thudi_stream_text(out, "frame,t");
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < scene->coordinate_count; k++)
        {
            (void)thudi_stream_text(out, pass == 0 ? "," : ",u.");
            (void)thudi_stream_field(out, scene->coordinates[k].name);
        }
    (void)thudi_stream_text(out, "\n");
}

static thud_status begin(thudi_export *export)
{
    bool inclusion = is_inclusion(export);
    THUD_TRY(
        thudi_export_open(export, &export->bodies, inclusion ? "coordinates.csv" : "bodies.csv"));
    THUD_TRY(thudi_export_open(export, &export->contacts,
                               inclusion ? "multipliers.csv" : "contacts.csv"));
    if (inclusion)
        name_coordinates(&export->bodies, export->def->scene);
    else
        (void)thudi_stream_text(&export->bodies, "frame,t,id,name,x,y,z,vx,vy,vz,radius,mass,"
                                                 "material,pressure\n");
    (void)thudi_stream_text(&export->contacts, inclusion
                                                   ? "frame,t,constraint,force,impulse\n"
                                                   : "frame,t,a,b,wall,force,impulse,nx,ny,nz,"
                                                     "from_x,from_y,from_z,to_x,to_y,to_z\n");
    return THUD_OK;
}

static void write_bodies(thudi_stream *out, const thud_snapshot *snapshot, const thud_scene *scene)
{
    for (int i = 0; i < snapshot->count && !out->error; i++)
    {
        const char *name = scene->bodies[i].name;
        write_when(out, snapshot);
        (void)thudi_stream_text(out, ",");
        (void)thudi_stream_integer(out, snapshot->id[i]);
        (void)thudi_stream_text(out, ",");
        (void)thudi_stream_field(out, name ? name : "");
        write_numbers(out, snapshot->position + 3 * (size_t)i, 3);
        write_numbers(out, snapshot->velocity + 3 * (size_t)i, 3);
        write_numbers(out, &snapshot->radius[i], 1);
        write_numbers(out, &snapshot->mass[i], 1);
        (void)thudi_stream_text(out, ",");
        if (snapshot->material[i] >= 0)
            (void)thudi_stream_field(out, scene->materials[snapshot->material[i]].name);
        write_numbers(out, &snapshot->pressure[i], 1);
        (void)thudi_stream_text(out, "\n");
    }
}

static void write_contacts(thudi_stream *out, const thud_snapshot *snapshot,
                           const thud_scene *scene)
{
    for (int i = 0; i < snapshot->touch_count && !out->error; i++)
    {
        int64_t wall = -1 - snapshot->b[i];
        write_when(out, snapshot);
        (void)thudi_stream_text(out, ",");
        (void)thudi_stream_integer(out, snapshot->a[i]);
        (void)thudi_stream_text(out, ",");
        (void)thudi_stream_integer(out, snapshot->b[i]);
        (void)thudi_stream_text(out, ",");
        if (wall >= 0 && wall < scene->wall_count + scene->obstacle_count &&
            thud_scene_wall_name(scene, (int)wall))
            (void)thudi_stream_field(out, thud_scene_wall_name(scene, (int)wall));
        write_numbers(out, &snapshot->force[i], 1);
        write_numbers(out, &snapshot->impulse[i], 1);
        write_numbers(out, snapshot->normal + 3 * (size_t)i, 3);
        write_numbers(out, snapshot->ends + 6 * (size_t)i, 6);
        (void)thudi_stream_text(out, "\n");
    }
}

static void write_multipliers(thudi_stream *out, const thud_snapshot *snapshot,
                              const thud_scene *scene)
{
    for (int i = 0; i < snapshot->multiplier_count && !out->error; i++)
    {
        const thud_multiplier *multiplier = &snapshot->multipliers[i];
        // in first order a multiplier is a force already
        bool is_force = scene->order == THUD_FIRST_ORDER;
        double values[] = {is_force ? multiplier->impulse : multiplier->impulse / snapshot->h,
                           multiplier->impulse};
        write_when(out, snapshot);
        (void)thudi_stream_text(out, ",");
        int constraint = thud_scene_constraint_of(scene, multiplier->key);
        if (constraint >= 0)
            (void)thudi_stream_field(out, scene->constraints[constraint].name);
        write_numbers(out, values, 2);
        (void)thudi_stream_text(out, "\n");
    }
}

static thud_status frame(thudi_export *export)
{
    const thud_snapshot *snapshot = &export->snapshot;
    const thud_scene *scene = export->def->scene;
    if (is_inclusion(export))
    {
        write_when(&export->bodies, snapshot);
        write_numbers(&export->bodies, snapshot->q, scene->coordinate_count);
        write_numbers(&export->bodies, snapshot->u, scene->coordinate_count);
        (void)thudi_stream_text(&export->bodies, "\n");
        write_multipliers(&export->contacts, snapshot, scene);
    }
    else
    {
        write_bodies(&export->bodies, snapshot, scene);
        write_contacts(&export->contacts, snapshot, scene);
    }
    THUD_TRY(thudi_export_check(export, &export->bodies));
    return thudi_export_check(export, &export->contacts);
}

static thud_status end(thudi_export *export)
{
    THUD_TRY(thudi_export_finish(export, &export->bodies));
    return thudi_export_finish(export, &export->contacts);
}

const thudi_format thudi_format_csv = {.inclusions = true,
                                       .begin = begin,
                                       .frame = frame,
                                       .end = end,
                                       .abandon = thudi_export_abandon};
