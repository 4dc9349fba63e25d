// Contact problems: memory, the way into Thud, the duality gap, and scenes without geometry.
#include "scene.h"

#include "thud_test.h"

#include <stdlib.h>

__extension__ typedef __float128 quad;

scene *scene_create(int dim)
{
    scene *s = calloc(1, sizeof *s);
    double *block = calloc(2 * (size_t)dim, sizeof *block);
    if (!s || !block || thud_rows_create(dim, NULL, &s->rows) != THUD_OK)
        abort();
    s->dim = dim;
    s->h = 1;
    s->mass = block;
    s->w = block + dim;
    for (int k = 0; k < dim; k++)
        s->mass[k] = 1;
    return s;
}

void scene_destroy(scene *s)
{
    if (!s)
        return;
    thud_rows_destroy(s->rows);
    free(s->mass);
    free(s);
}

thud_projection scene_projection(const scene *s, const double *warm)
{
    return (thud_projection){
        .dim = s->dim, .h = s->h, .mass = s->mass, .w = s->w, .rows = s->rows, .warm = warm};
}

scene *scene_chain(int count, uint64_t seed)
{
    test_random random = test_random_start(seed);
    scene *s = scene_create(count);
    s->h = .01;
    for (int k = 0; k < count; k++)
    {
        s->mass[k] = test_random_uniform(&random, .5, 2);
        s->w[k] = test_random_normal(&random) + 2.0 * (count - 2 * k) / count;
    }
    for (int k = 0; k <= count; k++)
    {
        int index[2] = {k - 1, k};
        double slope[2] = {-1, 1};
        bool is_first = k == 0, is_last = k == count;
        thud_row row = {.key = thud_key_number(k + 1),
                        .gap = test_random_uniform(&random, 0, .01),
                        .count = is_first || is_last ? 1 : 2,
                        .index = is_first ? index + 1 : index,
                        .slope = is_first ? slope + 1 : slope};
        thud_rows_push(s->rows, &row);
    }
    return s;
}

scene *scene_random(int dim, int count, int filled, uint64_t seed)
{
    test_random random = test_random_start(seed);
    scene *s = scene_create(dim);
    int *index = calloc((size_t)filled, sizeof *index);
    double *slope = calloc((size_t)filled, sizeof *slope);
    if (!index || !slope)
        abort();
    for (int k = 0; k < dim; k++)
    {
        s->mass[k] = test_random_uniform(&random, .5, 2);
        s->w[k] = test_random_normal(&random);
    }
    for (int i = 0; i < count; i++)
    {
        int start = test_random_int(&random, 0, dim - 1);
        double square = 0;
        for (int j = 0; j < filled; j++)
        {
            index[j] = (start + j * (dim / filled)) % dim;
            slope[j] = test_random_normal(&random);
            square += slope[j] * slope[j];
        }
        thud_row row = {.key = thud_key_number(i + 1),
                        .gap = sqrt(square) * test_random_uniform(&random, 0, 1),
                        .count = filled,
                        .index = index,
                        .slope = slope};
        thud_rows_push(s->rows, &row);
    }
    free(index);
    free(slope);
    return s;
}

// push = G^T mu, and the sum of mu_i (gap_i / h + slope_i . w)
static quad load(const scene *s, const double *mu, quad *push)
{
    quad sum = 0;
    for (int i = 0; i < thud_rows_count(s->rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(s->rows, i, &room);
        int width = row.width > 1 ? row.width : 1;
        quad lin = row.gap / (quad)s->h;
        for (int j = 0; j < row.count * width; j++)
        {
            int k = row.index[j / width] + j % width;
            push[k] += (quad)mu[i] * row.slope[j];
            lin += (quad)row.slope[j] * s->w[k];
        }
        sum += mu[i] * lin;
    }
    return sum;
}

double scene_duality_gap(const scene *s, const double *u, const double *mu, double *primal)
{
    quad *push = calloc((size_t)s->dim, sizeof *push), own = 0, effect = 0;
    if (!push)
        abort();
    quad dual = -load(s, mu, push);
    for (int k = 0; k < s->dim; k++)
    {
        own += s->mass[k] * ((quad)u[k] - s->w[k]) * ((quad)u[k] - s->w[k]) / 2;
        effect += push[k] * push[k] / s->mass[k] / 2;
    }
    free(push);
    *primal = (double)own;
    return own > 0 ? (double)((own - dual + effect) / own) : 0;
}
