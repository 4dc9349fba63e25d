// A study of one measure: the scene at h, h/2, h/4 ..., and what the last change means.
#include "thud/measured.h"

#include "core/fault.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum
{
    LEVELS = 4,
    MOST_LEVELS = 16,
    MOST_SEEDS = 1000
};

static const double SHRINKS = 0.75;  // changes that go on as h would have 0.5
static const double ROUNDING = 1e-9; // of a value: what is nearer than that is the same

struct thud_halving
{
    thud_allocator allocator;
    thud_halving_def def;
    thud_fault *fault;
    thud_halving_level levels[MOST_LEVELS];
    THUDI_ARRAY(double) values;          // by level, then by seed
    THUDI_ARRAY(double) t, track, guide; // of the present run
    size_t count;                        // of these
    int run;                             // number of the present run: level by level
    thud_status status;                  // of gathering
    bool is_missed;                      // some run did not reach the window
    thud_halving_result result;
};

static thud_status fail(thud_fault *fault, thud_status status, const char *text)
{
    return thudi_fail(fault, status, THUDI_NOWHERE, "", "%s", text);
}

// Part of all steps that is done when the present run is at time t: level k costs 2^k.
static double part_done(const thud_halving *study, double t)
{
    const thud_scene *scene = study->def.scene;
    int seeds = study->def.seeds, level = study->run / seeds;
    double one = ldexp(1, level), before = (one - 1) * seeds + one * (study->run % seeds);
    double part = (t - scene->start) / (scene->end - scene->start);
    return (before + one * part) / ((ldexp(1, study->def.levels) - 1) * seeds);
}

static int observe(const thud_model *model, const double *values, void *user)
{
    thud_halving *study = user;
    const thud_halving_def *def = &study->def;
    const thud_allocator *allocator = &study->allocator;
    size_t wanted = study->count + 1;
    (void)model;
    study->status = thudi_array_reserve(allocator, &study->t, wanted);
    if (study->status >= 0)
        study->status = thudi_array_reserve(allocator, &study->track, wanted);
    if (study->status >= 0)
        study->status = thudi_array_reserve(allocator, &study->guide, wanted);
    if (study->status < 0)
        return 1;
    study->t.items[study->count] = values[1];
    study->track.items[study->count] = values[def->column];
    study->guide.items[study->count] = values[def->guide];
    study->count++;
    return def->progress ? def->progress(part_done(study, values[1]), def->user) : 0;
}

// One run: its statistic, and steps added to those of the level.
static thud_status take_run(thud_halving *study, thud_scene *scene, int level, int seed)
{
    const thud_halving_def *def = &study->def;
    int64_t steps;
    thud_series_run_def run = {.scene = scene,
                               .h = study->levels[level].h,
                               .observe = observe,
                               .user = study,
                               .stop = def->stop,
                               .allocator = def->allocator};
    study->count = 0;
    study->run = level * def->seeds + seed;
    thud_status status = thud_series_run(&run, &steps, study->fault);
    if (status < 0 || study->status < 0 || status == THUD_STOPPED)
        return study->status < 0 ? study->status : status;
    thud_track track = {study->t.items, study->track.items, study->guide.items,
                        (int64_t)study->count};
    study->is_missed |= !thud_window_is_reached(&def->window, &track);
    study->values.items[study->run] = thud_statistic_find(def->statistic, &def->window, &track);
    study->levels[level].steps += steps;
    return THUD_OK;
}

// The scene with other seeds, read again.
static thud_status read_again(thud_halving *study, int seed, thud_scene **scene)
{
    thud_scene_def again = *study->def.source;
    again.sample = (uint64_t)seed;
    return thud_scene_read(&again, scene, study->fault);
}

static thud_status take_runs(thud_halving *study)
{
    for (int level = 0; level < study->def.levels; level++)
        for (int seed = 0; seed < study->def.seeds; seed++)
        {
            thud_scene *scene = seed == 0 ? study->def.scene : NULL;
            thud_status status = seed == 0 ? THUD_OK : read_again(study, seed, &scene);
            if (status >= 0)
                status = take_run(study, scene, level, seed);
            if (seed > 0)
                thud_scene_destroy(scene);
            if (status < 0 || status == THUD_STOPPED)
                return status;
        }
    return THUD_OK;
}

// Mean, standard deviation of one number per seed: of values, or of their changes from the level
// before.
static void describe(const thud_halving *study, int level, bool is_change, double *mean,
                     double *scatter)
{
    int seeds = study->def.seeds;
    const double *values = study->values.items + (size_t)level * (size_t)seeds;
    double sum = 0, squares = 0;
    for (int i = 0; i < seeds; i++)
        sum += values[i] - (is_change ? values[i - seeds] : 0);
    *mean = sum / seeds;
    for (int i = 0; i < seeds; i++)
    {
        double off = values[i] - (is_change ? values[i - seeds] : 0) - *mean;
        squares += off * off;
    }
    *scatter = seeds > 1 ? sqrt(squares / (seeds - 1)) : NAN;
}

static bool do_seeds_agree(const thud_halving *study)
{
    int seeds = study->def.seeds;
    for (int level = 0; level < study->def.levels; level++)
        for (int i = 1; i < seeds; i++)
        {
            const double *values = study->values.items + (size_t)level * (size_t)seeds;
            if (values[i] != values[0])
                return false;
        }
    return seeds > 1;
}

