// Measures of bodies, and times when a column comes to a value, against cases that are exact by
// hand: steps, masses and accelerations are powers of two.
#include "model_rig.h"

#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.125, end: 10}\n"

/// u' = u + h g and q' = q + h u': after n steps y = 100 + h^2 g n (n + 1) / 2.
static void free_fall(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "dim: 2\ngravity: [0, -8]\n"
                                  "bodies:\n  - {name: ball, at: [3, 100], velocity: [3, 0], "
                                  "radius: 0.5, mass: 2}\n"
                                  "measure:\n  x: {position_of: ball}\n  v: {velocity_of: ball}\n"
                                  "  s: {speed_of: 0}\n  h: {height_of: ball}\n"
                                  "  e: {kinetic_energy_of: ball}\n"));
    model_look(&rig, NULL);
    CHECK(model_value(&rig, "h") == 100 && model_value(&rig, "s") == 3);
    for (int n = 1; n <= 4; n++)
    {
        model_steps(&rig, 1);
        CHECK(model_value(&rig, "x.x") == 3 + 0.375 * n);
        CHECK(model_value(&rig, "x.y") == 100 - n * (n + 1) / 16.0);
        CHECK(model_value(&rig, "h") == model_value(&rig, "x.y"));
        CHECK(model_value(&rig, "v.x") == 3 && model_value(&rig, "v.y") == -n);
        CHECK(model_value(&rig, "e") == 9 + n * n);
    }
    CHECK(model_value(&rig, "s") == 5); // 3, 4, 5
    model_close(&rig);
}

/// Masses 1 and 3.
static void centre_of_mass(void)
{
    model_rig rig;
    REQUIRE(model_open(
        &rig, HEAD "bodies:\n"
                   "  - {at: [0, 0, 4], velocity: [4, 0, 0], radius: 1, mass: 1}\n"
                   "  - {at: [8, 4, 0], velocity: [0, 4, -4], radius: 1, mass: 3}\n"
                   "measure:\n  x: {position_of: all}\n  v: {velocity_of: all}\n"
                   "  s: {speed_of: all}\n  h: {height_of: all}\n  e: {kinetic_energy_of: all}\n"));
    model_look(&rig, NULL);
    CHECK(model_value(&rig, "x.x") == 6 && model_value(&rig, "x.y") == 3);
    CHECK(model_value(&rig, "x.z") == 1 && model_value(&rig, "h") == 1); // z without gravity
    CHECK(model_value(&rig, "v.x") == 1 && model_value(&rig, "v.y") == 3);
    CHECK(model_value(&rig, "v.z") == -3 && model_value(&rig, "s") == sqrt(19));
    CHECK(model_value(&rig, "e.bodies") == 8 + 48);
    CHECK(model_value(&rig, "e.bodies") == model_value(&rig, "kinetic"));
    CHECK(model_value(&rig, "e.center") == 38);
    model_close(&rig);
}

static void of_a_material(void)
{
    model_rig rig;
    REQUIRE(model_open(
        &rig, HEAD "dim: 2\nmaterials: {a: {density: 1}, b: {density: 1}}\n"
                   "bodies:\n"
                   "  - {at: [0, 0], velocity: [1, 0], radius: 1, material: a}\n"
                   "  - {at: [8, 4], velocity: [64, 0], radius: 1, material: b}\n"
                   "  - {at: [0, 8], velocity: [3, 0], radius: 1, material: a}\n"
                   "measure:\n  x: {position_of: {material: a}}\n  s: {speed_of: {material: a}}\n"
                   "  e: {kinetic_energy_of: {material: a}}\n"));
    model_look(&rig, NULL);
    double mass = thud_model_problem(rig.model)->mass[0];
    CHECK(model_value(&rig, "x.x") == 0 && model_value(&rig, "x.y") == 4);
    CHECK(model_value(&rig, "s") == 2);
    CHECK_NEAR(model_value(&rig, "e.bodies"), 5 * mass, 1e-15);
    CHECK_NEAR(model_value(&rig, "e.center"), 4 * mass, 1e-15);
    model_close(&rig);
}

static double height(const char *gravity)
{
    char text[400];
    model_rig rig;
    (void)snprintf(text, sizeof text,
                   HEAD "dim: 2\ngravity: %s\nbodies: [{at: [10, 20], radius: 1, mass: 1}]\n"
                        "measure: {h: {height_of: all}}\n",
                   gravity);
    if (!model_open(&rig, text))
        return NAN;
    model_steps(&rig, 1);
    model_look(&rig, NULL);
    const double *q = thud_model_state(rig.model)->q;
    double along = model_value(&rig, "h");
    printf("gravity %s: height %.17g of (%.17g, %.17g)\n", gravity, along, q[0], q[1]);
    model_close(&rig);
    return along;
}

