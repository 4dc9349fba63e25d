// Restitution on problems with an answer in closed form: one body, chains, corners, doubled rows.
#include "forge_rig.h"

#include <string.h>

// One body over a floor at offset + speed t.
static affine ball(double speed, double e)
{
    affine a = affine_make(1);
    affine_row *floor = affine_add(&a);
    floor->speed = -speed;
    floor->slope[0] = 1;
    floor->restitution = e;
    return a;
}

static void moving_floors(void)
{
    static const double cases[][4] = {// floor, ball, e, u+
                                      {1, -1, 0.5, 2}, {1, 0, 0.25, 1.25},
                                      {1, 0, 1, 2},    {-0.5, -2, 0.5, 0.25},
                                      {0, -1, 1, 1},   {0, -3, 0.125, 0.375}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        affine a = ball(cases[i][0], cases[i][2]);
        thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
        track way;
        REQUIRE(track_start(
            &way, &problem,
            &(thud_state_def){
                .dim = 1, .h = 0.01, .q = (double[]){0.123}, .u = (double[]){cases[i][1]}},
            NULL));
        CHECK(track_steps(&way, 40));
        CHECK_NEAR(way.state->u[0], cases[i][3], 1e-13);
        track_end(&way);
    }
}

// e = 0 and e = 1 on the same floor: one e for both, whatever the order.
static void doubled_floor(void)
{
    for (int order = 0; order < 2; order++)
    {
        affine a = ball(0, order);
        affine_row *again = affine_add(&a);
        again->slope[0] = 1;
        again->restitution = 1 - order;
        a.order[0] = order;
        a.order[1] = 1 - order;
        thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
        track way;
        REQUIRE(track_start(
            &way, &problem,
            &(thud_state_def){.dim = 1, .h = 0.01, .q = (double[]){0.1037}, .u = (double[]){-2}},
            NULL));
        CHECK(track_steps(&way, 20));
        CHECK_NEAR(way.state->u[0], 1, 1e-13);
        track_end(&way);
    }
}

// Height and speed of a ball that falls from 1 with G = 2: impacts at 1, 1 + 2 e, 1 + 2 e + 2 e^2.
static void bounce_exact(double e, double t, double *q, double *u)
{
    double start = 1, speed = 2 * e;
    *q = 1 - t * t;
    *u = -2 * t;
    for (int j = 0; t > start && j < 60; j++)
    {
        double s = t - start;
        *q = speed * s - s * s;
        *u = speed - 2 * s;
        start += speed;
        speed *= e;
    }
    if (t > (1 + e) / (1 - e) - 1e-9)
        *q = *u = 0;
}

static void bouncing_ball(void)
{
    static const double es[] = {0.25, 0.5, 0.75, 0.9};
    for (int i = 0; i < 4; i++)
        for (int level = 0; level < 3; level++)
        {
            double e = es[i], h = 0.01 / (1 << level), zeno = (1 + e) / (1 - e);
            affine a = ball(0, e);
            a.force[0] = -2;
            thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
            track way;
            REQUIRE(track_start(
                &way, &problem,
                &(thud_state_def){.dim = 1, .h = h, .q = (double[]){1}, .u = (double[]){0}}, NULL));
            double worst = 0, lowest = 1;
            while (thud_state_time(way.state) < zeno + 1 && track_step(&way))
            {
                double q, u;
                bounce_exact(e, thud_state_time(way.state), &q, &u);
                worst = fmax(worst, fabs(way.state->q[0] - q));
                lowest = fmin(lowest, way.state->q[0]);
            }
            CHECK(track_steps(&way, 400)); // until it rests
            CHECK_AT_MOST(worst, 2 / (1 - e) * h);
            CHECK_AT_MOST(-lowest, 1e-16);
            CHECK_NEAR(way.state->u[0], e * h * 2 / (1 + e), 1e-12);
            CHECK_NEAR(way.state->q[0], way.before->q[0], 1e-15);
            printf("  e = %g, h = %g: error %.3g h\n", e, h, worst / h);
            track_end(&way);
        }
}

