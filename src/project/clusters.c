// The method AUTO: split the rows into clusters, and solve each cluster as a separate problem. Rows
// that share a coordinate are in one cluster.
//
// A small cluster, or one with a row that has no shift, is solved exactly. Others are solved by
// accelerated Gauss-Seidel, to their own tolerance. The time to split is about linear in the
// entries of all rows.
#include "project/projector.h"

#include <stdlib.h>
#include <string.h>

// The clusters of a problem. All arrays except for `number` are rooms.
typedef struct thudi_clusters
{
    int count;           // clusters
    int unit;            // coordinates per unit; a block is one unit if all rows are pair rows
    int touched;         // number of units that are in a row
    int *parent;         // by unit: union-find, never above the unit; UNTOUCHED if in no row
    int *number;         // by unit that is a root: its cluster. These are the task's marks.
    int *cluster_of_row; // by row; open only in split_rows
    int *dims;           // by cluster: number of its coordinates
    int *first;          // by cluster: its rows are order[first[c] .. first[c + 1])
    int *order;          // rows grouped by cluster
} thudi_clusters;

enum
{
    UNTOUCHED = -1 // the parent of a unit that is in no row
};

static int find_root(int *parent, int k)
{
    while (parent[k] != k)
    {
        parent[k] = parent[parent[k]]; // shortens the path for later calls
        k = parent[k];
    }
    return k;
}

// A unit that a row has for the first time begins as a cluster.
static void touch(thudi_clusters *c, int unit)
{
    if (c->parent[unit] != UNTOUCHED)
        return;
    c->parent[unit] = unit;
    c->count++;
    c->touched++;
}

// Join the clusters of two units. The smaller root stays a root: find_clusters needs this order.
static void join(thudi_clusters *c, int a, int b)
{
    int *parent = c->parent;
    touch(c, a);
    touch(c, b);
    a = find_root(parent, a);
    b = find_root(parent, b);
    c->count -= a != b;
    parent[a > b ? a : b] = a > b ? b : a;
}

// The unit of block j of a row. `unit` is a constant after inlining, which makes the division
// cheap.
static inline int unit_of(const thud_rows *rows, const thudi_row_head *row, int j, int unit)
{
    return thudi_row_start(rows, row, j) / unit;
}

// Join the units of each row, if all blocks are units.
static inline __attribute__((always_inline)) void join_blocks(thudi_clusters *c,
                                                              const thud_rows *rows, int unit)
{
    const int *parent = c->parent;
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int count = thudi_row_count(row);
        if (count == 0) // a row without coordinates is a cluster
        {
            c->count++;
            continue;
        }
        int a = unit_of(rows, row, 0, unit), b = unit_of(rows, row, count - 1, unit);
        if (parent[a] != parent[b] || parent[a] == UNTOUCHED)
            join(c, a, b);
    }
}

// The same if every coordinate is a unit.
static void join_coordinates(thudi_clusters *c, const thud_rows *rows)
{
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6];
        int size = thudi_row_size(row);
        c->count += size == 0;
        if (size == 0)
            continue;
        const int *index = thudi_row_index(rows, row, room);
        for (int k = 0; k < size; k++)
            join(c, index[0], index[k]);
    }
}

// Count the clusters, and write the root of each unit as its parent. One pass in increasing order
// is enough for that, because the parent of a unit is done before the unit.
static void find_clusters(thudi_clusters *c, const thud_projection *problem)
{
    int units = problem->dim / c->unit, *parent = c->parent;
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
static void number_clusters(thudi_clusters *c, const thud_rows *rows)
{
    int count = 0, *number = c->number;
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        if (thudi_row_count(row) == 0)
        {
            c->cluster_of_row[i] = count++;
            continue;
        }
        int root = c->parent[unit_of(rows, row, 0, c->unit)];
        if (number[root] < 0)
            number[root] = count++;
        c->cluster_of_row[i] = number[root];
    }
}

