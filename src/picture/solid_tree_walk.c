// Looking into the tree: the first solid along a ray, the light that arrives, the sky that is free.
#include "picture/solid_tree.h"

// Of the squared length of a cylinder: a ray this parallel to its axis meets an end, if anything.
static const double PARALLEL = 1e-12;

enum
{
    STACK = 128 // 7 waiting at each of the levels that 2^31 solids have, and more
};

// A ray as floats, and where it passes the children of a node.
typedef struct lanes
{
    float x, y, z, dx, dy, dz;
    float along[THUDI_TREE_WIDTH]; // to the point next to the centre
    float off[THUDI_TREE_WIDTH];   // squared distance of the centre there
} lanes;

static void lanes_start(lanes *l, const thudi_ray *ray)
{
    l->x = (float)ray->from.x;
    l->y = (float)ray->from.y;
    l->z = (float)ray->from.z;
    l->dx = (float)ray->along.x;
    l->dy = (float)ray->along.y;
    l->dz = (float)ray->along.z;
}

// The distance is taken from the difference vector: a difference of squares would lose digits.
static inline void lanes_pass(lanes *l, const thudi_tree_node *node)
{
    for (int i = 0; i < THUDI_TREE_WIDTH; i++)
    {
        float x = node->x[i] - l->x, y = node->y[i] - l->y, z = node->z[i] - l->z;
        float s = x * l->dx + y * l->dy + z * l->dz;
        x -= s * l->dx;
        y -= s * l->dy;
        z -= s * l->dz;
        l->along[i] = s;
        l->off[i] = x * x + y * y + z * z;
    }
}

static double enter_sphere(thudi_vec center, double radius, const thudi_ray *ray)
{
    thudi_vec to = thudi_vec_sub(center, ray->from);
    double along = thudi_vec_dot(to, ray->along);
    thudi_vec off = thudi_vec_along(to, ray->along, -along);
    double half = radius * radius - thudi_vec_dot(off, off);
    if (half < 0)
        return INFINITY;
    double t = along - sqrt(half);
    return t > 0 ? t : INFINITY;
}

// The side of a cylinder between its ends, else the nearer of the two balls there.
double thudi_solid_enter(const thudi_solid *solid, const thudi_ray *ray)
{
    thudi_vec axis = thudi_vec_sub(solid->b, solid->a), from = thudi_vec_sub(ray->from, solid->a);
    double aa = thudi_vec_dot(axis, axis);
    if (aa == 0)
        return enter_sphere(solid->a, solid->radius, ray);
    double ad = thudi_vec_dot(axis, ray->along), af = thudi_vec_dot(axis, from);
    double df = thudi_vec_dot(ray->along, from), ff = thudi_vec_dot(from, from);
    double next = af < 0 ? 0 : (af > aa ? 1 : af / aa); // to the ray's start, on the axis
    if (ff - 2 * next * af + next * next * aa < solid->radius * solid->radius)
        return INFINITY; // inside, where an end would be met from within
    double p = aa - ad * ad, q = aa * df - ad * af;
    double r = aa * ff - af * af - solid->radius * solid->radius * aa;
    double root = q * q - p * r;
    if (root >= 0 && p > PARALLEL * aa)
    {
        double t = (-q - sqrt(root)) / p, at = af + t * ad;
        if (t > 0 && at > 0 && at < aa)
            return t;
    }
    double first = enter_sphere(solid->a, solid->radius, ray);
    double second = enter_sphere(solid->b, solid->radius, ray);
    return first < second ? first : second;
}

typedef struct waiting
{
    int node;
    float enter;
} waiting;

// Put the children that the ray meets before *best on the stack, nearest on top; solids are tried
// at once.
static int push_children(const thudi_tree *tree, const thudi_tree_node *node, const thudi_ray *ray,
                         lanes *l, waiting *stack, int depth, double *best, int *found)
{
    int bottom = depth;
    lanes_pass(l, node);
    for (int i = 0; i < node->count; i++)
    {
        float half = node->r[i] * node->r[i] - l->off[i];
        if (half < 0 || l->along[i] + node->r[i] < 0)
            continue;
        float enter = l->along[i] - sqrtf(half) - (float)tree->slack;
        if ((double)enter >= *best)
            continue;
        if (node->link[i] < 0)
        {
            int solid = -1 - node->link[i];
            double t = thudi_solid_enter(&tree->solids[solid], ray);
            // equal distances: the smaller number, whatever the order of the tree
            if (t < *best || (t == *best && solid < *found))
            {
                *best = t;
                *found = solid;
            }
            continue;
        }
        int at = depth++;
        for (; at > bottom && stack[at - 1].enter < enter; at--)
            stack[at] = stack[at - 1];
        stack[at] = (waiting){node->link[i], enter};
    }
    return depth;
}

