// Spheres in an upright grid whose problem withholds rows.
#include "late_grid.h"

#include <math.h>

void late_grid_add(late_grid *g, int a, int b, bool is_late)
{
    g->is_late[g->pairs] = is_late;
    g->pair[g->pairs][0] = a;
    g->pair[g->pairs++][1] = b;
}

// Spheres of diameter 1, slightly out of place, nearly in contact with their neighbours, and
// heavier from layer to layer: that takes many sweeps.
late_grid late_grid_random(test_random *random, double shift, double share)
{
    late_grid g = {.bodies = LATE_BODIES, .shift = shift};
    for (int i = 0; i < LATE_BODIES; i++)
    {
        int column = i % LATE_ACROSS, layer = i / LATE_ACROSS;
        double *q = g.q + 3 * i;
        q[0] = column * 1.002 + test_random_uniform(random, -1e-4, 1e-4);
        q[1] = test_random_uniform(random, -1e-2, 1e-2);
        q[2] = 0.501 + layer * 1.002 + test_random_uniform(random, -1e-4, 1e-4);
        g.u[3 * i + 2] = -1;
        for (int k = 0; k < 3; k++)
            g.mass[3 * i + k] = pow(1.1, layer);
        bool is_late = test_random_uniform(random, 0, 1) < share;
        if (column + 1 < LATE_ACROSS)
            late_grid_add(&g, i, i + 1, false);
        if (layer + 1 < LATE_LAYERS)
            late_grid_add(&g, i, i + LATE_ACROSS,
                          is_late && column > 0); // one column holds it together
    }
    return g;
}

double late_grid_distance(const double *q, const int pair[2], double normal[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
    {
        normal[k] = q[3 * pair[1] + k] - q[3 * pair[0] + k];
        sum += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; k++)
        normal[k] /= sqrt(sum);
    return sqrt(sum);
}

static void push_pair(const late_grid *g, int p, const double *q, bool is_late, thud_rows *rows)
{
    bool is_general = is_late && g->is_general;
    double normal[3], slope[6], scale = is_late && g->scale > 0 ? g->scale : 1;
    int width = is_general ? 1 : 3, index[6];
    thud_row row = {.key = thud_key_number(1000 + p), .shift = scale * g->shift, .width = width};
    row.gap = scale * (late_grid_distance(q, g->pair[p], normal) - 1);
    row.count = is_general ? 6 : 2;
    for (int k = 0; k < 3; k++)
    {
        slope[k] = -scale * normal[k];
        slope[3 + k] = scale * normal[k];
    }
    for (int e = 0; e < row.count; e++)
        index[e] = is_general ? 3 * g->pair[p][e / 3] + e % 3 : 3 * g->pair[p][e];
    row.index = index;
    row.slope = slope;
    (void)thud_rows_push(rows, &row);
}

static int grid_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    late_grid *g = user;
    double normal[3];
    bool is_search = at->phase == THUD_FIND_MISSING;
    g->searches += is_search;
    if (is_search && g->searches == g->failing_search)
        return 1;
    for (int i = 0; i < LATE_ACROSS; i++)
    {
        thud_row floor = {.key = thud_key_number(i), .gap = at->q[3 * i + 2] - 0.5};
        floor.shift = g->shift;
        floor.width = 3;
        floor.count = 1;
        floor.index = (int[]){3 * i};
        floor.slope = (double[]){0, 0, 1};
        (void)thud_rows_push(rows, &floor);
    }
    for (int p = 0; p < g->pairs; p++)
    {
        bool is_wanted = !g->is_late[p] || g->pushes_all;
        bool is_missing = is_search && !is_wanted &&
                          late_grid_distance(at->trial, g->pair[p], normal) - 1 < 0.25 * g->shift;
        g->pushed_late += is_missing;
        if (is_wanted || is_missing)
            push_pair(g, p, at->q, is_missing, rows);
    }
    return 0;
}

static int weight(double t, const double *q, double *f, void *user)
{
    const late_grid *g = user;
    (void)t;
    (void)q;
    for (int k = 0; k < 3 * g->bodies; k++)
        f[k] = k % 3 == 2 ? -10 * g->mass[k] : 0;
    return 0;
}

thud_inclusion late_grid_problem(late_grid *g)
{
    return (thud_inclusion){.dim = 3 * g->bodies,
                            .mass = g->mass,
                            .force = weight,
                            .force_is_steady = true,
                            .gaps = grid_gaps,
                            .user = g};
}