// Group the rows by a counting sort, and count the coordinates of each cluster. While it counts, a
// cluster's entry stands two places later. So `first` has two more than there are clusters.
static void group_rows(thudi_clusters *c, int rows, int units)
{
    int *first = c->first, *dims = c->dims;
    memset(dims, 0, (size_t)c->count * sizeof *dims);
    memset(first, 0, ((size_t)c->count + 2) * sizeof *first);
    for (int i = 0; i < rows; i++)
        first[c->cluster_of_row[i] + 2]++;
    for (int k = 0; k < c->count; k++)
        first[k + 2] += first[k + 1];
    for (int i = 0; i < rows; i++)
        c->order[first[c->cluster_of_row[i] + 1]++] = i;
    for (int k = 0; k < units; k++)
        if (c->parent[k] != UNTOUCHED)
            dims[c->number[c->parent[k]]] += c->unit;
}

// All rows are in one cluster, in their order. This is the usual case.
static void keep_together(thudi_clusters *c, int rows)
{
    c->dims[0] = c->touched * c->unit;
    c->first[0] = 0;
    c->first[1] = rows;
    for (int i = 0; i < rows; i++)
        c->order[i] = i;
}

// Group the rows by cluster. The marks are -1 afterwards, as before.
static thud_status split_rows(const thudi_task *task, thudi_clusters *c)
{
    thud_rooms *rooms = task->projector->rooms;
    int rows = task->problem->rows->count, units = task->problem->dim / c->unit;
    int open = thud_rooms_count(rooms);
    THUD_TRY(thudi_room(rooms, &c->cluster_of_row, (size_t)rows, "clusters: of rows"));
    number_clusters(c, task->problem->rows);
    group_rows(c, rows, units);
    for (int k = 0; k < units; k++)
        c->number[k] = -1;
    thud_rooms_close(rooms, open);
    return THUD_OK;
}

// Find the clusters of all rows.
static thud_status split(const thudi_task *task, thudi_clusters *c)
{
    const thud_projection *problem = task->problem;
    thud_rooms *rooms = task->projector->rooms;
    size_t count = (size_t)problem->rows->count, units = (size_t)(problem->dim / c->unit);
    THUD_TRY(thudi_room(rooms, &c->order, count, "clusters: rows"));
    THUD_TRY(thudi_room(rooms, &c->parent, units, "clusters: parents"));
    find_clusters(c, problem);
    THUD_TRY(thudi_room(rooms, &c->dims, (size_t)c->count, "clusters: sizes"));
    THUD_TRY(thudi_room(rooms, &c->first, (size_t)c->count + 2, "clusters: first rows"));
    if (c->count > 1 || c->touched == 0)
        return split_rows(task, c);
    keep_together(c, problem->rows->count);
    return THUD_OK;
}

// One cluster, copied into a problem with local coordinates and local rows: those of the cluster,
// numbered from 0. All arrays except for `rows` and `number` are rooms.
typedef struct cluster
{
    const int *rows; // the rows of the cluster in the whole problem
    int count, dim;  // of its rows and its coordinates
    thud_projection problem;
    int *number;      // by coordinate: its local number. These are the task's marks.
    int *coordinate;  // by local coordinate: its number in the whole problem
    int *local_index; // the local coordinates of one row
    double *mass, *w, *origin, *force; // by local coordinate
    double *warm, *mu, *y;             // by local row
    bool *is_tight;                    // by local row
} cluster;

