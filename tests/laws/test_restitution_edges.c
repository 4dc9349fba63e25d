// Restitution where it is awkward: floors that swing, clusters under self-stress, e and masses at
// their ends, runs taken up in an impact, threads, and what is refused.
#include "forge_rig.h"

#include <omp.h>
#include <string.h>

// A ball over a floor that swings, found as events: at a meeting u+ = v + e (v - u-), v the
// floor's.
typedef struct bouncer
{
    double e, q, u, t;
    int met;
} bouncer;

static double swing(double t)
{
    return 0.1 * sin(3 * t);
}

static double swing_speed(double t)
{
    return 0.3 * cos(3 * t);
}

static double gap_at(const bouncer *b, double t)
{
    double s = t - b->t;
    return b->q + b->u * s - s * s / 2 - swing(t);
}

// The first time after t + 1e-7 at which the ball is below the floor, by small ways and halving.
static double next_meeting(const bouncer *b, double end)
{
    double low = b->t + 1e-7;
    for (double high = low; high < end; low = high)
    {
        high = low + 1e-4;
        if (gap_at(b, high) >= 0)
            continue;
        for (int i = 0; i < 60; i++)
        {
            double middle = low + (high - low) / 2;
            *(gap_at(b, middle) < 0 ? &high : &low) = middle;
        }
        return low;
    }
    return end;
}

static void move_bouncer(bouncer *b, double to)
{
    double s = to - b->t;
    b->q += b->u * s - s * s / 2;
    b->u -= s;
    b->t = to;
}

static void run_bouncer(bouncer *b, double end)
{
    for (double t; b->met < 100 && (t = next_meeting(b, end)) < end; b->met++)
    {
        move_bouncer(b, t);
        b->u = swing_speed(t) + b->e * (swing_speed(t) - b->u);
    }
    move_bouncer(b, end);
}

static int push_swing(const thud_moment *at, thud_rows *rows, void *user)
{
    return thud_rows_push(rows, &(thud_row){.key = thud_key_number(1),
                                            .gap = at->q[0] - swing(at->t),
                                            .law = THUD_LAW_RESTITUTION,
                                            .numbers = user,
                                            .count = 1,
                                            .index = (int[]){0},
                                            .slope = (double[]){1}}) < 0;
}

static int fall(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = -1;
    return 0;
}

// First order in h; the bounces stay apart until the end.
static void swinging_floor(void)
{
    static const thud_smoothness smooth = {0.9, 0};
    for (int level = 0; level < 4; level++)
        for (int i = 1; i <= 4; i++)
        {
            double e = i / 4.0, h = 0.008 / (1 << level), worst = 0;
            bouncer b = {.e = e, .q = 1};
            thud_inclusion problem = {.dim = 1,
                                      .law = THUD_LAW_RESTITUTION,
                                      .force = fall,
                                      .force_is_steady = true,
                                      .gaps = push_swing,
                                      .smooth = &smooth,
                                      .user = &e};
            track way;
            REQUIRE(track_start(&way, &problem,
                                &(thud_state_def){.dim = 1, .h = h, .q = (double[]){1}}, NULL));
            while (thud_state_time(way.state) < 2 && track_step(&way))
            {
                run_bouncer(&b, thud_state_time(way.state));
                worst = fmax(worst, fabs(way.state->q[0] - b.q));
            }
            CHECK_AT_MOST(worst, 8 * h);
            CHECK(b.met >= 1);
            if (level == 3)
                printf("  e = %g: %d bounces, error %.3g h at h = %g\n", e, b.met, worst / h, h);
            track_end(&way);
        }
}

static void set_table(world_rig *rig, double e)
{
    for (int k = 0; k < WORLD_MATERIALS * WORLD_MATERIALS; k++)
        rig->table[k] = e;
}

