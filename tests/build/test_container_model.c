// Obstacles of scenes in models: steps hold by what is recorded of them, and by nothing else;
// forces balance weights; names, troubles and bounds.
#include "model_rig.h"
#include "thud/model_verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.005, end: 2}\ngravity: [0, 0, -10]\n"
#define HEAP                                                                                       \
    "bodies:\n  - lattice: {origin: [-0.3, -0.3, 0.1], count: [3, 3, 3], spacing: 0.3, "           \
    "radius: 0.13, jitter: 0.015, mass: 1}\n"

static const char *const scenes[] = {
    // a drum that turns, with a paddle
    HEAD HEAP "walls:\n"
              "  drum: {drum: {from: [-0.6, 0, 0], to: [0.6, 0, 0], radius: 0.9}, "
              "position: [0, 0, 0.3], rotation: [t, 0, 0]}\n"
              "  paddle: {solid_box: [[-0.5, -0.02, -0.9], [0.5, 0.02, -0.6]], "
              "position: [0, 0, 0.3], rotation: [t, 0, 0]}\n",
    // a hopper that shakes and turns, above a ball, in a shell
    HEAD HEAP "walls:\n"
              "  funnel: {hopper: {outlet: 0.3, top: 1, height: 0.8, bin: 1, sides: 7}, "
              "position: [0, 0, \"-0.9 + 0.02*sin(20*t)\"], rotation: [0, 0, t]}\n"
              "  ball: {ball: {center: [0, 0, -1.4], radius: 0.2}}\n"
              "  shell: {shell: {center: [0, 0, 0], radius: 2}}\n",
    // a cone, a tray that tilts, rods and triangles
    HEAD HEAP "walls:\n"
              "  cone: {cone: {apex: [0, 0, -0.9], lid: [0, 0, 3], radius: 4}}\n"
              "  tray: {box: [[-3, -3, -0.8], [3, 3, 3]], rotation: [\"0.1*sin(3*t)\", 0, 0]}\n"
              "  rod: {capsule: {from: [-1, 0, -0.2], to: [1, 0, -0.2], radius: 0.05}}\n"
              "  leaf: {triangle: [[-1, 0.2, -0.3], [1, 0.2, -0.3], [0, 1, 0.2]]}\n"
              "  post: {cylinder: {from: [0, -0.5, -1], to: [0, -0.5, -0.1], radius: 0.1}}\n"};

// In the plane.
static const char flat[] =
    "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.005, end: 2}\ngravity: [0, -10]\n"
    "bodies:\n  - lattice: {origin: [-0.4, 0.1], count: [4, 4], spacing: 0.27, radius: 0.12, "
    "jitter: 0.01, mass: 1}\n"
    "walls:\n"
    "  funnel: {hopper: {outlet: 0.2, top: 1, height: 0.5, bin: 1}, position: [0, -0.6]}\n"
    "  rotor: {solid_box: [[-0.3, -0.03], [0.3, 0.03]], position: [0, -1], rotation: 4*t}\n"
    "  round: {shell: {center: [0, 0], radius: 1.6}}\n";

typedef struct step
{
    model_rig rig;
    thud_state *before;
    thud_direction *directions;
    int count;
} step;

static bool open_step(step *s, const char *text)
{
    *s = (step){0};
    return model_open(&s->rig, text);
}

static void close_step(step *s)
{
    thud_state_destroy(s->before);
    free(s->directions);
    model_close(&s->rig);
}

static void take_step(step *s)
{
    thud_state_destroy(s->before);
    s->before = model_state_twin(&s->rig);
    model_steps(&s->rig, 1);
    const thud_rows *rows = thud_work_report(s->rig.work)->rows;
    free(s->directions);
    s->directions = calloc((size_t)thud_rows_count(rows) + 1, sizeof *s->directions);
    REQUIRE(s->directions);
    s->count = thud_model_directions(s->rig.model, rows, s->directions);
}