/// Against gravity as it is at the start; exactly a coordinate where it is along an axis.
static void up(void)
{
    CHECK(height("[0, 0]") == 20);
    CHECK(height("[0, -9.81]") == 20 - 9.81 / 64);
    CHECK(height("[9.81, 0]") == -(10 + 9.81 / 64));
    CHECK_NEAR(height("[-3, -4]"), 6 + 16 - 5.0 / 64, 1e-14);
    CHECK_NEAR(height("[0, '-8 + 64*t']"), 20, 0.2); // which points up when the step is over
}

/// Positions are not wrapped: a body that leaves the cell does not come back on the other side.
static void across_the_cell(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "dim: 2\ncell: {x: [0, 4]}\n"
                                  "bodies: [{at: [3, 1], velocity: [8, 0], radius: 0.5, mass: 1}]\n"
                                  "measure: {x: {position_of: 0}}\n"));
    model_steps(&rig, 16);
    CHECK(model_value(&rig, "x.x") == 19);
    model_close(&rig);
}

#define GATE                                                                                       \
    "bodies:\n"                                                                                    \
    "  - {at: [0, 0.25], velocity: [0, -1], radius: 0.1, mass: 1}\n"                               \
    "  - {at: [1, 0.5], velocity: [0, -1], radius: 0.1, mass: 1}\n"                                \
    "  - {at: [2, 1], velocity: [0, -1], radius: 0.1, mass: 1}\n"                                  \
    "measure:\n"                                                                                   \
    "  two: {time_when: {column: out, reaches: 2}}\n"                                              \
    "  out: {count_through: {plane: {point: [0, 0.0625], normal: [0, -1]}}}\n"                     \
    "  three: {time_when: {column: out, reaches: 3}}\n"                                            \
    "  four: {time_when: {column: out, reaches: 4}}\n"                                             \
    "  low: {time_when: {column: h.y, falls_to: 0.125}}\n"                                         \
    "  h: {position_of: 1}\n"

/// The bodies are below 1/16 at the ends of steps 2, 4 and 8: the end of the step is the time.
static void count_reached(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "dim: 2\n" GATE));
    model_look(&rig, NULL);
    CHECK(isnan(model_value(&rig, "two")) && isnan(model_value(&rig, "three")));
    for (int n = 1; n <= 10; n++)
    {
        model_steps(&rig, 1);
        double two = model_value(&rig, "two"), three = model_value(&rig, "three");
        CHECK(n < 4 ? isnan(two) : two == 0.5);
        CHECK(n < 8 ? isnan(three) : three == 1);
        CHECK(n < 3 ? isnan(model_value(&rig, "low")) : model_value(&rig, "low") == 0.375);
        CHECK(isnan(model_value(&rig, "four")));
    }
    char text[200];
    CHECK(!thud_model_measure_fault(rig.model, 3, rig.values, text, sizeof text));
    model_close(&rig);
}

/// A second model that takes over state and fields knows the times, and when to wait.
static void kept(void)
{
    model_rig first, second;
    thud_field from[THUD_MODEL_FIELDS], to[THUD_MODEL_FIELDS];
    REQUIRE(model_open(&first, HEAD "dim: 2\n" GATE));
    REQUIRE(model_open(&second, HEAD "dim: 2\n" GATE));
    model_look(&first, NULL);
    model_steps(&first, 6);
    CHECK(thud_state_copy(thud_model_state(second.model), thud_model_state(first.model)) ==
          THUD_OK);
    thud_model_fields(first.model, from);
    thud_model_fields(second.model, to);
    for (int i = 0; i < THUD_MODEL_FIELDS; i++)
        memcpy(to[i].data, from[i].data, (size_t)from[i].count * thud_field_size(from[i].type));
    model_steps(&first, 3);
    model_steps(&second, 3);
    CHECK(model_value(&second, "two") == 0.5 && model_value(&second, "three") == 1);
    CHECK(isnan(model_value(&second, "four")));
    CHECK(memcmp(first.values, second.values, sizeof(double[20])) == 0);
    model_close(&first);
    model_close(&second);
}

/// What begins at the value, or beyond it, must leave it first: a ball that is thrown up comes
/// back.
static void comes_back(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "dim: 2\ngravity: [0, -8]\n"
                                  "bodies: [{at: [0, 1], velocity: [0, 4], radius: 0.5, mass: 1}]\n"
                                  "measure:\n  h: {height_of: 0}\n"
                                  "  back: {time_when: {column: h, falls_to: 1}}\n"
                                  "  again: {time_when: {column: h, reaches: 1}}\n"
                                  "  rest: {time_when: {column: kinetic, falls_to: 0}}\n"));
    model_look(&rig, NULL);
    model_steps(&rig, 6); // y = 1 + n/2 - n (n + 1) / 16
    CHECK(isnan(model_value(&rig, "back")) && model_value(&rig, "rest") == 0.5);
    model_steps(&rig, 1);
    CHECK(model_value(&rig, "h") == 1 && model_value(&rig, "back") == 0.875);
    model_steps(&rig, 3);
    CHECK(model_value(&rig, "back") == 0.875 && isnan(model_value(&rig, "again")));
    model_close(&rig);
}

