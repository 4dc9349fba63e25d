// A point runs into a corner of 40 degrees: y >= 0, x sin a - y cos a >= 0, no force. It meets the
// floor at t = 0.4 and stops in the vertex at t = 1.5, pushed by both walls at once.
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

static int walls(const thud_moment *at, thud_rows *rows, void *user)
{
    const double *a = user, *q = at->q;
    const double slope[2][2] = {{0, 1}, {sin(*a), -cos(*a)}};
    for (int i = 0; i < 2; i++)
        thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                         .gap = slope[i][0] * q[0] + slope[i][1] * q[1],
                                         .count = 2,
                                         .index = (int[]){0, 1},
                                         .slope = slope[i]});
    return 0;
}

static int watch(const thud_view *view, void *user)
{
    double *total = user; // the impulse of each wall so far
    for (int i = 0; view->report && i < 2; i++)
        total[i] += view->report->answer.mu[i];
    return 0;
}

int main(void)
{
    thud_state *state;
    thud_work *work;
    double angle = 40 * acos(-1) / 180, total[2] = {0, 0};
    thud_inclusion problem = {.dim = 2, .gaps = walls, .user = &angle};
    thud_observer observer = {watch, THUD_EVERY_STEP, total};
    thud_run_def run = {.end = 3, .observers = &observer, .observer_count = 1};
    thud_state_def start = {
        .dim = 2, .h = 0.01, .q = (double[]){1.5, 0.1}, .u = (double[]){-1, -0.25}};
    thud_state_create(&start, &state);
    thud_work_create(NULL, &work);
    thud_status status = thud_run(&problem, state, work, &run, NULL);
    printf("%s: speed %.6f, impulses %.6f (exact %.6f) and %.6f (exact %.6f)\n",
           thud_status_text(status), hypot(state->u[0], state->u[1]), total[0],
           0.25 + 1 / tan(angle), total[1], 1 / sin(angle));
    thud_work_destroy(work);
    thud_state_destroy(state);
    return status < 0;
}
