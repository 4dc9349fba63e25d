// The prediction:  w = u_n + h M^-1 f_n  (second order),  w = U_n  (first order), with f_n or U_n
// the mean over the step at the frozen position q_n; f_n includes the drag -c M u_n. First order
// with noise: w = U_n + s N / sqrt(h).
#include "step/quadrature.h"
#include "step/work.h"

#include "core/mass.h"
#include "core/math/finite.h"
#include "core/math/normal.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

static thud_status mean_by_impulse(const thud_inclusion *problem, const thud_state *state,
                                   double t_next, thud_work *work)
{
    double *mean = work->mean_force.items;
    if (problem->impulse(thud_state_time(state), t_next, state->q, mean, problem->user) != 0)
        return THUD_ERR_CALLBACK;
    for (int k = 0; k < problem->dim; k++)
        mean[k] /= state->h;
    return THUD_OK;
}

static void fail_lost(const thud_inclusion *problem, const thud_state *state, int lost,
                      thud_work *work)
{
    char t[THUDI_TEXT_NUMBER_SIZE], name[300] = "the force";
    if (problem->kinks->describe)
        problem->kinks->describe(lost, name, sizeof name, problem->kinks->user);
    thudi_text_number(t, thud_state_time(state));
    thudi_work_fail(
        work,
        "step %lld (t = %s): %s: it has too many jumps or kinks within the step to find "
        "them all; use a smaller step, or give its integral",
        (long long)state->n + 1, t, name);
}

// Component k of the force, or in first order of the wanted velocity, is not finite at t.
static void fail_not_finite(const thud_inclusion *problem, const thud_state *state, int k,
                            double value, double t, thud_work *work)
{
    char start[THUDI_TEXT_NUMBER_SIZE], when[THUDI_TEXT_NUMBER_SIZE],
        number[THUDI_TEXT_NUMBER_SIZE];
    thudi_work_fail(work, "step %lld (t = %s): component %d of the %s is %s at t = %s",
                    (long long)state->n + 1, thudi_text_number(start, thud_state_time(state)), k,
                    problem->order == THUD_FIRST_ORDER ? "velocity" : "force",
                    isnan(value) ? "nan" : thudi_text_number(number, value),
                    thudi_text_number(when, t));
}

static thud_status mean_by_quadrature(const thud_inclusion *problem, const thud_state *state,
                                      double t_next, thud_work *work)
{
    THUD_TRY(thudi_array_reserve(&work->allocator, &work->scratch, 5 * (size_t)problem->dim));
    thudi_quadrature rule = {
        .problem = problem,
        .q = state->q,
        .tolerance = work->def.quadrature_tolerance,
        .limit = work->def.quadrature_limit,
        .scratch = work->scratch.items,
        .stop = &work->stop,
        .lost = -1,
        .bad = -1,
    };
    thud_status status =
        thudi_quadrature_mean(&rule, thud_state_time(state), t_next, work->mean_force.items);
    work->report.force_evaluations = rule.evaluations;
    work->report.quadrature_error = rule.error;
    if (rule.lost >= 0)
        fail_lost(problem, state, rule.lost, work);
    else if (rule.bad >= 0)
        fail_not_finite(problem, state, rule.bad, rule.bad_value, rule.bad_time, work);
    return status;
}

static thud_status mean_force(const thud_inclusion *problem, const thud_state *state,
                              thud_work *work)
{
    double *mean = work->mean_force.items;
    double t_next = fma((double)(state->n + 1), state->h, state->t0);
    if (problem->impulse)
        return mean_by_impulse(problem, state, t_next, work);
    if (!problem->force)
    {
        memset(mean, 0, (size_t)problem->dim * sizeof *mean);
        return THUD_OK;
    }
    if (!problem->force_is_steady)
        return mean_by_quadrature(problem, state, t_next, work);
    work->report.force_evaluations = 1;
    double t = thud_state_time(state);
    if (problem->force(t, state->q, mean, problem->user) != 0)
        return THUD_ERR_CALLBACK;
    for (int k = 0; k < problem->dim; k++)
        if (!isfinite(mean[k]))
        {
            fail_not_finite(problem, state, k, mean[k], t, work);
            return THUD_ERR_NOT_FINITE;
        }
    return THUD_OK;
}

static void fail(thud_status status, const thud_state *state, thud_work *work)
{
    char t[THUDI_TEXT_NUMBER_SIZE], error[THUDI_TEXT_NUMBER_SIZE];
    thudi_text_number(t, thud_state_time(state));
    thudi_text_number(error, work->report.quadrature_error);
    if (thud_work_message(work)[0] != '\0')
        return; // said already
    if (status == THUD_ERR_QUADRATURE)
        thudi_work_fail(work,
                        "step %lld (t = %s): the mean force missed its tolerance after %d "
                        "evaluations (relative error about %s); declare its breaks or give its "
                        "integral",
                        (long long)state->n + 1, t, work->report.force_evaluations, error);
    else
        thudi_work_fail(work, "step %lld (t = %s): the force: %s", (long long)state->n + 1, t,
                        thud_status_text(status));
}

// A new segment counts its steps from 0 again, at another time: that is another stream.
static double normal_of(const thud_inclusion *problem, const thud_state *state, int k)
{
    uint64_t start;
    memcpy(&start, &state->t0, sizeof start);
    return thudi_normal(problem->seed ^ thudi_mix(start), (uint64_t)state->n, (uint32_t)k);
}

// How accurate the projection is to be: h^2 a is h^2 |f| / m in second order, so that no force
// is smaller than the tolerance. In first order nothing but w moves a body: a = |w| / h.
static void choose_pull(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    for (int k = 0; k < problem->dim; k++)
        work->pull.items[k] = thudi_mass(problem->mass, k) * (work->w.items[k] / state->h);
}

// f - c M u into the mean force.
static void add_drag(const thud_inclusion *problem, const thud_state *state, double *mean)
{
    for (int k = 0; k < problem->dim; k++)
        mean[k] -= problem->drag * thudi_mass(problem->mass, k) * state->u[k];
}

static void write_prediction(const thud_inclusion *problem, const thud_state *state,
                             const double *mean, double *w)
{
    const double *mass = problem->mass, *u = state->u, h = state->h;
    int dim = problem->dim;
    if (problem->order == THUD_FIRST_ORDER)
        memcpy(w, mean, (size_t)dim * sizeof *w);
    else if (mass)
        for (int k = 0; k < dim; k++)
            w[k] = u[k] + h * (mean[k] / mass[k]);
    else
        for (int k = 0; k < dim; k++)
            w[k] = u[k] + h * mean[k];
    for (int k = 0; k < dim && problem->noise > 0; k++)
        w[k] += problem->noise * normal_of(problem, state, k) / sqrt(h);
}

thud_status thudi_predict(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    double *mean = work->mean_force.items, *w = work->w.items;
    if (problem->order == THUD_FIRST_ORDER)
        THUD_TRY(thudi_array_reserve(&work->allocator, &work->pull, (size_t)problem->dim));
    thud_status status = mean_force(problem, state, work);
    if (status >= 0 && problem->drag > 0)
        add_drag(problem, state, mean);
    if (status >= 0)
    {
        write_prediction(problem, state, mean, w);
        status = thudi_all_finite(w, problem->dim) ? status : THUD_ERR_NOT_FINITE;
    }
    if (status < 0)
        fail(status, state, work);
    else if (problem->order == THUD_FIRST_ORDER)
        choose_pull(problem, state, work);
    work->report.mean_force = mean;
    work->report.w = w;
    return status;
}
