// A law that keeps three numbers of a row, in C: tests/laws/toy/check_toy builds the library with
// it. What it keeps is computed once more here, by key.
#include "world_rig.h"

#include <string.h>
#include <thud/fields.h>

enum
{
    KEPT = 3,
    COORDINATES = 3,
    LIFTED = 40 // the step from which the second body is pulled up, for as many steps
};

// Bodies above a floor at 0, each with a number of the law; the last one without.
static const double weight[COORDINATES][2] = {{0.5, 0}, {2, 0.015}, {0, 0}};

static int push_floors(const thud_moment *at, thud_rows *rows, void *user)
{
    static const double slope = 1;
    (void)user;
    for (int k = COORDINATES - 1; k >= 0; k--)
    {
        // a floor is listed only near it: rows come and go
        if (at->q[k] < 0.05)
            (void)thud_rows_push(rows, &(thud_row){.key = thud_key_number(10 + k),
                                                   .gap = at->q[k],
                                                   .law = THUD_LAW_TOY,
                                                   .numbers = weight[k],
                                                   .count = 1,
                                                   .index = &k,
                                                   .slope = &slope});
    }
    return 0;
}

static int force(double t, const double *q, double *f, void *user)
{
    (void)q, (void)user;
    bool is_lifted = t > LIFTED * 0.01 && t < 2 * LIFTED * 0.01;
    f[0] = f[2] = -1;
    f[1] = is_lifted ? 1 : -2;
    return 0;
}

static const thud_inclusion floors = {
    .dim = COORDINATES, .law = THUD_LAW_TOY, .force = force, .gaps = push_floors};

static const double start[COORDINATES] = {0, 0.1, 0.2};

static bool begin(track *way)
{
    return track_start(way, &floors, &(thud_state_def){.dim = COORDINATES, .h = 0.01, .q = start},
                       &(thud_work_def){0});
}

// Number n of multiplier m.
static double number_of(const thud_state *state, int m, int n)
{
    return n == 0 ? state->multipliers[m].memory : state->more[m * state->more_width + n - 1];
}

static double *place_of(thud_state *state, int m, int n)
{
    return n == 0 ? &state->multipliers[m].memory : &state->more[m * state->more_width + n - 1];
}

// What one contact should keep.
typedef struct counted
{
    double numbers[KEPT];
    int lasted, ended; // steps with an impulse; how often it ended
} counted;

static int find(const thud_state *state, thud_key key)
{
    for (int m = 0; m < state->multiplier_count; m++)
        if (thud_key_same(state->multipliers[m].key, key))
            return m;
    return -1;
}

// Count what the state stores of a contact, and compare.
static void count(counted *c, const thud_state *state, thud_key key, const double *law)
{
    int m = find(state, key);
    double mu = m < 0 ? 0 : state->multipliers[m].impulse;
    bool is_counted = mu > 0 && law;
    c->ended += !is_counted && c->numbers[1] > 0;
    c->lasted += is_counted;
    c->numbers[0] = is_counted ? c->numbers[0] + law[0] * mu : 0;
    c->numbers[1] = is_counted ? c->numbers[1] + 1 : 0;
    c->numbers[2] = is_counted ? (mu >= law[1] ? fmax(c->numbers[2], mu) : c->numbers[2]) : 0;
    for (int n = 0; n < KEPT && m >= 0; n++)
        CHECK(number_of(state, m, n) == c->numbers[n]);
}

static void test_described(void)
{
    const thud_law_info *law = thud_law_find(THUD_LAW_TOY);
    REQUIRE(law && strcmp(law->name, "toy") == 0);
    CHECK(law->kept == KEPT && law->number_count == 2 && law->law == THUD_LAW_TOY);
    CHECK(thud_law_has(THUD_LAW_TOY, THUD_TRAIT_UNIQUE_KEYS));
}

static void test_steps(void)
{
    track way;
    counted contacts[COORDINATES] = {0};
    REQUIRE(begin(&way));
    for (int n = 0; n < 4 * LIFTED; n++)
    {
        REQUIRE(track_step(&way));
        for (int k = 0; k < COORDINATES; k++)
            count(&contacts[k], way.state, thud_key_number(10 + k), k < 2 ? weight[k] : NULL);
        CHECK(way.state->more_width == KEPT - 1);
    }
    // the first contact lasts while the rows before and after it come and go
    CHECK(contacts[0].ended == 0 && contacts[0].lasted == 4 * LIFTED);
    CHECK(contacts[1].ended == 1 && contacts[1].lasted > LIFTED / 2 && contacts[1].numbers[2] > 0);
    CHECK(contacts[2].lasted == 0 && find(way.state, thud_key_number(12)) >= 0);
    track_say(&way, "floors");
    track_end(&way);
}

