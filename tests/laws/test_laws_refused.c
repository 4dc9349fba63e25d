// What the laws of contacts cannot do is refused with a reason, and nothing has changed.
#include "models_rig.h"

#include <string.h>

// One row over a floor, as the case wants it.
typedef struct scene
{
    thud_row row;
    bool twice;    // the same key again
    bool forgets;  // not pushed when looking back
    bool vanishes; // not pushed at all
} scene;

static int push(const thud_moment *at, thud_rows *rows, void *user)
{
    const scene *s = user;
    thud_row row = s->row;
    row.key = thud_key_number(7);
    row.gap = at->q[0];
    row.count = 1;
    row.index = (int[]){0};
    row.slope = (double[]){1};
    if (s->vanishes || (s->forgets && at->phase == THUD_LOOK_BACK))
        return 0;
    (void)thud_rows_push(rows, &row);
    if (s->twice)
        (void)thud_rows_push(rows, &row);
    return 0;
}

static void refused(const scene *s, thud_law law, thud_order order, double memory,
                    thud_status wanted, const char *words)
{
    scene copy = *s;
    thud_inclusion problem = {.dim = 1, .order = order, .law = law, .gaps = push, .user = &copy};
    thud_state *state = NULL;
    thud_work *work = NULL;
    thud_state_def def = {.dim = 1, .h = 0.1, .q = (double[]){0}, .u = (double[]){-1}};
    REQUIRE(thud_state_create(&def, &state) == THUD_OK);
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    REQUIRE(thud_state_reserve(state, 1) == THUD_OK);
    state->multipliers[0] = (thud_multiplier){.key = {7}, .memory = memory};
    state->multiplier_count = memory != 0;
    thud_status status = thud_step(&problem, state, work);
    if (status != wanted || !strstr(thud_work_message(work), words))
        test_fail(__FILE__, __LINE__, "%s, \"%s\", wanted %s with \"%s\"", thud_status_name(status),
                  thud_work_message(work), thud_status_name(wanted), words);
    CHECK(state->n == 0 && state->q[0] == 0 && state->u[0] == -1);
    thud_work_destroy(work);
    thud_state_destroy(state);
}

static void steps(void)
{
    const thud_row half = {.law = THUD_LAW_RESTITUTION, .numbers = (double[]){0.5}};
    const thud_row glued = {.law = THUD_LAW_GLUE, .numbers = (double[]){-1}};
    scene plain = {0}, bouncy = {.row = half}, sticky = {.row = glued}, concave = {.row = half};
    scene twice = {.row = half, .twice = true}, forgetful = {.row = half, .forgets = true};
    scene gone = {.row = glued, .vanishes = true};
    concave.row.kind = THUD_CONCAVE;
    thud_status bad = THUD_ERR_ARGUMENT;
    const char *no_order = "the contact law has no meaning in first order";
    refused(&plain, (thud_law)3, THUD_SECOND_ORDER, 0, bad, "unknown contact law");
    refused(&plain, (thud_law)-1, THUD_SECOND_ORDER, 0, bad, "unknown contact law");
    refused(&bouncy, THUD_LAW_RESTITUTION, THUD_FIRST_ORDER, 0, bad, no_order);
    refused(&sticky, THUD_LAW_GLUE, THUD_FIRST_ORDER, 0, bad, no_order);
    refused(&bouncy, THUD_LAW_INELASTIC, THUD_SECOND_ORDER, 0, bad,
            "constraint 7: it has restitution, but the problem has another contact law");
    refused(&bouncy, THUD_LAW_GLUE, THUD_SECOND_ORDER, 0, bad,
            "it has restitution, but the problem has another contact law");
    refused(&sticky, THUD_LAW_INELASTIC, THUD_SECOND_ORDER, 0, bad,
            "it has glue, but the problem has another contact law");
    refused(&sticky, THUD_LAW_RESTITUTION, THUD_SECOND_ORDER, 0, bad,
            "it has glue, but the problem has another contact law");
    refused(&concave, THUD_LAW_RESTITUTION, THUD_SECOND_ORDER, 0, bad,
            "restitution needs constraints that are convex");
    refused(&twice, THUD_LAW_RESTITUTION, THUD_SECOND_ORDER, 0, bad, "two rows have this key");
    refused(&forgetful, THUD_LAW_RESTITUTION, THUD_SECOND_ORDER, 0, THUD_ERR_CALLBACK,
            "did not push a row for it at the start");
    refused(&gone, THUD_LAW_GLUE, THUD_SECOND_ORDER, -1, bad, "held by glue");
    refused(&sticky, THUD_LAW_GLUE, THUD_SECOND_ORDER, 1, bad, "at most 0");
}

