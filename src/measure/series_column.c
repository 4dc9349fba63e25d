// The columns of the series in words, with their units, for charts and tables.
#include "measure/model_measures.h"

#include "core/format.h"
#include "scene/scene_data.h"
#include "thud/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
    BODY_NAME = 110 // leaves room for the text after a long name
};

// Exponents of a unit.
typedef struct dimension
{
    int length, time, mass;
} dimension;

static const dimension NONE = {0, 0, 0}, LENGTH = {1, 0, 0}, TIME = {0, 1, 0}, MASS = {0, 0, 1},
                       ENERGY = {2, -2, 1};

// Remove an incomplete character at the end of a text that was cut.
static void cut_character(char *text)
{
    size_t end = strlen(text), tail = 0;
    while (tail < end && ((unsigned char)text[end - 1 - tail] & 0xc0) == 0x80)
        tail++;
    unsigned char lead = tail < end ? (unsigned char)text[end - 1 - tail] : 0;
    size_t wanted = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    if (tail < wanted)
        text[end - 1 - tail] = '\0';
}

__attribute__((format(printf, 2, 3))) static void describe(thud_series_column *out,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)thudi_format_list(out->label, sizeof out->label, format, arguments);
    va_end(arguments);
    cut_character(out->label);
}

// A unit that is too long for its place is left out: half of one would be another unit.
static void measure_in(thud_series_column *out, const thud_scene *scene, dimension what)
{
    char text[THUD_UNIT_SIZE];
    thud_unit_text(text, scene, what.length, what.time, what.mass);
    if (strlen(text) < sizeof out->unit)
        (void)snprintf(out->unit, sizeof out->unit, "%.*s", (int)sizeof out->unit - 1, text);
}

static void rename_unit(thud_series_column *out, const char *from, const char *to)
{
    if (strcmp(out->unit, from) == 0)
        (void)snprintf(out->unit, sizeof out->unit, "%s", to);
}

// The unit of a force times a power of a length. In first order forces are multipliers, mass times
// velocity.
static void measure_force(thud_series_column *out, const thud_scene *scene, int power)
{
    bool is_first = scene->order == THUD_FIRST_ORDER;
    measure_in(out, scene, (dimension){power, is_first ? -1 : -2, 1});
    if (is_first)
        rename_unit(out, "N s", "kg m/s"); // mass times a velocity, not an impulse
}

static void measure_pressure(thud_series_column *out, const thud_scene *scene)
{
    measure_force(out, scene, scene->dim == 2 ? 0 : -1);
}

static const struct
{
    const char *spheres, *inclusion;
    const dimension *what; // of spheres; inclusions have no lengths
    bool is_whole;
} steps[] = {
    {"step", "step", &NONE, true},
    {"time", "time", &TIME, false},
    {"linearised constraints", "linearised constraints", &NONE, true},
    {"contacts that carry load", "active constraints", &NONE, true},
    {"projections in the step", "projections in the step", &NONE, true},
    {"sweeps of the solver", "sweeps of the solver", &NONE, true},
    {"smallest gap", "smallest constraint value", &LENGTH, false},
    {"violation of linearised constraints", "violation of linearised constraints", &LENGTH, false},
    {"backward bound", "backward bound", &LENGTH, false},
    {"forward bound", "forward bound", &NONE, false},
    {"relative residual", "relative residual", &NONE, false},
    {"bound between steps", "bound between steps", &LENGTH, false},
    {"news, as bits", "news, as bits", &NONE, true},
    {"kinetic energy", "kinetic energy", &ENERGY, false}};

enum
{
    STEPS = sizeof steps / sizeof *steps
};

static void describe_step(const thud_model *model, int column, thud_series_column *out)
{
    const thud_scene *scene = model->scene;
    describe(out, "%s", model->world ? steps[column].spheres : steps[column].inclusion);
    out->is_whole = steps[column].is_whole;
    if (model->world || steps[column].what == &TIME)
        measure_in(out, scene, *steps[column].what);
}

// The columns of spheres after those of every step, and before the measures.
static void describe_spheres(const thud_model *model, int column, thud_series_column *out)
{
    const thud_scene *scene = model->scene;
    bool is_crowd = scene->order == THUD_FIRST_ORDER;
    int wall = column - (is_crowd ? 2 : 1);
    if (wall >= 0)
    {
        describe(out, "sum of contact forces on wall '%s'", thud_scene_wall_name(scene, wall));
        measure_force(out, scene, 1);
    }
    else if (is_crowd)
    {
        describe(out, column == 0 ? "largest pressure on a body" : "mean pressure on the bodies");
        measure_pressure(out, scene);
    }
    else
    {
        describe(out, "potential energy");
        measure_in(out, scene, ENERGY);
    }
}

static void describe_inclusion(const thud_model *model, int column, thud_series_column *out)
{
    const thud_scene *scene = model->scene;
    int count = scene->coordinate_count;
    if (column < count)
        describe(out, "%s", scene->coordinates[column].name);
    else if (column < 2 * count)
        describe(out, "velocity of %s", scene->coordinates[column - count].name);
    else
        describe(out, "%s of constraint '%s'",
                 scene->order == THUD_FIRST_ORDER ? "multiplier" : "force",
                 scene->constraints[column - 2 * count].name);
}

