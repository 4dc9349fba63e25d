// The paths to doors. Distances D solve |grad D| = 1, D = 0 on the doors. Fast marching settles
// nodes in the order of their distance, each from its nearer neighbours along both axes,
//
//     sum over the axes of max(0, D - least neighbour)^2 = cell^2.
//
// Nodes with too little clearance are left out. On the outer side of a door the path continues
// along the door's normal. This holds for the strip behind the door, and for all nodes that can be
// reached from there but from which no door can be reached.
#include "build/paths.h"

#include <math.h>

enum
{
    MOST_PARTS = 1000000 // of a door, and layers around a wall
};

typedef struct door
{
    double a[2], along[2], out[2], length;
    double from, to; // the free part, as distances from a
} door;

typedef struct entry
{
    double distance;
    int node;
} entry;

typedef struct making
{
    const thudi_paths_def *def;
    const thud_allocator *allocator;
    thudi_paths *paths;
    THUDI_ARRAY(entry) heap;
    int heap_count;
    THUDI_ARRAY(int) queue;
    THUDI_ARRAY(unsigned char) state; // by node, see below
    THUDI_ARRAY(door) doors;
} making;

enum
{
    FREE,
    BLOCKED,
    SETTLED
};

static const int steps[8][2] = {{-1, 0},  {1, 0},  {0, -1}, {0, 1},
                                {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

static int node_count(const thudi_paths *paths)
{
    return paths->count[0] * paths->count[1];
}

static void position_of(const thudi_paths *paths, int node, double x[2])
{
    int row = node / paths->count[0];
    x[0] = paths->low[0] + paths->cell * (node - row * paths->count[0]);
    x[1] = paths->low[1] + paths->cell * row;
}

// The node one step away, -1 beyond the border.
static int neighbour(const thudi_paths *paths, int node, int step)
{
    int i = node % paths->count[0] + steps[step][0], j = node / paths->count[0] + steps[step][1];
    bool inside = i >= 0 && i < paths->count[0] && j >= 0 && j < paths->count[1];
    return inside ? i + paths->count[0] * j : -1;
}

static bool comes_before(const entry *a, const entry *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->node < b->node;
}

static thud_status push(making *m, double distance, int node)
{
    THUD_TRY(thudi_array_reserve(m->allocator, &m->heap, (size_t)m->heap_count + 1));
    entry *heap = m->heap.items, added = {distance, node};
    int at = m->heap_count++;
    for (; at > 0 && comes_before(&added, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = added;
    return THUD_OK;
}

static entry pop(making *m)
{
    entry *heap = m->heap.items, first = heap[0], last = heap[--m->heap_count];
    int at = 0;
    for (int child = 1; child < m->heap_count; child = 2 * at + 1)
    {
        child += child + 1 < m->heap_count && comes_before(&heap[child + 1], &heap[child]);
        if (!comes_before(&heap[child], &last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

// The nearer neighbour along an axis, among those that are settled; its distance, or INFINITY.
static double nearer(const making *m, int node, int axis, int *step)
{
    double least = INFINITY;
    *step = 2 * axis;
    for (int s = 2 * axis; s < 2 * axis + 2; s++)
    {
        int other = neighbour(m->paths, node, s);
        if (other >= 0 && m->state.items[other] == SETTLED && m->paths->distance[other] < least)
        {
            least = m->paths->distance[other];
            *step = s;
        }
    }
    return least;
}

static double distance_at(const making *m, int node)
{
    int step;
    double cell = m->paths->cell, a = nearer(m, node, 0, &step), b = nearer(m, node, 1, &step);
    double low = a < b ? a : b, high = a < b ? b : a;
    double apart = high - low;
    if (!(apart < cell))
        return low + cell;
    return low + (apart + sqrt(2 * cell * cell - apart * apart)) / 2;
}

// Set the direction by the neighbours that gave the distance.
static void set_direction(making *m, int node)
{
    double *direction = m->paths->direction + 2 * (size_t)node, own = m->paths->distance[node];
    double square = 0;
    for (int axis = 0; axis < 2; axis++)
    {
        int step;
        double least = nearer(m, node, axis, &step);
        direction[axis] = least < own ? steps[step][axis] * (own - least) : 0;
        square += direction[axis] * direction[axis];
    }
    for (int axis = 0; axis < 2 && square > 0; axis++)
        direction[axis] /= sqrt(square);
}

static thud_status march(making *m)
{
    thudi_paths *paths = m->paths;
    while (m->heap_count > 0)
    {
        entry next = pop(m);
        if (m->state.items[next.node] != FREE || next.distance > paths->distance[next.node])
            continue;
        // nodes near a door know their direction already
        if (paths->kind[next.node] != THUDI_INSIDE)
            set_direction(m, next.node);
        m->state.items[next.node] = SETTLED;
        paths->kind[next.node] = THUDI_INSIDE;
        for (int s = 0; s < 4; s++)
        {
            int other = neighbour(paths, next.node, s);
            if (other < 0 || m->state.items[other] != FREE || paths->kind[other] != THUDI_NOWHERE)
                continue;
            double distance = distance_at(m, other);
            if (!(distance < paths->distance[other]))
                continue;
            paths->distance[other] = distance;
            THUD_TRY(push(m, distance, other));
        }
    }
    return THUD_OK;
}

static double place_along(const door *d, const double x[2], double *out)
{
    double dx = x[0] - d->a[0], dy = x[1] - d->a[1];
    *out = dx * d->out[0] + dy * d->out[1];
    return dx * d->along[0] + dy * d->along[1];
}

// Find the part of a door that leaves enough room; false if there is none.
static bool open_door(const making *m, const double *ends, door *d)
{
    const thudi_paths_def *def = m->def;
    double dx = ends[2] - ends[0], dy = ends[3] - ends[1];
    *d = (door){.a = {ends[0], ends[1]}, .length = sqrt(dx * dx + dy * dy)};
    d->along[0] = dx / d->length;
    d->along[1] = dy / d->length;
    d->out[0] = d->along[1];
    d->out[1] = -d->along[0];
    double finest = 4 * d->length / def->cell;
    int parts = (finest < MOST_PARTS ? (int)finest : MOST_PARTS) + 1;
    d->from = INFINITY;
    for (int i = 0; i <= parts; i++)
    {
        double s = d->length * i / parts;
        double x[2] = {d->a[0] + s * d->along[0], d->a[1] + s * d->along[1]};
        if (def->clearance(x, def->user) < def->radius)
            continue;
        d->from = s < d->from ? s : d->from;
        d->to = s;
    }
    return d->from < INFINITY;
}

static void set_outside(making *m, int node, const double out[2])
{
    m->paths->kind[node] = THUDI_OUTSIDE;
    m->paths->direction[2 * (size_t)node] = out[0];
    m->paths->direction[2 * (size_t)node + 1] = out[1];
}

// Mark the strip behind a door as outside, as far as nothing blocks it. The strip grows from the
// nodes next to the door.
static void begin_outside(making *m, const door *d, int *queued)
{
    thudi_paths *paths = m->paths;
    int first = *queued;
    for (int node = 0; node < node_count(paths); node++)
    {
        double x[2], out;
        position_of(paths, node, x);
        double s = place_along(d, x, &out);
        if (m->state.items[node] == FREE && paths->kind[node] == THUDI_NOWHERE && s >= 0 &&
            s <= d->length && out >= 0 && out < 2 * paths->cell)
        {
            set_outside(m, node, d->out);
            m->queue.items[(*queued)++] = node;
        }
    }
    for (int k = first; k < *queued; k++)
        for (int step = 0; step < 4; step++)
        {
            int other = neighbour(paths, m->queue.items[k], step);
            double x[2], out, s;
            if (other < 0 || m->state.items[other] != FREE || paths->kind[other] != THUDI_NOWHERE)
                continue;
            position_of(paths, other, x);
            s = place_along(d, x, &out);
            if (s < 0 || s > d->length || out < 0)
                continue;
            set_outside(m, other, d->out);
            m->queue.items[(*queued)++] = other;
        }
}

// Nodes just before a door get their exact distance from it.
static thud_status begin_inside(making *m, const door *d)
{
    thudi_paths *paths = m->paths;
    for (int node = 0; node < node_count(paths); node++)
    {
        double x[2], out;
        position_of(paths, node, x);
        double s = place_along(d, x, &out), foot = s < d->from ? d->from : s > d->to ? d->to : s;
        double distance = sqrt((s - foot) * (s - foot) + out * out);
        if (m->state.items[node] != FREE || paths->kind[node] == THUDI_OUTSIDE || out >= 0 ||
            !(distance < 2.5 * paths->cell) || !(distance < paths->distance[node]))
            continue;
        paths->distance[node] = distance;
        paths->kind[node] = THUDI_INSIDE;
        for (int k = 0; k < 2; k++)
            paths->direction[2 * (size_t)node + (size_t)k] =
                ((foot - s) * d->along[k] - out * d->out[k]) / distance;
        THUD_TRY(push(m, distance, node));
    }
    return THUD_OK;
}

// Nodes that can be reached from outside nodes get their direction.
static void spread_outside(making *m, int queued)
{
    thudi_paths *paths = m->paths;
    for (int k = 0; k < queued; k++)
        for (int step = 0; step < 4; step++)
        {
            int node = m->queue.items[k], other = neighbour(paths, node, step);
            if (other < 0 || m->state.items[other] != FREE || paths->kind[other] != THUDI_NOWHERE)
                continue;
            set_outside(m, other, paths->direction + 2 * (size_t)node);
            m->queue.items[queued++] = other;
        }
}

// A node too near to a wall gets the mean direction of its known neighbours.
static bool copy_from_beside(making *m, int node)
{
    thudi_paths *paths = m->paths;
    double sum[2] = {0, 0};
    int kind = THUDI_NOWHERE;
    for (int step = 0; step < 8; step++)
    {
        int other = neighbour(paths, node, step);
        if (other < 0 || m->state.items[other] == BLOCKED || paths->kind[other] == THUDI_NOWHERE ||
            (kind != THUDI_NOWHERE && kind != paths->kind[other]))
            continue;
        kind = paths->kind[other];
        sum[0] += paths->direction[2 * (size_t)other];
        sum[1] += paths->direction[2 * (size_t)other + 1];
    }
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
    if (kind == THUDI_NOWHERE)
        return false;
    for (int k = 0; k < 2; k++)
        paths->direction[2 * (size_t)node + (size_t)k] = length > 0 ? sum[k] / length : 0;
    paths->kind[node] = (unsigned char)kind;
    return true;
}

static void extend(making *m)
{
    double wide = m->def->radius / m->paths->cell;
    int layers = (wide < MOST_PARTS ? (int)wide : MOST_PARTS) + 2;
    for (int layer = 0; layer < layers; layer++)
    {
        int queued = 0;
        for (int node = 0; node < node_count(m->paths); node++)
            if (m->state.items[node] == BLOCKED && copy_from_beside(m, node))
                m->queue.items[queued++] = node;
        for (int k = 0; k < queued; k++) // the next layer finds them known
            m->state.items[m->queue.items[k]] = SETTLED;
        if (queued == 0)
            return;
    }
}

static double nodes_along(const thudi_paths_def *def, int k)
{
    return floor((def->high[k] - def->low[k]) / def->cell) + 7;
}

double thudi_paths_nodes(const thudi_paths_def *def)
{
    return nodes_along(def, 0) * nodes_along(def, 1);
}

static thud_status take(making *m)
{
    thudi_paths *paths = m->paths;
    const thudi_paths_def *def = m->def;
    double nodes = thudi_paths_nodes(def);
    if (!(nodes <= THUDI_PATHS_NODES))
        return THUD_ERR_LIMIT;
    paths->cell = def->cell;
    for (int k = 0; k < 2; k++)
    {
        paths->count[k] = (int)nodes_along(def, k);
        paths->low[k] = def->low[k] - 3 * def->cell;
    }
    if (nodes * ((double)def->door_count + def->things) > THUDI_PATHS_WORK)
        return THUD_ERR_LIMIT;
    size_t n = (size_t)node_count(paths);
    paths->size = n * (3 * sizeof(double) + sizeof *paths->kind);
    paths->distance = thudi_allocate_zeroed(m->allocator, paths->size);
    if (!paths->distance)
        return THUD_ERR_MEMORY;
    paths->direction = paths->distance + n;
    paths->kind = (unsigned char *)(paths->direction + 2 * n);
    THUD_TRY(thudi_array_reserve(m->allocator, &m->state, n));
    THUD_TRY(thudi_array_reserve(m->allocator, &m->queue, n));
    THUD_TRY(thudi_array_reserve(m->allocator, &m->doors, (size_t)def->door_count));
    for (int node = 0; node < node_count(paths); node++)
    {
        double x[2];
        position_of(paths, node, x);
        paths->distance[node] = INFINITY;
        m->state.items[node] = def->clearance(x, def->user) < def->radius ? BLOCKED : FREE;
    }
    return THUD_OK;
}

static thud_status find_paths(making *m, int *narrow)
{
    int queued = 0;
    door *doors = m->doors.items;
    for (*narrow = 0; *narrow < m->def->door_count; ++*narrow)
        if (!open_door(m, m->def->doors + 4 * (size_t)*narrow, &doors[*narrow]))
            return THUD_ERR_ARGUMENT;
    for (int i = 0; i < m->def->door_count; i++)
        begin_outside(m, &doors[i], &queued);
    for (int i = 0; i < m->def->door_count; i++)
        THUD_TRY(begin_inside(m, &doors[i]));
    THUD_TRY(march(m));
    spread_outside(m, queued);
    extend(m);
    return THUD_OK;
}

thud_status thudi_paths_make(const thudi_paths_def *def, const thud_allocator *allocator,
                             thudi_paths *paths, int *narrow)
{
    making m = {.def = def, .allocator = allocator, .paths = paths};
    *paths = (thudi_paths){0};
    thud_status status = take(&m);
    if (status >= 0)
        status = find_paths(&m, narrow);
    thudi_array_free(allocator, &m.heap);
    thudi_array_free(allocator, &m.queue);
    thudi_array_free(allocator, &m.state);
    thudi_array_free(allocator, &m.doors);
    if (status < 0)
        thudi_paths_free(allocator, paths);
    return status;
}

void thudi_paths_free(const thud_allocator *allocator, thudi_paths *paths)
{
    thudi_free(allocator, paths->distance, paths->size);
    *paths = (thudi_paths){0};
}
