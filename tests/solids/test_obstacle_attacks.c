// Attempts to get an obstacle through a body within one step: refused, with a step that would do,
// or pushed, never passed.
#include "obstacle_rig.h"

#include <stdlib.h>
#include <string.h>

// A motion along a line and about an axis, with slopes that may be a lie.
typedef struct ride
{
    double start[3], velocity[3], spin[3];
    bool lies; // says that it stands still
} ride;

static int ride_along(double t, thud_pose *pose, void *user)
{
    const ride *r = user;
    *pose = (thud_pose){.position = {0}};
    for (int k = 0; k < 3; k++)
    {
        pose->position[k] = r->start[k] + t * r->velocity[k];
        pose->rotation[k] = t * r->spin[k];
        pose->velocity[k] = r->lies ? 0 : r->velocity[k];
        pose->turning[k] = r->lies ? 0 : r->spin[k];
    }
    return 0;
}

static thud_obstacle_def riding(thud_solid_def solid, ride *r)
{
    return (thud_obstacle_def){
        .solid = solid, .motion = ride_along, .user = r, .smooth = {NAN, NAN}};
}

// Large triangle in the plane x = 0.
static const thud_solid_def PLATE = {.kind = THUD_TRIANGLE,
                                     .points = {{0, -50, -50}, {0, 50, -50}, {0, 0, 80}}};

static double named_step(const char *message)
{
    const char *at = strstr(message, "h = ");
    return at ? strtod(at + 4, NULL) : 0;
}

// One ball at rest at the origin, one obstacle; the first step with h must be refused, and must go
// with the step that the message names.
static void refuse(thud_obstacle_def obstacle, double h)
{
    double enough = 0;
    for (int pass = 0; pass < 2; pass++)
    {
        obstacle_rig rig;
        thud_world_def def = {.h = pass ? enough : h};
        REQUIRE(obstacle_rig_open(&rig, &def));
        obstacle_rig_ball(&rig, .1, 0, 0, 0, 0, 0, 0);
        obstacle_rig_add(&rig, &obstacle);
        CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
        thud_status status = obstacle_rig_step(&rig);
        if (pass == 0)
        {
            const char *message = thud_work_message(rig.work);
            CHECK(status == THUD_ERR_STEP);
            CHECK(strstr(message, "step 1 (t = ") &&
                  strstr(message, "step too large for obstacle 0"));
            CHECK(strstr(thud_world_message(rig.world), "step too large for obstacle 0"));
            CHECK(rig.state->n == 0 && rig.state->q[0] == 0 && rig.state->u[0] == 0);
            enough = named_step(message);
            CHECK(enough > 0 && enough < h);
        }
        else
            CHECK(status >= 0);
        obstacle_rig_close(&rig);
        REQUIRE(enough > 0);
    }
}

static void plate_through_ball(void)
{
    ride r = {.start = {-.5}, .velocity = {100}};
    refuse(riding(PLATE, &r), .01);
    r.lies = true;
    refuse(riding(PLATE, &r), .01);
    r = (ride){.start = {-.5}, .velocity = {1e6}};
    refuse(riding(PLATE, &r), .01);
    thud_solid_def rod = {.kind = THUD_CAPSULE, .points = {{0, -1, 0}, {0, 1, 0}}};
    r.velocity[0] = 70;
    refuse(riding(rod, &r), .01);
    thud_solid_def sheet = {.kind = THUD_BOX, .points = {{-1e-3, -1, -1}, {1e-3, 1, 1}}};
    refuse(riding(sheet, &r), .01);
}

static void blade(void)
{
    thud_solid_def blade = {.kind = THUD_TRIANGLE, .points = {{1, 1, -1}, {1, 1, 1}, {.9, -3, 0}}};
    ride r = {.start = {-2}, .spin = {0, 0, 200}};
    refuse(riding(blade, &r), .01);
    r.lies = true;
    refuse(riding(blade, &r), .01);
    r = (ride){.start = {-2}, .spin = {0, 0, 2 * 3.14159265358979 / .01}}; // a turn per step
    refuse(riding(blade, &r), .01);
}

