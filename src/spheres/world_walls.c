// The walls of a world of spheres: which bodies are near one, and their rows.
//
// A body is near if any wall is; that is found in one pass. The walls are then gone through one by
// one, for rows in the order of their keys, over these bodies alone.
#include "spheres/four.h"
#include "spheres/world.h"

#include "core/rows_pairs.h"

#include <math.h>

double thudi_world_wall_gap(const thud_world *world, int wall, const double *q, int i)
{
    const thud_plane *plane = &world->planes.items[wall];
    double sum = -plane->offset;
    for (int k = 0; k < world->dim; k++)
        sum += plane->normal[k] * q[world->dim * i + k];
    return sum - world->radius.items[i];
}

void thudi_walls_group(thud_world *world)
{
    for (int w = 0; w < (world->wall_count + 3) / 4 * 4; w++)
    {
        const thud_plane none = {.offset = -INFINITY};
        const thud_plane *plane = w < world->wall_count ? &world->planes.items[w] : &none;
        thudi_wall_group *group = &world->wall_groups.items[w / 4];
        group->minus_offset[w % 4] = -plane->offset;
        group->x[w % 4] = plane->normal[0];
        group->y[w % 4] = plane->normal[1];
        group->z[w % 4] = plane->normal[2];
    }
}

// thudi_world_wall_gap of four walls, the third coordinate 0 in two dimensions.
static inline thudi_four gaps_at(const thudi_wall_group *group, double x, double y, double z,
                                 double radius)
{
    thudi_four sum = thudi_four_load(group->minus_offset);
    sum += thudi_four_load(group->x) * x;
    sum += thudi_four_load(group->y) * y;
    sum += thudi_four_load(group->z) * z;
    return sum - radius;
}

// The larger of speed and the square of that towards a wall.
static double raise_speed(const thud_plane *plane, const double v[3], double speed)
{
    double along = 0;
    for (int k = 0; k < 3; k++)
        along += plane->normal[k] * v[k];
    return along * along > speed ? along * along : speed;
}

// fastest: no body can have more in its ring.
void thudi_walls_linearise(thud_world *world, const thud_moment *at, int chunk, double pull,
                           double fastest)
{
    int start = thudi_near_chunk_start(world, chunk), count = 0;
    int end = thudi_near_chunk_start(world, chunk + 1);
    thudi_at_wall *out = world->near.at_wall.items + start;
    double way = at->h * (2 * pull + fastest) * (1 + 0x1p-20);
    for (int i = start; i < end; i++)
    {
        const thudi_near_body *body = &world->near.bodies.items[i];
        double speed = 0, far = 2 * world->shift_factor * body->radius * (1 + 0x1p-20) + way;
        uint32_t walls = 0;
        for (int w = 0; w < world->wall_count; w += 4)
        {
            thudi_four gap = gaps_at(&world->wall_groups.items[w / 4], body->q[0], body->q[1],
                                     body->q[2], body->radius);
            unsigned met = thudi_four_bits(gap < 2 * body->reach);
            unsigned near = thudi_four_bits(gap < far);
            walls |= world->wall_count <= 32 ? near << w : near > 0 ? UINT32_MAX : 0;
            for (; met != 0; met &= met - 1)
                speed = raise_speed(&world->planes.items[w + __builtin_ctz(met)], body->v, speed);
        }
        world->near.speed.items[i] = speed;
        out[count] = (thudi_at_wall){i, walls};
        count += walls != 0;
    }
    world->near.chunks.items[chunk].wall_count = count;
}

void thudi_walls_check(thud_world *world, const thud_moment *at, double room, int chunk)
{
    int start = thudi_near_chunk_start(world, chunk), count = 0;
    int end = thudi_near_chunk_start(world, chunk + 1);
    thudi_at_wall *out = world->near.at_wall.items + start;
    double least = INFINITY;
    for (int i = start; i < end; i++)
    {
        const double *x = at->trial + (size_t)world->dim * (size_t)i;
        double z = world->dim == 3 ? x[2] : 0, r = world->radius.items[i];
        thudi_four all = thudi_four_of(INFINITY);
        for (int w = 0; w < world->wall_count; w += 4) // affine: the gaps are lin
            all =
                thudi_four_least(gaps_at(&world->wall_groups.items[w / 4], x[0], x[1], z, r), all);
        double low = all[0] < all[1] ? all[0] : all[1], high = all[2] < all[3] ? all[2] : all[3];
        double nearest = low < high ? low : high;
        least = nearest < least ? nearest : least;
        out[count] = (thudi_at_wall){i, UINT32_MAX};
        count += nearest < thudi_world_least(world, world->shift_factor * r, room);
    }
    world->near.chunks.items[chunk].wall_count = count;
    world->near.chunks.items[chunk].least_gap = least;
}

thud_pair_row thudi_walls_row(const thud_world *world, int wall, const double *q, int i)
{
    const double *normal = world->planes.items[wall].normal;
    int own = world->material.items[i], other = world->walls.items[wall].material;
    return (thud_pair_row){
        .key = thudi_world_wall_key(wall, world->id.items[i]),
        .gap = thudi_world_wall_gap(world, wall, q, i),
        .shift = world->shift_factor * world->radius.items[i],
        .a = -1,
        .b = world->dim * i,
        .normal = {normal[0], normal[1], normal[2]},
        .restitution = thudi_world_restitution(world, own, other),
        .glue = thudi_world_glue(world, own, other),
    };
}