static thud_verdict judge(const step *s, const thud_direction *directions, int count)
{
    thud_verdict verdict = {0};
    CHECK(thud_model_verify_recorded(s->rig.model, s->before, thud_model_state(s->rig.model), NULL,
                                     directions, count, &verdict) == THUD_OK);
    return verdict;
}

// The impulse of a row of the last step.
static double impulse_of(const step *s, thud_key key)
{
    const thud_state *state = thud_model_state(s->rig.model);
    for (int i = 0; i < state->multiplier_count; i++)
        if (thud_key_same(state->multipliers[i].key, key))
            return state->multipliers[i].impulse;
    return 0;
}

static void true_steps(void)
{
    const char *all[] = {scenes[0], scenes[1], scenes[2], flat};
    for (int k = 0; k < 4; k++)
    {
        step s;
        REQUIRE(open_step(&s, all[k]));
        int loaded = 0, recorded = 0;
        for (int n = 1; n <= 120 && test_failures() == 0; n++)
        {
            take_step(&s);
            thud_verdict verdict = judge(&s, s.directions, s.count);
            for (int i = 0; i < THUD_CERT_COUNT; i++)
                if (!verdict.checks[i].holds)
                    test_fail(__FILE__, __LINE__, "scene %d, step %d: \"%s\" fails: %g times", k, n,
                              thud_certificate_title(i), verdict.checks[i].value);
            recorded += s.count;
            for (int i = 0; i < s.count; i++)
                loaded += impulse_of(&s, s.directions[i].key) > 0;
        }
        printf("scene %d: %d directions, %d loaded\n", k, recorded, loaded);
        CHECK(recorded >= loaded && loaded > 100);
        close_step(&s);
    }
}

static bool is_of_shell(const step *s, thud_key key)
{
    char text[200];
    thud_model_describe(s->rig.model, key, text, sizeof text);
    return strstr(text, "'shell'") != NULL;
}

// Spoil a direction of scene k; false if it would mean the same.
static bool alter(const step *s, int i, int k, test_random *random)
{
    thud_direction *direction = &s->directions[i];
    double *normal = direction->normal;
    thud_key_parts parts = thud_key_read(direction->key, THUD_KEYS_OPEN);
    switch (test_random_int(random, 0, 3))
    {
    case 0: // turned, unless it is along the axis of turning
    {
        double angle = test_random_uniform(random, 1e-4, 1), c = cos(angle), d = sin(angle);
        double x = normal[0], z = normal[2];
        if (hypot(c * x + d * z - x, c * z - d * x - z) < 1e-5)
            return false;
        normal[0] = c * x + d * z;
        normal[2] = c * z - d * x;
        return true;
    }
    case 1:
        normal[test_random_int(random, 0, 2)] += 1e-3;
        return true;
    case 2: // a triangle without a record is judged by its own direction
        if (k == 1 && !is_of_shell(s, direction->key))
            return false;
        parts.a ^= INT64_C(1) << test_random_int(random, 0, 30);
        return thud_key_make(&parts, THUD_KEYS_OPEN, &direction->key);
    default:
        memset(normal, 0, sizeof direction->normal);
        return true;
    }
}

// Of every row with an impulse: turned a little, not of unit length, of another surface, or gone.
static void altered_directions(void)
{
    uint64_t seed = test_seed(20261116);
    test_random random = test_random_start(seed);
    int tried = 0;
    for (int k = 0; k < 3; k++)
    {
        step s;
        REQUIRE(open_step(&s, scenes[k]));
        for (int n = 1; n <= 100 && test_failures() == 0; n++)
        {
            take_step(&s);
            for (int i = 0; i < s.count && n > 40; i++)
            {
                thud_direction kept = s.directions[i];
                if (!(impulse_of(&s, kept.key) > 1e-4)) // of weights of 0.05 per step
                    continue;
                if (!alter(&s, i, k, &random))
                    continue;
                tried++;
                if (judge(&s, s.directions, s.count).holds)
                    test_fail(__FILE__, __LINE__, "scene %d, step %d: direction %d passes", k, n,
                              i);
                s.directions[i] = kept;
                CHECK(judge(&s, s.directions, s.count).holds);
            }
        }
        close_step(&s);
    }
    printf("seed %llu: %d alterations\n", (unsigned long long)seed, tried);
    CHECK(tried > 200);
}