static void fast_mesh(void)
{
    double triangles[180];
    for (int i = 0; i < 180; i++)
        triangles[i] = (i % 3 == 0 ? 0 : .2) * (i * 37 % 21 - 10);
    thud_solid_def mesh = {.kind = THUD_MESH, .triangles = triangles, .triangle_count = 20};
    ride r = {.start = {-.4, .01, .02}, .velocity = {60}};
    refuse(riding(mesh, &r), .01);
}

// A solid ball may go deep, but not through.
static void solid_ball(void)
{
    thud_solid_def ball = {.kind = THUD_BALL, .radius = .2};
    ride r = {.start = {-.5}, .velocity = {90}};
    refuse(riding(ball, &r), .01);
}

// A plate pushes a ball along, at speeds and steps at random: the ball stays on its side in every
// step taken, and what is refused is told.
static void pushed(void)
{
    uint64_t seed = test_seed(70);
    test_random random = test_random_start(seed);
    int taken = 0, refused = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < 300; trial++)
    {
        obstacle_rig rig;
        thud_world_def def = {.h = .01};
        double speed = exp(test_random_uniform(&random, -2, 4));
        ride r = {.start = {-.4}, .velocity = {speed}};
        r.spin[1] = test_random_uniform(&random, -.2, .2);
        thud_obstacle_def plate = riding(PLATE, &r);
        REQUIRE(obstacle_rig_open(&rig, &def));
        obstacle_rig_ball(&rig, .1, 0, .3, -.2, -test_random_uniform(&random, 0, 200), 0, 0);
        obstacle_rig_add(&rig, &plate);
        CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
        for (int i = 0; i < 30; i++)
        {
            thud_status status = obstacle_rig_step(&rig);
            CHECK(status >= 0 || status == THUD_ERR_STEP);
            refused += status < 0;
            if (status < 0)
                break;
            double t = thud_state_time(rig.state), angle = r.spin[1] * t;
            double x = rig.state->q[0] - (r.start[0] + t * speed), z = rig.state->q[2];
            CHECK(x * cos(angle) - z * sin(angle) > 0); // the side it started on
            taken++;
        }
        obstacle_rig_close(&rig);
    }
    printf("%d steps taken, %d refused\n", taken, refused);
    CHECK(taken > 1000 && refused > 10);
}

// A plate that stands still cannot be crossed at any speed; seen between nodes as well.
static void bullets(void)
{
    uint64_t seed = test_seed(71);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < 300; trial++)
    {
        obstacle_rig rig;
        thud_world_def def = {.h = .01};
        double speed = exp(test_random_uniform(&random, 0, 20));
        thud_obstacle_def plate = {.solid = PLATE};
        REQUIRE(obstacle_rig_open(&rig, &def));
        obstacle_rig_ball(&rig, .1, test_random_uniform(&random, .11, 5), 0, 0, -speed, 0, 0);
        obstacle_rig_add(&rig, &plate);
        CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
        CHECK(obstacle_rig_steps(&rig, 5));
        CHECK(rig.state->q[0] >= .1 && thud_work_report(rig.work)->between == 0);
        obstacle_rig_close(&rig);
    }
}

static int fail(double t, thud_pose *pose, void *user)
{
    *pose = (thud_pose){.position = {*(const double *)user}};
    return t > .05 && isfinite(*(const double *)user);
}

