// The columns of the series in words, with their units, for charts and tables.
#include "scene/model_measures.h"
#include "scene/scene_data.h"
#include "scene/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Exponents of a unit.
typedef struct dimension
{
    int length, time, mass;
} dimension;

static const dimension NONE = {0, 0, 0}, LENGTH = {1, 0, 0}, TIME = {0, 1, 0}, MASS = {0, 0, 1},
                       ENERGY = {2, -2, 1};

// A label that is too long ends with its last whole character.
__attribute__((format(printf, 2, 3))) static void say(thud_series_column *out, const char *format,
                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out->label, sizeof out->label, format, arguments);
    va_end(arguments);
    size_t end = sizeof out->label - 1;
    if (length < 0 || (size_t)length <= end)
        return;
    while (end > 0 && ((unsigned char)out->label[end - 1] & 0xc0) == 0x80)
        end--;
    if (end > 0 && ((unsigned char)out->label[end - 1] & 0x80))
        end--;
    out->label[end] = '\0';
}

// A unit that is too long for its place is left out: half of one would be another unit.
static void measure_in(thud_series_column *out, const thud_scene *scene, dimension what)
{
    char text[THUDI_UNIT_SIZE];
    thudi_unit(text, scene, what.length, what.time, what.mass);
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
        rename_unit(out, "N s", "kg m/s"); // which is no impulse
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
    say(out, "%s", model->world ? steps[column].spheres : steps[column].inclusion);
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
        say(out, "sum of contact forces on wall '%s'", thud_scene_wall_name(scene, wall));
        measure_force(out, scene, 1);
    }
    else if (is_crowd)
    {
        say(out, column == 0 ? "largest pressure on a body" : "mean pressure on the bodies");
        measure_pressure(out, scene);
    }
    else
    {
        say(out, "potential energy");
        measure_in(out, scene, ENERGY);
    }
}

static void describe_inclusion(const thud_model *model, int column, thud_series_column *out)
{
    const thud_scene *scene = model->scene;
    int count = scene->coordinate_count;
    if (column < count)
        say(out, "%s", scene->coordinates[column].name);
    else if (column < 2 * count)
        say(out, "velocity of %s", scene->coordinates[column - count].name);
    else
        say(out, "%s of constraint '%s'", scene->order == THUD_FIRST_ORDER ? "multiplier" : "force",
            scene->constraints[column - 2 * count].name);
}

static void describe_coordination(const thud_scene_measure *measure, thud_series_column *out)
{
    out->is_whole = strcmp(out->component, "rattlers") == 0;
    if (out->is_whole)
        say(out, "bodies without a loaded contact, '%s'", measure->name);
    else
        say(out, "loaded contacts per body%s, '%s'",
            strcmp(out->component, "loaded") == 0 ? " that has any" : "", measure->name);
}

static void describe_slab(const thud_scene *scene, const thud_scene_measure *measure, int slab,
                          thud_series_column *out)
{
    double low = measure->low[measure->axis], width = measure->high[measure->axis] - low;
    say(out, "pressure of contacts, '%s', %c from %.4g to %.4g", measure->name,
        "xyz"[measure->axis], low + width * slab / measure->bins,
        low + width * (slab + 1) / measure->bins);
    measure_pressure(out, scene);
}

static void describe_force(const thud_scene *scene, const thud_scene_measure *measure,
                           thud_series_column *out)
{
    bool is_force = measure->kind == THUD_MEASURE_FORCE_ON;
    say(out, "%s on wall '%s', %s", is_force ? "force" : "torque",
        thudi_measured_wall(thudi_scene_of(scene), measure), out->component);
    measure_force(out, scene, is_force ? 1 : 2);
    if (!is_force)
        rename_unit(out, "J", "N m"); // a torque has the dimension of an energy
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
        say(out, "%s through '%s'", is_mass ? "mass" : "bodies", measure->name);
        measure_in(out, scene, is_mass ? MASS : NONE);
        out->is_whole = !is_mass;
        return;
    case THUD_MEASURE_PRESSURE_PROFILE:
        describe_slab(scene, measure, part, out);
        return;
    case THUD_MEASURE_STRESS:
        if (strcmp(out->component, "pressure") == 0)
            say(out, "pressure of contacts in '%s'", measure->name);
        else
            say(out, "stress of contacts in '%s', %s", measure->name, out->component);
        measure_pressure(out, scene);
        return;
    case THUD_MEASURE_PACKING_FRACTION:
        say(out, "packing fraction in '%s'", measure->name);
        return;
    case THUD_MEASURE_COORDINATION:
        describe_coordination(measure, out);
    }
}

void thud_model_series_column(const thud_model *model, int column, thud_series_column *out)
{
    const thud_scene *scene = model->scene;
    int first;
    *out = (thud_series_column){.name = model->names.items[column], .component = ""};
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
