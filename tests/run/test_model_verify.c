// Steps of a model before the independent checker: true ones hold, altered ones do not.
#include "model_rig.h"
#include "run/recorder.h"
#include "thud/model_verify.h"

#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 1}\n"

/// A heap in a box with a lid that comes down, one material growing.
static const char heap[] =
    HEAD "gravity: [0, -10]\ndim: 2\ndrag: 0.5\n"
         "materials: {dough: {density: 1, growth: 1 + t/10}, stone: {density: 3}}\n"
         "bodies:\n"
         "  - lattice: {origin: [0.5, 0.5], count: [4, 2], spacing: 1, radius: 0.45, "
         "jitter: 0.04, material: stone}\n"
         "  - lattice: {origin: [0.5, 2.5], count: [4, 2], spacing: 1, radius: 0.42, "
         "jitter: 0.05, material: dough}\n"
         "walls:\n"
         "  room: {box: [[0, 0], [4, 9]]}\n"
         "  lid: {plane: {point: [0, 4.2 - t], normal: [0, -2]}}\n";

static const char column[] = "thud: 1\nkind: inclusion\ntime: {step: 0.01, end: 1}\n"
                             "coordinates:\n"
                             "  a: {start: 0, velocity: 1}\n"
                             "  b: {start: 0.005, mass: 3}\n"
                             "  c: {start: 0.02, mass: 0.5}\n"
                             "force: {a: 1 + t, c: \"-c\"}\n"
                             "constraints:\n"
                             "  first: b - a\n"
                             "  second: {gap: c - b, shift: 1e-6}\n";

static void check_holds(const thud_verdict *verdict, int step)
{
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        if (!verdict->checks[i].holds)
            test_fail(__FILE__, __LINE__, "step %d: \"%s\" fails: %g (%g times)", step,
                      thud_certificate_title(i), verdict->checks[i].residual,
                      verdict->checks[i].value);
    CHECK(verdict->holds);
}

/// Every step holds, by the force on record and by the force integrated anew.
static void true_steps(const char *text, int steps)
{
    model_rig rig;
    REQUIRE(model_open(&rig, text));
    int loaded = 0;
    for (int n = 1; n <= steps && test_failures() == 0; n++)
    {
        thud_verdict verdict;
        thud_state *before = model_state_twin(&rig), *after = thud_model_state(rig.model);
        model_steps(&rig, 1);
        const double *force = thud_work_report(rig.work)->mean_force;
        CHECK(thud_model_verify(rig.model, before, after, force, &verdict) == THUD_OK);
        check_holds(&verdict, n);
        CHECK(thud_model_verify(rig.model, before, after, NULL, &verdict) == THUD_OK);
        check_holds(&verdict, n);
        loaded = after->multiplier_count > loaded ? after->multiplier_count : loaded;
        thud_state_destroy(before);
    }
    printf("%d contacts at most\n", loaded);
    CHECK(loaded >= 2);
    model_close(&rig);
}

static void spheres_hold(void)
{
    true_steps(heap, 60);
}

static void inclusion_holds(void)
{
    true_steps(column, 60);
}

/// The heap with contacts of its own, and the column with constraints that bounce or stick.
static void laws_hold(void)
{
    static const char *const laws[] = {"restitution: 0.75", "glue: 0.5", "glue: unlimited"};
    for (int i = 0; i < 3; i++)
    {
        char text[1200];
        (void)snprintf(text, sizeof text,
                       "%s"
                       "contacts: [{between: [dough, stone], %s}, {between: [stone, stone], %s}]\n",
                       heap, laws[i], laws[i]);
        true_steps(text, 60);
        (void)snprintf(text, sizeof text, "%s  third: {gap: 2 - c, %s}\n  fourth: {gap: c, %s}\n",
                       column, laws[i], laws[i]);
        true_steps(text, 100);
    }
}

static void noise_holds(void)
{
    true_steps("thud: 1\nkind: inclusion\norder: 1\nnoise: 2\ntime: {step: 0.01, end: 1}\n"
               "coordinates: {a: {start: 0}, b: {start: 0.1}, c: {start: 0.2}}\n"
               "velocity: {a: 1 + t}\n"
               "constraints: {low: a, first: b - a, second: c - b}\n",
               100);
}

/// What may be done to a step.
typedef void spoil_fn(thud_state *after, double *force);

static void no_change(thud_state *after, double *force)
{
    (void)after, (void)force;
}

static void faster(thud_state *after, double *force)
{
    (void)force;
    after->u[1] += 1e-6;
}

