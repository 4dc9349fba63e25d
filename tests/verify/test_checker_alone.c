// The checker without a solver: known steps hold, and every alteration of them is caught by the
// certificate that should catch it.
#include "checker_scenes.h"
#include "thud_test.h"

#include <string.h>

typedef struct tally
{
    int tried, caught;
} tally;

// Check a step; the verdict of one that could not be checked holds nothing.
static thud_verdict verdict_on(const checker_scene *scene, const scene_step *step)
{
    thud_verdict verdict = {0};
    thud_status status =
        thud_check_step(&scene->problem, &step->before, &step->after, NULL, &verdict);
    if (status != THUD_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", scene->name, thud_status_name(status));
    return verdict;
}

static void print_failing(const thud_verdict *verdict)
{
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        if (!verdict->checks[i].holds)
            printf("    %s: value %g, residual %g, at %lld, key %llu\n",
                   thud_certificate_title((thud_certificate_name)i), verdict->checks[i].value,
                   verdict->checks[i].residual, (long long)verdict->checks[i].where,
                   (unsigned long long)verdict->checks[i].key);
}

// The step must fail, and the named certificate among those that do.
static void expect_caught(const checker_scene *scene, const scene_step *step,
                          thud_certificate_name by, const char *what, tally *count)
{
    thud_verdict verdict = verdict_on(scene, step);
    bool caught = !verdict.holds && !verdict.checks[by].holds;
    count->tried++;
    count->caught += caught;
    if (!caught)
        test_fail(__FILE__, __LINE__, "%s: %s not caught by %s", scene->name, what,
                  thud_certificate_title(by));
}

// The step must fail by the named certificate and by no other.
static void expect_only(const checker_scene *scene, const scene_step *step,
                        thud_certificate_name by)
{
    thud_verdict verdict = verdict_on(scene, step);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        if (verdict.checks[i].holds == (i == (int)by))
            test_fail(__FILE__, __LINE__, "%s: %s %s, wanted only %s to fail", scene->name,
                      thud_certificate_title((thud_certificate_name)i),
                      verdict.checks[i].holds ? "holds" : "fails", thud_certificate_title(by));
}

static scene_step copy_of(const scene_step *step)
{
    return *step;
}

static void report(const char *what, tally count)
{
    printf("  %s: caught %d of %d\n", what, count.caught, count.tried);
    CHECK(count.tried > 0);
}

static void check_answer(const checker_scene *scene, const scene_step *step)
{
    int stored = 0;
    for (int k = 0; k < scene->problem.dim; k++)
        CHECK_NEAR(step->u1[k], scene->wanted_u[k], 1e-13);
    for (int i = 0; i < scene->row_count; i++)
    {
        if (scene->wanted_mu[i] == 0)
            continue;
        REQUIRE(stored < step->after.multiplier_count);
        CHECK(step->kept1[stored].key == (uint64_t)i + 1);
        CHECK_NEAR(step->kept1[stored++].impulse, scene->wanted_mu[i], 1e-13);
    }
    CHECK(stored == step->after.multiplier_count);
}

static void right_steps_hold(void)
{
    for (int s = 0; s < scene_count; s++)
    {
        scene_step step;
        scene_take_step(&scenes[s], 0, &step);
        check_answer(&scenes[s], &step);
        thud_verdict verdict = verdict_on(&scenes[s], &step);
        double worst = 0;
        for (int i = 0; i < THUD_CERT_COUNT; i++)
        {
            CHECK(verdict.checks[i].holds);
            CHECK_AT_MOST(verdict.checks[i].value, 1);
            worst = fmax(worst, verdict.checks[i].value);
        }
        printf("  %-26s worst value %.3g of 1, error of f %.1e\n", scenes[s].name, worst,
               verdict.force_error);
        print_failing(&verdict);
        CHECK(verdict.holds);
        CHECK(verdict.rows == scenes[s].row_count);
        CHECK(verdict.min_gap >= -1e-15);
        const thud_smoothness *smooth = scenes[s].problem.smooth;
        double bound = smooth ? scenes[s].h * scenes[s].h / 8 * smooth->gap_tt : (double)INFINITY;
        CHECK(verdict.between >= bound && verdict.between <= bound * (1 + 1e-12));
    }
}

// Alter one number by 1e-6 of itself.
static bool alter(double *x)
{
    bool any = fabs(*x) > 1e-12; // less is the rounding of 0
    *x *= 1 + 1e-6;
    return any;
}

static void altered_positions(void)
{
    tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int k = 0; k < 2 * scenes[s].problem.dim; k++)
        {
            scene_step step;
            scene_take_step(&scenes[s], 0, &step);
            if (alter(k % 2 ? &step.q0[k / 2] : &step.q1[k / 2]))
                expect_caught(&scenes[s], &step, THUD_CERT_MOTION, "a position", &count);
        }
    report("positions altered by 1e-6", count);
}

