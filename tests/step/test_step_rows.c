// Rows that come late, cuts, alarms, no room, no way out; multipliers by key and their memory.
#include "thud/run.h"
#include "unit_rig.h"

#include <float.h>
#include <string.h>

static int push(thud_rows *rows, int64_t number, double gap, double shift, double slope)
{
    thud_row row = {.key = thud_key_number(number), .gap = gap, .shift = shift, .count = 1};
    row.index = (int[]){0};
    row.slope = &slope;
    return thud_rows_push(rows, &row);
}

// A floor that is pushed in LINEARISE only, in CHECK only, in both, or in CHECK twice.
typedef struct late
{
    bool early;
    int late;
} late;

static int late_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const late *l = user;
    CHECK((at->trial != NULL) == (at->phase == THUD_FIND_MISSING));
    if (at->phase == THUD_LINEARISE && l->early)
        (void)push(rows, 5, at->q[0], 0, 1);
    for (int i = 0; at->phase == THUD_FIND_MISSING && i < l->late; i++)
        if (l->early || at->trial[0] < 0)
            (void)push(rows, 5, at->q[0], 0, 1);
    return 0;
}

static void rows_in_check(void)
{
    static const struct
    {
        late how;
        int rounds, missed;
    } wanted[] = {{{true, 0}, 1, 0},
                  {{true, 1}, 1, 0},
                  {{true, 2}, 1, 0},
                  {{false, 1}, 2, 1},
                  {{false, 2}, 2, 1}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    {
        late how = wanted[i].how;
        thud_inclusion problem = {.dim = 1, .gaps = late_gaps, .user = &how};
        thud_state_def def = {.dim = 1, .h = 0.5, .q = (double[]){1}, .u = (double[]){-4}};
        rig r = rig_start(&def, NULL);
        REQUIRE(r.state && r.work);
        thud_status status = thud_step(&problem, r.state, r.work);
        const thud_report *report = thud_work_report(r.work);
        CHECK(status == THUD_OK);
        CHECK(report->rounds == wanted[i].rounds && report->rows_missed == wanted[i].missed);
        CHECK(thud_rows_count(report->rows) == 1);
        CHECK(r.state->u[0] == -2 && r.state->q[0] == 0);
        CHECK(r.state->multiplier_count == 1 && r.state->multipliers[0].impulse == 2);
        rig_end(&r);
    }
}

// The inside of a disc, g = 1 - |q|: cuts at the trial position until it is inside.
static int disc_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const double *p = at->phase == THUD_FIND_MISSING ? at->trial : at->q;
    double length = hypot(p[0], p[1]), slope[2];
    int *cuts = user;
    if (length == 0 || (at->phase == THUD_FIND_MISSING && length <= 1 + 4 * DBL_EPSILON))
        return 0;
    slope[0] = -p[0] / length;
    slope[1] = -p[1] / length;
    double gap = 1 - length + slope[0] * (at->q[0] - p[0]) + slope[1] * (at->q[1] - p[1]);
    thud_row row = {.key = {8}, .gap = gap, .kind = THUD_CONCAVE, .width = 2, .count = 1};
    row.index = (int[]){0};
    row.slope = slope;
    *cuts += at->phase == THUD_FIND_MISSING;
    (void)thud_rows_push(rows, &row);
    return 0;
}

static int disc_force(double t, const double *q, double *f, void *user)
{
    (void)t;
    (void)q;
    (void)user;
    f[0] = 1;
    f[1] = -2;
    return 0;
}

