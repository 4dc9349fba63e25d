// Which hypotheses hold, which fail, where, and what that means, in plain words.
#include "thud/findings.h"

#include "core/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// Of the speeds there are: bodies that approach more slowly keep their distance.
static const double NO_APPROACH = 1e-12;

typedef struct assessment
{
    const thud_facts *facts;
    thud_finding *findings;
    int count;
} assessment;

static thud_finding *add(assessment *j, const char *name, thud_holding holding, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

static thud_finding *add(assessment *j, const char *name, thud_holding holding, const char *format,
                         ...)
{
    thud_finding *finding = &j->findings[j->count++];
    va_list arguments;
    *finding = (thud_finding){.name = name, .holding = holding};
    va_start(arguments, format);
    (void)thudi_format_list(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
    return finding;
}

static void mean(thud_finding *finding, const char *text)
{
    (void)snprintf(finding->meaning, sizeof finding->meaning, "%s", text);
}

static void describe(const assessment *j, thud_key key, char text[200])
{
    thud_model_describe(j->facts->model, key, text, 200);
}

static bool is_affine(const thud_scene *scene)
{
    bool affine = scene->kind == THUD_SCENE_INCLUSION;
    for (int i = 0; i < scene->constraint_count; i++)
        affine =
            affine &&
            thud_expression_view(scene->constraints[i].gap.expression)->is_affine_in_coordinates;
    return affine;
}

// Containers that are round inside: their gaps are concave.
static const char *round_container(const thud_scene *scene)
{
    for (int i = 0; i < scene->obstacle_count; i++)
    {
        thud_solid_kind kind = scene->obstacles[i].solid.kind;
        if (kind == THUD_INSIDE_DRUM || kind == THUD_INSIDE_CONE || kind == THUD_INSIDE_BALL)
            return scene->obstacles[i].name;
    }
    return NULL;
}

static void assess_convexity(assessment *j)
{
    const thud_facts *facts = j->facts;
    const char *container = round_container(facts->scene);
    char where[200];
    if (container)
        mean(add(j, "convex", THUD_FAILS, "the inside of wall '%s' is round: its gaps are concave",
                 container),
             "tangent planes keep bodies inside, and every step is proved; the theorem does not "
             "cover this");
    else if (facts->scene->kind == THUD_SCENE_SPHERES)
        (void)add(j, "convex", THUD_HOLDS, "distances between bodies and to walls are convex");
    else if (facts->concave >= 0 || facts->bounds.concavity.value < 0)
    {
        describe(
            j, facts->concave >= 0 ? thud_key_number(facts->concave) : facts->bounds.concavity.key,
            where);
        mean(add(j, "convex", THUD_FAILS, "%s is not convex in the coordinates", where),
             "a feasible velocity does not ensure a feasible position; a run verifies every step "
             "and stops where the position is not feasible");
    }
    else if (is_affine(facts->scene))
        (void)add(j, "convex", THUD_HOLDS, "all constraints are affine in the coordinates");
    else
        (void)add(j, "convex", THUD_HOLDS,
                  "no Hessian that was examined has a negative eigenvalue");
}

// A0: every g is smooth some way beyond g = 0.
static void assess_room(assessment *j)
{
    const thud_scene *scene = j->facts->scene;
    char number[THUD_NUMBER_SIZE];
    if (scene->kind == THUD_SCENE_SPHERES)
        (void)add(j, "A0", THUD_HOLDS,
                  "distances are smooth until centres meet; smallest radius %s",
                  thud_words_short(number, j->facts->length));
    else if (is_affine(scene))
        (void)add(j, "A0", THUD_HOLDS, "all constraints are smooth everywhere");
    else
        (void)add(j, "A0", THUD_UNKNOWN,
                  "not measured: g must be smooth up to some distance beyond g = 0");
}

static void assess_slopes(assessment *j)
{
    const thud_bounds *bounds = &j->facts->bounds;
    char low[THUD_NUMBER_SIZE], high[THUD_NUMBER_SIZE], where[200];
    if (isinf(bounds->alpha.value))
    {
        (void)add(j, "A1", THUD_HOLDS, "no constraint is near; |grad g| <= beta = %s",
                  thud_words_short(high, bounds->beta.value));
        return;
    }
    bool holds = bounds->alpha.value > 0 && isfinite(bounds->beta.value);
    describe(j, holds ? bounds->beta.key : bounds->alpha.key, where);
    thud_finding *finding =
        add(j, "A1", holds ? THUD_HOLDS : THUD_FAILS, "alpha = %s <= |grad g| <= beta = %s%s%s",
            thud_words_short(low, bounds->alpha.value), thud_words_short(high, bounds->beta.value),
            holds ? "" : ", at ", holds ? "" : where);
    if (!holds)
        mean(finding, "where its gradient vanishes, a constraint does not limit velocities, and "
                      "its multiplier has no bound");
}

// A2, A3 or A5: a bound of a derivative in time. Kinks count against all but the first.
static void assess_time(assessment *j, const char *name, const char *what,
                        const thud_extreme *worst)
{
    char number[THUD_NUMBER_SIZE], where[200];
    bool is_kinked = name[1] != '2' && j->facts->kinks > 0;
    bool is_bad = !isfinite(worst->value), is_named = worst->value > 0;
    describe(j, worst->key, where);
    thud_finding *finding =
        add(j, name, is_kinked || is_bad ? THUD_FAILS : THUD_HOLDS, "%s <= %s%s%s%s%s", what,
            thud_words_short(number, worst->value), is_named ? ", at " : "", is_named ? where : "",
            is_kinked ? "; kink in t: " : "", is_kinked ? j->facts->kink : "");
    if (is_kinked)
        mean(finding, "each step is still proved; convergence is not covered at the kinks, and "
                      "there is no bound between the steps");
}

// A row of a solid (see thud/spheres.h) is by the direction that a step chose: differences of such
// say nothing.
static bool is_of_solid(const thud_scene *scene, thud_key key)
{
    return scene->obstacle_count > 0 &&
           thud_key_read(key, thud_scene_keys(scene)).kind == THUD_KEY_SURFACE;
}

static void assess_curvature(assessment *j)
{
    const thud_bounds *bounds = &j->facts->bounds;
    char number[THUD_NUMBER_SIZE], where[200];
    bool is_bad = !isfinite(bounds->curvature.value);
    if (is_of_solid(j->facts->scene, bounds->curvature.key))
    {
        (void)add(j, "A4", THUD_UNKNOWN, "not measured where bodies touch solids");
        return;
    }
    describe(j, bounds->curvature.key, where);
    thud_finding *finding =
        add(j, "A4",
            is_bad                ? THUD_FAILS
            : bounds->unknown > 0 ? THUD_UNKNOWN
                                  : THUD_HOLDS,
            "|D2g| <= %s%s%s", thud_words_short(number, bounds->curvature.value),
            bounds->curvature.value > 0 ? ", at " : "", bounds->curvature.value > 0 ? where : "");
    if (bounds->unknown > 0)
        (void)snprintf(finding->meaning, sizeof finding->meaning,
                       "the Hessian of %d constraints was not found", bounds->unknown);
}

static void name_setters(const assessment *j, const thud_facts_gamma *gamma, char *text,
                         size_t size)
{
    char where[200];
    int length = snprintf(text, size, "%s", gamma->setter_count > 0 ? ", set by " : "");
    for (int i = 0; i < gamma->setter_count && length < (int)size; i++)
    {
        describe(j, gamma->setter[i], where);
        length += snprintf(text + length, size - (size_t)length, "%s%s", i > 0 ? ", " : "", where);
    }
    if (gamma->worst.setting > gamma->setter_count && length < (int)size)
        (void)snprintf(text + length, size - (size_t)length, " and %d more",
                       gamma->worst.setting - gamma->setter_count);
}

static void assess_gamma(assessment *j, const char *name, const thud_facts_gamma *gamma,
                         bool is_asked)
{
    const thud_independence *worst = &gamma->worst;
    char number[THUD_NUMBER_SIZE], least[THUD_NUMBER_SIZE], t[THUD_NUMBER_SIZE], set[300];
    char count[THUD_COUNT_SIZE];
    bool is_open = isinf(worst->gamma) && !worst->is_stressed;
    thud_holding fails = is_asked ? THUD_FAILS : THUD_NOT_ASKED;
    name_setters(j, gamma, set, sizeof set);
    thud_words_count(count, worst->rows, "constraint");
    if (worst->is_stressed)
        mean(add(j, name, fails, "gamma = inf over %s at t = %s%s", count,
                 thud_words_short(t, gamma->t), set),
             is_asked ? "these can hold each other in equilibrium (self-stress): forces are not "
                        "unique, so compare their sums; multipliers have no bound, and there may "
                        "be no room to move"
                      : "the theorem needs this only where constraints depend on time");
    else if (is_open)
        mean(add(j, name, THUD_UNKNOWN, "gamma >= %s over %s at t = %s",
                 thud_words_short(least, worst->least), count, thud_words_short(t, gamma->t)),
             "no velocity was found that opens them all: there is a self-stress, or nearly one");
    else if (worst->rows == 0)
        (void)add(j, name, THUD_HOLDS, "gamma = 1: there are no such constraints");
    else
        (void)add(j, name, THUD_HOLDS, "gamma = %s over %s at t = %s%s",
                  thud_words_short(number, worst->gamma), count, thud_words_short(t, gamma->t),
                  set);
}

// What sums over a run leave out, where it continues another.
static const char *missing_text(const thud_facts *facts, char text[80])
{
    text[0] = '\0';
    if (facts->first > 0)
        (void)snprintf(text, 80, ", without steps 1 to %lld, which are not in the run",
                       (long long)facts->first);
    return text;
}

static void assess_force(assessment *j)
{
    const thud_facts *facts = j->facts;
    char missing[80];
    char size[THUD_NUMBER_SIZE], slope[THUD_NUMBER_SIZE], integral[THUD_NUMBER_SIZE];
    bool holds = isfinite(facts->force_integral) && isfinite(facts->lipschitz);
    thud_finding *finding =
        add(j, "f", holds ? THUD_HOLDS : THUD_FAILS,
            "|f| <= %s, Lipschitz constant in q about %s%s, integral of |f| about %s%s",
            thud_words_short(size, facts->force_size), facts->is_lower ? "(at least) " : "",
            thud_words_short(slope, facts->lipschitz),
            thud_words_short(integral, facts->force_integral),
            facts->is_run ? missing_text(facts, missing) : " (position fixed at the start)");
    if (!holds)
        mean(finding, "if the mean of the force has no bound, a limit need not exist");
}

static void assess_start(assessment *j)
{
    const thud_boundary *start = &j->facts->start;
    char number[THUD_NUMBER_SIZE], speed[THUD_NUMBER_SIZE], count[THUD_COUNT_SIZE], where[200];
    if (start->touching == 0)
    {
        (void)add(j, "start", THUD_HOLDS, "q0 is in the interior, smallest gap %s",
                  isinf(start->gap.value) ? "none near"
                                          : thud_words_short(number, start->gap.value));
        return;
    }
    bool is_admissible = !(start->approach.value > NO_APPROACH);
    describe(j, is_admissible ? start->gap.key : start->approach.key, where);
    thud_finding *finding =
        add(j, "start", is_admissible ? THUD_NOT_ASKED : THUD_FAILS,
            "q0 is on the boundary of %s, such as %s%s%s",
            thud_words_count(count, start->touching, "constraint"), where,
            is_admissible ? "; u0 is admissible" : ", which u0 closes at ",
            is_admissible ? "" : thud_words_short(speed, start->approach.value));
    mean(finding, is_admissible
                      ? "the theorem assumes the interior; its proof needs only an admissible u0"
                      : "the run begins with an impact at t = 0: u jumps to the projection of u0, "
                        "and the multipliers have an atom there");
}

static void assess_model(assessment *j)
{
    const thud_inclusion *problem = thud_model_problem(j->facts->model);
    const char *what = NULL;
    if (problem->order == THUD_FIRST_ORDER)
        what = problem->noise > 0 ? "first order, with noise" : "first order (sweeping process)";
    else if (thud_law_find((int)problem->law)->number_count > 0)
        what = thud_law_find((int)problem->law)->contacts;
    else if (problem->drag > 0)
        what = "a drag depends on the velocity";
    if (what)
        mean(add(j, "model", THUD_FAILS, "%s", what),
             "the theorem covers second order, inelastic contacts and forces f(t, q); each step is "
             "still proved, the limit is not");
    else
        (void)add(j, "model", THUD_HOLDS, "second order, inelastic contacts, f(t, q)");
}

static void assess_step(assessment *j)
{
    const thud_facts *facts = j->facts;
    char h[THUD_NUMBER_SIZE], safe[THUD_NUMBER_SIZE];
    if (!facts->moves)
    {
        (void)add(j, "step", THUD_HOLDS,
                  "no constraint moves: some velocity is admissible for any h");
        return;
    }
    if (isinf(facts->safe_step))
    {
        (void)add(j, "step", THUD_HOLDS, "no near constraint moved; others do move");
        return;
    }
    bool is_small = facts->scene->step <= facts->safe_step;
    thud_finding *finding = add(
        j, "step", is_small ? THUD_HOLDS : THUD_UNKNOWN,
        "h = %s, %s rho alpha / (beta |dg/dt| gamma) = %s", thud_words_short(h, facts->scene->step),
        is_small ? "at most" : "more than", thud_words_short(safe, facts->safe_step));
    if (!is_small)
        mean(finding, "it is not proved in advance that some velocity is admissible; if a step has "
                      "none, the run fails there with a proof");
}

static void assess_mass(assessment *j)
{
    const thud_facts *facts = j->facts;
    char mass[THUD_NUMBER_SIZE], part[THUD_NUMBER_SIZE], t[THUD_NUMBER_SIZE];
    if (facts->loaded_steps == 0)
    {
        (void)add(j, "mass", THUD_HOLDS, "no recorded step that was examined has a multiplier");
        return;
    }
    int64_t judged = facts->loaded_steps - facts->unjudged_steps;
    bool holds = facts->held_steps + facts->free_steps == judged;
    thud_finding *finding = add(
        j, "mass",
        !holds                      ? THUD_FAILS
        : facts->unjudged_steps > 0 ? THUD_UNKNOWN
                                    : THUD_HOLDS,
        "sum h lambda |grad g| = %s over %lld steps; at most %s of its bound gamma |u' - w|, at t "
        "= %s",
        thud_words_short(mass, facts->total_mass), (long long)facts->loaded_steps,
        thud_words_short(part, facts->worst_part), thud_words_short(t, facts->worst_time));
    if (!holds)
        mean(finding, "a correct run cannot have this: 'thud verify' finds the wrong step");
    else if (facts->unjudged_steps > 0)
        (void)snprintf(finding->meaning, sizeof finding->meaning,
                       "%lld of them differ from the record when recomputed, and not all their "
                       "constraints were found",
                       (long long)facts->unjudged_steps);
    else if (facts->free_steps > 0)
        (void)snprintf(finding->meaning, sizeof finding->meaning,
                       "%lld of them have no bound: a self-stress, or glue that pulls",
                       (long long)facts->free_steps);
}

static void assess_support(assessment *j)
{
    char gap[THUD_NUMBER_SIZE], where[200];
    if (j->facts->loaded_steps == 0)
        return;
    describe(j, j->facts->support.key, where);
    (void)add(j, "support", THUD_HOLDS, "multipliers act at gaps of at most %s, at %s",
              thud_words_short(gap, j->facts->support.value), where);
}

static void assess_velocity(assessment *j)
{
    const thud_facts *facts = j->facts;
    char speed[THUD_NUMBER_SIZE], variation[THUD_NUMBER_SIZE];
    bool holds = isfinite(facts->largest_speed) && isfinite(facts->variation);
    bool is_whole = facts->frames == facts->steps + 1;
    char missing[80];
    (void)add(j, "u", holds ? THUD_HOLDS : THUD_FAILS, "sup |u| %s %s, Var(u) %s %s%s%s",
              is_whole ? "=" : ">=", thud_words_short(speed, facts->largest_speed),
              is_whole ? "=" : ">=", thud_words_short(variation, facts->variation),
              is_whole ? "" : ", over the recorded steps ('record: all' gives the exact values)",
              missing_text(facts, missing));
}

int thud_facts_assess(const thud_facts *facts, thud_finding findings[THUD_FINDINGS])
{
    assessment j = {.facts = facts, .findings = findings};
    assess_model(&j);
    assess_convexity(&j);
    assess_room(&j);
    assess_slopes(&j);
    assess_time(&j, "A2", "|dg/dt|", &facts->bounds.gap_t);
    assess_time(&j, "A3", "|d(grad g)/dt|", &facts->bounds.slope_t);
    assess_curvature(&j);
    assess_time(&j, "A5", "|d2g/dt2|", &facts->bounds.gap_tt);
    assess_gamma(&j, "A6'", &facts->active, true);
    assess_gamma(&j, "A6", &facts->near, facts->moves);
    assess_force(&j);
    assess_start(&j);
    assess_step(&j);
    if (facts->is_run)
    {
        assess_velocity(&j);
        assess_mass(&j);
        assess_support(&j);
    }
    return j.count;
}

const char *thud_holding_name(thud_holding holding)
{
    static const char *const names[] = {"holds", "fails", "not needed", "unknown"};
    return names[holding];
}
