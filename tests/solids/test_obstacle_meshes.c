// Bodies on meshes: a flat mesh is a plane, a mesh of a box is a box, and no shell is left.
#include "obstacle_rig.h"

#include <stdlib.h>
#include <string.h>

static const int CORNER[6][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 1}, {1, 0}};

// A floor of n x n squares of unequal sides from (-4, -4) to (4, 4), at z = tilt x.
static double *floor_of(int n, double tilt, bool as_floats)
{
    double *triangles = malloc((size_t)(18 * n * n) * sizeof *triangles);
    for (int i = 0; triangles && i < n * n; i++)
        for (int j = 0; j < 6; j++)
        {
            double a = (double)(i / n + CORNER[j][0]) / n, b = (double)(i % n + CORNER[j][1]) / n;
            double *at = triangles + 18 * (size_t)i + 3 * (size_t)j;
            at[0] = 8 * a * a * (3 - 2 * a) - 4;
            at[1] = 8 * b - 4;
            at[2] = tilt * at[0];
            for (int k = 0; k < 3 && as_floats; k++)
                at[k] = (double)(float)at[k];
        }
    return triangles;
}

static thud_obstacle_def mesh_of(const double *triangles, int count)
{
    return (thud_obstacle_def){
        .solid = {.kind = THUD_MESH, .triangles = triangles, .triangle_count = count}};
}

static thud_obstacle_def half_space(double tilt)
{
    thud_obstacle_def plane = {
        .solid = {.kind = THUD_BOX,
                  .points = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0}}}};
    plane.pose.rotation[1] = -atan(tilt);
    return plane;
}

// A ball that falls on the floor and slides over many edges, at a slant.
static void slide(const thud_obstacle_def *floor, double tilt, double tol, double end[6],
                  obstacle_rig *rig)
{
    thud_world_def def = {.h = .01, .gravity = {0, 0, -10}, .tol = tol};
    if (!obstacle_rig_open(rig, &def))
        return;
    obstacle_rig_ball(rig, .2, -2.9, -2, -2.9 * tilt + .5, 1.7, 1.1, 0);
    obstacle_rig_add(rig, floor);
    CHECK(obstacle_rig_prepare(rig) == THUD_OK);
    CHECK(obstacle_rig_steps(rig, 240));
    for (int c = 0; c < 6; c++)
        end[c] = c < 3 ? rig->state->q[c] : rig->state->u[c - 3];
}

static void compare_floors(double tilt, bool as_floats, double tol, double tolerance)
{
    enum
    {
        SIDE = 40
    };
    double *triangles = floor_of(SIDE, tilt, as_floats), on_mesh[6] = {0}, on_plane[6] = {0};
    REQUIRE(triangles);
    thud_obstacle_def mesh = mesh_of(triangles, 2 * SIDE * SIDE), plane = half_space(tilt);
    obstacle_rig rig;
    slide(&mesh, tilt, tol, on_mesh, &rig);
    CHECK(thud_rows_count(thud_work_report(rig.work)->rows) == 1);
    obstacle_rig_close(&rig);
    slide(&plane, tilt, tol, on_plane, &rig);
    obstacle_rig_close(&rig);
    CHECK(hypot(on_mesh[0] + 2.9, on_mesh[1] + 2) > 3); // it went over many triangles
    for (int c = 0; c < 6; c++)
        CHECK_NEAR(on_mesh[c], on_plane[c], tolerance);
    free(triangles);
}

static void flat_floor(void)
{
    compare_floors(0, false, 0, 0);
}

static void tilted_floor(void)
{
    compare_floors(-.05, false, 0, 1e-11);
}

// Corners rounded to floats, as of an STL file, are off the plane by 1e-7: less than sigma/4 at the
// tolerance of a preview, so that edges of that height are not felt.
static void rounded_floor(void)
{
    compare_floors(-.05, true, 1e-5, 1e-6);
}

// The faces of the cube (-1, 1)^3, two triangles each.
static void fill_cube(double *triangles)
{
    for (int face = 0; face < 6; face++)
        for (int j = 0; j < 6; j++)
        {
            double *at = triangles + 18 * (size_t)face + 3 * (size_t)j;
            at[face / 2] = face % 2 ? 1 : -1;
            at[(face / 2 + 1) % 3] = CORNER[j][0] ? 1 : -1;
            at[(face / 2 + 2) % 3] = CORNER[j][1] ? 1 : -1;
        }
}

