// What bodies are coloured by: speed, pressure, radius, contacts, material.
#include "show/body_values.h"

#include "core/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_touches(const thudi_shot *shot, bool force, double *value)
{
    for (int i = 0; i < shot->touch_count; i++)
    {
        double part = force ? shot->force[i] : 1;
        value[shot->a[i]] += part;
        if (shot->b[i] >= 0)
            value[shot->b[i]] += part;
    }
}

void thudi_values_find(thud_color color, const thud_scene *scene, const thudi_shot *shot,
                       double *value)
{
    memset(value, 0, (size_t)shot->count * sizeof *value);
    if (color == THUD_COLOR_PRESSURE || color == THUD_COLOR_CONTACTS)
        add_touches(shot, color == THUD_COLOR_PRESSURE, value);
    for (int i = 0; i < shot->count; i++)
    {
        const double *v = shot->velocity + 3 * (size_t)i;
        double r = shot->radius[i];
        if (color == THUD_COLOR_SPEED)
            value[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        else if (color == THUD_COLOR_PRESSURE)
            value[i] /= scene->dim == 3 ? 4 * THUDI_PI * r * r : 2 * THUDI_PI * r;
        else if (color == THUD_COLOR_RADIUS)
            value[i] = r;
        else if (color == THUD_COLOR_MATERIAL)
            value[i] = scene->bodies[i].material;
    }
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double thudi_values_most(double *value, int count, int part)
{
    if (count == 0)
        return 0;
    qsort(value, (size_t)count, sizeof *value, compare);
    return value[count - 1 - count / part];
}

const char *thudi_color_unit(char text[THUDI_UNIT_SIZE], const thud_scene *scene, thud_color color)
{
    text[0] = '\0';
    if (color == THUD_COLOR_SPEED)
        return thudi_unit(text, scene, 1, -1, 0);
    if (color == THUD_COLOR_PRESSURE)
        return thudi_unit(text, scene, scene->dim == 3 ? -1 : 0,
                          scene->order == THUD_FIRST_ORDER ? -1 : -2, 1);
    return color == THUD_COLOR_RADIUS ? thudi_unit(text, scene, 1, 0, 0) : text;
}

const char *thudi_color_name(thud_color color)
{
    static const char *const names[THUD_COLOR_COUNT] = {
#define COLOR_NAME(name, text, about) text,
        THUD_COLOR_LIST(COLOR_NAME)
#undef COLOR_NAME
    };
    return names[color];
}