// Callbacks that fail, poses that are no numbers, and starts in or on an obstacle.
static void refusals(void)
{
    obstacle_rig rig;
    thud_world_def def = {.h = .01};
    double place = -5, nowhere = NAN;
    thud_obstacle_def failing = {.solid = {.kind = THUD_BALL, .radius = 1}, .motion = fail};
    failing.user = &place;
    REQUIRE(obstacle_rig_open(&rig, &def));
    obstacle_rig_ball(&rig, .1, 0, 0, 0, 0, 0, 0);
    obstacle_rig_add(&rig, &failing);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    CHECK(obstacle_rig_steps(&rig, 5));
    CHECK(obstacle_rig_step(&rig) == THUD_ERR_CALLBACK);
    failing.user = &nowhere;
    obstacle_rig_add(&rig, &failing);
    CHECK(thud_world_prepare(rig.world, THUD_REFUSE_OVERLAP, NULL) == THUD_ERR_NOT_FINITE);
    thud_obstacle_def bad = {.solid = {.kind = THUD_BALL}};
    int before = 7;
    CHECK(thud_world_add_obstacle(rig.world, &bad, &before) == THUD_ERR_ARGUMENT && before == 7);
    CHECK(strcmp(thud_world_message(rig.world), "obstacle 2: the radius must be above 0") == 0);
    bad.solid.radius = 1;
    bad.pose.position[1] = INFINITY;
    CHECK(thud_world_add_obstacle(rig.world, &bad, &before) == THUD_ERR_NOT_FINITE);
    obstacle_rig_close(&rig);
}

// Restitution and obstacles do not go together yet.
static void bad_starts(void)
{
    obstacle_rig rig;
    thud_world_def def = {.h = .01};
    thud_obstacle_def plate = {.solid = PLATE};
    thud_start start;
    REQUIRE(obstacle_rig_open(&rig, &def));
    obstacle_rig_ball(&rig, .1, .04, 0, 0, 0, 0, 0);
    obstacle_rig_ball(&rig, .1, 5, 0, 0, 0, 0, 0);
    obstacle_rig_add(&rig, &plate);
    CHECK(thud_world_prepare(rig.world, THUD_REFUSE_OVERLAP, &start) == THUD_ERR_OVERLAP);
    CHECK(strcmp(thud_world_message(rig.world),
                 "1 overlaps, the deepest of body 0 with obstacle 0") == 0);
    CHECK(start.overlap_count == 1 && start.overlaps[0].b == THUD_OBSTACLE(0));
    CHECK_NEAR(start.overlaps[0].depth, .06, 1e-15);
    CHECK(thud_world_prepare(rig.world, THUD_PROJECT_OVERLAP, &start) == THUD_OK);
    CHECK_NEAR(thud_world_state(rig.world)->q[0], .1, 1e-8);
    CHECK(start.min_gap >= 2e-8 * .1 && start.largest_shift > .05);
    thud_sphere on = {.center = {0, 0, 0}, .radius = .1, .mass = 1};
    CHECK(thud_world_set(rig.world, 0, &on) == THUD_OK);
    CHECK(thud_world_prepare(rig.world, THUD_PROJECT_OVERLAP, &start) == THUD_ERR_OVERLAP);
    CHECK(strcmp(thud_world_message(rig.world), "the centre of body 0 is on obstacle 0") == 0);
    obstacle_rig_close(&rig);
}

static void allocations(void)
{
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    double triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    thud_obstacle_def mesh = {
        .solid = {.kind = THUD_MESH, .triangles = triangle, .triangle_count = 1}};
    thud_sphere ball = {.center = {0, 0, 1}, .radius = 1, .mass = 1};
    thud_world_def def = {.h = .01, .allocator = &allocator};
    bool done = false;
    for (long at = 1; at < 200 && !done; at++)
    {
        thud_world *world = NULL;
        meter = (test_meter){.fail_at = at};
        thud_status status = thud_world_create(&def, &world);
        if (status >= 0)
            status = thud_world_add(world, &ball, 1, NULL);
        if (status >= 0)
            status = thud_world_add_obstacle(world, &mesh, NULL);
        if (status >= 0)
            status = thud_world_prepare(world, THUD_PROJECT_OVERLAP, NULL);
        done = status >= 0;
        CHECK(done || status == THUD_ERR_MEMORY);
        thud_world_destroy(world);
        CHECK(meter.blocks == 0);
    }
    CHECK(done);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"plate-through-ball", plate_through_ball},
        {"blade", blade},
        {"fast-mesh", fast_mesh},
        {"solid-ball", solid_ball},
        {"pushed", pushed},
        {"bullets", bullets},
        {"refusals", refusals},
        {"bad-starts", bad_starts},
        {"allocations", allocations},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
