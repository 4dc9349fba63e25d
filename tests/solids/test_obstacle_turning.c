// Obstacles and containers that turn and shake: nothing gets through them, between nodes either.
#include "obstacle_rig.h"

#include <string.h>

// The bound between nodes: a rod and a box turn and strike a ball; within every step the gap stays
// above the smaller of its ends less the bound, which is worked out as the manual says.
static double gap_at(const obstacle_rig *rig, double t, const double x[3], double normal[3])
{
    thud_pose pose;
    double y[3];
    (void)rig->defs[0].motion(t, &pose, rig->defs[0].user);
    thud_placement placement = thud_pose_place(&pose);
    thud_placement_enter(&placement, x, y);
    thud_facing facing = thud_solid_nearest(rig->solids[0], y);
    thud_placement_leave(&placement, x, &facing);
    memcpy(normal, facing.normal, sizeof facing.normal);
    return facing.distance - .1;
}

static double watch_between(thud_obstacle_def obstacle, double speed)
{
    obstacle_rig rig;
    thud_world_def def = {.h = .01};
    double arm = 2, v = speed * arm, most = 0;
    obstacle.motion = obstacle_rig_turn;
    obstacle.user = &speed;
    obstacle.smooth = (thud_smoothness){v * v / .1 + speed * speed * arm, v / .1 + speed};
    if (!obstacle_rig_open(&rig, &def))
        return 0;
    obstacle_rig_ball(&rig, .1, .4, .9, 0, .3, -.4, .01);
    obstacle_rig_add(&rig, &obstacle);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    while (obstacle_rig_steps(&rig, 1) && hypot(rig.state->q[0], rig.state->q[1]) < 1.8)
    {
        const thud_report *report = thud_work_report(rig.work);
        const double *from = rig.before->q, *to = rig.state->q;
        double t = thud_state_time(rig.before), x[3], normal[3];
        double low = gap_at(&rig, t, from, normal), lin = gap_at(&rig, t + def.h, from, normal);
        for (int k = 0; k < 3; k++)
            lin += normal[k] * (to[k] - from[k]);
        low = fmin(low, lin);
        for (int s = 1; s < 16; s++)
        {
            for (int k = 0; k < 3; k++)
                x[k] = from[k] + s / 16. * (to[k] - from[k]);
            double depth = low - gap_at(&rig, t + s / 16. * def.h, x, normal);
            CHECK_AT_MOST(depth, report->between);
            most = fmax(most, depth / report->between);
        }
    }
    CHECK(rig.impulse > .1);
    obstacle_rig_close(&rig);
    return most;
}

static void between_nodes(void)
{
    thud_obstacle_def rod = {
        .solid = {.kind = THUD_CAPSULE, .points = {{0, 0, -.3}, {1.5, 0, .3}}, .radius = .05}};
    thud_obstacle_def box = {.solid = {.kind = THUD_BOX, .points = {{.2, -.1, -1}, {1.2, .2, 1}}}};
    double of_rod = watch_between(rod, 2), of_box = watch_between(box, 3);
    printf("depth / bound: rod %.3g, box %.3g\n", of_rod, of_box);
    CHECK(of_rod > 1e-3); // there is something to bound
}

// A drum without friction may turn as it likes: the ball in it moves as if it did not.
static void turning_drum(void)
{
    double speeds[2] = {0, 7}, end[2][6];
    for (int k = 0; k < 2; k++)
    {
        obstacle_rig rig;
        thud_world_def def = {.h = .01, .gravity = {0, 0, -1}};
        thud_obstacle_def drum = {
            .solid = {.kind = THUD_INSIDE_DRUM, .points = {{0, 0, -.5}, {0, 0, .5}}, .radius = 1},
            .motion = obstacle_rig_turn,
            .user = &speeds[k]};
        def.gravity[1] = -1;
        REQUIRE(obstacle_rig_open(&rig, &def));
        obstacle_rig_ball(&rig, .1, .6, 0, 0, 0, 0, .2);
        obstacle_rig_add(&rig, &drum);
        CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
        CHECK(obstacle_rig_steps(&rig, 500));
        for (int c = 0; c < 6; c++)
            end[k][c] = c < 3 ? rig.state->q[c] : rig.state->u[c - 3];
        CHECK(rig.most_rounds <= 3);
        obstacle_rig_close(&rig);
    }
    for (int c = 0; c < 6; c++)
        CHECK_NEAR(end[1][c], end[0][c], 1e-9);
    CHECK_NEAR(end[0][2], -.4, 1e-6); // it lies on the end plane
}

