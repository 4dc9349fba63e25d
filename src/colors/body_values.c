// What bodies are coloured by: speed, pressure, radius, contacts, material.
#include "colors/body_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count_touches(const thud_snapshot *snapshot, double *value)
{
    for (int i = 0; i < snapshot->touch_count; i++)
    {
        value[snapshot->a[i]]++;
        if (snapshot->b[i] >= 0)
            value[snapshot->b[i]]++;
    }
}

void thudi_values_find(thud_color color, const thud_scene *scene, const thud_snapshot *snapshot,
                       double *value)
{
    memset(value, 0, (size_t)snapshot->count * sizeof *value);
    if (color == THUD_COLOR_CONTACTS)
        count_touches(snapshot, value);
    const double *known = color == THUD_COLOR_SPEED      ? snapshot->speed
                          : color == THUD_COLOR_PRESSURE ? snapshot->pressure
                          : color == THUD_COLOR_RADIUS   ? snapshot->radius
                                                         : NULL;
    if (known)
        memcpy(value, known, (size_t)snapshot->count * sizeof *value);
    for (int i = 0; i < snapshot->count && color == THUD_COLOR_MATERIAL; i++)
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

const char *thudi_color_unit(char text[THUD_UNIT_SIZE], const thud_scene *scene, thud_color color)
{
    text[0] = '\0';
    if (color == THUD_COLOR_SPEED)
        return thud_unit_text(text, scene, 1, -1, 0);
    if (color == THUD_COLOR_PRESSURE)
        return thud_unit_pressure(text, scene);
    return color == THUD_COLOR_RADIUS ? thud_unit_text(text, scene, 1, 0, 0) : text;
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