static int compare_integers(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

// Number the coordinates of the cluster in increasing order, so that blocks stay together.
static void number_coordinates(const thud_rows *rows, cluster *part)
{
    part->dim = 0;
    for (int j = 0; j < part->count; j++)
    {
        const thudi_row_head *row = &rows->heads.items[part->rows[j]];
        for (int k = 0; k < thudi_row_size(row); k++)
        {
            int from = thudi_row_coordinate(rows, row, k);
            if (part->number[from] >= 0)
                continue;
            part->coordinate[part->dim] = from;
            part->number[from] = part->dim++;
        }
    }
    qsort(part->coordinate, (size_t)part->dim, sizeof *part->coordinate, compare_integers);
    for (int k = 0; k < part->dim; k++)
        part->number[part->coordinate[k]] = k;
}

// Push the rows of the cluster to `own`, with local coordinates.
static thud_status copy_rows(const thud_rows *rows, const cluster *part, thud_rows *own)
{
    for (int j = 0; j < part->count; j++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, part->rows[j], &room);
        for (int b = 0; b < row.count; b++)
            part->local_index[b] = part->number[row.index[b]];
        row.index = part->local_index;
        THUD_TRY(thud_rows_push(own, &row));
    }
    return THUD_OK;
}

// Copy the cluster's part of an array by coordinate. Returns `to`, or NULL if `from` is NULL.
static const double *gather(const cluster *part, const double *from, double *to)
{
    for (int k = 0; k < part->dim && from; k++)
        to[k] = from[part->coordinate[k]];
    return from ? to : NULL;
}

static thud_status open_rooms(thud_rooms *rooms, cluster *part, size_t dim, size_t count)
{
    THUD_TRY(thudi_room(rooms, &part->coordinate, dim, "cluster: coordinates"));
    THUD_TRY(thudi_room(rooms, &part->local_index, dim, "cluster: one row's coordinates"));
    THUD_TRY(thudi_room(rooms, &part->mass, dim, "cluster: masses"));
    THUD_TRY(thudi_room(rooms, &part->w, dim, "cluster: w"));
    THUD_TRY(thudi_room(rooms, &part->origin, dim, "cluster: origin"));
    THUD_TRY(thudi_room(rooms, &part->force, dim, "cluster: force"));
    THUD_TRY(thudi_room(rooms, &part->warm, count, "cluster: first guess"));
    THUD_TRY(thudi_room(rooms, &part->mu, count, "cluster: multipliers"));
    THUD_TRY(thudi_room(rooms, &part->y, count, "cluster: Farkas vector"));
    THUD_TRY(thudi_room(rooms, &part->is_tight, count, "cluster: tight rows"));
    memset(part->mu, 0, count * sizeof *part->mu);
    memset(part->y, 0, count * sizeof *part->y);
    memset(part->is_tight, 0, count * sizeof *part->is_tight);
    return THUD_OK;
}

// Make projector->part an empty list for rows of `dim` coordinates. A list that was created for
// more is used again.
static thud_status fit_rows(thud_projector *projector, int dim)
{
    if (!projector->part || projector->part_dim < dim)
    {
        thud_rows_destroy(projector->part);
        projector->part = NULL;
        THUD_TRY(thud_rows_create(dim, &projector->allocator, &projector->part));
        projector->part_dim = dim;
    }
    thud_rows_clear(projector->part);
    projector->part->dim = dim;
    return THUD_OK;
}

// Copy the cluster into part->problem. The marks are -1 afterwards, as before.
static thud_status extract(const thudi_task *task, cluster *part)
{
    const thud_projection *whole = task->problem;
    thud_projector *projector = task->projector;
    int dim = part->dim > 0 ? part->dim : 1;
    THUD_TRY(open_rooms(projector->rooms, part, (size_t)dim, (size_t)part->count));
    THUD_TRY(fit_rows(projector, dim));
    part->number = task->marks;
    number_coordinates(whole->rows, part);
    THUD_TRY(copy_rows(whole->rows, part, projector->part));
    for (int k = 0; k < part->dim; k++)
        part->number[part->coordinate[k]] = -1;
    part->problem = *whole;
    part->problem.dim = dim;
    part->problem.rows = projector->part;
    part->problem.mass = gather(part, whole->mass, part->mass);
    part->problem.w = gather(part, whole->w, part->w);
    part->problem.origin = gather(part, whole->origin, part->origin);
    part->problem.force = gather(part, whole->force, part->force);
    if (part->dim == 0) // no row has a coordinate, but a problem must have one: use any w
        part->problem.w = whole->w;
    for (int j = 0; j < part->count && whole->warm; j++)
        part->warm[j] = whole->warm[part->rows[j]];
    part->problem.warm = whole->warm ? part->warm : NULL;
    return THUD_OK;
}

