// A point slides off a fixed disc of radius 1 under gravity 1, from the top at speed 1/2. Theory:
// it leaves where cos(angle) = 3/4, at t = 1.167743.
#include <math.h>
#include <stdio.h>
#include <thud/thud.h>

static int gravity(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = 0;
    f[1] = -1;
    return 0;
}

static int disc(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    double r = hypot(at->q[0], at->q[1]), normal[] = {at->q[0] / r, at->q[1] / r};
    return thud_rows_push(
        rows, &(thud_row){.gap = r - 1, .count = 2, .index = (int[]){0, 1}, .slope = normal});
}

int main(void)
{
    thud_state *state;
    thud_work *work;
    thud_inclusion problem = {.dim = 2, .force = gravity, .force_is_steady = true, .gaps = disc};
    thud_state_def start = {.dim = 2, .h = 1e-3, .q = (double[]){0, 1}, .u = (double[]){0.5, 0}};
    thud_state_create(&start, &state);
    thud_work_create(NULL, &work);
    thud_status status = THUD_OK;
    do // step by hand until the disc no longer pushes
        status = thud_step(&problem, state, work);
    while (status >= 0 && thud_work_report(work)->answer.mu[0] > 0);
    printf("%s: left at t = %.3f (1.168) with cos(angle) = %.4f (0.7500)\n",
           thud_status_text(status), thud_state_time(state),
           state->q[1] / hypot(state->q[0], state->q[1]));
    thud_work_destroy(work);
    thud_state_destroy(state);
    return status < 0;
}