// Balls in a box that turns about a slanted axis: none gets out, none enters another.
static int tumble(double t, thud_pose *pose, void *user)
{
    (void)user;
    *pose = (thud_pose){.rotation = {1.5 * t, 2 * t, -t}, .turning = {1.5, 2, -1}};
    pose->position[0] = .3 * sin(2 * t);
    pose->velocity[0] = .6 * cos(2 * t);
    return 0;
}

static void tumbling(thud_solid_def solid)
{
    obstacle_rig rig;
    thud_world_def def = {.h = .005, .gravity = {0, 0, -5}, .tol = 1e-5, .tol_a = 1e-3};
    thud_obstacle_def box = {.solid = solid, .motion = tumble, .smooth = {NAN, NAN}};
    REQUIRE(obstacle_rig_open(&rig, &def));
    for (int i = 0; i < 8; i++)
        obstacle_rig_ball(&rig, .12 + .01 * i, .4 * (i & 1) - .2, .4 * (i >> 1 & 1) - .2,
                          .4 * (i >> 2) - .2, 0, 0, 0);
    obstacle_rig_add(&rig, &box);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    CHECK(obstacle_rig_steps(&rig, 400));
    CHECK(rig.min_gap > 0);
    CHECK(isinf(thud_work_report(rig.work)->between)); // not known how smooth
    obstacle_rig_close(&rig);
}

static void turning_box(void)
{
    tumbling((thud_solid_def){.kind = THUD_INSIDE_BOX, .points = {{-.5, -.5, -.5}, {.5, .5, .5}}});
}

static void turning_cone(void)
{
    tumbling((thud_solid_def){
        .kind = THUD_INSIDE_CONE, .points = {{0, 0, -1.5}, {0, 0, 1}}, .radius = 1.5});
}

static void turning_ball(void)
{
    tumbling((thud_solid_def){.kind = THUD_INSIDE_BALL, .radius = .8});
}

// Two hundred balls and a paddle in a drum that turns and shakes.
static int shake(double t, thud_pose *pose, void *user)
{
    (void)user;
    *pose = (thud_pose){.rotation = {.2 * sin(3 * t), t, 0}, .turning = {.6 * cos(3 * t), 1, 0}};
    pose->position[2] = .2 * sin(9 * t);
    pose->velocity[2] = 1.8 * cos(9 * t);
    return 0;
}

static void full_drum(void)
{
    obstacle_rig rig;
    test_random random = test_random_start(90);
    thud_world_def def = {.h = .004, .gravity = {0, 0, -10}, .tol = 1e-5, .tol_a = 1e-3};
    thud_obstacle_def drum = {
        .solid = {.kind = THUD_INSIDE_DRUM, .points = {{0, -.5}, {0, .5}}, .radius = .5},
        .motion = shake,
        .smooth = {NAN, NAN}};
    thud_obstacle_def paddle = {
        .solid = {.kind = THUD_CAPSULE, .points = {{.2, -.5}, {.2, .5}}, .radius = .04},
        .motion = shake,
        .smooth = {NAN, NAN}};
    REQUIRE(obstacle_rig_open(&rig, &def));
    for (int i = 0; i < 245; i++)
    {
        double x = .1 * (i % 7) - .3, y = .1 * (i / 7 % 7) - .3, z = .1 * (i / 49) - .35;
        if (hypot(x, z) < .44 && hypot(x - .2, z) > .09)
            obstacle_rig_ball(&rig, test_random_uniform(&random, .035, .045), x, y, z, 0, 0, 0);
    }
    obstacle_rig_add(&rig, &drum);
    obstacle_rig_add(&rig, &paddle);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    CHECK(obstacle_rig_steps(&rig, 250));
    CHECK(rig.min_gap > 0 && rig.state->dim > 3 * 180);
    printf("%d bodies, at most %d rounds\n", rig.state->dim / 3, rig.most_rounds);
    obstacle_rig_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"between-nodes", between_nodes}, {"turning-drum", turning_drum},
        {"turning-box", turning_box},     {"turning-cone", turning_cone},
        {"turning-ball", turning_ball},   {"full-drum", full_drum},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
