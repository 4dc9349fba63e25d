// The rows of a world of spheres, and the check that none was missed.
//
//     pairs:  g = |q_b - q_a - offset| - r_a - r_b,  slope (-n, n), offset 0 without a cell;
//     walls:  g = n . q - offset - r,  slope n
//
// LINEARISE pushes the pairs that could touch in this step, by the prediction:
//     g < 2 sigma + 2 h |w - u| + h max(s_a, s_b).
// |w - u| is the largest of all bodies. s_i is the largest relative speed of a near pair that
// contains body i or one of its near neighbours. It also pushes near pairs with a multiplier, and
// all pairs that glue holds, at any distance. Impacts can make bodies faster, so rows may be
// missing. FIND_MISSING therefore searches all pairs that could have met with the velocities found,
// where c is their mean:
//     g < 2 sigma + h (|u_a - c| + |u_b - c|).
// It pushes those with lin below sigma, less what the solver may miss in the rows that it has
// (thudi_world_least_lin). So the answer does not depend on the prediction.
#include "spheres/cell.h"
#include "spheres/obstacles.h"
#include "spheres/pairs.h"
#include "spheres/walls.h"

#include "core/rooms.h"
#include "core/threads.h"

#include <limits.h>
#include <math.h>
#include <string.h>

bool thudi_world_direction(const thud_world *world, const double *q, int a, int partner,
                           const double offset[3], double *distance, double normal[3])
{
    int b = thudi_world_partner(world, partner);
    double sum = 0;
    normal[2] = 0;
    for (int k = 0; k < world->dim && k < 3; k++)
    {
        normal[k] = thudi_image_between(q[world->dim * a + k], q[world->dim * b + k], offset[k]);
        sum += normal[k] * normal[k];
    }
    *distance = sqrt(sum);
    for (int k = 0; k < world->dim; k++)
        normal[k] /= *distance;
    return *distance > 0;
}

