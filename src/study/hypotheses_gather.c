// What the theorem asks for, measured at the start of a scene or at frames of a run.
#include "core/fault.h"
#include "core/mass.h"
#include "core/memory.h"
#include "run/recorded/frame_nodes.h"
#include "run/recorded/recorded.h"
#include "thud/findings.h"
#include "thud/warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PART_OF_LENGTH = 0.1; // rho, unless it is given

enum
{
    FORCE_SAMPLES = 200, // of f over the run, when there is none yet
    TIME_SAMPLES = 50,   // of constraints that move
    MANY = 3000          // coordinates: a tenth of the samples must do
};

// The length on which things change: the smallest radius; for an inclusion its largest gap.
static double find_length(const thud_facts *facts, const thud_inclusion *problem)
{
    const thud_scene *scene = facts->scene;
    double length = scene->kind == THUD_SCENE_SPHERES ? INFINITY : 0;
    for (int i = 0; i < scene->body_count; i++)
        length = fmin(length, scene->bodies[i].sphere.radius);
    if (scene->kind == THUD_SCENE_SPHERES)
        return length;
    thud_rows *rows = NULL;
    thud_site site = {.t = scene->start,
                      .h = scene->step,
                      .q = thud_model_state(facts->model)->q,
                      .reach = 1,
                      .length = 1};
    thud_status status = thud_rows_create(problem->dim, NULL, &rows);
    if (status >= 0)
        status = thud_site_rows(problem, &site, rows);
    for (int i = 0; status >= 0 && i < thud_rows_count(rows); i++)
        length = fmax(length, fabs(thud_rows_get(rows, i, NULL).gap));
    thud_rows_destroy(rows);
    return length > 0 && isfinite(length) ? length : 1;
}

static void note_kink(const char *what, const char *name, const thud_expression *expression,
                      void *user)
{
    thud_facts *facts = user;
    const thud_expression_traits *traits = thud_expression_view(expression);
    if (facts->kink[0] == '\0')
        (void)snprintf(facts->kink, sizeof facts->kink, "%s '%.80s': \"%.120s\" (column %d)", what,
                       name, traits->text, traits->kink_in_time);
}

// Does any constraint depend on time, near or not?
static bool has_motion(const thud_scene *scene)
{
    bool moves = thud_varying_is_given(&scene->cell.shear);
    for (int i = 0; i < scene->wall_count; i++)
        moves = moves || scene->walls[i].moves;
    for (int i = 0; i < scene->obstacle_count; i++)
        moves = moves || scene->obstacles[i].moves;
    for (int i = 0; i < scene->body_count; i++)
        moves = moves || scene->bodies[i].growth;
    for (int i = 0; i < scene->constraint_count; i++)
        moves = moves || thud_varying_uses_time(&scene->constraints[i].gap);
    return moves;
}

static void begin(thud_facts *facts, const thud_facts_def *def)
{
    const thud_inclusion *problem = thud_model_problem(facts->model);
    facts->length = find_length(facts, problem);
    facts->rho = def->rho > 0 ? def->rho : PART_OF_LENGTH * facts->length;
    facts->bounds.alpha.value = INFINITY;
    facts->safe_step = INFINITY;
    facts->active.worst.gamma = facts->near.worst.gamma = 0;
    facts->support.value = -INFINITY;
    facts->moves = has_motion(facts->scene);
    facts->kinks = thud_scene_each_kink(facts->scene, note_kink, facts);
    facts->concave = thud_model_find_concave(facts->model);
}

static void raise_to(thud_extreme *worst, thud_extreme other)
{
    if (other.value > worst->value || isnan(other.value))
        *worst = other;
}

static void add_bounds(thud_facts *facts, const thud_bounds *bounds)
{
    thud_bounds *all = &facts->bounds;
    all->rows = bounds->rows > all->rows ? bounds->rows : all->rows;
    all->unknown = bounds->unknown > all->unknown ? bounds->unknown : all->unknown;
    if (!(bounds->alpha.value >= all->alpha.value))
        all->alpha = bounds->alpha;
    raise_to(&all->beta, bounds->beta);
    raise_to(&all->gap_t, bounds->gap_t);
    facts->moves = facts->moves || bounds->gap_t.value != 0;
    raise_to(&all->slope_t, bounds->slope_t);
    raise_to(&all->curvature, bounds->curvature);
    raise_to(&all->gap_tt, bounds->gap_tt);
    if (bounds->concavity.value < all->concavity.value)
        all->concavity = bounds->concavity;
}

