// Lengths that do not fit the gravity of the scene. Gravity g in m/s^2 is g T^2 / L in units of L
// metres and T seconds.
#include "run/scene_warnings.h"

#include "core/math/elementary.h"

#include <math.h>
#include <string.h>

typedef struct unit
{
    const char *label;
    double size; // in metres, or in seconds
} unit;

static const unit lengths[] = {
    {"m", 1},         {"metre", 1},          {"metres", 1},
    {"meter", 1},     {"meters", 1},         {"cm", 1e-2},
    {"mm", 1e-3},     {"millimetres", 1e-3}, {"millimeters", 1e-3},
    {"um", 1e-6},     {"\xc2\xb5m", 1e-6},   {"\xce\xbcm", 1e-6},
    {"micron", 1e-6}, {"microns", 1e-6},     {"nm", 1e-9},
    {"km", 1e3},
};
static const unit times[] = {
    {"", 1},      {"s", 1},     {"sec", 1},          {"second", 1},       {"seconds", 1},
    {"ms", 1e-3}, {"us", 1e-6}, {"\xc2\xb5s", 1e-6}, {"\xce\xbcs", 1e-6}, {"min", 60},
    {"h", 3600},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// From radius BOULDER on no grain is meant in metres; unit spheres often are. Between COBBLE and
// BOULDER only the author knows.
static const double BOULDER = 2, COBBLE = 0.1;

// The size of a unit, 0 if its label is not known.
static double find_unit(const unit *units, int count, const char *label)
{
    for (int i = 0; i < count; i++)
        if (strcmp(units[i].label, label) == 0)
            return units[i].size;
    return 0;
}

// |gravity| where it is constant, else 0.
static double gravity_of(const thud_scene *scene)
{
    static const int axes[3] = {0, 1, 2};
    double g[3] = {0};
    for (int k = 0; k < scene->dim; k++)
    {
        if (scene->gravity[k].kind != THUD_VARYING_CONSTANT)
            return 0;
        g[k] = scene->gravity[k].value;
    }
    return thudi_hypot(g, axes, 3);
}

static double smallest_radius(const thud_scene *scene)
{
    double radius = INFINITY;
    for (int i = 0; i < scene->body_count; i++)
        radius = fmin(radius, scene->bodies[i].sphere.radius);
    return radius;
}

// |gravity| if the scene has the Earth's in m/s^2 and times in a unit that is known, else 0.
static double find_earth(const thud_scene *scene, double *time)
{
    *time = find_unit(times, COUNT(times), scene->unit_time);
    if (scene->kind != THUD_SCENE_SPHERES || scene->order != THUD_SECOND_ORDER || *time == 0)
        return 0;
    double g = gravity_of(scene);
    return g > 9.75 && g < 9.87 ? g : 0; // 9.78 to 9.83 on the Earth; a round 10 means no unit
}

void thudi_warn_of_units(const thud_scene *scene, const thudi_warner *warner)
{
    char across[THUD_NUMBER_SIZE];
    double time, g = find_earth(scene, &time), radius = smallest_radius(scene);
    double length = find_unit(lengths, COUNT(lengths), scene->unit_length);
    if (g == 0)
        return;
    double factor = length > 0 ? time * time / length : 1;
    if (fabs(factor - 1) > 0.01)
        thudi_warn(warner,
                   "gravity %.6g is the Earth's in m/s^2, but units.length is %s and times are in "
                   "%s: write gravity %.6g",
                   g, scene->unit_length, scene->unit_time[0] ? scene->unit_time : "s", g * factor);
    else if (scene->unit_length[0] == '\0' && radius >= BOULDER)
        thudi_warn(
            warner,
            "gravity %.6g is the Earth's in m/s^2, and in metres the smallest body is %s m "
            "across: if lengths are in mm, write gravity %.6g; if they are in m, write 'units: "
            "{length: m}'",
            g, thud_words_short(across, 2 * radius), 1000 * g * time * time);
}

void thud_units_write(const thud_scene *scene, thud_writer *writer)
{
    char shown[THUD_NUMBER_SIZE];
    double time, g = find_earth(scene, &time), radius = smallest_radius(scene);
    if (g == 0 || scene->unit_length[0] || radius < COBBLE || radius >= BOULDER)
        return;
    thud_write(
        writer,
        "  lengths are taken as metres, because gravity is %.6g: the smallest radius is %s m\n"
        "    if lengths are in mm, write gravity %.6g; if they are in m, write 'units: "
        "{length: m}'\n",
        g, thud_words_short(shown, radius), 1000 * g * time * time);
}
