// Restitution and glue of contacts with obstacles: what a plane does, faces of solids do too;
// edges, moving ones, and what is refused. And the same bits for any number of threads.
#include "obstacle_rig.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

// The floor z <= 0, made of one triangle each half.
static const double FLOOR[18] = {-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, -9, 0, 9, 9, 0, -9, 9, 0};

static const thud_solid_def BLOCK = {.kind = THUD_BOX, .points = {{-9, -9, -2}, {9, 9, 0}}};
static const thud_solid_def SHEET = {.kind = THUD_MESH, .triangles = FLOOR, .triangle_count = 2};
static const thud_solid_def BALL = {.kind = THUD_BALL, .points = {{0, 0, -3}}, .radius = 3};
static const thud_solid_def ROOM = {.kind = THUD_INSIDE_BOX,
                                    .points = {{-9, -9, 0}, {9, 9, INFINITY}}};

// The motion of one ball on the plane z = 0: its height at every step.
static void on_a_plane(const thud_world_def *def, double z, double vz, int steps, double *height)
{
    thud_world *world = NULL;
    thud_work *work = NULL;
    thud_sphere ball = {.center = {0, 0, z}, .velocity = {0, 0, vz}, .radius = .5, .mass = 1};
    thud_wall_def plane = {.plane = {.normal = {0, 0, 1}}};
    REQUIRE(thud_world_create(def, &world) == THUD_OK);
    REQUIRE(thud_world_add(world, &ball, 1, NULL) == THUD_OK);
    REQUIRE(thud_world_add_wall(world, &plane, NULL) == THUD_OK);
    REQUIRE(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    thud_work_def how = thud_world_work(world);
    REQUIRE(thud_work_create(&how, &work) == THUD_OK);
    thud_inclusion problem = thud_world_inclusion(world);
    for (int n = 0; n < steps; n++)
    {
        CHECK(thud_step(&problem, thud_world_state(world), work) >= 0);
        height[n] = thud_world_state(world)->q[2];
    }
    thud_work_destroy(work);
    thud_world_destroy(world);
}

// The same on an obstacle. Returns the largest difference.
static double differ(const thud_world_def *def, const thud_solid_def *solid, double z, double vz,
                     int steps, const double *height)
{
    obstacle_rig rig;
    thud_obstacle_def obstacle = {.solid = *solid};
    double most = 0;
    if (!obstacle_rig_open(&rig, def))
        return INFINITY;
    obstacle_rig_ball(&rig, .5, 0, 0, z, 0, 0, vz);
    obstacle_rig_add(&rig, &obstacle);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    for (int n = 0; n < steps && obstacle_rig_steps(&rig, 1); n++)
        most = fmax(most, fabs(rig.state->q[2] - height[n]));
    printf("  %s: differs by %g\n", thud_solid_name(solid->kind), most);
    obstacle_rig_close(&rig);
    return most;
}

enum
{
    STEPS = 300
};

static void bounce_as_a_plane(void)
{
    static double height[STEPS];
    double e[] = {.5, 1, .9};
    for (int k = 0; k < 3; k++)
    {
        thud_world_def def = {.h = .01,
                              .gravity = {0, 0, -2},
                              .material_count = 1,
                              .tol = 1e-8,
                              .tol_a = 1e-6,
                              .law = THUD_LAW_RESTITUTION,
                              .numbers = &e[k]};
        on_a_plane(&def, 1.5, 0, STEPS, height);
        int up = 0;
        for (int n = 1; n < STEPS; n++)
            up += height[n] > height[n - 1] + 1e-4;
        CHECK(up > 50); // it has bounced
        CHECK(differ(&def, &BLOCK, 1.5, 0, STEPS, height) == 0);
        CHECK(differ(&def, &ROOM, 1.5, 0, STEPS, height) == 0);
        CHECK(differ(&def, &SHEET, 1.5, 0, STEPS, height) == 0);
        CHECK(differ(&def, &BALL, 1.5, 0, STEPS, height) < 1e-12);
    }
}

// A ball that meets the edge of a block, or of a triangle, at 45 degrees leaves to the side.
static void off_an_edge(void)
{
    static const thud_solid_def solids[2] = {
        {.kind = THUD_BOX, .points = {{-9, -9, -2}, {0, 9, 0}}},
        {.kind = THUD_TRIANGLE, .points = {{0, -9, 0}, {0, 9, 0}, {-9, 0, 0}}}};
    double one = 1, error[2];
    for (int s = 0; s < 2; s++)
        for (int fine = 0; fine < 2; fine++)
        {
            obstacle_rig rig;
            thud_obstacle_def obstacle = {.solid = solids[s]};
            thud_world_def def = {.h = fine ? 1e-4 : 1e-3,
                                  .material_count = 1,
                                  .law = THUD_LAW_RESTITUTION,
                                  .numbers = &one};
            REQUIRE(obstacle_rig_open(&rig, &def));
            obstacle_rig_ball(&rig, .5, .5 * sqrt(.5), 0, .6, 0, 0, -1);
            obstacle_rig_add(&rig, &obstacle);
            CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
            CHECK(obstacle_rig_steps(&rig, fine ? 4000 : 400));
            error[fine] = hypot(rig.state->u[0] - 1, rig.state->u[2]);
            printf("  %s, h = %g: off by %g\n", thud_solid_name(solids[s].kind), def.h,
                   error[fine]);
            CHECK_NEAR(hypot(rig.state->u[0], rig.state->u[2]), 1, 1e-9);
            CHECK(error[fine] < 3 * def.h);
            obstacle_rig_close(&rig);
        }
}

typedef struct lift
{
    double speed;
} lift;

static int go_up(double t, thud_pose *pose, void *user)
{
    const lift *l = user;
    *pose = (thud_pose){.position = {0, 0, l->speed * t}, .velocity = {0, 0, l->speed}};
    return 0;
}

// u+ = v + e (v - u-) of a floor with velocity v.
static void off_a_moving_box(void)
{
    static const double cases[3][3] = {{1, -1, 2}, {1, 0, 1.5}, {-.5, -2, .25}};
    const thud_solid_def *solids[] = {&BLOCK, &BALL};
    double half = .5;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++)
        {
            obstacle_rig rig;
            lift floor = {cases[k][0]};
            thud_obstacle_def obstacle = {.solid = *solids[s], .motion = go_up, .user = &floor};
            thud_world_def def = {
                .h = .01, .material_count = 1, .law = THUD_LAW_RESTITUTION, .numbers = &half};
            REQUIRE(obstacle_rig_open(&rig, &def));
            obstacle_rig_ball(&rig, .5, 0, 0, .6, 0, 0, cases[k][1]);
            obstacle_rig_add(&rig, &obstacle);
            CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
            CHECK(obstacle_rig_steps(&rig, 60));
            CHECK_NEAR(rig.state->u[2], cases[k][2], 1e-12);
            obstacle_rig_close(&rig);
        }
}

