// Runs for the tests of pictures: scenes from text, run for a few steps into a folder.
#include "show_rig.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char show_rig_ball[] = "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 0.01}\n"
                             "bodies:\n  - {at: [7, -3, 1], radius: 0.5, mass: 1}\n";

const char show_rig_heap[] =
    "thud: 1\nkind: spheres\nunits: {length: m, time: s, mass: kg}\n"
    "time: {step: 0.002, end: 0.3}\ngravity: [0, 0, -9.81]\n"
    "materials: {glass: {density: 2500}, clay: {density: 1000}}\n"
    "bodies:\n"
    "  - fill: {region: {box: [[0, 0, 0], [0.1, 0.1, 0.12]]}, count: 120,\n"
    "           radius: {uniform: [0.006, 0.009]}, seed: 1, material: glass}\n"
    "  - {at: [0.05, 0.05, 0.15], radius: 0.02, material: clay}\n"
    "walls:\n  box: {box: [[0, 0, 0], [0.1, 0.1, 1]]}\n";

const char show_rig_disks[] = "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 0.2}\n"
                              "gravity: [0, -1]\n"
                              "bodies:\n  - {at: [0, 0.5], radius: 0.5, mass: 1}\n"
                              "  - {at: [0, 1.5], radius: 0.5, mass: 1}\n"
                              "walls:\n  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n";

typedef struct watcher
{
    thud_model *model;
    thud_record *record;
    thud_state *before;
    double values[100];
} watcher;

static int watch(const thud_view *view, void *user)
{
    watcher *w = user;
    const thud_state *before = w->before, *after = view->state;
    thud_frame frame = {.t = view->t, .dim = after->dim, .q = after->q, .u = after->u};
    if (view->report)
        frame = (thud_frame){.n = before->n,
                             .t = thud_state_time(before),
                             .h = before->h,
                             .dim = before->dim,
                             .q = before->q,
                             .u = before->u,
                             .u_next = after->u,
                             .force = view->report->mean_force,
                             .after = after->multipliers,
                             .after_count = after->multiplier_count};
    thud_model_measure(w->model, view, w->values);
    return thud_record_frame(w->record, &frame) < 0 ||
           thud_record_series(w->record, w->values) < 0 ||
           thud_state_copy(w->before, view->state) < 0;
}

static bool run(show_rig *rig)
{
    watcher w = {.model = rig->model};
    const thud_state *start = thud_model_state(rig->model);
    thud_record_def def = {.folder = rig->run, .dim = start->dim};
    def.series_count = thud_model_series(rig->model, &def.series);
    thud_work_def work_def = thud_model_work(rig->model);
    thud_work *work = NULL;
    thud_observer observer = {watch, THUD_EVERY_STEP, &w};
    bool done =
        def.series_count <= 100 && thud_record_create(&def, &w.record, NULL) == THUD_OK &&
        thud_work_create(&work_def, &work) == THUD_OK &&
        thud_state_create(
            &(thud_state_def){
                .dim = start->dim, .t0 = start->t0, .h = start->h, .q = start->q, .u = start->u},
            &w.before) == THUD_OK &&
        thud_run(
            thud_model_problem(rig->model), thud_model_state(rig->model), work,
            &(thud_run_def){.end = rig->scene->end, .observers = &observer, .observer_count = 1},
            NULL) >= 0;
    thud_state_destroy(w.before);
    thud_work_destroy(work);
    return thud_record_close(w.record, NULL) == THUD_OK && done;
}

bool show_rig_make(show_rig *rig, const char *scene)
{
    thud_fault fault = {0};
    memset(rig, 0, sizeof *rig);
    bool done = rig_folder_make(rig->folder) != NULL;
    rig_join(rig->run, rig->folder, "run");
    thud_scene_def def = {.text = scene, .length = strlen(scene)};
    done = done && thud_scene_read(&def, &rig->scene, &fault) >= 0 &&
           thud_model_create(rig->scene, NULL, &rig->model, &fault) >= 0 && run(rig) &&
           thud_log_open(rig->run, NULL, &rig->log, &fault) == THUD_OK;
    if (!done)
        test_fail(__FILE__, __LINE__, "no run: %s", fault.text);
    return done;
}

void show_rig_free(show_rig *rig)
{
    thud_log_close(rig->log);
    thud_model_destroy(rig->model);
    thud_scene_destroy(rig->scene);
    if (rig->folder[0])
        rig_folder_remove(rig->folder);
}

thud_render_def show_rig_render(const show_rig *rig, const char *file)
{
    int64_t last = thud_log_view(rig->log).frame_count - 1;
    return (thud_render_def){.scene = rig->scene,
                             .model = rig->model,
                             .log = rig->log,
                             .first = last,
                             .last = last,
                             .file = rig_path(rig->folder, file)};
}

thud_plot_def show_rig_plot(const show_rig *rig, const char *folder)
{
    return (thud_plot_def){.scene = rig->scene,
                           .model = rig->model,
                           .log = rig->log,
                           .run = rig->run,
                           .folder = rig_path(rig->folder, folder)};
}

uint32_t *show_rig_pixels(const char *path, int *width, int *height)
{
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    uint32_t *pixels = NULL;
    *width = *height = 0;
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
    {
        *width = cairo_image_surface_get_width(surface);
        *height = cairo_image_surface_get_height(surface);
        size_t stride = (size_t)cairo_image_surface_get_stride(surface);
        size_t row = (size_t)*width * sizeof *pixels;
        pixels = calloc((size_t)*height, row);
        for (size_t y = 0; pixels && y < (size_t)*height; y++)
        {
            uint32_t *line = pixels + y * (size_t)*width;
            memcpy(line, cairo_image_surface_get_data(surface) + y * stride, row);
            for (int x = 0; x < *width; x++)
                line[x] &= 0xffffff;
        }
    }
    cairo_surface_destroy(surface);
    return pixels;
}

bool show_rig_redraw(const char *svg, const char *png, const char *width)
{
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0)
    {
        (void)execlp("rsvg-convert", "rsvg-convert", "-w", width, "-o", png, svg, (char *)NULL);
        _exit(127);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
