// A pedestrian wants to walk east and meets a round pillar: first order, q' = P(U), |q| >= 1,
// U = (1, 0). Exact: tan(angle/2) = tan(1.4) exp(-t) until the angle is pi/2 at t = 1.757493.
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

static int wish(double t, const double *q, double *velocity, void *user)
{
    (void)t, (void)q, (void)user;
    velocity[0] = 1;
    velocity[1] = 0;
    return 0;
}

static int pillar(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    double r = hypot(at->q[0], at->q[1]), normal[] = {at->q[0] / r, at->q[1] / r};
    return thud_rows_push(
        rows, &(thud_row){.gap = r - 1, .count = 2, .index = (int[]){0, 1}, .slope = normal});
}

static int watch(const thud_view *view, void *user)
{
    (void)user;
    double exact = 2 * atan(tan(1.4) * exp(-view->t));
    printf("t = %.1f  angle %.4f  exact %.4f\n", view->t, atan2(view->q[1], view->q[0]), exact);
    return 0;
}

int main(void)
{
    thud_state *state;
    thud_work *work;
    const double times[] = {0.5, 1, 1.5};
    thud_inclusion problem = {.dim = 2,
                              .order = THUD_FIRST_ORDER,
                              .force = wish,
                              .force_is_steady = true,
                              .gaps = pillar};
    thud_observer observer = {watch, THUD_OUTPUT_TIMES, NULL};
    thud_run_def run = {
        .end = 3, .outputs = times, .output_count = 3, .observers = &observer, .observer_count = 1};
    thud_state_def start = {.dim = 2, .h = 1e-3, .q = (double[]){cos(2.8), sin(2.8)}};
    thud_state_create(&start, &state);
    thud_work_create(NULL, &work);
    thud_status status = thud_run(&problem, state, work, &run, NULL);
    printf("%s: walked to x = %.3f\n", thud_status_text(status), state->q[0]);
    thud_work_destroy(work);
    thud_state_destroy(state);
    return status < 0;
}
