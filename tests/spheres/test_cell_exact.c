// Periodic and sheared worlds whose motion is known.
#include "cell_rig.h"

#include <string.h>

static const double h = 0.01;

static int grow(double t, int count, const int *id, double *radius, void *user)
{
    (void)id;
    for (int i = 0; i < count; i++)
        radius[i] = ((const double *)user)[0] + ((const double *)user)[1] * t;
    return 0;
}

// Disks on a ring grow until they fill it: the gaps are what is left, all of it, and no more.
static void ring(void)
{
    enum
    {
        COUNT = 7
    };
    double law[2] = {0.05, 0.02}, length = 1;
    cell_rig rig;
    thud_world_def def = {
        .dim = 2, .h = h, .cell = {.period = {length, 0, 0}}, .radii = grow, .user = law};
    REQUIRE(cell_open(&rig, &def));
    for (int i = 0; i < COUNT; i++)
        cell_add(&rig, 0.11 * i + 3 * length * (i % 3), 0, 0, law[0], 0, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    rig.may_lack_room = true;
    double last = 0;
    for (int n = 0; n < 106; n++)
    {
        thud_bodies bodies = thud_world_bodies(rig.world);
        REQUIRE(cell_steps(&rig, 1));
        double r = cell_radius(&rig, thud_state_time(rig.state), 0), sum = 0;
        last = length - COUNT * 2 * r;
        for (int i = 0; i < COUNT; i++)
        {
            int j = (i + 1) % COUNT;
            double d = bodies.q[2 * j] - bodies.q[2 * i];
            d -= length * floor(d / length);
            sum += d - 2 * r;
            CHECK(d - 2 * r > 0 && d - 2 * r <= last + 1e-12);
            CHECK(bodies.q[2 * i + 1] == 0);
        }
        CHECK_NEAR(sum, last, 1e-12);
    }
    CHECK(last > 0 && last < 0.005 && rig.across > 0);
    // beyond it there is no place for them
    thud_status status = THUD_OK;
    for (int n = 0; n < 10 && status >= 0; n++)
        status = thud_step(&rig.problem, rig.state, rig.work);
    CHECK(status < 0);
    cell_close(&rig);
}

// Two disks with hardly any room between both images: two rows of one pair, and an elastic one goes
// to and fro between them.
static void both_images(void)
{
    static const double elastic[1] = {1};
    double r = 0.2495;
    for (int law = 0; law < 2; law++)
    {
        cell_rig rig;
        thud_world_def def = {.dim = 2,
                              .h = h,
                              .cell = {.period = {1, 0, 0}},
                              .material_count = law,
                              .law = law ? THUD_LAW_RESTITUTION : THUD_LAW_INELASTIC,
                              .numbers = law ? elastic : NULL};
        REQUIRE(cell_open(&rig, &def));
        cell_add(&rig, 0, 0, 0, r, 0, 0, 0);
        cell_add(&rig, 0.4995, 0, 0, r, 1, 0, 0);
        CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
        REQUIRE(cell_steps(&rig, 1));
        const thud_report *report = thud_work_report(rig.work);
        CHECK(thud_rows_count(report->rows) == 2);
        for (int i = 0; i < 2; i++)
        {
            thud_key key = thud_rows_get(report->rows, i, NULL).key;
            CHECK(thud_key_read(key, THUD_KEYS_PERIODIC).image == i);
        }
        REQUIRE(cell_steps(&rig, 100));
        CHECK_NEAR(kinetic_energy(rig.world), law ? 0.5 : 0.25, 1e-12);
        CHECK(rig.across > 0 && (!law || (rig.across >= 20 && rig.contacts >= 2 * rig.across - 2)));
        cell_close(&rig);
    }
}

// A pair met in the middle, through the border, and with one of the bodies periods away.
static void meet(double shift, int periods, thud_world_def *def, double out[8])
{
    cell_rig rig;
    REQUIRE(cell_open(&rig, def));
    cell_add(&rig, 0.35 + shift, 0.5, 0, 0.1, 1, 0, 0);
    cell_add(&rig, 0.62 + shift + periods, 0.56 - 2 * periods, 0, 0.1, -0.5, 0.1, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    CHECK(cell_steps(&rig, 40));
    CHECK(rig.contacts > 0 && (rig.across > 0) == (periods != 0));
    for (int k = 0; k < 4; k++)
    {
        double moved = k % 2 == 0 ? shift + periods * (k == 2) : k == 3 ? -2 * periods : 0;
        out[k] = rig.state->q[k] - moved;
        out[4 + k] = rig.state->u[k];
    }
    cell_close(&rig);
}

static void through_the_border(void)
{
    static const double bouncing[1] = {0.7}, sticky[1] = {-INFINITY};
    for (int law = 0; law < 3; law++)
    {
        thud_world_def def = {.dim = 2, .h = h, .cell = {.period = {1, 2, 0}}};
        def.material_count = law > 0;
        def.law = (thud_law)law;
        def.numbers = law == 1 ? bouncing : law == 2 ? sticky : NULL;
        double middle[8] = {0}, around[8] = {0};
        meet(0, 0, &def, middle);
        for (int periods = -5; periods <= 5; periods++)
            for (int n = 0; n < 4; n++)
            {
                meet(0.25 * n, periods, &def, around);
                for (int k = 0; k < 8; k++)
                    CHECK_NEAR(around[k], middle[k], 1e-12);
            }
    }
}

typedef struct drive
{
    double start, speed, growth;
} drive;

static int drive_at(double t, double *shear, void *user)
{
    const drive *d = user;
    *shear = d->start + d->speed * t + d->growth * t * t / 2;
    return 0;
}

// A body pushed by the image of another that the shear carries along: x_b - x_a = 2 r + S and the
// momentum is 0; the shear does the work. `turns` puts b as many cells higher, in their motion.
static void push(double growth, int turns)
{
    drive law = {.start = 0.25, .speed = 0.5, .growth = growth};
    double r = 0.125, height = 1;
    cell_rig rig;
    thud_world_def def = {.dim = 2,
                          .h = 1.0 / 128,
                          .tol = 1e-9,
                          .cell = {.period = {2, height, 0},
                                   .shear = drive_at,
                                   .shear_t = 8,
                                   .shear_tt = 8,
                                   .user = &law}};
    REQUIRE(cell_open(&rig, &def));
    // its image one cell below, at y = 0, is 3/4 away from the other
    cell_add(&rig, 0, 0, 0, r, 0, 0, 0);
    cell_add(&rig, 1 + turns * law.start, (1 + turns) * height, 0, r, turns * law.speed, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    REQUIRE(cell_steps(&rig, 256));
    double t = thud_state_time(rig.state), S, p[3], before, after;
    CHECK(drive_at(t, &S, &law) == 0);
    const double *q = rig.state->q, *u = rig.state->u;
    CHECK_NEAR(q[2] - q[0], 2 * r + (1 + turns) * S, 1e-8);
    CHECK(q[1] == 0 && q[3] == (1 + turns) * height);
    cell_momentum(&rig, p);
    CHECK_NEAR(p[0], turns * law.speed, 1e-13);
    // one more step: its impulse is m a h / 2, and its work that of the shear
    before = kinetic_energy(rig.world);
    double slow = u[2] - u[0];
    REQUIRE(cell_steps(&rig, 1));
    after = kinetic_energy(rig.world);
    double impulse = rig.state->multiplier_count > 0 ? rig.state->multipliers[0].impulse : 0;
    CHECK_NEAR(impulse, (1 + turns) * growth * def.h / 2, 1e-9);
    double fast = u[2] - u[0], work = impulse * (fast + slow) / 2;
    CHECK_NEAR(after - before, work, 1e-13);
    CHECK_NEAR(fast, (1 + turns) * (law.speed + growth * (t + def.h / 2)), 1e-7);
    cell_close(&rig);
}

static void shear_pushes(void)
{
    push(0, 0);
    push(1, 0);
}

// The same two bodies seen one cell higher: only their difference counts.
static void shear_wanders(void)
{
    drive law = {.start = 0.25, .speed = 0.5};
    for (int turns = -3; turns <= 3; turns++)
    {
        cell_rig rig;
        thud_world_def def = {
            .dim = 2,
            .h = 1.0 / 128,
            .tol = 1e-9,
            .cell = {.period = {2, 1, 0}, .shear = drive_at, .shear_t = 0.5, .user = &law}};
        REQUIRE(cell_open(&rig, &def));
        cell_add(&rig, 0, 0, 0, 0.125, 0, 0, 0);
        cell_add(&rig, 1 + turns * law.start, 1 + turns, 0, 0.125, turns * law.speed, 0, 0);
        CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
        REQUIRE(cell_steps(&rig, 256));
        double S;
        CHECK(drive_at(thud_state_time(rig.state), &S, &law) == 0);
        CHECK_NEAR(rig.state->q[2] - rig.state->q[0], 0.25 + (1 + turns) * S, 1e-8);
        CHECK_NEAR(rig.state->u[2] - rig.state->u[0], (1 + turns) * law.speed, 1e-8);
        cell_close(&rig);
    }
}

// Rows of disks without contact keep their motion, at any shear.
static void carried(void)
{
    drive law = {.speed = 3};
    cell_rig rig;
    thud_world_def def = {
        .dim = 2,
        .h = 1.0 / 256,
        .cell = {.period = {1, 1, 0}, .shear = drive_at, .shear_t = 3, .user = &law}};
    REQUIRE(cell_open(&rig, &def));
    for (int i = 0; i < 8; i++)
        cell_add(&rig, 0.25 * (i % 4), i < 4 ? 0.25 : 0.75, 0, 0.1, i < 4 ? 0 : 1.5, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    REQUIRE(cell_steps(&rig, 300));
    for (int i = 0; i < 8; i++)
        CHECK_NEAR(rig.state->q[2 * i], 0.25 * (i % 4) + (i < 4 ? 0 : 1.5 * 300 / 256), 1e-12);
    CHECK(rig.contacts == 0);
    cell_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"ring", ring},
                                      {"both-images", both_images},
                                      {"through-the-border", through_the_border},
                                      {"shear-pushes", shear_pushes},
                                      {"shear-wanders", shear_wanders},
                                      {"carried", carried}};
    return test_main(argc, argv, cases, 6);
}
