// The rows of a world by a search over all pairs, walls and facets, by the criteria as documented
// in src/spheres/world_rows.c. What is within rounding of a limit may be there or not.
#include "rows_brute.h"

#include <string.h>

void brute_tell(const brute *b, const constraint *c, const char *what)
{
    test_fail(__FILE__, __LINE__, "phase %d, t = %g, key %llx, gap %g, lin %g: %s",
              (int)b->at->phase, b->at->t,
              (unsigned long long)thud_key_read(c->key, THUD_KEYS_NUMBERED).a, c->gap, c->lin,
              what);
}

double brute_length(const double *v, int dim)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += v[k] * v[k];
    return sqrt(sum);
}

void brute_place(const rows_world *w, const double *q, int i, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = k < w->dim ? q[w->dim * i + k] : 0;
}

// The first row with this key, -1 for none.
int brute_find(const thud_rows *rows, thud_key key)
{
    int low = 0, high = thud_rows_count(rows);
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (thud_key_before(thud_rows_get(rows, middle, NULL).key, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low < thud_rows_count(rows) && thud_key_same(thud_rows_get(rows, low, NULL).key, key)
               ? low
               : -1;
}

const thud_multiplier *brute_recall(const thud_moment *at, thud_key key)
{
    for (int m = 0; m < at->multiplier_count; m++)
        if (thud_key_same(at->multipliers[m].key, key))
            return &at->multipliers[m];
    return NULL;
}

// The numbers of a row that is there.
static void check_numbers(brute *b, const constraint *c, const thud_row *row)
{
    const rows_world *w = b->w;
    double entry = w->table[c->materials[0] * ROWS_MATERIALS + c->materials[1]], off = 0;
    const double *normal = row->slope + (c->b >= 0 ? w->dim : 0);
    for (int k = 0; k < w->dim; k++)
    {
        off = fmax(off, fabs(normal[k] - c->normal[k]));
        off = c->b >= 0 ? fmax(off, fabs(row->slope[k] + normal[k])) : off;
    }
    bool plain = w->law == THUD_LAW_INELASTIC || entry == 0;
    bool law = plain ? !row->numbers : row->law == w->law && row->numbers[0] == entry;
    bool bodies = row->width == w->dim && row->count == (c->b >= 0 ? 2 : 1) &&
                  row->index[0] == w->dim * c->a && (c->b < 0 || row->index[1] == w->dim * c->b);
    if (fabs(row->gap - c->gap) > ROWS_ROUNDING * (1 + fabs(c->gap)))
        brute_tell(b, c, "its gap is wrong");
    else if (!(off <= 1e-9))
        brute_tell(b, c, "its slope is wrong");
    else if (fabs(row->shift - c->sigma) > ROWS_ROUNDING * c->sigma || !law || !bodies)
        brute_tell(b, c, "its shift, law or bodies are wrong");
}

// Compare one constraint: must its row be there, may it?
void brute_judge(brute *b, const constraint *c, bool must, bool may)
{
    int i = brute_find(b->rows, c->key);
    if (i < 0 && must)
        brute_tell(b, c, "its row is missing");
    if (i < 0)
        return;
    b->found++;
    thud_row_room room;
    thud_row row = thud_rows_get(b->rows, i, &room);
    if (!may)
        brute_tell(b, c, "its row should not be there");
    check_numbers(b, c, &row);
}

// CHECK: what must be there by lin, and what may. room: the solver may miss a row by so much.
void brute_judge_lin(brute *b, const constraint *c, bool has_room)
{
    bool bounces = b->w->law == THUD_LAW_RESTITUTION;
    double most = bounces ? 2 * c->sigma : c->sigma, least = has_room && !bounces ? most / 2 : most;
    brute_judge(b, c, c->lin < least - ROWS_ROUNDING, c->lin < most + ROWS_ROUNDING);
}

// The vector from a to b with an image of b, and its key.
static void take_pair(const brute *b, const double *q, const int m[3], constraint *c, double d[3])
{
    const rows_world *w = b->w;
    int image = 0;
    for (int k = 0; k < 3; k++)
    {
        d[k] = k < w->dim ? q[w->dim * c->b + k] - q[w->dim * c->a + k] - m[k] * w->period[k] : 0;
        image |= (m[k] & 3) << 2 * k;
    }
    c->key = thud_key_pair(c->a, c->b, image);
}

static bool is_known(const brute *b, thud_key key, bool *held)
{
    const thud_multiplier *known = brute_recall(b->at, key);
    *held = known && b->w->law == THUD_LAW_GLUE && known->memory < 0;
    return known;
}

static void judge_pair(brute *b, constraint *c, const int m[3])
{
    const rows_world *w = b->w;
    const double *q = b->at->q;
    double d[3];
    bool held;
    take_pair(b, q, m, c, d);
    double distance = brute_length(d, 3), ra = w->radius[c->a], rb = w->radius[c->b];
    c->gap = c->lin = distance - ra - rb;
    c->sigma = 2 * w->tol * fmin(ra, rb);
    c->materials[0] = w->material[c->a];
    c->materials[1] = w->material[c->b];
    for (int k = 0; k < 3; k++)
        c->normal[k] = d[k] / distance;
    for (int k = 0; k < w->dim && b->at->trial; k++)
        c->lin += c->normal[k] * ((b->at->trial[w->dim * c->b + k] - q[w->dim * c->b + k]) -
                                  (b->at->trial[w->dim * c->a + k] - q[w->dim * c->a + k]));
    if (b->at->phase == THUD_FIND_MISSING)
    {
        brute_judge_lin(b, c, true);
        return;
    }
    double reach = b->reach[c->a] + b->reach[c->b], fast = fmax(b->ring[c->a], b->ring[c->b]);
    double limit = 2 * c->sigma + b->at->h * (2 * b->pull + fast);
    bool known = is_known(b, c->key, &held), is_near = distance < reach * (1 - ROWS_ROUNDING);
    b->w->far_held += held && !is_near;
    brute_judge(b, c, held || (is_near && (known || c->gap < limit - ROWS_ROUNDING)),
                held || (distance < reach * (1 + ROWS_ROUNDING) &&
                         (known || c->gap < limit + ROWS_ROUNDING)));
}

static void judge_pairs(brute *b)
{
    const rows_world *w = b->w;
    for (int i = 0; i < w->count; i++)
        for (int j = i + 1; j < w->count; j++)
            for (int n = 0; n < 9; n++)
            {
                int m[3] = {0, 0, 0};
                bool is_image = true;
                for (int k = 0; k < 2; k++)
                {
                    int beside = (k == 0 ? n % 3 : n / 3) - 1;
                    double way = b->at->q[w->dim * j + k] - b->at->q[w->dim * i + k];
                    bool ring = w->period[k] > 0;
                    m[k] = ring ? (int)round(way / w->period[k]) + beside : 0;
                    is_image = is_image && (ring || beside == 0);
                }
                constraint c = {.a = i, .b = j};
                if (is_image)
                    judge_pair(b, &c, m);
            }
}

static double wall_gap(const rows_world *w, int wall, double t, const double *q, int i)
{
    double sum = -rows_world_offset(&w->walls[wall], t);
    for (int k = 0; k < w->dim; k++)
        sum += w->walls[wall].normal[k] * q[w->dim * i + k];
    return sum - w->radius[i];
}

static void judge_walls(brute *b)
{
    const rows_world *w = b->w;
    for (int n = 0; n < w->wall_count * w->count; n++)
    {
        int wall = n / w->count, i = n % w->count;
        constraint c = {.key = thud_key_wall(wall, i),
                        .a = i,
                        .b = -1,
                        .gap = wall_gap(w, wall, b->at->t, b->at->q, i),
                        .sigma = 2 * w->tol * w->radius[i],
                        .materials = {w->material[i], w->walls[wall].material}};
        memcpy(c.normal, w->walls[wall].normal, sizeof c.normal);
        c.lin = b->at->trial ? wall_gap(w, wall, b->at->t, b->at->trial, i) : c.gap;
        double limit = 2 * c.sigma + b->at->h * (2 * b->pull + b->ring[i]);
        bool known = brute_recall(b->at, c.key) != NULL;
        if (b->at->phase == THUD_FIND_MISSING)
            brute_judge_lin(b, &c, true);
        else
            brute_judge(b, &c, known || c.gap < limit - ROWS_ROUNDING,
                        known || c.gap < limit + ROWS_ROUNDING);
    }
}

// Is any image of j within reach of i?
static bool is_near(const brute *b, int i, int j)
{
    const rows_world *w = b->w;
    double sum = 0;
    for (int k = 0; k < w->dim; k++)
    {
        double way = b->at->q[w->dim * j + k] - b->at->q[w->dim * i + k];
        way -= w->period[k] > 0 ? w->period[k] * round(way / w->period[k]) : 0;
        sum += way * way;
    }
    return sqrt(sum) < b->reach[i] + b->reach[j];
}

// The largest relative speeds near each body, and those of its neighbours.
static void find_speeds(brute *b)
{
    const rows_world *w = b->w;
    for (int n = 0; n < w->count * w->wall_count; n++)
    {
        int i = n % w->count, wall = n / w->count;
        double along = 0;
        for (int k = 0; k < w->dim; k++)
            along += w->walls[wall].normal[k] * b->at->w[w->dim * i + k];
        if (wall_gap(w, wall, b->at->t, b->at->q, i) < 2 * b->reach[i])
            b->speed[i] = fmax(b->speed[i], fabs(along));
    }
    for (int n = 0; n < w->count * w->count; n++)
    {
        int i = n / w->count, j = n % w->count;
        double v[3] = {0, 0, 0};
        for (int k = 0; k < w->dim; k++)
            v[k] = b->at->w[w->dim * j + k] - b->at->w[w->dim * i + k];
        if (i != j && is_near(b, i, j))
            b->speed[i] = fmax(b->speed[i], brute_length(v, 3));
    }
    memcpy(b->ring, b->speed, sizeof b->ring);
    for (int n = 0; n < w->count * w->count; n++)
    {
        int i = n / w->count, j = n % w->count;
        if (i != j && is_near(b, i, j))
            b->ring[i] = fmax(b->ring[i], b->speed[j]);
    }
}

static void measure(brute *b)
{
    const rows_world *w = b->w;
    double mean[3] = {0, 0, 0}, fastest = 0;
    for (int i = 0; i < w->dim * w->count; i++)
        mean[i % w->dim] += b->at->w[i] / w->count;
    for (int i = 0; i < w->count; i++)
    {
        double v[3] = {0, 0, 0}, pull[3] = {0, 0, 0};
        for (int k = 0; k < 3 && k < w->dim; k++)
        {
            v[k] = b->at->w[w->dim * i + k] - mean[k];
            pull[k] = b->at->w[w->dim * i + k] - b->at->u[w->dim * i + k];
        }
        fastest = fmax(fastest, brute_length(v, 3));
        b->pull = fmax(b->pull, brute_length(pull, 3));
        b->largest = fmax(b->largest, w->radius[i]);
    }
    double travel = 2 * b->at->h * (fastest + b->pull);
    for (int i = 0; i < w->count; i++)
    {
        double size = fmin(b->largest, 4 * w->radius[i]);
        b->reach[i] = w->radius[i] + (fmin(travel, size) + 4 * w->tol * size) / 2;
    }
    find_speeds(b);
}

// The rows known, no others, and each with its gap at the start of the step.
static void look_back(brute *b)
{
    const rows_world *w = b->w;
    if (thud_rows_count(b->rows) != thud_rows_count(b->at->known))
        test_fail(__FILE__, __LINE__, "%d rows in place of %d", thud_rows_count(b->rows),
                  thud_rows_count(b->at->known));
    for (int i = 0; i < thud_rows_count(b->rows) && test_failures() == 0; i++)
    {
        thud_row row = thud_rows_get(b->rows, i, NULL),
                 known = thud_rows_get(b->at->known, i, NULL);
        thud_key_parts parts = thud_key_read(row.key, THUD_KEYS_OPEN);
        bool is_wall = parts.kind == THUD_KEY_WALL;
        double gap =
            is_wall ? wall_gap(w, (int)parts.a, b->at->t, b->at->q, (int)parts.b) : known.gap;
        CHECK(thud_key_same(row.key, known.key));
        CHECK_NEAR(row.gap, gap, ROWS_ROUNDING * (1 + fabs(gap)));
    }
}

void rows_brute_compare(rows_world *w, const thud_moment *at, const thud_rows *rows)
{
    brute b = {.w = w, .at = at, .rows = rows};
    w->asked++;
    w->rows += thud_rows_count(rows);
    if (at->phase == THUD_LOOK_BACK)
    {
        look_back(&b);
        return;
    }
    measure(&b);
    judge_pairs(&b);
    w->of_pairs += b.found;
    judge_walls(&b);
    w->of_walls += b.found;
    brute_judge_surfaces(&b);
    w->of_surfaces += b.found;
    if (b.found != thud_rows_count(rows))
        test_fail(__FILE__, __LINE__, "phase %d, t = %g: %d rows, of which %d are what they should",
                  (int)at->phase, at->t, thud_rows_count(rows), b.found);
}

static bool is_last_cut(const rows_world *w, thud_key key)
{
    thud_key_parts parts = thud_key_read(key, THUD_KEYS_OPEN);
    for (int k = 0; k < w->obstacle_count; k++)
        if (brute_is_concave(&w->obstacles[k].solid, 0) && parts.a == rows_world_first(w, k) + 7)
            return parts.kind == THUD_KEY_SURFACE;
    return false;
}

static double least_surface(const rows_world *w, const double *q, int i)
{
    double x[3], least = INFINITY;
    brute_place(w, q, i, x);
    for (int k = 0; k < w->obstacle_count; k++)
        for (int facet = 0; facet < brute_facets(&w->obstacles[k].solid); facet++)
            least =
                fmin(least,
                     brute_look(&w->obstacles[k].solid, &w->obstacles[k].pose, facet, x).distance -
                         w->radius[i]);
    return least;
}

void rows_brute_step(const rows_world *w, const thud_state *state, const thud_rows *rows)
{
    double t = thud_state_time(state), least = INFINITY;
    for (int i = 1; i < thud_rows_count(rows); i++)
        if (thud_key_same(thud_rows_get(rows, i, NULL).key, thud_rows_get(rows, i - 1, NULL).key) &&
            !is_last_cut(w, thud_rows_get(rows, i, NULL).key))
            test_fail(__FILE__, __LINE__, "t = %g: key %llx is there twice", t,
                      (unsigned long long)thud_key_read(thud_rows_get(rows, i, NULL).key,
                                                        THUD_KEYS_NUMBERED)
                          .a);
    for (int i = 0; i < w->count; i++)
    {
        for (int j = i + 1; j < w->count; j++)
        {
            double d[3] = {0, 0, 0};
            for (int k = 0; k < w->dim; k++)
            {
                d[k] = state->q[w->dim * j + k] - state->q[w->dim * i + k];
                d[k] -= w->period[k] > 0 ? w->period[k] * round(d[k] / w->period[k]) : 0;
            }
            least = fmin(least, brute_length(d, 3) - w->radius[i] - w->radius[j]);
        }
        for (int wall = 0; wall < w->wall_count; wall++)
            least = fmin(least, wall_gap(w, wall, t, state->q, i));
        least = fmin(least, least_surface(w, state->q, i));
    }
    if (!(least >= 0))
        test_fail(__FILE__, __LINE__, "t = %g: the smallest gap is %g", t, least);
}
