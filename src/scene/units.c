// Units made of the labels that a scene gives for length, time and mass.
#include "thud/units.h"

#include <stdio.h>
#include <string.h>

// Units with a name, where the labels are SI.
static const char *si_name(const char *const label[3], int length, int time, int mass)
{
    static const struct
    {
        const char *name;
        int length, time, mass;
    } names[] = {
        {"N", 1, -2, 1}, {"J", 2, -2, 1}, {"Pa", -1, -2, 1}, {"N s", 1, -1, 1}, {"N/m", 0, -2, 1}};
    if (strcmp(label[0], "kg") != 0 || strcmp(label[1], "m") != 0 || strcmp(label[2], "s") != 0)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].length == length && names[i].time == time && names[i].mass == mass)
            return names[i].name;
    return NULL;
}

// Append the labels whose exponents have the given sign; returns how many.
static int add_labels(char text[THUD_UNIT_SIZE], const char *const label[3], const int power[3],
                      int sign)
{
    static const char *const raised[] = {"", "", "\xc2\xb2", "\xc2\xb3"};
    int count = 0;
    for (int i = 0; i < 3; i++)
    {
        size_t used = strlen(text);
        int p = power[i] * sign;
        if (p > 0 && p < 4)
            (void)snprintf(text + used, THUD_UNIT_SIZE - used, "%s%.40s%s", count++ > 0 ? " " : "",
                           label[i], raised[p]);
    }
    return count;
}

const char *thud_unit_text(char text[THUD_UNIT_SIZE], const thud_scene *scene, int length, int time,
                           int mass)
{
    // a program that fills in a scene may leave them NULL
    const char *label[3] = {scene->unit_mass ? scene->unit_mass : "",
                            scene->unit_length ? scene->unit_length : "",
                            scene->unit_time ? scene->unit_time : ""};
    int power[3] = {mass, length, time}, below = 0;
    char under[THUD_UNIT_SIZE] = "";
    text[0] = '\0';
    for (int i = 0; i < 3; i++)
    {
        if (power[i] != 0 && !label[i][0])
            return text;
        below += power[i] < 0;
    }
    const char *name = si_name(label, length, time, mass);
    if (name)
    {
        (void)snprintf(text, THUD_UNIT_SIZE, "%s", name);
        return text;
    }
    if (add_labels(text, label, power, 1) == 0 && below > 0)
        (void)snprintf(text, THUD_UNIT_SIZE, "1");
    if (below == 0)
        return text;
    (void)add_labels(under, label, power, -1);
    size_t used = strlen(text);
    (void)snprintf(text + used, THUD_UNIT_SIZE - used, below > 1 ? "/(%s)" : "/%s", under);
    return text;
}

static int force_time(const thud_scene *scene)
{
    return scene->order == THUD_FIRST_ORDER ? -1 : -2;
}

const char *thud_unit_force(char text[THUD_UNIT_SIZE], const thud_scene *scene)
{
    return thud_unit_text(text, scene, 1, force_time(scene), 1);
}

const char *thud_unit_pressure(char text[THUD_UNIT_SIZE], const thud_scene *scene)
{
    return thud_unit_text(text, scene, scene->dim == 3 ? -1 : 0, force_time(scene), 1);
}
