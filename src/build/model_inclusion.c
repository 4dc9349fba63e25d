// A scene of coordinates and constraints made into an inclusion: everything by expressions.
#include "build/model.h"
#include "core/math/random_numbers.h"

#include <math.h>
#include <string.h>

// Of its terms: a constraint violated by less holds at the start, up to rounding.
static const double START_ROUNDING = 1e-12;

// Of the values compared: what is above a chord by less may be on it. Expressions may cancel.
static const double CHORD_ROUNDING = 1e-9;

static int write_force(double t, const double *q, double *f, void *user)
{
    const thud_model *model = user;
    const thud_scene *scene = model->scene;
    for (int k = 0; k < scene->coordinate_count; k++)
        f[k] = thud_varying_at_point(&scene->coordinates[k].force, t, q, model->room);
    return 0;
}

static int write_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    const thud_model *model = user;
    const thud_scene *scene = model->scene;
    for (int k = 0; k < scene->coordinate_count; k++)
    {
        const thud_varying *whole = &scene->coordinates[k].impulse;
        impulse[k] = thud_varying_at_point(whole, t_next, q, model->room) -
                     thud_varying_at_point(whole, t, q, model->room);
    }
    return 0;
}

static int push_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const thud_model *model = user;
    const thud_scene *scene = model->scene;
    for (int i = 0; i < scene->constraint_count; i++)
    {
        const thud_scene_constraint *constraint = &scene->constraints[i];
        const thud_expression_traits *traits = thud_expression_view(constraint->gap.expression);
        thud_jet jet = {.gradient = model->gradient};
        thud_varying_differentiate(&constraint->gap, at->t, at->q, model->room, &jet);
        thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                         .gap = jet.value,
                                         .shift = constraint->shift,
                                         .law = constraint->rule.law,
                                         .numbers = constraint->rule.numbers,
                                         .count = traits->coordinate_count,
                                         .index = traits->coordinate,
                                         .slope = model->gradient});
    }
    return 0;
}

static void find_forces(thud_model *model)
{
    const thud_scene *scene = model->scene;
    thud_inclusion *problem = &model->problem;
    problem->force_is_steady = thudi_model_is_steady(model);
    for (int k = 0; k < scene->coordinate_count; k++)
    {
        const thud_scene_coordinate *coordinate = &scene->coordinates[k];
        if (thud_varying_is_given(&coordinate->impulse))
            problem->impulse = write_impulse;
        if (thud_varying_is_given(&coordinate->force))
            problem->force = write_force;
    }
}

// What the scene says of smoothness; else 0 where all constraints are affine in time, else unknown.
static void find_smoothness(thud_model *model)
{
    const thud_scene *scene = model->scene;
    bool affine = true;
    for (int i = 0; i < scene->constraint_count; i++)
        affine = affine && thudi_model_is_affine(model, &scene->constraints[i].gap);
    model->smooth = scene->smooth;
    if (isnan(model->smooth.gap_tt) && affine)
        model->smooth.gap_tt = 0;
    if (isnan(model->smooth.gap_tq) && affine)
        model->smooth.gap_tq = 0;
    if (!isnan(model->smooth.gap_tt) && !isnan(model->smooth.gap_tq))
        model->problem.smooth = &model->smooth;
}

static thud_status make_state(thud_model *model)
{
    const thud_scene *scene = model->scene;
    size_t size = 2 * (size_t)scene->coordinate_count * sizeof(double);
    double *start = thudi_allocate_zeroed(&model->allocator, size);
    if (!start)
        return THUD_ERR_MEMORY;
    double *velocity = start + scene->coordinate_count;
    for (int k = 0; k < scene->coordinate_count; k++)
    {
        start[k] = scene->coordinates[k].start;
        velocity[k] = scene->coordinates[k].velocity;
    }
    thud_status status = thud_state_create(&(thud_state_def){.dim = scene->coordinate_count,
                                                             .t0 = scene->start,
                                                             .h = scene->step,
                                                             .q = start,
                                                             .u = velocity,
                                                             .allocator = &model->allocator},
                                           &model->state);
    thudi_free(&model->allocator, start, size);
    return status;
}

// How large the terms of a constraint are: its rounding is a small part of this.
static double constraint_size(const thud_model *model, const thud_expression_traits *traits,
                              const thud_jet *jet)
{
    double size = fabs(jet->t * model->scene->start);
    for (int j = 0; j < traits->coordinate_count; j++)
        size += fabs(jet->gradient[j] * model->state->q[traits->coordinate[j]]);
    return size;
}