// Without the longer way of fast impacts a ball would lose O(h) at every bounce.
static void elastic_bounces(void)
{
    affine a = ball(0, 1);
    a.force[0] = -2;
    thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
    track way;
    REQUIRE(track_start(
        &way, &problem,
        &(thud_state_def){.dim = 1, .h = 0.01, .q = (double[]){1}, .u = (double[]){0}}, NULL));
    CHECK(track_steps(&way, 4000)); // 20 bounces of 2 each
    double energy = way.state->u[0] * way.state->u[0] / 2 + 2 * way.state->q[0];
    CHECK_NEAR(energy, 2, 0.02);
    printf("  E / E0 = %.5f after 20 bounces\n", energy / 2);
    track_end(&way);
}

// Three equal masses in a row, touching; the first has speed 1.
static void cradle_run(double e1, double e2, const double *wanted)
{
    affine a = affine_make(3);
    for (int i = 0; i < 2; i++)
    {
        affine_row *row = affine_add(&a);
        row->offset = -1;
        row->slope[i] = -1;
        row->slope[i + 1] = 1;
        row->restitution = i ? e2 : e1;
    }
    thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
    track way;
    REQUIRE(track_start(
        &way, &problem,
        &(thud_state_def){.dim = 3, .h = 0.01, .q = (double[]){0, 1, 2}, .u = (double[]){1, 0, 0}},
        NULL));
    CHECK(track_steps(&way, 10));
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(way.state->u[k], wanted[k], 1e-13);
    track_end(&way);
}

