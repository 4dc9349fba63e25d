// All pairs of spheres and walls that a step could bring together:
//
//     gap(a, b) = |q_b - q_a| - r_a - r_b <= e_a + e_b,   e_i = h |u'_i| + margin
//
// as lin = gap + h n . (u'_b - u'_a) >= gap - h |u'_a| - h |u'_b|, all others hold. In a periodic
// cell bodies are put where they are seen from it, and velocities are those beside the mean, so
// that e_i is shorter than a period.
#include "checker.h"
#include "checker_images.h"
#include "checker_obstacles.h"
#include "checker_pairs.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Pairs this near, in radii of the smaller, are looked at whatever their speed: to know the
// smallest gap.
static const double MARGIN = 1e-2;

enum
{
    MOST_SIGHTS = 250 // 6 per axis, when reaches are just below a period, and some more
};

// Two bodies, low < high, and which image of the second is meant.
typedef struct couple
{
    int low, high;
    uint64_t code;
    double shift[3], distance;
} couple;

typedef struct search
{
    const thud_check_spheres_def *def;
    const thud_inclusion *problem;
    const thud_state *before, *after;
    double *radius, *normal, *offset; // at the time of the call
    double *extent;                   // r + e of every body, for walls and obstacles
    double *apart;                    // the same for pairs
    thudi_place *places;
    int place_count;
    thudi_exam memory; // for its allocator alone
    thudi_ring ring;
    double mean[3][3]; // of h u', of the displacement and of h w; 0 unless periodic
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

static double between(const search *s, const couple *c, int k)
{
    return centre(s, c->high)[k] - centre(s, c->low)[k] - c->shift[k];
}

// The order of the two bodies must not matter, not even in the last bit.
static thud_status push_pair(search *s, const couple *c)
{
    int dim = s->def->dim, low = c->low, high = c->high;
    int index[2] = {dim * low, dim * high};
    double slope[6] = {0};
    for (int k = 0; k < dim && k < 3; k++)
    {
        // centres that coincide have no direction: a row that nothing can satisfy
        slope[dim + k] = c->distance > 0 ? between(s, c, k) / c->distance : 0;
        slope[k] = -slope[dim + k];
    }
    thud_row row = {.key = (uint64_t)low << 32 | c->code | (uint64_t)high,
                    .gap = c->distance - s->radius[low] - s->radius[high],
                    .width = dim,
                    .count = 2,
                    .index = index,
                    .slope = slope};
    add_law(s, &row, fmin(s->radius[low], s->radius[high]), material_of(s, low),
            material_of(s, high));
    return thud_rows_push(s->rows, &row);
}

static couple couple_of(const search *s, int a, int b, const int64_t m[3])
{
    couple c = {.low = a < b ? a : b, .high = a < b ? b : a};
    double sum = 0;
    if (s->ring.is_closed)
    {
        thudi_ring_shift(&s->ring, m, c.shift);
        c.code = thudi_ring_code(&s->ring, m);
    }
    for (int k = 0; k < s->def->dim && k < 3; k++)
        sum += between(s, &c, k) * between(s, &c, k);
    c.distance = sqrt(sum);
    return c;
}

// That named by a key.
static couple couple_named(const search *s, uint64_t key)
{
    int a = (int)(key >> 32 & 0x7fffffffu), b = (int)(key & s->ring.id_bits);
    int64_t m[3] = {0, 0, 0};
    if (s->ring.is_closed)
        thudi_ring_image(&s->ring, s->def->dim, centre(s, a), centre(s, b), key, m);
    return couple_of(s, a, b, m);
}

static bool is_near_pair(const search *s, const couple *c)
{
    return c->distance <= s->apart[c->low] + s->apart[c->high];
}

// The same pair is seen from many places: what counts is the lower body at home.
static thud_status compare(const thudi_place *i, const thudi_place *j, void *user)
{
    search *s = user;
    const thudi_place *a = i->body < j->body ? i : j, *b = a == i ? j : i;
    int64_t m[3] = {b->turn[0] - a->turn[0], b->turn[1] - a->turn[1], b->turn[2] - a->turn[2]};
    if (!a->is_home || a->body == b->body)
        return THUD_OK;
    couple c = couple_of(s, a->body, b->body, m);
    return is_near_pair(s, &c) ? push_pair(s, &c) : THUD_OK;
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
    int count = s->def->count, low = (int)(key & (key >> 63 ? 0x7fffffffu : s->ring.id_bits));
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
    couple c = couple_named(s, key);
    return is_near_pair(s, &c) ? THUD_OK : push_pair(s, &c);
}

// Three ways that a body may go in a step: h u', and where contacts bounce the displacement and h
// w, as x is between them.
static void ways_of(const search *s, int body, const thud_moment *at, double way[3][3])
{
    memset(way, 0, 9 * sizeof(double));
    for (int k = 0; k < s->def->dim && k < 3; k++)
    {
        size_t e = (size_t)s->def->dim * (size_t)body + (size_t)k;
        way[0][k] = at->h * s->after->u[e];
        if (s->problem->law != THUD_LAW_RESTITUTION)
            continue;
        way[1][k] = s->after->q[e] - s->before->q[e];
        way[2][k] = at->h * at->w[e];
    }
}

// The longest of them, beside what all have in common.
static double longest(double way[3][3], double common[3][3])
{
    double most = 0;
    for (int n = 0; n < 3; n++)
    {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += (way[n][k] - common[n][k]) * (way[n][k] - common[n][k]);
        most = sum > most * most || isnan(sum) ? sqrt(sum) : most;
    }
    return most;
}

static void average(search *s, const thud_moment *at)
{
    double way[3][3];
    memset(s->mean, 0, sizeof s->mean);
    for (int i = 0; i < s->def->count && s->ring.is_closed; i++)
    {
        ways_of(s, i, at, way);
        for (int n = 0; n < 9; n++)
            s->mean[n / 3][n % 3] += way[n / 3][n % 3] / s->def->count;
    }
}

// How far bodies reach; false for numbers that no answer can be had of.
static bool spread_out(search *s, const thud_moment *at)
{
    double none[3][3] = {{0}}, way[3][3];
    average(s, at);
    for (int i = 0; i < s->def->count; i++)
    {
        double r = s->radius[i] * (1 + MARGIN);
        ways_of(s, i, at, way);
        s->extent[i] = r + longest(way, none);
        s->apart[i] = r + longest(way, s->mean);
        if (!(s->radius[i] > 0) || !isfinite(s->extent[i]) || !isfinite(s->apart[i]) ||
            !(s->apart[i] < s->ring.shortest))
            return false;
    }
    return true;
}

// Every body at its own place.
static void place_bodies(search *s)
{
    s->place_count = s->def->count;
    for (int i = 0; i < s->def->count; i++)
    {
        s->places[i] = (thudi_place){.body = i, .extent = s->apart[i], .is_home = true};
        memcpy(s->places[i].x, centre(s, i), (size_t)s->def->dim * sizeof(double));
    }
}

static thud_status push_pairs(search *s)
{
    thudi_pairs pairs = {.dim = s->def->dim,
                         .count = (size_t)s->place_count,
                         .places = s->places,
                         .compare = compare,
                         .user = s};
    return thudi_pairs_compare(&pairs);
}

// All places where bodies are seen from the cell, near enough to meet one in it; what rounding may
// have moved them by counts as theirs. How many, -1 if that cannot be said.
static int see_bodies(const search *s, thudi_place *out)
{
    double most = 0, far = 0;
    int count = 0;
    for (int i = 0; i < s->def->count; i++)
    {
        most = fmax(most, s->apart[i]);
        for (int k = 0; k < s->def->dim; k++)
            far = fmax(far, fabs(centre(s, i)[k]));
    }
    double turns = far / s->ring.shortest + 2;
    double rounding = 1e-14 * (far + turns * fabs(s->ring.shear));
    for (int i = 0; i < s->def->count; i++)
    {
        thudi_sight sights[MOST_SIGHTS];
        double reach = s->apart[i] + most + 2 * rounding;
        int seen = thudi_ring_sights(&s->ring, s->def->dim, centre(s, i), reach, NULL);
        if (seen < 0 || seen > MOST_SIGHTS || count > INT_MAX - seen)
            return -1;
        if (out)
            (void)thudi_ring_sights(&s->ring, s->def->dim, centre(s, i), reach, sights);
        for (int n = 0; n < seen && out; n++)
        {
            out[count + n] = (thudi_place){
                .body = i, .extent = s->apart[i] + rounding, .is_home = sights[n].is_home};
            memcpy(out[count + n].x, sights[n].x, sizeof sights[n].x);
            memcpy(out[count + n].turn, sights[n].turn, sizeof sights[n].turn);
        }
        count += seen;
    }
    return count;
}

static thud_status push_pairs_around(search *s)
{
    thudi_place *own = s->places;
    int count = see_bodies(s, NULL);
    if (count < 0)
        return THUD_ERR_LIMIT;
    size_t size = (size_t)count * sizeof *own;
    s->places = thudi_exam_take(&s->memory, size);
    thud_status status = s->places ? THUD_OK : THUD_ERR_MEMORY;
    if (s->places)
    {
        s->place_count = see_bodies(s, s->places);
        status = push_pairs(s);
    }
    thudi_exam_give(&s->memory, s->places, size);
    s->places = own;
    return status;
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
        couple c = {0};
        if (!(key >> 63))
            c = couple_named(s, key);
        status = key >> 63 ? push_wall(s, high, low, wall_gap(s, high, low)) : push_pair(s, &c);
    }
    return status;
}

