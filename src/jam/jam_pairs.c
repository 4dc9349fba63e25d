// Pairs of spheres in a periodic cube of side 1: all of them are looked at, which takes count^2.
#include "jam/jam.h"

#include "rows/key.h"

#include <math.h>

double thudi_jam_between(const double *q, int a, int b, double vector[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++)
    {
        double way = q[3 * (size_t)b + (size_t)k] - q[3 * (size_t)a + (size_t)k];
        way -= floor(way + 0.5);
        vector[k] = way;
        square += way * way;
    }
    return sqrt(square);
}

double thudi_jam_nearest(const thud_jam *jam, const double *q)
{
    double nearest = INFINITY, vector[3];
    for (int a = 0; a < jam->count; a++)
        for (int b = a + 1; b < jam->count; b++)
        {
            double distance = thudi_jam_between(q, a, b, vector);
            nearest = distance < nearest ? distance : nearest;
        }
    return nearest;
}

thud_status thudi_jam_rows(thud_jam *jam, double reach, double diameter, double shift)
{
    int found = 0;
    double vector[3];
    for (int a = 0; a < jam->count; a++)
    {
        THUD_TRY(
            thudi_array_reserve(&jam->allocator, &jam->pairs, (size_t)found + (size_t)jam->count));
        for (int b = a + 1; b < jam->count; b++)
        {
            double distance = thudi_jam_between(jam->q, a, b, vector);
            if (!(distance < reach))
                continue;
            thud_pair_row row = {.key = thudi_key_pair(a, b, 0),
                                 .gap = distance - diameter,
                                 .shift = shift,
                                 .a = 3 * a,
                                 .b = 3 * b};
            for (int k = 0; k < 3; k++)
                row.normal[k] = vector[k] / distance;
            jam->pairs.items[found++] = row;
        }
    }
    thud_rows_clear(jam->rows);
    return thud_rows_push_pairs(jam->rows, 3, jam->pairs.items, found);
}
