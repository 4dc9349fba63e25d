// All pairs of spheres and walls that a step could bring together:
//
//     gap(a, b) = |q_b - q_a| - r_a - r_b <= e_a + e_b,   e_i = h |u'_i| + margin
//
// as lin = gap + h n . (u'_b - u'_a) >= gap - h |u'_a| - h |u'_b|, all others hold.
#include "checker.h"
#include "checker_obstacles.h"
#include "checker_pairs.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Pairs this near, in radii of the smaller, are looked at whatever their speed: to know the
// smallest gap.
static const double MARGIN = 1e-2;

typedef struct search
{
    const thud_check_spheres_def *def;
    const thud_inclusion *problem;
    const thud_state *before, *after;
    double *radius, *normal, *offset; // at the time of the call
    double *extent;                   // r + e of every body
    thudi_place *places;              // room of the search by sorting
    const double *q;
    thud_rows *rows;
    thudi_obstacles obstacles;
} search;

static const double *centre(const search *s, int body)
{
    return s->q + (size_t)s->def->dim * (size_t)body;
}

// The entry of a table for two materials, if the table is the law's.
static double entry(const thud_check_spheres_def *def, const double *table, int a, int b)
{
    bool used = table && a >= 0 && b >= 0 && a < def->material_count && b < def->material_count;
    return used ? table[(size_t)a * (size_t)def->material_count + (size_t)b] : 0;
}

void thudi_spheres_add_law(const thud_check_spheres_def *def, thud_law law, double r, int a, int b,
                           thud_row *row)
{
    if (law == THUD_LAW_DRY)
        return;
    row->shift = def->shift * r;
    if (law == THUD_LAW_RESTITUTION)
        row->restitution = entry(def, def->restitution, a, b);
    if (law == THUD_LAW_GLUE)
        row->glue = entry(def, def->glue, a, b);
}

static void add_law(const search *s, thud_row *row, double r, int a, int b)
{
    thudi_spheres_add_law(s->def, s->problem->law, r, a, b, row);
}

static int material_of(const search *s, int body)
{
    return s->def->material ? s->def->material[body] : 0;
}

// The order of the two bodies must not matter, not even in the last bit.
static thud_status push_pair(search *s, int a, int b, double distance)
{
    int dim = s->def->dim, low = a < b ? a : b, high = a < b ? b : a;
    int index[2] = {dim * low, dim * high};
    double slope[6] = {0};
    for (int k = 0; k < dim && k < 3; k++)
    {
        // centres that coincide have no direction: a row that nothing can satisfy
        slope[dim + k] = distance > 0 ? (centre(s, high)[k] - centre(s, low)[k]) / distance : 0;
        slope[k] = -slope[dim + k];
    }
    thud_row row = {.key = (uint64_t)low << 32 | (uint64_t)high,
                    .gap = distance - s->radius[low] - s->radius[high],
                    .width = dim,
                    .count = 2,
                    .index = index,
                    .slope = slope};
    add_law(s, &row, fmin(s->radius[low], s->radius[high]), material_of(s, low),
            material_of(s, high));
    return thud_rows_push(s->rows, &row);
}

static double distance_between(const search *s, int a, int b)
{
    double sum = 0;
    for (int k = 0; k < s->def->dim; k++)
    {
        double difference = centre(s, b)[k] - centre(s, a)[k];
        sum += difference * difference;
    }
    return sqrt(sum);
}

static bool is_near_pair(const search *s, int a, int b, double distance)
{
    return distance <= s->extent[a] + s->extent[b];
}

static thud_status compare(int a, int b, void *user)
{
    search *s = user;
    double distance = distance_between(s, a, b);
    if (!is_near_pair(s, a, b, distance))
        return THUD_OK;
    return push_pair(s, a, b, distance);
}

static double wall_gap(const search *s, int wall, int body)
{
    double sum = -s->offset[wall];
    for (int k = 0; k < s->def->dim; k++)
        sum += s->normal[3 * (size_t)wall + (size_t)k] * centre(s, body)[k];
    return sum - s->radius[body];
}

static bool is_near_wall(const search *s, double gap, int body)
{
    return gap <= s->extent[body] - s->radius[body];
}

