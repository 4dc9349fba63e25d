// A convergence study: which steps, which reference, all the runs.
#include "study/study.h"

#include "core/fault.h"

#include <math.h>
#include <string.h>

enum
{
    LEVELS = 6,
    SAMPLES = 128,
    MOST_SAMPLES = 1 << 22 // numbers kept of all runs together
};

// Steps of a finest run: more would take days, and numbers of steps must fit.
static const double MOST_STEPS = 1e9;

// Of a step: steps that are a power of two apart are so up to rounding.
static const double STEP_ROUNDING = 1e-9;

static const double NEAR = 4; // times the smallest step: runs below show too little of their error

static thud_status fail(thud_fault *fault, thud_status status, const char *text)
{
    return thudi_fail(fault, status, THUDI_NOWHERE, "", "%s", text);
}

static void plan_sequence(thud_converge *study, const char *name, double first, double ratio,
                          int levels)
{
    thud_converge_result *result = &study->result;
    thud_converge_sequence *s = &study->sequences[result->sequence_count];
    *s = (thud_converge_sequence){.name = name, .first = result->run_count, .count = levels};
    double h = first;
    for (int k = 0; k < levels; k++, h /= ratio)
        study->runs[result->run_count++] = (thud_converge_run){
            .sequence = result->sequence_count, .level = k, .h = h, .part = h / study->def.h};
    result->sequence_count++;
}

static void plan(thud_converge *study)
{
    int levels = study->def.levels, thirds = 1;
    double h = study->def.h, golden = 0.61803398874989485;
    // the most thirds whose smallest step is not below that of the halves
    for (double x = 3; x <= ldexp(1, levels - 1); x *= 3)
        thirds++;
    plan_sequence(study, "halves", h, 2, levels);
    plan_sequence(study, "thirds", h, 3, thirds < 3 ? 3 : thirds);
    plan_sequence(study, "golden", golden * h, 2, levels);
}

static int finest_of(const thud_converge *study)
{
    int finest = 0;
    for (int i = 1; i < study->result.run_count; i++)
        if (study->runs[i].h < study->runs[finest].h)
            finest = i;
    return finest;
}

double *thudi_study_samples(const thud_converge *study, int run)
{
    return study->samples.items + (size_t)run * (size_t)study->sample_count * (size_t)study->dim;
}

static thud_status make_room(thud_converge *study)
{
    size_t dim = (size_t)study->dim, runs = (size_t)study->result.run_count;
    size_t samples = MOST_SAMPLES / (dim * runs);
    study->sample_count = samples > SAMPLES ? SAMPLES : samples < 8 ? 8 : (int)samples;
    size_t count = runs * (size_t)study->sample_count * dim;
    THUD_TRY(thudi_array_reserve(&study->allocator, &study->samples, count));
    memset(study->samples.items, 0, count * sizeof(double));
    return thudi_array_reserve(&study->allocator, &study->constraints,
                               (size_t)study->def.scene->constraint_count + 1);
}

// The best reference there is; a finest run is made where there is no other.
static thud_status choose_reference(thud_converge *study)
{
    const thud_scene *scene = study->def.scene;
    thud_converge_result *result = &study->result;
    THUD_TRY(thudi_reference_open(&study->reference, scene, study->model, &study->allocator));
    result->why = "";
    if (scene->exact && !study->def.no_exact)
        return thudi_reference_use_exact(&study->reference);
    result->why = "";
    if (study->def.no_events)
        result->why = "no better one was asked for";
    else
        THUD_TRY(thudi_reference_use_events(&study->reference, &result->why));
    if (!*result->why)
        return THUD_OK;
    int finest = finest_of(study);
    double steps = ceil((scene->end - scene->start) / study->runs[finest].h) + 2;
    if (!(steps < MOST_STEPS))
        return THUD_ERR_LIMIT;
    return thudi_reference_use_finest(&study->reference, study->runs[finest].h, (int64_t)steps);
}

// The first step of the thirds is that of the halves.
static int twin_of(const thud_converge *study, int run)
{
    for (int i = 0; i < run; i++)
        if (study->runs[i].h == study->runs[run].h)
            return i;
    return -1;
}

static void copy_run(thud_converge *study, int from, int to)
{
    thud_converge_run *run = &study->runs[to];
    memcpy(run->error, study->runs[from].error, sizeof run->error);
    run->steps = study->runs[from].steps;
    memcpy(thudi_study_samples(study, to), thudi_study_samples(study, from),
           (size_t)study->sample_count * (size_t)study->dim * sizeof(double));
}

