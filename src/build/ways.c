// The paths to doors. Distances D solve |grad D| = 1, D = 0 on the doors. Fast marching settles
// nodes in the order of their distance, each from its nearer neighbours along both axes,
//
//     sum over the axes of max(0, D - least neighbour)^2 = cell^2.
//
// Nodes with too little clearance are left out. On the outer side of a door the path continues
// along the door's normal. This holds for the strip behind the door, and for all nodes that can be
// reached from there but from which no door can be reached.
#include "build/ways.h"

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
    const thudi_ways_def *def;
    const thud_allocator *allocator;
    thudi_ways *ways;
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

static int node_count(const thudi_ways *ways)
{
    return ways->count[0] * ways->count[1];
}

static void position_of(const thudi_ways *ways, int node, double x[2])
{
    int row = node / ways->count[0];
    x[0] = ways->low[0] + ways->cell * (node - row * ways->count[0]);
    x[1] = ways->low[1] + ways->cell * row;
}

// The node one step away, -1 beyond the border.
static int neighbour(const thudi_ways *ways, int node, int step)
{
    int i = node % ways->count[0] + steps[step][0], j = node / ways->count[0] + steps[step][1];
    bool inside = i >= 0 && i < ways->count[0] && j >= 0 && j < ways->count[1];
    return inside ? i + ways->count[0] * j : -1;
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
        int other = neighbour(m->ways, node, s);
        if (other >= 0 && m->state.items[other] == SETTLED && m->ways->distance[other] < least)
        {
            least = m->ways->distance[other];
            *step = s;
        }
    }
    return least;
}

static double distance_at(const making *m, int node)
{
    int step;
    double cell = m->ways->cell, a = nearer(m, node, 0, &step), b = nearer(m, node, 1, &step);
    double low = a < b ? a : b, high = a < b ? b : a;
    double apart = high - low;
    if (!(apart < cell))
        return low + cell;
    return low + (apart + sqrt(2 * cell * cell - apart * apart)) / 2;
}

