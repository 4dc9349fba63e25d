// The walls of a world of spheres: which bodies are near one, and their rows.
//
// A body is near if any wall is; that is found in one pass. The walls are then gone through one by
// one, for rows in the order of their keys, over these bodies alone.
#include "spheres/materials.h"
#include "spheres/pairs.h"
#include "spheres/walls.h"

#include "rows/key.h"

#include <math.h>

// The search for near walls goes this much further: far more than rounding, and no row more.
static const double OUTWARDS = 1 + 0x1p-20;

double thudi_world_wall_gap(const thud_world *world, int wall, const double *q, int i)
{
    const thud_plane *plane = &world->planes.items[wall];
    double sum = -plane->offset;
    for (int k = 0; k < world->dim; k++)
        sum += plane->normal[k] * q[world->dim * i + k];
    return sum - world->radius.items[i];
}

// Four bodies of a chunk, beginning with i; behind its end the first of them again.
typedef struct bunch
{
    const thudi_near_body *body[4];
    int count;         // of them that are not behind the end
    four x[4], radius; // three coordinates, and the reach
} bunch;

static inline bunch gather(const thud_world *world, int i, int end)
{
    bunch batch = {.count = end - i < 4 ? end - i : 4};
    for (int k = 0; k < 4; k++)
    {
        batch.body[k] = &world->near.bodies[i + (k < batch.count ? k : 0)];
        batch.x[k] = four_load(batch.body[k]->q);
    }
    four_transpose(batch.x);
    batch.radius = (four){batch.body[0]->radius, batch.body[1]->radius, batch.body[2]->radius,
                          batch.body[3]->radius};
    return batch;
}

// thudi_world_wall_gap of four bodies at x, the third coordinate 0 in two dimensions.
static inline four gaps_at(const thud_plane *plane, const four x[3], four radius)
{
    four sum = four_of(-plane->offset);
    sum += plane->normal[0] * x[0];
    sum += plane->normal[1] * x[1];
    sum += plane->normal[2] * x[2];
    return sum - radius;
}

// The squares of the speeds of four bodies along a normal.
static inline four speeds_along(const thud_plane *plane, const bunch *batch)
{
    four v[4];
    for (int k = 0; k < 4; k++)
        v[k] = four_load(batch->body[k]->v);
    four_transpose(v);
    four along = 0 + plane->normal[0] * v[0];
    along += plane->normal[1] * v[1];
    along += plane->normal[2] * v[2];
    return along * along;
}

// Which walls may be near four bodies, by bit, and the squares of their speeds along the normals of
// those that they could meet; far: what near is.
static inline void find_near_walls(const thud_world *world, const bunch *batch, four far,
                                   int64_t walls[4], double speed[4])
{
    four twice = 2 * batch->x[3], fast = {0};
    four_flags all = {0};
    for (int w = 0; w < world->wall_count; w++)
    {
        const thud_plane *plane = &world->planes.items[w];
        int64_t bit = world->wall_count <= 32 ? INT64_C(1) << w : UINT32_MAX;
        four gap = gaps_at(plane, batch->x, batch->radius);
        four_flags met = gap < twice;
        all |= (gap < far) & bit;
        if (four_bits(met))
            fast = four_larger(four_only(met, speeds_along(plane, batch)), fast);
    }
    memcpy(walls, &all, sizeof all);
    four_store(speed, fast);
}

// fastest: no body's speed_around is larger than its square.
void thudi_walls_linearise(thud_world *world, const thud_moment *at, int chunk,
                           double velocity_change, double fastest)
{
    int start = thudi_world_chunk_start(world, chunk), count = 0;
    int end = thudi_world_chunk_start(world, chunk + 1);
    thudi_at_wall *out = world->at_wall + start;
    double travel = at->h * (2 * velocity_change + fastest) * OUTWARDS;
    for (int i = start; i < end; i += 4)
    {
        bunch batch = gather(world, i, end);
        four far = 2 * thudi_shift_of_four(&world->shift, batch.radius) * OUTWARDS + travel;
        int64_t walls[4];
        double speed[4];
        find_near_walls(world, &batch, far, walls, speed);
        for (int k = 0; k < batch.count; k++)
        {
            world->speed[i + k] = speed[k];
            out[count] = (thudi_at_wall){i + k, (uint32_t)walls[k]};
            count += walls[k] != 0;
        }
    }
    world->chunks.items[chunk].wall_count = count;
}

void thudi_walls_find_missing(thud_world *world, const thudi_near_view *view, double allowed_miss,
                              int chunk)
{
    int start = thudi_world_chunk_start(world, chunk), count = 0;
    int end = thudi_world_chunk_start(world, chunk + 1);
    thudi_at_wall *out = world->at_wall + start;
    four least = four_of(INFINITY);
    for (int i = start; i < end; i += 4)
    {
        bunch batch = gather(world, i, end);
        four nearest = four_of(INFINITY), shift = thudi_shift_of_four(&world->shift, batch.radius);
        for (int k = 0; k < 4; k++)
            batch.x[k] = thudi_near_numbers(view, view->to, i + (k < batch.count ? k : 0));
        four_transpose(batch.x);
        for (int w = 0; w < world->wall_count; w++) // affine: the gaps are lin
            nearest =
                four_smaller(gaps_at(&world->planes.items[w], batch.x, batch.radius), nearest);
        least = four_smaller(nearest, least);
        unsigned met = four_bits(nearest < thudi_world_least_lin_four(world, shift, allowed_miss));
        for (met &= (1U << batch.count) - 1; met != 0; met &= met - 1)
            out[count++] = (thudi_at_wall){i + __builtin_ctz(met), UINT32_MAX};
    }
    double low = least[0] < least[1] ? least[0] : least[1];
    double high = least[2] < least[3] ? least[2] : least[3];
    world->chunks.items[chunk].wall_count = count;
    world->chunks.items[chunk].least_gap = low < high ? low : high;
}