// The rows of most weight, in order.
static void name_setters(const thud_rows *rows, double *weight, thud_facts_gamma *gamma)
{
    gamma->setter_count = 0;
    while (gamma->setter_count < THUD_SETTERS)
    {
        int most = -1;
        for (int i = 0; i < thud_rows_count(rows); i++)
            if (weight[i] > 0 && (most < 0 || weight[i] > weight[most]))
                most = i;
        if (most < 0)
            return;
        gamma->setter[gamma->setter_count++] = thud_rows_get(rows, most, NULL).key;
        weight[most] = 0;
    }
}

static thud_status measure_gamma(const thud_facts *facts, const thud_rows *rows,
                                 const thud_site *site, double reach, thud_facts_gamma *gamma,
                                 double *value)
{
    size_t count = (size_t)thud_rows_count(rows);
    bool *use = calloc(count + 1, sizeof *use);
    double *weight = calloc(count + 1, sizeof *weight);
    thud_status status = use && weight ? THUD_OK : THUD_ERR_MEMORY;
    thud_independence found;
    for (size_t i = 0; status >= 0 && i < count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, (int)i, &room);
        use[i] = reach > 0 ? row.gap <= reach : thud_row_touches(&row, site->length);
    }
    thud_independence_def def = {.mass = thud_model_problem(facts->model)->mass, .use = use};
    if (status >= 0)
        status = thud_independence_measure(rows, &def, &found, NULL, weight);
    *value = status < 0 ? NAN : found.gamma;
    if (status >= 0 && (found.gamma > gamma->worst.gamma || gamma->worst.rows == 0))
    {
        gamma->worst = found;
        gamma->t = site->t;
        name_setters(rows, weight, gamma);
    }
    free(use);
    free(weight);
    return status;
}

static thud_status measure_site(thud_facts *facts, const thud_site *site)
{
    const thud_inclusion *problem = thud_model_problem(facts->model);
    thud_rows *rows = NULL;
    thud_bounds bounds;
    thud_force_bounds force;
    double active, near = NAN;
    THUD_TRY(thud_bounds_measure(problem, site, &bounds));
    add_bounds(facts, &bounds);
    THUD_TRY(thud_force_measure(problem, site, &force));
    facts->force_size = fmax(facts->force_size, force.size);
    facts->lipschitz = fmax(facts->lipschitz, force.lipschitz);
    facts->is_lower = force.is_lower;
    THUD_TRY(thud_rows_create(problem->dim, NULL, &rows));
    thud_status status = thud_site_rows(problem, site, rows);
    if (status >= 0)
        status = measure_gamma(facts, rows, site, 0, &facts->active, &active);
    if (status >= 0)
        status = measure_gamma(facts, rows, site, facts->rho, &facts->near, &near);
    thud_rows_destroy(rows);
    facts->safe_step = fmin(facts->safe_step, thud_safe_step(&bounds, facts->rho, near));
    facts->looks++;
    return status;
}

static thud_site site_of(const thud_facts *facts, double t, const double *q)
{
    return (thud_site){
        .t = t, .h = facts->scene->step, .q = q, .reach = facts->rho, .length = facts->length};
}

static thud_status measure_start(thud_facts *facts)
{
    const thud_state *state = thud_model_state(facts->model);
    thud_site site = site_of(facts, facts->scene->start, state->q);
    THUD_TRY(
        thud_boundary_measure(thud_model_problem(facts->model), &site, state->u, &facts->start));
    return measure_site(facts, &site);
}