#define ONE(where) HEAD "drag: 20\nbodies:\n  - {at: " where ", radius: 0.1, mass: 2}\n"

// What lies still has the force of its weight on what it lies on, and nothing sideways.
static void weights(void)
{
    static const struct
    {
        const char *text;
        double sum; // of the contact forces, over the weight
    } cases[] = {
        {ONE("[0, 0, 0]") "walls:\n  it: {drum: {from: [-1, 0, 0], to: [1, 0, 0], radius: 0.3}}\n",
         1},
        {ONE("[0, 0, 0.1]") "walls:\n  it: {shell: {center: [0, 0, 0], radius: 0.5}}\n", 1},
        // a hopper of four sides at 45 degrees: each holds a quarter, over cos 45
        {ONE("[0, 0, 0.3]") "walls:\n  it: {hopper: {outlet: 0.02, top: 1.02, height: 1, sides: "
                            "4}}\n",
         1.4142135623730951},
        {ONE("[0, 0, 0.3]") "walls:\n  it: {solid_box: [[-1, -1, -1], [1, 1, 0]]}\n", 1}};
    for (int i = 0; i < 4; i++)
    {
        char text[1000];
        model_rig rig;
        (void)snprintf(text, sizeof text, "%smeasure:\n  push: {force_on: it}\n", cases[i].text);
        REQUIRE(model_open(&rig, text));
        model_look(&rig, NULL);
        CHECK(model_value(&rig, "force.it") == 0 && model_value(&rig, "push.z") == 0);
        model_steps(&rig, 400);
        CHECK_NEAR(model_value(&rig, "force.it"), 20 * cases[i].sum, 1e-2);
        CHECK_NEAR(model_value(&rig, "push.z"), -20, 1e-2);
        CHECK(fabs(model_value(&rig, "push.x")) < 1e-2 && fabs(model_value(&rig, "push.y")) < 1e-2);
        model_close(&rig);
    }
}

static void touches(void)
{
    step s;
    thud_touch touch[200];
    REQUIRE(open_step(&s, scenes[0]));
    for (int n = 0; n < 120; n++)
        take_step(&s);
    const thud_state *state = thud_model_state(s.rig.model);
    REQUIRE(state->multiplier_count <= 200);
    int count = thud_model_touches(s.rig.model, thud_state_time(state), state->q,
                                   state->multipliers, state->multiplier_count, touch);
    int walls = 0;
    for (int i = 0; i < count; i++)
    {
        double square = 0;
        if (touch[i].b >= 0)
            continue;
        walls++;
        CHECK(touch[i].b == -1 || touch[i].b == -2);
        for (int k = 0; k < 3; k++)
            square += (touch[i].to[k] - touch[i].from[k]) * (touch[i].to[k] - touch[i].from[k]);
        CHECK_NEAR(sqrt(square), 0.13, 0.002); // it stands off by a fraction of a radius
        // the lateral surface of the drum is 0.9 from its axis, its ends are planes
        if (touch[i].b == -1 && fabs(touch[i].to[0]) < 0.59)
            CHECK_NEAR(hypot(touch[i].to[1], touch[i].to[2] - 0.3), 0.9, 1e-9);
    }
    CHECK(walls >= 3);
    close_step(&s);
}

