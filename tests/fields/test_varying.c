// The one number of time: its values, derivatives and bounds, whatever its kind; the walk over all
// numbers of a scene.
#include "fields/knots.h"
#include "thud/scene.h"
#include "thud_test.h"

#include <math.h>
#include <string.h>

enum
{
    KNOTS = 12,
    ROOM = 64
};

static thud_expression *compile(const char *text)
{
    static const char *const names[] = {"x"};
    const thud_symbols symbols = {.coordinates = names, .coordinate_count = 1, .time = true};
    thud_expression *expression = NULL;
    thud_fault fault = {0};
    if (thud_expression_create(text, strlen(text), &symbols, NULL, &expression, &fault) < 0)
        test_fail(__FILE__, __LINE__, "%s: %s", text, fault.text);
    return expression;
}

typedef struct table
{
    double t[KNOTS], value[KNOTS], curve[KNOTS];
    thud_knots knots;
} table;

// Knots at random times, with random values.
static thud_varying random_table(test_random *random, table *to)
{
    double scratch[KNOTS], t = test_random_uniform(random, -2, 2);
    int count = 2 + (int)test_random_uniform(random, 0, KNOTS - 2);
    for (int i = 0; i < count; i++)
    {
        to->t[i] = t;
        to->value[i] = test_random_uniform(random, -1, 3);
        t += test_random_uniform(random, 0.05, 1);
    }
    CHECK(thudi_knots_curve(to->t, to->value, count, to->curve, scratch));
    to->knots = (thud_knots){.count = count, .t = to->t, .value = to->value, .curve = to->curve};
    return (thud_varying){.kind = THUD_VARYING_TABLE, .table = &to->knots};
}

static void kinds(void)
{
    double room[ROOM], x = 3;
    thud_expression *wave = compile("sin(2*t)"), *both = compile("x*t");
    thud_varying none = {.kind = THUD_VARYING_NONE};
    thud_varying five = {.kind = THUD_VARYING_CONSTANT, .value = 5};
    thud_varying moves = {.kind = THUD_VARYING_EXPRESSION, .expression = wave};
    thud_varying of_both = {.kind = THUD_VARYING_EXPRESSION, .expression = both};
    thud_jet jet = {.t = 7, .tt = 7};
    CHECK(!thud_varying_is_given(&none) && thud_varying_at(&none, 1, NULL) == 0);
    CHECK(thud_varying_is_given(&five) && thud_varying_at(&five, 1, NULL) == 5);
    CHECK(!thud_varying_uses_time(&none) && !thud_varying_uses_time(&five));
    CHECK(thud_varying_room(&none) == 0 && thud_varying_room(&five) == 0);
    thud_varying_differentiate(&five, 1, NULL, NULL, &jet);
    CHECK(jet.value == 5 && jet.t == 0 && jet.tt == 0);
    CHECK(thud_varying_uses_time(&moves) && thud_varying_room(&moves) <= ROOM);
    CHECK_NEAR(thud_varying_at(&moves, 0.3, room), sin(0.6), 1e-15);
    thud_varying_differentiate(&moves, 0.3, NULL, room, &jet);
    CHECK_NEAR(jet.t, 2 * cos(0.6), 1e-15);
    CHECK(thud_varying_at_point(&of_both, 2, &x, room) == 6);
    thud_expression_destroy(wave);
    thud_expression_destroy(both);
}

