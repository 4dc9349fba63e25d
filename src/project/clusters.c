// Connected clusters are separate problems: rows that share a coordinate belong together.
//
// A small cluster, or one with a row that has no shift, is solved exactly; the others by
// accelerated Gauss-Seidel, each to its own tolerance. Cost of the splitting: near linear in the
// entries.
#include "project/projector.h"

#include <stdlib.h>
#include <string.h>

enum
{
    UNTOUCHED = -1 // the parent of a unit that no row has met
};

static int root_of(int *parent, int k)
{
    while (parent[k] != k)
    {
        parent[k] = parent[parent[k]]; // halve the path
        k = parent[k];
    }
    return k;
}

static void meet(thudi_clusters *c, int unit)
{
    if (c->parent.items[unit] != UNTOUCHED)
        return;
    c->parent.items[unit] = unit;
    c->count++;
    c->touched++;
}

// A parent is never larger than its child.
static void join(thudi_clusters *c, int a, int b)
{
    int *parent = c->parent.items;
    meet(c, a);
    meet(c, b);
    a = root_of(parent, a);
    b = root_of(parent, b);
    c->count -= a != b;
    parent[a > b ? a : b] = a > b ? b : a;
}

// The unit of block j of a row; unit is a constant that the compiler may divide by.
static inline int unit_of(const thud_rows *rows, const thudi_row_head *row, int j, int unit)
{
    return rows->blocks.items[row->block_first + (size_t)j] / unit;
}

// Rows whose blocks are the units.
static inline __attribute__((always_inline)) void join_blocks(thudi_clusters *c,
                                                              const thud_rows *rows, int unit)
{
    const int *parent = c->parent.items;
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        if (row->count == 0) // a row without coordinates is a cluster of its own
        {
            c->count++;
            continue;
        }
        int a = unit_of(rows, row, 0, unit), b = unit_of(rows, row, row->count - 1, unit);
        if (parent[a] != parent[b] || parent[a] == UNTOUCHED)
            join(c, a, b);
    }
}

static void join_coordinates(thudi_clusters *c, const thud_rows *rows)
{
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6];
        c->count += row->size == 0;
        if (row->size == 0)
            continue;
        const int *index = thudi_row_index(rows, row, room);
        for (int k = 0; k < row->size; k++)
            join(c, index[0], index[k]);
    }
}

// Join what the rows join, and count the clusters; every unit's parent is then its root.
static void find_clusters(thudi_clusters *c, const thud_projection *problem)
{
    int units = problem->dim / c->unit, *parent = c->parent.items;
    c->count = c->touched = 0;
    for (int k = 0; k < units; k++)
        parent[k] = UNTOUCHED;
    if (c->unit == 3)
        join_blocks(c, problem->rows, 3);
    else if (c->unit == 2)
        join_blocks(c, problem->rows, 2);
    else
        join_coordinates(c, problem->rows);
    for (int k = 0; k < units; k++)
        if (parent[k] != UNTOUCHED)
            parent[k] = parent[parent[k]];
}

// Number the clusters by their first row.
static void number_clusters(thudi_clusters *c, const thud_rows *rows, int units)
{
    int count = 0, *number = c->number.items;
    for (int k = 0; k < units; k++)
        number[k] = -1;
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        if (row->size == 0)
        {
            c->cluster_of_row[i] = count++;
            continue;
        }
        int root = c->parent.items[unit_of(rows, row, 0, c->unit)];
        if (number[root] < 0)
            number[root] = count++;
        c->cluster_of_row[i] = number[root];
    }
}

// Group the rows by a counting sort, and count the coordinates of each cluster.
static void group_rows(thudi_clusters *c, int rows, int units)
{
    int *first = c->first.items, *dims = c->dims.items;
    memset(dims, 0, (size_t)c->count * sizeof *dims);
    memset(first, 0, ((size_t)c->count + 2) * sizeof *first);
    for (int i = 0; i < rows; i++)
        first[c->cluster_of_row[i] + 2]++;
    for (int k = 0; k < c->count; k++)
        first[k + 2] += first[k + 1];
    for (int i = 0; i < rows; i++)
        c->order.items[first[c->cluster_of_row[i] + 1]++] = i;
    for (int k = 0; k < units; k++)
        if (c->parent.items[k] != UNTOUCHED)
            dims[c->number.items[c->parent.items[k]]] += c->unit;
}

// The usual case: all rows in one cluster, in their order.
static void keep_together(thudi_clusters *c, int rows)
{
    c->dims.items[0] = c->touched * c->unit;
    c->first.items[0] = 0;
    c->first.items[1] = rows;
    for (int i = 0; i < rows; i++)
        c->order.items[i] = i;
}

