// A step of a world of spheres, judged with all rows found again: pairs, walls and obstacles that
// the step could bring together, and all that carried an impulse.
#include "verify/spheres/checker_search.h"

#include <limits.h>
#include <math.h>

double thudi_spheres_shift(const thud_verify_spheres_def *def, double r)
{
    return fmax(def->shift * r, fmin(def->step_shift, def->most_shift * r));
}

void thudi_spheres_add_law(const thud_verify_spheres_def *def, const thudi_checked_law *law,
                           double r, int a, int b, thud_row *row)
{
    int count = def->material_count;
    bool is_pair = a >= 0 && b >= 0 && a < count && b < count;
    row->shift = thudi_spheres_shift(def, r);
    row->law = law->law;
    if (def->numbers && law->numbers > 0 && is_pair)
        row->numbers =
            def->numbers + ((size_t)a * (size_t)count + (size_t)b) * (size_t)law->numbers;
}

// Rows that carry an impulse count even if they are far apart: then they should not. So do rows
// that owe a memory, which must let go.
static thud_status push_far(thudi_search *s, thud_key key)
{
    const thudi_sight *at = &s->at;
    thud_key_parts parts = thud_key_read(key, at->cell_at.keys);
    int high = (int)parts.a, low = (int)parts.b;
    if ((parts.kind != THUD_KEY_WALL && parts.kind != THUD_KEY_PAIR) || low >= s->def->count)
        return THUD_OK; // no such body: the certificate of signs will miss its row
    if (parts.kind == THUD_KEY_WALL)
    {
        if (high >= s->def->wall_count)
            return THUD_OK;
        double gap = thudi_search_wall_gap(s, at, high, low);
        return thudi_search_is_near_wall(s, gap, low)
                   ? THUD_OK
                   : thudi_search_push_wall(s, at, high, low, gap);
    }
    if (high >= low)
        return THUD_OK;
    thudi_image_pair c = thudi_sight_pair(at, key);
    return thudi_search_is_near_pair(s, &c) ? THUD_OK : thudi_search_push_pair(s, at, &c);
}

// The same rows once more: their keys are this search's own.
static thud_status push_known(thudi_search *s, const thudi_sight *sight, const thud_moment *at,
                              const thudi_row_list *known)
{
    thud_status status = THUD_OK;
    for (int i = 0; i < thudi_list_count(known) && status == THUD_OK; i++)
    {
        thud_row_room room;
        thud_row row = thudi_list_row(known, i, &room);
        thud_key_parts parts = thud_key_read(row.key, sight->cell_at.keys);
        if (parts.kind == THUD_KEY_SURFACE)
        {
            status = thudi_obstacles_push_again(&s->obstacles, at, &row, s->list->whole);
            continue;
        }
        if (parts.kind == THUD_KEY_WALL)
        {
            int wall = (int)parts.a, body = (int)parts.b;
            double gap = thudi_search_wall_gap(s, sight, wall, body);
            status = thudi_search_push_wall(s, sight, wall, body, gap);
            continue;
        }
        thudi_image_pair c = thudi_sight_pair(sight, row.key);
        status = thudi_search_push_pair(s, sight, &c);
    }
    return status;
}

// Place all shapes at the time of the call.
static bool take_sight(thudi_search *s, const thud_moment *at, thudi_sight *sight)
{
    sight->q = at->q;
    s->obstacles.radius = sight->radius;
    return s->def->shapes(at->t, sight->radius, s->normal, s->offset, s->def->user) == 0 &&
           thudi_checked_cell_at(&sight->cell_at, &s->def->cell, s->def->dim, at->t) &&
           thudi_search_find_reach(s, sight, at);
}

static thud_status push_all(thudi_search *s, const thud_moment *at)
{
    thud_status status = thudi_search_push_pairs(s);
    if (status == THUD_OK)
        status = thudi_search_push_walls(s);
    if (status == THUD_OK)
        status = thudi_obstacles_push(&s->obstacles, at, s->list->whole);
    for (int n = 0; n < thudi_far_count(&s->obstacles) && status == THUD_OK; n++)
    {
        thud_key key;
        if (thudi_far_key(&s->obstacles, n, &key))
            status = push_far(s, key);
    }
    if (status == THUD_ERR_LIMIT || status == THUD_ERR_MEMORY)
        thud_rows_fail(s->list->whole, status); // no fault of the problem's
    return status;
}

// A thudi_find_rows_fn.
static int find_rows(const thud_moment *at, const thudi_row_list *known, thudi_row_list *list,
                     void *user)
{
    thudi_search *s = user;
    thudi_sight *sight = known ? &s->back : &s->at;
    s->list = list;
    list->make = thudi_sight_row;
    list->maker = sight;
    if (!take_sight(s, at, sight))
        return -1;
    return (known ? push_known(s, sight, at, known) : push_all(s, at)) == THUD_OK ? 0 : -1;
}

