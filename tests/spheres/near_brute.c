// The rows of a world by a search over all pairs, by the criteria as documented.
#include "near_rig.h"

#include <stdlib.h>

static const double MARGIN = 1e-2; // of the check

// All that the search over all pairs needs to know of a moment.
typedef struct brute
{
    const near_rig *rig;
    double pull, largest;
    double *reach, *speed, *ring;
    thud_rows *rows;
} brute;

static double length(int dim, const double *v, const double *from)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += (v[k] - (from ? from[k] : 0)) * (v[k] - (from ? from[k] : 0));
    return sqrt(sum);
}

static double wall_gap(const near_rig *rig, int wall, const double *q, int i)
{
    const thud_plane *plane = &rig->planes[wall];
    double scale = length(rig->dim, plane->normal, NULL), sum = -(plane->offset / scale);
    for (int k = 0; k < rig->dim; k++)
        sum += plane->normal[k] / scale * q[rig->dim * i + k];
    return sum - rig->spheres[i].radius;
}

static bool is_near(const brute *b, int i, int j)
{
    const near_rig *rig = b->rig;
    double sum = 0, reach = b->reach[i] + b->reach[j];
    for (int k = 0; k < rig->dim; k++)
        sum += pow(rig->q[rig->dim * j + k] - rig->q[rig->dim * i + k], 2);
    return sum < reach * reach;
}

static bool has_multiplier(const near_rig *rig, thud_key key)
{
    thud_multiplier wanted = {.key = key};
    return bsearch(&wanted, rig->multipliers, (size_t)rig->multiplier_count, sizeof wanted,
                   near_rig_by_key);
}

static double shift_of(const near_rig *rig, int i, int j)
{
    return 2 * NEAR_RIG_TOL * fmin(rig->spheres[i].radius, rig->spheres[j].radius);
}

// Row and gap of a pair; lin at the trial position.
static thud_row pair_row(const near_rig *rig, int i, int j, int index[2], double slope[6],
                         double *lin)
{
    int dim = rig->dim;
    double normal[3], distance = length(dim, rig->q + dim * j, rig->q + dim * i);
    *lin = distance - (rig->spheres[i].radius + rig->spheres[j].radius);
    for (int k = 0; k < dim; k++)
    {
        int a = dim * i + k, b = dim * j + k;
        normal[k] = (rig->q[b] - rig->q[a]) / distance;
        slope[k] = -normal[k];
        slope[dim + k] = normal[k];
        *lin += normal[k] * ((rig->trial[b] - rig->q[b]) - (rig->trial[a] - rig->q[a]));
    }
    index[0] = dim * i;
    index[1] = dim * j;
    return (thud_row){.key = thud_key_pair(i, j, 0),
                      .gap = distance - rig->spheres[i].radius - rig->spheres[j].radius,
                      .shift = shift_of(rig, i, j),
                      .width = dim,
                      .count = 2,
                      .index = index,
                      .slope = slope};
}

static void push_wall(const brute *b, int wall, int i)
{
    const near_rig *rig = b->rig;
    double normal[3], scale = length(rig->dim, rig->planes[wall].normal, NULL);
    int index = rig->dim * i;
    for (int k = 0; k < rig->dim; k++)
        normal[k] = rig->planes[wall].normal[k] / scale;
    CHECK(thud_rows_push(b->rows, &(thud_row){.key = thud_key_wall(wall, i),
                                              .gap = wall_gap(rig, wall, rig->q, i),
                                              .shift = shift_of(rig, i, i),
                                              .width = rig->dim,
                                              .count = 1,
                                              .index = &index,
                                              .slope = normal}) == THUD_OK);
}

// Speeds near each body, and the largest of its neighbours'.
static void brute_speeds(const brute *b)
{
    const near_rig *rig = b->rig;
    for (int i = 0; i < rig->count; i++)
        for (int w = 0; w < rig->walls; w++)
        {
            double along = 0, scale = length(rig->dim, rig->planes[w].normal, NULL);
            for (int k = 0; k < rig->dim; k++)
                along += rig->planes[w].normal[k] / scale * rig->w[rig->dim * i + k];
            if (wall_gap(rig, w, rig->q, i) < 2 * b->reach[i])
                b->speed[i] = fmax(b->speed[i], fabs(along));
        }
    for (int ring = 0; ring < 2; ring++)
    {
        for (int i = 0; i < rig->count && ring; i++)
            b->ring[i] = b->speed[i];
        for (int i = 0; i < rig->count; i++)
            for (int j = 0; j < rig->count; j++)
                if (j != i && is_near(b, i, j) && !ring)
                    b->speed[i] = fmax(b->speed[i], length(rig->dim, rig->w + rig->dim * i,
                                                           rig->w + rig->dim * j));
                else if (j != i && is_near(b, i, j))
                    b->ring[i] = fmax(b->ring[i], b->speed[j]);
    }
}