// A world, in which a ball falls onto others that are at rest.
static void test_world(void)
{
    world_rig rig = {.def = {.dim = 2, .h = 0.005, .gravity = {0, -1, 0}}, .wall_count = 1};
    counted floor_of[4] = {0};
    const double numbers[WORLD_MATERIALS][WORLD_MATERIALS][2] = {
        {{0.5, 0}, {1, 1e-3}, {0, 0}}, {{1, 1e-3}, {3, 0}, {0, 0}}, {{0, 0}, {0, 0}, {0, 0}}};
    memcpy(rig.table, numbers, sizeof numbers);
    rig.walls[0] = (thud_plane){.normal = {0, 1, 0}};
    for (int i = 0; i < 4; i++)
    {
        rig.spheres[i] = (thud_sphere){.radius = 0.1, .mass = 1 + i};
        rig.spheres[i].center[0] = 0.25 * (i % 3) + 0.1 * (i == 3);
        rig.spheres[i].center[1] = i == 3 ? 0.6 : 0.11;
        rig.material[i] = i < 2 ? i : i - 2;
    }
    rig.wall_material[0] = 1;
    rig.count = 4;
    REQUIRE(world_open(&rig, THUD_LAW_TOY, NULL));
    bool has_met = false;
    for (int n = 0; n < 400; n++)
    {
        REQUIRE(track_step(&rig.way));
        for (int i = 0; i < 4; i++)
            count(&floor_of[i], rig.way.state, thud_key_wall(0, i), numbers[1][rig.material[i]]);
        has_met = has_met || find(rig.way.state, thud_key_pair(0, 3, 0)) >= 0 ||
                  find(rig.way.state, thud_key_pair(1, 3, 0)) >= 0;
    }
    CHECK(has_met && floor_of[0].lasted > 300);
    // what is kept of a body that is replaced is forgotten
    thud_sphere moved = rig.spheres[0];
    moved.center[0] = -2;
    CHECK(find(rig.way.state, thud_key_wall(0, 0)) >= 0);
    CHECK(thud_world_set(rig.world, 0, &moved) == THUD_OK);
    CHECK(find(thud_world_state(rig.world), thud_key_wall(0, 0)) < 0);
    CHECK(find(thud_world_state(rig.world), thud_key_wall(0, 1)) >= 0);
    track_say(&rig.way, "world");
    world_close(&rig);
    // out of the range that the law gives
    rig.table[0] = 5;
    CHECK(thud_world_create(&rig.def, &rig.world) == THUD_ERR_ARGUMENT);
}

static bool holds(const track *way, const thud_state *before, const thud_state *after)
{
    thud_verdict verdict = {.holds = false};
    CHECK(thud_verify_step(&way->problem, before, after, &way->check, &verdict) == THUD_OK);
    CHECK(verdict.holds || !verdict.checks[THUD_CERT_SIGN].holds);
    return verdict.holds;
}

// The hash sees every number; a width of another law, and a forged number, fail the step.
static void test_forged(void)
{
    track way;
    REQUIRE(begin(&way));
    REQUIRE(track_steps(&way, 4 * LIFTED));
    thud_state *before = way.before, *after = way.state;
    uint64_t hash = thud_state_hash(after, 1);
    REQUIRE(after->multiplier_count == COORDINATES && before->multiplier_count == COORDINATES);
    CHECK(holds(&way, before, after));
    for (int m = 0; m < COORDINATES; m++)
        for (int n = 0; n < KEPT; n++)
        {
            double *own = place_of(after, m, n), *first = place_of(before, m, n), kept = *own;
            *own += 1e-9;
            CHECK(thud_state_hash(after, 1) != hash);
            CHECK(!holds(&way, before, after));
            *own = kept;
            kept = *first;
            *first += m < 2 ? 1 : 0;
            CHECK(holds(&way, before, after) == (m == 2));
            *first = kept;
        }
    after->more_width = 0;
    CHECK(thud_state_hash(after, 1) != hash && !holds(&way, before, after));
    after->more_width = KEPT - 1;
    CHECK(holds(&way, before, after) && thud_state_hash(after, 1) == hash);
    track_end(&way);
}

// A copy has the numbers; a state of another width, and a row of another law, are refused.
static void test_refused(void)
{
    track way;
    REQUIRE(begin(&way));
    REQUIRE(track_steps(&way, LIFTED));
    thud_state *copy = NULL;
    REQUIRE(thud_state_create(&(thud_state_def){.dim = COORDINATES, .h = 1, .q = start}, &copy) ==
            THUD_OK);
    CHECK(thud_state_copy(copy, way.state) == THUD_OK);
    CHECK(thud_state_hash(copy, 7) == thud_state_hash(way.state, 7));
    CHECK(thud_state_widen(copy, 1) == THUD_OK);
    CHECK(thud_step(&floors, copy, way.work) == THUD_ERR_ARGUMENT);
    CHECK(strstr(thud_work_message(way.work), "numbers of another contact law") != NULL);
    thud_inclusion other = floors;
    other.law = THUD_LAW_GLUE;
    CHECK(thud_state_widen(copy, 0) == THUD_OK);
    CHECK(thud_step(&other, copy, way.work) == THUD_ERR_ARGUMENT);
    CHECK(strstr(thud_work_message(way.work), "it has toy") != NULL);
    thud_state_destroy(copy);
    track_end(&way);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {{"described", test_described},
                               {"steps", test_steps},
                               {"world", test_world},
                               {"forged", test_forged},
                               {"refused", test_refused}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
