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
        thud_bodies bodies = thud_world_look(rig.world);
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
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
