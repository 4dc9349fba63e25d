// The checker's own view of obstacles: the same distances by other formulas, and what was tampered
// with is found.
#include "obstacle_rig.h"
#include "solid_rig.h"
#include "verify/spheres/checker_solids.h"

#include <stdlib.h>
#include <string.h>

static void same_distances(void)
{
    uint64_t seed = test_seed(80);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int kind = 0; kind < THUD_SOLID_KINDS; kind++)
        for (int trial = 0; trial < 2000; trial++)
        {
            thud_solid_def def = solid_rig_def(&random, (thud_solid_kind)kind);
            double triangles[45], x[3];
            solid_rig_triangles(&random, 5, .5, triangles);
            def.triangles = triangles;
            def.triangle_count = 5;
            def.is_open = trial % 5 == 0;
            thud_solid *solid = solid_rig_make(&def);
            REQUIRE(solid);
            CHECK(thudi_facet_count(&def) == thud_solid_facets(solid));
            for (int k = 0; k < 3; k++)
                x[k] = test_random_uniform(&random, -2, 2);
            for (int facet = 0; facet < thud_solid_facets(solid); facet++)
            {
                thud_facing facing = thud_solid_facing(solid, facet, x);
                thudi_facet_view view = thudi_facet_view_from(&def, facet, x);
                CHECK_NEAR(view.distance, facing.distance, 1e-13);
                for (int k = 0; k < 3 && fabs(facing.distance) > 1e-3; k++)
                    CHECK_NEAR(view.normal[k], facing.normal[k], 1e-11);
                CHECK(thudi_facet_is_concave(&def, facet) ==
                      (thud_solid_curving(solid, facet) == THUD_CONCAVE));
            }
            thud_solid_destroy(solid);
        }
}

static void same_frames(void)
{
    test_random random = test_random_start(81);
    for (int trial = 0; trial < 1000; trial++)
    {
        thud_pose pose = {.position = {1, -2, .5}};
        double x[3], y[3], z[3], back[3];
        for (int k = 0; k < 3; k++)
        {
            pose.rotation[k] = trial < 3 ? 0 : 3 * test_random_normal(&random);
            x[k] = test_random_normal(&random);
        }
        thud_placement placement = thud_pose_place(&pose);
        thudi_frame frame = thudi_frame_of(&pose);
        thud_placement_enter(&placement, x, y);
        thudi_frame_in(&frame, x, z);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(z[k], y[k], 1e-14);
        thudi_frame_turn_in(&frame, x, z);
        thudi_frame_turn_out(&frame, z, back);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(back[k], x[k], 1e-14);
    }
}

// A tangent bounds the concave distance from above, and no other slope passes for one.
static void tangents(void)
{
    test_random random = test_random_start(82);
    static const thud_solid_kind kinds[] = {THUD_INSIDE_BALL, THUD_INSIDE_DRUM, THUD_INSIDE_CONE};
    for (int trial = 0; trial < 3000; trial++)
    {
        thud_solid_def def = solid_rig_def(&random, kinds[trial % 3]);
        double x[3], y[3], value;
        for (int k = 0; k < 3; k++)
        {
            x[k] = test_random_uniform(&random, -2, 2);
            y[k] = test_random_uniform(&random, -2, 2);
        }
        thudi_facet_view at = thudi_facet_view_from(&def, 0, x);
        CHECK(thudi_facet_tangent(&def, at.normal, x, &value));
        CHECK_NEAR(value, at.distance, 1e-13);
        CHECK(thudi_facet_tangent(&def, at.normal, y, &value));
        CHECK(value >= thudi_facet_view_from(&def, 0, y).distance - 1e-13);
        at.normal[trial % 3] += 1e-9;
        bool is_tangent = thudi_facet_tangent(&def, at.normal, y, &value);
        CHECK(!is_tangent || fabs(at.normal[trial % 3]) < 1e-2); // else it is one no longer
    }
}

