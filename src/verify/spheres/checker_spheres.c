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
    thud_key_parts parts = thud_key_read(key, s->cell_at.keys);
    int high = (int)parts.a, low = (int)parts.b;
    if ((parts.kind != THUD_KEY_WALL && parts.kind != THUD_KEY_PAIR) || low >= s->def->count)
        return THUD_OK; // no such body: the certificate of signs will miss its row
    if (parts.kind == THUD_KEY_WALL)
    {
        if (high >= s->def->wall_count)
            return THUD_OK;
        double gap = thudi_search_wall_gap(s, high, low);
        return thudi_search_is_near_wall(s, gap, low) ? THUD_OK
                                                      : thudi_search_push_wall(s, high, low, gap);
    }
    if (high >= low)
        return THUD_OK;
    thudi_image_pair c = thudi_search_pair(s, key);
    return thudi_search_is_near_pair(s, &c) ? THUD_OK : thudi_search_push_pair(s, &c);
}

// The same rows once more: their keys are this search's own.
static thud_status push_known(thudi_search *s, const thud_moment *at)
{
    const thud_rows *known = at->known;
    thud_status status = THUD_OK;
    for (int i = 0; i < thud_rows_count(known) && status == THUD_OK; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(known, i, &room);
        thud_key_parts parts = thud_key_read(row.key, s->cell_at.keys);
        if (parts.kind == THUD_KEY_SURFACE)
        {
            status = thudi_obstacles_push_again(&s->obstacles, at, &row, s->rows);
            continue;
        }
        if (parts.kind == THUD_KEY_WALL)
        {
            int wall = (int)parts.a, body = (int)parts.b;
            double gap = thudi_search_wall_gap(s, wall, body);
            status = thudi_search_push_wall(s, wall, body, gap);
            continue;
        }
        thudi_image_pair c = thudi_search_pair(s, row.key);
        status = thudi_search_push_pair(s, &c);
    }
    return status;
}

// The callbacks of force belong to the caller's problem, and get what they were promised.
typedef struct own_problem
{
    thudi_search search;
    thud_smoothness smooth; // the problem's, and what the shear adds
} own_problem;

static int push_all(const thud_moment *at, thud_rows *rows, void *user)
{
    thudi_search *s = &((own_problem *)user)->search;
    s->q = at->q;
    s->rows = rows;
    if (s->def->shapes(at->t, s->radius, s->normal, s->offset, s->def->user) != 0 ||
        !thudi_checked_cell_at(&s->cell_at, &s->def->cell, s->def->dim, at->t) ||
        !thudi_search_find_reach(s, at))
        return -1;
    if (at->phase == THUD_LOOK_BACK)
        return push_known(s, at) == THUD_OK ? 0 : -1;
    thud_status status = thudi_search_push_pairs(s);
    if (status == THUD_OK)
        status = thudi_search_push_walls(s);
    if (status == THUD_OK)
        status = thudi_obstacles_push(&s->obstacles, at, rows);
    for (int n = 0; n < thudi_far_count(&s->obstacles) && status == THUD_OK; n++)
    {
        thud_key key;
        if (thudi_far_key(&s->obstacles, n, &key))
            status = push_far(s, key);
    }
    if (status == THUD_ERR_LIMIT)
        thud_rows_fail(rows, status); // no fault of the problem's
    return status == THUD_OK ? 0 : -1;
}

static int forward_force(double t, const double *q, double *f, void *user)
{
    const thud_inclusion *problem = ((own_problem *)user)->search.problem;
    return problem->force(t, q, f, problem->user);
}

static int forward_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    const thud_inclusion *problem = ((own_problem *)user)->search.problem;
    return problem->impulse(t, t_next, q, impulse, problem->user);
}