static void concave_disc(void)
{
    uint64_t seed = test_seed(20260110);
    test_random random = test_random_start(seed);
    double lowest = 0;
    int cuts = 0;
    for (int trial = 0; trial < 50; trial++)
    {
        double q[2] = {test_random_uniform(&random, -0.6, 0.6),
                       test_random_uniform(&random, -0.6, 0.6)};
        double u[2] = {test_random_normal(&random), test_random_normal(&random)};
        thud_inclusion problem = {.dim = 2,
                                  .force = disc_force,
                                  .force_is_steady = true,
                                  .gaps = disc_gaps,
                                  .user = &cuts};
        rig r = rig_start(&(thud_state_def){.dim = 2, .h = 0.05, .q = q, .u = u}, NULL);
        REQUIRE(r.state && r.work);
        for (int n = 0; n < 600; n++)
        {
            thud_status status = thud_step(&problem, r.state, r.work);
            REQUIRE(status >= 0);
            CHECK(!(thud_work_report(r.work)->news & THUD_NEWS_NOT_CONVEX));
            lowest = fmin(lowest, 1 - hypot(r.state->q[0], r.state->q[1]));
        }
        rig_end(&r);
    }
    CHECK_AT_MOST(-lowest, 8 * DBL_EPSILON);
    CHECK(cuts > 100);
    printf("  %d cuts, lowest g %.3g (seed %llu)\n", cuts, lowest, (unsigned long long)seed);
}

// g = |q| - 1 seen with a gradient multiplied by `user`: wrong unless that is 1.
static int wrong_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    double factor = *(const double *)user, length = hypot(at->q[0], at->q[1]);
    double slope[2] = {factor * at->q[0] / length, factor * at->q[1] / length};
    thud_row row = {.key = {77}, .gap = length - 1, .width = 2, .count = 1};
    row.index = (int[]){0};
    row.slope = slope;
    (void)push(rows, 2, 10 + at->q[0], 0, 1);
    (void)thud_rows_push(rows, &row);
    return 0;
}

static void wrong_gradient(void)
{
    // the last two are too large on the way in, which only the tangent at the end shows
    static const double factors[] = {1, -1, 0.5, 1.001, 1 + 1e-9, 2, 1 + 1e-6};
    for (int i = 0; i < 7; i++)
        for (int skip = 0; skip < 2; skip++)
        {
            double factor = factors[i], q[2] = {3, 4}, u[2] = {3, 4};
            thud_inclusion problem = {.dim = 2, .gaps = wrong_gaps, .user = &factor};
            bool is_inwards = factor < 1 || i >= 5;
            if (is_inwards)
                u[0] = -0.3, u[1] = -0.4;
            if (factor == -1)
                u[0] = 0.6, u[1] = 0.8;
            thud_work_def def = {.skip_convexity = skip};
            rig r = rig_start(&(thud_state_def){.dim = 2, .h = 0.5, .q = q, .u = u}, &def);
            REQUIRE(r.state && r.work);
            // along the ray g is linear: lin - g' is the error of the gradient alone
            double speed = factor == -1 ? 1 : is_inwards ? -0.5 : 5;
            double defect = fabs(0.5 * speed * (factor - 1));
            bool alarm = defect > 0 && !skip;
            CHECK(thud_step(&problem, r.state, r.work) == (alarm ? THUD_NEWS : THUD_OK));
            const thud_report *report = thud_work_report(r.work);
            CHECK(report->news == (alarm ? THUD_NEWS_NOT_CONVEX : 0u));
            CHECK(thud_key_same(report->defect_key, thud_key_number((alarm ? 77 : 0))));
            CHECK_NEAR(report->defect, alarm ? defect : 0, 1e-14);
            CHECK(skip ? isnan(report->min_gap) : report->min_gap < INFINITY);
            rig_end(&r);
        }
}

// A wall at 1 that moves in at `speed` from t = 0 on.
static int wall_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const double *speed = user;
    return push(rows, 11, at->q[0] - 1 - *speed * at->t, 0, 1) < 0;
}