// Nothing, then pressed down, then pulled up.
static int press_and_pull(double t, double gravity[3], void *user)
{
    (void)user;
    gravity[0] = gravity[1] = 0;
    gravity[2] = t < 2 ? 0 : t < 3 ? -1 : 2;
    return 0;
}

// It meets the floor at 1, has been pressed by 2 at 3, and is free again at 4: z = (t - 4)^2.
static void glue_as_a_plane(void)
{
    static double height[500];
    double glue = -INFINITY;
    thud_world_def def = {.h = .01,
                          .gravity_law = press_and_pull,
                          .material_count = 1,
                          .tol = 1e-8,
                          .tol_a = 1e-6,
                          .law = THUD_LAW_GLUE,
                          .numbers = &glue};
    on_a_plane(&def, 1.5, -1, 500, height);
    CHECK_NEAR(height[390], .5, 1e-7);
    CHECK_NEAR(height[499], .5 + 1, .05);
    CHECK(differ(&def, &BLOCK, 1.5, -1, 500, height) == 0);
    CHECK(differ(&def, &ROOM, 1.5, -1, 500, height) == 0);
    CHECK(differ(&def, &BALL, 1.5, -1, 500, height) < 1e-12);
    thud_solid_def triangle = {.kind = THUD_TRIANGLE,
                               .points = {{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}};
    CHECK(differ(&def, &triangle, 1.5, -1, 500, height) == 0);
}

// It sticks to a ball and goes around it: the glue pays the centripetal force until it is spent.
static void glued_around_a_ball(void)
{
    obstacle_rig rig;
    double glue = -INFINITY, farthest = 0;
    thud_obstacle_def obstacle = {.solid = {.kind = THUD_BALL, .radius = .5}};
    thud_world_def def = {.h = .002, .material_count = 1, .law = THUD_LAW_GLUE, .numbers = &glue};
    REQUIRE(obstacle_rig_open(&rig, &def));
    obstacle_rig_ball(&rig, .5, -.01, 0, 1.05, .2, 0, -1);
    obstacle_rig_add(&rig, &obstacle);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    CHECK(obstacle_rig_steps(&rig, 500));
    for (int n = 0; n < 1500 && obstacle_rig_steps(&rig, 1); n++)
        farthest = fmax(farthest, hypot(rig.state->q[0], rig.state->q[2]));
    printf("  farthest %g, at %g %g\n", farthest, rig.state->q[0], rig.state->q[2]);
    CHECK(rig.state->multiplier_count == 1 && rig.state->multipliers[0].memory < -.5);
    CHECK(farthest < 1 + 1e-3 && rig.state->q[0] > .5);
    obstacle_rig_close(&rig);
}

// What glue holds of a body is kept when another one goes.
static void forgotten(void)
{
    obstacle_rig rig;
    double glue = -INFINITY;
    int other = 1, own = 0;
    thud_obstacle_def obstacle = {.solid = BLOCK};
    thud_world_def def = {.h = .01, .material_count = 1, .law = THUD_LAW_GLUE, .numbers = &glue};
    REQUIRE(obstacle_rig_open(&rig, &def));
    obstacle_rig_ball(&rig, .5, 0, 0, .55, 0, 0, -1);
    obstacle_rig_ball(&rig, .5, 3, 0, .55, 0, 0, -1);
    obstacle_rig_add(&rig, &obstacle);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    CHECK(obstacle_rig_steps(&rig, 10));
    CHECK(rig.state->multiplier_count == 2);
    CHECK(thud_world_remove(rig.world, &other, 1) == THUD_OK);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    REQUIRE(rig.state->multiplier_count == 1);
    CHECK_NEAR(rig.state->multipliers[0].memory, -1, 1e-6);
    CHECK(obstacle_rig_steps(&rig, 2));
    CHECK(thud_world_remove(rig.world, &own, 1) == THUD_OK);
    obstacle_rig_close(&rig);
}

static thud_status prepare_with(const thud_world_def *def, const thud_obstacle_def *obstacle,
                                const char *text)
{
    thud_world *world = NULL;
    thud_sphere ball = {.center = {0, 0, 1}, .radius = .1, .mass = 1};
    thud_status status = THUD_OK;
    CHECK(thud_world_create(def, &world) == THUD_OK);
    CHECK(thud_world_add(world, &ball, 1, NULL) == THUD_OK);
    status = thud_world_add_obstacle(world, obstacle, NULL);
    if (status == THUD_OK)
        status = thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL);
    if (strcmp(thud_world_message(world), text) != 0)
        test_fail(__FILE__, __LINE__, "it says '%s'", thud_world_message(world));
    thud_world_destroy(world);
    return status;
}