static void altered_velocities(void)
{
    tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int k = 0; k < 2 * scenes[s].problem.dim; k++)
        {
            scene_step step;
            scene_take_step(&scenes[s], 0, &step);
            if (alter(k % 2 ? &step.u0[k / 2] : &step.u1[k / 2]))
                expect_caught(&scenes[s], &step, THUD_CERT_STATIONARITY, "a velocity", &count);
        }
    report("velocities altered by 1e-6", count);
}

// A velocity and its displacement altered together pass the check of motion, not the others.
static void altered_movements(void)
{
    tally count = {0}, energy = {0}, momentum = {0};
    for (int s = 0; s < scene_count; s++)
        for (int k = 0; k < scenes[s].problem.dim; k++)
        {
            scene_step step;
            scene_take_step(&scenes[s], 0, &step);
            if (!alter(&step.u1[k]))
                continue;
            step.q1[k] = step.q0[k] + step.before.h * step.u1[k];
            CHECK(verdict_on(&scenes[s], &step).checks[THUD_CERT_MOTION].holds);
            expect_caught(&scenes[s], &step, THUD_CERT_STATIONARITY, "a movement", &count);
            expect_caught(&scenes[s], &step, THUD_CERT_ENERGY, "a movement", &energy);
            expect_caught(&scenes[s], &step, THUD_CERT_MOMENTUM, "a movement", &momentum);
        }
    report("movements altered by 1e-6, by stationarity", count);
    report("movements altered by 1e-6, by energy", energy);
    report("movements altered by 1e-6, by momentum", momentum);
}

// Those of the state before are first guesses of a solver: no part of what makes a step right.
static void altered_multipliers(void)
{
    tally count = {0};
    for (int s = 0; s < scene_count; s++)
    {
        scene_step right;
        scene_take_step(&scenes[s], 0, &right);
        for (int i = 0; i < right.after.multiplier_count; i++)
        {
            scene_step step = copy_of(&right);
            scene_rebind(&step);
            CHECK(alter(&step.kept1[i].impulse));
            expect_caught(&scenes[s], &step, THUD_CERT_STATIONARITY, "a multiplier", &count);
            // contacts between bodies do not enter the momentum: in the cradles, the column
            int dim = scenes[s].problem.dim;
            uint64_t key = step.kept1[i].key;
            bool internal = (dim == 9 && key < 3) || (dim == 3 && key > 1);
            CHECK(verdict_on(&scenes[s], &step).checks[THUD_CERT_MOMENTUM].holds == internal);
        }
    }
    report("multipliers altered by 1e-6", count);
}

static void dropped_constraints(void)
{
    tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int i = 0; i < scenes[s].row_count; i++)
        {
            scene_step step;
            if (scenes[s].wanted_mu[i] == 0)
                continue;
            scene_take_step(&scenes[s], (uint64_t)i + 1, &step);
            expect_caught(&scenes[s], &step, THUD_CERT_FEASIBLE, "a dropped row", &count);
            thud_verdict verdict = verdict_on(&scenes[s], &step);
            CHECK(verdict.checks[THUD_CERT_STATIONARITY].holds);
            CHECK(verdict.checks[THUD_CERT_FEASIBLE].key == (uint64_t)i + 1);
            CHECK(verdict.checks[THUD_CERT_FEASIBLE].where == i);
            CHECK(!verdict.checks[THUD_CERT_NO_OVERLAP].holds);
            CHECK(verdict.min_gap < 0);
        }
    report("dropped constraints", count);
}

