// The start of a world, and of bodies that come later: overlaps refused or removed, and gaps opened
// to what the solver keeps.
//
// Bodies, walls and obstacles are new until a world has been prepared with them. A gap between what
// is not new is left as it is: steps keep half of sigma.
#include "core/rooms.h"
#include "core/touching.h"
#include "spheres/cell.h"
#include "spheres/obstacles.h"
#include "spheres/pairs.h"
#include "spheres/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of the smaller radius: less is rounding.
static const double OVERLAP = 1e-12;

// b < 0: a wall or obstacle.
static double smaller_radius(const thud_world *world, int a, int b)
{
    const double *radius = world->radius.items;
    return b >= 0 ? fmin(radius[a], radius[b]) : radius[a];
}

static thud_status note_overlap(thud_world *world, thud_start *start, int a, int b, double gap)
{
    if (!(gap < -OVERLAP * smaller_radius(world, a, b)))
        return THUD_OK;
    THUD_TRY(
        thudi_array_reserve(&world->allocator, &world->overlaps, (size_t)start->overlap_count + 1));
    world->overlaps.items[start->overlap_count++] = (thud_overlap){
        .a = world->id.items[a], .b = b >= 0 ? world->id.items[b] : b, .depth = -gap};
    return THUD_OK;
}

// What a survey finds: is a gap too small, and which is the smallest of those, in parts of sigma?
typedef struct findings
{
    bool narrow;
    int a, b; // place of a body; b as in thud_overlap except for a body its place
    double gap, shift;
} findings;

// Nothing may be closer to a new body than sigma, nor to a new wall than a step would leave it.
// What was there before may not overlap.
static thud_status note_gap(thud_world *world, thud_start *start, findings *found, int a, int b,
                            double gap, bool wall_is_new)
{
    double radius = smaller_radius(world, a, b), shift = thudi_shift_of(&world->shift, radius);
    double least = -OVERLAP * radius;
    if (world->is_new.items[a] || (b >= 0 && world->is_new.items[b]))
        least = shift;
    else if (wall_is_new)
        least = shift - THUDI_TOLERANCE_SHARE * shift;
    start->min_gap = fmin(start->min_gap, gap);
    if (gap < least && (!found->narrow || gap / shift < found->gap / found->shift))
        *found = (findings){true, a, b, gap, shift};
    return note_overlap(world, start, a, b, gap);
}

static thud_status survey_walls(thud_world *world, const double *q, thud_start *start,
                                findings *found)
{
    for (int w = 0; w < world->wall_count; w++)
        for (int i = 0; i < world->count; i++)
        {
            double gap = thudi_world_wall_gap(world, w, q, i);
            THUD_TRY(note_gap(world, start, found, i, -1 - w, gap, w >= world->known_walls));
        }
    for (int k = 0; k < world->obstacle_count; k++)
        for (int i = 0; i < world->count; i++)
        {
            bool is_new = k >= world->known_obstacles;
            double gap;
            THUD_TRY(thudi_world_obstacle_gap(world, k, q, i, &gap));
            THUD_TRY(note_gap(world, start, found, i, THUD_OBSTACLE(k), gap, is_new));
        }
    return THUD_OK;
}

// A search outside of a step has rooms of its own.
static thud_status find_pairs(thud_world *world, const double *q)
{
    thud_rooms rooms = {0};
    thudi_rooms_begin(&rooms, &world->allocator);
    thudi_rooms_enter(&rooms);
    thudi_near_view view = thudi_world_view(world, q);
    thud_status status = thudi_near_find(&world->near, &view, &rooms);
    thudi_rooms_free(&rooms);
    return thudi_world_fail_search(world, status);
}

