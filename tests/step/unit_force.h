/// Forces with known integrals for the tests of the mean over a step.
#ifndef UNIT_FORCE_H
#define UNIT_FORCE_H

#include "step/quadrature.h"
#include "thud_test.h"

/// A function of time and its primitive; `at` is a point where it is singular or jumps.
typedef struct force_case
{
    double (*value)(const struct force_case *f, double t);
    double (*primitive)(const struct force_case *f, double t);
    double at, power;
    double amplitude[6], rate[6], phase[6];
    int terms;
    double jumps[6], heights[6];
    int jump_count;
    int calls; ///< counted
} force_case;

/// What the mean was, by the quadrature and exactly; errors relative to the mean of |f|.
typedef struct force_result
{
    thud_status status;
    double mean, exact, reported, error;
    double size; ///< the mean of |f|
    int evaluations;
} force_result;

int force_callback(double t, const double *q, double *f, void *user);

/// Integrate over [start, end] with the given breaks, tolerance 1e-12, limit 100,000.
force_result force_mean(force_case *f, double start, double end, const double *breaks, int count);

/// Random sums of waves and exponentials.
force_case force_smooth(test_random *random);

/// What an ulp of every term amounts to in the exact mean of a smooth force, over an ulp.
double force_noise(const force_case *f, double start, double end);

/// 1 before `at`, 1 + power from it on.
force_case force_jump(double at, double jump);

/// A smooth force with `count` <= 6 jumps at random places of [start, end], kept in order in jumps.
force_case force_jumpy(test_random *random, double start, double end, int count);

/// |t - at|^power with -1 < power < 0, or for power 0 the logarithm -log|t - at|.
force_case force_singular(double at, double power);

#endif
