// A tree of boxes around the triangles of a mesh, halved at the median of the longest side.
#include "solids/shape.h"

#include <stdlib.h>
#include <string.h>

// Of the coordinates: by how much a distance may be rounded.
static const double ROUNDING = 1e-14;

enum
{
    LEAF = 4,  // triangles that are not divided further
    STACK = 64 // every level halves, so 2^24 triangles have 24 levels
};

typedef struct node
{
    double low[3], high[3];
    int first, count; // triangles order[first .. first + count)
    int right;        // the second child, the first being the next node; 0: a leaf
} node;

typedef struct ranked
{
    double key;
    int facet;
} ranked;

struct thudi_mesh_tree
{
    thud_allocator allocator;
    size_t bytes;
    int count, node_count;
    double size;
    double *triangles;
    node *nodes;
    int *order;
};

static void bound(node *at, const double *corners)
{
    for (int i = 0; i < 9; i++)
    {
        double x = corners[i];
        at->low[i % 3] = x < at->low[i % 3] ? x : at->low[i % 3];
        at->high[i % 3] = x > at->high[i % 3] ? x : at->high[i % 3];
    }
}

static int compare(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->facet < right->facet ? -1 : 1;
}

static double middle_of(const double *corners, int axis)
{
    return corners[axis] / 3 + corners[3 + axis] / 3 + corners[6 + axis] / 3;
}

// The axis along which the middles of the triangles spread most.
static int longest_axis(const thudi_mesh_tree *tree, const ranked *ranks, int count)
{
    int longest = 0;
    double most = -1;
    for (int k = 0; k < 3; k++)
    {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; i++)
        {
            double x = middle_of(tree->triangles + 9 * (size_t)ranks[i].facet, k);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > most)
        {
            most = high - low;
            longest = k;
        }
    }
    return longest;
}

// The node of ranks[first .. first + count) and all below it.
static void divide(thudi_mesh_tree *tree, ranked *ranks, int first, int count)
{
    node *at = &tree->nodes[tree->node_count++];
    *at = (node){.low = {INFINITY, INFINITY, INFINITY},
                 .high = {-INFINITY, -INFINITY, -INFINITY},
                 .first = first,
                 .count = count};
    for (int i = 0; i < count; i++)
        bound(at, tree->triangles + 9 * (size_t)ranks[first + i].facet);
    if (count <= LEAF)
        return;
    int axis = longest_axis(tree, ranks + first, count), half = count / 2;
    for (int i = first; i < first + count; i++)
        ranks[i].key = middle_of(tree->triangles + 9 * (size_t)ranks[i].facet, axis);
    qsort(ranks + first, (size_t)count, sizeof *ranks, compare);
    divide(tree, ranks, first, half);
    at->right = tree->node_count;
    divide(tree, ranks, first + half, count - half);
}

static thud_status build(thudi_mesh_tree *tree)
{
    size_t size = (size_t)tree->count * sizeof(ranked);
    ranked *ranks = thudi_allocate_zeroed(&tree->allocator, size);
    if (!ranks)
        return THUD_ERR_MEMORY;
    for (int i = 0; i < tree->count; i++)
        ranks[i].facet = i;
    divide(tree, ranks, 0, tree->count);
    for (int i = 0; i < tree->count; i++)
        tree->order[i] = ranks[i].facet;
    thudi_free(&tree->allocator, ranks, size);
    for (int i = 0; i < 3 * tree->count; i++)
    {
        double length = thudi_vector_length(tree->triangles + 3 * (size_t)i);
        tree->size = length > tree->size ? length : tree->size;
    }
    return THUD_OK;
}

thud_status thudi_mesh_tree_create(const double *triangles, int count,
                                   const thud_allocator *allocator, thudi_mesh_tree **out)
{
    // leaves hold at least LEAF / 2 triangles, or the tree is one leaf
    size_t numbers = 9 * (size_t)count * sizeof(double), most = (size_t)count + 1;
    size_t bytes = sizeof(thudi_mesh_tree) + numbers + most * sizeof(node);
    bytes += (size_t)count * sizeof(int);
    thudi_mesh_tree *tree = thudi_allocate_zeroed(allocator, bytes);
    *out = NULL;
    if (!tree)
        return THUD_ERR_MEMORY;
    tree->allocator = *allocator;
    tree->bytes = bytes;
    tree->count = count;
    tree->triangles = (double *)(tree + 1);
    tree->nodes = (node *)(tree->triangles + 9 * (size_t)count);
    tree->order = (int *)(tree->nodes + most);
    memcpy(tree->triangles, triangles, numbers);
    thud_status status = build(tree);
    if (status < 0)
        thudi_mesh_tree_destroy(tree);
    else
        *out = tree;
    return status;
}

