// The checker without a solver: every alteration of a known step is caught by the certificate that
// should catch it.
#include "checker_expect.h"

#include <string.h>

static int64_t number_of(const thud_multiplier *multiplier)
{
    return thud_key_read(multiplier->key, THUD_KEYS_NUMBERED).a;
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
    checker_tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int k = 0; k < 2 * scenes[s].problem.dim; k++)
        {
            scene_step step;
            scene_take_step(&scenes[s], 0, &step);
            if (alter(k % 2 ? &step.q0[k / 2] : &step.q1[k / 2]))
                checker_expect_caught(&scenes[s], &step, THUD_CERT_MOTION, "a position", &count);
        }
    checker_report("positions altered by 1e-6", count);
}

static void altered_velocities(void)
{
    checker_tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int k = 0; k < 2 * scenes[s].problem.dim; k++)
        {
            scene_step step;
            scene_take_step(&scenes[s], 0, &step);
            if (alter(k % 2 ? &step.u0[k / 2] : &step.u1[k / 2]))
                checker_expect_caught(&scenes[s], &step, THUD_CERT_STATIONARITY, "a velocity",
                                      &count);
        }
    checker_report("velocities altered by 1e-6", count);
}

// A velocity and its displacement altered together pass the check of motion, not the others.
static void altered_movements(void)
{
    checker_tally count = {0}, energy = {0}, momentum = {0};
    for (int s = 0; s < scene_count; s++)
        for (int k = 0; k < scenes[s].problem.dim; k++)
        {
            scene_step step;
            scene_take_step(&scenes[s], 0, &step);
            if (!alter(&step.u1[k]))
                continue;
            step.q1[k] = step.q0[k] + step.before.h * step.u1[k];
            CHECK(checker_verdict(&scenes[s], &step).checks[THUD_CERT_MOTION].holds);
            checker_expect_caught(&scenes[s], &step, THUD_CERT_STATIONARITY, "a movement", &count);
            checker_expect_caught(&scenes[s], &step, THUD_CERT_ENERGY, "a movement", &energy);
            checker_expect_caught(&scenes[s], &step, THUD_CERT_MOMENTUM, "a movement", &momentum);
        }
    checker_report("movements altered by 1e-6, by stationarity", count);
    checker_report("movements altered by 1e-6, by energy", energy);
    checker_report("movements altered by 1e-6, by momentum", momentum);
}

// Those of the state before are first guesses of a solver: no part of what makes a step right.
static void altered_multipliers(void)
{
    checker_tally count = {0};
    for (int s = 0; s < scene_count; s++)
    {
        scene_step right;
        scene_take_step(&scenes[s], 0, &right);
        for (int i = 0; i < right.after.multiplier_count; i++)
        {
            scene_step step = right;
            scene_rebind(&step);
            CHECK(alter(&step.kept1[i].impulse));
            checker_expect_caught(&scenes[s], &step, THUD_CERT_STATIONARITY, "a multiplier",
                                  &count);
            // contacts between bodies do not enter the momentum: in the cradles, the column
            int dim = scenes[s].problem.dim;
            int64_t number = number_of(&step.kept1[i]);
            bool internal = (dim == 9 && number < 3) || (dim == 3 && number > 1);
            CHECK(checker_verdict(&scenes[s], &step).checks[THUD_CERT_MOMENTUM].holds == internal);
        }
    }
    checker_report("multipliers altered by 1e-6", count);
}

static void dropped_constraints(void)
{
    checker_tally count = {0};
    for (int s = 0; s < scene_count; s++)
        for (int i = 0; i < scenes[s].row_count; i++)
        {
            scene_step step;
            if (scenes[s].wanted_mu[i] == 0)
                continue;
            scene_take_step(&scenes[s], (uint64_t)i + 1, &step);
            checker_expect_caught(&scenes[s], &step, THUD_CERT_FEASIBLE, "a dropped row", &count);
            thud_verdict verdict = checker_verdict(&scenes[s], &step);
            CHECK(verdict.checks[THUD_CERT_STATIONARITY].holds);
            CHECK(thud_key_same(verdict.checks[THUD_CERT_FEASIBLE].key, thud_key_number(i + 1)));
            CHECK(verdict.checks[THUD_CERT_FEASIBLE].where == i);
            CHECK(!verdict.checks[THUD_CERT_NO_OVERLAP].holds);
            CHECK(verdict.min_gap < 0);
        }
    checker_report("dropped constraints", count);
}

// Multipliers that are negative, of no constraint, out of order, or stored twice.
static void false_multipliers(void)
{
    checker_tally count = {0};
    for (int s = 0; s < scene_count; s++)
    {
        scene_step right;
        scene_take_step(&scenes[s], 0, &right);
        int stored = right.after.multiplier_count;
        for (int i = 0; i < stored; i++)
        {
            scene_step step = right;
            scene_rebind(&step);
            step.kept1[i].impulse *= -1;
            checker_expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "a negative multiplier",
                                  &count);
            step = right;
            scene_rebind(&step);
            step.kept1[i].key = thud_key_number(100 + number_of(&step.kept1[i]));
            checker_expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "another key", &count);
        }
        for (int number = 0; number < 100; number += 99) // before all rows, and after
        {
            thud_key key = thud_key_number(number);
            scene_step step = right;
            scene_rebind(&step);
            int place = number ? stored : 0;
            memmove(step.kept1 + place + 1, step.kept1 + place,
                    (size_t)(stored - place) * sizeof *step.kept1);
            step.kept1[place] = (thud_multiplier){key, 1e-6, 0};
            step.after.multiplier_count++;
            checker_expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "an orphan", &count);
            CHECK(
                thud_key_same(checker_verdict(&scenes[s], &step).checks[THUD_CERT_SIGN].key, key));
            step.kept1[place] = (thud_multiplier){key, 0, 1}; // no word of a record is free
            checker_expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "a memory", &count);
            step.kept1[place] = (thud_multiplier){key, 0, 0};
            checker_expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "nothing, kept", &count);
        }
        scene_step step = right;
        scene_rebind(&step);
        step.kept1[stored] = step.kept1[0];
        step.after.multiplier_count++;
        checker_expect_caught(&scenes[s], &step, THUD_CERT_SIGN, "a multiplier twice", &count);
    }
    checker_report("false multipliers", count);
}

static void wrong_times(void)
{
    checker_tally count = {0};
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
            checker_expect_caught(&scenes[s], &step, THUD_CERT_MOTION, "a time", &count);
        }
    checker_report("wrong times", count);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"altered_positions", altered_positions},
        {"altered_velocities", altered_velocities},
        {"altered_movements", altered_movements},
        {"altered_multipliers", altered_multipliers},
        {"dropped_constraints", dropped_constraints},
        {"false_multipliers", false_multipliers},
        {"wrong_times", wrong_times},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
