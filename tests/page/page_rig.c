// A run of random numbers, made of a scene that names its parts as an attacker would.
#include "page_rig.h"

#include <stdlib.h>
#include <string.h>

enum
{
    DIM = 200,    // coordinates at most
    CONTACTS = 40 // of a frame at most
};

#define HOSTILE "</script><img src=x onerror=alert(1)>"

static const char *const texts[] = {
    [PAGE_SPHERES_3D] = "thud: 1\n"
                        "title: '" HOSTILE "'\n"
                        "about: \"<!-- <script>alert('\\\\ \\u2028 & é')</script>\"\n"
                        "kind: spheres\n"
                        "units: {length: '<b>', time: s, mass: kg}\n"
                        "time: {step: 0.01, end: 1, frames: 10}\n"
                        "gravity: [0, 0, -9.81]\n"
                        "materials:\n"
                        "  glass: {density: 2500, growth: '1 + 0.5*t'}\n"
                        "  clay: {density: 1000}\n"
                        "bodies:\n"
                        "  - lattice: {origin: [0, 0, 1], count: [3, 3, 3], spacing: 1, radius: "
                        "0.2, material: glass}\n"
                        "  - {name: '" HOSTILE "', at: [9, 9, 9], radius: 0.5, material: clay}\n"
                        "  - {name: heavy, at: [6, 6, 6], radius: 0.4, mass: 7,\n"
                        "     growth: {table: [[0, 1], [9, 10]]}}\n"
                        "walls:\n"
                        "  floor: {plane: {point: [0, 0, '-1 + t'], normal: [0, 0, 2]}}\n"
                        "  left: {plane: {point: [-20, 0, 0], normal: [1, 1, 0]}}\n"
                        "  drum: {drum: {from: [0, -40, 0], to: [0, 40, 0], radius: 60}, "
                        "rotation: [0, t, 0]}\n"
                        "  fin: {triangle: [[-9, 0, 0], [-8, 0, 0], [-8, 1, '1/3']], "
                        "position: [0, t, 0]}\n"
                        "  ball: {ball: {center: [-12, 0, 0], radius: 1}}\n",
    [PAGE_SPHERES_2D] = "thud: 1\n"
                        "title: two dimensions\n"
                        "kind: spheres\n"
                        "dim: 2\n"
                        "time: {step: 0.01, end: 1, frames: 10}\n"
                        "materials: {cell: {density: 1}}\n"
                        "bodies:\n"
                        "  - lattice: {origin: [0, 0], count: [5, 5], spacing: 1, radius: 0.3, "
                        "material: cell}\n"
                        "walls: {dish: {box: [[-50, -50], [50, 50]]}, "
                        "rod: {capsule: {from: [-9, 0], to: [-9, 3], radius: 0.5}, rotation: t}}\n",
    [PAGE_SHOWN] = "thud: 1\n"
                   "kind: spheres\n"
                   "time: {step: 0.01, end: 1, frames: 10}\n"
                   "bodies: [{at: [0, 0, 0], radius: 1, mass: 1}]\n"
                   "walls:\n"
                   "  floor: {plane: {point: [0, 0, -9], normal: [0, 0, 1]}, show: outline}\n"
                   "  left: {plane: {point: [-9, 0, 0], normal: [1, 0, 0]}}\n"
                   "  right: {plane: {point: [9, 0, 0], normal: [-1, 0, 0]}, show: hidden}\n"
                   "  ball: {ball: {center: [5, 0, 0], radius: 1}, show: hidden}\n"
                   "  fin: {triangle: [[3, 0, 0], [4, 0, 0], [3, 1, 0]], show: outline}\n"
                   "  block: {solid_box: [[3, 3, 3], [4, 4, 4]], show: solid}\n",
    [PAGE_INCLUSION] = "thud: 1\n"
                       "title: an inclusion\n"
                       "kind: inclusion\n"
                       "coordinates: {x: {start: 1, velocity: -1}, y: {start: 2}}\n"
                       "force: {y: -1}\n"
                       "constraints: {floor: y, wall: 'x - 0.1*t'}\n"
                       "time: {step: 0.01, end: 1, frames: 10}\n",
};