static thud_status push_wall(search *s, int wall, int body, double gap)
{
    int index = s->def->dim * body;
    thud_row row = {.key = UINT64_C(1) << 63 | (uint64_t)wall << 32 | (uint64_t)body,
                    .gap = gap,
                    .width = s->def->dim,
                    .count = 1,
                    .index = &index,
                    .slope = s->normal + 3 * (size_t)wall};
    add_law(s, &row, s->radius[body], material_of(s, body),
            s->def->wall_material ? s->def->wall_material[wall] : 0);
    return thud_rows_push(s->rows, &row);
}

// Rows that carry an impulse count even if they are far apart: then they should not.
static thud_status push_far(search *s, uint64_t key)
{
    int count = s->def->count, low = (int)(key & 0x7fffffffu);
    int high = (int)(key >> 32 & 0x7fffffffu);
    if ((key & 0x80000000u) != 0 || low >= count)
        return THUD_OK; // no such body: the certificate of signs will miss its row
    if (key >> 63)
    {
        double gap = high < s->def->wall_count ? wall_gap(s, high, low) : -INFINITY;
        return high >= s->def->wall_count || is_near_wall(s, gap, low)
                   ? THUD_OK
                   : push_wall(s, high, low, gap);
    }
    if (high >= low)
        return THUD_OK;
    double distance = distance_between(s, high, low);
    return is_near_pair(s, high, low, distance) ? THUD_OK : push_pair(s, high, low, distance);
}

static double length(const search *s, const double *v)
{
    double sum = 0;
    for (int k = 0; k < s->def->dim; k++)
        sum += v[k] * v[k];
    return sqrt(sum);
}

// How far body i may go in the step. Where contacts bounce x is between the displacement and w.
static double travel(const search *s, int body, const thud_moment *at)
{
    size_t first = (size_t)s->def->dim * (size_t)body;
    double way = at->h * length(s, s->after->u + first), moved[3] = {0, 0, 0};
    if (s->problem->law != THUD_LAW_RESTITUTION)
        return way;
    for (int k = 0; k < s->def->dim && k < 3; k++)
        moved[k] = s->after->q[first + (size_t)k] - s->before->q[first + (size_t)k];
    return fmax(way, fmax(length(s, moved), at->h * length(s, at->w + first)));
}

static thud_status push_pairs(search *s)
{
    thudi_pairs pairs = {.dim = s->def->dim,
                         .count = s->def->count,
                         .q = s->q,
                         .extent = s->extent,
                         .places = s->places,
                         .compare = compare,
                         .user = s};
    return thudi_pairs_compare(&pairs);
}

static thud_status push_walls(search *s)
{
    thud_status status = THUD_OK;
    for (int w = 0; w < s->def->wall_count; w++)
        for (int i = 0; i < s->def->count && status == THUD_OK; i++)
        {
            double gap = wall_gap(s, w, i);
            if (is_near_wall(s, gap, i))
                status = push_wall(s, w, i, gap);
        }
    return status;
}

// The same rows once more: their keys are this search's own.
static thud_status push_known(search *s, const thud_moment *at)
{
    const thud_rows *known = at->known;
    thud_status status = THUD_OK;
    for (int i = 0; i < thud_rows_count(known) && status == THUD_OK; i++)
    {
        thud_row row = thud_rows_get(known, i);
        uint64_t key = row.key;
        if (key >> 63 && key & 0x80000000u)
        {
            status = thudi_obstacles_push_again(&s->obstacles, at, &row, s->rows);
            continue;
        }
        int low = (int)(key & 0x7fffffffu), high = (int)(key >> 32 & 0x7fffffffu);
        status = key >> 63 ? push_wall(s, high, low, wall_gap(s, high, low))
                           : push_pair(s, high, low, distance_between(s, high, low));
    }
    return status;
}