// Raise *slot to value; shared: other threads may do so at the same time.
static inline void raise_to(double *slot, double value, bool shared)
{
    if (!shared)
    {
        *slot = value > *slot ? value : *slot;
        return;
    }
    double old;
    __atomic_load(slot, &old, __ATOMIC_RELAXED);
    while (value > old &&
           !__atomic_compare_exchange(slot, &old, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue; // old is what is there now
}

int thudi_world_recall(const thud_moment *at, thud_key key)
{
    int low = 0, high = at->multiplier_count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (thud_key_before(at->multipliers[middle].key, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How far apart bodies may be and still count as near, half of it by each: what the fastest could
// close, but not more than a few radii, as FIND_MISSING finds what is missing.
static double near_margin(const thud_world *world, const thudi_near_motion *motion, double travel,
                          double radius)
{
    double size = thudi_near_size(motion, radius);
    return (travel < size ? travel : size) + 2 * thudi_shift_of(&world->shift, size);
}

// Four near pairs: gaps from the squares of the distances, and the squares of the relative speeds.
static inline bool measure_four(const thud_world *world, const thudi_pair *pairs, double *gaps,
                                double *relative)
{
    const thudi_near_body *a[4], *b[4];
    four v[4], distance = four_sqrt(four_load(gaps));
    for (int k = 0; k < 4; k++)
    {
        a[k] = &world->near.bodies[pairs[k].a];
        b[k] = &world->near.bodies[thudi_world_partner(world, pairs[k].b)];
        v[k] = four_load(b[k]->v) - four_load(a[k]->v);
    }
    four_transpose(v);
    four own = {a[0]->radius, a[1]->radius, a[2]->radius, a[3]->radius};
    four other = {b[0]->radius, b[1]->radius, b[2]->radius, b[3]->radius};
    four_store(gaps, distance - own - other);
    four_store(relative, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return four_all(distance > 0);
}

static bool measure_one(const thud_world *world, thudi_pair pair, double *gap, double *relative)
{
    const thudi_near_body *own = &world->near.bodies[pair.a];
    const thudi_near_body *other = &world->near.bodies[thudi_world_partner(world, pair.b)];
    double vx = other->v[0] - own->v[0], vy = other->v[1] - own->v[1];
    double vz = other->v[2] - own->v[2], distance = sqrt(*gap);
    *gap = distance - own->radius - other->radius;
    *relative = vx * vx + vy * vy + vz * vz;
    return distance > 0;
}

// The near pairs of a chunk; speed: the square of the largest relative speed to a near body.
static void find_near(thud_world *world, const thudi_near_view *view, int chunk, bool shared)
{
    thudi_near_place place = thudi_near_begin(&world->near, view, chunk);
    world->chunks.items[chunk].first_pair = place.pair;
    double *speed = world->speed, *gaps = thudi_world_pair_gaps(world, chunk);
    thudi_pair *pairs = thudi_world_pairs(world, chunk);
    int count = thudi_near_select(&world->near, view, INT_MAX, &place, pairs, gaps), some;
    bool apart = true;
    for (int p = 0; p < count; p += some)
    {
        double relative[4];
        some = p < count - 3 ? 4 : 1;
        bool fine = some == 4 ? measure_four(world, pairs + p, gaps + p, relative)
                              : measure_one(world, pairs[p], gaps + p, relative);
        apart = apart && fine;
        for (int k = 0; k < some; k++)
        {
            raise_to(&speed[pairs[p + k].a], relative[k], shared);
            raise_to(&speed[thudi_world_partner(world, pairs[p + k].b)], relative[k], shared);
        }
    }
    world->chunks.items[chunk].pair_count = count;
    world->chunks.items[chunk].coincides = !apart;
}

// Write speed_around: the largest speed[] of a body and of the bodies near it.
static void spread_speeds(thud_world *world, int chunk, bool shared)
{
    const double *speed = world->speed;
    double *speed_around = world->speed_around;
    int start = thudi_world_chunk_start(world, chunk);
    const thudi_pair *pairs = thudi_world_pairs(world, chunk);
    for (int i = start; i < thudi_world_chunk_start(world, chunk + 1); i++)
        raise_to(&speed_around[i], speed[i], shared);
    for (int p = 0; p < world->chunks.items[chunk].pair_count; p++)
    {
        int a = pairs[p].a, b = thudi_world_partner(world, pairs[p].b);
        raise_to(&speed_around[a], speed[b], shared);
        raise_to(&speed_around[b], speed[a], shared);
    }
}

// From here on speed is the root of speed_around, in length / time.
static void take_roots(thud_world *world, int chunk)
{
    const double *speed_around = world->speed_around;
    double *speed = world->speed;
    for (int i = thudi_world_chunk_start(world, chunk);
         i < thudi_world_chunk_start(world, chunk + 1); i++)
        speed[i] = sqrt(speed_around[i]);
}

// The multipliers of the step before, gone through in the order of the keys.
typedef struct memory
{
    const thud_moment *at;
    int next;
    thud_key key; // of the next, THUD_NO_KEY behind the last: of no pair
} memory;

static memory remember_from(const thud_moment *at, thud_key key)
{
    int next = thudi_world_recall(at, key);
    return (memory){at, next,
                    next < at->multiplier_count ? at->multipliers[next].key : THUD_NO_KEY};
}

static inline bool remembers(memory *m, thud_key key)
{
    const thud_moment *at = m->at;
    while (thud_key_before(m->key, key))
        m->key = ++m->next < at->multiplier_count ? at->multipliers[m->next].key : THUD_NO_KEY;
    return thud_key_same(m->key, key);
}

// Which of four pairs could touch, one bit each.
static inline unsigned could_touch(const thud_world *world, const thud_moment *at,
                                   double velocity_change, const thudi_pair *pairs,
                                   const double *gaps)
{
    const double *speed = world->speed, *radius = world->radius.items;
    int a[4], b[4];
    for (int k = 0; k < 4; k++)
    {
        a[k] = pairs[k].a;
        b[k] = thudi_world_partner(world, pairs[k].b);
    }
    four fast = four_larger((four){speed[a[0]], speed[a[1]], speed[a[2]], speed[a[3]]},
                            (four){speed[b[0]], speed[b[1]], speed[b[2]], speed[b[3]]});
    four least = four_smaller((four){radius[a[0]], radius[a[1]], radius[a[2]], radius[a[3]]},
                              (four){radius[b[0]], radius[b[1]], radius[b[2]], radius[b[3]]});
    four limit =
        2 * thudi_shift_of_four(&world->shift, least) + at->h * (2 * velocity_change + fast);
    return four_bits(four_load(gaps) < limit);
}

static unsigned one_could_touch(const thud_world *world, const thud_moment *at,
                                double velocity_change, thudi_pair pair, double gap)
{
    int a = pair.a, b = thudi_world_partner(world, pair.b);
    const double *speed = world->speed, *radius = world->radius.items;
    double fast = speed[a] > speed[b] ? speed[a] : speed[b];
    double shift = thudi_world_shift(world, radius[a], radius[b]);
    return gap < 2 * shift + at->h * (2 * velocity_change + fast);
}

// Keep of the near pairs of a chunk those that could touch and those with a multiplier.
static void choose(thud_world *world, const thud_moment *at, double velocity_change, int chunk)
{
    const double *gaps = thudi_world_pair_gaps(world, chunk);
    int count = world->chunks.items[chunk].pair_count, kept = 0, p = 0;
    thudi_pair *pairs = thudi_world_pairs(world, chunk);
    memory m = {at, 0, THUD_NO_KEY};
    if (count > 0)
        m = remember_from(at, thudi_world_key(world, pairs[0].a, pairs[0].b));
    for (; p < count - 3; p += 4)
    {
        unsigned wanted = could_touch(world, at, velocity_change, pairs + p, gaps + p);
        for (unsigned rest = ~wanted & 15; rest != 0; rest &= rest - 1)
        {
            int k = __builtin_ctz(rest);
            thud_key key = thudi_world_key(world, pairs[p + k].a, pairs[p + k].b);
            wanted |= (unsigned)remembers(&m, key) << k;
        }
        kept += four_pack(pairs + kept, pairs + p, wanted);
    }
    for (; p < count; p++)
    {
        bool wanted = one_could_touch(world, at, velocity_change, pairs[p], gaps[p]) ||
                      remembers(&m, thudi_world_key(world, pairs[p].a, pairs[p].b));
        pairs[kept] = pairs[p];
        kept += wanted;
    }
    world->chunks.items[chunk].pair_count = kept;
}

// Reaches, speeds of walls, and no speeds of bodies yet.
static void begin(thud_world *world, const thud_moment *at, const thudi_near_motion *motion,
                  int chunk)
{
    double travel = 2 * at->h * motion->fastest + 2 * at->h * motion->velocity_change;
    double mean = sqrt(motion->mean[0] * motion->mean[0] + motion->mean[1] * motion->mean[1] +
                       motion->mean[2] * motion->mean[2]);
    for (int i = thudi_world_chunk_start(world, chunk);
         i < thudi_world_chunk_start(world, chunk + 1); i++)
    {
        double radius = world->near.bodies[i].radius;
        world->near.bodies[i].reach = radius + near_margin(world, motion, travel, radius) / 2;
        world->speed_around[i] = 0;
    }
    thudi_walls_linearise(world, at, chunk, motion->velocity_change, 2 * motion->fastest + mean);
}

static thud_status open_rooms(thud_world *world, const thudi_near_view *view, thud_rooms *rooms)
{
    size_t count = (size_t)world->count;
    THUD_TRY(thudi_near_open(&world->near, view, rooms));
    THUD_TRY(thudi_room(rooms, &world->speed, count, "speeds near bodies"));
    THUD_TRY(thudi_room(rooms, &world->speed_around, count, "speeds around bodies"));
    return thudi_room(rooms, &world->at_wall, count, "bodies at walls");
}

thud_status thudi_world_linearise(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    thudi_near_motion motion;
    int chunks = thudi_world_chunk_count(world);
    bool is_parallel = world->count >= THUDI_CELLS_THREADS_FROM, coincides = false;
    bool shared = is_parallel && omp_get_max_threads() > 1;
    thud_rooms *rooms = thud_rows_rooms(rows);
    thudi_near_view view = thudi_world_view_moving(world, at, at->w, NULL);
    THUD_TRY(open_rooms(world, &view, rooms));
    thudi_near_measure(&world->near, &view, &motion);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (is_parallel)
    for (int c = 0; c < chunks; c++)
        begin(world, at, &motion, c);
    thudi_near_request request = {.ahead = at->h, .travel = motion.fastest * at->h};
    if (thudi_near_needs_list(&world->near, &view, &motion, &request))
        THUD_TRY(thudi_world_fail_search(world, thudi_near_make_list(&world->near, &view, rooms)));
    THUD_TRY(thudi_near_open_pairs(&world->near, rooms));
#pragma omp parallel num_threads(thudi_threads()) if (is_parallel)
    {
#pragma omp for schedule(static)
        for (int c = 0; c < chunks; c++)
            find_near(world, &view, c, shared);
#pragma omp for schedule(static)
        for (int c = 0; c < chunks; c++)
            spread_speeds(world, c, shared);
#pragma omp for schedule(static)
        for (int c = 0; c < chunks; c++)
            take_roots(world, c);
#pragma omp for schedule(static) reduction(|| : coincides)
        for (int c = 0; c < chunks; c++)
        {
            choose(world, at, motion.velocity_change, c);
            coincides = coincides || world->chunks.items[c].coincides;
        }
    }
    if (coincides)
        return THUD_ERR_OVERLAP;
    THUD_TRY(thudi_world_push_pairs(world, rows));
    THUD_TRY(thudi_world_push_held(world, at, rows));
    THUD_TRY(thudi_walls_push_near(world, at, motion.velocity_change, rows));
    return thudi_world_push_obstacles(world, at, motion.velocity_change, rows);
}

// What a phase opens ends with it.
static thud_status push_for(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    thud_rooms *rooms = thud_rows_rooms(rows);
    int open = thud_rooms_count(rooms);
    if (at->phase == THUD_LOOK_BACK)
        return thudi_world_look_back(world, at, rows);
    thud_status status = at->phase == THUD_FIND_MISSING ? thudi_world_find_missing(world, at, rows)
                                                        : thudi_world_linearise(world, at, rows);
    thud_rooms_close(rooms, open);
    return status;
}

int thudi_world_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    thud_world *world = user;
    thud_status status = world->is_ready ? THUD_OK : THUD_ERR_ARGUMENT;
    world->message[0] = '\0';
    if (status < 0)
        thudi_world_fail(world, "bodies or walls have changed: call thud_world_prepare first");
    if (status >= 0)
        status = thudi_world_place_at(world, at->t);
    if (status >= 0 && world->def.cell.shear && at->phase == THUD_LINEARISE)
        (void)thudi_world_smooth_shear(world, at->q);
    if (status >= 0)
        status = push_for(world, at, rows);
    if (status < 0 && world->is_periodic && world->is_ready && world->message[0] != '\0')
        thud_rows_fail_text(rows, status, world->message);
    if (status < 0 && world->message[0] == '\0')
        thudi_world_fail(world, "%s", thud_status_text(status));
    if (status == THUD_ERR_MEMORY || status == THUD_ERR_LIMIT)
        thud_rows_fail(rows, status); // no fault of the problem: the step says so
    return status < 0 ? status : 0;
}

int thudi_world_force(double t, const double *q, double *f, void *user)
{
    const thud_world *world = user;
    double gravity[3];
    memcpy(gravity, world->def.gravity, sizeof gravity);
    if (world->def.gravity_law && world->def.gravity_law(t, gravity, world->def.user) != 0)
        return -1;
    for (int i = 0; i < world->count; i++)
        for (int k = 0; k < world->dim; k++)
        {
            int at = world->dim * i + k;
            f[at] = world->mass.items[at] * gravity[k];
        }
    if (!world->def.force)
        return 0;
    return world->def.force(t, world->count, world->id.items, q, f, world->def.user);
}
