// The impact log as a library: what it finds in a log of all steps, what it refuses, lack of
// memory.
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>
#include <thud/impacts.h>
#include <unistd.h>

// A scene that was run, with a log of every `stride`-th step.
typedef struct past
{
    char folder[64];
    thud_scene *scene;
    thud_model *model;
    thud_log *log;
} past;

typedef struct writer
{
    thud_record *record;
    thud_state *before;
    int stride;
} writer;

static int write_step(const thud_view *view, void *user)
{
    writer *w = user;
    const thud_state *after = view->state;
    thud_frame frame = {.dim = after->dim, .q = after->q, .u = after->u, .t = view->t};
    if (view->report)
        frame = (thud_frame){.n = w->before->n,
                             .t = thud_state_time(w->before),
                             .h = after->h,
                             .dim = after->dim,
                             .q = w->before->q,
                             .u = w->before->u,
                             .u_next = after->u,
                             .force = view->report->mean_force,
                             .before = w->before->multipliers,
                             .before_count = w->before->multiplier_count,
                             .after = after->multipliers,
                             .after_count = after->multiplier_count};
    if (after->n % w->stride == 0)
        CHECK(thud_record_frame(w->record, &frame) == THUD_OK);
    CHECK(thud_state_copy(w->before, after) == THUD_OK);
    return 0;
}

static bool run_past(past *p, const char *path, int stride)
{
    thud_fault fault = {0};
    thud_work *work = NULL;
    writer w = {.stride = stride};
    *p = (past){.folder = "/tmp/thud-impacts-XXXXXX"};
    bool made = mkdtemp(p->folder) &&
                thud_scene_read(&(thud_scene_def){.path = path}, &p->scene, &fault) == THUD_OK &&
                thud_model_create(p->scene, NULL, &p->model, &fault) == THUD_OK;
    CHECK(made);
    if (!made)
        return false;
    thud_state *state = thud_model_state(p->model);
    thud_work_def def = thud_model_work(p->model);
    thud_observer observer = {.observe = write_step, .user = &w};
    thud_record_def record = {.folder = p->folder, .dim = state->dim, .replace = true};
    made =
        thud_work_create(&def, &work) == THUD_OK &&
        thud_state_create(&(thud_state_def){.dim = state->dim, .h = state->h, .q = state->q},
                          &w.before) == THUD_OK &&
        thud_record_create(&record, &w.record, &fault) == THUD_OK &&
        thud_run(thud_model_problem(p->model), state, work,
                 &(thud_run_def){.end = p->scene->end, .observers = &observer, .observer_count = 1},
                 NULL) >= 0 &&
        thud_record_close(w.record, &fault) == THUD_OK &&
        thud_log_open(p->folder, NULL, &p->log, &fault) == THUD_OK;
    thud_state_destroy(w.before);
    thud_work_destroy(work);
    if (!made)
        test_fail(__FILE__, __LINE__, "%s: %s", path, fault.text);
    return made;
}

static void forget(past *p)
{
    static const char *const files[] = {"frames.thud", "series.csv", "lock"};
    char path[128];
    thud_log_close(p->log);
    thud_model_destroy(p->model);
    thud_scene_destroy(p->scene);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    {
        (void)snprintf(path, sizeof path, "%s/%s", p->folder, files[i]);
        (void)unlink(path);
    }
    (void)rmdir(p->folder);
}

// A ball on a floor: the impulse 2 at t = 1, then its weight.
static void floor_of_the_catalogue(void)
{
    past p;
    thud_impacts *impacts = NULL;
    if (run_past(&p, CATALOGUE "/V02.yaml", 1))
    {
        thud_impacts_def def = {.scene = p.scene, .model = p.model, .log = p.log};
        CHECK(thud_impacts_create(&def, &impacts, NULL) == THUD_OK);
    }
    if (impacts)
    {
        thud_impacts_result found = thud_impacts_view(impacts);
        CHECK(found.impact_count == 1 && found.contact_count == 1 && found.coordinate_count == 1);
        const thud_impact *impact = found.impacts;
        double h = p.scene->step;
        CHECK_NEAR(impact->t, 1, 2 * h);
        CHECK_NEAR(found.contacts[0].impulse, 2, 5 * h);
        CHECK_NEAR(found.contacts[0].before, -2, 5 * h);
        CHECK_NEAR(found.before[0], -2, 5 * h);
        CHECK_NEAR(found.after[0], 0, 1e-13);
        CHECK_NEAR(impact->residual, 0, 1e-13);
        CHECK_NEAR(found.atoms + found.density, 2 * p.scene->end, 1e-11); // momentum
        CHECK(found.contacts[0].is_atom && impact->last_step == impact->first_step + 1);
    }
    thud_impacts_destroy(impacts);
    forget(&p);
}

static void refused(void)
{
    past p;
    thud_impacts *impacts = NULL;
    thud_fault fault = {0};
    if (run_past(&p, CATALOGUE "/V02.yaml", 3))
    {
        thud_impacts_def def = {.scene = p.scene, .model = p.model, .log = p.log};
        CHECK(thud_impacts_create(&def, &impacts, &fault) == THUD_ERR_ARGUMENT && !impacts);
        CHECK(strstr(fault.text, "steps are recorded") && strstr(fault.hint, "record=all"));
        def.factor = -1;
        CHECK(thud_impacts_create(&def, &impacts, &fault) == THUD_ERR_ARGUMENT && !impacts);
    }
    forget(&p);
    if (run_past(&p, CATALOGUE "/V15b.yaml", 1))
    {
        thud_impacts_def def = {.scene = p.scene, .model = p.model, .log = p.log};
        CHECK(thud_impacts_create(&def, &impacts, &fault) == THUD_ERR_ARGUMENT && !impacts);
        CHECK(strstr(fault.text, "order 1"));
    }
    forget(&p);
    thud_impacts_destroy(NULL);
}

static void lack_of_memory(const char *path, int count)
{
    past p;
    bool done = !run_past(&p, path, 1);
    for (long fail_at = 1; !done; fail_at++)
    {
        test_meter meter = {.fail_at = fail_at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_impacts *impacts = NULL;
        thud_impacts_def def = {
            .scene = p.scene, .model = p.model, .log = p.log, .allocator = &allocator};
        thud_status status = thud_impacts_create(&def, &impacts, NULL);
        done = status == THUD_OK || fail_at > 200;
        CHECK(status == THUD_OK || status == THUD_ERR_MEMORY);
        if (impacts)
            CHECK(thud_impacts_view(impacts).impact_count == count);
        thud_impacts_destroy(impacts);
        CHECK(meter.blocks == 0);
    }
    forget(&p);
}

static void failing_memory(void)
{
    lack_of_memory(CATALOGUE "/V06-40.yaml", 2);
    lack_of_memory(SCENES "/two_hits.yaml", 2);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"floor", floor_of_the_catalogue},
        {"refused", refused},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
