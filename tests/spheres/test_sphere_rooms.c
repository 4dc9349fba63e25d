// The rooms that the callback of a world opens: all are closed when it returns, in each phase, and
// when it fails. It needs no step: a list of rows has rooms of its own.
#include "thud_test.h"

#include <thud/spheres.h>
#include <thud/thud.h>

enum
{
    COUNT = 60,
    DIM = 3 * COUNT
};

static bool radii_fail;

static int radii(double t, int count, const int *ids, double *radius, void *user)
{
    (void)t;
    (void)ids;
    (void)user;
    for (int i = 0; i < count; i++)
        radius[i] = 0.5;
    return radii_fail;
}

// A block of bodies that nearly touch, over a floor.
static thud_world *block_of_bodies(const thud_allocator *allocator)
{
    thud_world *world = NULL;
    thud_world_def def = {
        .h = 0.01, .gravity = {0, 0, -10}, .radii = radii, .allocator = allocator};
    thud_wall_def floor = {.plane = {.normal = {0, 0, 1}}};
    thud_sphere spheres[COUNT];
    for (int i = 0; i < COUNT; i++)
        spheres[i] = (thud_sphere){
            .center = {1.001 * (i % 4), 1.001 * (i / 4 % 4), 0.501 + 1.001 * (i / 16)},
            .radius = 0.5,
            .mass = 1};
    radii_fail = false;
    thud_status status = thud_world_create(&def, &world);
    if (status >= 0)
        status = thud_world_add_wall(world, &floor, NULL);
    if (status >= 0)
        status = thud_world_add(world, spheres, COUNT, NULL);
    if (status >= 0)
        status = thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL);
    if (status >= 0)
        return world;
    thud_world_destroy(world);
    return NULL;
}

// The moment that a step asks at, when bodies fall.
static thud_moment moment_of(const thud_state *state)
{
    static double w[DIM];
    for (int i = 0; i < DIM; i++)
        w[i] = i % 3 == 2 ? -10 * state->h : 0;
    return (thud_moment){.phase = THUD_LINEARISE,
                         .t = thud_state_time(state) + state->h,
                         .h = state->h,
                         .q = state->q,
                         .u = state->u,
                         .w = w};
}

// Ask in a phase, while `open` rooms of the caller are open.
static int ask(thud_world *world, thud_moment at, thud_phase phase, thud_rows *rows)
{
    thud_inclusion problem = thud_world_inclusion(world);
    thud_rooms *rooms = thud_rows_rooms(rows);
    int open = thud_rooms_count(rooms);
    thud_rows_clear(rows);
    at.phase = phase;
    at.trial = at.q;
    int code = problem.gaps(&at, rows, problem.user);
    CHECK(thud_rooms_count(rooms) == open);
    return code;
}

static void closed(void)
{
    double *own;
    thud_world *world = block_of_bodies(NULL);
    thud_rows *rows = NULL;
    REQUIRE(world && thud_rows_create(DIM, NULL, &rows) == THUD_OK);
    thud_moment at = moment_of(thud_world_state(world));
    for (int held = 0; held < 2; held++)
    {
        CHECK(ask(world, at, THUD_LINEARISE, rows) == 0 && thud_rows_count(rows) > COUNT);
        CHECK(ask(world, at, THUD_FIND_MISSING, rows) == 0);
        radii_fail = true;
        CHECK(ask(world, at, THUD_LINEARISE, rows) != 0);
        CHECK(ask(world, at, THUD_FIND_MISSING, rows) != 0);
        radii_fail = false;
        double x = at.q[0];
        thud_world_state(world)->q[0] = at.q[3]; // two centres in one place
        CHECK(ask(world, at, THUD_LINEARISE, rows) != 0);
        CHECK(ask(world, at, THUD_FIND_MISSING, rows) != 0);
        thud_world_state(world)->q[0] = x;
        // once more with a room of the caller below
        CHECK(thud_room_open(thud_rows_rooms(rows), 10, 8, "of the test", (void *)&own) == THUD_OK);
    }
    thud_rooms_close(thud_rows_rooms(rows), 0);
    thud_rows_destroy(rows);
    thud_world_destroy(world);
}

// Every allocation of the callback fails in turn.
static void failing_memory(void)
{
    int code = 1;
    long fail_at = 1;
    for (; code != 0 && fail_at < 60; fail_at++)
    {
        test_meter meter = {0};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_world *world = block_of_bodies(&allocator);
        thud_rows *rows = NULL;
        REQUIRE(world && thud_rows_create(DIM, &allocator, &rows) == THUD_OK);
        thud_moment at = moment_of(thud_world_state(world));
        meter.calls = 0;
        meter.fail_at = fail_at;
        code = ask(world, at, THUD_LINEARISE, rows);
        CHECK(code == 0 || thud_rows_status(rows) == THUD_ERR_MEMORY);
        meter.fail_at = 0;
        CHECK(ask(world, at, THUD_LINEARISE, rows) == 0);
        thud_rows_destroy(rows);
        thud_world_destroy(world);
        CHECK(meter.blocks == 0);
    }
    printf("  %ld allocations\n", fail_at - 2);
    CHECK(code == 0 && fail_at > 5);
}

// The hash of all states of 20 steps, with or without a release of scratch memory after each.
static void take_steps(bool releases, uint64_t *hash)
{
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    thud_world *world = block_of_bodies(NULL);
    thud_work *work = NULL;
    *hash = 0;
    REQUIRE(world);
    thud_inclusion problem = thud_world_inclusion(world);
    thud_work_def def = thud_world_work(world);
    def.allocator = def.projector.allocator = &allocator;
    REQUIRE(thud_work_create(&def, &work) == THUD_OK);
    for (int k = 0; k < 20; k++)
    {
        CHECK(thud_step(&problem, thud_world_state(world), work) >= 0);
        *hash = thud_state_hash(thud_world_state(world), *hash);
        long held = meter.blocks;
        if (releases)
            thud_work_release(work);
        CHECK(meter.blocks == held - releases); // all scratch memory is one block
        CHECK(thud_rows_count(thud_work_report(work)->rows) > 0);
    }
    thud_work_destroy(work);
    thud_world_destroy(world);
    CHECK(meter.blocks == 0);
}

static void released(void)
{
    uint64_t with, without;
    take_steps(true, &with);
    take_steps(false, &without);
    CHECK(with == without && with != 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"closed", closed}, {"failing-memory", failing_memory}, {"released", released}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
