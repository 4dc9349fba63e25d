// Lists of the facets near a point, and which of them say nothing new.
#include "solids/shape.h"

#include <stdlib.h>
#include <string.h>

// Of a distance: what a plane that was turned may lose of it by rounding.
static const double KEPT = 1 - 1e-12;

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

// Face x along another unit normal, if x keeps its distance from the plane: is it so?
static bool face_along(const thud_solid *solid, const double x[3], const double normal[3],
                       double keep, thud_facing *facing)
{
    const double *corners = thudi_mesh_tree_triangle(solid->tree, facing->facet);
    double nearest = INFINITY, from[3];
    const double *touched = corners;
    for (int i = 0; i < 3; i++)
    {
        thudi_subtract(x, corners + 3 * (size_t)i, from);
        double height = thudi_dot(normal, from);
        touched = height < nearest ? corners + 3 * (size_t)i : touched;
        nearest = height < nearest ? height : nearest;
    }
    if (!(nearest >= keep * KEPT))
        return false;
    facing->distance = nearest;
    memcpy(facing->normal, normal, sizeof facing->normal);
    memcpy(facing->point, touched, sizeof facing->point);
    return true;
}

// Turn the normal towards the one that the triangle has from where x is going, as far as it may: by
// halves, as the height over the plane is a concave function of the normal.
static void turn_to(const thud_solid *solid, const double x[3], const thud_aim *aim,
                    thud_facing *facing)
{
    thud_facing ahead = thud_solid_facing(solid, facing->facet, aim->at), start = *facing;
    double low = 0, high = 1;
    if (!(ahead.distance > 0) || !(facing->distance > aim->keep) ||
        face_along(solid, x, ahead.normal, aim->keep, facing))
        return;
    for (int i = 0; i < 10; i++)
    {
        double middle = (low + high) / 2, normal[3];
        for (int k = 0; k < 3; k++)
            normal[k] = (1 - middle) * start.normal[k] + middle * ahead.normal[k];
        if (!(thudi_normalise(normal) > 0) || !face_along(solid, x, normal, aim->keep, facing))
            high = middle;
        else
            low = middle;
    }
}

// The aim moved out of what is nearest to it, as a step would: from below the surface triangles
// beside the nearest would lean over it.
static thud_aim lift(const thud_solid *solid, const thud_aim *aim)
{
    thud_aim lifted = *aim;
    for (int i = 0; i < 3; i++)
    {
        thud_facing nearest = thud_solid_nearest(solid, lifted.at);
        if (!(nearest.distance < aim->keep))
            break;
        thudi_along(lifted.at, aim->keep - nearest.distance, nearest.normal, lifted.at);
    }
    return lifted;
}

// Keep those that are behind none that is kept; what has no normal hides nothing.
static void keep_foremost(const thud_solid *solid, const double x[3], double slack,
                          const thud_aim *aim, thud_facings *list)
{
    int kept = 0;
    thud_aim lifted = {.keep = 0};
    for (int i = 0; i < list->count; i++)
    {
        bool hidden = false;
        for (int j = 0; j < kept && !hidden; j++)
            hidden = list->items[j].distance > 0 &&
                     is_behind(solid, list->items[i].facet, &list->items[j], slack);
        if (hidden)
            continue;
        list->items[kept] = list->items[i];
        if (aim && kept == 1)
            lifted = lift(solid, aim);
        if (aim && kept > 0)
            turn_to(solid, x, &lifted, &list->items[kept]);
        kept++;
    }
    list->count = kept;
}

// The nearest triangle, and those that are not behind its plane: most often all others are.
static thud_status find_foremost(const thud_solid *solid, const double x[3], double reach,
                                 double slack, thud_facings *list)
{
    thud_facing nearest = thudi_mesh_tree_nearest(solid->tree, x, reach);
    if (!(nearest.distance < INFINITY))
        return THUD_OK;
    THUD_TRY(thudi_facings_add(list, &nearest));
    return thudi_mesh_tree_find(solid->tree, x, reach, &nearest, slack, list);
}

thud_status thud_solid_find(const thud_solid *solid, const double x[3], double reach, double slack,
                            const thud_aim *aim, thud_facings *list)
{
    list->count = 0;
    if (solid->tree && slack < 0)
        THUD_TRY(thudi_mesh_tree_find(solid->tree, x, reach, NULL, slack, list));
    else if (solid->tree)
        THUD_TRY(find_foremost(solid, x, reach, slack, list));
    for (int i = 0; !solid->tree && i < solid->facets; i++)
    {
        thud_facing facing = thud_solid_facing(solid, i, x);
        if (facing.distance <= reach && facing.distance < INFINITY)
            THUD_TRY(thudi_facings_add(list, &facing));
    }
    if (list->count > 1)
        qsort(list->items, (size_t)list->count, sizeof *list->items, compare);
    if (solid->tree && slack >= 0)
        keep_foremost(solid, x, slack, aim, list);
    return THUD_OK;
}
