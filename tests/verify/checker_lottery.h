/// Random problems for the checker.
#ifndef CHECKER_LOTTERY_H
#define CHECKER_LOTTERY_H

#include "thud/thud.h"
#include "thud_test.h"

enum
{
    LOTTERY_BODIES = 8,
    LOTTERY_DIM = 3 * LOTTERY_BODIES,
    LOTTERY_ROWS = 40
};

/// A random problem: affine rows that may move, or spheres in a box that may grow. Row `dropped`
/// is left out.
typedef struct lottery
{
    thud_inclusion problem;
    thud_smoothness smooth;
    double mass[LOTTERY_DIM], q[LOTTERY_DIM], u[LOTTERY_DIM];
    double t0, h;
    thud_key dropped;
    // affine: gap = offset + drift (t - t0) + slope . q
    int row_count;
    double offset[LOTTERY_ROWS], drift[LOTTERY_ROWS], slope[LOTTERY_ROWS][LOTTERY_DIM];
    // spheres
    int width, bodies;
    double radius[LOTTERY_BODIES], growth;
    // force
    double weight[LOTTERY_DIM], wave;
} lottery;

void lottery_draw(lottery *of, test_random *random);

#endif