static void refused(void)
{
    double e[4] = {0, 0, 0, .5}, glue[4] = {0, 0, 0, -1};
    lift still = {0};
    thud_world_def bouncy = {.h = .01,
                             .material_count = 2,
                             .law = THUD_LAW_RESTITUTION,
                             .numbers = e},
                   sticky = bouncy;
    thud_obstacle_def drum = {.solid = {.kind = THUD_INSIDE_BALL, .radius = 2}, .material = 1};
    thud_obstacle_def sheet = {.solid = SHEET, .material = 1};
    sticky.law = THUD_LAW_GLUE;
    sticky.numbers = glue;
    CHECK(prepare_with(&bouncy, &drum,
                       "obstacle 0 is a container with a surface that is not flat, where "
                       "restitution is not supported") == THUD_ERR_ARGUMENT);
    CHECK(prepare_with(&sticky, &drum,
                       "obstacle 0 is a container with a surface that is not flat, where "
                       "glue is not supported") == THUD_ERR_ARGUMENT);
    CHECK(prepare_with(&sticky, &sheet, "obstacle 0 is a mesh, where glue is not supported") ==
          THUD_ERR_ARGUMENT);
    CHECK(prepare_with(&bouncy, &sheet, "") == THUD_OK);
    sheet.motion = drum.motion = go_up;
    sheet.user = drum.user = &still;
    CHECK(prepare_with(&bouncy, &sheet,
                       "obstacle 0 is a mesh that moves, where restitution is not supported") ==
          THUD_ERR_ARGUMENT);
    drum.material = sheet.material = 0; // inelastic
    CHECK(prepare_with(&sticky, &sheet, "") == THUD_OK);
    CHECK(prepare_with(&sticky, &drum, "") == THUD_OK);
    CHECK(prepare_with(&bouncy, &drum,
                       "obstacle 0 is a container with a surface that is not flat, where "
                       "restitution is not supported") == THUD_ERR_ARGUMENT);
    drum.motion = NULL;
    CHECK(prepare_with(&bouncy, &drum, "") == THUD_OK);
    drum.material = 2;
    CHECK(prepare_with(&bouncy, &drum, "obstacle 0: there is no material 2") == THUD_ERR_ARGUMENT);
}

