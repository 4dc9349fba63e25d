// A projection with dense rows: memory, copies and the way into Thud's rows.
#include "problem.h"

#include <stdlib.h>
#include <string.h>

problem *problem_create(int dim, int count)
{
    size_t d = (size_t)dim, n = (size_t)count;
    problem *p = calloc(1, sizeof *p);
    double *block = calloc(4 * d + n * d + 3 * n + 1, sizeof *block);
    if (!p || !block)
        abort();
    p->dim = dim;
    p->count = count;
    p->h = 1;
    p->speed = 1;
    p->mass = block;
    p->w = block + d;
    p->inside = block + 2 * d;
    p->origin = block + 3 * d;
    p->slope = block + 4 * d;
    p->gap = p->slope + n * d;
    p->shift = p->gap + n;
    p->warm = p->shift + n;
    for (int k = 0; k < dim; k++)
        p->mass[k] = 1;
    return p;
}

problem *problem_copy(const problem *from)
{
    problem *p = problem_create(from->dim, from->count);
    size_t d = (size_t)from->dim, n = (size_t)from->count;
    double *block = p->mass;
    memcpy(block, from->mass, (4 * d + n * d + 3 * n) * sizeof *block);
    p->seed = from->seed;
    p->traits = from->traits;
    p->width = from->width;
    p->h = from->h;
    p->shift_scale = from->shift_scale;
    p->speed = from->speed;
    p->is_warm = from->is_warm;
    return p;
}

void problem_destroy(problem *p)
{
    if (p)
        free(p->mass);
    free(p);
}

static bool block_is_used(const problem *p, int i, int block)
{
    for (int c = 0; c < p->width; c++)
        if (problem_slope(p, i)[block * p->width + c] != 0)
            return true;
    return false;
}

// The pair shape holds two blocks; a row with more (a sum of rows, say) goes the general way.
static bool push_pair(const problem *p, int i, thud_row row, thud_rows *rows)
{
    int index[2];
    double slope[6];
    row.width = p->width;
    for (int b = 0; b < p->dim / p->width; b++)
    {
        if (!block_is_used(p, i, b))
            continue;
        if (row.count == 2)
            return false;
        index[row.count] = b * p->width;
        for (int c = 0; c < p->width; c++)
            slope[row.count * p->width + c] = problem_slope(p, i)[b * p->width + c];
        row.count++;
    }
    row.index = index;
    row.slope = slope;
    return row.count > 0 && thud_rows_push(rows, &row) == THUD_OK;
}

static void push_general(const problem *p, int i, thud_row row, thud_rows *rows)
{
    int *index = calloc((size_t)p->dim, sizeof *index);
    double *slope = calloc((size_t)p->dim, sizeof *slope);
    if (!index || !slope)
        abort();
    // Every seventh row keeps its explicit zeros: they must not matter.
    for (int k = 0; k < p->dim; k++)
        if (problem_slope(p, i)[k] != 0 || i % 7 == 3)
        {
            index[row.count] = k;
            slope[row.count++] = problem_slope(p, i)[k];
        }
    row.index = index;
    row.slope = slope;
    if (thud_rows_push(rows, &row) != THUD_OK)
        abort();
    free(index);
    free(slope);
}

thud_rows *problem_rows(const problem *p, const int *order)
{
    thud_rows *rows = NULL;
    if (thud_rows_create(p->dim, NULL, &rows) != THUD_OK)
        abort();
    for (int n = 0; n < p->count; n++)
    {
        int i = order ? order[n] : n;
        thud_row row = {.key = thud_key_number(i + 1), .gap = p->gap[i], .shift = p->shift[i]};
        if (p->width == 0 || !push_pair(p, i, row, rows))
            push_general(p, i, row, rows);
    }
    return rows;
}

thud_projection problem_projection(const problem *p, const thud_rows *rows)
{
    return (thud_projection){.dim = p->dim,
                             .h = p->h,
                             .mass = p->traits & TRAIT_MASS ? p->mass : NULL,
                             .w = p->w,
                             .rows = rows,
                             .origin = p->traits & TRAIT_ORIGIN ? p->origin : NULL,
                             .warm = p->is_warm ? p->warm : NULL,
                             .shift_scale = p->shift_scale};
}