static void start_inside(void)
{
    static const double starts[] = {0.6, 1 - 1e-9, 1 - 1e-16, 1, 1.001};
    for (int i = 0; i < 5; i++)
        for (int moves = 0; moves < 2; moves++)
        {
            double speed = moves, q = starts[i], u = 0;
            bool is_inside = i < 2;
            thud_inclusion problem = {.dim = 1, .gaps = wall_gaps, .user = &speed};
            rig r = rig_start(&(thud_state_def){.dim = 1, .h = 0.01, .q = &q, .u = &u}, NULL);
            REQUIRE(r.state && r.work);
            thud_tally tally = thud_tally_begin();
            CHECK(thud_step(&problem, r.state, r.work) == (is_inside ? THUD_NEWS : THUD_OK));
            const thud_report *report = thud_work_report(r.work);
            CHECK(report->news == (is_inside ? THUD_NEWS_START_INSIDE : 0u));
            CHECK(report->start_gap == q - 1 &&
                  thud_key_same(report->start_key, thud_key_number(11)));
            thud_tally_add(&tally, report);
            CHECK(tally.min_gap == fmin(q - 1, report->min_gap));
            CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
            CHECK(isnan(thud_work_report(r.work)->start_gap));
            rig_end(&r);
        }
}

// A body between two walls, the slot `width` wide, both rows with the same shift; and a bystander.
typedef struct slot
{
    double width, shift, speed;
} slot;

static int slot_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const slot *s = user;
    double closed = s->speed * at->t;
    (void)push(rows, -1, s->width - closed - at->q[0], s->shift, -1);
    (void)push(rows, 7, at->q[0] - closed, s->shift, 1);
    (void)push(rows, 5, at->q[0] + 100, 0, 1);
    return 0;
}

static void no_room(void)
{
    static const struct
    {
        double shifts, scale; // width of the slot in shifts; what scale must be left
    } wanted[] = {{2.5, 1}, {1.5, 0x1p-4}, {0.2, 0x1p-4}, {0.05, 0x1p-8}, {0.001, 0}, {0, 0}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    {
        slot s = {.width = wanted[i].shifts * 0x1p-10, .shift = 0x1p-10};
        thud_inclusion problem = {.dim = 1, .gaps = slot_gaps, .user = &s};
        thud_state_def def = {.dim = 1, .h = 0.5, .q = (double[]){0}, .u = (double[]){-1}};
        def.q = &(double){s.width / 2};
        rig r = rig_start(&def, NULL);
        REQUIRE(r.state && r.work);
        thud_status status = thud_step(&problem, r.state, r.work);
        const thud_report *report = thud_work_report(r.work);
        bool tight = wanted[i].scale < 1;
        CHECK(status == (report->news ? THUD_NEWS : THUD_OK));
        CHECK(((report->news & THUD_NEWS_NO_ROOM) != 0) == tight);
        CHECK(report->shift_scale == wanted[i].scale);
        CHECK_AT_MOST(report->answer.certificate.violation_ulps, 8);
        CHECK_NEAR(r.state->q[0], wanted[i].scale * s.shift, 4 * DBL_EPSILON);
        if (wanted[i].shifts == 0)
            CHECK(report->news & THUD_NEWS_SELF_STRESS && isinf(report->gamma));
        rig_end(&r);
    }
}

static void no_way_out(void)
{
    for (int shifted = 0; shifted < 2; shifted++)
    {
        slot s = {.width = 1, .shift = shifted ? 1e-6 : 0, .speed = 0.25};
        thud_inclusion problem = {.dim = 1, .gaps = slot_gaps, .user = &s};
        rig r = rig_start(&(thud_state_def){.dim = 1, .h = 0.75, .q = (double[]){0.5}}, NULL);
        REQUIRE(r.state && r.work);
        CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
        CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
        check_failed_step(&problem, &r, THUD_ERR_INFEASIBLE); // closed at t = 2, seen at 2.25
        const char *message = thud_work_message(r.work);
        CHECK(strstr(message, "step 3 (t = 2.25)"));
        CHECK(strstr(message, " 7 (y = 0.5)") && strstr(message, "18446744073709551615 (y = 0.5)"));
        CHECK(!strstr(message, " 5 (y")); // the bystander is not to blame
        const thud_report *report = thud_work_report(r.work);
        const thud_farkas *farkas = &report->answer.farkas;
        REQUIRE(farkas->y && thud_rows_count(report->rows) == 3);
        CHECK(farkas->y[0] == 0 && farkas->y[1] == 0.5 && farkas->y[2] == 0.5);
        CHECK(farkas->residual < 1e-28 && farkas->radius > 1e25);
        CHECK_NEAR(farkas->sum, -0.0625, 1e-15); // not that of the shifted problem
        rig_end(&r);
    }
}

// A row without gradient holds always or never.
static int zero_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)at;
    return thud_rows_push(rows, &(thud_row){.key = {31}, .gap = *(const double *)user});
}

