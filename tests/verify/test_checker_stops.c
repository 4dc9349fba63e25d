// What the rule to stop leaves of a row, and nothing more: a point between two walls, q and
// width - q, each with the shift sigma, thrown against the first.
//
//     lin_1 = s sigma + off,   u' = (lin_1 - q) / h,   mu = m (u' - w)
//
// is a step of the solver if |off| <= min(sigma / 2, accuracy h^2 a), and s = 1 where both walls
// can keep their shift.
#include "thud/verify.h"
#include "thud_test.h"

#include <math.h>

static const double SIGMA = 1e-3, STEP = 0.01;

typedef struct slot
{
    double width, start, throw, pull; // of the walls, of the point: place, velocity, acceleration
} slot;

static int push_walls(const thud_moment *at, thud_rows *rows, void *user)
{
    const slot *s = user;
    static const double up = 1, down = -1;
    static const int first = 0;
    const thud_row walls[2] = {
        {.key = {1}, .gap = at->q[0], .shift = SIGMA, .count = 1, .index = &first, .slope = &up},
        {.key = {2},
         .gap = s->width - at->q[0],
         .shift = SIGMA,
         .count = 1,
         .index = &first,
         .slope = &down}};
    for (int i = 0; i < 2; i++)
        (void)thud_rows_push(rows, &walls[i]);
    return 0;
}

static int pull_down(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q;
    f[0] = ((const slot *)user)->pull;
    return 0;
}

// Judge the step after which lin_1 is this; stress: on both walls besides.
static thud_verdict judge(slot *s, double lin, double stress, const thud_verify_def *def)
{
    double q[2] = {s->start, 0}, u[2] = {s->throw, (lin - s->start) / STEP};
    thud_inclusion problem = {
        .dim = 1, .gaps = push_walls, .force = pull_down, .force_is_steady = true, .user = s};
    q[1] = fma(STEP, u[1], q[0]);
    thud_multiplier walls[2] = {{.key = {1}, .impulse = u[1] - (u[0] + STEP * s->pull) + stress},
                                {.key = {2}, .impulse = stress}};
    thud_state before = {.dim = 1, .h = STEP, .q = &q[0], .u = &u[0]};
    thud_state after = {.dim = 1,
                        .h = STEP,
                        .n = 1,
                        .q = &q[1],
                        .u = &u[1],
                        .multipliers = walls,
                        .multiplier_count = stress > 0 ? 2 : 1};
    thud_verdict verdict = {.holds = false};
    CHECK(thud_verify_step(&problem, &before, &after, def, &verdict) == THUD_OK);
    return verdict;
}

static void expect(slot *s, double lin, const thud_verify_def *def, bool wanted)
{
    thud_verdict verdict = judge(s, lin, 0, def);
    printf("  lin = %.9g sigma: complementarity %.3g\n", lin / SIGMA,
           verdict.checks[THUD_CERT_COMPLEMENTARITY].value);
    CHECK(verdict.holds == wanted);
    CHECK(verdict.checks[THUD_CERT_COMPLEMENTARITY].holds == wanted);
    CHECK(verdict.checks[THUD_CERT_STATIONARITY].holds);
}

// Solved exactly, a row keeps its sigma to rounding.
static void exactly(void)
{
    slot s = {.width = 1, .start = 0.25, .throw = -100, .pull = -10};
    thud_verify_def few = {.accuracy = 1e-2, .exact_limit = 1};
    expect(&s, SIGMA, NULL, true);
    expect(&s, SIGMA, &few, true);
    for (double by = 1e-9; by < 0.6; by *= 10)
    {
        expect(&s, SIGMA * (1 + by), NULL, false);
        expect(&s, SIGMA * (1 - by), NULL, false);
        expect(&s, SIGMA * (1 + by), &few, false);
    }
}

// Swept, it is within accuracy h^2 a, and within sigma / 2 where nothing pulls.
static void swept(void)
{
    slot drawn = {.width = 1, .start = 0.25, .throw = -100, .pull = -10};
    slot free_one = {.width = 1, .start = 0.25, .throw = -100};
    thud_verify_def def = {.accuracy = 1e-2};
    double stop = 1e-2 * STEP * STEP * 10;
    for (int side = -1; side <= 1; side += 2)
    {
        expect(&drawn, SIGMA + side * 0.99 * stop, &def, true);
        expect(&drawn, SIGMA + side * 1.01 * stop, &def, false);
        expect(&free_one, SIGMA + side * 0.499 * SIGMA, &def, true);
        expect(&free_one, SIGMA + side * 0.501 * SIGMA, &def, false);
    }
}

// A row that hardly pushes may be open: by h A mu <= stop, however far.
static void hardly(void)
{
    slot s = {.width = 1, .start = 0.25, .throw = 0, .pull = -10};
    thud_verify_def def = {.accuracy = 1e-2};
    double free_lin = s.start + STEP * STEP * s.pull, stop = 1e-2 * STEP * STEP * 10;
    expect(&s, free_lin + 0.99 * stop, &def, true);
    expect(&s, free_lin + 1.01 * stop, &def, false);
    expect(&s, free_lin + 1e-9 * stop, NULL, false);
}

// Without a rule to stop an open row pushes nothing at all: a mark on it would let it take part in
// an impact.
static void faint(void)
{
    slot s = {.width = 1, .start = 0.25, .throw = 0, .pull = -10};
    thud_verdict verdict = judge(&s, s.start + STEP * STEP * s.pull, 1e-300, NULL);
    CHECK(verdict.checks[THUD_CERT_STATIONARITY].holds);
    CHECK(!verdict.checks[THUD_CERT_COMPLEMENTARITY].holds);
}

// Less than sigma is kept only where there is no room for more.
static void room(void)
{
    slot wide = {.width = 3 * SIGMA, .start = 1.5 * SIGMA, .throw = -1};
    slot tight = {.width = 1.9 * SIGMA, .start = 0.9 * SIGMA, .throw = -1};
    static const double parts[] = {0x1p-4, 0x1p-8, 0};
    for (int i = 0; i < 3; i++)
    {
        expect(&wide, parts[i] * SIGMA, NULL, false);
        expect(&tight, parts[i] * SIGMA, NULL, true);
    }
    expect(&tight, 0.5 * SIGMA, NULL, false);
}

// Stress on both walls, however large, excuses no velocity.
static void stressed(void)
{
    slot s = {.width = 2 * SIGMA, .start = SIGMA, .throw = -1e-3};
    for (double stress = 1; stress < 1e20; stress *= 10)
        for (double by = 1e-9; by < 0.1; by *= 100)
            CHECK(!judge(&s, SIGMA * (1 + by), stress, NULL).holds);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"exactly", exactly}, {"swept", swept},
                                      {"hardly", hardly},   {"faint", faint},
                                      {"room", room},       {"stressed", stressed}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
