// A convex polygon in a plane of space, or a segment in two dimensions, with its normal.
#include "core/math/geometry.h"
#include "core/text.h"
#include "scene/read/read_parts.h"

#include <math.h>

enum
{
    MOST_CORNERS = 1000
};

static const double FLAT = 1e-9; // of its size, the polygon may be out of its plane or bent inwards

// From corner i to corner k, in units of the polygon's size.
static void leg(const thud_scene_measure *measure, int dim, double size, int i, int k,
                double out[3])
{
    const double *from = measure->corners + (size_t)dim * (size_t)(i % measure->corner_count);
    const double *to = measure->corners + (size_t)dim * (size_t)(k % measure->corner_count);
    for (int c = 0; c < 3; c++)
        out[c] = c < dim ? to[c] / size - from[c] / size : 0;
}

static double size_of(const thud_scene_measure *measure, int dim)
{
    double size = 0, part[3];
    for (int i = 1; i < measure->corner_count; i++)
    {
        leg(measure, dim, 1, 0, i, part);
        for (int c = 0; c < 3; c++)
            size = fabs(part[c]) > size ? fabs(part[c]) : size;
    }
    return size;
}

// The normal by which the corners go around against the clock, or the left of a segment; not of
// unit length yet.
static void find_normal(thud_scene_measure *measure, int dim, double size)
{
    double a[3], b[3], part[3];
    if (dim == 2)
    {
        leg(measure, dim, size, 0, 1, a);
        measure->normal[0] = -a[1];
        measure->normal[1] = a[0];
        return;
    }
    for (int i = 1; i + 1 < measure->corner_count; i++)
    {
        leg(measure, dim, size, 0, i, a);
        leg(measure, dim, size, 0, i + 1, b);
        thudi_cross(a, b, part);
        for (int c = 0; c < 3; c++)
            measure->normal[c] += part[c];
    }
}

static bool is_convex(const thud_scene_measure *measure, double size)
{
    double edge[3], other[3], turn[3];
    for (int i = 0; i < measure->corner_count; i++)
    {
        leg(measure, 3, size, i, i + 1, edge);
        for (int k = 0; k < measure->corner_count; k++)
        {
            leg(measure, 3, size, i, k, other);
            thudi_cross(edge, other, turn);
            if (thudi_dot(turn, measure->normal) < -FLAT)
                return false;
        }
    }
    return true;
}

// How often the corners of a convex polygon go around: seen along a direction in its plane, a
// corner that is left upwards after one that was left downwards begins another round.
static int count_rounds(const thud_scene_measure *measure, double size)
{
    double axis[3], edge[3], before = 0;
    int ups = 0, count = measure->corner_count;
    leg(measure, 3, size, 0, 1, axis);
    for (int i = 1; i < count && thudi_dot(axis, axis) == 0; i++) // corners may be there twice
        leg(measure, 3, size, i, i + 1, axis);
    for (int i = 0; i < 2 * count; i++) // the first round finds which way the last edge goes
    {
        leg(measure, 3, size, i, i + 1, edge);
        double rise = thudi_dot(edge, axis);
        if (fabs(rise) <= FLAT * sqrt(thudi_dot(axis, axis)))
            continue;
        ups += i >= count && rise > 0 && before < 0;
        before = rise;
    }
    return ups;
}

static thud_status check_polygon(thudi_reader *r, const thudi_tree *node,
                                 thud_scene_measure *measure)
{
    int dim = r->scene->view.dim;
    char path[THUDI_PATH_SIZE];
    double size = size_of(measure, dim), part[3];
    thudi_tree_path(node, path);
    if (size > 0 && isfinite(size))
        find_normal(measure, dim, size);
    double length = sqrt(thudi_dot(measure->normal, measure->normal));
    if (!(length > FLAT))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "",
                               dim == 2 ? "%s has no length" : "%s has no area", path);
    for (int c = 0; c < 3; c++)
        measure->normal[c] /= length;
    for (int i = 1; i < measure->corner_count && dim == 3; i++)
    {
        leg(measure, dim, size, 0, i, part);
        if (fabs(thudi_dot(part, measure->normal)) > FLAT)
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "",
                                   "the corners of %s are not in one plane", path);
    }
    if (dim == 3 && !is_convex(measure, size))
        return thudi_fail_node(
            r->fault, THUD_ERR_SCENE, node,
            "give the corners in order around it, or split it into convex polygons",
            "%s is not convex", path);
    int rounds = dim == 3 ? count_rounds(measure, size) : 1;
    if (rounds > 1)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "give every corner once",
                               "%s goes around %d times", path, rounds);
    return THUD_OK;
}

thud_status thudi_read_polygon(thudi_reader *r, const thudi_tree *node, thud_scene_measure *measure)
{
    int dim = r->scene->view.dim;
    char path[THUDI_PATH_SIZE];
    double *corners, x[3];
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of corners"));
    if (dim == 2 ? node->count != 2 : node->count < 3 || node->count > MOST_CORNERS)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s must be %s, but has %d",
                               thudi_tree_path(node, path),
                               dim == 2 ? "the two ends of a segment" : "3 to 1000 corners",
                               node->count);
    THUD_TRY(
        thudi_reader_allocate(r, (size_t)dim * (size_t)node->count * sizeof *corners, &corners));
    measure->corners = corners;
    for (const thudi_tree *item = node->first; item; item = item->next)
    {
        THUD_TRY(thudi_vector(r, item, dim, THUDI_ANY, x));
        for (int k = 0; k < dim; k++)
            *corners++ = x[k];
        measure->corner_count++;
    }
    return check_polygon(r, node, measure);
}