enum
{
    MANY = 4200
};

static int tilt(double t, thud_pose *pose, void *user)
{
    (void)user;
    *pose = (thud_pose){.position = {0, 0, .2 * t},
                        .rotation = {0, .1 * t, 0},
                        .velocity = {0, 0, .2},
                        .turning = {0, .1, 0}};
    return 0;
}

// Thousands of balls on a sheet and a block in a bowl; where they are after a few steps.
static void run_many(int threads, double *q)
{
    thud_world *world = NULL;
    thud_work *work = NULL;
    thud_world_def def = {.h = .01, .gravity = {0, 0, -10}, .tol = 1e-3, .tol_a = .03};
    thud_obstacle_def obstacles[3] = {
        {.solid = {.kind = THUD_INSIDE_BALL, .radius = 7}},
        {.solid = SHEET, .motion = tilt, .smooth = {NAN, NAN}},
        {.solid = {.kind = THUD_BOX, .points = {{-1, -1, 0}, {1, 1, 1}}}}};
    static thud_sphere balls[MANY];
    for (int i = 0; i < MANY; i++)
        balls[i] = (thud_sphere){
            .center = {.21 * (i % 25) - 2.6, .21 * (i / 25 % 24) - 2.5, 1.15 + .21 * (i / 600)},
            .velocity = {0, .1 * (i % 3), -8},
            .radius = .1,
            .mass = 1};
    omp_set_num_threads(threads);
    REQUIRE(thud_world_create(&def, &world) == THUD_OK);
    CHECK(thud_world_add(world, balls, MANY, NULL) == THUD_OK);
    for (int k = 0; k < 3; k++)
        CHECK(thud_world_add_obstacle(world, &obstacles[k], NULL) == THUD_OK);
    REQUIRE(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    thud_work_def how = thud_world_work(world);
    REQUIRE(thud_work_create(&how, &work) == THUD_OK);
    thud_inclusion problem = thud_world_inclusion(world);
    for (int n = 0; n < 8; n++)
        if (thud_step(&problem, thud_world_state(world), work) < 0)
            test_fail(__FILE__, __LINE__, "step %d: %s", n, thud_work_message(work));
    memcpy(q, thud_world_state(world)->q, sizeof(double) * 3 * MANY);
    int met = 0;
    for (int i = 0; i < thud_rows_count(thud_work_report(work)->rows); i++)
    {
        thud_key key = thud_rows_get(thud_work_report(work)->rows, i, NULL).key;
        met += thud_key_read(key, THUD_KEYS_OPEN).kind == THUD_KEY_SURFACE;
    }
    printf("  %d threads: %d rows of obstacles\n", threads, met);
    CHECK(met > 100);
    thud_work_destroy(work);
    thud_world_destroy(world);
}

static void threads(void)
{
    static double one[3 * MANY], more[3 * MANY];
    run_many(1, one);
    for (int n = 2; n <= 3; n++)
    {
        run_many(n, more);
        CHECK(memcmp(one, more, sizeof one) == 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"bounce-as-a-plane", bounce_as_a_plane},
        {"off-an-edge", off_an_edge},
        {"off-a-moving-box", off_a_moving_box},
        {"glue-as-a-plane", glue_as_a_plane},
        {"glued-around-a-ball", glued_around_a_ball},
        {"forgotten", forgotten},
        {"refused", refused},
        {"threads", threads},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