// Multipliers that are negative, of no constraint, out of order, or stored twice.
static void false_multipliers(void)
{
    tally count = {0};
    for (int s = 0; s < scene_count; s++)
    {
        scene_step right;
        scene_take_step(&scenes[s], 0, &right);
        int stored = right.after.multiplier_count;
        for (int i = 0; i < stored; i++)
        {
            scene_step step = copy_of(&right);
            scene_rebind(&step);
            step.kept1[i].impulse *= -1;
            expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "a negative multiplier", &count);
            step = copy_of(&right);
            scene_rebind(&step);
            step.kept1[i].key += 100;
            expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "another key", &count);
        }
        for (uint64_t key = 0; key < 100; key += 99) // before all rows, and after
        {
            scene_step step = copy_of(&right);
            scene_rebind(&step);
            int place = key ? stored : 0;
            memmove(step.kept1 + place + 1, step.kept1 + place,
                    (size_t)(stored - place) * sizeof *step.kept1);
            step.kept1[place] = (thud_multiplier){key, 1e-6, 0};
            step.after.multiplier_count++;
            expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "an orphan", &count);
            CHECK(verdict_on(&scenes[s], &step).checks[THUD_CERT_SIGN].key == key);
            step.kept1[place] = (thud_multiplier){key, 0, 1}; // memory alone is no impulse
            CHECK(verdict_on(&scenes[s], &step).holds);
        }
        scene_step step = copy_of(&right);
        scene_rebind(&step);
        step.kept1[stored] = step.kept1[0];
        step.after.multiplier_count++;
        expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "a multiplier twice", &count);
    }
    report("false multipliers", count);
}

static void wrong_times(void)
{
    tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int kind = 0; kind < 8; kind++)
        {
            scene_step step;
            scene_take_step(&scenes[s], 0, &step);
            thud_state *state = kind < 4 ? &step.before : &step.after;
            switch (kind % 4)
            {
            case 0:
                state->t0 += 1e-6 * (1 + fabs(state->t0));
                break;
            case 1:
                state->h *= 1 + 1e-6;
                break;
            case 2:
                state->n++;
                break;
            default:
                // the same time otherwise counted: not what the step does
                state->t0 -= state->h;
                state->n++;
            }
            expect_caught(&scenes[s], &step, THUD_CERT_MOTION, "a time", &count);
        }
    report("wrong times", count);
}

// After thud_state_set_step the end of a step is the start of a segment, its impulses scaled.
static void new_segments_hold(void)
{
    for (int s = 0; s < scene_count; s++)
    {
        scene_step step;
        scene_take_step(&scenes[s], 0, &step);
        CHECK(thud_state_set_step(&step.after, step.after.h / 3) == THUD_OK);
        CHECK(verdict_on(&scenes[s], &step).holds);
        CHECK(step.after.multiplier_count > 0);
        step.after.h *= 1 + 1e-6; // which the impulses betray
        CHECK(!verdict_on(&scenes[s], &step).checks[THUD_CERT_STATIONARITY].holds);
    }
}

// Each number in turn is not a number, and then infinite: no certificate holds.
static void not_finite(void)
{
    tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int kind = 0; kind < 2; kind++)
        {
            scene_step right;
            scene_take_step(&scenes[s], 0, &right);
            int dim = scenes[s].problem.dim;
            for (int entry = 0; entry < 4 * dim + 4; entry++)
            {
                scene_step step = copy_of(&right);
                scene_rebind(&step);
                double *arrays[4] = {step.q0, step.u0, step.q1, step.u1};
                double *times[4] = {&step.before.t0, &step.before.h, &step.after.t0, &step.after.h};
                double *x =
                    entry < 4 * dim ? &arrays[entry / dim][entry % dim] : times[entry - 4 * dim];
                *x = kind ? INFINITY : NAN;
                for (int i = 0; i < THUD_CERT_COUNT; i++)
                    expect_caught(&scenes[s], &step, (thud_certificate_name)i, "not finite",
                                  &count);
            }
            right.kept1[0].impulse = kind ? INFINITY : NAN;
            expect_caught(&scenes[s], &right, THUD_CERT_SIGN, "a multiplier not finite", &count);
            expect_caught(&scenes[s], &right, THUD_CERT_STATIONARITY, "a multiplier not finite",
                          &count);
        }
    report("numbers not finite (times nine certificates)", count);
}

// Steps and counts that no run has.
static void hostile_states(void)
{
    tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int kind = 0; kind < 6; kind++)
        {
            scene_step step;
            scene_take_step(&scenes[s], 0, &step);
            thud_state *state = kind % 2 ? &step.before : &step.after;
            if (kind / 2 == 0)
                state->h = -state->h;
            else if (kind / 2 == 1)
                state->n = INT64_MAX;
            else
                state->n = INT64_MIN;
            expect_caught(&scenes[s], &step, THUD_CERT_MOTION, "a hostile state", &count);
        }
    scene_step step;
    scene_take_step(&scenes[2], 0, &step);
    for (int k = 0; k < 9; k++)
        step.u1[k] = 1e300; // squares overflow
    expect_caught(&scenes[2], &step, THUD_CERT_ENERGY, "an overflow", &count);
    report("hostile states", count);
}