static thud_status split(const thudi_task *task)
{
    const thud_projection *problem = task->problem;
    const thud_allocator *allocator = &task->projector->allocator;
    thudi_clusters *c = &task->projector->clusters;
    thudi_packs *packs = &task->projector->packs; // not in use yet
    int rows = problem->rows->count, units = problem->dim / c->unit;
    THUD_TRY(thudi_array_reserve(allocator, &c->parent, (size_t)units));
    find_clusters(c, problem);
    THUD_TRY(thudi_array_reserve(allocator, &c->dims, (size_t)c->count));
    THUD_TRY(thudi_array_reserve(allocator, &c->first, (size_t)c->count + 2));
    THUD_TRY(thudi_array_reserve(allocator, &c->order, (size_t)rows));
    if (c->count == 1 && c->touched > 0)
    {
        keep_together(c, rows);
        return THUD_OK;
    }
    THUD_TRY(thudi_array_reserve(allocator, &c->number, (size_t)units));
    THUD_TRY(thudi_array_reserve(allocator, &packs->saved, (size_t)rows));
    c->cluster_of_row = (int *)packs->saved.items;
    number_clusters(c, problem->rows, units);
    group_rows(c, rows, units);
    return THUD_OK;
}

// One cluster copied into coordinates of its own.
typedef struct cluster
{
    const int *rows; // which rows of the whole
    int count, dim;
    thud_projection problem;
} cluster;

