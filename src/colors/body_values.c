// What bodies are coloured by: speed, pressure, radius, contacts, material.
#include "colors/body_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count_touches(const thudi_shot *shot, double *value)
{
    for (int i = 0; i < shot->touch_count; i++)
    {
        value[shot->a[i]]++;
        if (shot->b[i] >= 0)
            value[shot->b[i]]++;
    }
}

void thudi_values_find(thud_color color, const thud_scene *scene, const thudi_shot *shot,
                       double *value)
{
    memset(value, 0, (size_t)shot->count * sizeof *value);
    if (color == THUD_COLOR_CONTACTS)
        count_touches(shot, value);
    const double *known = color == THUD_COLOR_SPEED      ? shot->speed
                          : color == THUD_COLOR_PRESSURE ? shot->pressure
                          : color == THUD_COLOR_RADIUS   ? shot->radius
                                                         : NULL;
    if (known)
        memcpy(value, known, (size_t)shot->count * sizeof *value);
    for (int i = 0; i < shot->count && color == THUD_COLOR_MATERIAL; i++)
        value[i] = scene->bodies[i].material;
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
        return thudi_pressure_unit(text, scene);
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