static void describe(void)
{
    model_rig rig;
    char text[200];
    REQUIRE(model_open(&rig, scenes[0]));
    // the drum has three facets of eight surfaces
    static const struct
    {
        int surface, body;
        const char *text;
    } cases[] = {{0, 5, "body 5 and wall 'drum'"},
                 {23, 6, "body 6 and wall 'drum'"},
                 {24, 7, "body 7 and wall 'paddle'"},
                 {25, 7, "body 7 and wall '?'"}};
    for (int i = 0; i < 4; i++)
    {
        thud_key key = thud_key_surface(cases[i].surface, cases[i].body);
        thud_model_describe(rig.model, key, text, sizeof text);
        if (strcmp(text, cases[i].text) != 0)
            test_fail(__FILE__, __LINE__, "%s", text);
    }
    thud_model_describe(rig.model, thud_key_wall(0, 3), text, sizeof text); // there are no planes
    CHECK(strcmp(text, "body 3 and wall '?'") == 0);
    thud_model_describe(rig.model, thud_key_obstacle(1), text, sizeof text);
    CHECK(strcmp(text, "wall 'paddle', which moves far in one step") == 0);
    model_close(&rig);
}

static void trouble(void)
{
    model_rig rig;
    char text[200];
    REQUIRE(model_open(
        &rig, ONE("[0, 0, 1]") "walls:\n"
                               "  block: {solid_box: [[-1, -1, -1], [1, 1, 0]], position: [0, 0, "
                               "\"-sqrt(1 - t)\"]}\n"));
    const double *q = thud_model_state(rig.model)->q;
    CHECK(!thud_model_fault(rig.model, 0.5, q, text, sizeof text) && text[0] == '\0');
    CHECK(thud_model_fault(rig.model, 2, q, text, sizeof text));
    CHECK(strcmp(text, "walls.block.position[2] is nan") == 0);
    model_close(&rig);
    // overlaps at the start are named
    CHECK(!model_try(&rig,
                     ONE("[0, 0, 0.05]") "walls:\n"
                                         "  it: {solid_box: [[-1, -1, -1], [1, 1, 0]]}\n",
                     NULL));
    CHECK(rig.status == THUD_ERR_OVERLAP &&
          strstr(rig.fault.text, "body 0 and wall 'it' overlap by 0.05"));
    model_close(&rig);
}

static void motion(void)
{
    model_rig rig;
    int wall = -5;
    REQUIRE(model_open(
        &rig, ONE("[0, 0, 1]") "walls:\n"
                               "  floor: {plane: {point: [0, 0, -3], normal: [0, 0, 1]}}\n"
                               "  fan: {capsule: {from: [-1, 0, 0], to: [1, 0, 0], radius: 0.1}, "
                               "position: [0, 0, -1], rotation: [0, 0, 0.3*t]}\n"
                               "  lift: {ball: {center: [0, 0, 0], radius: 0.1}, "
                               "position: [0, 0, 2*t - 2]}\n"));
    // 2 x 0.005 of 0.1; the bound for the fan, 2 away, is a third of that
    CHECK_NEAR(thud_model_largest_motion(rig.model, &wall), 0.1, 0.01);
    CHECK(wall == 2 && strcmp(thud_scene_wall_name(rig.scene, wall), "lift") == 0);
    CHECK(thud_model_turning_in_place(rig.model) == -1);
    model_close(&rig);
}

