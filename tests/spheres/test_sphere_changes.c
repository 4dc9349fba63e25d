// Bodies that come and go: all or nothing, ids that stay, multipliers kept by key.
#include "sphere_rig.h"

#include <stdlib.h>
#include <string.h>

static thud_sphere ball_at(double x, double z)
{
    return (thud_sphere){{x, 0, z}, {0.125, 0, 0}, 0.5, 1 + x};
}

// A settled column of three on the floor, so that there are multipliers.
static thud_world *column(const thud_allocator *allocator, thud_work *work)
{
    thud_world *world = NULL;
    thud_world_def def = {.h = 0.05, .gravity = {0, 0, -1}, .allocator = allocator};
    thud_sphere balls[3] = {ball_at(0, 0.5), ball_at(0, 1.5), ball_at(0, 2.5)};
    bool made = thud_world_create(&def, &world) >= 0 &&
                thud_world_add_wall(world, &(thud_wall_def){.plane = {{0, 0, 1}, 0}}, NULL) >= 0 &&
                thud_world_add(world, balls, 3, NULL) >= 0 &&
                thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) >= 0;
    for (int n = 0; n < 10 && made && work; n++)
    {
        thud_inclusion problem = thud_world_inclusion(world);
        made = thud_step(&problem, thud_world_state(world), work) >= 0;
    }
    CHECK(made);
    return world;
}

typedef struct snapshot
{
    int count, id[8];
    double mass[24], q[24], u[24];
    int64_t n;
    int multipliers;
} snapshot;

static snapshot look(thud_world *world)
{
    thud_bodies bodies = thud_world_bodies(world);
    const thud_state *state = thud_world_state(world);
    snapshot s;
    memset(&s, 0, sizeof s);
    s.count = bodies.count;
    s.n = state->n;
    s.multipliers = state->multiplier_count;
    memcpy(s.id, bodies.id, (size_t)s.count * sizeof *s.id);
    memcpy(s.mass, bodies.mass, 3 * (size_t)s.count * sizeof *s.mass);
    memcpy(s.q, bodies.q, 3 * (size_t)s.count * sizeof *s.q);
    memcpy(s.u, bodies.u, 3 * (size_t)s.count * sizeof *s.u);
    return s;
}

typedef thud_status change_fn(thud_world *world);

static thud_status add_three(thud_world *world)
{
    thud_sphere balls[3] = {ball_at(2, 0.5), ball_at(4, 0.5), ball_at(5, 0.5)};
    return thud_world_add(world, balls, 3, NULL);
}

static thud_status remove_two(thud_world *world)
{
    return thud_world_remove(world, (int[]){2, 0}, 2);
}

static thud_status open_again(thud_world *world)
{
    thud_state *state = thud_world_state(world);
    const double *q = state->q, *u = state->u, height = q[8], low = q[5] + 0.875;
    thud_sphere ball = {{q[6], q[7], low}, {u[6], u[7], u[8]}, 0.5, 1};
    CHECK(thud_world_set(world, 2, &ball) == THUD_OK);
    thud_status status = thud_world_prepare(world, THUD_PROJECT_OVERLAP, NULL);
    if (status < 0)
    {
        CHECK(state->q[8] == low); // not moved
        state->q[8] = height;
    }
    return status;
}

// What a change makes of the world.
static snapshot look_after(change_fn *change, thud_work *work)
{
    thud_world *world = column(NULL, work);
    CHECK(change(world) == THUD_OK);
    snapshot after = look(world);
    thud_world_destroy(world);
    return after;
}

// Let every allocation of a change fail: nothing has changed, then it works, and nothing leaks. An
// allocation that could be spared (a larger block for later rooms) changes nothing of the result.
static long fail_each(const char *name, change_fn *change, thud_work *work)
{
    snapshot wanted = look_after(change, work);
    for (long k = 1;; k++)
    {
        test_meter m = {0};
        thud_allocator allocator = {test_meter_resize, &m};
        thud_world *world = column(&allocator, work);
        snapshot before = look(world);
        m.calls = 0;
        m.fail_at = k;
        thud_status status = change(world);
        bool failed = m.calls >= k;
        m.fail_at = 0;
        if (status != THUD_OK && !(failed && status == THUD_ERR_MEMORY))
            test_fail(__FILE__, __LINE__, "%s, allocation %ld: %s (%s)", name, k,
                      thud_status_text(status), thud_world_message(world));
        snapshot after = look(world);
        CHECK(memcmp(status < 0 ? &before : &wanted, &after, sizeof before) == 0);
        if (status < 0)
            CHECK(change(world) == THUD_OK);
        CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
        thud_world_destroy(world);
        CHECK(m.blocks == 0);
        if (!failed || test_failures() > 20)
            return k - 1;
    }
}

static void allocations(void)
{
    thud_work *work;
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    long adds = fail_each("add", add_three, work), removes = fail_each("remove", remove_two, work);
    long opens = fail_each("prepare", open_again, work);
    printf("  %ld of add, %ld of remove, %ld of prepare made to fail\n", adds, removes, opens);
    CHECK(adds > 2 && removes > 1 && opens > 10);
    thud_work_destroy(work);
}