// A hub and six around it, all touching, that fall on a floor.
static void make_wheel(world_rig *rig, double e, double turn)
{
    double gap = 2e-5 * 0.5 * (1 + 1e-9), far = 1 + gap;
    *rig = (world_rig){.def = {.dim = 2, .h = 0.01, .gravity = {0, -1}}, .count = 7};
    set_table(rig, e);
    for (int i = 0; i < 7; i++)
    {
        double angle = i * 1.0471975511965976 + turn, r = i ? far : 0;
        rig->spheres[i] = (thud_sphere){.center = {r * cos(angle), 1.7 + r * sin(angle)},
                                        .velocity = {0.2, -1},
                                        .radius = 0.5,
                                        .mass = 1};
    }
    rig->walls[rig->wall_count++] = (thud_plane){.normal = {0, 1}};
}

// Under self-stress multipliers are not unique, but velocities are: another order changes nothing.
static void self_stress(void)
{
    static const int place[7] = {3, 5, 0, 6, 1, 4, 2};
    double worst = 0;
    for (int trial = 0; trial < 12; trial++)
    {
        world_rig rig, other;
        make_wheel(&rig, 0.25 * (trial % 5), 0.05 * trial);
        other = rig;
        for (int i = 0; i < 7; i++)
            other.spheres[place[i]] = rig.spheres[i];
        REQUIRE(world_open(&rig, THUD_LAW_RESTITUTION, NULL));
        REQUIRE(world_open(&other, THUD_LAW_RESTITUTION, NULL));
        for (int n = 0; n < 80; n++)
        {
            thud_state *a = rig.way.state, *b = other.way.state;
            for (int k = 0; k < 14; k++)
            {
                b->q[2 * place[k / 2] + k % 2] = a->q[k];
                b->u[2 * place[k / 2] + k % 2] = a->u[k];
            }
            REQUIRE(track_step(&rig.way) && track_step(&other.way));
            for (int k = 0; k < 14; k++)
                worst = fmax(worst, fabs(b->u[2 * place[k / 2] + k % 2] - a->u[k]));
        }
        world_close(&rig);
        world_close(&other);
    }
    CHECK_AT_MOST(worst, 1e-12);
    printf("  %.2g at most\n", worst);
}

// A run taken up after every step by a world and a work space that know its state alone.
static void taken_up(void)
{
    world_rig whole, part;
    make_wheel(&whole, 0.7, 0.3);
    make_wheel(&part, 0.7, 0.3);
    REQUIRE(world_open(&whole, THUD_LAW_RESTITUTION, NULL));
    for (int n = 0; n < 200; n++)
    {
        REQUIRE(world_open(&part, THUD_LAW_RESTITUTION, NULL));
        REQUIRE(thud_state_copy(part.way.state, whole.way.state) == THUD_OK);
        REQUIRE(track_step(&whole.way) && track_step(&part.way));
        const thud_state *a = whole.way.state, *b = part.way.state;
        REQUIRE(memcmp(a->q, b->q, 14 * sizeof(double)) == 0);
        REQUIRE(memcmp(a->u, b->u, 14 * sizeof(double)) == 0);
        REQUIRE(a->multiplier_count == b->multiplier_count);
        for (int i = 0; i < a->multiplier_count; i++)
            REQUIRE(memcmp(&a->multipliers[i], &b->multipliers[i], sizeof *a->multipliers) == 0);
        world_close(&part);
    }
    world_close(&whole);
}

