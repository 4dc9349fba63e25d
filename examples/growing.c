// Two spheres at rest grow until they touch at t = 1 and push each other apart: radii
// 0.3 + 0.1 t^2 and 0.2 + 0.15 t^2, masses 1 and 3, centres 0.75 apart. Pair rows, key 0.
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

static int pair(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    double radii = 0.5 + 0.25 * at->t * at->t, d[3], slope[6];
    for (int k = 0; k < 3; k++)
        d[k] = at->q[3 + k] - at->q[k];
    double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; k++)
        slope[k] = -(slope[3 + k] = d[k] / distance);
    return thud_rows_push(rows, &(thud_row){.gap = distance - radii,
                                            .width = 3,
                                            .count = 2,
                                            .index = (int[]){0, 3},
                                            .slope = slope});
}

static int watch(const thud_view *view, void *user)
{
    (void)user;
    double apart = sqrt(pow(view->q[3] - view->q[0], 2) + pow(view->q[5] - view->q[2], 2));
    printf("t = %.1f  distance %.6f  radii %.6f\n", view->t, apart, 0.5 + 0.25 * view->t * view->t);
    return 0;
}

int main(void)
{
    thud_state *state;
    thud_work *work;
    const double mass[] = {1, 1, 1, 3, 3, 3}, times[] = {0.5, 1, 1.5, 2};
    thud_inclusion problem = {
        .dim = 6, .mass = mass, .gaps = pair, .smooth = &(thud_smoothness){.gap_tt = 0.5}};
    thud_observer observer = {watch, THUD_OUTPUT_TIMES, NULL};
    thud_run_def run = {
        .end = 2, .outputs = times, .output_count = 4, .observers = &observer, .observer_count = 1};
    thud_state_def start = {.dim = 6, .h = 1.0 / 256, .q = (double[]){0, 0, 0, 0.45, 0, 0.6}};
    thud_state_create(&start, &state);
    thud_work_create(NULL, &work);
    thud_status status = thud_run(&problem, state, work, &run, NULL);
    printf("%s, between nodes no deeper than %.2e\n", thud_status_text(status),
           thud_work_report(work)->between);
    thud_work_destroy(work);
    thud_state_destroy(state);
    return status < 0;
}