// A constraint that is violated at the start, or no number there, is a mistake of the scene: the
// scheme would jump to the nearest position that is allowed.
static thud_status check_start(const thud_model *model, thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    for (int i = 0; i < scene->constraint_count; i++)
    {
        const thud_scene_constraint *constraint = &scene->constraints[i];
        thud_jet jet = {.gradient = model->gradient};
        char number[THUD_NUMBER_SIZE];
        thud_varying_differentiate(&constraint->gap, scene->start, model->state->q, model->room,
                                   &jet);
        const thud_expression_traits *traits = thud_expression_view(constraint->gap.expression);
        if (jet.value >= -START_ROUNDING * constraint_size(model, traits, &jet))
            continue;
        (void)thudi_fail_unplaced(fault, THUD_ERR_SCENE,
                                  "change the start, so that the constraint is >= 0 there",
                                  "constraint '%s' is %s at the start", constraint->name,
                                  thud_number_write(number, jet.value));
        thudi_fault_place(fault, &constraint->place);
        return THUD_ERR_SCENE;
    }
    return THUD_OK;
}

thud_status thudi_model_inclusion(thud_model *model, thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    int dim = scene->coordinate_count;
    model->mass = thudi_allocate_zeroed(&model->allocator, (size_t)dim * sizeof *model->mass);
    if (!model->mass)
        return THUD_ERR_MEMORY;
    for (int k = 0; k < dim; k++)
        model->mass[k] = scene->coordinates[k].mass;
    model->problem = (thud_inclusion){.dim = dim,
                                      .order = scene->order,
                                      .law = scene->law,
                                      .noise = scene->noise,
                                      .seed = scene->seed,
                                      .mass = model->mass,
                                      .breaks = scene->breaks,
                                      .break_count = scene->break_count,
                                      .drag = scene->drag,
                                      .gaps = scene->constraint_count > 0 ? push_gaps : NULL,
                                      .name = thudi_model_name,
                                      .name_user = model,
                                      .user = model};
    find_forces(model);
    find_smoothness(model);
    THUD_TRY(make_state(model));
    return check_start(model, fault);
}

enum
{
    SEGMENTS = 300 // tried for every constraint
};

// A segment around the start, as long as the run may take the coordinates.
static void choose_segment(const thud_model *model, thudi_random *random, double *a, double *b)
{
    const thud_scene *scene = model->scene;
    double size = 0;
    for (int k = 0; k < scene->coordinate_count; k++)
        size = fmax(size, fabs(scene->coordinates[k].start) +
                              fabs(scene->coordinates[k].velocity) * (scene->end - scene->start));
    size = size > 0 ? size : 1;
    for (int k = 0; k < scene->coordinate_count; k++)
    {
        a[k] = model->state->q[k] + size * (2 * thudi_random_uniform(random) - 1);
        b[k] = model->state->q[k] + size * (2 * thudi_random_uniform(random) - 1);
    }
}

// g above its chord in the middle of a segment, by more than rounding.
static bool is_above_chord(const thud_model *model, const thud_varying *gap, double *a,
                           const double *b)
{
    double t = model->scene->start;
    double ends = thud_varying_at_point(gap, t, a, model->room) / 2 +
                  thud_varying_at_point(gap, t, b, model->room) / 2;
    for (int k = 0; k < model->scene->coordinate_count; k++)
        a[k] = a[k] / 2 + b[k] / 2;
    double middle = thud_varying_at_point(gap, t, a, model->room);
    return middle > ends + CHORD_ROUNDING * (fabs(middle) + fabs(ends));
}

int thud_model_find_concave(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    size_t size = 2 * (size_t)scene->coordinate_count * sizeof(double);
    double *a = model->world ? NULL : thudi_allocate_zeroed(&model->allocator, size);
    int found = -1;
    for (int i = 0; a && i < scene->constraint_count && found < 0; i++)
    {
        thudi_random random = thudi_random_start(1);
        const thud_varying *gap = &scene->constraints[i].gap;
        if (thud_expression_view(gap->expression)->is_affine_in_coordinates)
            continue;
        for (int n = 0; n < SEGMENTS && found < 0; n++)
        {
            choose_segment(model, &random, a, a + scene->coordinate_count);
            if (is_above_chord(model, gap, a, a + scene->coordinate_count))
                found = i;
        }
    }
    thudi_free(&model->allocator, a, size);
    return found;
}