// In an inclusion time_when may name any column. Its time follows from the lines of the series
// alone.
static void inclusion(void)
{
    double stage[2] = {0, 0}, time[2] = {0, 0};
    model_rig rig;
    REQUIRE(model_open(&rig, "thud: 1\nkind: inclusion\ntime: {step: 0.125, end: 4}\n"
                             "coordinates: {x: {start: 1, velocity: -1}}\nconstraints: {up: x}\n"
                             "measure:\n  half: {time_when: {column: x, falls_to: 1/2}}\n"
                             "  hit: {time_when: {column: force.up, reaches: 1}}\n"));
    model_look(&rig, NULL);
    thud_model_follow(rig.model, stage, time, rig.values);
    for (int n = 1; n <= 10; n++)
    {
        model_steps(&rig, 1);
        double half = model_value(&rig, "half"), hit = model_value(&rig, "hit");
        CHECK(n < 4 ? isnan(half) : half == 0.5);
        CHECK(n < 9 ? isnan(hit) : hit == 1.125);
        rig.values[18] = rig.values[17] = -1; // half and hit: worked out again
        thud_model_follow(rig.model, stage, time, rig.values);
        CHECK(memcmp(&half, &rig.values[17], sizeof half) == 0 || n < 4);
        CHECK(memcmp(&hit, &rig.values[18], sizeof hit) == 0 || n < 9);
    }
    CHECK(thud_model_series_source(rig.model, 17) == THUD_SERIES_PAST);
    model_close(&rig);
}

static void expect_fault(const char *measures, const char *text, const char *hint, int line)
{
    char scene[1000];
    model_rig rig;
    (void)snprintf(scene, sizeof scene,
                   HEAD "walls: {y: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                        "bodies: [{at: [0, 0, 2], radius: 1, mass: 1}]\n"
                        "measure:\n  gate: {flow_through: {polygon: [[0, 0, 0], [1, 0, 0], "
                        "[1, 1, 0]]}}\n%s",
                   measures);
    CHECK(!model_try(&rig, scene, NULL) && rig.status == THUD_ERR_SCENE);
    if (strcmp(rig.fault.text, text) != 0 || strcmp(rig.fault.hint, hint) != 0 ||
        rig.fault.line != line)
        test_fail(__FILE__, __LINE__, "%d: %s (%s)", rig.fault.line, rig.fault.text,
                  rig.fault.hint);
    model_close(&rig);
}

/// Columns are found when all have names: none such, one of several parts, itself, another time.
static void wrong_columns(void)
{
    expect_fault("  a: {time_when: {column: kinetik, reaches: 1}}\n",
                 "measure.a.time_when.column: there is no column 'kinetik'",
                 "did you mean 'kinetic'?", 8);
    expect_fault("  a: {time_when: {column: gate, reaches: 1}}\n",
                 "measure.a.time_when.column: there is no column 'gate'",
                 "use one of its columns: gate.count, gate.mass", 8);
    expect_fault("  a: {time_when: {column: nothing-like-it, reaches: 1}}\n",
                 "measure.a.time_when.column: there is no column 'nothing-like-it'",
                 "name a column of series.csv, such as 'kinetic'", 8);
    expect_fault("  a: {time_when: {column: a, reaches: 1}}\n",
                 "measure.a.time_when.column: 'a' is this measure",
                 "name a column that is not a time_when itself", 8);
    expect_fault("  a: {time_when: {column: t, reaches: 1}}\n"
                 "  b: {time_when: {column: a, reaches: 1}}\n",
                 "measure.b.time_when.column: 'a' is a time_when as well",
                 "name a column that is not a time_when itself", 9);
    expect_fault("  force: {velocity_of: 0}\n", // and force.y is that of the wall
                 "'force.y' is already the name of a column of series.csv", "choose another name",
                 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"free-fall", free_fall},
                                      {"centre-of-mass", centre_of_mass},
                                      {"of-a-material", of_a_material},
                                      {"up", up},
                                      {"across-the-cell", across_the_cell},
                                      {"count-reached", count_reached},
                                      {"kept", kept},
                                      {"comes-back", comes_back},
                                      {"inclusion", inclusion},
                                      {"wrong-columns", wrong_columns}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
