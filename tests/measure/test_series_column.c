// What the columns of the series are called in words, and their units.
#include "model_rig.h"

#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.1, end: 1}\n"
#define SI "units: {length: m, time: s, mass: kg}\n"
#define BALL "bodies:\n  - {at: [1, 1, 1], radius: 0.5, mass: 2}\n"

static bool describe(const model_rig *rig, const char *name, thud_series_column *out)
{
    const char *const *names;
    int count = thud_model_series(rig->model, &names);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
        {
            thud_model_series_column(rig->model, i, out);
            CHECK(strcmp(out->name, name) == 0);
            return true;
        }
    test_fail(__FILE__, __LINE__, "there is no column '%s'", name);
    return false;
}

// Expect a label, its unit, the component and the index of the measure, in one line.
static void expect(const model_rig *rig, const char *name, int measure, const char *component,
                   const char *label, const char *unit)
{
    thud_series_column column;
    if (!describe(rig, name, &column))
        return;
    bool is_right = column.measure == measure && strcmp(column.component, component) == 0 &&
                    strcmp(column.label, label) == 0 && strcmp(column.unit, unit) == 0;
    if (!is_right)
        test_fail(__FILE__, __LINE__, "%s: measure %d, component '%s', label '%s', unit '%s'", name,
                  column.measure, column.component, column.label, column.unit);
}

static void steps_and_walls(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD SI "walls:\n  floor: {plane: {point: [0, 0, 0], "
                                     "normal: [0, 0, 1]}}\n" BALL));
    expect(&rig, "step", -1, "", "step", "");
    expect(&rig, "t", -1, "", "time", "s");
    expect(&rig, "rows", -1, "", "linearised constraints", "");
    expect(&rig, "contacts", -1, "", "contacts that carry load", "");
    expect(&rig, "min_gap", -1, "", "smallest gap", "m");
    expect(&rig, "backward", -1, "", "backward bound", "m");
    expect(&rig, "kinetic", -1, "", "kinetic energy", "J");
    expect(&rig, "potential", -1, "", "potential energy", "J");
    expect(&rig, "force.floor", -1, "", "sum of contact forces on wall 'floor'", "N");
    model_close(&rig);
}