int thudi_tree_nearest(const thudi_tree *tree, const thudi_ray *ray, double limit, double *t)
{
    waiting stack[STACK];
    lanes l;
    int depth = 0, found = -1;
    double best = limit;
    lanes_start(&l, ray);
    if (tree->node_count > 0)
        stack[depth++] = (waiting){0, 0};
    while (depth > 0)
    {
        waiting next = stack[--depth];
        if ((double)next.enter < best)
            depth = push_children(tree, &tree->nodes.items[next.node], ray, &l, stack, depth, &best,
                                  &found);
    }
    *t = best;
    return found;
}

// How much of the light's disc passes a sphere: its edge is taken as straight.
static double pass_sphere(const thudi_solid *solid, const thudi_ray *ray, double tangent)
{
    thudi_vec to = thudi_vec_sub(solid->a, ray->from);
    double along = thudi_vec_dot(to, ray->along);
    if (along <= 0)
        return 1;
    thudi_vec off = thudi_vec_along(to, ray->along, -along);
    double room = thudi_vec_length(off) - solid->radius, width = along * tangent;
    return thudi_smooth_step(-width, width, room);
}

double thudi_tree_light(const thudi_tree *tree, const thudi_ray *ray, double tangent, int skip)
{
    int stack[STACK], depth = 0;
    lanes l;
    double light = 1;
    lanes_start(&l, ray);
    if (tree->node_count > 0)
        stack[depth++] = 0;
    while (depth > 0 && light > 0)
    {
        const thudi_tree_node *node = &tree->nodes.items[stack[--depth]];
        lanes_pass(&l, node);
        for (int i = 0; i < node->count; i++)
        {
            float far = l.along[i] + node->r[i], wide = node->r[i] + far * (float)tangent;
            if (far < 0 || l.off[i] > wide * wide || node->link[i] == -1 - skip)
                continue;
            if (node->link[i] < 0)
                light *= pass_sphere(&tree->solids[-1 - node->link[i]], ray, tangent);
            else
                stack[depth++] = node->link[i];
        }
    }
    return light;
}

// The part of the sky, weighted by the cosine, that a sphere covers; it fades out at `reach`, and
// a part of the sphere may be below the horizon.
static double cover_sphere(const thudi_solid *solid, thudi_vec point, thudi_vec normal,
                           double reach)
{
    thudi_vec to = thudi_vec_sub(solid->a, point);
    double r = solid->radius, length = thudi_vec_length(to), height = thudi_vec_dot(normal, to);
    if (height < r)
    {
        double part = height <= -r ? 0 : (height + r) / (2 * r);
        height = part * sqrt(part) * r;
    }
    double cover = length > 0 ? height * r * r / (length * length * length) : 1;
    double fade = 1 - thudi_smooth_step(0.3 * reach, reach, length - r);
    cover = cover > 1 ? 1 : cover;
    return cover * fade;
}

double thudi_tree_sky(const thudi_tree *tree, thudi_vec point, thudi_vec normal, double reach,
                      int skip)
{
    int stack[STACK], depth = 0;
    double sky = 1;
    float px = (float)point.x, py = (float)point.y, pz = (float)point.z;
    if (tree->node_count > 0)
        stack[depth++] = 0;
    while (depth > 0)
    {
        const thudi_tree_node *node = &tree->nodes.items[stack[--depth]];
        float beyond[THUDI_TREE_WIDTH];
        for (int i = 0; i < THUDI_TREE_WIDTH; i++)
        {
            float x = node->x[i] - px, y = node->y[i] - py, z = node->z[i] - pz;
            float most = node->r[i] + (float)reach;
            beyond[i] = x * x + y * y + z * z - most * most;
        }
        for (int i = 0; i < node->count; i++)
        {
            if (beyond[i] > 0 || node->link[i] == -1 - skip)
                continue;
            if (node->link[i] < 0)
                sky *= 1 - cover_sphere(&tree->solids[-1 - node->link[i]], point, normal, reach);
            else
                stack[depth++] = node->link[i];
        }
    }
    return sky;
}