static void brute_linearise(brute *b)
{
    const near_rig *rig = b->rig;
    double mean[3] = {0}, fastest = 0;
    for (int i = 0; i < rig->dim * rig->count; i++)
        mean[i % rig->dim] += rig->w[i] / rig->count;
    for (int i = 0; i < rig->count; i++)
    {
        fastest = fmax(fastest, length(rig->dim, rig->w + rig->dim * i, mean));
        b->pull = fmax(b->pull, length(rig->dim, rig->w + rig->dim * i, rig->u + rig->dim * i));
    }
    double travel = 2 * rig->h * (fastest + b->pull);
    for (int i = 0; i < rig->count; i++)
    {
        double radius = rig->spheres[i].radius;
        double size = fmin(b->largest, 4 * radius);
        b->reach[i] = radius + (fmin(travel, size) + 4 * NEAR_RIG_TOL * size) / 2;
    }
    brute_speeds(b);
    for (int i = 0; i < rig->count; i++)
        for (int j = i + 1; j < rig->count; j++)
        {
            int index[2];
            double slope[6], lin, fast = fmax(b->ring[i], b->ring[j]);
            thud_row row = pair_row(rig, i, j, index, slope, &lin);
            if (is_near(b, i, j) && (row.gap < 2 * row.shift + rig->h * (2 * b->pull + fast) ||
                                     has_multiplier(rig, row.key)))
                CHECK(thud_rows_push(b->rows, &row) == THUD_OK);
        }
    for (int w = 0; w < rig->walls; w++)
        for (int i = 0; i < rig->count; i++)
            if (wall_gap(rig, w, rig->q, i) <
                    2 * shift_of(rig, i, i) + rig->h * (2 * b->pull + b->ring[i]) ||
                has_multiplier(rig, thud_key_wall(w, i)))
                push_wall(b, w, i);
}

static void brute_check(brute *b)
{
    const near_rig *rig = b->rig;
    double mean[3] = {0};
    for (int i = 0; i < rig->dim * rig->count; i++)
        mean[i % rig->dim] += (rig->trial[i] - rig->q[i]) / rig->count;
    for (int i = 0; i < rig->count; i++)
    {
        double way[3];
        for (int k = 0; k < rig->dim; k++)
            way[k] = rig->trial[rig->dim * i + k] - rig->q[rig->dim * i + k];
        b->reach[i] =
            rig->spheres[i].radius * (1 + MARGIN + 2 * NEAR_RIG_TOL) + length(rig->dim, way, mean);
    }
    for (int i = 0; i < rig->count; i++)
        for (int j = i + 1; j < rig->count; j++)
        {
            int index[2];
            double slope[6], lin;
            if (!is_near(b, i, j))
                continue;
            thud_row row = pair_row(rig, i, j, index, slope, &lin);
            thud_rows_note_gap(
                b->rows, length(rig->dim, rig->trial + rig->dim * j, rig->trial + rig->dim * i) -
                             (rig->spheres[i].radius + rig->spheres[j].radius));
            if (lin < row.shift)
                CHECK(thud_rows_push(b->rows, &row) == THUD_OK);
        }
    for (int w = 0; w < rig->walls; w++)
        for (int i = 0; i < rig->count; i++)
        {
            double gap = wall_gap(rig, w, rig->trial, i);
            thud_rows_note_gap(b->rows, gap);
            if (gap < shift_of(rig, i, i))
                push_wall(b, w, i);
        }
}

void near_brute_ask(const near_rig *rig, thud_phase phase, thud_rows *rows)
{
    size_t count = (size_t)rig->count;
    brute b = {.rig = rig, .rows = rows};
    b.reach = near_rig_room(3 * count, sizeof *b.reach);
    b.speed = b.reach + count;
    b.ring = b.speed + count;
    for (int i = 0; i < rig->count; i++)
        b.largest = fmax(b.largest, rig->spheres[i].radius);
    thud_rows_clear(rows);
    if (phase == THUD_FIND_MISSING)
        brute_check(&b);
    else
        brute_linearise(&b);
    thud_rows_sort(rows);
    free(b.reach);
}