static thud_key some_key(const thud_scene *scene, test_random *random, int *last)
{
    int step = test_random_int(random, 1, 3);
    if (scene->kind == THUD_SCENE_INCLUSION)
        return thud_key_number(*last = (*last + step) % 2);
    int a = *last + step - 1, b = a + test_random_int(random, 1, 6);
    *last = a;
    return b < scene->body_count ? thud_key_pair(a, b, 0) : thud_key_wall(0, 1);
}

static int some_contacts(const thud_scene *scene, test_random *random, thud_multiplier *multipliers)
{
    int count = scene->kind == THUD_SCENE_INCLUSION ? 1 : test_random_int(random, 0, 12);
    int last = 0;
    for (int i = 0; i < count; i++)
        multipliers[i] = (thud_multiplier){.key = some_key(scene, random, &last),
                                           .impulse = exp(test_random_uniform(random, -9, 9))};
    return count;
}

static bool write_frames(const page_rig *rig, thud_record *record, test_random *random)
{
    double vectors[4][DIM], values[100] = {0};
    thud_multiplier multipliers[CONTACTS];
    const thud_scene *scene = rig->scene;
    int dim = thud_model_problem(rig->model)->dim;
    bool fine = dim <= DIM;
    for (int i = 0; i < rig->frame_count && fine; i++)
    {
        for (int v = 0; v < 4; v++)
            for (int k = 0; k < dim; k++)
                vectors[v][k] = test_random_normal(random) * (v == 0 ? 10 : 3);
        int count = some_contacts(scene, random, multipliers);
        thud_frame frame = {.n = i > 0 ? i - 1 : 0,
                            .t = i > 0 ? scene->start + (i - 1) * scene->step : scene->start,
                            .h = i > 0 ? scene->step : 0,
                            .dim = dim,
                            .q = vectors[0],
                            .u = vectors[1],
                            .u_next = i > 0 ? vectors[2] : NULL,
                            .force = i > 0 ? vectors[3] : NULL,
                            .after = multipliers,
                            .after_count = i > 0 ? count : 0};
        values[0] = i;
        values[1] = frame.t + frame.h;
        values[6] = i % 3 ? NAN : i / 8.0;
        fine = thud_record_frame(record, &frame) >= 0 && thud_record_series(record, values) >= 0;
    }
    return fine;
}

static bool write_run(const page_rig *rig, uint64_t seed)
{
    char path[RIG_PATH];
    test_random random = test_random_start(seed);
    thud_record *record = NULL;
    rig_join(path, rig->folder, "run");
    thud_record_def def = {.folder = path, .dim = thud_model_problem(rig->model)->dim};
    def.series_count = thud_model_series(rig->model, &def.series);
    if (thud_record_create(&def, &record, NULL) < 0)
        return false;
    bool fine = write_frames(rig, record, &random);
    return thud_record_close(record, NULL) >= 0 && fine;
}

bool page_rig_make(page_rig *rig, page_rig_kind kind, int frames, uint64_t seed)
{
    thud_fault fault = {0};
    *rig = (page_rig){.frame_count = frames};
    thud_scene_def def = {.text = texts[kind], .length = strlen(texts[kind])};
    bool fine = rig_folder_make(rig->folder) && thud_scene_read(&def, &rig->scene, &fault) >= 0 &&
                thud_model_create(rig->scene, NULL, &rig->model, &fault) >= 0 &&
                write_run(rig, seed) &&
                thud_log_open(rig_path(rig->folder, "run"), NULL, &rig->log, &fault) >= 0;
    if (!fine)
        test_fail(__FILE__, __LINE__, "no run to work with: %s", fault.text);
    return fine;
}

void page_rig_free(page_rig *rig)
{
    thud_log_close(rig->log);
    thud_model_destroy(rig->model);
    thud_scene_destroy(rig->scene);
    rig_folder_remove(rig->folder);
}

thud_page_def page_rig_def(page_rig *rig, const char *page)
{
    rig_join(rig->run, rig->folder, "run");
    rig_join(rig->page, rig->folder, page);
    return (thud_page_def){.path = rig->page,
                           .folder = rig->run,
                           .scene = rig->scene,
                           .model = rig->model,
                           .log = rig->log,
                           .run = {.ending = HOSTILE,
                                   .error = "\"\\\n\t<\x7f",
                                   .figures = {[THUD_TALLY_min_gap] = NAN}},
                           .last = rig->frame_count - 1};
}