// All gaps below the shift: which overlap, and whether any must be opened.
static thud_status survey(thud_world *world, const double *q, thud_start *start, findings *found)
{
    start->min_gap = INFINITY;
    *found = (findings){0};
    double *reach = world->near.reach.items;
    world->near.is_valid = false; // its list is overwritten
    for (int i = 0; i < world->count; i++)
        reach[i] = world->radius.items[i] * (1 + THUDI_NEAR_MARGIN) +
                   thudi_shift_of(&world->shift, world->radius.items[i]);
    const thudi_cells *cells = &world->near.cells;
    THUD_TRY(find_pairs(world, q));
    for (int p = 0, a = 0; p < cells->pair_count; p++)
    {
        while (p >= cells->first.items[a + 1])
            a++;
        int partner = cells->partner.items[p], b = thudi_world_partner(world, partner);
        double distance, normal[3], offset[3];
        thudi_world_offset_at(world, q, a, partner, offset);
        if (!thudi_world_direction(world, q, a, partner, offset, &distance, normal))
        {
            thudi_world_fail(world, "bodies %d and %d have the same centre", world->id.items[a],
                             world->id.items[b]);
            return THUD_ERR_OVERLAP;
        }
        double gap = distance - world->radius.items[a] - world->radius.items[b];
        THUD_TRY(note_gap(world, start, found, a, b, gap, false));
    }
    return survey_walls(world, q, start, found);
}