// At a fixed position the gap of an image m is |d| - r_a - r_b with d' = - m_y S' e_x.
static thud_status add_shear(own_problem *way)
{
    const thudi_search *s = &way->search;
    const thud_cell *cell = &s->def->cell;
    double low = INFINITY, high = -INFINITY, smallest = INFINITY;
    if (s->def->shapes(thud_state_time(s->after), s->radius, s->normal, s->offset, s->def->user) !=
        0)
        return THUD_ERR_CALLBACK;
    for (int i = 0; i < s->def->count; i++)
    {
        double y = s->before->q[s->def->dim * i + 1];
        low = fmin(low, y);
        high = fmax(high, y);
        smallest = fmin(smallest, s->radius[i]);
    }
    double most = floor((high - low) / cell->period[1]) + 2, speed = most * cell->shear_t;
    way->smooth = *s->problem->smooth;
    way->smooth.gap_tt += speed * speed / smallest + most * cell->shear_tt;
    way->smooth.gap_tq += speed / smallest;
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

// The room of the search, in one block: places, then numbers.
static thudi_place *lay_out(thudi_search *s, size_t *size)
{
    size_t count = (size_t)s->def->count, walls = (size_t)s->def->wall_count;
    *size = count * (sizeof(thudi_place) + 3 * sizeof(double)) + walls * 4 * sizeof(double);
    s->places = thudi_checker_allocate(&s->memory, *size);
    if (!s->places)
        return NULL;
    s->radius = (double *)(s->places + count);
    s->extent = s->radius + count;
    s->apart = s->extent + count;
    s->normal = s->apart + count;
    s->offset = s->normal + 3 * walls;
    s->obstacles = (thudi_obstacles){.def = s->def,
                                     .law = s->law,
                                     .before = s->before,
                                     .after = s->after,
                                     .radius = s->radius,
                                     .extent = s->extent};
    return s->places;
}

// Pairs and planes are worked out as the solver does, to the bit; directions of solids are not.
static double row_error_of(const thud_row *row, double *gap, void *user)
{
    const thudi_search *s = &((const own_problem *)user)->search;
    *gap = 0;
    return thudi_obstacles_is_row(row) ? thudi_obstacles_row_error(&s->obstacles, row, gap) : 0;
}

// LINEARISE lists what is within a radius of the smaller body, if it could meet. FIND_MISSING lets
// no obstacle pass.
static double listing_range_of(const thud_row *row, void *user)
{
    const thudi_search *s = &((const own_problem *)user)->search;
    if (thudi_obstacles_is_row(row))
        return INFINITY;
    thud_key_parts parts = thud_key_read(row->key, s->cell_at.keys);
    double radius = s->radius[parts.b];
    return parts.kind == THUD_KEY_PAIR ? fmin(radius, s->radius[parts.a]) : radius;
}

// The caller's problem with the rows of this search.
static thud_status verify(own_problem *way, const thud_verify_def *def, thud_verdict *verdict)
{
    const thud_inclusion *problem = way->search.problem;
    thud_inclusion judged = *problem;
    judged.gaps = push_all;
    judged.force = problem->force ? forward_force : NULL;
    judged.impulse = problem->impulse ? forward_impulse : NULL;
    judged.user = way;
    if (way->search.def->cell.shear && problem->smooth)
    {
        thud_status status = add_shear(way);
        if (status != THUD_OK)
            return status;
        judged.smooth = isnan(way->smooth.gap_tt + way->smooth.gap_tq) ? NULL : &way->smooth;
    }
    thudi_known known = {.row_error = row_error_of, .listing_range = listing_range_of, .user = way};
    return thudi_verify_known(&judged, way->search.before, way->search.after, def, &known, verdict);
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
    own_problem way = {.search = {.def = spheres,
                                  .problem = problem,
                                  .law = thudi_checked_law_of(problem->law),
                                  .before = before,
                                  .after = after}};
    if (allocator)
        way.search.memory.allocator = *allocator;
    size_t size;
    thudi_place *block = lay_out(&way.search, &size);
    if (!block)
        return THUD_ERR_MEMORY;
    thud_status status = THUD_ERR_MEMORY;
    if (thudi_obstacles_open(&way.search.obstacles, allocator))
    {
        status = verify(&way, def, verdict);
        thudi_obstacles_close(&way.search.obstacles, allocator);
    }
    thudi_checker_release(&way.search.memory, block, size);
    return status;
}