static void cradle(void)
{
    for (int i = 0; i <= 8; i++)
    {
        double e = i / 8.0;
        cradle_run(e, e, (double[]){(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3});
    }
    cradle_run(1, 0, (double[]){-1. / 3, 2. / 3, 2. / 3});
}

// P_C of the corner between two unit normals n1, n2.
static void project_corner(double n[2][2], const double *u, double *v)
{
    double s[2] = {n[0][0] * u[0] + n[0][1] * u[1], n[1][0] * u[0] + n[1][1] * u[1]};
    double between = n[0][0] * n[1][0] + n[0][1] * n[1][1];
    for (int k = 0; k < 2; k++)
        v[k] = u[k];
    if (s[0] >= 0 && s[1] >= 0)
        return;
    for (int i = 0; i < 2; i++)
        if (s[i] < 0 && s[1 - i] - between * s[i] >= 0)
        {
            for (int k = 0; k < 2; k++)
                v[k] = u[k] - s[i] * n[i][k];
            return;
        }
    v[0] = v[1] = 0;
}

// Into the tip of a corner of so many degrees: u+ = P u- + e (P u- - u-), e by the weights.
static void corner_run(double degrees, double direction, double e1, double e2)
{
    double half = degrees / 2 * 3.14159265358979323846 / 180;
    double n[2][2] = {{sin(half), cos(half)}, {sin(half), -cos(half)}};
    double u[2] = {-cos(direction), sin(direction)}, p[2], weight = 0, weighted = 0;
    affine a = affine_make(2);
    project_corner(n, u, p);
    for (int i = 0; i < 2; i++)
    {
        affine_row *row = affine_add(&a);
        memcpy(row->slope, n[i], sizeof n[i]);
        row->restitution = i ? e2 : e1;
        if (n[i][0] * p[0] + n[i][1] * p[1] > 1e-12)
            continue; // x leaves it
        double r = fmin(0, n[i][0] * u[0] + n[i][1] * u[1]);
        weight += r * r;
        weighted += r * r * row->restitution;
    }
    double e = weight > 0 ? weighted / weight : 0;
    thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
    track way;
    REQUIRE(track_start(&way, &problem,
                        &(thud_state_def){.dim = 2, .h = 0.01, .q = (double[]){0, 0}, .u = u},
                        NULL));
    CHECK(track_step(&way));
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(way.state->u[k], p[k] + e * (p[k] - u[k]), 1e-13);
    CHECK(track_steps(&way, 20));
    track_end(&way);
}

static void corners(void)
{
    static const double angles[] = {50, 90, 140};
    for (int i = 0; i < 3; i++)
        for (int d = -10; d <= 10; d++)
            for (int e = 0; e < 9; e++)
                corner_run(angles[i], d * 0.14, 0.5 * (e % 3), 0.5 * (int)(e / 3));
}

// Upper ball of speed 2 on a ball at rest on the floor: the lower one must not lift.
static void ball_on_ball(void)
{
    for (int level = 0; level < 3; level++)
        for (int i = 0; i <= 4; i++)
        {
            double h = 0.01 / (1 << level), e = i / 4.0, before = 0;
            affine a = affine_make(2);
            affine_row *floor = affine_add(&a), *pair = affine_add(&a);
            floor->slope[0] = 1;
            floor->restitution = 1;
            pair->slope[0] = -1;
            pair->slope[1] = 1;
            pair->restitution = e;
            a.force[0] = a.force[1] = -1;
            thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
            track way;
            REQUIRE(
                track_start(&way, &problem,
                            &(thud_state_def){
                                .dim = 2, .h = h, .q = (double[]){0, 0.1}, .u = (double[]){0, -2}},
                            NULL));
            do
                before = way.state->u[1];
            while (track_step(&way) && way.state->u[1] < before);
            CHECK_NEAR(way.state->u[0], 0, 3 * h);
            CHECK_NEAR(way.state->u[1], -e * before, 3 * h);
            CHECK_AT_MOST(way.state->q[0], 3 * h * h);
            track_end(&way);
        }
}

// Another step begins a new segment; the step before it is still judged. One of the two rows is
// inelastic.
static void segments(void)
{
    affine a = affine_make(2);
    for (int i = 0; i < 2; i++)
    {
        affine_row *row = affine_add(&a);
        row->slope[i] = 1;
        row->restitution = i ? 0 : 0.7;
        a.force[i] = -1;
    }
    thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
    thud_verdict verdict;
    track way;
    REQUIRE(track_start(&way, &problem,
                        &(thud_state_def){.dim = 2, .h = 0.01, .q = (double[]){0.5, 0.5}}, NULL));
    for (int n = 0; n < 400; n++)
    {
        REQUIRE(track_step(&way));
        if (n % 7 != 6)
            continue;
        REQUIRE(thud_state_set_step(way.state, n % 2 ? 0.003 : 0.017) == THUD_OK);
        CHECK(thud_verify_step(&way.problem, way.before, way.state, &way.check, &verdict) ==
              THUD_OK);
        CHECK(verdict.holds);
    }
    track_end(&way);
}

static void same_bits(const track *one, const track *two)
{
    size_t size = (size_t)one->state->dim * sizeof(double);
    REQUIRE(memcmp(one->state->q, two->state->q, size) == 0);
    REQUIRE(memcmp(one->state->u, two->state->u, size) == 0);
    REQUIRE(one->state->multiplier_count == two->state->multiplier_count);
    for (int i = 0; i < one->state->multiplier_count; i++)
        REQUIRE(one->state->multipliers[i].impulse == two->state->multipliers[i].impulse);
}

// e = 0 in every row is the plain scheme, in every bit of q, u and the impulses.
static void same_bits_without(void)
{
    twin_runs(THUD_LAW_RESTITUTION, true, 20261116, same_bits);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"moving-floors", moving_floors},
        {"doubled-floor", doubled_floor},
        {"bouncing-ball", bouncing_ball},
        {"elastic-bounces", elastic_bounces},
        {"cradle", cradle},
        {"corners", corners},
        {"ball-on-ball", ball_on_ball},
        {"segments", segments},
        {"same-bits-without", same_bits_without},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
