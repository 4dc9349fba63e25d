// The rows of obstacles, and the check that none was missed.
//
//     g = distance(x) - r, a row per facet that is near; hidden triangles of a mesh give none
//     (thud_solid_find), as the rows of those in front keep the body away from them.
//
// A concave g is bounded by its tangent from above: FIND_MISSING adds a cut at the trial position
// until g(trial) >= sigma/2. Threads search chunks of bodies, and what they found is pushed in the
// order of the bodies: the rows do not depend on the number of threads.
#include "spheres/materials.h"
#include "spheres/obstacles.h"
#include "spheres/pairs.h"

#include "core/threads.h"
#include "rows/key.h"

#include <math.h>

// One call of the world.
typedef struct search
{
    thud_world *world;
    const thud_moment *at;
    double velocity_change;
    thud_allocator memory; // for threads
    thud_rows *rows;
} search;

static double shift_of(const thud_world *world, int i)
{
    return thudi_shift_of(&world->shift, world->radius.items[i]);
}

// The caller's allocator is asked by one thread at a time. A name would be a symbol of the library.
static void *resize_in_turn(void *block, size_t old_size, size_t new_size, void *user)
{
    const thud_allocator *allocator = user;
    void *result;
#pragma omp critical
    result = allocator->resize(block, old_size, new_size, allocator->user);
    return result;
}

static thud_status push(const thud_world *world, int k, const thudi_obstacle_row *row,
                        thud_rows *rows)
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    const thud_facing *facing = &row->facing;
    int i = row->body, index = world->dim * i, own = world->material.items[i];
    int surface = obstacle->first + thudi_world_keys_of(obstacle->solid) * facing->facet;
    return thud_rows_push(
        rows, &(thud_row){.key = thudi_key_surface(surface + row->cut, world->id.items[i]),
                          .gap = facing->distance,
                          .shift = shift_of(world, i),
                          .kind = thud_solid_curving(obstacle->solid, facing->facet),
                          .law = world->law->law,
                          .numbers = thudi_world_numbers(world, own, obstacle->def.material),
                          .width = world->dim,
                          .count = 1,
                          .index = &index,
                          .slope = facing->normal});
}

static thud_status add(const search *l, thudi_obstacle_chunk *chunk, const thud_facing *facing,
                       int cut, int i)
{
    THUD_TRY(thudi_array_reserve(&l->memory, &chunk->rows, (size_t)chunk->row_count + 1));
    chunk->rows.items[chunk->row_count++] = (thudi_obstacle_row){*facing, i, cut};
    return THUD_OK;
}

// How far body i moved, or would with velocity v in time h.
static double largest_travel(const thud_world *world, const double *to, const double *from, int i,
                             double h)
{
    double sum = 0;
    for (int k = 0; k < world->dim; k++)
    {
        double way = to[world->dim * i + k] - (from ? from[world->dim * i + k] : 0);
        sum += way * way;
    }
    return h * sqrt(sum);
}

// A cut of a concave gap: its tangent where the centre is at x, if the gap is below `least` there.
static thud_status cut_concave(const search *l, int k, int facet, int i, const double x[3],
                               double least, thudi_obstacle_chunk *chunk)
{
    const thud_world *world = l->world;
    thud_facing facing = thudi_world_facing(world, k, facet, i, x);
    if (facing.distance >= least)
        return THUD_OK;
    for (int c = 0; c < world->dim && c < 3; c++)
        facing.distance += facing.normal[c] * (l->at->q[world->dim * i + c] - x[c]);
    int last = THUDI_OBSTACLE_CUTS - 1;
    return add(l, chunk, &facing, world->round < last ? world->round : last, i);
}

// The row of a facet that is near. That of a concave one is its tangent where the prediction goes,
// if that is too far: most often it is the only one needed.
static thud_status add_near(const search *l, int k, const thud_facing *facing, int i,
                            thudi_obstacle_chunk *chunk)
{
    const thud_world *world = l->world;
    int before = chunk->row_count;
    double x[3];
    thudi_world_predict(world, l->at, i, x);
    if (thud_solid_curving(world->obstacles.items[k].solid, facing->facet) == THUD_CONCAVE)
        THUD_TRY(cut_concave(l, k, facing->facet, i, x, shift_of(world, i), chunk));
    return chunk->row_count > before ? THUD_OK : add(l, chunk, facing, 0, i);
}