// Sixty disks that fall together, solved by sweeps: as many threads as one likes, the same bits.
static void threads(void)
{
    double q[3][128], u[3][128];
    int most = omp_get_max_threads();
    for (int run = 0; run < 3; run++)
    {
        world_rig rig = {.def = {.dim = 2, .h = 0.01, .gravity = {0, -1}}, .count = 60};
        thud_projector_def sweeps = {.method = THUD_METHOD_AGS};
        omp_set_num_threads(1 + 2 * run);
        set_table(&rig, 0.4);
        for (int i = 0; i < 60; i++)
            rig.spheres[i] = (thud_sphere){
                .center = {1.01 * (i % 10) + 0.013 * (int)(i / 10), 0.6 + 1.02 * (int)(i / 10)},
                .radius = 0.5,
                .mass = 1 + 0.1 * (i % 7)};
        rig.walls[rig.wall_count++] = (thud_plane){.normal = {0, 1}};
        REQUIRE(world_open(&rig, THUD_LAW_RESTITUTION, &sweeps));
        rig.way.check.backward *= 1000;
        CHECK(track_steps(&rig.way, 100));
        memcpy(q[run], rig.way.state->q, 120 * sizeof(double));
        memcpy(u[run], rig.way.state->u, 120 * sizeof(double));
        world_close(&rig);
    }
    omp_set_num_threads(most);
    for (int run = 1; run < 3; run++)
        CHECK(memcmp(q[0], q[run], 120 * sizeof(double)) == 0 &&
              memcmp(u[0], u[run], 120 * sizeof(double)) == 0);
}

// e next to 0 and 1, masses far apart: judged, finite, and no energy is gained.
static void extremes(void)
{
    static const double es[] = {4.9e-324, 1e-300, 1e-17, 1 - 0x1p-53, 1};
    static const double masses[] = {1e-3, 1, 1e3};
    for (int i = 0; i < 5; i++)
        for (int m = 0; m < 9; m++)
        {
            affine a = affine_make(2);
            affine_row *floor = affine_add(&a), *pair = affine_add(&a);
            floor->slope[0] = 1;
            pair->slope[0] = -1;
            pair->slope[1] = 1;
            floor->restitution = pair->restitution = es[i];
            a.mass[0] = masses[m % 3];
            a.mass[1] = masses[m / 3];
            thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
            track way;
            REQUIRE(track_start(
                &way, &problem,
                &(thud_state_def){
                    .dim = 2, .h = 0.01, .q = (double[]){0.05, 0.1}, .u = (double[]){-1, -2}},
                NULL));
            double energy = track_kinetic(&way), first = energy;
            for (int n = 0; n < 100; n++)
            {
                REQUIRE(track_step(&way));
                CHECK_AT_MOST(track_kinetic(&way) - energy, 1e-12 * first);
                energy = track_kinetic(&way);
            }
            if (es[i] == 1)
                CHECK_NEAR(energy, first, 1e-12 * first);
            track_end(&way);
        }
}

static void refuse_step(affine *a, double q, double u, thud_status wanted, const char *words)
{
    thud_inclusion problem = affine_problem(a, THUD_LAW_RESTITUTION);
    thud_state *state = NULL;
    thud_work *work = NULL;
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 1, .h = 0.5, .q = &q, .u = &u}, &state) ==
            THUD_OK);
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    thud_status status = thud_step(&problem, state, work);
    if (status != wanted || !strstr(thud_work_message(work), words))
        test_fail(__FILE__, __LINE__, "%s, \"%s\"", thud_status_name(status),
                  thud_work_message(work));
    CHECK(state->n == 0 && state->q[0] == q && state->u[0] == u);
    thud_work_destroy(work);
    thud_state_destroy(state);
}

// Speeds whose squares are no numbers; walls that close to an exact fit, where the displacement is
// still known, but no velocity leaves both.
static void refused(void)
{
    affine a = affine_make(1);
    affine_row *floor = affine_add(&a), *lid = affine_add(&a);
    floor->slope[0] = lid->slope[0] = 1;
    floor->restitution = lid->restitution = 1;
    refuse_step(&a, 0, -1.2e154, THUD_ERR_NOT_FINITE, "velocity 0 after the impact is not finite");
    floor->speed = lid->speed = -1;
    floor->offset = lid->offset = 0.5;
    lid->slope[0] = -1;
    lid->restitution = 0.5;
    refuse_step(&a, 0, 0, THUD_ERR_INFEASIBLE,
                "the velocities after the impact: no velocity satisfies all constraints");
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"swinging-floor", swinging_floor},
                                      {"self-stress", self_stress},
                                      {"taken-up", taken_up},
                                      {"threads", threads},
                                      {"extremes", extremes},
                                      {"refused", refused}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