// Balls that slide and fall off edges and corners of a box, and of a mesh of it.
static void box_and_mesh(void)
{
    static const double starts[][6] = {{0, 0, 1.3, 1, 0, 0},       {0, 0, 1.3, 1, 1, 0},
                                       {.5, .3, 1.5, .2, -.3, .3}, {1.1, .9, 1.6, -.1, .1, 0},
                                       {1.05, 1.1, 2, 0, 0, 0},    {-3, .9, 1.1, 2, 0, 1}};
    double triangles[108];
    fill_cube(triangles);
    thud_obstacle_def kinds[2] = {mesh_of(triangles, 12), {.solid = {.kind = THUD_BOX}}};
    for (int k = 0; k < 3; k++)
    {
        kinds[1].solid.points[0][k] = -1;
        kinds[1].solid.points[1][k] = 1;
    }
    for (int s = 0; s < 6; s++)
    {
        double end[2][6];
        for (int k = 0; k < 2; k++)
        {
            obstacle_rig rig;
            thud_world_def def = {.h = .01, .gravity = {0, 0, -1}};
            const double *x = starts[s];
            REQUIRE(obstacle_rig_open(&rig, &def));
            obstacle_rig_ball(&rig, .2, x[0], x[1], x[2], x[3], x[4], x[5]);
            obstacle_rig_add(&rig, &kinds[k]);
            CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
            CHECK(obstacle_rig_steps(&rig, 700));
            CHECK(rig.impulse > .1);
            for (int c = 0; c < 6; c++)
                end[k][c] = c < 3 ? rig.state->q[c] : rig.state->u[c - 3];
            obstacle_rig_close(&rig);
        }
        for (int c = 0; c < 6; c++)
            CHECK_NEAR(end[0][c], end[1][c], 1e-9);
        CHECK(end[0][2] < 0); // it fell off
    }
}

// However fast, nothing leaves a closed shell of thin triangles that stands still.
static void bullets_in_a_shell(void)
{
    uint64_t seed = test_seed(60);
    test_random random = test_random_start(seed);
    double triangles[108];
    fill_cube(triangles);
    thud_obstacle_def shell = mesh_of(triangles, 12);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < 60; trial++)
    {
        obstacle_rig rig;
        thud_world_def def = {.h = .1};
        double speed = trial % 3 == 0 ? 1 : trial % 3 == 1 ? 100 : 1e5, v[3];
        REQUIRE(obstacle_rig_open(&rig, &def));
        for (int k = 0; k < 3; k++)
            v[k] = speed * test_random_normal(&random);
        obstacle_rig_ball(&rig, trial % 2 ? .3 : .01, .3, -.4, .2, v[0], v[1], v[2]);
        obstacle_rig_add(&rig, &shell);
        CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
        for (int i = 0; i < 20 && obstacle_rig_steps(&rig, 1); i++)
        {
            for (int k = 0; k < 3; k++)
            {
                CHECK(fabs(rig.state->q[k]) < 1);
                rig.state->u[k] = speed * test_random_normal(&random);
            }
        }
        obstacle_rig_close(&rig);
    }
}

// A ball that slides once around inside a ring of n faces loses at each edge what a polygon takes,
// u -> u cos(2 pi / n), and little more: faces ahead do not brake it, be they longer or shorter
// than its steps.
static double slide_around(int n, double h)
{
    const double turn = 2 * 3.14159265358979323846;
    double *triangles = malloc((size_t)(18 * n) * sizeof *triangles), turned = 0, before = 0;
    for (int i = 0; triangles && i < n; i++)
        for (int j = 0; j < 6; j++)
        {
            double angle = turn * (i + CORNER[j][0]) / n, *at = triangles + 18 * i + 3 * j;
            at[0] = sin(angle);
            at[1] = CORNER[j][1] ? 1 : -1;
            at[2] = -cos(angle);
        }
    obstacle_rig rig;
    thud_world_def def = {.h = h, .tol = 1e-5, .tol_a = 1e-3};
    thud_obstacle_def ring = mesh_of(triangles, 2 * n);
    if (!triangles || !obstacle_rig_open(&rig, &def))
        return 0;
    obstacle_rig_ball(&rig, .05, 0, .1, .051 - cos(turn / 2 / n), 1, 0, 0);
    obstacle_rig_add(&rig, &ring);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    for (int i = 0; i < 4000 && turned < turn && obstacle_rig_steps(&rig, 1); i++)
    {
        double angle = atan2(rig.state->q[0], -rig.state->q[2]);
        turned += angle - before + (angle - before < -turn / 2 ? turn : 0);
        before = angle;
    }
    CHECK(turned >= turn);
    double speed = hypot(rig.state->u[0], rig.state->u[2]) / pow(cos(turn / n), n);
    printf("%d faces, h = %g: %.4f of the polygon's speed\n", n, h, speed);
    obstacle_rig_close(&rig);
    free(triangles);
    return speed;
}