static int push_all(const thud_moment *at, thud_rows *rows, void *user)
{
    search *s = user;
    s->q = at->q;
    s->rows = rows;
    if (s->def->shapes(at->t, s->radius, s->normal, s->offset, s->def->user) != 0)
        return -1;
    for (int i = 0; i < s->def->count; i++)
    {
        s->extent[i] = s->radius[i] * (1 + MARGIN) + travel(s, i, at);
        if (!(s->radius[i] > 0) || !isfinite(s->extent[i]))
            return -1;
    }
    if (at->phase == THUD_LOOK_BACK)
        return push_known(s, at) == THUD_OK ? 0 : -1;
    thud_status status = push_pairs(s);
    if (status == THUD_OK)
        status = push_walls(s);
    if (status == THUD_OK)
        status = thudi_obstacles_push(&s->obstacles, at, rows);
    for (int m = 0; m < s->after->multiplier_count && status == THUD_OK; m++)
        status = push_far(s, s->after->multipliers[m].key);
    return status == THUD_OK ? 0 : -1;
}

// The callbacks of force belong to the caller's problem, and get what they were promised.
typedef struct detour
{
    search search;
    const thud_inclusion *problem;
} detour;

static int push_by_detour(const thud_moment *at, thud_rows *rows, void *user)
{
    return push_all(at, rows, &((detour *)user)->search);
}

static int force_by_detour(double t, const double *q, double *f, void *user)
{
    const thud_inclusion *problem = ((detour *)user)->problem;
    return problem->force(t, q, f, problem->user);
}

static int impulse_by_detour(double t, double t_next, const double *q, double *impulse, void *user)
{
    const thud_inclusion *problem = ((detour *)user)->problem;
    return problem->impulse(t, t_next, q, impulse, problem->user);
}

static bool is_complete(const thud_inclusion *problem, const thud_check_spheres_def *spheres,
                        const thud_state *before, const thud_state *after)
{
    return problem && spheres && before && before->q && before->dim == problem->dim && after &&
           after->q && after->u && (spheres->dim == 2 || spheres->dim == 3) &&
           spheres->count >= 1 && spheres->wall_count >= 0 && spheres->shapes &&
           spheres->obstacle_count >= 0 && (spheres->obstacle_count == 0 || spheres->obstacles) &&
           spheres->count <= INT_MAX / spheres->dim &&
           problem->dim == spheres->dim * spheres->count && after->dim == problem->dim;
}

thud_status thud_check_spheres(const thud_inclusion *problem, const thud_check_spheres_def *spheres,
                               const thud_state *before, const thud_state *after,
                               const thud_check_def *def, thud_verdict *verdict)
{
    if (!is_complete(problem, spheres, before, after))
        return THUD_ERR_ARGUMENT;
    thudi_exam memory = {0}; // for its allocator alone
    if (def && def->allocator)
        memory.allocator = *def->allocator;
    size_t count = (size_t)spheres->count, walls = (size_t)spheres->wall_count;
    size_t size = count * (sizeof(thudi_place) + 2 * sizeof(double)) + walls * 4 * sizeof(double);
    thudi_place *block = thudi_exam_take(&memory, size);
    if (!block)
        return THUD_ERR_MEMORY;
    double *numbers = (double *)(block + count);
    detour way = {.problem = problem,
                  .search = {.def = spheres,
                             .problem = problem,
                             .before = before,
                             .after = after,
                             .places = block,
                             .radius = numbers,
                             .extent = numbers + count,
                             .normal = numbers + 2 * count,
                             .offset = numbers + 2 * count + 3 * walls}};
    way.search.obstacles = (thudi_obstacles){.def = spheres,
                                             .law = problem->law,
                                             .before = before,
                                             .after = after,
                                             .radius = way.search.radius,
                                             .extent = way.search.extent};
    const thud_allocator *allocator = def ? def->allocator : NULL;
    if (!thudi_obstacles_open(&way.search.obstacles, allocator))
    {
        thudi_exam_give(&memory, block, size);
        return THUD_ERR_MEMORY;
    }
    thud_inclusion judged = *problem;
    judged.gaps = push_by_detour;
    judged.force = problem->force ? force_by_detour : NULL;
    judged.impulse = problem->impulse ? impulse_by_detour : NULL;
    judged.user = &way;
    thud_status status = thud_check_step(&judged, before, after, def, verdict);
    thudi_obstacles_close(&way.search.obstacles, allocator);
    thudi_exam_give(&memory, block, size);
    return status;
}
