// The checker without a solver: known steps hold; states that no step can have come from do not.
#include "checker_expect.h"

#include <string.h>

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
        CHECK(thud_key_same(step->kept1[stored].key, thud_key_number(i + 1)));
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
        thud_verdict verdict = checker_verdict(&scenes[s], &step);
        double worst = 0;
        for (int i = 0; i < THUD_CERT_COUNT; i++)
        {
            CHECK(verdict.checks[i].holds);
            CHECK_AT_MOST(verdict.checks[i].value, 1);
            worst = fmax(worst, verdict.checks[i].value);
        }
        printf("  %-26s worst value %.3g of 1, error of f %.1e\n", scenes[s].name, worst,
               verdict.force_error);
        checker_print_failing(&verdict);
        CHECK(verdict.holds);
        CHECK(verdict.rows == scenes[s].row_count);
        CHECK(verdict.min_gap >= -1e-15);
        const thud_smoothness *smooth = scenes[s].problem.smooth;
        double bound = smooth ? scenes[s].h * scenes[s].h / 8 * smooth->gap_tt : (double)INFINITY;
        CHECK(verdict.between >= bound && verdict.between <= bound * (1 + 1e-12));
    }
}

// After thud_state_set_step the end of a step is the start of a segment, its impulses scaled.
static void new_segments_hold(void)
{
    for (int s = 0; s < scene_count; s++)
    {
        scene_step step;
        scene_take_step(&scenes[s], 0, &step);
        CHECK(thud_state_set_step(&step.after, step.after.h / 3) == THUD_OK);
        CHECK(checker_verdict(&scenes[s], &step).holds);
        CHECK(step.after.multiplier_count > 0);
        step.after.h *= 1 + 1e-6; // which the impulses betray
        CHECK(!checker_verdict(&scenes[s], &step).checks[THUD_CERT_STATIONARITY].holds);
    }
}

// Each number in turn is not a number, and then infinite: no certificate holds.
static void not_finite(void)
{
    checker_tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int kind = 0; kind < 2; kind++)
        {
            scene_step right;
            scene_take_step(&scenes[s], 0, &right);
            int dim = scenes[s].problem.dim;
            for (int entry = 0; entry < 4 * dim + 4; entry++)
            {
                scene_step step = right;
                scene_rebind(&step);
                double *arrays[4] = {step.q0, step.u0, step.q1, step.u1};
                double *times[4] = {&step.before.t0, &step.before.h, &step.after.t0, &step.after.h};
                double *x =
                    entry < 4 * dim ? &arrays[entry / dim][entry % dim] : times[entry - 4 * dim];
                *x = kind ? INFINITY : NAN;
                for (int i = 0; i < THUD_CERT_COUNT; i++)
                    checker_expect_caught(&scenes[s], &step, (thud_certificate_name)i, "not finite",
                                          &count);
            }
            right.kept1[0].impulse = kind ? INFINITY : NAN;
            checker_expect_caught(&scenes[s], &right, THUD_CERT_SIGN, "a multiplier not finite",
                                  &count);
            checker_expect_caught(&scenes[s], &right, THUD_CERT_STATIONARITY,
                                  "a multiplier not finite", &count);
        }
    checker_report("numbers not finite (times nine certificates)", count);
}

// Steps and counts that no run has.
static void hostile_states(void)
{
    checker_tally count = {0};
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
            checker_expect_caught(&scenes[s], &step, THUD_CERT_MOTION, "a hostile state", &count);
        }
    scene_step step;
    scene_take_step(&scenes[2], 0, &step);
    for (int k = 0; k < 9; k++)
        step.u1[k] = 1e300; // squares overflow
    checker_expect_caught(&scenes[2], &step, THUD_CERT_ENERGY, "an overflow", &count);
    checker_report("hostile states", count);
}

// The ball stopped above the floor: stationary, feasible, and pushed by nothing.
static void early_stop(void)
{
    scene_step step;
    scene_take_step(&scenes[0], 0, &step);
    step.kept1[0].impulse = 3.5;
    step.u1[0] = -0.25;
    step.q1[0] = 0.125;
    checker_expect_only(&scenes[0], &step, THUD_CERT_COMPLEMENTARITY);
    thud_verdict verdict;
    thud_verify_def def = {.backward = 0.125};
    CHECK(thud_verify_step(&scenes[0].problem, &step.before, &step.after, &def, &verdict) ==
          THUD_OK);
    CHECK(verdict.holds);
    CHECK_NEAR(verdict.checks[THUD_CERT_COMPLEMENTARITY].value, 1, 1e-15);
}

// The inside of the unit disc, whose linearised row is no proof.
static int disc_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    const double *q = at->q;
    thud_row row = {.key = {1},
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
    checker_expect_only(&disc, &step, THUD_CERT_NO_OVERLAP);
    thud_verdict verdict = checker_verdict(&disc, &step);
    CHECK_NEAR(verdict.min_gap, -0.015625, 1e-15);
    CHECK_NEAR(verdict.checks[THUD_CERT_NO_OVERLAP].residual, 0.015625, 1e-15);
}

// A floor that sinks away under a ball that started inside it.
static int sinking_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    thud_row row = {.key = {1},
                    .gap = at->q[0] + at->t,
                    .count = 1,
                    .index = (int[]){0},
                    .slope = (double[]){1}};
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
    checker_expect_only(&sinking, &step, THUD_CERT_BETWEEN);
    sinking.problem.smooth = NULL;
    CHECK(checker_verdict(&sinking, &step).holds); // nothing is claimed between nodes
    const thud_smoothness senseless = {.gap_tt = NAN};
    sinking.problem.smooth = &senseless;
    CHECK(!checker_verdict(&sinking, &step).checks[THUD_CERT_BETWEEN].holds);
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