// Derivatives of tables against differences of their values.
static void tables(void)
{
    uint64_t seed = test_seed(20261118);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 500; trial++)
    {
        table data = {.t = {0}};
        thud_varying v = random_table(&random, &data);
        double first = data.t[0], last = data.t[data.knots.count - 1], d = 1e-5 * (last - first);
        double t = test_random_uniform(&random, first + 2 * d, last - 2 * d);
        double before = thud_varying_at(&v, t - d, NULL), after = thud_varying_at(&v, t + d, NULL);
        double bend = thud_varying_bound(&v, first, last, NULL).x_tt;
        thud_jet jet;
        thud_varying_differentiate(&v, t, NULL, NULL, &jet);
        CHECK(jet.value == thud_varying_at(&v, t, NULL));
        CHECK_NEAR(jet.t, (after - before) / (2 * d), 1e-5 * (1 + bend));
        thud_jet next;
        thud_varying_differentiate(&v, t + d, NULL, NULL, &next);
        CHECK_NEAR(jet.tt, (next.t - jet.t) / d, 1e-2 * (1 + bend));
        thud_varying_differentiate(&v, last + 1, NULL, NULL, &jet);
        CHECK(isnan(jet.value) && isnan(jet.t) && isnan(jet.tt));
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// No slope is beyond the bound, and one of 2,000 comes near to it.
static void table_bounds(void)
{
    uint64_t seed = test_seed(20261119);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 200; trial++)
    {
        table data = {.t = {0}};
        thud_varying v = random_table(&random, &data);
        double first = data.t[0], last = data.t[data.knots.count - 1], steepest = 0, bend = 0;
        thud_varying_bounds bounds = thud_varying_bound(&v, first, last, NULL);
        for (int i = 0; i <= 2000; i++)
        {
            thud_jet jet;
            thud_varying_differentiate(&v, first + (last - first) * i / 2000, NULL, NULL, &jet);
            steepest = fmax(steepest, fabs(jet.t));
            bend = fmax(bend, fabs(jet.tt));
        }
        CHECK(steepest <= bounds.x_t && steepest >= 0.98 * bounds.x_t);
        CHECK(bend <= bounds.x_tt * (1 + 1e-12) && bounds.kink == 0);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

static void affine_bounds(void)
{
    double room[ROOM];
    thud_varying none = {.kind = THUD_VARYING_NONE};
    thud_varying five = {.kind = THUD_VARYING_CONSTANT, .value = 5};
    thud_varying_bounds bounds = thud_varying_bound(&none, 0, 1, NULL);
    CHECK(bounds.x_t == 0 && bounds.x_tt == 0 && bounds.kink == 0);
    bounds = thud_varying_bound(&five, 0, 1, NULL);
    CHECK(bounds.x_t == 0 && bounds.x_tt == 0 && bounds.kink == 0);
    thud_expression *line = compile("1 - 3*t");
    thud_varying falls = {.kind = THUD_VARYING_EXPRESSION, .expression = line};
    bounds = thud_varying_bound(&falls, -1, 4, room);
    CHECK(bounds.x_t >= 3 && bounds.x_t < 3 + 1e-8 && bounds.x_tt == 0);
    CHECK(isnan(thud_varying_bound(&falls, 4, 4, room).x_t)); // no way to tell it from a difference
    thud_expression_destroy(line);
}

static void no_bounds(void)
{
    static const struct
    {
        const char *text;
        int kink;
        bool bends; // x_tt is not known either
    } all[] = {{"sin(t)", 0, true},
               {"abs(t)", 1, true},
               {"1 + step(t)", 5, true},
               {"x + t*x", 0, true},
               {"x + t", 0, false}};
    double room[ROOM];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        thud_expression *expression = compile(all[i].text);
        thud_varying v = {.kind = THUD_VARYING_EXPRESSION, .expression = expression};
        thud_varying_bounds bounds = thud_varying_bound(&v, 0, 1, room);
        if (!isnan(bounds.x_t) || isnan(bounds.x_tt) != all[i].bends || bounds.kink != all[i].kink)
            test_fail(__FILE__, __LINE__, "%s: %g, %g, %d", all[i].text, bounds.x_t, bounds.x_tt,
                      bounds.kink);
        thud_expression_destroy(expression);
    }
}

// Ends the walk at the name that is looked for.
static int find(const thud_scene_varying *number, void *user)
{
    char name[100];
    thud_scene_varying_name(number, name, sizeof name);
    return strcmp(name, user) == 0 ? number->varying->place.line : 0;
}

static void walk(void)
{
    static const char text[] = "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 1}\n"
                               "gravity: [0,\n  \"-t\"]\n"
                               "cell: {x: [0, 1], y: [0, 1],\n  shear: \"0.1*sin(3*t)\"}\n"
                               "bodies:\n  - {at: [0, 0], radius: 0.1, mass: 1}\n";
    static const struct
    {
        char name[20];
        int line;
    } all[] = {{"gravity[0]", 5}, {"gravity[1]", 6}, {"cell.shear", 8}, {"gravity[2]", 0}};
    thud_scene *scene = NULL;
    thud_fault fault = {0};
    thud_scene_def def = {.text = text, .length = strlen(text)};
    REQUIRE(thud_scene_read(&def, &scene, &fault) == THUD_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        char name[20];
        memcpy(name, all[i].name, sizeof name);
        int line = thud_scene_each_varying(scene, find, name);
        if (line != all[i].line)
            test_fail(__FILE__, __LINE__, "%s: line %d", name, line);
    }
    CHECK(scene->gravity[0].kind == THUD_VARYING_CONSTANT);
    CHECK(thud_scene_varying_room(scene) == thud_varying_room(&scene->cell.shear));
    thud_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"kinds", kinds},
        {"tables", tables},
        {"table-bounds", table_bounds},
        {"affine-bounds", affine_bounds},
        {"no-bounds", no_bounds},
        {"walk", walk},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
