// The files of a jammed packing.
#include "study/packing_files.h"

#include "core/fault.h"
#include "core/memory.h"

#include <errno.h>
#include <stdio.h>

static thud_status fail_file(const char *folder, const char *name, int error, thud_fault *fault)
{
    return thudi_fail(fault, THUD_ERR_IO, THUDI_IN(folder, name), "", "%s",
                      thudi_error_text(error));
}

static void put_numbers(FILE *file, const double *x, int count)
{
    char number[THUD_NUMBER_SIZE];
    for (int i = 0; i < count; i++)
        (void)fprintf(file, ",%s", thud_number_write(number, x[i]));
}

static void write_packing(FILE *file, const thud_jam_view *jam)
{
    double radius = jam->diameter / 2;
    (void)fprintf(file, "material,x,y,z,radius\n");
    for (int i = 0; i < jam->count; i++)
    {
        (void)fprintf(file, "%s", jam->is_rattler[i] ? "rattler" : "held");
        put_numbers(file, jam->q + 3 * (size_t)i, 3);
        put_numbers(file, &radius, 1);
        (void)fprintf(file, "\n");
    }
}

static void write_network(FILE *file, const thud_jam_view *jam)
{
    (void)fprintf(file, "a,b,force,distance,nx,ny,nz\n");
    for (int c = 0; c < jam->contact_count; c++)
    {
        const thud_jam_contact *contact = &jam->contacts[c];
        (void)fprintf(file, "%d,%d", contact->a, contact->b);
        put_numbers(file, &contact->force, 1);
        put_numbers(file, &contact->distance, 1);
        put_numbers(file, contact->normal, 3);
        (void)fprintf(file, "\n");
    }
}

// A scene to look at the packing with: radii a little smaller leave the solver its room.
static void write_scene(FILE *file, const thud_jam_view *jam)
{
    (void)fprintf(file,
                  "thud: 1\n"
                  "title: A jammed packing of %d spheres\n"
                  "about: None of the spheres can grow. Contacts whose forces are in balance "
                  "hold them; rattlers lie loose between them.\n"
                  "kind: spheres\n"
                  "time: {step: 0.01, end: 0.01, frames: 1}\n"
                  "cell: {x: [0, 1], y: [0, 1], z: [0, 1]}\n"
                  "materials:\n"
                  "  held: {density: 1, growth: 0.9999}\n"
                  "  rattler: {density: 1, growth: 0.9999}\n"
                  "bodies:\n"
                  "  - file: {path: packing.csv}\n",
                  jam->count);
}

void thud_packing_json(const thud_jam_view *jam, uint64_t seed, thud_json *json)
{
    thud_json_open(json, NULL);
    thud_json_whole(json, "count", jam->count);
    thud_json_whole(json, "seed", (long long)seed);
    thud_json_number(json, "diameter", jam->diameter);
    thud_json_number(json, "fraction", jam->fraction);
    thud_json_whole(json, "rattlers", jam->rattler_count);
    thud_json_whole(json, "contacts", jam->contact_count);
    thud_json_whole(json, "isostatic", jam->isostatic);
    thud_json_number(json, "room", jam->room);
    thud_json_number(json, "curvature", jam->curvature);
    thud_json_number(json, "residual", jam->residual);
    thud_json_number(json, "imbalance", jam->imbalance);
    thud_json_whole(json, "steps", jam->steps);
    thud_json_whole(json, "refusals", jam->refusals);
    thud_json_whole(json, "newton", jam->newton);
    thud_json_whole(json, "retreats", jam->retreats);
    thud_json_close(json);
}

typedef void write_fn(FILE *file, const thud_jam_view *jam);

// What the packing is, and what is proved of it.
static thud_status write_json(const char *folder, const thud_jam_view *jam, uint64_t seed,
                              thud_fault *fault)
{
    char path[1100];
    thud_json json = {0};
    thud_packing_json(jam, seed, &json);
    if (json.has_failed)
    {
        thud_json_free(&json);
        return thudi_fail_memory(fault);
    }
    FILE *file = snprintf(path, sizeof path, "%s/" THUDI_JAM_JSON, folder) < (int)sizeof path
                     ? fopen(path, "w")
                     : NULL;
    bool failed = !file || fprintf(file, "%s\n", json.text) < 0;
    if ((file && fclose(file) != 0) || failed)
        failed = true;
    thud_json_free(&json);
    return failed ? fail_file(folder, THUDI_JAM_JSON, errno ? errno : EIO, fault) : THUD_OK;
}

static thud_status write_file(const char *folder, const char *name, write_fn *write,
                              const thud_jam_view *jam, thud_fault *fault)
{
    char path[1100];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return fail_file(folder, name, ENAMETOOLONG, fault);
    FILE *file = fopen(path, "w");
    if (!file)
        return fail_file(folder, name, errno, fault);
    write(file, jam);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return fail_file(folder, name, errno ? errno : EIO, fault);
    return THUD_OK;
}

thud_status thud_packing_write(const char *folder, const thud_jam_view *jam, uint64_t seed,
                               thud_fault *fault)
{
    THUD_TRY(write_file(folder, THUDI_JAM_PACKING, write_packing, jam, fault));
    THUD_TRY(write_file(folder, THUDI_JAM_NETWORK, write_network, jam, fault));
    THUD_TRY(write_json(folder, jam, seed, fault));
    return write_file(folder, "scene.yaml", write_scene, jam, fault);
}