// At a fixed position the gap of an image m is |d| - r_a - r_b with d' = - m_y S' e_x.
static thud_status add_shear(const thudi_search *s, thud_smoothness *smooth)
{
    const thud_cell *cell = &s->def->cell;
    const double *radius = s->at.radius;
    double low = INFINITY, high = -INFINITY, smallest = INFINITY;
    if (s->def->shapes(thud_state_time(s->after), s->at.radius, s->normal, s->offset,
                       s->def->user) != 0)
        return THUD_ERR_CALLBACK;
    for (int i = 0; i < s->def->count; i++)
    {
        double y = s->before->q[s->def->dim * i + 1];
        low = fmin(low, y);
        high = fmax(high, y);
        smallest = fmin(smallest, radius[i]);
    }
    double most = floor((high - low) / cell->period[1]) + 2, speed = most * cell->shear_t;
    *smooth = *s->problem->smooth;
    smooth->gap_tt += speed * speed / smallest + most * cell->shear_tt;
    smooth->gap_tq += speed / smallest;
    return THUD_OK;
}

static bool is_periodic(const thud_verify_spheres_def *spheres)
{
    const double *period = spheres->cell.period;
    return period[0] > 0 || period[1] > 0 || period[2] > 0;
}

static bool is_complete(const thud_inclusion *problem, const thud_verify_spheres_def *spheres,
                        const thud_state *before, const thud_state *after)
{
    return problem && thudi_checked_law_of(problem->law) && spheres && before && before->q &&
           before->dim == problem->dim && after && after->q && after->u &&
           (spheres->dim == 2 || spheres->dim == 3) && spheres->count >= 1 &&
           spheres->wall_count >= 0 && spheres->shapes && spheres->obstacle_count >= 0 &&
           (spheres->obstacle_count == 0 || spheres->obstacles) &&
           spheres->count <= INT_MAX / spheres->dim &&
           (!is_periodic(spheres) || spheres->count < 1 << 25) &&
           problem->dim == spheres->dim * spheres->count && after->dim == problem->dim;
}

// What the search knows of bodies and walls, in one block. The radii of both sights differ only for
// a law that looks back.
static void *lay_out(thudi_search *s, size_t *size)
{
    size_t count = (size_t)s->def->count, walls = (size_t)s->def->wall_count;
    size_t radii = s->law->looks_back ? 2 : 1;
    *size = ((radii + 2) * count + 4 * walls) * sizeof(double);
    double *block = thudi_allocate_zeroed(&s->allocator, *size);
    if (!block)
        return NULL;
    s->at = (thudi_sight){.def = s->def, .law = s->law, .radius = block};
    s->back = s->at;
    s->back.radius += (radii - 1) * count;
    s->extent = block + radii * count;
    s->apart = s->extent + count;
    s->normal = s->apart + count;
    s->offset = s->normal + 3 * walls;
    s->obstacles = (thudi_obstacles){.def = s->def,
                                     .law = s->law,
                                     .before = s->before,
                                     .after = s->after,
                                     .radius = block,
                                     .extent = s->extent};
    return block;
}

// Pairs and planes are worked out as the solver does, to the bit; directions of solids are not.
static double row_error_of(const thud_row *row, double *gap, void *user)
{
    const thudi_search *s = user;
    *gap = 0;
    return thudi_obstacles_is_row(row) ? thudi_obstacles_row_error(&s->obstacles, row, gap) : 0;
}

// LINEARISE lists what is within a radius of the smaller body, if it could meet. FIND_MISSING lets
// no obstacle pass.
static double listing_range_of(const thud_row *row, void *user)
{
    const thudi_sight *at = &((const thudi_search *)user)->at;
    if (thudi_obstacles_is_row(row))
        return INFINITY;
    thud_key_parts parts = thud_key_read(row->key, at->cell_at.keys);
    double radius = at->radius[parts.b];
    return parts.kind == THUD_KEY_PAIR ? fmin(radius, at->radius[parts.a]) : radius;
}

// The caller's problem with the rows of this search.
static thud_status verify(thudi_search *s, const thud_verify_def *def, thud_verdict *verdict)
{
    thud_inclusion judged = *s->problem;
    thud_smoothness smooth;
    if (s->def->cell.shear && judged.smooth)
    {
        thud_status status = add_shear(s, &smooth);
        if (status != THUD_OK)
            return status;
        judged.smooth = isnan(smooth.gap_tt + smooth.gap_tq) ? NULL : &smooth;
    }
    thudi_known known = {.find_rows = find_rows,
                         .row_error = row_error_of,
                         .listing_range = listing_range_of,
                         .user = s};
    return thudi_verify_known(&judged, s->before, s->after, def, &known, verdict);
}

thud_status thud_verify_spheres(const thud_inclusion *problem,
                                const thud_verify_spheres_def *spheres, const thud_state *before,
                                const thud_state *after, const thud_verify_def *def,
                                thud_verdict *verdict)
{
    if (thud_float_check() != THUD_OK)
        return THUD_ERR_FLOAT;
    if (!is_complete(problem, spheres, before, after))
        return THUD_ERR_ARGUMENT;
    const thud_allocator *allocator = def ? def->allocator : NULL;
    thudi_search search = {.def = spheres,
                           .problem = problem,
                           .law = thudi_checked_law_of(problem->law),
                           .before = before,
                           .after = after,
                           .allocator = thudi_allocator_or_default(allocator)};
    size_t size;
    void *block = lay_out(&search, &size);
    thud_status status = THUD_ERR_MEMORY;
    if (block && thudi_obstacles_open(&search.obstacles, allocator))
    {
        status = thud_rows_create(problem->dim, allocator, &search.trial);
        if (status == THUD_OK)
            status = verify(&search, def, verdict);
        thud_rows_destroy(search.trial);
        thudi_obstacles_close(&search.obstacles, allocator);
    }
    thudi_free(&search.allocator, block, size);
    return status;
}