static void describe_coordination(const thud_scene_measure *measure, thud_series_column *out)
{
    out->is_whole = strcmp(out->component, "rattlers") == 0;
    if (out->is_whole)
        describe(out, "bodies without a loaded contact, '%s'", measure->name);
    else
        describe(out, "loaded contacts per body%s, '%s'",
                 strcmp(out->component, "loaded") == 0 ? " that has any" : "", measure->name);
}

static void describe_slab(const thud_scene *scene, const thud_scene_measure *measure, int slab,
                          thud_series_column *out)
{
    double low = measure->low[measure->axis], width = measure->high[measure->axis] - low;
    describe(out, "pressure of contacts, '%s', %c from %.4g to %.4g", measure->name,
             "xyz"[measure->axis], low + width * slab / measure->bins,
             low + width * (slab + 1) / measure->bins);
    measure_pressure(out, scene);
}

static void describe_force(const thud_scene *scene, const thud_scene_measure *measure,
                           thud_series_column *out)
{
    bool is_force = measure->kind == THUD_MEASURE_FORCE_ON;
    describe(out, "%s on wall '%s', %s", is_force ? "force" : "torque",
             thudi_measured_wall(thudi_scene_of(scene), measure), out->component);
    measure_force(out, scene, is_force ? 1 : 2);
    if (!is_force)
        rename_unit(out, "J", "N m"); // a torque has the dimension of an energy
}

// "height of body 'ball'", "velocity of the centre of mass of all bodies, x"
static void describe_bodies(const thud_scene *scene, const thud_scene_measure *measure,
                            thud_series_column *out)
{
    static const struct
    {
        const char *word;
        dimension what;
    } forms[] = {{"position", {1, 0, 0}},
                 {"velocity", {1, -1, 0}},
                 {"speed", {1, -1, 0}},
                 {"height", {1, 0, 0}},
                 {"kinetic energy", {2, -2, 1}}};
    int form = (int)measure->kind - (int)THUD_MEASURE_POSITION_OF;
    bool is_sum = strcmp(out->component, "bodies") == 0;
    bool is_axis = measure->kind <= THUD_MEASURE_VELOCITY_OF;
    char whose[BODY_NAME];
    const char *center = is_sum ? "" : "the centre of mass of ";
    measure_in(out, scene, forms[form].what);
    if (measure->body >= 0)
    {
        thudi_model_name_body(scene, measure->body, whose, sizeof whose);
        cut_character(whose);
        center = "body ";
    }
    else if (measure->material < 0)
        (void)snprintf(whose, sizeof whose, "all bodies");
    else
        (void)snprintf(whose, sizeof whose, "the bodies of material '%s'",
                       scene->materials[measure->material].name);
    describe(out, "%s of %s%s%s%s", forms[form].word, center, whose, is_axis ? ", " : "",
             is_axis ? out->component : "");
}

static void describe_time(const thud_scene *scene, const thud_scene_measure *measure,
                          thud_series_column *out)
{
    describe(out, "time when %s %s %.6g", measure->column, measure->falls ? "falls to" : "reaches",
             measure->value);
    measure_in(out, scene, TIME);
}

static void describe_measure(const thud_scene *scene, int part, thud_series_column *out)
{
    const thud_scene_measure *measure = &scene->measures[out->measure];
    bool is_mass = strcmp(out->component, "mass") == 0;
    switch (measure->kind)
    {
    case THUD_MEASURE_FORCE_ON:
    case THUD_MEASURE_TORQUE_ON:
        describe_force(scene, measure, out);
        return;
    case THUD_MEASURE_COUNT_THROUGH:
    case THUD_MEASURE_FLOW_THROUGH:
        describe(out, "%s through '%s'", is_mass ? "mass" : "bodies", measure->name);
        measure_in(out, scene, is_mass ? MASS : NONE);
        out->is_whole = !is_mass;
        return;
    case THUD_MEASURE_PRESSURE_PROFILE:
        describe_slab(scene, measure, part, out);
        return;
    case THUD_MEASURE_STRESS:
        if (strcmp(out->component, "pressure") == 0)
            describe(out, "pressure of contacts in '%s'", measure->name);
        else
            describe(out, "stress of contacts in '%s', %s", measure->name, out->component);
        measure_pressure(out, scene);
        return;
    case THUD_MEASURE_PACKING_FRACTION:
        describe(out, "packing fraction in '%s'", measure->name);
        return;
    case THUD_MEASURE_COORDINATION:
        describe_coordination(measure, out);
        return;
    case THUD_MEASURE_POSITION_OF:
    case THUD_MEASURE_VELOCITY_OF:
    case THUD_MEASURE_SPEED_OF:
    case THUD_MEASURE_HEIGHT_OF:
    case THUD_MEASURE_KINETIC_ENERGY_OF:
        describe_bodies(scene, measure, out);
        return;
    case THUD_MEASURE_TIME_WHEN:
        describe_time(scene, measure, out);
    }
}

void thud_model_series_column(const thud_model *model, int column, thud_series_column *out)
{
    const thud_scene *scene = model->scene;
    int first;
    *out = (thud_series_column){.name = model->series->names.items[column], .component = ""};
    out->measure = thudi_measure_of(model, column, &first);
    if (out->measure >= 0)
    {
        size_t named = strlen(scene->measures[out->measure].name);
        if (out->name[named] == '.')
            out->component = out->name + named + 1;
        describe_measure(scene, column - first, out);
    }
    else if (column < STEPS)
        describe_step(model, column, out);
    else if (model->world)
        describe_spheres(model, column - STEPS, out);
    else
        describe_inclusion(model, column - STEPS, out);
}