// A ball at rest in a valley of two obstacles, of which the second is what `solid` says.
static bool rest(obstacle_rig *rig, const thud_solid_def *solid)
{
    thud_world_def def = {.h = .01, .gravity = {0, 0, -1}};
    thud_obstacle_def floor = {.solid = {.kind = THUD_BOX, .points = {{-9, -9, -1}, {9, 9, 0}}}};
    thud_obstacle_def other = {.solid = *solid};
    if (!obstacle_rig_open(rig, &def))
        return false;
    obstacle_rig_ball(rig, .1, 0, 0, .1, 1, 0, 0);
    obstacle_rig_add(rig, &floor);
    obstacle_rig_add(rig, &other);
    CHECK(obstacle_rig_prepare(rig) == THUD_OK);
    return obstacle_rig_steps(rig, 40);
}

static const double WALL[18] = {.3, -5, -1, .3, 5, -1, .3, 0, 9, .3, 5, -1, .3, 0, 9, .3, 9, 9};
static const thud_solid_def SOLIDS[] = {
    {.kind = THUD_BALL, .points = {{.35, 0, .1}}, .radius = .1},
    {.kind = THUD_MESH, .triangles = WALL, .triangle_count = 2},
    {.kind = THUD_INSIDE_DRUM, .points = {{0, -1, .1}, {0, 1, .1}}, .radius = .2},
    {.kind = THUD_INSIDE_BALL, .points = {{0, 0, .1}}, .radius = .25},
};

// Is the certificate `name` broken if the state is changed by `tamper`?
static void tampered(obstacle_rig *rig, void (*tamper)(thud_state *), thud_certificate_name name)
{
    thud_state_def def = {.dim = 3, .h = rig->state->h, .q = rig->state->q};
    thud_state *copy;
    REQUIRE(thud_state_create(&def, &copy) == THUD_OK);
    CHECK(thud_state_copy(copy, rig->state) == THUD_OK);
    CHECK(obstacle_rig_check(rig, copy, true).holds);
    tamper(copy);
    CHECK(!obstacle_rig_check(rig, copy, true).checks[name].holds);
    thud_state_destroy(copy);
}

static void more_impulse(thud_state *state)
{
    for (int i = 0; i < state->multiplier_count; i++)
        state->multipliers[i].impulse *= 1.001;
}

static void no_impulse(thud_state *state)
{
    state->multiplier_count = 0;
}

static void into_wall(thud_state *state)
{
    state->q[0] += 1e-3;
    state->u[0] += 1e-1;
}

static void unknown_surface(thud_state *state)
{
    thud_key *last = &state->multipliers[state->multiplier_count - 1].key;
    thud_key_parts parts = thud_key_read(*last, THUD_KEYS_OPEN);
    parts.a += 256;
    CHECK(thud_key_make(&parts, THUD_KEYS_OPEN, last));
}

static void tampering(void)
{
    for (size_t i = 0; i < sizeof SOLIDS / sizeof *SOLIDS; i++)
    {
        obstacle_rig rig;
        if (rest(&rig, &SOLIDS[i]))
        {
            REQUIRE(rig.state->multiplier_count > 0);
            tampered(&rig, more_impulse, THUD_CERT_STATIONARITY);
            tampered(&rig, no_impulse, THUD_CERT_STATIONARITY);
            tampered(&rig, into_wall, THUD_CERT_NO_OVERLAP);
            tampered(&rig, into_wall, i == 0 || i == 1 ? THUD_CERT_FEASIBLE : THUD_CERT_NO_OVERLAP);
            tampered(&rig, unknown_surface, THUD_CERT_SIGN);
        }
        obstacle_rig_close(&rig);
    }
}