// Facets that hold the body, wherever it is now. Where a law holds rows, a facet has one key.
static thud_status add_held(const search *l, int k, int i, thudi_obstacle_chunk *chunk)
{
    const thud_world *world = l->world;
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double x[3];
    thudi_world_centre(world, l->at->q, i, x);
    for (int facet = 0; facet < thud_solid_facets(obstacle->solid); facet++)
    {
        thud_key key = thudi_key_surface(obstacle->first + facet, world->id.items[i]);
        int m = thudi_world_recall(l->at, key);
        bool held = m < l->at->multiplier_count && thud_key_same(l->at->multipliers[m].key, key);
        for (int n = 0; n < chunk->facings.count; n++)
            held = held && chunk->facings.items[n].facet != facet;
        if (!held)
            continue;
        thud_facing facing = thudi_world_facing(world, k, facet, i, x);
        THUD_TRY(add(l, chunk, &facing, 0, i));
    }
    return THUD_OK;
}

static thud_status linearise_body(const search *l, int k, int i, thudi_obstacle_chunk *chunk)
{
    const thud_world *world = l->world;
    const thud_moment *at = l->at;
    double own = largest_travel(world, at->w, NULL, i, at->h);
    double beside = at->h * sqrt(world->speed_around[i]);
    double reach = 2 * shift_of(world, i) + 2 * at->h * l->velocity_change;
    reach += own > beside ? own : beside;
    THUD_TRY(thudi_world_find_facets(world, k, at->q, i, reach, at, chunk));
    for (int n = 0; n < chunk->facings.count; n++)
        THUD_TRY(add_near(l, k, &chunk->facings.items[n], i, chunk));
    int own_material = world->material.items[i];
    int other = world->obstacles.items[k].def.material;
    bool holds = world->law->traits & THUD_TRAIT_HELD_ROWS;
    return holds && thudi_world_uses_law(world, own_material, other) ? add_held(l, k, i, chunk)
                                                                     : THUD_OK;
}

static thud_status check_facets(const search *l, int k, int i, thudi_obstacle_chunk *chunk)
{
    const thud_world *world = l->world;
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double x[3], y[3], shift = shift_of(world, i), deepest = shift - world->tolerance_share * shift;
    thudi_world_centre(world, l->at->trial, i, x);
    for (int n = 0; n < chunk->facings.count; n++)
    {
        const thud_facing *facing = &chunk->facings.items[n];
        double lin = facing->distance;
        for (int c = 0; c < world->dim && c < 3; c++)
            lin += facing->normal[c] * (x[c] - l->at->q[world->dim * i + c]);
        if (thud_solid_curving(obstacle->solid, facing->facet) == THUD_CONCAVE)
            THUD_TRY(cut_concave(l, k, facing->facet, i, x, deepest, chunk));
        else if (lin < thudi_world_least_lin(world, shift, 0))
            THUD_TRY(add(l, chunk, facing, 0, i));
    }
    if (chunk->facings.count == 0)
        return THUD_OK;
    thud_placement_enter(&obstacle->placement, x, y); // hidden facets count here
    double gap = thud_solid_nearest(obstacle->solid, y).distance - world->radius.items[i];
    chunk->least_gap = gap < chunk->least_gap ? gap : chunk->least_gap;
    return THUD_OK;
}

// Distances change by no more than a body moves: every facet that could be violated is tested.
static thud_status check_body(const search *l, int k, int i, thudi_obstacle_chunk *chunk)
{
    const thud_world *world = l->world;
    double margin = THUDI_NEAR_MARGIN * world->radius.items[i];
    double way = largest_travel(world, l->at->trial, l->at->q, i, 1);
    double reach = way + shift_of(world, i) + margin;
    THUD_TRY(thudi_world_find_facets(world, k, l->at->q, i, reach, l->at, chunk));
    return check_facets(l, k, i, chunk);
}

static void search_chunk(const search *l, int k, int c)
{
    thudi_obstacle_chunk *chunk = &l->world->obstacle_chunks.items[c];
    int end = thudi_world_chunk_start(l->world, c + 1);
    chunk->facings.allocator = &l->memory;
    chunk->row_count = 0;
    chunk->least_gap = INFINITY;
    chunk->status = THUD_OK;
    for (int i = thudi_world_chunk_start(l->world, c); i < end && chunk->status >= 0; i++)
        chunk->status = l->at->phase == THUD_FIND_MISSING ? check_body(l, k, i, chunk)
                                                          : linearise_body(l, k, i, chunk);
}