// The integral of |f| over the run with the bodies held where they start.
static thud_status integrate_force(thud_facts *facts)
{
    const thud_state *state = thud_model_state(facts->model);
    double part = (facts->scene->end - facts->scene->start) / FORCE_SAMPLES;
    for (int i = 0; i < FORCE_SAMPLES; i++)
    {
        thud_force_bounds force;
        thud_site site = site_of(facts, facts->scene->start + i * part, state->q);
        site.h = part;
        THUD_TRY(thud_force_measure(thud_model_problem(facts->model), &site, &force));
        facts->force_integral += force.size * part;
        facts->force_size = fmax(facts->force_size, force.size);
        facts->lipschitz = fmax(facts->lipschitz, force.lipschitz);
    }
    return THUD_OK;
}

// Time derivatives over the whole run, with the bodies held where they start.
static thud_status sample_motion(thud_facts *facts)
{
    const thud_inclusion *problem = thud_model_problem(facts->model);
    int count = problem->dim > MANY ? TIME_SAMPLES / 10 : TIME_SAMPLES;
    for (int i = 0; i < count && facts->moves; i++)
    {
        thud_bounds bounds;
        double part = (i + 0.5) / count;
        double t = facts->scene->start + part * (facts->scene->end - facts->scene->start);
        thud_site site = site_of(facts, t, thud_model_state(facts->model)->q);
        THUD_TRY(thud_bounds_measure(problem, &site, &bounds));
        raise_to(&facts->bounds.gap_t, bounds.gap_t);
        raise_to(&facts->bounds.slope_t, bounds.slope_t);
        raise_to(&facts->bounds.gap_tt, bounds.gap_tt);
    }
    facts->safe_step = thud_safe_step(&facts->bounds, facts->rho, facts->near.worst.gamma);
    return THUD_OK;
}

thud_status thud_facts_of_scene(const thud_scene *scene, thud_model *model,
                                const thud_facts_def *def, thud_facts *facts)
{
    *facts = (thud_facts){.scene = scene, .model = model};
    begin(facts, def);
    thud_status status = measure_start(facts);
    if (status >= 0)
        status = sample_motion(facts);
    if (status >= 0)
        status = integrate_force(facts);
    return status;
}

// What a step is taken again with.
typedef struct again
{
    thud_work *work;
    thud_state *state;
} again;

static double norm_of(const thud_facts *facts, const double *v, const double *less)
{
    const double *mass = thud_model_problem(facts->model)->mass;
    double sum = 0;
    for (int k = 0; k < thud_model_problem(facts->model)->dim; k++)
    {
        double part = less ? v[k] - less[k] : v[k];
        sum += thudi_mass(mass, k) * part * part;
    }
    return sqrt(sum);
}

static double force_norm(const thud_facts *facts, const double *force)
{
    const double *mass = thud_model_problem(facts->model)->mass;
    double sum = 0;
    for (int k = 0; k < thud_model_problem(facts->model)->dim; k++)
        sum += force[k] * force[k] / thudi_mass(mass, k);
    return sqrt(sum);
}

// The step is taken again, which gives all its rows; what does not come out as recorded is
// recomputed, as far as that can be done.
static thud_status add_mass(thud_facts *facts, const thudi_nodes *nodes, const thud_frame *frame,
                            const again *step)
{
    thud_mass mass;
    const thud_inclusion *problem = thud_model_problem(facts->model);
    thud_site site = site_of(facts, frame->t, frame->q);
    THUD_TRY(thud_state_copy(step->state, nodes->before));
    thud_status status = thud_step(problem, step->state, step->work);
    bool is_same = status >= 0 &&
                   memcmp(step->state->u, frame->u_next, (size_t)frame->dim * sizeof(double)) == 0;
    const thud_rows *rows = is_same ? thud_work_report(step->work)->rows : NULL;
    THUD_TRY(
        thud_mass_measure(problem, nodes->before, nodes->after, frame->force, rows, &site, &mass));
    if (mass.loaded == 0)
        return THUD_OK;
    bool is_free = mass.pulls || isinf(mass.bound);
    facts->loaded_steps++;
    facts->total_mass += mass.mass;
    raise_to(&facts->support, mass.support);
    if (mass.unknown > 0)
    {
        facts->unjudged_steps++;
        return THUD_OK;
    }
    facts->free_steps += is_free && mass.holds;
    facts->held_steps += mass.holds && !is_free;
    if (!is_free && mass.mass / mass.bound > facts->worst_part)
    {
        facts->worst_part = mass.mass / mass.bound;
        facts->worst_time = thud_state_time(nodes->after);
    }
    return THUD_OK;
}