static void ring(void)
{
    CHECK_NEAR(slide_around(50, .01), 1, .01);
    CHECK_NEAR(slide_around(200, .01), 1, .005);
    CHECK_NEAR(slide_around(200, .005), 1, .005);
    CHECK_NEAR(slide_around(1000, .005), 1, .05); // an O(h) of the scheme itself
}

// A closed shell that is carried and turned keeps its balls, as every step is short enough for it.
static int carry(double t, thud_pose *pose, void *user)
{
    (void)user;
    *pose = (thud_pose){.position = {sin(2 * t), 0, cos(3 * t)},
                        .velocity = {2 * cos(2 * t), 0, -3 * sin(3 * t)},
                        .rotation = {t, 2 * t, -t},
                        .turning = {1, 2, -1}};
    return 0;
}

static void carried_shell(void)
{
    double triangles[108];
    fill_cube(triangles);
    thud_obstacle_def shell = mesh_of(triangles, 12);
    shell.motion = carry;
    obstacle_rig rig;
    thud_world_def def = {.h = .01, .gravity = {0, 0, -5}, .tol = 1e-5, .tol_a = 1e-3};
    REQUIRE(obstacle_rig_open(&rig, &def));
    for (int i = 0; i < 8; i++)
        obstacle_rig_ball(&rig, .2 + .02 * i, (i & 1) - .5, (i >> 1 & 1) - .5, (i >> 2) + .5, 0, 0,
                          0);
    obstacle_rig_add(&rig, &shell);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    for (int i = 0; i < 300 && obstacle_rig_steps(&rig, 1); i++)
    {
        thud_pose pose;
        (void)carry(thud_state_time(rig.state), &pose, NULL);
        thud_placement placement = thud_pose_place(&pose);
        for (int b = 0; b < 8; b++)
        {
            double y[3];
            thud_placement_enter(&placement, rig.state->q + 3 * (size_t)b, y);
            for (int k = 0; k < 3; k++)
                CHECK(fabs(y[k]) < 1);
        }
    }
    obstacle_rig_close(&rig);
}

// A funnel with an outlet, made of triangles: the balls come out at the bottom, and none through
// the walls.
static void funnel(void)
{
    enum
    {
        SIDES = 12
    };
    double triangles[18 * SIDES];
    for (int i = 0; i < SIDES; i++)
        for (int j = 0; j < 6; j++)
        {
            double angle = 2 * 3.14159265358979 * (i + CORNER[j][0]) / SIDES;
            double radius = CORNER[j][1] ? 1 : .3, *at = triangles + 18 * (size_t)i + 3 * (size_t)j;
            at[0] = radius * cos(angle);
            at[1] = radius * sin(angle);
            at[2] = CORNER[j][1] ? 1 : 0;
        }
    obstacle_rig rig;
    thud_world_def def = {.h = .005, .gravity = {0, 0, -10}, .tol = 1e-5, .tol_a = 1e-3};
    thud_obstacle_def walls = mesh_of(triangles, 2 * SIDES);
    thud_obstacle_def pipe = {
        .solid = {.kind = THUD_INSIDE_DRUM, .points = {{0}, {0, 0, 1}}, .radius = 1}};
    pipe.solid.is_open = true;
    REQUIRE(obstacle_rig_open(&rig, &def));
    for (int i = 0; i < 40; i++)
        obstacle_rig_ball(&rig, .08 + .001 * (i % 7), .25 * (i % 3) - .25, .25 * (i / 3 % 3) - .25,
                          1.1 + .25 * (i / 9), 0, 0, 0);
    obstacle_rig_add(&rig, &walls);
    obstacle_rig_add(&rig, &pipe);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    int out = 0;
    for (int i = 0; i < 800 && obstacle_rig_steps(&rig, 1); i++)
    {
        thud_bodies bodies = thud_world_bodies(rig.world);
        out = 0;
        for (int b = 0; b < bodies.count; b++)
        {
            const double *q = bodies.q + 3 * (size_t)b;
            bool is_below = q[2] < 0;
            CHECK(q[2] < -.2 || is_below || hypot(q[0], q[1]) < .3 + .7 * q[2] / 1.0);
            out += is_below;
        }
    }
    CHECK(out == 40);
    obstacle_rig_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"flat-floor", flat_floor},
        {"tilted-floor", tilted_floor},
        {"rounded-floor", rounded_floor},
        {"box-and-mesh", box_and_mesh},
        {"bullets-in-a-shell", bullets_in_a_shell},
        {"funnel", funnel},
        {"ring", ring},
        {"carried-shell", carried_shell},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
