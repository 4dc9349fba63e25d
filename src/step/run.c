// A run: steps until an end time, observers at nodes and at output times, the worst of everything.
//
// Between nodes q_h is affine and u_h = u_n+1; output times never change the steps.
#include "thud/run.h"
#include "core/memory.h"
#include "step/work.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Of the sizes added up: a time t0 + n h is rounded twice, the end that it is compared with too.
static const double TIME_ROUNDING = 4 * DBL_EPSILON;

typedef struct runner
{
    const thud_inclusion *problem;
    const thud_run_def *def;
    thud_state *state;
    const thud_report *report; // NULL before the first step
    double *before;            // q_n, length dim
    double *between;           // q_h at an output time, length dim
    int next_output;
} runner;

static int show(const runner *r, thud_when when, double t, const double *q)
{
    thud_view view = {t, q, r->state->u, r->state, r->report, r->problem};
    int stop = 0;
    for (int i = 0; i < r->def->observer_count; i++)
        if (r->def->observers[i].when == when)
            stop |= r->def->observers[i].observe(&view, r->def->observers[i].user) != 0;
    return stop;
}

// t_n >= end, where a difference of n ulps is rounding.
bool thud_run_is_over(const thud_state *state, double end)
{
    double slack = TIME_ROUNDING * (fabs(state->t0) + (double)state->n * state->h + fabs(end));
    return thud_state_time(state) >= end - fmin(slack, state->h / 2);
}

// Show the output times in (t_before, t_now]; the first call shows those at t_now only.
static int show_outputs(runner *r, double t_before)
{
    const thud_state *state = r->state;
    double now = thud_state_time(state);
    int stop = 0;
    // the last node may miss the end by rounding: an output time there belongs to it
    double latest = thud_run_is_over(state, r->def->end) ? fmax(now, r->def->end) : now;
    for (; r->next_output < r->def->output_count; r->next_output++)
    {
        double t = r->def->outputs[r->next_output];
        if (t > latest)
            break;
        if (t < t_before || (t == t_before && r->report))
            continue; // before the run, or shown at the node already
        double part = r->report ? (t - t_before) / (now - t_before) : 1;
        for (int k = 0; k < state->dim; k++)
            r->between[k] =
                r->report ? r->before[k] + part * (state->q[k] - r->before[k]) : state->q[k];
        stop |= show(r, THUD_OUTPUT_TIMES, t, t >= now ? state->q : r->between);
    }
    return stop;
}

static thud_status run_steps(runner *r, thud_work *work, thud_tally *tally)
{
    size_t size = (size_t)r->state->dim * sizeof(double);
    int stop = show(r, THUD_EVERY_STEP, thud_state_time(r->state), r->state->q);
    stop |= show_outputs(r, thud_state_time(r->state));
    while (!thud_run_is_over(r->state, r->def->end))
    {
        if (stop || thudi_is_stopped(&work->stop))
            return THUD_STOPPED;
        double t_before = thud_state_time(r->state);
        memcpy(r->before, r->state->q, size);
        thud_status status = thud_step(r->problem, r->state, work);
        if (status == THUD_ERR_STOPPED)
            return THUD_STOPPED;
        THUD_TRY(status);
        r->report = thud_work_report(work);
        thud_tally_add(tally, r->report);
        stop = show(r, THUD_EVERY_STEP, thud_state_time(r->state), r->state->q);
        stop |= show_outputs(r, t_before);
    }
    if (stop)
        return THUD_STOPPED; // also at the last node: an observer that failed must be heard
    return tally->news ? THUD_NEWS : THUD_OK;
}

thud_status thud_run(const thud_inclusion *problem, thud_state *state, thud_work *work,
                     const thud_run_def *def, thud_tally *tally)
{
    thud_tally own;
    if (!tally)
        tally = &own;
    if (!isfinite(def->end) || def->output_count < 0 || def->observer_count < 0)
        return THUD_ERR_ARGUMENT;
    if ((def->output_count > 0 && (!def->outputs || isnan(def->outputs[0]))) ||
        (def->observer_count > 0 && !def->observers))
        return THUD_ERR_ARGUMENT;
    for (int i = 1; i < def->output_count; i++)
        if (!(def->outputs[i] > def->outputs[i - 1]))
            return THUD_ERR_ARGUMENT;
    for (int i = 0; i < def->observer_count; i++)
        if (!def->observers[i].observe)
            return THUD_ERR_ARGUMENT;
    *tally = thud_tally_begin();
    size_t size = (size_t)state->dim * sizeof(double);
    double *room = thudi_allocate_zeroed(&state->allocator, 2 * size);
    if (!room)
        return THUD_ERR_MEMORY;
    runner r = {problem, def, state, NULL, room, room + state->dim, 0};
    thudi_stop before = work->stop;
    work->stop.was_seen = false;
    if (def->stop || def->deadline > 0)
        thud_work_set_stop(work, def->stop, def->deadline);
    thud_status status = run_steps(&r, work, tally);
    work->stop = before;
    thudi_free(&state->allocator, room, 2 * size);
    return status;
}