// The ball stopped above the floor: stationary, feasible, and pushed by nothing.
static void early_stop(void)
{
    scene_step step;
    scene_take_step(&scenes[0], 0, &step);
    step.kept1[0].impulse = 3.5;
    step.u1[0] = -0.25;
    step.q1[0] = 0.125;
    expect_only(&scenes[0], &step, THUD_CERT_COMPLEMENTARITY);
    thud_verdict verdict;
    thud_check_def def = {.backward = 0.125};
    CHECK(thud_check_step(&scenes[0].problem, &step.before, &step.after, &def, &verdict) ==
          THUD_OK);
    CHECK(verdict.holds);
    CHECK_NEAR(verdict.checks[THUD_CERT_COMPLEMENTARITY].value, 1, 1e-15);
}

// The inside of the unit disc, whose linearised row is no proof.
static int disc_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    const double *q = at->q;
    thud_row row = {.key = 1,
                    .kind = THUD_CONCAVE,
                    .gap = 1 - q[0] * q[0] - q[1] * q[1],
                    .count = 2,
                    .index = (int[]){0, 1},
                    .slope = (double[]){-2 * q[0], -2 * q[1]}};
    return thud_rows_push(rows, &row) != THUD_OK;
}

static void curved_away(void)
{
    checker_scene disc = {.name = "concave disc",
                          .problem = {.dim = 2, .gaps = disc_gaps},
                          .h = 0.5,
                          .q = {1, 0},
                          .u = {1, 0.25},
                          .row_count = 1};
    scene_step step;
    scene_take_step(&disc, 0, &step);
    expect_only(&disc, &step, THUD_CERT_NO_OVERLAP);
    thud_verdict verdict = verdict_on(&disc, &step);
    CHECK_NEAR(verdict.min_gap, -0.015625, 1e-15);
    CHECK_NEAR(verdict.checks[THUD_CERT_NO_OVERLAP].residual, 0.015625, 1e-15);
}

// A floor that sinks away under a ball that started inside it.
static int sinking_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    thud_row row = {
        .key = 1, .gap = at->q[0] + at->t, .count = 1, .index = (int[]){0}, .slope = (double[]){1}};
    return thud_rows_push(rows, &row) != THUD_OK;
}

static void bad_start(void)
{
    const thud_smoothness smooth = {0};
    checker_scene sinking = {.name = "sinking floor",
                             .problem = {.dim = 1, .gaps = sinking_gaps, .smooth = &smooth},
                             .h = 0.5,
                             .q = {-0.25},
                             .row_count = 1};
    scene_step step;
    scene_take_step(&sinking, 0, &step);
    expect_only(&sinking, &step, THUD_CERT_BETWEEN);
    sinking.problem.smooth = NULL;
    CHECK(verdict_on(&sinking, &step).holds); // nothing is claimed between nodes
    const thud_smoothness senseless = {.gap_tt = NAN};
    sinking.problem.smooth = &senseless;
    CHECK(!verdict_on(&sinking, &step).checks[THUD_CERT_BETWEEN].holds);
}

static void names(void)
{
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        printf("  %-16s %s\n", thud_certificate_title((thud_certificate_name)i),
               thud_certificate_text((thud_certificate_name)i));
    CHECK(strcmp(thud_certificate_title(THUD_CERT_NO_OVERLAP), "no overlap") == 0);
    CHECK(strcmp(thud_certificate_title(THUD_CERT_BETWEEN), "between") == 0);
    CHECK(strcmp(thud_certificate_title((thud_certificate_name)99), "unknown") == 0);
    CHECK(strcmp(thud_certificate_text((thud_certificate_name)-1), "unknown") == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"right_steps_hold", right_steps_hold},
        {"altered_positions", altered_positions},
        {"altered_velocities", altered_velocities},
        {"altered_movements", altered_movements},
        {"altered_multipliers", altered_multipliers},
        {"dropped_constraints", dropped_constraints},
        {"false_multipliers", false_multipliers},
        {"wrong_times", wrong_times},
        {"new_segments_hold", new_segments_hold},
        {"not_finite", not_finite},
        {"hostile_states", hostile_states},
        {"early_stop", early_stop},
        {"curved_away", curved_away},
        {"bad_start", bad_start},
        {"names", names},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