static void measures(void)
{
    model_rig rig;
    REQUIRE(
        model_open(&rig, HEAD SI
                   "walls:\n  hall: {box: [[0, 0, 0], [2, 2, 2]]}\n"
                   "  mill: {ball: {center: [9, 9, 9], radius: 1}}\n" BALL "measure:\n"
                   "  load: {force_on: hall}\n  down: {force_on: hall.z-low}\n  turn: {torque_on: "
                   "{wall: mill, "
                   "about: [0, 0, 0]}}\n"
                   "  out: {count_through: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                   "  gate: {flow_through: {polygon: [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}}\n"
                   "  depth: {pressure_profile: {box: [[0, 0, 0], [1, 1, 1]], axis: z, bins: 4}}\n"
                   "  core: {stress: {box: [[0, 0, 0], [1, 1, 1]]}}\n"
                   "  part: {packing_fraction: {box: [[0, 0, 0], [1, 1, 1]]}}\n"
                   "  mates: {coordination: all}\n"));
    expect(&rig, "load.x", 0, "x", "force on wall 'hall', x", "N");
    expect(&rig, "down.z", 1, "z", "force on wall 'hall.z-low', z", "N");
    expect(&rig, "turn.y", 2, "y", "torque on wall 'mill', y", "N m");
    expect(&rig, "out", 3, "", "bodies through 'out'", "");
    expect(&rig, "gate.count", 4, "count", "bodies through 'gate'", "");
    expect(&rig, "gate.mass", 4, "mass", "mass through 'gate'", "kg");
    expect(&rig, "depth.1", 5, "1", "pressure of contacts, 'depth', z from 0.25 to 0.5", "Pa");
    expect(&rig, "core.pressure", 6, "pressure", "pressure of contacts in 'core'", "Pa");
    expect(&rig, "core.xz", 6, "xz", "stress of contacts in 'core', xz", "Pa");
    expect(&rig, "part", 7, "", "packing fraction in 'part'", "");
    expect(&rig, "mates.mean", 8, "mean", "loaded contacts per body, 'mates'", "");
    expect(&rig, "mates.loaded", 8, "loaded", "loaded contacts per body that has any, 'mates'", "");
    expect(&rig, "mates.rattlers", 8, "rattlers", "bodies without a loaded contact, 'mates'", "");
    model_close(&rig);
}

static void bodies(void)
{
    model_rig rig;
    REQUIRE(model_open(
        &rig, HEAD SI "materials: {glass: {density: 1}}\n"
                      "bodies:\n  - {name: the ball, at: [1, 1, 1], radius: 0.5, material: glass}\n"
                      "  - {at: [9, 1, 1], radius: 0.5, mass: 2}\nmeasure:\n"
                      "  x: {position_of: the ball}\n  v: {velocity_of: all}\n  s: {speed_of: 1}\n"
                      "  h: {height_of: {material: glass}}\n  e: {kinetic_energy_of: all}\n"
                      "  f: {kinetic_energy_of: 0}\n"
                      "  up: {time_when: {column: e.bodies, reaches: 1/4}}\n"
                      "  down: {time_when: {column: h, falls_to: 1/3}}\n"));
    expect(&rig, "x.z", 0, "z", "position of body 'the ball', z", "m");
    expect(&rig, "v.x", 1, "x", "velocity of the centre of mass of all bodies, x", "m/s");
    expect(&rig, "s", 2, "", "speed of body 1", "m/s");
    expect(&rig, "h", 3, "", "height of the centre of mass of the bodies of material 'glass'", "m");
    expect(&rig, "e.bodies", 4, "bodies", "kinetic energy of all bodies", "J");
    expect(&rig, "e.center", 4, "center", "kinetic energy of the centre of mass of all bodies",
           "J");
    expect(&rig, "f", 5, "", "kinetic energy of body 'the ball'", "J");
    expect(&rig, "up", 6, "", "time when e.bodies reaches 0.25", "s");
    expect(&rig, "down", 7, "", "time when h falls to 0.333333", "s");
    model_close(&rig);
}

/// Whole: what counts; and nothing else.
static void whole(void)
{
    static const char *const counts[] = {"step", "rows", "news", "out", "gate.count"};
    static const char *const others[] = {"t", "min_gap", "kinetic", "gate.mass"};
    model_rig rig;
    thud_series_column column;
    REQUIRE(model_open(&rig, HEAD BALL
                       "measure:\n"
                       "  out: {count_through: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                       "  gate: {flow_through: {polygon: [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}}\n"));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        CHECK(describe(&rig, counts[i], &column) && column.is_whole);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(describe(&rig, others[i], &column) && !column.is_whole);
    expect(&rig, "t", -1, "", "time", ""); // no units without labels
    expect(&rig, "gate.mass", 1, "mass", "mass through 'gate'", "");
    model_close(&rig);
}

static void crowd(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD SI "dim: 2\norder: 1\n"
                                     "walls:\n  side: {plane: {point: [0, 0], normal: [0, 1]}}\n"
                                     "bodies:\n  - {at: [1, 1], radius: 0.5, mass: 2}\n"
                                     "measure: {push: {force_on: side}}\n"));
    expect(&rig, "pressure_max", -1, "", "largest pressure on a body", "kg/s");
    expect(&rig, "pressure_mean", -1, "", "mean pressure on the bodies", "kg/s");
    expect(&rig, "force.side", -1, "", "sum of contact forces on wall 'side'", "kg m/s");
    expect(&rig, "push.y", 0, "y", "force on wall 'side', y", "kg m/s");
    model_close(&rig);
}

static void inclusion(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, "thud: 1\nkind: inclusion\ntime: {step: 0.1, end: 1}\n" SI
                             "coordinates: {x: {start: 1}}\nconstraints: {up: x}\n"));
    expect(&rig, "t", -1, "", "time", "s");
    expect(&rig, "contacts", -1, "", "active constraints", "");
    expect(&rig, "min_gap", -1, "", "smallest constraint value", "");
    expect(&rig, "x", -1, "", "x", "");
    expect(&rig, "u.x", -1, "", "velocity of x", "");
    expect(&rig, "force.up", -1, "", "force of constraint 'up'", "");
    model_close(&rig);
}

/// Units that are too long are left out; a name in two-byte letters is not cut in the middle.
static void too_long(void)
{
    char text[2000], name[101], longest[200];
    model_rig rig;
    thud_series_column column;
    for (size_t i = 0; i < 100; i += 2)
        memcpy(name + i, "\xc3\xa4", 3); // a umlaut
    (void)snprintf(longest, sizeof longest, "a%.98s%.98s", name, name);
    (void)snprintf(text, sizeof text,
                   HEAD "units: {length: breadths of a grown hand, time: times of a day, mass: m}\n"
                        "bodies:\n  - {name: %s, at: [1, 1, 1], radius: 0.5, mass: 2}\n"
                        "measure:\n  %s: {pressure_profile: {box: [[-1.2345, -1.2345, -1.2345], "
                        "[-1.1e-5, 1, 1]], axis: x, bins: 17}}\n"
                        "  a%.98s: {coordination: all}\n  v: {velocity_of: %s}\n",
                   longest, name, name, longest);
    REQUIRE(model_open(&rig, text));
    expect(&rig, "t", -1, "", "time", "times of a day");
    expect(&rig, "kinetic", -1, "", "kinetic energy", "");
    REQUIRE(describe(&rig, "v.y", &column));
    CHECK(strcmp(column.label + strlen(column.label) - 3, ", y") == 0); // after a shortened name
    const char *const *names;
    int count = thud_model_series(rig.model, &names);
    for (int i = 0; i < count; i++)
    {
        thud_model_series_column(rig.model, i, &column);
        CHECK(column.label[0] != '\0' && strlen(column.label) < sizeof column.label);
        for (const char *c = column.label; *c; c++)
            CHECK((*c == '\xc3') == (c[1] == '\xa4'));
    }
    model_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"steps-and-walls", steps_and_walls},
                                      {"measures", measures},
                                      {"bodies", bodies},
                                      {"whole", whole},
                                      {"crowd", crowd},
                                      {"inclusion", inclusion},
                                      {"too-long", too_long}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
