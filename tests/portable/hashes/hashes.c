// The states of scenes in one number: each is run for so many steps, and the hash of every state
// goes into that of the next. The last step is verified. Built for other processors, this program
// must print the same.
//
//     hashes STEPS SCENE...
#include "thud/model_verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run
{
    thud_scene *scene;
    thud_model *model;
    thud_work *work;
    thud_state *before; // the state before the last step
} run;

static thud_status start(run *r, const char *path, thud_fault *fault)
{
    thud_scene_def def = {.path = path};
    thud_status status = thud_scene_read(&def, &r->scene, fault);
    if (status >= 0)
        status = thud_model_create(r->scene, NULL, &r->model, fault);
    if (status < 0)
        return status;
    const thud_state *state = thud_model_state(r->model);
    thud_work_def work = thud_model_work(r->model);
    thud_state_def before = {.dim = state->dim, .h = state->h, .q = state->q};
    status = thud_work_create(&work, &r->work);
    return status < 0 ? status : thud_state_create(&before, &r->before);
}

static thud_status go(run *r, int steps, uint64_t *hash)
{
    thud_state *state = thud_model_state(r->model);
    thud_status status = THUD_OK;
    for (int n = 0; n < steps && status >= 0; n++)
    {
        status = thud_state_copy(r->before, state);
        if (status >= 0)
            status = thud_step(thud_model_problem(r->model), state, r->work);
        *hash = thud_state_hash(state, *hash);
    }
    return status;
}

// The last step, as a recorded one: with its mean force and its rows of obstacles.
static thud_status verify(const run *r, thud_verdict *verdict)
{
    const thud_report *report = thud_work_report(r->work);
    size_t rows = report->rows ? (size_t)thud_rows_count(report->rows) : 0;
    thud_direction *directions = malloc((rows + 1) * sizeof *directions);
    if (!directions)
        return THUD_ERR_MEMORY;
    int count = rows > 0 ? thud_model_directions(r->model, report->rows, directions) : 0;
    thud_status status = thud_model_verify_recorded(r->model, r->before, thud_model_state(r->model),
                                                    report->mean_force, directions, count, verdict);
    free(directions);
    return status;
}

// Print a line of a scene; false when something failed.
static bool print_scene(const char *path, int steps)
{
    run r = {0};
    thud_fault fault = {0};
    thud_verdict verdict = {0};
    uint64_t hash = 0;
    const char *name = strrchr(path, '/');
    thud_status status = start(&r, path, &fault);
    if (status >= 0)
        status = go(&r, steps, &hash);
    if (status >= 0)
        status = verify(&r, &verdict);
    (void)printf("%-22s %016" PRIx64 " %s\n", name ? name + 1 : path, hash,
                 status < 0      ? thud_status_name(status)
                 : verdict.holds ? "verified"
                                 : "WRONG");
    if (status < 0)
        (void)fprintf(stderr, "hashes: %s: %s\n", path, fault.text);
    (void)fflush(stdout);
    thud_state_destroy(r.before);
    thud_work_destroy(r.work);
    thud_model_destroy(r.model);
    thud_scene_destroy(r.scene);
    return status >= 0 && verdict.holds;
}

int main(int argc, char **argv)
{
    bool fine = argc > 2;
    for (int i = 2; i < argc; i++)
        fine = print_scene(argv[i], (int)strtol(argv[1], NULL, 10)) && fine;
    return fine ? 0 : 1;
}