// Bad requests change nothing, whatever stands beside them.
static void refusals(void)
{
    thud_work *work;
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    thud_world *world = column(NULL, work);
    snapshot before = look(world), after;
    thud_sphere balls[2] = {ball_at(3, 3), ball_at(6, 3)};
    balls[1].radius = -1;
    CHECK(thud_world_add(world, balls, 2, NULL) == THUD_ERR_ARGUMENT);
    balls[1].radius = NAN;
    CHECK(thud_world_add(world, balls, 2, NULL) == THUD_ERR_NOT_FINITE);
    CHECK(thud_world_remove(world, (int[]){1, 7}, 2) == THUD_ERR_ARGUMENT);
    CHECK(strstr(thud_world_message(world), "7"));
    CHECK(thud_world_remove(world, (int[]){1, 1}, 2) == THUD_ERR_ARGUMENT);
    CHECK(thud_world_set(world, 5, &balls[0]) == THUD_ERR_ARGUMENT);
    balls[0].mass = 0;
    CHECK(thud_world_set(world, 1, &balls[0]) == THUD_ERR_ARGUMENT);
    after = look(world);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    thud_inclusion problem = thud_world_inclusion(world);
    CHECK(thud_step(&problem, thud_world_state(world), work) >= 0);
    thud_world_destroy(world);
    thud_work_destroy(work);
}

static double impulse_by_key(const thud_state *state, thud_key key)
{
    for (int i = 0; i < state->multiplier_count; i++)
        if (thud_key_same(state->multipliers[i].key, key))
            return state->multipliers[i].impulse;
    return 0;
}

// Ids stay, a new body gets a new one, and what rests goes on with its multipliers.
static void between_steps(void)
{
    sphere_rig rig;
    thud_world_def def = {.h = 0.05, .gravity = {0, 0, -1}};
    if (!rig_open(&rig, &def))
        return;
    rig_box(&rig, 0, 4.6, INFINITY);
    rig_pour(&rig, 30, 0.4, 0.5, 4, 0, test_seed(53));
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_steps(&rig, 100);
    const thud_state *state = thud_world_state(rig.world);
    int count = state->multiplier_count, first = -1;
    thud_multiplier kept = state->multipliers[count / 2];
    CHECK(thud_world_remove(rig.world, (int[]){29, 3, 17}, 3) == THUD_OK);
    thud_sphere ball = {{2.3, 2.3, 8}, {0, 0, -3}, 0.4, 2};
    CHECK(thud_world_add(rig.world, &ball, 1, &first) == THUD_OK);
    CHECK(first == 30);
    state = thud_world_state(rig.world);
    CHECK(state->n == 100 && impulse_by_key(state, kept.key) == kept.impulse);
    thud_bodies bodies = thud_world_bodies(rig.world);
    CHECK(bodies.count == 28 && bodies.id[3] == 4 && bodies.id[16] == 18 && bodies.id[27] == 30);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_steps(&rig, 60);
    bodies = thud_world_bodies(rig.world);
    ball = (thud_sphere){{bodies.q[0], bodies.q[1], 9}, {0, 0, 0}, 0.25, 1e-2};
    CHECK(thud_world_set(rig.world, 0, &ball) == THUD_OK);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_steps(&rig, 60);
    rig_say(&rig, "changed twice");
    rig_close(&rig);
}

// The view of radii belongs to the bodies that there are, at once.
static void radii_follow(void)
{
    thud_world *world = column(NULL, NULL);
    thud_sphere ball = ball_at(7, 1);
    ball.radius = 0.125;
    CHECK(thud_world_set(world, 1, &ball) == THUD_OK);
    CHECK(thud_world_bodies(world).radius[1] == 0.125);
    CHECK(thud_world_remove(world, (int[]){0}, 1) == THUD_OK);
    CHECK(thud_world_bodies(world).radius[0] == 0.125 && thud_world_bodies(world).radius[1] == 0.5);
    ball = ball_at(11, 1);
    ball.radius = 0.25;
    CHECK(thud_world_add(world, &ball, 1, NULL) == THUD_OK);
    CHECK(thud_world_bodies(world).radius[2] == 0.25);
    thud_world_destroy(world);
}

// A world that loses its last body keeps its time.
static void emptied(void)
{
    thud_work *work;
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    thud_world *world = column(NULL, work);
    thud_sphere ball = ball_at(0, 2);
    int first = -1;
    double t = thud_state_time(thud_world_state(world));
    CHECK(thud_world_remove(world, (int[]){0, 1, 2}, 3) == THUD_OK);
    CHECK(thud_world_bodies(world).count == 0);
    CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_ERR_ARGUMENT);
    CHECK(thud_world_add(world, &ball, 1, &first) == THUD_OK);
    CHECK(first == 3);
    CHECK(thud_state_time(thud_world_state(world)) == t);
    thud_world_destroy(world);
    thud_work_destroy(work);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"allocations", allocations},   {"refusals", refusals}, {"between-steps", between_steps},
        {"radii-follow", radii_follow}, {"emptied", emptied},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
