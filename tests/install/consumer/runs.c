/* A program of a user, in what C17 and C++17 have in common: a ball falls onto a floor beside a
 * box. It writes a run directory by the installed libraries alone and reads it back. Usage:
 * runs FOLDER. Prints the version of the library. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <thud/checkpoint.h>
#include <thud/events.h>
#include <thud/export.h>
#include <thud/fields.h>
#include <thud/json.h>
#include <thud/model.h>
#include <thud/record.h>
#include <thud/series.h>
#include <thud/snapshot.h>
#include <thud/surface.h>
#include <thud/thud.h>
#include <thud/units.h>
#include <thud/words.h>

static const char text[] = "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.125, end: 4}\n"
                           "units: {length: m, time: s, mass: kg}\ngravity: [0, -1]\n"
                           "walls:\n  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
                           "  block: {solid_box: [[2, 0], [3, 1]]}\n"
                           "bodies:\n  - {at: [0, 1], radius: 0.5, mass: 2}\n";

static int fail(const char *what, const thud_fault *fault)
{
    fprintf(stderr, "%s: %s\n", what, fault ? fault->text : "");
    return 0;
}

/* The start, a step, and a checkpoint. */
static int write_run(thud_record *record, thud_model *model, double *values)
{
    thud_state *state = thud_model_state(model);
    thud_work_def def = thud_model_work(model);
    thud_work *work = NULL;
    thud_field fields[THUD_STATE_FIELDS];
    thud_frame frame;
    uint64_t hash;
    int good = thud_work_create(&def, &work) >= 0;
    memset(&frame, 0, sizeof frame);
    frame.dim = state->dim;
    frame.q = state->q;
    frame.u = state->u;
    hash = thud_state_hash(state, 0);
    good = good && thud_record_frame(record, &frame) == THUD_OK &&
           thud_record_step(record, 0, hash) == THUD_OK &&
           thud_step(thud_model_problem(model), state, work) >= 0 &&
           thud_record_step(record, 1, thud_state_hash(state, hash)) == THUD_OK;
    thud_model_measure_state(model, state, values);
    int count = thud_state_fields(state, fields);
    good = good && thud_record_series(record, values) == THUD_OK &&
           thud_record_checkpoint(record, fields, count, true) == THUD_OK;
    thud_work_destroy(work);
    return good;
}

static int record(const char *folder, thud_model *model)
{
    double values[256];
    thud_record *out = NULL;
    thud_fault fault;
    thud_record_def def;
    int good;
    memset(&def, 0, sizeof def);
    memset(&fault, 0, sizeof fault);
    def.folder = folder;
    def.replace = true;
    def.dim = thud_model_problem(model)->dim;
    def.series_count = thud_model_series(model, &def.series);
    if (def.series_count > 256 || thud_record_create(&def, &out, &fault) < 0)
        return fail("create", &fault);
    good = write_run(out, model, values);
    return thud_record_close(out, &fault) == THUD_OK && good ? 1 : fail("record", &fault);
}

/* What was written, as others see it. */
static int read_frames(const char *folder, const thud_scene *scene, const thud_model *model)
{
    thud_snapshot_def def;
    thud_snapshot_reader *reader = NULL;
    thud_snapshot snapshot;
    thud_fault fault;
    int good;
    memset(&def, 0, sizeof def);
    def.scene = scene;
    def.model = model;
    if (thud_log_open(folder, NULL, &def.log, &fault) < 0)
        return fail("log", &fault);
    good = thud_snapshot_open(&def, &reader, &fault) == THUD_OK &&
           thud_snapshot_read(reader, 0, &snapshot, &fault) == THUD_OK && snapshot.count == 1 &&
           snapshot.position[1] == 1.0 && snapshot.mass[0] == 2.0 && snapshot.radius[0] == 0.5;
    thud_snapshot_close(reader);
    thud_log_close(def.log);
    return good ? 1 : fail("snapshot", NULL);
}

static int read_rest(const char *folder)
{
    thud_series_table *table = NULL;
    thud_checkpoint *checkpoint = NULL;
    thud_fault fault;
    int good;
    if (thud_series_table_read(folder, NULL, &table, &fault) < 0)
        return fail("series", &fault);
    good = table->row_count == 1 && thud_series_table_find(table, "t") >= 0;
    thud_series_table_destroy(table);
    if (thud_checkpoint_read(folder, false, NULL, &checkpoint, &fault) < 0)
        return fail("checkpoint", &fault);
    good = good && thud_checkpoint_count(checkpoint, "q") == 2;
    thud_checkpoint_free(checkpoint);
    return good ? 1 : fail("read", NULL);
}

/* What needs no run: units, surfaces, JSON, words, events. */
static int look_around(const thud_scene *scene)
{
    static const double q[2] = {0, 1}, u[2] = {0, -1}, normal[2] = {0, 1}, offset[1] = {0};
    static const double radius[1] = {0.5};
    char unit[THUD_UNIT_SIZE], number[THUD_NUMBER_SIZE];
    thud_surface *surfaces = NULL;
    thud_events_def def;
    thud_events *events = NULL;
    thud_json json;
    int good = strcmp(thud_unit_force(unit, scene), "N") == 0 &&
               thud_surfaces_make(scene, NULL, &surfaces) == THUD_OK && surfaces[0].line_count == 4;
    thud_surfaces_free(scene, NULL, surfaces);
    memset(&json, 0, sizeof json);
    thud_json_open(&json, NULL);
    thud_json_number(&json, "x", 0.5);
    thud_json_close(&json);
    good = good && thud_json_find_number(json.text, "x") == 0.5 &&
           strcmp(thud_words_grouped(number, 7), "7") == 0;
    thud_json_free(&json);
    memset(&def, 0, sizeof def);
    def.dim = 2;
    def.count = def.wall_count = 1;
    def.end = 1;
    def.q = q;
    def.u = u;
    def.radius = radius;
    def.normal = normal;
    def.offset = offset;
    good = good && thud_events_create(&def, &events) == THUD_OK &&
           thud_events_view(events).event_count == 1;
    thud_events_destroy(events);
    return good ? 1 : fail("around", NULL);
}

int main(int argc, char **argv)
{
    thud_scene_def def;
    thud_scene *scene = NULL;
    thud_model *model = NULL;
    thud_fault fault;
    int good = argc == 2;
    memset(&def, 0, sizeof def);
    memset(&fault, 0, sizeof fault);
    def.text = text;
    def.length = sizeof text - 1;
    good = good && thud_scene_read(&def, &scene, &fault) >= 0 &&
           thud_model_create(scene, NULL, &model, &fault) >= 0;
    if (!good)
        (void)fail("scene", &fault);
    good = good && record(argv[1], model) && read_frames(argv[1], scene, model) &&
           read_rest(argv[1]) && look_around(scene);
    printf("%s\n", good ? thud_version() : "wrong");
    thud_model_destroy(model);
    thud_scene_destroy(scene);
    return good ? 0 : 1;
}
