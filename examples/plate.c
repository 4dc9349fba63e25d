// A ball on an oscillating plate: z'' = -2, z >= sin(2 t). It lifts off at pi/12, falls back with
// an impact at 2.59123, and so on. Printed: each time that contact begins or ends.
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

static int gravity(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = -2;
    return 0;
}

static int plate(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    return thud_rows_push(rows, &(thud_row){.gap = at->q[0] - sin(2 * at->t),
                                            .count = 1,
                                            .index = (int[]){0},
                                            .slope = (double[]){1}});
}

static int watch(const thud_view *view, void *user)
{
    int *touching = user, touches = view->state->multiplier_count > 0;
    if (view->report && touches != *touching)
        printf("t = %.4f  z = %+.4f  %s\n", view->t, view->q[0], touches ? "landed" : "lifted off");
    *touching = view->report ? touches : 1;
    return 0;
}

int main(void)
{
    thud_state *state;
    thud_work *work;
    thud_tally tally;
    int touching;
    thud_inclusion problem = {.dim = 1, .force = gravity, .force_is_steady = true, .gaps = plate};
    thud_observer observer = {watch, THUD_EVERY_STEP, &touching};
    thud_run_def run = {.end = 6, .observers = &observer, .observer_count = 1};
    thud_state_def start = {.dim = 1, .h = 1.0 / 1024, .q = (double[]){0}, .u = (double[]){2}};
    thud_state_create(&start, &state);
    thud_work_create(NULL, &work);
    thud_status status = thud_run(&problem, state, work, &run, &tally);
    printf("%s after %lld steps, worst KKT residual below 1e-12: %s\n", thud_status_text(status),
           (long long)tally.steps, tally.kkt < 1e-12 ? "yes" : "no");
    thud_work_destroy(work);
    thud_state_destroy(state);
    return status < 0;
}