// Did no halving change anything, for no seed?
static bool is_steady(const thud_halving *study)
{
    for (int i = 1; i < study->def.levels; i++)
    {
        const thud_halving_level *level = &study->levels[i];
        if (fmax(fabs(level->change), level->change_spread) > ROUNDING * fabs(level->value))
            return false;
    }
    return true;
}

// Does each change stay below 3/4 of the one before? Two changes that shrink may be chance.
static bool do_changes_shrink(const thud_halving *study)
{
    for (int i = 2; i < study->def.levels; i++)
        if (!(fabs(study->levels[i].change) <= SHRINKS * fabs(study->levels[i - 1].change)))
            return false;
    return study->def.levels > 2;
}

// Standard errors within which a mean over `seeds` runs is chance: Student's t, 95 % two-sided.
static double chance_of(int seeds)
{
    static const double t[] = {12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27};
    int freedom = seeds - 1, known = sizeof t / sizeof *t;
    return freedom >= 1 && freedom <= known ? t[freedom - 1] : 2.23;
}

static thud_halving_verdict verdict_of(const thud_halving *study)
{
    int count = study->def.levels;
    const thud_halving_level *last = &study->levels[count - 1];
    for (int i = 0; i < count; i++)
        if (!isfinite(study->levels[i].value))
            return study->is_missed ? THUD_HALVING_NOT_REACHED : THUD_HALVING_NO_VALUE;
    double change = fabs(last->change);
    if (is_steady(study))
        return THUD_HALVING_STEADY;
    if (study->def.is_time && change <= (1 + ROUNDING) * last[-1].h)
        return THUD_HALVING_WITHIN_STEP;
    if (change <= chance_of(study->def.seeds) * last->change_spread && !study->result.seeds_agree)
        return THUD_HALVING_SCATTERED;
    return do_changes_shrink(study) ? THUD_HALVING_CONVERGING : THUD_HALVING_CHANGING;
}

static void find_verdict(thud_halving *study)
{
    int seeds = study->def.seeds, count = study->def.levels;
    thud_halving_result *result = &study->result;
    for (int i = 0; i < count; i++)
    {
        thud_halving_level *level = &study->levels[i];
        describe(study, i, false, &level->value, &level->scatter);
        level->change = level->change_spread = NAN;
        if (i == 0)
            continue;
        describe(study, i, true, &level->change, &level->change_spread);
        level->change_spread /= sqrt(seeds);
    }
    *result = (thud_halving_result){.levels = study->levels,
                                    .level_count = count,
                                    .values = study->values.items,
                                    .seed_count = seeds,
                                    .seeds_agree = do_seeds_agree(study),
                                    .left = NAN};
    result->verdict = verdict_of(study);
    if (result->verdict != THUD_HALVING_CONVERGING)
        return;
    // A scheme of first order halves its error at best, so a change that is smaller than half of
    // the one before is chance, as in counts.
    double before = 0, change = 0;
    for (int i = 1; i < count; i++)
    {
        before = change;
        change = fmax(fabs(study->levels[i].change), before / 2);
    }
    result->left = change * change / (before - change);
}

static thud_status check(const thud_halving_def *def, thud_fault *fault)
{
    if (def->levels < 2 || def->levels > MOST_LEVELS || !(def->h > 0))
        return fail(fault, THUD_ERR_ARGUMENT, "a study has 2 to 16 levels and a step above 0");
    if (def->seeds < 1 || def->seeds > MOST_SEEDS || (def->seeds > 1 && !def->source))
        return fail(fault, THUD_ERR_ARGUMENT, "a study has 1 to 1000 seeds, and reads its scene");
    if (def->h > def->scene->end - def->scene->start)
        return fail(fault, THUD_ERR_ARGUMENT, "the step is longer than the run");
    return THUD_OK;
}

thud_status thud_halving_create(const thud_halving_def *def, thud_halving **out, thud_fault *fault)
{
    thud_fault own;
    *out = NULL;
    fault = thudi_fault_begin(fault, &own);
    thud_halving_def full = *def;
    full.h = def->h != 0 ? def->h : def->scene->step;
    full.levels = def->levels != 0 ? def->levels : LEVELS;
    full.seeds = def->seeds != 0 ? def->seeds : 1;
    THUD_TRY(check(&full, fault));
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_halving *study = thudi_allocate_zeroed(&allocator, sizeof *study);
    if (!study)
        return fail(fault, THUD_ERR_MEMORY, thud_status_text(THUD_ERR_MEMORY));
    study->allocator = allocator;
    study->fault = fault;
    study->def = full;
    for (int i = 0; i < full.levels; i++)
        study->levels[i].h = ldexp(full.h, -i);
    size_t count = (size_t)full.levels * (size_t)full.seeds;
    thud_status status = thudi_array_reserve(&study->allocator, &study->values, count);
    if (status >= 0)
        status = take_runs(study);
    if (status < 0 || status == THUD_STOPPED)
    {
        thud_halving_destroy(study);
        return thudi_fault_end(fault, status);
    }
    find_verdict(study);
    *out = study;
    return THUD_OK;
}

void thud_halving_destroy(thud_halving *study)
{
    if (!study)
        return;
    thud_allocator allocator = study->allocator;
    thudi_array_free(&allocator, &study->values);
    thudi_array_free(&allocator, &study->t);
    thudi_array_free(&allocator, &study->track);
    thudi_array_free(&allocator, &study->guide);
    thudi_free(&allocator, study, sizeof *study);
}

thud_halving_result thud_halving_view(const thud_halving *study)
{
    return study->result;
}