thud_pair_row thudi_walls_row(const thud_world *world, int wall, const double *q, int i)
{
    const double *normal = world->planes.items[wall].normal;
    int own = world->material.items[i], other = world->walls.items[wall].material;
    return (thud_pair_row){
        .key = thudi_key_wall(wall, world->id.items[i]),
        .gap = thudi_world_wall_gap(world, wall, q, i),
        .shift = thudi_shift_of(&world->shift, world->radius.items[i]),
        .a = -1,
        .b = world->dim * i,
        .normal = {normal[0], normal[1], normal[2]},
        .law = world->law->law,
        .numbers = thudi_world_numbers(world, own, other),
    };
}

enum
{
    SOME = 64 // rows of a wall that are pushed at once
};

// The rows of one wall.
typedef struct wall_rows
{
    thud_world *world;
    const thud_moment *at;
    thud_rows *rows;
    int wall, count; // made but not yet pushed
    thud_pair_row row[SOME];
} wall_rows;

static thud_status push_rows(wall_rows *list)
{
    int count = list->count;
    list->count = 0;
    return thud_rows_push_pairs(list->rows, list->world->dim, list->row, count);
}

static thud_status add_row(wall_rows *list, int i)
{
    if (list->count == SOME)
        THUD_TRY(push_rows(list));
    list->row[list->count++] = thudi_walls_row(list->world, list->wall, list->at->q, i);
    return THUD_OK;
}

// The bodies that had a multiplier of this wall, up to a key; *m is the next of them.
static thud_status add_recalled(wall_rows *list, thud_key below, int *m)
{
    const thud_moment *at = list->at;
    for (; *m < at->multiplier_count && thud_key_before(at->multipliers[*m].key, below); ++*m)
    {
        thud_key key = at->multipliers[*m].key;
        bool again = *m > 0 && thud_key_same(at->multipliers[*m - 1].key, key);
        int i = again ? -1 : thudi_world_find(list->world, thudi_key_low(key, list->world->keys));
        if (i >= 0)
            THUD_TRY(add_row(list, i));
    }
    return THUD_OK;
}

// The rows of one wall: bodies that could touch, or had a multiplier.
static thud_status push_near_wall(wall_rows *list, double velocity_change)
{
    thud_world *world = list->world;
    const thud_moment *at = list->at;
    const double *speed = world->speed; // roots of the rings
    thudi_key_range keys = thudi_key_of_wall(list->wall);
    int m = thudi_world_recall(at, keys.first);
    for (int c = 0; c < thudi_world_chunk_count(world); c++)
    {
        const thudi_at_wall *bodies = world->at_wall + thudi_world_chunk_start(world, c);
        for (int n = 0; n < world->chunks.items[c].wall_count; n++)
        {
            int i = bodies[n].body;
            if (!(bodies[n].walls >> (list->wall & 31) & 1))
                continue;
            thud_key key = thudi_key_wall(list->wall, world->id.items[i]);
            double gap = thudi_world_wall_gap(world, list->wall, at->q, i);
            double shift = thudi_shift_of(&world->shift, world->radius.items[i]);
            THUD_TRY(add_recalled(list, key, &m));
            bool known = m < at->multiplier_count && thud_key_same(at->multipliers[m].key, key);
            m += known;
            if (known || gap < 2 * shift + at->h * (2 * velocity_change + speed[i]))
                THUD_TRY(add_row(list, i));
        }
    }
    THUD_TRY(add_recalled(list, keys.behind, &m));
    return push_rows(list);
}

thud_status thudi_walls_push_near(thud_world *world, const thud_moment *at, double velocity_change,
                                  thud_rows *rows)
{
    wall_rows list;
    list.world = world;
    list.at = at;
    list.rows = rows;
    list.count = 0;
    for (int w = 0; w < world->wall_count; w++)
    {
        list.wall = w;
        THUD_TRY(push_near_wall(&list, velocity_change));
    }
    return THUD_OK;
}

// The rows of one wall: bodies that have met it.
static thud_status push_met_wall(wall_rows *list, double allowed_miss)
{
    thud_world *world = list->world;
    for (int c = 0; c < thudi_world_chunk_count(world); c++)
    {
        const thudi_at_wall *bodies = world->at_wall + thudi_world_chunk_start(world, c);
        for (int n = 0; n < world->chunks.items[c].wall_count; n++)
        {
            int i = bodies[n].body;
            double shift = thudi_shift_of(&world->shift, world->radius.items[i]);
            if (thudi_world_wall_gap(world, list->wall, list->at->trial, i) <
                thudi_world_least_lin(world, shift, allowed_miss))
                THUD_TRY(add_row(list, i));
        }
    }
    return push_rows(list);
}

thud_status thudi_walls_push_met(thud_world *world, const thud_moment *at, double allowed_miss,
                                 thud_rows *rows)
{
    wall_rows list;
    list.world = world;
    list.at = at;
    list.rows = rows;
    list.count = 0;
    for (int w = 0; w < world->wall_count; w++)
    {
        list.wall = w;
        THUD_TRY(push_met_wall(&list, allowed_miss));
    }
    return THUD_OK;
}