void thudi_mesh_tree_destroy(thudi_mesh_tree *tree)
{
    if (!tree)
        return;
    thud_allocator allocator = tree->allocator;
    thudi_free(&allocator, tree, tree->bytes);
}

double thudi_mesh_tree_size(const thudi_mesh_tree *tree)
{
    return tree->size;
}

const double *thudi_mesh_tree_triangle(const thudi_mesh_tree *tree, int facet)
{
    return tree->triangles + 9 * (size_t)facet;
}

static double distance_to(const node *at, const double x[3])
{
    double away[3];
    for (int k = 0; k < 3; k++)
        away[k] = x[k] < at->low[k]    ? at->low[k] - x[k]
                  : x[k] > at->high[k] ? x[k] - at->high[k]
                                       : 0;
    return sqrt(thudi_dot(away, away));
}

// By how much the distance of a triangle may be rounded below that of a box around it.
static double rounding_at(const thudi_mesh_tree *tree, const double x[3])
{
    return ROUNDING * (tree->size + fabs(x[0]) + fabs(x[1]) + fabs(x[2]));
}

static thud_facing find_facing(const thudi_mesh_tree *tree, int i, const double x[3])
{
    thud_facing facing = {.facet = tree->order[i]};
    thudi_triangle_facing(tree->triangles + 9 * (size_t)facing.facet, x, &facing);
    return facing;
}

thud_facing thudi_mesh_tree_nearest(const thudi_mesh_tree *tree, const double x[3], double reach)
{
    int stack[STACK], depth = 0;
    double slack = rounding_at(tree, x);
    thud_facing best = {.facet = tree->count, .distance = reach};
    stack[depth++] = 0;
    while (depth > 0)
    {
        int n = stack[--depth];
        const node *at = &tree->nodes[n];
        if (distance_to(at, x) > best.distance + slack)
            continue;
        for (int i = at->first; !at->right && i < at->first + at->count; i++)
        {
            thud_facing facing = find_facing(tree, i, x);
            if (facing.distance < best.distance ||
                (facing.distance == best.distance && facing.facet < best.facet))
                best = facing;
        }
        if (!at->right)
            continue;
        bool right_first = distance_to(&tree->nodes[at->right], x) < distance_to(at + 1, x);
        stack[depth++] = right_first ? n + 1 : at->right;
        stack[depth++] = right_first ? at->right : n + 1;
    }
    if (best.facet == tree->count)
        best.distance = INFINITY;
    return best;
}

// Is all of the node behind the plane?
static bool is_behind(const node *at, const thud_facing *front, double slack)
{
    double most = 0;
    for (int k = 0; k < 3; k++)
    {
        double low = front->normal[k] * (at->low[k] - front->point[k]);
        double high = front->normal[k] * (at->high[k] - front->point[k]);
        most += low > high ? low : high;
    }
    return most <= slack;
}

thud_status thudi_mesh_tree_find(const thudi_mesh_tree *tree, const double x[3], double reach,
                                 const thud_facing *front, double slack, thud_facings *list)
{
    int stack[STACK], depth = 0;
    double rounding = rounding_at(tree, x);
    bool may_hide = front && front->distance > 0;
    stack[depth++] = 0;
    while (depth > 0)
    {
        int n = stack[--depth];
        const node *at = &tree->nodes[n];
        if (distance_to(at, x) > reach + rounding || (may_hide && is_behind(at, front, slack)))
            continue;
        for (int i = at->first; !at->right && i < at->first + at->count; i++)
        {
            thud_facing facing = find_facing(tree, i, x);
            if (facing.distance <= reach && (!front || facing.facet != front->facet))
                THUD_TRY(thudi_facings_add(list, &facing));
        }
        if (!at->right)
            continue;
        stack[depth++] = at->right;
        stack[depth++] = n + 1;
    }
    return THUD_OK;
}
