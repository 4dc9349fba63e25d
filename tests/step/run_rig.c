// One body that flies or drops, and an observer that writes down what it sees.
#include "run_rig.h"

int run_observe(const thud_view *view, void *user)
{
    run_log *r = user;
    if (r->count < RUN_LOG)
    {
        r->t[r->count] = view->t;
        r->q[r->count] = view->q[0];
        r->u[r->count] = view->u[0];
        r->had_report[r->count] = view->report != NULL;
    }
    CHECK(view->state && view->problem && view->t <= thud_state_time(view->state) + 1e-9);
    r->count++;
    return r->count == r->stop_at ? 5 : 0;
}

// One body in free run_flight, u = 2.
const thud_inclusion run_free_flight = {.dim = 1};

rig run_flight(double t0, double h)
{
    thud_state_def def = {.dim = 1, .t0 = t0, .h = h, .q = (double[]){1}, .u = (double[]){2}};
    return rig_start(&def, NULL);
}

static int fall(double t, const double *q, double *f, void *user)
{
    (void)t;
    (void)q;
    (void)user;
    f[0] = -1;
    return 0;
}

int run_ground(const thud_moment *at, thud_rows *rows, void *user)
{
    thud_row row = {.key = {1}, .gap = at->q[0], .count = 1};
    (void)user;
    row.index = (int[]){0};
    row.slope = (double[]){1};
    return thud_rows_push(rows, &row);
}

const thud_inclusion run_drop = {
    .dim = 1, .force = fall, .force_is_steady = true, .gaps = run_ground};
