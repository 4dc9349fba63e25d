// Triangles of obstacles in a tree of boxes, split at the median.
#include "picture/panes.h"

#include <stdlib.h>

enum
{
    LEAF = 4,
    DEPTH = 64,
    GLASSES = 64 // panes of glass that a ray is followed through
};

// How much of the light glass keeps: containers seen from inside, from behind, and sheets.
static const double VEIL_FRONT = 0.34, VEIL_BACK = 0.06, VEIL_SHEET = 0.24;

static const double LEAST_AREA = 1e-15; // twice that of a triangle: a smaller one has no normal
static const double BOX_OUTWARDS = 1 + 1e-9; // a ray along the face of a box meets it
static const double LEAST_ALONG = 1e-300;    // of a direction: its inverse is finite

thud_status thudi_panes_add(thudi_panes *panes, const thud_allocator *allocator,
                            const thudi_vec corners[3], thud_surface_kind kind)
{
    thudi_pane pane = {.corner = corners[0], .kind = kind};
    pane.u = thudi_vec_sub(corners[1], corners[0]);
    pane.v = thudi_vec_sub(corners[2], corners[0]);
    thudi_vec normal = thudi_vec_cross(pane.u, pane.v);
    if (!(thudi_vec_length(normal) > LEAST_AREA) ||
        !(thudi_vec_length(corners[0]) < THUDI_FARTHEST))
        return THUD_OK;
    pane.normal = thudi_vec_unit(normal);
    THUD_TRY(thudi_array_reserve(allocator, &panes->items, (size_t)panes->count + 1));
    panes->items.items[panes->count++] = pane;
    return THUD_OK;
}

static void components(thudi_vec p, double out[3])
{
    out[0] = p.x;
    out[1] = p.y;
    out[2] = p.z;
}

static void middle_of(const thudi_pane *pane, double out[3])
{
    thudi_vec sum = thudi_vec_along(pane->corner, thudi_vec_add(pane->u, pane->v), 1.0 / 3);
    components(sum, out);
}

static void bound(thudi_pane_node *node, thudi_vec p)
{
    double x[3];
    components(p, x);
    for (int k = 0; k < 3; k++)
    {
        node->low[k] = x[k] < node->low[k] ? x[k] : node->low[k];
        node->high[k] = x[k] > node->high[k] ? x[k] : node->high[k];
    }
}

static thudi_pane_node node_of(const thudi_panes *panes, int first, int count)
{
    thudi_pane_node node = {.low = {INFINITY, INFINITY, INFINITY},
                            .high = {-INFINITY, -INFINITY, -INFINITY},
                            .first = first,
                            .count = count};
    for (int i = first; i < first + count; i++)
    {
        const thudi_pane *pane = &panes->items.items[i];
        bound(&node, pane->corner);
        bound(&node, thudi_vec_add(pane->corner, pane->u));
        bound(&node, thudi_vec_add(pane->corner, pane->v));
    }
    return node;
}

#define COMPARE_ALONG(name, k)                                                                     \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        double x[3], y[3];                                                                         \
        middle_of(a, x);                                                                           \
        middle_of(b, y);                                                                           \
        return (x[k] > y[k]) - (x[k] < y[k]);                                                      \
    }
COMPARE_ALONG(compare_x, 0)
COMPARE_ALONG(compare_y, 1)
COMPARE_ALONG(compare_z, 2)

// Halves until leaves are small: as deep as the logarithm of the count.
thud_status thudi_panes_build(thudi_panes *panes, const thud_allocator *allocator)
{
    static int (*const compare[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    panes->node_count = 0;
    if (panes->count == 0)
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(allocator, &panes->nodes, 2 * (size_t)panes->count));
    panes->nodes.items[panes->node_count++] = node_of(panes, 0, panes->count);
    for (int i = 0; i < panes->node_count; i++)
    {
        thudi_pane_node *node = &panes->nodes.items[i];
        if (node->count <= LEAF)
            continue;
        int axis = 0, first = node->first, count = node->count, half = count / 2;
        for (int k = 1; k < 3; k++)
            if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis])
                axis = k;
        qsort(panes->items.items + first, (size_t)count, sizeof(thudi_pane), compare[axis]);
        node->first = panes->node_count;
        node->count = 0;
        panes->nodes.items[panes->node_count++] = node_of(panes, first, half);
        panes->nodes.items[panes->node_count++] = node_of(panes, first + half, count - half);
    }
    return THUD_OK;
}