// What turns about its own axis stays where it is, and moves nothing.
static void turning(void)
{
    static const struct
    {
        const char *wall;
        int idle;
        double motion; // of the smallest radius, 0.1, in a step of 0.005
    } cases[] = {
        {"drum: {from: [0, 0, -2], to: [0, 0, 2], radius: 2}, rotation: [0, 0, 100*t]", 0, 0},
        {"drum: {from: [0, 0, -2], to: [0, 0, 2], radius: 2, open: true}, rotation: [0, 0, 100*t]",
         0, 0},
        {"cylinder: {from: [5, 0, 0], to: [5, 3, 4], radius: 0.3}, position: [5, 0, 0], "
         "rotation: [0, 3*sin(t), 4*sin(t)]",
         -1, 1}, // about a line through the origin of its frame, not its own
        {"cylinder: {from: [0, 3, 4], to: [0, -3, -4], radius: 0.3}, position: [5, 0, 0], "
         "rotation: [0, 3*sin(t), 4*sin(t)]",
         0, 0},
        {"ball: {center: [0, 0, 0], radius: 1}, position: [5, 0, 0], rotation: [t, t*t, sin(t)]", 0,
         0},
        {"shell: {center: [0, 0, 0], radius: 2}, position: [0.2*t, 0, 0], rotation: [90*t, 0, 0]",
         -1, 0.01},
        {"solid_box: [[4, 4, 4], [5, 5, 5]], rotation: [0, 0, t]", -1, 0.05},
        {"drum: {from: [0, 0, -2], to: [0, 0, 2], radius: 2}, position: [0, 0, 0*t]", -1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        model_rig rig;
        char text[600];
        int wall;
        (void)snprintf(text, sizeof text, ONE("[0, 0, 1]") "walls: {it: {%s}}\n", cases[i].wall);
        REQUIRE(model_open(&rig, text));
        double moved = thud_model_largest_motion(rig.model, &wall);
        if (thud_model_turning_in_place(rig.model) != cases[i].idle ||
            fabs(moved - cases[i].motion) > 1e-6 + 0.5 * cases[i].motion)
        {
            printf("case %d: idle %d, moved %g\n", (int)i, thud_model_turning_in_place(rig.model),
                   moved);
            CHECK(!"as expected");
        }
        model_close(&rig);
    }
}

// A steady motion leaves a known bound between nodes, another none.
static void bounds(void)
{
    static const char *const poses[] = {"position: [0, 0, -t]", "rotation: [0, 0, 2*t]",
                                        "rotation: [0.3*t, 0.4*t, 0]", "rotation: [0, 1, 2*t]",
                                        "position: [0, 0, -t*t]"};
    for (int i = 0; i < 5; i++)
    {
        char text[600];
        model_rig rig;
        (void)snprintf(text, sizeof text,
                       ONE("[0, 0, 0.3]") "walls:\n"
                                          "  it: {solid_box: [[-1, -1, -1], [1, 1, 0]], %s}\n",
                       poses[i]);
        REQUIRE(model_open(&rig, text));
        model_steps(&rig, 1);
        double between = thud_work_report(rig.work)->between;
        CHECK(isfinite(between) == (i < 3) && between > 0);
        model_close(&rig);
    }
}

// Every allocation of a model with obstacles may fail, and nothing is lost then.
typedef struct meter
{
    int left;
    long long open;
} meter;

static void *metered(void *block, size_t old_size, size_t size, void *user)
{
    meter *m = user;
    if (size > old_size && m->left-- <= 0)
        return NULL;
    void *moved = size > 0 ? realloc(block, size) : NULL;
    if (size == 0)
        free(block);
    if (moved || size == 0)
        m->open += (long long)size - (long long)old_size;
    return moved;
}

static void starved(void)
{
    int failures = 0;
    for (int allowed = 0; allowed < 1000; allowed++)
    {
        meter m = {.left = allowed};
        thud_allocator allocator = {.resize = metered, .user = &m};
        model_rig rig;
        bool made = model_try(&rig, scenes[1], &allocator);
        if (!made)
            CHECK(rig.status == THUD_ERR_MEMORY && !rig.model);
        failures += !made;
        thud_model_destroy(rig.model);
        rig.model = NULL;
        CHECK(m.open == 0);
        model_close(&rig);
        if (made)
            break;
    }
    printf("%d places\n", failures);
    CHECK(failures > 20 && failures < 999);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"true-steps", true_steps}, {"altered-directions", altered_directions},
        {"weights", weights},       {"touches", touches},
        {"describe", describe},     {"trouble", trouble},
        {"motion", motion},         {"bounds", bounds},
        {"starved", starved},       {"turning", turning}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
