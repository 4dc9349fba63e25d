// Rigid motion of solids: frames, the rate of a distance against differences of a motion worked out
// in long double, and the bound of how far a step takes a solid.
#include "solid_rig.h"

// position and rotation are polynomials of degree 2 in t.
typedef struct motion
{
    double position[3][3], rotation[3][3]; // by power of t
} motion;

static motion random_motion(test_random *random, double turns)
{
    motion m;
    for (int i = 0; i < 9; i++)
    {
        m.position[i / 3][i % 3] = test_random_uniform(random, -1, 1);
        m.rotation[i / 3][i % 3] = turns * test_random_uniform(random, -1, 1);
    }
    return m;
}

static void polynomial(double c[3][3], double t, double value[3], double slope[3])
{
    for (int k = 0; k < 3; k++)
    {
        value[k] = c[0][k] + t * (c[1][k] + t * c[2][k]);
        slope[k] = c[1][k] + 2 * t * c[2][k];
    }
}

static thud_pose pose_at(motion *m, double t)
{
    thud_pose pose;
    polynomial(m->position, t, pose.position, pose.velocity);
    polynomial(m->rotation, t, pose.rotation, pose.turning);
    return pose;
}

// y = R(-rotation) (x - position), by the series of the exponential of a matrix.
static void enter(motion *m, long double t, const double x[3], long double y[3])
{
    long double r[3], term[3];
    for (int k = 0; k < 3; k++)
    {
        y[k] = term[k] =
            x[k] - (m->position[0][k] + t * (m->position[1][k] + t * m->position[2][k]));
        r[k] = -(m->rotation[0][k] + t * (m->rotation[1][k] + t * m->rotation[2][k]));
    }
    for (int n = 1; n < 80; n++)
    {
        long double next[3] = {r[1] * term[2] - r[2] * term[1], r[2] * term[0] - r[0] * term[2],
                               r[0] * term[1] - r[1] * term[0]};
        for (int k = 0; k < 3; k++)
        {
            term[k] = next[k] / n;
            y[k] += term[k];
        }
    }
}

static void frames(void)
{
    uint64_t seed = test_seed(30);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < 2000; trial++)
    {
        double turns = trial % 4 == 0 ? 1e-9 : trial % 4 == 1 ? 1e-3 : trial % 4 == 2 ? 1 : 4;
        motion m = random_motion(&random, trial % 9 == 0 ? 0 : turns);
        double t = test_random_uniform(&random, -1, 1), y[3];
        double x[3] = {test_random_normal(&random), test_random_normal(&random), 1};
        long double wanted[3];
        thud_pose pose = pose_at(&m, t);
        thud_placement placement = thud_pose_place(&pose);
        thud_placement_enter(&placement, x, y);
        enter(&m, t, x, wanted);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(y[k], (double)wanted[k], 2e-14);
        thud_facing facing = {.point = {y[0], y[1], y[2]}, .normal = {y[0], y[1], y[2]}};
        thud_placement_leave(&placement, x, &facing);
        for (int k = 0; k < 3; k++)
        {
            CHECK_NEAR(facing.point[k], x[k], 1e-14);
            CHECK_NEAR(facing.normal[k], x[k] - pose.position[k], 1e-14);
        }
    }
}

// d/dt distance(R^T(t) (x - p(t))) at fixed x, by central differences of the searched distance.
static void rates(void)
{
    uint64_t seed = test_seed(31);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int kind = 0; kind < THUD_SOLID_KINDS; kind++)
        for (int trial = 0; trial < 6 && kind != THUD_MESH; trial++)
        {
            thud_solid_def def = solid_rig_def(&random, (thud_solid_kind)kind);
            thud_solid *solid = solid_rig_make(&def);
            REQUIRE(solid);
            motion m = random_motion(&random, 2);
            double t = test_random_uniform(&random, -1, 1), inside[3], x[3] = {0}, y[3];
            thud_pose pose = pose_at(&m, t);
            thud_placement placement = thud_pose_place(&pose);
            solid_rig_point(&random, &def, inside);
            thud_facing carrier = {.point = {inside[0], inside[1], inside[2]}};
            thud_placement_leave(&placement, x, &carrier); // to the world
            for (int k = 0; k < 3; k++)
                x[k] = carrier.point[k];
            thud_placement_enter(&placement, x, y);
            thud_facing facing = thud_solid_nearest(solid, y);
            thud_placement_leave(&placement, x, &facing);
            long double step = 1e-5L, later[3], sooner[3];
            enter(&m, t + step, x, later);
            enter(&m, t - step, x, sooner);
            long double rate = (solid_rig_distance(&def, facing.facet, later) -
                                solid_rig_distance(&def, facing.facet, sooner)) /
                               (2 * step);
            if (fabs(facing.distance) > 0.05)
                CHECK_NEAR(facing.rate, (double)rate, 1e-6);
            thud_solid_destroy(solid);
        }
}