static int by_number(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

// Number the coordinates of the cluster in their own order, so that blocks stay consecutive.
static void number_coordinates(thudi_clusters *c, const thud_rows *rows, cluster *part)
{
    for (int j = 0; j < part->count; j++)
    {
        const thudi_row_head *row = &rows->heads.items[part->rows[j]];
        for (int k = 0; k < row->size; k++)
            c->number.items[thudi_row_coordinate(rows, row, k)] = -1;
    }
    part->dim = 0;
    for (int j = 0; j < part->count; j++)
    {
        const thudi_row_head *row = &rows->heads.items[part->rows[j]];
        for (int k = 0; k < row->size; k++)
        {
            int from = thudi_row_coordinate(rows, row, k);
            if (c->number.items[from] >= 0)
                continue;
            c->coordinate.items[part->dim] = from;
            c->number.items[from] = part->dim++;
        }
    }
    qsort(c->coordinate.items, (size_t)part->dim, sizeof *c->coordinate.items, by_number);
    for (int k = 0; k < part->dim; k++)
        c->number.items[c->coordinate.items[k]] = k;
}

static thud_status copy_rows(thudi_clusters *c, const thud_rows *rows, const cluster *part)
{
    for (int j = 0; j < part->count; j++)
    {
        thud_row row = thud_rows_get(rows, part->rows[j]);
        for (int b = 0; b < row.count; b++)
            c->local_index.items[b] = c->number.items[row.index[b]];
        row.index = c->local_index.items;
        THUD_TRY(thud_rows_push(c->rows, &row));
    }
    return THUD_OK;
}

static const double *gather(const thudi_clusters *c, const double *from, int dim, double *to)
{
    for (int k = 0; k < dim && from; k++)
        to[k] = from[c->coordinate.items[k]];
    return from ? to : NULL;
}

static thud_status make_room_for_part(thudi_clusters *c, const thud_allocator *allocator,
                                      size_t whole_dim, size_t dim, size_t rows)
{
    THUD_TRY(thudi_array_reserve(allocator, &c->number, whole_dim));
    THUD_TRY(thudi_array_reserve(allocator, &c->coordinate, dim));
    THUD_TRY(thudi_array_reserve(allocator, &c->local_index, dim));
    THUD_TRY(thudi_array_reserve(allocator, &c->vectors, 4 * dim));
    THUD_TRY(thudi_array_reserve(allocator, &c->multipliers, 3 * rows));
    return thudi_array_reserve(allocator, &c->is_tight, rows);
}

static thud_status extract(const thudi_task *task, cluster *part)
{
    thudi_clusters *c = &task->projector->clusters;
    const thud_projection *whole = task->problem;
    int dim = part->dim > 0 ? part->dim : 1;
    THUD_TRY(make_room_for_part(c, &task->projector->allocator, (size_t)whole->dim, (size_t)dim,
                                (size_t)part->count));
    number_coordinates(c, whole->rows, part);
    if (!c->rows || c->rows_dim < dim)
    {
        thud_rows_destroy(c->rows);
        c->rows = NULL;
        THUD_TRY(thud_rows_create(dim, &task->projector->allocator, &c->rows));
        c->rows_dim = dim;
    }
    thud_rows_clear(c->rows);
    c->rows->dim = dim; // a list made for more coordinates serves for fewer
    THUD_TRY(copy_rows(c, whole->rows, part));
    double *vectors = c->vectors.items;
    part->problem = *whole;
    part->problem.dim = dim;
    part->problem.rows = c->rows;
    part->problem.mass = gather(c, whole->mass, part->dim, vectors);
    part->problem.w = gather(c, whole->w, part->dim, vectors + dim);
    part->problem.origin = gather(c, whole->origin, part->dim, vectors + 2 * (size_t)dim);
    part->problem.force = gather(c, whole->force, part->dim, vectors + 3 * (size_t)dim);
    if (part->dim == 0) // only rows without coordinates: one idle coordinate keeps it well formed
        part->problem.w = whole->w;
    for (int j = 0; j < part->count && whole->warm; j++)
        c->multipliers.items[j] = whole->warm[part->rows[j]];
    part->problem.warm = whole->warm ? c->multipliers.items : NULL;
    return THUD_OK;
}

// Solve a cluster as a problem of its own, by this method.
static thud_status solve_part(const thudi_task *task, cluster *part, thudi_method_fn *method)
{
    thudi_clusters *c = &task->projector->clusters;
    THUD_TRY(extract(task, part));
    int tight = 0;
    bool unique = true, exact = true;
    double *mu = c->multipliers.items + part->count, *y = mu + part->count;
    memset(mu, 0, 2 * (size_t)part->count * sizeof *mu);
    memset(c->is_tight.items, 0, (size_t)part->count * sizeof *c->is_tight.items);
    thudi_task local = *task;
    local.which = NULL;
    local.problem = &part->problem;
    local.mu = mu;
    local.y = y;
    local.is_tight = c->is_tight.items;
    local.tight = &tight;
    local.unique = &unique;
    local.exact = &exact;
    thud_status status = method(&local);
    for (int j = 0; j < part->count; j++)
    {
        task->mu[part->rows[j]] = mu[j];
        task->y[part->rows[j]] = y[j];
        task->is_tight[part->rows[j]] = c->is_tight.items[j];
    }
    *task->tight += tight;
    *task->unique = *task->unique && unique;
    *task->exact = *task->exact && exact;
    return status;
}

static bool has_bare_row(const thud_rows *rows, const cluster *part)
{
    for (int j = 0; j < part->count; j++)
        if (rows->heads.items[part->rows[j]].shift == 0)
            return true;
    return false;
}

// The exact method costs dim k^2 for at most k = min(dim, rows) active rows.
static thud_status solve_by_size(const thudi_task *task, cluster *part)
{
    int most = part->dim < part->count ? part->dim : part->count;
    bool is_whole = part->count == task->problem->rows->count && part->dim == task->problem->dim;
    bool bare = !task->projector->survey.shifted && has_bare_row(task->problem->rows, part);
    if (most <= task->projector->exact_limit || bare)
        return is_whole ? thudi_project_by_active_set(task)
                        : solve_part(task, part, thudi_project_by_active_set);
    thudi_task some = *task;
    some.which = is_whole ? NULL : part->rows;
    some.which_count = part->count;
    thud_status status = thudi_project_by_accelerated_gauss_seidel(&some);
    return status == THUD_NEWS ? solve_part(task, part, thudi_project_by_accelerated_gauss_seidel)
                               : status;
}

thud_status thudi_project_by_clusters(const thudi_task *task)
{
    thudi_clusters *c = &task->projector->clusters;
    c->unit = task->projector->survey.unit;
    THUD_TRY(split(task));
    task->effort->clusters = c->count;
    thud_status worst = THUD_OK;
    for (int k = 0; k < c->count; k++)
    {
        cluster part = {.rows = c->order.items + c->first.items[k],
                        .count = c->first.items[k + 1] - c->first.items[k],
                        .dim = c->dims.items[k]};
        THUD_TRY(thudi_stop_status(task->projector->stop));
        thud_status status = solve_by_size(task, &part);
        if (status < 0 && status != THUD_ERR_NOT_CONVERGED)
            return status;
        if (status < 0)
            worst = status;
    }
    return worst;
}

void thudi_clusters_free(thudi_clusters *c, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &c->parent);
    thudi_array_free(allocator, &c->number);
    thudi_array_free(allocator, &c->dims);
    thudi_array_free(allocator, &c->first);
    thudi_array_free(allocator, &c->order);
    thudi_array_free(allocator, &c->coordinate);
    thudi_array_free(allocator, &c->local_index);
    thudi_array_free(allocator, &c->vectors);
    thudi_array_free(allocator, &c->multipliers);
    thudi_array_free(allocator, &c->is_tight);
    thud_rows_destroy(c->rows);
}