static void zero_row(void)
{
    static const double gaps[] = {1, 0, -1e-300};
    for (int i = 0; i < 3; i++)
    {
        double gap = gaps[i];
        thud_inclusion problem = {.dim = 1, .gaps = zero_gaps, .user = &gap};
        rig r = rig_start(&(thud_state_def){.dim = 1, .h = 1, .q = (double[]){0.5}}, NULL);
        REQUIRE(r.state && r.work);
        if (gap >= 0)
            CHECK(thud_step(&problem, r.state, r.work) == THUD_OK && r.state->q[0] == 0.5);
        else
            check_failed_step(&problem, &r, THUD_ERR_INFEASIBLE);
        CHECK((strstr(thud_work_message(r.work), "31") != NULL) == (gap < 0));
        rig_end(&r);
    }
}

// Three bodies on three floors; the one in the middle is lifted off its floor at step 3.
static int floors_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const bool *push_middle = user;
    for (int i = 2; i >= 0; i--)
    {
        thud_row row = {.key = thud_key_number(10 * (i + 1)), .gap = at->q[i], .count = 1};
        row.index = &i;
        row.slope = (double[]){1};
        if (i != 1 || *push_middle)
            (void)thud_rows_push(rows, &row);
    }
    return 0;
}

static int floors_force(double t, const double *q, double *f, void *user)
{
    (void)q;
    (void)user;
    f[0] = -1;
    f[1] = t < 2 ? -2 : 2;
    f[2] = -3;
    return 0;
}

static void multipliers_by_key(void)
{
    bool push_middle = true;
    thud_inclusion problem = {.dim = 3,
                              .force = floors_force,
                              .force_is_steady = true,
                              .gaps = floors_gaps,
                              .user = &push_middle};
    rig r = rig_start(&(thud_state_def){.dim = 3, .h = 1, .q = (double[]){0, 0, 0}}, NULL);
    REQUIRE(r.state && r.work);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    const thud_multiplier *m = r.state->multipliers;
    CHECK(r.state->multiplier_count == 3);
    for (int i = 0; i < 3; i++)
        CHECK(thud_key_same(m[i].key, thud_key_number(10 * (i + 1))) && m[i].impulse == i + 1 &&
              m[i].memory == 0);
    r.state->multipliers[1].memory = 0.5;
    r.state->multipliers[2].memory = -7;
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK && r.state->multiplier_count == 3);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK); // the middle one lifts off
    m = r.state->multipliers;
    CHECK(r.state->multiplier_count == 3 && r.state->u[1] == 2);
    CHECK(thud_key_same(m[1].key, thud_key_number(20)) && m[1].impulse == 0 &&
          m[1].memory == 0.5); // kept for its memory
    CHECK(thud_key_same(m[2].key, thud_key_number(30)) && m[2].impulse == 3 && m[2].memory == -7);
    r.state->multipliers[1].memory = 0;
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    m = r.state->multipliers;
    CHECK(r.state->multiplier_count == 2 && thud_key_same(m[0].key, thud_key_number(10)) &&
          thud_key_same(m[1].key, thud_key_number(30)));
    CHECK(m[1].memory == -7);
    rig_end(&r);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"rows-in-check", rows_in_check},
        {"concave-disc", concave_disc},
        {"wrong-gradient", wrong_gradient},
        {"start-inside", start_inside},
        {"no-room", no_room},
        {"no-way-out", no_way_out},
        {"zero-row", zero_row},
        {"multipliers-by-key", multipliers_by_key},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