static thud_status push_chunk(const search *l, int k, int c)
{
    const thudi_obstacle_chunk *chunk = &l->world->obstacle_chunks.items[c];
    if (chunk->status == THUD_ERR_OVERLAP)
        thudi_world_fail_obstacle(l->world, k, chunk->body);
    THUD_TRY(chunk->status);
    for (int n = 0; n < chunk->row_count; n++)
        THUD_TRY(push(l->world, k, &chunk->rows.items[n], l->rows));
    thud_rows_note_gap(l->rows, chunk->least_gap);
    return THUD_OK;
}

static thud_status search_obstacle(const search *l, int k)
{
    const thud_world *world = l->world;
    int chunks = thudi_world_chunk_count(world);
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(dynamic) if (world->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        search_chunk(l, k, c);
    for (int c = 0; c < chunks; c++)
        THUD_TRY(push_chunk(l, k, c));
    return THUD_OK;
}

static search begin_search(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    search l = {.world = world, .at = at, .rows = rows};
    l.memory = (thud_allocator){resize_in_turn, &world->allocator};
    return l;
}

thud_status thudi_world_push_obstacles(thud_world *world, const thud_moment *at,
                                       double velocity_change, thud_rows *rows)
{
    search l = begin_search(world, at, rows);
    l.velocity_change = velocity_change;
    world->round = 0;
    if (world->obstacle_count > 0)
        THUD_TRY(thudi_world_reserve_obstacle_chunks(world));
    for (int k = 0; k < world->obstacle_count; k++)
    {
        if (!world->is_opening)
            THUD_TRY(thudi_world_check_motion(world, k, at, rows));
        THUD_TRY(search_obstacle(&l, k));
    }
    return THUD_OK;
}

thud_status thudi_world_find_missing_rows(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    search l = begin_search(world, at, rows);
    world->round++;
    for (int k = 0; k < world->obstacle_count; k++)
        THUD_TRY(search_obstacle(&l, k));
    return THUD_OK;
}

// What does not move has the gap it will have. Of what does, the distance of the facet counts.
thud_status thudi_world_push_surface_again(const thud_world *world, const double *q,
                                           const thud_row *known, int i, thud_rows *rows)
{
    int surface = thudi_key_high(known->key);
    int k = thudi_world_obstacle_of(world, surface);
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double x[3];
    if (i < 0)
        return THUD_ERR_ARGUMENT;
    if (!obstacle->def.motion)
        return thud_rows_push(rows, known);
    thudi_world_centre(world, q, i, x);
    thudi_obstacle_row row = {.body = i};
    row.facing = thudi_world_facing(world, k, surface - obstacle->first, i, x);
    return push(world, k, &row, rows);
}

// Does any material have an entry with this one?
static bool is_used(const thud_world *world, int material)
{
    for (int other = 0; other < world->def.material_count; other++)
        if (thudi_world_uses_law(world, other, material))
            return true;
    return false;
}

// Why contacts with an obstacle cannot have the law, NULL if they can. A law that looks back would
// need the row's direction of a mesh that moves, or of a concave facet. A law that holds rows keeps
// numbers for a triangle, or for a tangent, that the body leaves.
static const char *law_fault(const thud_world *world, const thudi_obstacle *obstacle)
{
    bool is_mesh = thud_solid_kind_of(obstacle->solid) == THUD_MESH;
    bool is_concave = thudi_world_keys_of(obstacle->solid) > 1;
    bool looks_back = world->law->traits & THUD_TRAIT_LOOK_BACK;
    bool holds = world->law->traits & THUD_TRAIT_HELD_ROWS;
    bool used = is_used(world, obstacle->def.material);
    if (is_concave && (used || (looks_back && obstacle->def.motion)))
        return "is a container with a surface that is not flat";
    if (is_mesh && looks_back && obstacle->def.motion)
        return "is a mesh that moves";
    return is_mesh && holds && used ? "is a mesh" : NULL;
}

bool thudi_world_refuses_obstacles(thud_world *world)
{
    for (int k = 0; k < world->obstacle_count; k++)
    {
        const char *why = law_fault(world, &world->obstacles.items[k]);
        if (!why)
            continue;
        thudi_world_fail(world, "obstacle %d %s, where %s is not supported", k, why,
                         world->law->name);
        world->fault_obstacle = k;
        return true;
    }
    return false;
}