// Without their record the cuts of a concave facet are orphans.
static void cuts_are_needed(void)
{
    obstacle_rig rig;
    thud_world_def def = {.dim = 2, .h = .01};
    thud_obstacle_def disc = {.solid = {.kind = THUD_INSIDE_BALL, .radius = 1}};
    REQUIRE(obstacle_rig_open(&rig, &def));
    obstacle_rig_ball(&rig, .1, 0, .6, 0, 1, 0, 0);
    obstacle_rig_add(&rig, &disc);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    CHECK(obstacle_rig_steps(&rig, 200));
    REQUIRE(rig.state->multiplier_count > 0); // it slides
    CHECK(obstacle_rig_check(&rig, rig.state, true).holds);
    CHECK(!obstacle_rig_check(&rig, rig.state, false).checks[THUD_CERT_SIGN].holds);
    rig.defs[0].solid.radius = .99; // the checker is told of a smaller one
    CHECK(!obstacle_rig_check(&rig, rig.state, true).holds);
    obstacle_rig_close(&rig);
}

// A world that does not know of an obstacle goes through it; the checker does know.
static void unknown_obstacle(void)
{
    for (size_t i = 0; i < sizeof SOLIDS / sizeof *SOLIDS; i++)
    {
        obstacle_rig rig;
        thud_world_def def = {.h = .01};
        REQUIRE(obstacle_rig_open(&rig, &def));
        obstacle_rig_ball(&rig, .1, 0, 0, .1, 1, 0, 0);
        CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
        rig.defs[0] = (thud_obstacle_def){.solid = SOLIDS[i]};
        rig.obstacle_count = 1;
        bool found = false;
        for (int n = 0; n < 100 && !found; n++)
        {
            CHECK(thud_state_copy(rig.before, rig.state) == THUD_OK);
            CHECK(thud_step(&rig.problem, rig.state, rig.work) >= 0);
            thud_verdict verdict = obstacle_rig_check(&rig, rig.state, true);
            found = !verdict.checks[THUD_CERT_NO_OVERLAP].holds;
            CHECK(!found || i > 1 || !verdict.checks[THUD_CERT_FEASIBLE].holds);
        }
        CHECK(found);
        rig.obstacle_count = 0;
        obstacle_rig_close(&rig);
    }
}

static int pass_by(double t, thud_pose *pose, void *user)
{
    double speed = *(double *)user;
    *pose = (thud_pose){.position = {speed * t - 1}, .velocity = {speed}};
    return 0;
}

// A thin plate that jumps over a ball leaves no trace at the nodes; the checker sees its way.
static void jump_over(void)
{
    double speeds[3] = {200, 50, 200};
    for (int i = 0; i < 3; i++)
    {
        obstacle_rig rig;
        thud_world_def def = {.h = .01};
        REQUIRE(obstacle_rig_open(&rig, &def));
        obstacle_rig_ball(&rig, .1, 0, 0, 0, 0, 0, 0);
        CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
        rig.defs[0] = (thud_obstacle_def){.motion = pass_by, .user = &speeds[i]};
        rig.defs[0].solid =
            (thud_solid_def){.kind = THUD_TRIANGLE, .points = {{0, -5, -5}, {0, 5, -5}, {0, 0, 9}}};
        if (i == 2) // a box as thick as this could not
            rig.defs[0].solid =
                (thud_solid_def){.kind = THUD_BOX, .points = {{-9, -9, -9}, {0, 9, 9}}};
        rig.obstacle_count = 1;
        CHECK(thud_step(&rig.problem, rig.state, rig.work) >= 0);
        thud_verdict verdict = obstacle_rig_check(&rig, rig.state, true);
        CHECK(verdict.checks[THUD_CERT_NO_OVERLAP].holds == (i != 2));
        CHECK(verdict.checks[THUD_CERT_FEASIBLE].holds == (i == 1));
        CHECK((thud_key_same(verdict.checks[THUD_CERT_FEASIBLE].key, thud_key_obstacle(0))) ==
              (i == 0));
        rig.obstacle_count = 0;
        obstacle_rig_close(&rig);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"same-distances", same_distances},
        {"same-frames", same_frames},
        {"tangents", tangents},
        {"tampering", tampering},
        {"cuts-are-needed", cuts_are_needed},
        {"unknown-obstacle", unknown_obstacle},
        {"jump-over", jump_over},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
