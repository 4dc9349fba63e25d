// What a periodic world refuses, what the checker does not let pass, and memory that runs out.
#include "cell_rig.h"

#include <stdlib.h>
#include <string.h>

static int grow(double t, int count, const int *id, double *radius, void *user)
{
    (void)id, (void)user;
    for (int i = 0; i < count; i++)
        radius[i] = 0.4 + t;
    return 0;
}

static int slide(double t, double *shear, void *user)
{
    *shear = *(const double *)user * t;
    return 0;
}

static int broken(double t, double *shear, void *user)
{
    (void)user;
    *shear = t > 0.015 ? NAN : 0;
    return t > 0.025;
}

static bool says(const cell_rig *rig, const char *text)
{
    const char *message = rig->work ? thud_work_message(rig->work) : thud_world_message(rig->world);
    bool found = strstr(message, text);
    if (!found)
        printf("says: %s\n", message);
    return found;
}

static void definitions(void)
{
    double rate = 1;
    static const thud_cell bad[] = {{.period = {-1, 0, 0}},
                                    {.period = {0, NAN, 0}},
                                    {.period = {INFINITY, 1, 0}},
                                    {.period = {1, 1, 0}, .low = {NAN}},
                                    {.period = {1, 0, 0}, .shear = slide},
                                    {.period = {0, 1, 1}, .shear = slide},
                                    {.period = {1, 1, 0}, .shear = slide, .shear_t = -1},
                                    {.period = {1, 1, 0}, .shear = slide, .shear_tt = -1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
        thud_world_def def = {.h = 0.01, .cell = bad[i]};
        thud_world *world = NULL;
        def.cell.user = &rate;
        CHECK(thud_world_create(&def, &world) < 0 && !world);
    }
    // the third axis of a plane is not looked at
    thud_world_def def = {.dim = 2, .h = 0.01, .cell = {.period = {1, 1, -7}}};
    thud_world *world = NULL;
    CHECK(thud_world_create(&def, &world) == THUD_OK);
    thud_world_destroy(world);
}

static void too_short(void)
{
    cell_rig rig;
    thud_world_def def = {.dim = 2, .h = 0.01, .cell = {.period = {4, 1, 0}}};
    REQUIRE(cell_open(&rig, &def));
    cell_add(&rig, 0, 0, 0, 0.5, 0, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_ERR_LIMIT);
    CHECK(says(&rig, "cell too short for its spheres: its period along y is 1, it must be more"));
    cell_close(&rig);
    def.radii = grow;
    REQUIRE(cell_open(&rig, &def));
    cell_add(&rig, 0, 0, 0, 0.4, 0, 0, 0);
    cell_add(&rig, 2, 0, 0, 0.4, 0, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    CHECK(cell_steps(&rig, 9));
    CHECK(cell_step(&rig) == THUD_ERR_LIMIT);
    CHECK(says(&rig, "cell too short"));
    CHECK(rig.state->n == 9);
    cell_close(&rig);
}

static void walls_and_obstacles(void)
{
    const thud_obstacle_def pipe = {.solid = {.kind = THUD_INSIDE_DRUM,
                                              .points = {{0, 0, 0}, {1, 0, 0}},
                                              .radius = 2,
                                              .is_open = true}};
    const thud_obstacle_def ball = {.solid = {.kind = THUD_BALL, .radius = 0.1}};
    const thud_obstacle_def bar = {
        .solid = {.kind = THUD_BOX,
                  .points = {{-INFINITY, 1, -INFINITY}, {INFINITY, 1.2, INFINITY}}}};
    thud_world_def def = {.h = 0.01, .cell = {.period = {2, 0, 0}}, .gravity = {0, 0, -1}};
    cell_rig rig;
    for (int which = 0; which < 6; which++)
    {
        thud_obstacle_def turned = bar;
        turned.pose.rotation[2] = 0.1;
        REQUIRE(cell_open(&rig, &def));
        cell_add(&rig, 0, 0, 0, 0.3, 1, 0, 0);
        cell_add(&rig, 1, 0, 0, 0.3, 3, 0, 0);
        if (which < 2)
            cell_wall(&rig, which ? 0.6 : 0, 0.8, 0, -1);
        else
            CHECK(thud_world_add_obstacle(rig.world,
                                          which == 2   ? &pipe
                                          : which == 3 ? &bar
                                          : which == 4 ? &turned
                                                       : &ball,
                                          NULL) == THUD_OK);
        bool fits = which == 0 || which == 2 || which == 3;
        CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == (fits ? THUD_OK : THUD_ERR_ARGUMENT));
        if (!fits)
            CHECK(says(&rig, which < 2 ? "wall 0 stands across the periodic axis x"
                                       : "obstacle 0 is not the same all along"));
        for (int n = 0; n < 300 && fits; n++)
            CHECK(thud_step(&rig.problem, rig.state, rig.work) >= 0);
        if (fits)
            CHECK(rig.state->q[0] > 5);
        if (which == 2) // they lie in the pipe
            CHECK_NEAR(rig.state->q[2], -1.7, 1e-3);
        cell_close(&rig);
    }
}

static void steps(void)
{
    double rate = 1;
    thud_world_def def = {.dim = 2, .h = 0.01, .cell = {.period = {1, 1, 0}}};
    cell_rig rig;
    REQUIRE(cell_open(&rig, &def));
    cell_add(&rig, 0, 0, 0, 0.2, 70, 0, 0);
    cell_add(&rig, 0.5, 0.5, 0, 0.2, -90, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    CHECK(cell_step(&rig) == THUD_ERR_STEP);
    CHECK(says(&rig, "step too large for the cell"));
    cell_close(&rig);
    // all of them as fast is no trouble
    REQUIRE(cell_open(&rig, &def));
    cell_add(&rig, 0, 0, 0, 0.2, 700, 0, 0);
    cell_add(&rig, 0.5, 0.5, 0, 0.2, 701, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    CHECK(cell_steps(&rig, 3));
    cell_close(&rig);
    def.cell.shear = broken;
    def.cell.user = &rate;
    REQUIRE(cell_open(&rig, &def));
    cell_add(&rig, 0, 0, 0, 0.2, 0, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    CHECK(cell_steps(&rig, 1));
    CHECK(cell_step(&rig) < 0);
    rig.state->n = 2;
    CHECK(cell_step(&rig) == THUD_ERR_CALLBACK);
    cell_close(&rig);
}

static void overlaps(void)
{
    thud_world_def def = {.dim = 2, .h = 0.01, .cell = {.period = {1, 1, 0}}};
    thud_start start;
    cell_rig rig;
    REQUIRE(cell_open(&rig, &def));
    cell_add(&rig, 0.1, 0.1, 0, 0.2, 0, 0, 0);
    cell_add(&rig, 0.8, 5.1, 0, 0.2, 0, 0, 0);
    CHECK(thud_world_prepare(rig.world, THUD_REFUSE_OVERLAP, &start) == THUD_ERR_OVERLAP);
    CHECK(start.overlap_count == 1 && start.overlaps[0].a == 0 && start.overlaps[0].b == 1);
    CHECK_NEAR(start.overlaps[0].depth, 0.1, 1e-12);
    CHECK(thud_world_prepare(rig.world, THUD_PROJECT_OVERLAP, &start) == THUD_OK);
    thud_bodies bodies = thud_world_bodies(rig.world);
    CHECK_NEAR(bodies.q[2] - bodies.q[0], 0.6, 1e-4);
    CHECK_NEAR(bodies.q[3] - bodies.q[1], 5, 1e-12);
    cell_close(&rig);
    REQUIRE(cell_open(&rig, &def));
    cell_add(&rig, 0.25, 0.25, 0, 0.2, 0, 0, 0);
    cell_add(&rig, -0.75, 3.25, 0, 0.2, 0, 0, 0);
    CHECK(cell_start(&rig, THUD_PROJECT_OVERLAP) == THUD_ERR_OVERLAP);
    CHECK(says(&rig, "bodies 0 and 1 have the same centre"));
    cell_close(&rig);
}

// Disks in a sheared cell.
static bool pile(cell_rig *rig, const double *rate)
{
    test_random random = test_random_start(test_seed(4));
    thud_world_def def = {
        .dim = 2, .h = 0.01, .cell = {.period = {1, 1, 0}, .shear = slide, .shear_t = 1}};
    memcpy(&def.cell.user, &rate, sizeof rate);
    if (!cell_open(rig, &def))
        return false;
    cell_scatter(rig, &random, 60, 0.05, 0.08, 1);
    CHECK(cell_start(rig, THUD_REFUSE_OVERLAP) >= 0);
    return true;
}

static bool is_across(thud_key key)
{
    thud_key_parts parts = thud_key_read(key, THUD_KEYS_PERIODIC);
    return parts.kind == THUD_KEY_PAIR && parts.image != 0;
}

// One impulse through the border left out or given to another image, its body not pushed.
static void forge(const cell_rig *rig, thud_state *after, int i)
{
    thud_verdict verdict;
    CHECK(thud_state_copy(after, rig->state) == THUD_OK);
    after->multipliers[i].impulse = 0;
    CHECK(cell_judge(rig, after, &verdict) == THUD_OK && !verdict.holds);
    CHECK(!verdict.checks[THUD_CERT_STATIONARITY].holds);
    thud_key_parts parts = thud_key_read(after->multipliers[i].key, THUD_KEYS_PERIODIC);
    for (int turn = 1; turn < 4; turn++)
    {
        CHECK(thud_state_copy(after, rig->state) == THUD_OK);
        thud_key_parts other = parts;
        other.image ^= turn;
        CHECK(thud_key_make(&other, THUD_KEYS_PERIODIC, &after->multipliers[i].key));
        CHECK(cell_judge(rig, after, &verdict) == THUD_OK && !verdict.holds);
    }
    int a = (int)parts.a;
    CHECK(thud_state_copy(after, rig->state) == THUD_OK);
    for (int k = 0; k < 2; k++)
        after->q[2 * a + k] = rig->before->q[2 * a + k] + after->h * rig->before->u[2 * a + k];
    CHECK(cell_judge(rig, after, &verdict) == THUD_OK && !verdict.holds);
}

// Judged with another cell.
static bool passes(const cell_rig *rig, double period, const double *rate)
{
    thud_verdict verdict;
    cell_rig copy = *rig;
    copy.def.cell.period[0] = period;
    memcpy(&copy.def.cell.user, &rate, sizeof rate);
    CHECK(cell_judge(&copy, rig->state, &verdict) == THUD_OK);
    return verdict.holds;
}

static void forged(void)
{
    static const double rate = 0.7, other = 0.75;
    int tried = 0, blind_to_period = 0, blind_to_shear = 0;
    thud_state *after = NULL;
    thud_verdict verdict;
    cell_rig rig;
    REQUIRE(pile(&rig, &rate));
    thud_state_def def = {.dim = rig.state->dim, .h = rig.state->h, .q = rig.state->q};
    REQUIRE(thud_state_create(&def, &after) == THUD_OK);
    for (int n = 0; n < 25; n++)
    {
        int found = 0;
        REQUIRE(cell_steps(&rig, 1));
        for (int i = 0; i < rig.state->multiplier_count; i++)
            if (is_across(rig.state->multipliers[i].key) &&
                rig.state->multipliers[i].impulse > 1e-9)
            {
                forge(&rig, after, i);
                found++;
            }
        tried += found;
        CHECK(passes(&rig, 1, &rate));
        blind_to_period += found > 0 && passes(&rig, 1.01, &rate);
        blind_to_shear += found > 0 && passes(&rig, 1, &other);
    }
    printf("%d forged\n", tried);
    CHECK(tried > 2 && blind_to_period < tried / 2 && blind_to_shear < tried / 2);
    rig.def.cell.period[0] = 0.05; // shorter than a body
    CHECK(cell_judge(&rig, rig.state, &verdict) == THUD_ERR_CALLBACK);
    rig.def.cell.period[0] = NAN;
    CHECK(cell_judge(&rig, rig.state, &verdict) == THUD_ERR_CALLBACK);
    thud_state_destroy(after);
    cell_close(&rig);
}

// Where memory ends, nothing is lost and nothing done by half.
static void memory(void)
{
    static const double rate = 0.7;
    for (long fail = 1; fail < 400; fail += 7)
    {
        test_meter meter = {.fail_at = fail};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_world_def def = {.dim = 2,
                              .h = 0.01,
                              .cell = {.period = {1, 1, 0}, .shear = slide, .shear_t = 1},
                              .allocator = &allocator};
        memcpy(&def.cell.user, &(const double *){&rate}, sizeof(double *));
        thud_world *world = NULL;
        thud_work *work = NULL;
        thud_status status = thud_world_create(&def, &world);
        for (int i = 0; i < 9 && status >= 0; i++)
            status = thud_world_add(world,
                                    &(thud_sphere){.center = {i % 3 / 3.0, i / 3 / 3.0},
                                                   .velocity = {i % 2, i % 4},
                                                   .radius = 0.15,
                                                   .mass = 1},
                                    1, NULL);
        if (status >= 0)
            status = thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL);
        thud_work_def work_def = {.allocator = &allocator};
        if (status >= 0)
            status = thud_work_create(&work_def, &work);
        for (int n = 0; n < 3 && status >= 0; n++)
        {
            thud_inclusion problem = thud_world_inclusion(world);
            status = thud_step(&problem, thud_world_state(world), work);
        }
        CHECK(status >= 0 ? meter.calls < fail || fail == 0 : status == THUD_ERR_MEMORY);
        thud_work_destroy(work);
        thud_world_destroy(world);
        CHECK(meter.blocks == 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"definitions", definitions},
                                      {"too-short", too_short},
                                      {"walls-and-obstacles", walls_and_obstacles},
                                      {"steps", steps},
                                      {"overlaps", overlaps},
                                      {"forged", forged},
                                      {"memory", memory}};
    return test_main(argc, argv, cases, 7);
}