static void moved(thud_state *after, double *force)
{
    (void)force;
    after->q[1] += 1e-9;
}

/// Velocity and position agree, but the body is in what is below it.
static void sunk(thud_state *after, double *force)
{
    (void)force;
    after->u[1] -= 1;
    after->q[1] -= after->h;
}

static void stronger(thud_state *after, double *force)
{
    (void)force;
    after->multipliers[0].impulse *= 1.01;
}

static void pulls(thud_state *after, double *force)
{
    (void)force;
    after->multipliers[0].impulse *= -1;
}

static void forgotten(thud_state *after, double *force)
{
    (void)force;
    after->multiplier_count--;
}

static void late(thud_state *after, double *force)
{
    (void)force;
    after->n++;
}

static void other_force(thud_state *after, double *force)
{
    (void)after;
    force[1] += 1e-3;
}

static void spoil(model_rig *rig, const thud_state *before, spoil_fn *how, int certificate)
{
    thud_verdict verdict;
    double force[64];
    thud_state *after = model_state_twin(rig);
    REQUIRE(after && after->dim <= 64);
    memcpy(force, thud_work_report(rig->work)->mean_force, (size_t)after->dim * sizeof *force);
    how(after, force);
    CHECK(thud_model_verify(rig->model, before, after, force, &verdict) == THUD_OK);
    if (certificate < 0)
        check_holds(&verdict, 0);
    else
    {
        CHECK(!verdict.holds);
        if (verdict.checks[certificate].holds)
            test_fail(__FILE__, __LINE__, "\"%s\" holds", thud_certificate_title(certificate));
    }
    thud_state_destroy(after);
}

/// Take steps until contacts carry load, and spoil the next.
static void spoiled_steps(const char *text, int steps)
{
    model_rig rig;
    REQUIRE(model_open(&rig, text));
    model_steps(&rig, steps);
    thud_state *before = model_state_twin(&rig);
    model_steps(&rig, 1);
    CHECK(thud_model_state(rig.model)->multiplier_count > 0);
    if (before && test_failures() == 0)
    {
        spoil(&rig, before, no_change, -1);
        spoil(&rig, before, faster, THUD_CERT_STATIONARITY);
        spoil(&rig, before, faster, THUD_CERT_MOTION);
        spoil(&rig, before, moved, THUD_CERT_MOTION);
        spoil(&rig, before, sunk, THUD_CERT_FEASIBLE);
        spoil(&rig, before, sunk, THUD_CERT_NO_OVERLAP);
        spoil(&rig, before, stronger, THUD_CERT_STATIONARITY);
        spoil(&rig, before, pulls, THUD_CERT_SIGN);
        spoil(&rig, before, forgotten, THUD_CERT_STATIONARITY);
        spoil(&rig, before, late, THUD_CERT_MOTION);
        spoil(&rig, before, other_force, THUD_CERT_STATIONARITY);
    }
    thud_state_destroy(before);
    model_close(&rig);
}

static void spheres_spoiled(void)
{
    spoiled_steps(heap, 30);
}

static void inclusion_spoiled(void)
{
    spoiled_steps(column, 5);
}

/// The key of number 0 is that of constraint 0, and stands for no row at all.
static void constraint_0(void)
{
    thud_scene plain = {.kind = THUD_SCENE_INCLUSION}, bounces = plain;
    thud_check first = {.where = 0}, none = {.where = -1};
    thud_check obstacle = {.where = 3, .key = thud_key_obstacle(0)};
    bounces.law = THUD_LAW_RESTITUTION;
    for (thud_certificate_name i = 0; i < THUD_CERT_COUNT; i++)
    {
        bool is_group = i == THUD_CERT_COMPLEMENTARITY;
        bool is_row = is_group || i == THUD_CERT_SIGN || i == THUD_CERT_FEASIBLE ||
                      i == THUD_CERT_NO_OVERLAP || i == THUD_CERT_BETWEEN;
        CHECK(thudi_check_is_row(&plain, i, &first) == is_row);
        CHECK(thudi_check_is_row(&bounces, i, &first) == (is_row && !is_group));
        CHECK(!thudi_check_is_row(&plain, i, &none) && thudi_check_is_row(&plain, i, &obstacle));
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"spheres-hold", spheres_hold},
                                      {"inclusion-holds", inclusion_holds},
                                      {"laws-hold", laws_hold},
                                      {"noise-holds", noise_holds},
                                      {"spheres-spoiled", spheres_spoiled},
                                      {"inclusion-spoiled", inclusion_spoiled},
                                      {"constraint-0", constraint_0}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
