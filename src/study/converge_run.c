// One run of a study: the scene at another step, every step measured as it is taken.
#include "study/study.h"

#include "core/fault.h"
#include "core/mass.h"
#include "study/gauss.h"

#include <math.h>
#include <string.h>

// Of a step: a sample at the end of a step belongs to it, however its time was rounded.
static const double TIME_ROUNDING = 1e-9;

typedef struct measuring
{
    thud_converge *study;
    thudi_reference *reference;
    thud_converge_run *run;
    bool keep;
    double *before, *impulse, *push; // q and L at the start of the step, L of the step
    double *q, *u, *exact;           // of the reference
    const thud_view *view;
    double from, h;
    double last; // |L_h - L| at the point last looked at
    int sampled;
} measuring;

static void measure_at(double t, double weight, void *user)
{
    measuring *m = user;
    double part = (t - m->from) / m->h, off_u = 0, off_q = 0, off = 0;
    thudi_reference_at(m->reference, t, m->q, m->u, m->exact);
    for (int k = 0; k < m->study->dim; k++)
    {
        double q = m->before[k] + part * (m->view->state->q[k] - m->before[k]);
        double l = m->impulse[k] + part * m->push[k];
        off_u += (m->view->state->u[k] - m->u[k]) * (m->view->state->u[k] - m->u[k]);
        off_q += (q - m->q[k]) * (q - m->q[k]);
        off += (l - m->exact[k]) * (l - m->exact[k]);
    }
    m->last = sqrt(off);
    m->run->error[THUD_NORM_U] += weight * sqrt(off_u);
    m->run->error[THUD_NORM_IMPULSE] += weight * m->last;
    // not a maximum that would lose a NAN
    if (!(sqrt(off_q) <= m->run->error[THUD_NORM_Q]))
        m->run->error[THUD_NORM_Q] = sqrt(off_q);
}

// The step that ends at view->t, as far as it is before the end of the study.
static void measure_step(measuring *m, double to)
{
    double end = m->reference->end, a = m->from, b = to < end ? to : end;
    if (m->keep || a >= end)
        return;
    while (a < b)
    {
        double split = thudi_reference_next_split(m->reference, a);
        double next = split < b ? split : b;
        thudi_gauss(a, next, measure_at, m);
        measure_at(next, 0, m); // q_h is farthest from q where q turns, and at nodes
        a = next;
    }
}

// The q of this step at the sample times in it.
static void sample_step(measuring *m, double to)
{
    thud_converge *study = m->study;
    double *samples = thudi_study_samples(study, (int)(m->run - study->runs));
    double start = m->reference->start, length = m->reference->end - start;
    for (; m->sampled < study->sample_count; m->sampled++)
    {
        double t = start + length * (m->sampled + 1) / study->sample_count;
        if (t > to + TIME_ROUNDING * m->h)
            return;
        double part = (t - m->from) / m->h;
        for (int k = 0; k < study->dim; k++)
            samples[(size_t)m->sampled * (size_t)study->dim + (size_t)k] =
                m->before[k] + part * (m->view->state->q[k] - m->before[k]);
    }
}

// Every velocity that a coordinate has, would have without constraints, or is given by the force.
static void note_speed(const measuring *m, const thud_view *view)
{
    double time = m->reference->end - m->reference->start, *speed = &m->study->speed;
    bool first = view->problem->order == THUD_FIRST_ORDER;
    for (int k = 0; k < m->study->dim; k++)
    {
        double force =
            view->report->mean_force[k] / (first ? 1 : thudi_mass(view->problem->mass, k));
        double most = fmax(fabs(view->report->w[k]), fabs(view->state->u[k]));
        *speed = fmax(*speed, fmax(most, fabs(force) * (first ? 1 : time)));
    }
}