// Solve a copy of the cluster by this method, and write its answer into that of the whole.
static thud_status solve_part(const thudi_task *task, cluster *part, thudi_method_fn *method)
{
    THUD_TRY(extract(task, part));
    int tight = 0;
    bool unique = true, exact = true;
    thudi_task local = *task;
    local.which = NULL;
    local.problem = &part->problem;
    local.mu = part->mu;
    local.y = part->y;
    local.is_tight = part->is_tight;
    local.tight = &tight;
    local.unique = &unique;
    local.exact = &exact;
    thud_status status = method(&local);
    for (int j = 0; j < part->count; j++)
    {
        task->mu[part->rows[j]] = part->mu[j];
        task->y[part->rows[j]] = part->y[j];
        task->is_tight[part->rows[j]] = part->is_tight[j];
    }
    *task->tight += tight;
    *task->unique = *task->unique && unique;
    *task->exact = *task->exact && exact;
    return status;
}

static bool has_row_without_shift(const thud_rows *rows, const cluster *part)
{
    for (int j = 0; j < part->count; j++)
        if (rows->heads.items[part->rows[j]].shift == 0)
            return true;
    return false;
}

// The exact method needs about dim k^2 operations with k = min(dim, rows), the most active rows.
static thud_status solve_by_size(const thudi_task *task, cluster *part, bool is_last)
{
    int most_active = part->dim < part->count ? part->dim : part->count;
    bool is_whole = part->count == task->problem->rows->count && part->dim == task->problem->dim;
    bool lacks_shift =
        !task->projector->survey.shifted && has_row_without_shift(task->problem->rows, part);
    if (most_active <= task->projector->exact_limit || lacks_shift)
        return is_whole ? thudi_project_by_active_set(task)
                        : solve_part(task, part, thudi_project_by_active_set);
    thudi_task in_place = *task; // without a copy of the cluster
    in_place.is_last = is_last;
    in_place.which = is_whole ? NULL : part->rows;
    in_place.which_count = part->count;
    int open = thud_rooms_count(task->projector->rooms);
    thud_status status = thudi_project_by_accelerated_gauss_seidel(&in_place);
    if (status == THUD_NEWS) // it needs a copy; what it has opened is of no use
        thud_rooms_close(task->projector->rooms, open);
    return status == THUD_NEWS ? solve_part(task, part, thudi_project_by_accelerated_gauss_seidel)
                               : status;
}

// The cluster with the most rows, the first of these. It is solved last, as rows may join it.
static int find_largest(const thudi_clusters *c)
{
    int largest = 0;
    for (int k = 1; k < c->count; k++)
        if (c->first[k + 1] - c->first[k] > c->first[largest + 1] - c->first[largest])
            largest = k;
    return largest;
}

thud_status thudi_project_by_clusters(const thudi_task *task)
{
    thudi_clusters c = {.unit = task->projector->survey.unit, .number = task->marks};
    THUD_TRY(split(task, &c));
    task->effort->clusters = c.count;
    thud_status worst = THUD_OK;
    int open = thud_rooms_count(task->projector->rooms);
    int largest = find_largest(&c);
    for (int i = 0; i < c.count; i++)
    {
        bool is_last = i == c.count - 1;
        int k = is_last ? largest : i + (i >= largest);
        cluster part = {
            .rows = c.order + c.first[k], .count = c.first[k + 1] - c.first[k], .dim = c.dims[k]};
        THUD_TRY(thudi_stop_status(task->projector->stop));
        thud_status status = solve_by_size(task, &part, is_last);
        thud_rooms_close(task->projector->rooms, open);
        if (status < 0 && status != THUD_ERR_NOT_CONVERGED)
            return status;
        if (status < 0)
            worst = status;
    }
    return worst;
}