static int push_all(const thud_moment *at, thud_rows *rows, void *user)
{
    search *s = user;
    s->q = at->q;
    s->rows = rows;
    if (s->def->shapes(at->t, s->radius, s->normal, s->offset, s->def->user) != 0 ||
        !thudi_ring_open(&s->ring, &s->def->cell, s->def->dim, at->t) || !spread_out(s, at))
        return -1;
    if (at->phase == THUD_LOOK_BACK)
        return push_known(s, at) == THUD_OK ? 0 : -1;
    if (!s->ring.is_closed)
        place_bodies(s);
    thud_status status = s->ring.is_closed ? push_pairs_around(s) : push_pairs(s);
    if (status == THUD_OK)
        status = push_walls(s);
    if (status == THUD_OK)
        status = thudi_obstacles_push(&s->obstacles, at, rows);
    for (int m = 0; m < s->after->multiplier_count && status == THUD_OK; m++)
        status = push_far(s, s->after->multipliers[m].key);
    if (status == THUD_ERR_LIMIT)
        thud_rows_fail(rows, status); // no fault of the problem's
    return status == THUD_OK ? 0 : -1;
}

// The callbacks of force belong to the caller's problem, and get what they were promised.
typedef struct detour
{
    search search;
    const thud_inclusion *problem;
    thud_smoothness smooth; // the problem's, and what the shear adds
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

// At a fixed position the gap of an image m is |d| - r_a - r_b with d' = - m_y S' e_x.
static thud_status add_shear(detour *way)
{
    const search *s = &way->search;
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
    way->smooth = *way->problem->smooth;
    way->smooth.gap_tt += speed * speed / smallest + most * cell->shear_tt;
    way->smooth.gap_tq += speed / smallest;
    return THUD_OK;
}

static bool is_periodic(const thud_check_spheres_def *spheres)
{
    const double *period = spheres->cell.period;
    return period[0] > 0 || period[1] > 0 || period[2] > 0;
}

static bool is_complete(const thud_inclusion *problem, const thud_check_spheres_def *spheres,
                        const thud_state *before, const thud_state *after)
{
    return problem && spheres && before && before->q && before->dim == problem->dim && after &&
           after->q && after->u && (spheres->dim == 2 || spheres->dim == 3) &&
           spheres->count >= 1 && spheres->wall_count >= 0 && spheres->shapes &&
           spheres->obstacle_count >= 0 && (spheres->obstacle_count == 0 || spheres->obstacles) &&
           spheres->count <= INT_MAX / spheres->dim &&
           (!is_periodic(spheres) || spheres->count < 1 << 25) &&
           problem->dim == spheres->dim * spheres->count && after->dim == problem->dim;
}

thud_status thud_check_spheres(const thud_inclusion *problem, const thud_check_spheres_def *spheres,
                               const thud_state *before, const thud_state *after,
                               const thud_check_def *def, thud_verdict *verdict)
{
    if (!is_complete(problem, spheres, before, after))
        return THUD_ERR_ARGUMENT;
    thudi_exam memory = {0};
    if (def && def->allocator)
        memory.allocator = *def->allocator;
    size_t count = (size_t)spheres->count, walls = (size_t)spheres->wall_count;
    size_t size = count * (sizeof(thudi_place) + 3 * sizeof(double)) + walls * 4 * sizeof(double);
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
                             .apart = numbers + 2 * count,
                             .normal = numbers + 3 * count,
                             .offset = numbers + 3 * count + 3 * walls,
                             .memory = memory}};
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
    thud_status status = THUD_OK;
    if (spheres->cell.shear && problem->smooth)
    {
        status = add_shear(&way);
        judged.smooth = isnan(way.smooth.gap_tt + way.smooth.gap_tq) ? NULL : &way.smooth;
    }
    if (status == THUD_OK)
        status = thud_check_step(&judged, before, after, def, verdict);
    thudi_obstacles_close(&way.search.obstacles, allocator);
    thudi_exam_give(&memory, block, size);
    return status;
}