// Frames are looked at closely so that there are `looks` of them at most, the last among them.
static bool is_chosen(int64_t frame, int64_t count, int64_t looks)
{
    if (looks == 0 || count <= looks)
        return true;
    return (count - 1 - frame) % ((count + looks - 1) / looks) == 0;
}

typedef struct walk
{
    thud_facts *facts;
    thudi_nodes nodes;
    again again;
    int64_t count, looks;
    double *u;   // where the frame before ended
    double last; // and when
} walk;

static thud_status visit(walk *w, int64_t i, const thud_frame *frame)
{
    thud_facts *facts = w->facts;
    THUD_TRY(thudi_nodes_fill(&w->nodes, facts->scene, frame));
    const thud_state *after = w->nodes.after;
    size_t size = (size_t)frame->dim * sizeof(double);
    if (i > 0)
        facts->variation += norm_of(facts, frame->u, w->u);
    facts->largest_speed = fmax(facts->largest_speed, norm_of(facts, frame->u, NULL));
    if (frame->h > 0)
    {
        double t = thud_state_time(after);
        facts->variation += norm_of(facts, frame->u_next, frame->u);
        facts->largest_speed = fmax(facts->largest_speed, norm_of(facts, frame->u_next, NULL));
        facts->force_integral += force_norm(facts, frame->force) * (t - w->last);
        w->last = t;
    }
    memcpy(w->u, after->u, size);
    if (frame->h == 0 || !is_chosen(i, w->count, w->looks))
        return THUD_OK;
    thud_site site = site_of(facts, thud_state_time(after), after->q);
    site.is_end = true;
    site.multipliers = after->multipliers;
    site.multiplier_count = after->multiplier_count;
    THUD_TRY(measure_site(facts, &site));
    return add_mass(facts, &w->nodes, frame, &w->again);
}

static thud_status visit_all(const thud_recorded *run, walk *w, thud_fault *fault)
{
    const thud_state *start = thud_model_state(w->facts->model);
    thud_work_def def = thud_model_work(w->facts->model);
    THUD_TRY(thud_work_create(&def, &w->again.work));
    THUD_TRY(thud_state_create(&(thud_state_def){.dim = start->dim, .h = start->h, .q = start->q},
                               &w->again.state));
    THUD_TRY(measure_start(w->facts));
    THUD_TRY(thudi_nodes_make(&w->nodes, thud_log_view(run->log).dim));
    w->u = calloc((size_t)thud_log_view(run->log).dim, sizeof *w->u);
    if (!w->u)
        return THUD_ERR_MEMORY;
    for (int64_t i = 0; i < w->count; i++)
    {
        thud_frame frame;
        THUD_TRY(thud_log_frame(run->log, i, &frame, fault));
        THUD_TRY(visit(w, i, &frame));
    }
    return THUD_OK;
}

thud_status thud_facts_of_run(const thud_recorded *run, const thud_facts_def *def,
                              thud_facts *facts, thud_fault *fault)
{
    thud_fault own;
    thud_log_summary log = thud_log_view(run->log);
    fault = thudi_fault_begin(fault, &own);
    *facts = (thud_facts){.scene = run->scene, .model = run->model, .is_run = true};
    facts->frames = log.frame_count;
    facts->first = log.first_node;
    facts->steps = log.step_count > log.first_node ? log.step_count - 1 - log.first_node : 0;
    double start = fma((double)log.first_node, run->scene->step, run->scene->start);
    walk w = {.facts = facts, .count = log.frame_count, .looks = def->looks, .last = start};
    begin(facts, def);
    thud_status status = visit_all(run, &w, fault);
    thudi_nodes_free(&w.nodes);
    thud_work_destroy(w.again.work);
    thud_state_destroy(w.again.state);
    free(w.u);
    return thudi_fault_end(fault, status);
}
