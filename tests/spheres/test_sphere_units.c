// The same world in other units, by powers of two, is the same to the bit: grains of a nanometre
// and of a thousand kilometres, a step of a nanosecond, masses of a feather and of a planet.
#include "thud_test.h"

#include <thud/spheres.h>
#include <thud/step.h>

#include <string.h>

enum
{
    COUNT = 160,
    STEPS = 100
};

// Exponents of the units of length, time and mass.
typedef struct units
{
    int length, time, mass;
} units;

typedef enum kind
{
    BOX, // with a ball that moves through it, and radii of 1 : 1000
    DISKS,
    PERIODIC,
    KINDS
} kind;

// Up from below the floor.
static int move_ball(double t, thud_pose *pose, void *user)
{
    const units *in = user;
    double speed = ldexp(0.25, in->length - in->time);
    memset(pose, 0, sizeof *pose);
    pose->velocity[2] = speed;
    pose->position[0] = pose->position[1] = ldexp(3, in->length);
    pose->position[2] = ldexp(-1, in->length) + speed * t;
    return 0;
}

static thud_world *make_world(kind what, units *in)
{
    thud_world *world = NULL;
    thud_world_def def = {.dim = what == DISKS ? 2 : 3, .h = ldexp(1, in->time - 7)};
    def.gravity[def.dim - 1] = ldexp(-8, in->length - 2 * in->time);
    for (int k = 0; k < 3 && what == PERIODIC; k++)
        def.cell.period[k] = ldexp(6, in->length);
    CHECK(thud_world_create(&def, &world) == THUD_OK);
    if (!world)
        return NULL;
    double low[3] = {0, 0, 0}, high[3];
    for (int k = 0; k < 3; k++)
        high[k] = k < def.dim - 1 ? ldexp(what == DISKS ? 15 : 6, in->length) : INFINITY;
    if (what != PERIODIC)
        CHECK(thud_world_add_box(world, low, high, NULL) == THUD_OK);
    if (what == BOX)
        CHECK(thud_world_add_obstacle(
                  world,
                  &(thud_obstacle_def){
                      .solid = {.kind = THUD_BALL, .radius = ldexp(0.75, in->length)},
                      .motion = move_ball,
                      .smooth = {.gap_tt = NAN, .gap_tq = NAN},
                      .user = in},
                  NULL) == THUD_OK);
    return world;
}

static void add_bodies(thud_world *world, kind what, const units *in)
{
    test_random random = test_random_start(20261116);
    int side = what == DISKS ? 13 : 5;
    for (int i = 0; i < COUNT; i++)
    {
        int at[3] = {i % side, i / side % side, i / side / side};
        double radius = test_random_uniform(&random, 0.3, 0.45);
        if (what == BOX && i % 4 == 0)
            radius *= test_random_uniform(&random, 1e-3, 1);
        thud_sphere s = {.radius = ldexp(radius, in->length),
                         .mass = ldexp(radius * radius * radius, in->mass)};
        for (int k = 0; k < (what == DISKS ? 2 : 3); k++)
        {
            double lift = what == BOX && k == 2 ? 1 : 0;
            s.center[k] = ldexp(0.75 + 1.1 * at[k] + lift, in->length);
            s.velocity[k] = ldexp(test_random_uniform(&random, -2, 2), in->length - in->time);
        }
        if (what == PERIODIC && at[2] >= 5)
            break;
        CHECK(thud_world_add(world, &s, 1, NULL) == THUD_OK);
    }
}

// Positions and velocities after some steps, in the first units; returns how many numbers.
static int run(kind what, units in, double *out)
{
    thud_world *world = make_world(what, &in);
    if (!world)
        return 0;
    add_bodies(world, what, &in);
    thud_status status = thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL);
    CHECK(status >= 0);
    thud_work_def def = thud_world_work(world);
    thud_work *work = NULL;
    int count = 0, contacts = 0;
    if (status >= 0 && thud_work_create(&def, &work) == THUD_OK)
    {
        thud_inclusion problem = thud_world_inclusion(world);
        thud_state *state = thud_world_state(world);
        for (int n = 0; n < STEPS && status >= 0; n++)
        {
            status = thud_step(&problem, state, work);
            contacts += state->multiplier_count;
        }
        if (status < 0)
            test_fail(__FILE__, __LINE__, "%s", thud_work_message(work));
        CHECK(contacts > 200);
        for (int k = 0; k < state->dim; k++)
        {
            out[count++] = ldexp(state->q[k], -in.length);
            out[count++] = ldexp(state->u[k], in.time - in.length);
        }
    }
    else
        test_fail(__FILE__, __LINE__, "%s", thud_world_message(world));
    thud_work_destroy(work);
    thud_world_destroy(world);
    return count;
}

static void compare(kind what)
{
    static const units others[] = {{-30, 0, 0},   {20, 0, 0},       {0, -30, 0},   {0, 12, 0},
                                   {0, 0, -80},   {0, 0, 80},       {-30, -30, 0}, {40, 20, 100},
                                   {-60, -50, 0}, {-120, -40, -300}};
    static double first[6 * COUNT], other[6 * COUNT];
    int count = run(what, (units){0, 0, 0}, first);
    CHECK(count > 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    {
        int here = run(what, others[i], other), apart = 0;
        CHECK(here == count);
        for (int k = 0; k < count && here == count; k++)
            apart += first[k] != other[k];
        if (apart > 0)
            test_fail(__FILE__, __LINE__, "length 2^%d, time 2^%d, mass 2^%d: %d of %d differ",
                      others[i].length, others[i].time, others[i].mass, apart, count);
    }
}

static void box(void)
{
    compare(BOX);
}

static void disks(void)
{
    compare(DISKS);
}

static void periodic(void)
{
    compare(PERIODIC);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"box", box}, {"disks", disks}, {"periodic", periodic}};
    return test_main(argc, argv, cases, 3);
}
