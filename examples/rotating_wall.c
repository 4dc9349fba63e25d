// A wall through the origin turns at rate 1 and sweeps a point along: g = -x sin t + y cos t >= 0,
// no force. On the wall the distance s from the axis obeys s'' = s, so s = cosh t from s(0) = 1.
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

static int wall(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    double normal[] = {-sin(at->t), cos(at->t)};
    return thud_rows_push(rows, &(thud_row){.gap = normal[0] * at->q[0] + normal[1] * at->q[1],
                                            .count = 2,
                                            .index = (int[]){0, 1},
                                            .slope = normal});
}

static int watch(const thud_view *view, void *user)
{
    (void)user;
    printf("t = %.2f  distance from the axis %.4f  cosh t = %.4f\n", view->t,
           hypot(view->q[0], view->q[1]), cosh(view->t));
    return 0;
}

int main(void)
{
    thud_state *state;
    thud_work *work;
    thud_tally tally;
    const double times[] = {0.25, 0.5, 0.75, 1};
    thud_smoothness smooth = {.gap_tt = 2, .gap_tq = 1}; // |q| < 2 on [0, 1]
    thud_inclusion problem = {.dim = 2, .gaps = wall, .smooth = &smooth};
    thud_observer observer = {watch, THUD_OUTPUT_TIMES, NULL};
    thud_run_def run = {
        .end = 1, .outputs = times, .output_count = 4, .observers = &observer, .observer_count = 1};
    thud_state_def start = {
        .dim = 2, .h = 1.0 / 2048, .q = (double[]){1, 0}, .u = (double[]){0, 1}};
    thud_state_create(&start, &state);
    thud_work_create(NULL, &work);
    thud_status status = thud_run(&problem, state, work, &run, &tally);
    printf("%s, between nodes no deeper than %.1e\n", thud_status_text(status), tally.between);
    thud_work_destroy(work);
    thud_state_destroy(state);
    return status < 0;
}