void thudi_panes_free(thudi_panes *panes, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &panes->items);
    thudi_array_free(allocator, &panes->nodes);
    panes->count = panes->node_count = 0;
}

static bool meets(const thudi_pane_node *node, const double from[3], const double inverse[3],
                  double limit)
{
    double enter = 0, leave = limit;
    for (int k = 0; k < 3; k++)
    {
        double a = (node->low[k] - from[k]) * inverse[k];
        double b = (node->high[k] - from[k]) * inverse[k];
        double low = a < b ? a : b, high = a < b ? b : a;
        enter = low > enter ? low : enter;
        leave = high < leave ? high : leave;
    }
    return enter <= leave * BOX_OUTWARDS;
}

// Where a ray meets the triangle; INFINITY if it does not.
static double enter(const thudi_pane *pane, const thudi_ray *ray)
{
    thudi_vec p = thudi_vec_cross(ray->along, pane->v);
    double area = thudi_vec_dot(pane->u, p);
    if (area == 0)
        return INFINITY;
    thudi_vec from = thudi_vec_sub(ray->from, pane->corner);
    double a = thudi_vec_dot(from, p) / area;
    thudi_vec q = thudi_vec_cross(from, pane->u);
    double b = thudi_vec_dot(ray->along, q) / area;
    double t = thudi_vec_dot(pane->v, q) / area;
    return a >= 0 && b >= 0 && a + b <= 1 && t > 0 ? t : INFINITY;
}

typedef struct walk
{
    const thudi_panes *panes;
    const thudi_ray *ray;
    thudi_pane_hit glance;
    int glass[GLASSES];
    double at[GLASSES];
    int glass_count;
} walk;

static void visit(walk *w, int i)
{
    const thudi_pane *pane = &w->panes->items.items[i];
    double t = enter(pane, w->ray);
    if (!(t < w->glance.t))
        return;
    if (pane->kind == THUD_SURFACE_SOLID)
    {
        w->glance.solid = i;
        w->glance.t = t;
    }
    else if (w->glass_count < GLASSES)
    {
        w->glass[w->glass_count] = i;
        w->at[w->glass_count++] = t;
    }
}

static void add_glass(walk *w, thudi_vec sun)
{
    double clear = 1, weight = 0, shade = 0;
    for (int i = 0; i < w->glass_count; i++)
    {
        const thudi_pane *pane = &w->panes->items.items[w->glass[i]];
        if (!(w->at[i] < w->glance.t))
            continue;
        double facing = thudi_vec_dot(pane->normal, w->ray->along);
        double veil = pane->kind == THUD_SURFACE_SHEET ? VEIL_SHEET
                      : facing < 0                     ? VEIL_FRONT
                                                       : VEIL_BACK;
        double lit = fabs(thudi_vec_dot(pane->normal, sun));
        clear *= 1 - veil;
        weight += veil;
        shade += veil * lit;
    }
    w->glance.veil = 1 - clear;
    w->glance.shade = weight > 0 ? shade / weight : 0;
}

thudi_pane_hit thudi_panes_trace(const thudi_panes *panes, const thudi_ray *ray, double limit,
                                 thudi_vec sun)
{
    walk w = {.panes = panes, .ray = ray, .glance = {.solid = -1, .t = limit}};
    double from[3], inverse[3];
    int stack[DEPTH], depth = 0;
    components(ray->from, from);
    components(ray->along, inverse);
    for (int k = 0; k < 3; k++)
        inverse[k] = 1 / (fabs(inverse[k]) > LEAST_ALONG ? inverse[k] : LEAST_ALONG);
    if (panes->node_count > 0)
        stack[depth++] = 0;
    while (depth > 0)
    {
        const thudi_pane_node *node = &panes->nodes.items[stack[--depth]];
        if (!meets(node, from, inverse, w.glance.t))
            continue;
        for (int i = node->first; i < node->first + node->count; i++)
            visit(&w, i);
        if (node->count == 0 && depth + 2 <= DEPTH)
        {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    add_glass(&w, sun);
    return w.glance;
}