static thud_status make_runs(thud_converge *study)
{
    const thud_converge_def *def = &study->def;
    int count = study->result.run_count, done = 0;
    bool by_finest = study->reference.kind == THUD_REFERENCE_FINEST;
    int finest = by_finest ? finest_of(study) : -1;
    study->result.reference = study->reference.kind;
    for (int i = -1; i < count; i++)
    {
        int run = i < 0 ? finest : i; // the reference first
        int twin = run < 0 ? -1 : twin_of(study, run);
        if (run < 0 || (i >= 0 && i == finest))
            continue;
        if (def->progress && def->progress(done, count, def->user) != 0)
            return THUD_STOPPED;
        done++;
        if (twin >= 0)
            copy_run(study, twin, run);
        else
            THUD_TRY(thudi_study_run(study, run, i < 0));
    }
    thudi_study_find_verdict(study);
    return THUD_OK;
}

static thud_status check(const thud_converge_def *def, thud_fault *fault)
{
    if (!def->scene || def->h < 0 || (def->levels != 0 && def->levels < 3) ||
        def->levels > THUDI_LEVELS)
        return fail(fault, THUD_ERR_ARGUMENT, "a study needs 3 to 16 levels and a step above 0");
    if (def->h > def->scene->end - def->scene->start)
        return fail(fault, THUD_ERR_ARGUMENT, "the step is longer than the run");
    if (def->scene->noise > 0)
        return fail(fault, THUD_ERR_ARGUMENT,
                    "with noise, a path depends on the step and has no limit");
    return THUD_OK;
}

static thud_status work(thud_converge *study, thud_fault *fault)
{
    thud_scene *scene = study->def.scene;
    scene->step = study->def.h;
    THUD_TRY(thud_model_create(scene, &study->allocator, &study->model, fault));
    study->dim = thud_model_problem(study->model)->dim;
    thud_status status = make_room(study);
    if (status == THUD_OK)
        status = choose_reference(study);
    if (status == THUD_ERR_LIMIT)
        return fail(fault, status, "the finest run is too large to keep in memory");
    if (status < 0)
        return fail(fault, status, thud_status_text(status));
    return make_runs(study);
}

thud_status thud_converge_create(const thud_converge_def *def, thud_converge **out,
                                 thud_fault *fault)
{
    thud_fault own;
    *out = NULL;
    fault = thudi_fault_begin(fault, &own);
    THUD_TRY(check(def, fault));
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_converge *study = thudi_allocate_zeroed(&allocator, sizeof *study);
    if (!study)
        return fail(fault, THUD_ERR_MEMORY, thud_status_text(THUD_ERR_MEMORY));
    thud_scene *scene = def->scene;
    study->allocator = allocator;
    study->fault = fault;
    study->def = *def;
    study->def.h = def->h > 0 ? def->h : scene->step;
    study->def.levels = def->levels > 0 ? def->levels : LEVELS;
    study->step = scene->step;
    study->tol = scene->tol;
    study->tol_a = scene->tol_a;
    study->tol_is_fixed = scene->tol_is_fixed;
    study->own_constraints = scene->constraints;
    study->result.runs = study->runs;
    study->result.sequences = study->sequences;
    plan(study);
    thud_status status = work(study, fault);
    scene->step = study->step;
    scene->tol = study->tol;
    scene->tol_a = study->tol_a;
    scene->tol_is_fixed = study->tol_is_fixed;
    scene->constraints = study->own_constraints;
    if (status < 0 || status == THUD_STOPPED)
    {
        thud_converge_destroy(study);
        return thudi_fault_end(fault, status);
    }
    *out = study;
    return THUD_OK;
}

void thud_converge_destroy(thud_converge *study)
{
    if (!study)
        return;
    thud_allocator allocator = study->allocator;
    thudi_reference_close(&study->reference);
    thud_model_destroy(study->model);
    thudi_array_free(&allocator, &study->samples);
    thudi_array_free(&allocator, &study->constraints);
    thudi_free(&allocator, study, sizeof *study);
}

thud_converge_result thud_converge_view(const thud_converge *study)
{
    return study->result;
}

bool thud_converge_is_near(const thud_converge_result *result, int run)
{
    double finest = INFINITY;
    if (result->reference != THUD_REFERENCE_FINEST)
        return false;
    for (int i = 0; i < result->run_count; i++)
        finest = fmin(finest, result->runs[i].h);
    return result->runs[run].h < NEAR * finest * (1 - STEP_ROUNDING);
}
