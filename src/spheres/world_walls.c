// The walls of a world of spheres: which bodies are near one, and their rows.
//
// A body is near if any wall is; that is found in one pass. The walls are then gone through one by
// one, for rows in the order of their keys, over these bodies alone.
#include "spheres/world.h"

#include <math.h>

double thudi_world_wall_gap(const thud_world *world, int wall, const double *q, int i)
{
    const thud_plane *plane = &world->planes.items[wall];
    double sum = -plane->offset;
    for (int k = 0; k < world->dim; k++)
        sum += plane->normal[k] * q[world->dim * i + k];
    return sum - world->radius.items[i];
}

// The same, the third coordinate 0 in two dimensions.
static inline double gap_at(const thud_plane *plane, double x, double y, double z, double radius)
{
    double sum = -plane->offset;
    sum += plane->normal[0] * x;
    sum += plane->normal[1] * y;
    sum += plane->normal[2] * z;
    return sum - radius;
}

// fastest: no body can have more in its ring.
void thudi_walls_linearise(thud_world *world, const thud_moment *at, int chunk, double pull,
                           double fastest)
{
    const thud_plane *planes = world->planes.items;
    int start = thudi_near_chunk_start(world, chunk), count = 0;
    int end = thudi_near_chunk_start(world, chunk + 1);
    int *out = world->near.at_wall.items + start;
    double way = at->h * (2 * pull + fastest) * (1 + 0x1p-20);
    for (int i = start; i < end; i++)
    {
        const thudi_near_body *body = &world->near.bodies.items[i];
        double speed = 0, far = 2 * world->shift_factor * body->radius * (1 + 0x1p-20) + way;
        bool near = false;
        for (int w = 0; w < world->wall_count; w++)
        {
            double gap = gap_at(&planes[w], body->q[0], body->q[1], body->q[2], body->radius);
            near |= gap < far;
            if (!(gap < 2 * body->reach))
                continue;
            double along = 0;
            for (int k = 0; k < 3; k++)
                along += planes[w].normal[k] * body->v[k];
            speed = along * along > speed ? along * along : speed;
        }
        world->near.speed.items[i] = speed;
        out[count] = i;
        count += near;
    }
    world->near.chunks.items[chunk].wall_count = count;
}

void thudi_walls_check(thud_world *world, const thud_moment *at, double room, int chunk)
{
    int start = thudi_near_chunk_start(world, chunk), count = 0;
    int end = thudi_near_chunk_start(world, chunk + 1);
    int *out = world->near.at_wall.items + start;
    double least = INFINITY;
    for (int i = start; i < end; i++)
    {
        const double *x = at->trial + (size_t)world->dim * (size_t)i;
        double nearest = INFINITY, z = world->dim == 3 ? x[2] : 0, r = world->radius.items[i];
        for (int w = 0; w < world->wall_count; w++)
        {
            double gap = gap_at(&world->planes.items[w], x[0], x[1], z, r); // affine: this is lin
            nearest = gap < nearest ? gap : nearest;
        }
        least = nearest < least ? nearest : least;
        out[count] = i;
        count += nearest < thudi_world_least(world, world->shift_factor * r, room);
    }
    world->near.chunks.items[chunk].wall_count = count;
    world->near.chunks.items[chunk].least_gap = least;
}

// Rows of one wall, gathered before they are pushed.
typedef struct wall_rows
{
    thud_world *world;
    const thud_moment *at;
    int wall, count;
} wall_rows;

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

static thud_status add_row(wall_rows *list, int i)
{
    thud_world *world = list->world;
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->near.rows, (size_t)list->count + 1));
    world->near.rows.items[list->count++] = thudi_walls_row(world, list->wall, list->at->q, i);
    return THUD_OK;
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
static thud_status push_near_wall(wall_rows *list, double pull, thud_rows *rows)
{
    thud_world *world = list->world;
    const thud_moment *at = list->at;
    int m = thudi_world_recall(at, thudi_world_wall_key(list->wall, 0));
    for (int c = 0; c < thudi_near_chunk_count(world); c++)
    {
        const int *bodies = world->near.at_wall.items + thudi_near_chunk_start(world, c);
        for (int n = 0; n < world->near.chunks.items[c].wall_count; n++)
        {
            int i = bodies[n];
            uint64_t key = thudi_world_wall_key(list->wall, world->id.items[i]);
            double gap = thudi_world_wall_gap(world, list->wall, at->q, i);
            double shift = world->shift_factor * world->radius.items[i];
            THUD_TRY(add_recalled(list, key, &m));
            bool known = m < at->multiplier_count && at->multipliers[m].key == key;
            m += known;
            if (known || gap < 2 * shift + at->h * (2 * pull + sqrt(world->near.ring.items[i])))
                THUD_TRY(add_row(list, i));
        }
    }
    THUD_TRY(add_recalled(list, thudi_world_wall_key(list->wall + 1, 0), &m));
    return thud_rows_push_pairs(rows, world->dim, world->near.rows.items, list->count);
}

thud_status thudi_walls_push_near(thud_world *world, const thud_moment *at, double pull,
                                  thud_rows *rows)
{
    for (int w = 0; w < world->wall_count; w++)
    {
        wall_rows list = {.world = world, .at = at, .wall = w};
        THUD_TRY(push_near_wall(&list, pull, rows));
    }
    return THUD_OK;
}

thud_status thudi_walls_push_met(thud_world *world, const thud_moment *at, double room,
                                 thud_rows *rows)
{
    for (int w = 0; w < world->wall_count; w++)
    {
        wall_rows list = {.world = world, .at = at, .wall = w};
        for (int c = 0; c < thudi_near_chunk_count(world); c++)
        {
            const int *bodies = world->near.at_wall.items + thudi_near_chunk_start(world, c);
            for (int n = 0; n < world->near.chunks.items[c].wall_count; n++)
            {
                double shift = world->shift_factor * world->radius.items[bodies[n]];
                if (thudi_world_wall_gap(world, w, at->trial, bodies[n]) <
                    thudi_world_least(world, shift, room))
                    THUD_TRY(add_row(&list, bodies[n]));
            }
        }
        THUD_TRY(thud_rows_push_pairs(rows, world->dim, world->near.rows.items, list.count));
    }
    return THUD_OK;
}