static int observe(const thud_view *view, void *user)
{
    measuring *m = user;
    const thud_state *state = view->state;
    double to = thud_state_time(state);
    if (view->report)
    {
        double scale = view->problem->order == THUD_FIRST_ORDER ? state->h : 1;
        m->view = view;
        note_speed(m, view);
        for (int k = 0; k < m->study->dim; k++)
            m->push[k] =
                scale * thudi_mass(view->problem->mass, k) * (state->u[k] - view->report->w[k]);
        measure_step(m, to);
        sample_step(m, to);
        for (int k = 0; k < m->study->dim; k++)
            m->impulse[k] += m->push[k];
        m->run->steps++;
    }
    if (m->keep)
        thudi_reference_note(m->reference, state->n, state->q, state->u, m->impulse);
    memcpy(m->before, state->q, (size_t)m->study->dim * sizeof *m->before);
    m->from = to;
    return 0;
}

// NAN is the error of the reference itself: nothing else may have it.
static thud_status check_errors(const measuring *m)
{
    const double *error = m->run->error;
    if (m->reference->kind != THUD_REFERENCE_EXACT ||
        (isfinite(error[THUD_NORM_U]) && isfinite(error[THUD_NORM_Q]) &&
         isfinite(error[THUD_NORM_IMPULSE])))
        return THUD_OK;
    return thudi_fail(m->study->fault, THUD_ERR_NOT_FINITE, THUDI_NOWHERE, "",
                      "with step %g: the exact solution is not finite at some time of the run",
                      m->h);
}

static thud_status run_model(measuring *m, thud_model *model)
{
    thud_converge *study = m->study;
    thud_work *work = NULL;
    thud_work_def def = thud_model_work(model);
    thud_observer observer = {.observe = observe, .user = m};
    THUD_TRY(thud_work_create(&def, &work));
    thud_status status = thud_run(
        thud_model_problem(model), thud_model_state(model), work,
        &(thud_run_def){.end = m->reference->end, .observers = &observer, .observer_count = 1},
        NULL);
    if (status < 0)
        (void)thudi_fail(study->fault, status, THUDI_NOWHERE, "", "with step %g: %s", m->h,
                         thud_work_message(work));
    thud_work_destroy(work);
    return status < 0 ? status : check_errors(m);
}

// The scene at another step, with tolerances that shrink as it does.
static void set_scene(thud_converge *study, const thud_converge_run *run)
{
    thud_scene *scene = study->def.scene;
    scene->step = run->h;
    scene->tol = study->tol * run->part;
    scene->tol_a = study->tol_a * run->part;
    scene->tol_is_fixed = true; // tol follows the step here
    for (int i = 0; i < scene->constraint_count; i++)
    {
        study->constraints.items[i] = study->own_constraints[i];
        study->constraints.items[i].shift *= run->part;
    }
    if (scene->constraint_count > 0)
        scene->constraints = study->constraints.items;
}

static thud_status run_and_measure(measuring *m)
{
    thud_converge *study = m->study;
    thud_model *model = NULL;
    set_scene(study, m->run);
    thud_status status =
        thud_model_create(study->def.scene, &study->allocator, &model, study->fault);
    if (status >= 0)
        status = run_model(m, model);
    thud_model_destroy(model);
    if (status >= 0 && !m->keep)
        m->run->error[THUD_NORM_IMPULSE] += m->last;
    for (int k = 0; k < THUD_NORM_COUNT && m->keep; k++)
        m->run->error[k] = NAN;
    return status;
}

thud_status thudi_study_run(thud_converge *study, int run, bool keep)
{
    size_t dim = (size_t)study->dim, size = 6 * dim * sizeof(double);
    double *room = thudi_allocate_zeroed(&study->allocator, size);
    if (!room)
        return THUD_ERR_MEMORY;
    measuring m = {.study = study,
                   .reference = &study->reference,
                   .run = &study->runs[run],
                   .keep = keep,
                   .before = room,
                   .impulse = room + dim,
                   .push = room + 2 * dim,
                   .q = room + 3 * dim,
                   .u = room + 4 * dim,
                   .exact = room + 5 * dim,
                   .h = study->runs[run].h};
    thud_status status = run_and_measure(&m);
    thudi_free(&study->allocator, room, size);
    return status;
}