static thud_status push_with(thud_rows *list, thud_law law, double number)
{
    return thud_rows_push(list, &(thud_row){.law = law, .numbers = &number});
}

static void rows(void)
{
    static const double bad_e[] = {-1e-9, 1 + 1e-9, NAN, INFINITY}, bad_glue[] = {1e-9, NAN};
    thud_rows *list = NULL;
    REQUIRE(thud_rows_create(1, NULL, &list) == THUD_OK);
    for (int i = 0; i < 4; i++)
        CHECK(push_with(list, THUD_LAW_RESTITUTION, bad_e[i]) == THUD_ERR_ARGUMENT);
    for (int i = 0; i < 2; i++)
        CHECK(push_with(list, THUD_LAW_GLUE, bad_glue[i]) == THUD_ERR_ARGUMENT);
    CHECK(push_with(list, (thud_law)99, 0) == THUD_ERR_ARGUMENT);
    thud_rows_clear(list);
    CHECK(push_with(list, THUD_LAW_RESTITUTION, 1) == THUD_OK);
    CHECK(push_with(list, THUD_LAW_GLUE, -INFINITY) == THUD_OK);
    CHECK(push_with(list, THUD_LAW_GLUE, 0) == THUD_OK);
    CHECK(thud_rows_get(list, 0, NULL).law == THUD_LAW_RESTITUTION);
    CHECK(thud_rows_get(list, 0, NULL).numbers[0] == 1);
    CHECK(thud_rows_get(list, 1, NULL).law == THUD_LAW_GLUE);
    CHECK(thud_rows_get(list, 1, NULL).numbers[0] == -INFINITY);
    CHECK(!thud_rows_get(list, 2, NULL).numbers);
    thud_rows_destroy(list);
}

static void worlds(void)
{
    double e[4] = {0.5, 0.25, 0.25, 0}, lopsided[4] = {0, 0.5, 0.25, 0}, large[4] = {0, 0, 0, 2};
    double pull[4] = {0, 0, 0, 1}, none[4] = {0, 0, 0, 0};
    const double *tables[] = {lopsided, large, pull, none};
    const int laws[] = {THUD_LAW_RESTITUTION, THUD_LAW_RESTITUTION, THUD_LAW_GLUE, 99};
    thud_world_def def = {.h = 0.1, .material_count = 2};
    thud_world *world = NULL;
    for (int i = 0; i < 4; i++)
    {
        def.law = (thud_law)laws[i];
        def.numbers = tables[i];
        CHECK(thud_world_create(&def, &world) == THUD_ERR_ARGUMENT && !world);
    }
    def.law = THUD_LAW_RESTITUTION;
    def.numbers = none;
    REQUIRE(thud_world_create(&def, &world) == THUD_OK);
    thud_sphere ball = {.radius = 1, .mass = 1};
    int id = 0;
    CHECK(thud_world_add(world, &ball, 1, &id) == THUD_OK);
    CHECK(thud_world_inclusion(world).law == THUD_LAW_INELASTIC); // nothing bounces
    CHECK(thud_world_set_material(world, &id, 1, 1) == THUD_OK);
    CHECK(thud_world_set_material(world, &id, 1, 2) == THUD_ERR_ARGUMENT);
    CHECK(thud_world_set_material(world, (int[]){9}, 1, 1) == THUD_ERR_ARGUMENT);
    CHECK(strstr(thud_world_message(world), "no body 9"));
    thud_wall_def wall = {.plane.normal = {0, 0, 1}, .material = 2};
    CHECK(thud_world_add_wall(world, &wall, NULL) == THUD_ERR_ARGUMENT);
    CHECK(strstr(thud_world_message(world), "no material 2"));
    thud_world_destroy(world);
    def.numbers = e;
    REQUIRE(thud_world_create(&def, &world) == THUD_OK);
    CHECK(thud_world_inclusion(world).law == THUD_LAW_RESTITUTION);
    thud_world_destroy(world);
}