// The rows of one wall, written where they belong.
typedef struct wall_rows
{
    thud_world *world;
    const thud_moment *at;
    thud_rows *rows;
    int wall, count;
    bool is_finite;
    thudi_rows_run run;
} wall_rows;

// Room for a row of every body near a wall, and of so many more.
static thud_status open_wall(wall_rows *list, int more)
{
    const thud_world *world = list->world;
    int count = more;
    for (int c = 0; c < thudi_near_chunk_count(world); c++)
        count += world->near.chunks.items[c].wall_count;
    return thudi_rows_open(list->rows, world->dim, 1, count, &list->run);
}

static thud_status add_row(wall_rows *list, int i)
{
    const thud_world *world = list->world;
    thud_pair_row row = thudi_walls_row(world, list->wall, list->at->q, i);
    size_t at = (size_t)list->count++;
    list->is_finite = list->is_finite && thudi_rows_is_finite(row.gap, row.shift, row.normal);
    thudi_rows_write(&list->run, world->dim, 1, at, &row);
    return world->law == THUD_LAW_DRY ? THUD_OK
                                      : thudi_rows_find_law(list->rows, row.restitution, row.glue,
                                                            &list->run.heads[at].law);
}

static thud_status close_wall(const wall_rows *list)
{
    if (!list->is_finite)
        return THUD_ERR_NOT_FINITE;
    return thudi_rows_take(list->rows, &list->run, list->count, false);
}

// The bodies that had a multiplier of this wall, up to a key; *m is the next of them.
static thud_status add_recalled(wall_rows *list, uint64_t below, int *m)
{
    const thud_moment *at = list->at;
    for (; *m < at->multiplier_count && at->multipliers[*m].key < below; ++*m)
    {
        uint64_t key = at->multipliers[*m].key;
        bool again = *m > 0 && at->multipliers[*m - 1].key == key;
        int i = again ? -1 : thudi_world_find(list->world, (int)(key & 0x7fffffff));
        if (i >= 0)
            THUD_TRY(add_row(list, i));
    }
    return THUD_OK;
}

// The rows of one wall: bodies that could touch, or had a multiplier.
static thud_status push_near_wall(wall_rows *list, double pull)
{
    thud_world *world = list->world;
    const thud_moment *at = list->at;
    const double *speed = world->near.speed.items; // roots of the rings
    uint64_t behind = thudi_world_wall_key(list->wall + 1, 0);
    int m = thudi_world_recall(at, thudi_world_wall_key(list->wall, 0));
    THUD_TRY(open_wall(list, thudi_world_recall(at, behind) - m));
    for (int c = 0; c < thudi_near_chunk_count(world); c++)
    {
        const thudi_at_wall *bodies = world->near.at_wall.items + thudi_near_chunk_start(world, c);
        for (int n = 0; n < world->near.chunks.items[c].wall_count; n++)
        {
            int i = bodies[n].body;
            if (!(bodies[n].walls >> (list->wall & 31) & 1))
                continue;
            uint64_t key = thudi_world_wall_key(list->wall, world->id.items[i]);
            double gap = thudi_world_wall_gap(world, list->wall, at->q, i);
            double shift = world->shift_factor * world->radius.items[i];
            THUD_TRY(add_recalled(list, key, &m));
            bool known = m < at->multiplier_count && at->multipliers[m].key == key;
            m += known;
            if (known || gap < 2 * shift + at->h * (2 * pull + speed[i]))
                THUD_TRY(add_row(list, i));
        }
    }
    THUD_TRY(add_recalled(list, behind, &m));
    return close_wall(list);
}

thud_status thudi_walls_push_near(thud_world *world, const thud_moment *at, double pull,
                                  thud_rows *rows)
{
    for (int w = 0; w < world->wall_count; w++)
    {
        wall_rows list = {.world = world, .at = at, .rows = rows, .wall = w, .is_finite = true};
        THUD_TRY(push_near_wall(&list, pull));
    }
    return THUD_OK;
}

// The rows of one wall: bodies that have met it.
static thud_status push_met_wall(wall_rows *list, double room)
{
    thud_world *world = list->world;
    THUD_TRY(open_wall(list, 0));
    for (int c = 0; c < thudi_near_chunk_count(world); c++)
    {
        const thudi_at_wall *bodies = world->near.at_wall.items + thudi_near_chunk_start(world, c);
        for (int n = 0; n < world->near.chunks.items[c].wall_count; n++)
        {
            int i = bodies[n].body;
            double shift = world->shift_factor * world->radius.items[i];
            if (thudi_world_wall_gap(world, list->wall, list->at->trial, i) <
                thudi_world_least(world, shift, room))
                THUD_TRY(add_row(list, i));
        }
    }
    return close_wall(list);
}

thud_status thudi_walls_push_met(thud_world *world, const thud_moment *at, double room,
                                 thud_rows *rows)
{
    for (int w = 0; w < world->wall_count; w++)
    {
        wall_rows list = {.world = world, .at = at, .rows = rows, .wall = w, .is_finite = true};
        THUD_TRY(push_met_wall(&list, room));
    }
    return THUD_OK;
}
