// What must not matter: the unit of length, the order of bodies, a pause and a restart.
#include "sphere_rig.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BALLS = 48
};

static void draw(thud_sphere *balls, uint64_t seed, double unit)
{
    test_random random = test_random_start(seed);
    for (int i = 0; i < BALLS; i++)
    {
        int place[3] = {i % 4, i / 4 % 4, i / 16};
        balls[i] = (thud_sphere){.radius = unit * test_random_uniform(&random, 0.3, 0.5),
                                 .mass = test_random_uniform(&random, 1, 2)};
        for (int k = 0; k < 3; k++)
        {
            double x = 1.1 * place[k] + 0.6 + test_random_uniform(&random, -0.04, 0.04);
            balls[i].center[k] = unit * x;
            balls[i].velocity[k] = unit * test_random_uniform(&random, -0.5, 0.5);
        }
    }
}

static bool open_drop(sphere_rig *rig, const thud_sphere *balls, double unit)
{
    thud_world_def def = {.h = 0.05, .gravity = {0, 0, -unit}};
    if (!rig_open(rig, &def))
        return false;
    rig_box(rig, 0, 4.6 * unit, INFINITY);
    CHECK(thud_world_add(rig->world, balls, BALLS, NULL) == THUD_OK);
    CHECK(rig_prepare(rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    return true;
}

static bool is_scaled(const thud_state *a, const thud_state *b, double unit)
{
    bool same = a->multiplier_count == b->multiplier_count;
    for (int i = 0; i < a->dim; i++)
        same = same && a->q[i] * unit == b->q[i] && a->u[i] * unit == b->u[i];
    for (int i = 0; i < a->multiplier_count && same; i++)
        same = thud_key_same(a->multipliers[i].key, b->multipliers[i].key) &&
               a->multipliers[i].impulse * unit == b->multipliers[i].impulse;
    return same;
}

// Lengths and gravity times a power of two: the scaled result, bit for bit.
static void scales(void)
{
    thud_sphere balls[BALLS], other[BALLS];
    draw(balls, test_seed(41), 1);
    for (int sign = -1; sign <= 1; sign += 2)
    {
        sphere_rig plain, scaled;
        double unit = ldexp(1, 20 * sign);
        draw(other, test_seed(41), unit);
        if (!open_drop(&plain, balls, 1) || !open_drop(&scaled, other, unit))
            return;
        int n = 0;
        for (bool same = true; n < 150 && same; n += same)
        {
            same = rig_steps(&plain, 1) && rig_steps(&scaled, 1) &&
                   is_scaled(thud_world_state(plain.world), thud_world_state(scaled.world), unit);
            CHECK(same);
        }
        printf("  2^%d: %d steps the same bits\n", 20 * sign, n);
        rig_close(&plain);
        rig_close(&scaled);
    }
}

// The M norm of the difference of velocities, body i of a against body order[i] of b.
static double velocities_apart(const thud_world *a, const thud_world *b, const int *order)
{
    thud_bodies x = thud_world_bodies(a), y = thud_world_bodies(b);
    double sum = 0;
    for (int i = 0; i < x.count; i++)
        for (int k = 0; k < 3; k++)
            sum += x.mass[3 * i] * pow(x.u[3 * i + k] - y.u[3 * order[i] + k], 2);
    return sqrt(sum);
}

// After every step of a drop the other world is given the same state, permuted, and one step is
// compared: both are certified to be near the same projection.
static void permuted(void)
{
    thud_sphere balls[BALLS], other[BALLS];
    int order[BALLS];
    sphere_rig a, b;
    test_random random = test_random_start(test_seed(43));
    draw(balls, test_seed(43), 1);
    for (int i = 0; i < BALLS; i++)
        order[i] = i;
    for (int i = BALLS - 1; i > 0; i--)
    {
        int j = test_random_int(&random, 0, i), keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
    for (int i = 0; i < BALLS; i++)
        other[order[i]] = balls[i];
    if (!open_drop(&a, balls, 1) || !open_drop(&b, other, 1))
        return;
    double worst = 0, largest = 0;
    for (int n = 0; n < 150; n++)
    {
        thud_state *from = thud_world_state(a.world), *to = thud_world_state(b.world);
        for (int i = 0; i < BALLS; i++)
        {
            memcpy(to->q + 3 * order[i], from->q + 3 * i, 3 * sizeof *to->q);
            memcpy(to->u + 3 * order[i], from->u + 3 * i, 3 * sizeof *to->u);
        }
        if (!rig_steps(&a, 1) || !rig_steps(&b, 1))
            break;
        double apart = velocities_apart(a.world, b.world, order);
        double bound = thud_work_report(a.work)->answer.certificate.forward +
                       thud_work_report(b.work)->answer.certificate.forward;
        CHECK_AT_MOST(apart, bound);
        worst = bound > 0 ? fmax(worst, apart / bound) : worst;
        largest = fmax(largest, apart);
    }
    printf("  apart by at most %.2g, %.2g of the bound\n", largest, worst);
    rig_close(&a);
    rig_close(&b);
}

// The state is all there is: copied into another world it goes on with the same bits.
static void restart(void)
{
    thud_sphere balls[BALLS];
    sphere_rig a, b;
    draw(balls, test_seed(47), 1);
    if (!open_drop(&a, balls, 1) || !open_drop(&b, balls, 1))
        return;
    rig_steps(&a, 60);
    CHECK(thud_state_copy(thud_world_state(b.world), thud_world_state(a.world)) == THUD_OK);
    CHECK(rig_steps(&a, 60) && rig_steps(&b, 60));
    CHECK(rig_same_state(thud_world_state(a.world), thud_world_state(b.world)));
    rig_close(&a);
    rig_close(&b);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"scales", scales}, {"permuted", permuted}, {"restart", restart}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