// Three masses in a row that fall on a floor.
static affine falling(thud_law law)
{
    affine a = affine_make(3);
    for (int i = 0; i < 3; i++)
    {
        affine_row *row = affine_add(&a);
        row->slope[i] = 1;
        if (i > 0)
            row->slope[i - 1] = -1;
        row->shift = 1e-6;
        row->restitution = law == THUD_LAW_RESTITUTION ? 0.5 : 0;
        row->glue = law == THUD_LAW_GLUE ? -INFINITY : 0;
        a.force[i] = -1;
    }
    return a;
}

// A step that finds no memory leaves the state alone, and goes well when there is some.
static void lack_of_memory(void)
{
    for (int law = THUD_LAW_RESTITUTION; law <= THUD_LAW_GLUE; law++)
    {
        affine a = falling((thud_law)law);
        thud_inclusion problem = affine_problem(&a, (thud_law)law);
        int failed = 0;
        bool done = false;
        for (long at = 1; at < 500 && !done; at++)
        {
            test_meter meter = {.fail_at = 0};
            thud_allocator allocator = {test_meter_resize, &meter};
            thud_state *state = NULL;
            thud_work *work = NULL;
            thud_state_def def = {.dim = 3,
                                  .h = 0.1,
                                  .q = (double[]){1e-5, 2e-5, 3e-5},
                                  .u = (double[]){-1, -2, -3},
                                  .allocator = &allocator};
            REQUIRE(thud_state_create(&def, &state) == THUD_OK);
            REQUIRE(thud_work_create(&(thud_work_def){.allocator = &allocator}, &work) == THUD_OK);
            meter.fail_at = meter.calls + at;
            thud_status status = thud_step(&problem, state, work);
            done = meter.calls < meter.fail_at;
            if (status == THUD_ERR_MEMORY)
            {
                failed++;
                CHECK(state->n == 0 && state->u[0] == -1 && state->multiplier_count == 0);
                meter.fail_at = 0;
                status = thud_step(&problem, state, work);
            }
            CHECK(status >= 0 && state->n == 1 && state->multiplier_count == 3);
            thud_work_destroy(work);
            thud_state_destroy(state);
            CHECK(meter.blocks == 0);
        }
        CHECK(done && failed > 10);
    }
}

static void warm_steps(void)
{
    for (int law = THUD_LAW_RESTITUTION; law <= THUD_LAW_GLUE; law++)
    {
        affine a = falling((thud_law)law);
        thud_inclusion problem = affine_problem(&a, (thud_law)law);
        test_meter meter = {.fail_at = 0};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_state *state = NULL;
        thud_work *work = NULL;
        thud_state_def def = {.dim = 3,
                              .h = 0.01,
                              .q = (double[]){1e-5, 2e-5, 3e-5},
                              .u = (double[]){-1, -2, -3},
                              .allocator = &allocator};
        REQUIRE(thud_state_create(&def, &state) == THUD_OK);
        REQUIRE(thud_work_create(&(thud_work_def){.allocator = &allocator}, &work) == THUD_OK);
        for (int n = 0; n < 600; n++)
            CHECK(thud_step(&problem, state, work) >= 0);
        long calls = meter.calls;
        for (int n = 0; n < 200; n++)
            CHECK(thud_step(&problem, state, work) >= 0);
        CHECK(meter.calls == calls);
        thud_work_destroy(work);
        thud_state_destroy(state);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"steps", steps},
                                      {"rows", rows},
                                      {"worlds", worlds},
                                      {"lack-of-memory", lack_of_memory},
                                      {"warm-steps", warm_steps}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
