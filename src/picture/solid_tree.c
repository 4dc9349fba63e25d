// Building the tree: solids are halved along the longest side of their bounds, again and again, at
// places that fill the nodes.
#include "picture/solid_tree.h"

#include <string.h>

// Spheres around children are floats: larger by this, and by this part of the scene's extent.
static const double OUTWARDS = 1 + 1e-5, SLACK = 2e-6;

typedef struct bounds
{
    thudi_vec low, high;
} bounds;

static thudi_vec center_of(const thudi_solid *solid)
{
    return thudi_vec_scale(thudi_vec_add(solid->a, solid->b), 0.5);
}

static double around_of(const thudi_solid *solid)
{
    return solid->radius + thudi_vec_length(thudi_vec_sub(solid->b, solid->a)) / 2;
}

static double axis_of(thudi_vec v, int axis)
{
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

static bounds bounds_of(const thudi_tree *tree, int low, int high)
{
    thudi_vec c = center_of(&tree->solids[tree->order.items[low]]);
    bounds box = {c, c};
    for (int i = low + 1; i < high; i++)
    {
        c = center_of(&tree->solids[tree->order.items[i]]);
        box.low.x = c.x < box.low.x ? c.x : box.low.x;
        box.low.y = c.y < box.low.y ? c.y : box.low.y;
        box.low.z = c.z < box.low.z ? c.z : box.low.z;
        box.high.x = c.x > box.high.x ? c.x : box.high.x;
        box.high.y = c.y > box.high.y ? c.y : box.high.y;
        box.high.z = c.z > box.high.z ? c.z : box.high.z;
    }
    return box;
}

static int longest_axis(const bounds *box)
{
    thudi_vec side = thudi_vec_sub(box->high, box->low);
    if (side.x >= side.y && side.x >= side.z)
        return 0;
    return side.y >= side.z ? 1 : 2;
}

static double key_at(const thudi_tree *tree, int place, int axis)
{
    return axis_of(center_of(&tree->solids[tree->order.items[place]]), axis);
}

static void swap_at(thudi_tree *tree, int a, int b)
{
    int kept = tree->order.items[a];
    tree->order.items[a] = tree->order.items[b];
    tree->order.items[b] = kept;
}

// Quickselect: those before `middle` have keys no larger than those after.
static void divide(thudi_tree *tree, int low, int high, int middle, int axis)
{
    while (high - low > 1)
    {
        double pivot = key_at(tree, low + (high - low) / 2, axis);
        int i = low, j = high - 1;
        while (i <= j)
        {
            while (key_at(tree, i, axis) < pivot)
                i++;
            while (key_at(tree, j, axis) > pivot)
                j--;
            if (i <= j)
                swap_at(tree, i++, j--);
        }
        if (middle <= j)
            high = j + 1;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static void set_child(thudi_tree_node *node, int child, thudi_vec center, double radius, int link)
{
    node->x[child] = (float)center.x;
    node->y[child] = (float)center.y;
    node->z[child] = (float)center.z;
    node->r[child] = (float)radius;
    node->link[child] = link;
}

static thud_status build_node(thudi_tree *tree, const thud_allocator *allocator, int low, int high,
                              int *out);

// The sphere around some solids, from the middle of their bounds, and the node below it.
static thud_status add_child(thudi_tree *tree, const thud_allocator *allocator, int parent, int low,
                             int high)
{
    bounds box = bounds_of(tree, low, high);
    thudi_vec center = thudi_vec_scale(thudi_vec_add(box.low, box.high), 0.5);
    double radius = 0;
    for (int i = low; i < high; i++)
    {
        const thudi_solid *solid = &tree->solids[tree->order.items[i]];
        double reach = thudi_vec_length(thudi_vec_sub(center_of(solid), center)) + around_of(solid);
        radius = reach > radius ? reach : radius;
    }
    int link = -1 - tree->order.items[low];
    if (high - low > 1)
        THUD_TRY(build_node(tree, allocator, low, high, &link));
    thudi_tree_node *node = &tree->nodes.items[parent];
    set_child(node, node->count++, center, radius * OUTWARDS + tree->slack, link);
    return THUD_OK;
}

// Halve until the parts are no larger than `room`, and make children of them.
static thud_status spread(thudi_tree *tree, const thud_allocator *allocator, int node, int low,
                          int high, int room)
{
    if (high - low <= room)
        return add_child(tree, allocator, node, low, high);
    bounds box = bounds_of(tree, low, high);
    int parts = (high - low - 1) / room + 1;
    int middle = low + parts / 2 * room;
    divide(tree, low, high, middle, longest_axis(&box));
    THUD_TRY(spread(tree, allocator, node, low, middle, room));
    return spread(tree, allocator, node, middle, high, room);
}

static thud_status build_node(thudi_tree *tree, const thud_allocator *allocator, int low, int high,
                              int *out)
{
    int room = 1, node = tree->node_count;
    while ((high - low - 1) / THUDI_TREE_WIDTH >= room)
        room *= THUDI_TREE_WIDTH;
    THUD_TRY(thudi_array_reserve(allocator, &tree->nodes, (size_t)node + 1));
    memset(&tree->nodes.items[node], 0, sizeof *tree->nodes.items);
    tree->node_count++;
    *out = node;
    return spread(tree, allocator, node, low, high, room);
}

thud_status thudi_tree_build(thudi_tree *tree, const thud_allocator *allocator,
                             const thudi_solid *solids, int count)
{
    int root;
    tree->solids = solids;
    tree->count = count;
    tree->node_count = 0;
    if (count == 0)
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(allocator, &tree->order, (size_t)count));
    for (int i = 0; i < count; i++)
        tree->order.items[i] = i;
    bounds box = bounds_of(tree, 0, count);
    tree->slack = SLACK * (thudi_vec_length(box.low) + thudi_vec_length(box.high) + 1);
    return build_node(tree, allocator, 0, count, &root);
}

void thudi_tree_free(thudi_tree *tree, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &tree->nodes);
    thudi_array_free(allocator, &tree->order);
}