// Set the direction by the neighbours that gave the distance.
static void set_direction(making *m, int node)
{
    double *direction = m->ways->direction + 2 * (size_t)node, own = m->ways->distance[node];
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
    thudi_ways *ways = m->ways;
    while (m->heap_count > 0)
    {
        entry next = pop(m);
        if (m->state.items[next.node] != FREE || next.distance > ways->distance[next.node])
            continue;
        // nodes near a door know their direction already
        if (ways->kind[next.node] != THUDI_INSIDE)
            set_direction(m, next.node);
        m->state.items[next.node] = SETTLED;
        ways->kind[next.node] = THUDI_INSIDE;
        for (int s = 0; s < 4; s++)
        {
            int other = neighbour(ways, next.node, s);
            if (other < 0 || m->state.items[other] != FREE || ways->kind[other] != THUDI_NOWHERE)
                continue;
            double distance = distance_at(m, other);
            if (!(distance < ways->distance[other]))
                continue;
            ways->distance[other] = distance;
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
    const thudi_ways_def *def = m->def;
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
    m->ways->kind[node] = THUDI_OUTSIDE;
    m->ways->direction[2 * (size_t)node] = out[0];
    m->ways->direction[2 * (size_t)node + 1] = out[1];
}

// Mark the strip behind a door as outside, as far as nothing blocks it. The strip grows from the
// nodes next to the door.
static void begin_outside(making *m, const door *d, int *queued)
{
    thudi_ways *ways = m->ways;
    int first = *queued;
    for (int node = 0; node < node_count(ways); node++)
    {
        double x[2], out;
        position_of(ways, node, x);
        double s = place_along(d, x, &out);
        if (m->state.items[node] == FREE && ways->kind[node] == THUDI_NOWHERE && s >= 0 &&
            s <= d->length && out >= 0 && out < 2 * ways->cell)
        {
            set_outside(m, node, d->out);
            m->queue.items[(*queued)++] = node;
        }
    }
    for (int k = first; k < *queued; k++)
        for (int step = 0; step < 4; step++)
        {
            int other = neighbour(ways, m->queue.items[k], step);
            double x[2], out, s;
            if (other < 0 || m->state.items[other] != FREE || ways->kind[other] != THUDI_NOWHERE)
                continue;
            position_of(ways, other, x);
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
    thudi_ways *ways = m->ways;
    for (int node = 0; node < node_count(ways); node++)
    {
        double x[2], out;
        position_of(ways, node, x);
        double s = place_along(d, x, &out), foot = s < d->from ? d->from : s > d->to ? d->to : s;
        double distance = sqrt((s - foot) * (s - foot) + out * out);
        if (m->state.items[node] != FREE || ways->kind[node] == THUDI_OUTSIDE || out >= 0 ||
            !(distance < 2.5 * ways->cell) || !(distance < ways->distance[node]))
            continue;
        ways->distance[node] = distance;
        ways->kind[node] = THUDI_INSIDE;
        for (int k = 0; k < 2; k++)
            ways->direction[2 * (size_t)node + (size_t)k] =
                ((foot - s) * d->along[k] - out * d->out[k]) / distance;
        THUD_TRY(push(m, distance, node));
    }
    return THUD_OK;
}

// Nodes that can be reached from outside nodes get their direction.
static void spread_outside(making *m, int queued)
{
    thudi_ways *ways = m->ways;
    for (int k = 0; k < queued; k++)
        for (int step = 0; step < 4; step++)
        {
            int node = m->queue.items[k], other = neighbour(ways, node, step);
            if (other < 0 || m->state.items[other] != FREE || ways->kind[other] != THUDI_NOWHERE)
                continue;
            set_outside(m, other, ways->direction + 2 * (size_t)node);
            m->queue.items[queued++] = other;
        }
}

// A node too near to a wall gets the mean direction of its known neighbours.
static bool copy_from_beside(making *m, int node)
{
    thudi_ways *ways = m->ways;
    double sum[2] = {0, 0};
    int kind = THUDI_NOWHERE;
    for (int step = 0; step < 8; step++)
    {
        int other = neighbour(ways, node, step);
        if (other < 0 || m->state.items[other] == BLOCKED || ways->kind[other] == THUDI_NOWHERE ||
            (kind != THUDI_NOWHERE && kind != ways->kind[other]))
            continue;
        kind = ways->kind[other];
        sum[0] += ways->direction[2 * (size_t)other];
        sum[1] += ways->direction[2 * (size_t)other + 1];
    }
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
    if (kind == THUDI_NOWHERE)
        return false;
    for (int k = 0; k < 2; k++)
        ways->direction[2 * (size_t)node + (size_t)k] = length > 0 ? sum[k] / length : 0;
    ways->kind[node] = (unsigned char)kind;
    return true;
}

static void extend(making *m)
{
    double wide = m->def->radius / m->ways->cell;
    int layers = (wide < MOST_PARTS ? (int)wide : MOST_PARTS) + 2;
    for (int layer = 0; layer < layers; layer++)
    {
        int queued = 0;
        for (int node = 0; node < node_count(m->ways); node++)
            if (m->state.items[node] == BLOCKED && copy_from_beside(m, node))
                m->queue.items[queued++] = node;
        for (int k = 0; k < queued; k++) // the next layer finds them known
            m->state.items[m->queue.items[k]] = SETTLED;
        if (queued == 0)
            return;
    }
}

static double nodes_along(const thudi_ways_def *def, int k)
{
    return floor((def->high[k] - def->low[k]) / def->cell) + 7;
}

double thudi_ways_nodes(const thudi_ways_def *def)
{
    return nodes_along(def, 0) * nodes_along(def, 1);
}

static thud_status take(making *m)
{
    thudi_ways *ways = m->ways;
    const thudi_ways_def *def = m->def;
    double nodes = thudi_ways_nodes(def);
    if (!(nodes <= THUDI_WAYS_NODES))
        return THUD_ERR_LIMIT;
    ways->cell = def->cell;
    for (int k = 0; k < 2; k++)
    {
        ways->count[k] = (int)nodes_along(def, k);
        ways->low[k] = def->low[k] - 3 * def->cell;
    }
    if (nodes * ((double)def->door_count + def->things) > THUDI_WAYS_WORK)
        return THUD_ERR_LIMIT;
    size_t n = (size_t)node_count(ways);
    ways->size = n * (3 * sizeof(double) + sizeof *ways->kind);
    ways->distance = thudi_allocate_zeroed(m->allocator, ways->size);
    if (!ways->distance)
        return THUD_ERR_MEMORY;
    ways->direction = ways->distance + n;
    ways->kind = (unsigned char *)(ways->direction + 2 * n);
    THUD_TRY(thudi_array_reserve(m->allocator, &m->state, n));
    THUD_TRY(thudi_array_reserve(m->allocator, &m->queue, n));
    THUD_TRY(thudi_array_reserve(m->allocator, &m->doors, (size_t)def->door_count));
    for (int node = 0; node < node_count(ways); node++)
    {
        double x[2];
        position_of(ways, node, x);
        ways->distance[node] = INFINITY;
        m->state.items[node] = def->clearance(x, def->user) < def->radius ? BLOCKED : FREE;
    }
    return THUD_OK;
}

static thud_status find_ways(making *m, int *narrow)
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

thud_status thudi_ways_make(const thudi_ways_def *def, const thud_allocator *allocator,
                            thudi_ways *ways, int *narrow)
{
    making m = {.def = def, .allocator = allocator, .ways = ways};
    *ways = (thudi_ways){0};
    thud_status status = take(&m);
    if (status >= 0)
        status = find_ways(&m, narrow);
    thudi_array_free(allocator, &m.heap);
    thudi_array_free(allocator, &m.queue);
    thudi_array_free(allocator, &m.state);
    thudi_array_free(allocator, &m.doors);
    if (status < 0)
        thudi_ways_free(allocator, ways);
    return status;
}

void thudi_ways_free(const thud_allocator *allocator, thudi_ways *ways)
{
    thudi_free(allocator, ways->distance, ways->size);
    *ways = (thudi_ways){0};
}