// Exact: a wall that turns about z at speed w, and a point at arm a: the distance falls by w a.
static void turning_wall(void)
{
    thud_solid_def def = {.kind = THUD_BOX,
                          .points = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 0, INFINITY}}};
    thud_solid *solid = solid_rig_make(&def);
    REQUIRE(solid);
    thud_pose pose = {.turning = {0, 0, 3}};
    thud_placement placement = thud_pose_place(&pose);
    double x[3] = {2, 0.5, 7}, y[3];
    thud_placement_enter(&placement, x, y);
    thud_facing facing = thud_solid_facing(solid, 0, y);
    thud_placement_leave(&placement, x, &facing);
    CHECK(facing.distance == 0.5 && facing.rate == -6);
    thud_solid_destroy(solid);
}

// No point of a triangle goes farther than the sweep says, nor does a fixed point in its frame.
static void sweeps(void)
{
    uint64_t seed = test_seed(32);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    double tightest = 0;
    for (int trial = 0; trial < 500; trial++)
    {
        thud_solid_def def = solid_rig_def(&random, THUD_TRIANGLE);
        thud_solid *solid = solid_rig_make(&def);
        REQUIRE(solid);
        motion m = random_motion(&random, trial % 2 ? 1 : 3);
        double h = 0.05, x[3] = {1, test_random_uniform(&random, -3, 3), 2};
        thud_pose poses[3] = {pose_at(&m, 0), pose_at(&m, h / 2), pose_at(&m, h)};
        thud_sweep sweep = thud_pose_sweep(solid, poses, 3, h);
        double most = thud_sweep_most(&sweep), at = thud_sweep_at(&sweep, x);
        long double y0[3], corner[3], largest = 0;
        enter(&m, 0, x, y0);
        CHECK(at <= most);
        for (int i = 1; i <= 20; i++)
        {
            long double y[3], way = 0;
            enter(&m, (long double)h * i / 20, x, y);
            for (int k = 0; k < 3; k++)
                way += (y[k] - y0[k]) * (y[k] - y0[k]);
            double arm = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
            if (arm < thud_solid_size(solid)) // else it stands for the surface's own way
                CHECK_AT_MOST((double)sqrtl(way), at);
        }
        for (int i = 0; i < 3; i++)
        {
            thud_placement before = thud_pose_place(&poses[0]), after = thud_pose_place(&poses[2]);
            long double way = 0;
            for (int k = 0; k < 3; k++)
            {
                corner[k] = after.origin[k] - before.origin[k];
                for (int j = 0; j < 3; j++)
                    corner[k] += (after.turn[k][j] - before.turn[k][j]) * def.points[i][j];
                way += corner[k] * corner[k];
            }
            largest = sqrtl(way) > largest ? sqrtl(way) : largest;
        }
        CHECK_AT_MOST((double)largest, most);
        tightest = (double)largest / most > tightest ? (double)largest / most : tightest;
        thud_solid_destroy(solid);
    }
    CHECK(tightest > 0.8); // the bound is of use
}

// What turns about its own axis stays where it is: all distances as before, and no sweep; about a
// line that is off by little, a sweep.
static void hidden_turning(void)
{
    static const thud_solid_kind kinds[] = {THUD_CAPSULE,     THUD_CYLINDER, THUD_INSIDE_DRUM,
                                            THUD_INSIDE_CONE, THUD_BALL,     THUD_INSIDE_BALL};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    {
        thud_solid_def def = {
            .kind = kinds[i], .points = {{0.3, 0.6, 0.6}, {-1, -2, -2}}, .radius = 1.5};
        thud_solid *solid = solid_rig_make(&def);
        REQUIRE(solid);
        thud_pose poses[3], off;
        double x[3] = {0.2, -0.4, 0.1}, y[3], distance[3];
        for (int n = 0; n < 3; n++)
        {
            double angle = 0.7 + 2 * n;
            poses[n] = (thud_pose){.rotation = {angle / 3, angle * 2 / 3, angle * 2 / 3},
                                   .turning = {40. / 3, 80. / 3, 80. / 3}};
            thud_placement placement = thud_pose_place(&poses[n]);
            thud_placement_enter(&placement, x, y);
            distance[n] = thud_solid_facing(solid, 0, y).distance;
            CHECK_NEAR(distance[n], distance[0], 1e-14);
        }
        thud_sweep sweep = thud_pose_sweep(solid, poses, 3, 0.1);
        CHECK(thud_solid_hides_turning(solid, &poses[0]) && thud_sweep_at(&sweep, x) <= 1e-10);
        off = poses[1];
        off.turning[0] += 1e-6;
        CHECK(!thud_solid_hides_turning(solid, &off));
        off = poses[1];
        off.rotation[2] -= 1e-6;
        CHECK(!thud_solid_hides_turning(solid, &off));
        poses[1] = off;
        sweep = thud_pose_sweep(solid, poses, 3, 0.1);
        CHECK(sweep.angle >= 4);
        thud_solid_destroy(solid);
        def.points[0][0] += 1e-6; // its axis, or centre, beside the line
        solid = solid_rig_make(&def);
        REQUIRE(solid);
        CHECK(!thud_solid_hides_turning(solid, &poses[0]));
        thud_solid_destroy(solid);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"frames", frames},
                                      {"rates", rates},
                                      {"turning-wall", turning_wall},
                                      {"sweeps", sweeps},
                                      {"hidden-turning", hidden_turning}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
