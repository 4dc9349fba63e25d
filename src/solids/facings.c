// Lists of the facets near a point, and which of them say nothing new.
#include "solids/shape.h"

#include <stdlib.h>

thud_status thudi_facings_add(thud_facings *list, const thud_facing *facing)
{
    thud_allocator allocator = thudi_allocator_or_default(list->allocator);
    THUD_TRY(thudi_grow(&allocator, &list->items, sizeof *list->items, (size_t)list->count + 1,
                        &list->capacity));
    list->items[list->count++] = *facing;
    return THUD_OK;
}

void thud_facings_free(thud_facings *list)
{
    thud_allocator allocator = thudi_allocator_or_default(list->allocator);
    thudi_free(&allocator, list->items, list->capacity * sizeof *list->items);
    *list = (thud_facings){.allocator = list->allocator};
}

static int compare(const void *a, const void *b)
{
    const thud_facing *left = a, *right = b;
    if (left->distance != right->distance)
        return left->distance < right->distance ? -1 : 1;
    return left->facet < right->facet ? -1 : left->facet > right->facet;
}

// Is the triangle behind the plane of `front`, but for slack?
static bool is_behind(const thud_solid *solid, int facet, const thud_facing *front, double slack)
{
    const double *corners = thudi_mesh_tree_triangle(solid->tree, facet);
    for (int i = 0; i < 3; i++)
    {
        double from[3];
        thudi_subtract(corners + 3 * (size_t)i, front->point, from);
        if (!(thudi_dot(front->normal, from) <= slack))
            return false;
    }
    return true;
}

// Keep those that are behind none that is kept; what has no normal hides nothing.
static void keep_foremost(const thud_solid *solid, double slack, thud_facings *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
    {
        bool hidden = false;
        for (int j = 0; j < kept && !hidden; j++)
            hidden = list->items[j].distance > 0 &&
                     is_behind(solid, list->items[i].facet, &list->items[j], slack);
        if (!hidden)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

thud_status thud_solid_find(const thud_solid *solid, const double x[3], double reach, double slack,
                            thud_facings *list)
{
    list->count = 0;
    if (solid->tree)
        THUD_TRY(thudi_mesh_tree_find(solid->tree, x, reach, list));
    for (int i = 0; !solid->tree && i < solid->facets; i++)
    {
        thud_facing facing = thud_solid_look(solid, i, x);
        if (facing.distance <= reach && facing.distance < INFINITY)
            THUD_TRY(thudi_facings_add(list, &facing));
    }
    if (list->count > 1)
        qsort(list->items, (size_t)list->count, sizeof *list->items, compare);
    if (solid->tree && slack >= 0)
        keep_foremost(solid, slack, list);
    return THUD_OK;
}
