// Extended XYZ, as OVITO and ASE read it: all frames in one file, a body per line.
#include "export/exporter.h"

#include <math.h>

static thud_status begin(thudi_export *export)
{
    return thudi_export_open(export, &export->bodies, "bodies.xyz");
}

// The name of the material, in characters that cannot be taken for the end of a word.
static void write_species(thudi_stream *stream, const thud_scene *scene, int body)
{
    int material = scene->bodies[body].material;
    const char *name = material >= 0 ? scene->materials[material].name : "body";
    for (const char *c = name; *c; c++)
        (void)thudi_stream_write(stream, (unsigned char)*c <= ' ' || *c == '"' ? "_" : c, 1);
    if (!name[0])
        (void)thudi_stream_text(stream, "_");
}

// Lattice, pbc and Origin of a periodic cell. A side that is not periodic is as long as the bodies
// need; the images along y are displaced by the shear, less whole periods.
static void write_cell(thudi_stream *out, const thud_model *model, const thud_snapshot *snapshot)
{
    thud_cell cell = thud_model_cell(model);
    double sides[9] = {0}, low[3];
    if (!thud_cell_is_periodic(&cell))
        return;
    for (int k = 0; k < 3; k++)
    {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < snapshot->count; i++)
        {
            double x = snapshot->seen[3 * (size_t)i + (size_t)k];
            least = fmin(least, x - snapshot->radius[i]);
            most = fmax(most, x + snapshot->radius[i]);
        }
        low[k] = cell.period[k] > 0 ? cell.low[k] : least;
        sides[4 * (size_t)k] = cell.period[k] > 0 ? cell.period[k] : most - least;
    }
    if (cell.shear)
        sides[3] = remainder(thud_model_shear(model, snapshot->t), cell.period[0]);
    (void)thudi_stream_text(out, "Lattice=\"");
    for (int i = 0; i < 9; i++)
    {
        (void)thudi_stream_text(out, i > 0 ? " " : "");
        (void)thudi_stream_number(out, sides[i]);
    }
    (void)thudi_stream_text(out, "\" Origin=\"");
    for (int k = 0; k < 3; k++)
    {
        (void)thudi_stream_text(out, k > 0 ? " " : "");
        (void)thudi_stream_number(out, low[k]);
    }
    (void)thudi_stream_text(out, "\" pbc=\"");
    for (int k = 0; k < 3; k++)
        (void)thudi_stream_text(out, cell.period[k] > 0 ? &" T"[k == 0] : &" F"[k == 0]);
    (void)thudi_stream_text(out, "\" ");
}

static thud_status frame(thudi_export *export)
{
    const thud_snapshot *snapshot = &export->snapshot;
    thudi_stream *out = &export->bodies;
    (void)thudi_stream_integer(out, snapshot->count);
    (void)thudi_stream_text(out, "\n");
    write_cell(out, export->def->model, snapshot);
    (void)thudi_stream_text(out, "Properties=id:I:1:species:S:1:pos:R:3:radius:R:1:velo:R:3:"
                                 "mass:R:1:pressure:R:1 Time=");
    (void)thudi_stream_number(out, snapshot->t);
    (void)thudi_stream_text(out, "\n");
    for (int i = 0; i < snapshot->count && !out->error; i++)
    {
        const double *x = snapshot->seen + 3 * (size_t)i, *v = snapshot->velocity + 3 * (size_t)i;
        double values[] = {x[0],
                           x[1],
                           x[2],
                           snapshot->radius[i],
                           v[0],
                           v[1],
                           v[2],
                           snapshot->mass[i],
                           snapshot->pressure[i]};
        (void)thudi_stream_integer(out, snapshot->id[i]);
        (void)thudi_stream_text(out, " ");
        write_species(out, export->def->scene, i);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        {
            (void)thudi_stream_text(out, " ");
            (void)thudi_stream_number(out, values[k]);
        }
        (void)thudi_stream_text(out, "\n");
    }
    return thudi_export_check(export, out);
}

static thud_status end(thudi_export *export)
{
    return thudi_export_finish(export, &export->bodies);
}

const thudi_format thudi_format_xyz = {
    .begin = begin, .frame = frame, .end = end, .abandon = thudi_export_abandon};