static int deeper(const void *x, const void *y)
{
    const thud_overlap *a = x, *b = y;
    if (a->depth != b->depth)
        return a->depth < b->depth ? 1 : -1;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static double largest_move(const thud_world *world, const double *q)
{
    double largest = 0;
    for (int i = 0; i < world->count; i++)
    {
        double sum = 0;
        for (int k = 0; k < world->dim; k++)
        {
            double move = q[world->dim * i + k] - world->state->q[world->dim * i + k];
            sum += move * move;
        }
        largest = fmax(largest, sqrt(sum));
    }
    return largest;
}

// "body 3", "wall 0", "obstacle 1"; id: as in thud_overlap.
static const char *kind_of(int id, int *number)
{
    bool is_obstacle = id <= THUD_OBSTACLE(0), is_wall = id < 0 && !is_obstacle;
    *number = is_obstacle ? THUD_OBSTACLE(id) : is_wall ? -1 - id : id;
    return is_obstacle ? "obstacle" : is_wall ? "wall" : "body";
}

static void fail_overlaps(thud_world *world, const thud_start *start)
{
    int number;
    const char *kind = kind_of(start->overlaps[0].b, &number);
    thudi_world_fail(world, "%d overlaps, the deepest of body %d with %s %d", start->overlap_count,
                     start->overlaps[0].a, kind, number);
}

// A gap that cannot be opened by moving new bodies alone.
static thud_status fail_gap(thud_world *world, const findings *found)
{
    int number, b = found->b >= 0 ? world->id.items[found->b] : found->b;
    const char *kind = kind_of(b, &number);
    thudi_world_fail(
        world,
        "the gap of body %d and %s %d is %.3g, less than %.3g, and there is no room to "
        "open it: only new bodies are moved",
        world->id.items[found->a], kind, number, found->gap, found->shift);
    return THUD_ERR_OVERLAP;
}

// The diameter that bricks are measured in: the smallest, doubled until at most one body in SMALL
// is larger than LARGER of it. Counts are the same for any order of the bodies.
static double typical_diameter(const thud_world *world)
{
    enum
    {
        LARGER = 8,
        SMALL = 1024,
        MOST = 2100 // doublings within the range of doubles
    };
    int larger[MOST + 1] = {0}; // by the doublings a body needs: their number
    double least = INFINITY;
    for (int i = 0; i < world->count; i++)
        least = fmin(least, world->radius.items[i]);
    for (int i = 0; i < world->count; i++)
    {
        int doublings = 0;
        double part = frexp(world->radius.items[i] / (LARGER * least), &doublings);
        doublings -= part == 0.5; // a power of two fits itself
        larger[doublings < 0 ? 0 : doublings < MOST ? doublings : MOST]++;
    }
    int doublings = 0, left = world->count - larger[0];
    while (left > world->count / SMALL)
        left -= larger[++doublings];
    return 2 * ldexp(least, doublings);
}

static void choose_bricks(thud_world *world)
{
    static const double SIDE_2D = 40, SIDE_3D = 12; // some 2,000 bodies in a brick
    double chosen = (world->dim == 2 ? SIDE_2D : SIDE_3D) * typical_diameter(world);
    world->bricks.side = world->def.brick_side > 0 ? world->def.brick_side : chosen;
    if (!isfinite(world->bricks.side))
        world->bricks.side = 0; // not cut
    for (int k = 0; k < 3; k++)
        world->bricks.period[k] = world->is_periodic ? world->periods.length[k] : 0;
}

// From now on all there is stays where it is.
static void make_ready(thud_world *world)
{
    choose_bricks(world);
    memset(world->is_new.items, 0, (size_t)world->count * sizeof *world->is_new.items);
    world->known_walls = world->wall_count;
    world->known_obstacles = world->obstacle_count;
    world->is_ready = true;
}

static bool all_new(const thud_world *world)
{
    for (int i = 0; i < world->count; i++)
        if (!world->is_new.items[i])
            return false;
    return true;
}

// Take over the positions of new bodies, if they have room. A start may be an exact fit; bodies
// that come later may not, as others would have to move.
static thud_status commit(thud_world *world, const double *q, thud_start *start)
{
    findings left;
    thud_start after = {0};
    THUD_TRY(thudi_world_place_at(world, thud_state_time(world->state)));
    THUD_TRY(survey(world, q, &after, &left));
    if (left.narrow && !all_new(world))
        return fail_gap(world, &left);
    start->largest_shift = largest_move(world, q);
    start->min_gap = after.min_gap;
    for (int k = 0; k < world->state->dim; k++)
        if (world->is_new.items[k / world->dim])
            world->state->q[k] = q[k];
    make_ready(world);
    return left.narrow ? THUD_NEWS : THUD_OK;
}

static thud_status open_and_commit(thud_world *world, const findings *found, thud_start *start)
{
    size_t size = (size_t)world->state->dim * sizeof(double);
    double *q = thudi_allocate_zeroed(&world->allocator, size);
    if (!q)
        return THUD_ERR_MEMORY;
    world->is_ready = true; // for the step that opens
    thud_status status = thudi_world_open(world, q);
    world->is_ready = false;
    if (status == THUD_ERR_INFEASIBLE && !all_new(world))
        status = fail_gap(world, found);
    if (status >= 0)
        status = commit(world, q, start);
    thudi_free(&world->allocator, q, size);
    return status;
}

// What has no meaning in first order is refused, in words.
static bool refuses_order(thud_world *world)
{
    const thud_world_def *def = &world->def;
    const char *what = NULL;
    bool pulled = def->gravity_law != NULL;
    for (int k = 0; k < world->dim; k++)
        pulled = pulled || def->gravity[k] != 0;
    if (pulled)
        what = "gravity";
    else if (def->drag > 0)
        what = "drag";
    else if (world->law->traits & THUD_TRAIT_ORDER_2)
        what = world->law->name;
    if (!what || def->order != THUD_FIRST_ORDER)
        return false;
    thudi_world_fail(world, "%s has no meaning in first order, where bodies have wanted velocities",
                     what);
    return true;
}

thud_status thud_world_prepare(thud_world *world, thud_overlap_rule rule, thud_start *start)
{
    thud_start own;
    findings found;
    if (!start)
        start = &own;
    *start = (thud_start){.min_gap = INFINITY};
    world->message[0] = '\0';
    THUD_TRY(thud_float_check());
    world->is_ready = world->near.is_valid = false;
    if (!world->state)
    {
        thudi_world_fail(world, "the world has no bodies");
        return THUD_ERR_ARGUMENT;
    }
    if (refuses_order(world) || thudi_world_refuses_obstacles(world))
        return THUD_ERR_ARGUMENT;
    THUD_TRY(thudi_world_place_at(world, thud_state_time(world->state)));
    THUD_TRY(thudi_world_check_obstacles_fit(world));
    thud_status status = survey(world, world->state->q, start, &found);
    start->overlaps = world->overlaps.items;
    if (start->overlap_count > 1)
        qsort(world->overlaps.items, (size_t)start->overlap_count, sizeof *world->overlaps.items,
              deeper);
    THUD_TRY(status);
    if (start->overlap_count > 0 && rule == THUD_REFUSE_OVERLAP)
    {
        fail_overlaps(world, start);
        return THUD_ERR_OVERLAP;
    }
    if (found.narrow)
        return open_and_commit(world, &found, start);
    make_ready(world);
    return THUD_OK;
}
