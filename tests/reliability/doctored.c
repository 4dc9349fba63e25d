// Runs a scene with one of its constraints dropped, and records it as the program would: all sums,
// the chain and the checkpoint are right, the steps are exact projections, and yet the run is
// wrong.
//
//     doctored SCENE FOLDER KEY     (the key as a number in base 16; ffff...f drops none)
#include "run/recorder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct
{
    thud_inclusion honest;
    thud_key dropped;
    int count; // times that it was
} doctor;

static int gaps_but_one(const thud_moment *at, thud_rows *rows, void *user)
{
    thud_rows *all = NULL;
    if (thud_rows_create(doctor.honest.dim, NULL, &all) < 0)
        return 1;
    int result = doctor.honest.gaps(at, all, user);
    for (int i = 0; i < thud_rows_count(all); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(all, i, &room);
        if (thud_key_same(row.key, doctor.dropped))
            doctor.count++;
        else
            (void)thud_rows_push(rows, &row);
    }
    thud_rows_note_gap(rows, thud_rows_noted_gap(all));
    thud_rows_destroy(all);
    return result;
}

static int no(const char *what, const thud_fault *fault)
{
    (void)fprintf(stderr, "doctored: %s: %s\n", what, fault ? fault->text : "");
    return 1;
}

// bodies.csv, then scene.yaml
static thud_status write_inputs(const thud_scene *scene, thud_record *record)
{
    thud_status status = thud_record_file_begin(record, "bodies.csv");
    if (status >= 0)
        status = thud_scene_write_bodies(scene, thud_record_file_write, record);
    if (status >= 0)
        status = thud_record_file_end(record);
    if (status >= 0)
        status = thud_record_file_begin(record, "scene.yaml");
    if (status >= 0)
        status = thud_scene_write(scene, "bodies.csv", thud_record_file_write, record);
    return status < 0 ? status : thud_record_file_end(record);
}

int main(int argc, char **argv)
{
    static const int never = 0;
    static thudi_recorder recorder;
    thud_scene *scene = NULL;
    thud_work *work = NULL;
    thud_fault fault = {0};
    const char *const *names;
    if (argc != 4)
        return no("doctored SCENE FOLDER KEY", NULL);
    if (thud_scene_read(&(thud_scene_def){.path = argv[1]}, &scene, &fault) < 0 ||
        thud_model_create(scene, NULL, &recorder.model, &fault) < 0)
        return no("scene", &fault);
    thud_record_def def = {.folder = argv[2],
                           .dim = thud_model_problem(recorder.model)->dim,
                           .keys = thud_scene_keys(scene),
                           .id_count = scene->body_count,
                           .series_count = thud_model_series(recorder.model, &names)};
    def.series = names;
    thud_work_def work_def = thud_model_work(recorder.model);
    recorder.scene = scene;
    recorder.requests =
        (thudi_requests){.stop = &never, .checkpoint = &never, .deadline = INFINITY, .steps = -1};
    if (thud_work_create(&work_def, &work) < 0 || thudi_recorder_begin(&recorder) < 0 ||
        thud_record_create(&def, &recorder.record, &fault) < 0 ||
        write_inputs(scene, recorder.record) < 0)
        return no("record", &fault);
    recorder.work = work;
    doctor.honest = *thud_model_problem(recorder.model);
    doctor.dropped = thud_key_number((int64_t)strtoull(argv[3], NULL, 16));
    thud_inclusion problem = doctor.honest;
    problem.gaps = gaps_but_one;
    thud_observer observer = {thudi_recorder_observe, THUD_EVERY_STEP, &recorder};
    thud_run_def run = {.end = scene->end, .observers = &observer, .observer_count = 1};
    thud_status status = thud_run(&problem, thud_model_state(recorder.model), work, &run, NULL);
    if (status < 0) // the world may notice, in the end; what was recorded until then is on record
        (void)fprintf(stderr, "doctored: %s\n", thud_work_message(work));
    if (thud_record_close(recorder.record, &fault) < 0)
        return no("record", &fault);
    (void)printf("%d\n", doctor.count);
    thudi_recorder_end(&recorder);
    thud_work_destroy(work);
    thud_model_destroy(recorder.model);
    thud_scene_destroy(scene);
    return 0;
}
