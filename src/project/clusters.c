// Connected clusters are separate problems: rows that share a coordinate belong together.
//
// A small cluster, or one with a row that has no shift, is solved exactly; the others by
// accelerated Gauss-Seidel, each to its own tolerance. Cost of the splitting: near linear in the
// entries.
#include "project/projector.h"

#include <stdlib.h>
#include <string.h>

// The clusters of a problem. All arrays are rooms.
typedef struct thudi_clusters
{
    int count;           // clusters
    int unit;            // coordinates that always belong together
    int touched;         // units that a row has met
    int *parent;         // by unit: union-find
    int *number;         // by unit: cluster of a root. These are the task's marks.
    int *cluster_of_row; // by row, while they are split
    int *dims;           // by cluster: its coordinates
    int *first;          // by cluster: its rows are order[first[c] .. first[c + 1])
    int *order;          // rows grouped by cluster
} thudi_clusters;

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
    if (c->parent[unit] != UNTOUCHED)
        return;
    c->parent[unit] = unit;
    c->count++;
    c->touched++;
}

// A parent is never larger than its child.
static void join(thudi_clusters *c, int a, int b)
{
    int *parent = c->parent;
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
    const int *parent = c->parent;
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
        if (row->size == 0)
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

// Group the rows by a counting sort, and count the coordinates of each cluster.
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

// The usual case: all rows in one cluster, in their order.
static void keep_together(thudi_clusters *c, int rows)
{
    c->dims[0] = c->touched * c->unit;
    c->first[0] = 0;
    c->first[1] = rows;
    for (int i = 0; i < rows; i++)
        c->order[i] = i;
}

// The clusters of all rows, more than one. The marks are -1 again.
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

// One cluster copied into coordinates of its own. All arrays but `rows` are rooms.
typedef struct cluster
{
    const int *rows; // which rows of the whole
    int count, dim;
    thud_projection problem;
    int *number;                       // by coordinate: local index. These are the task's marks.
    int *coordinate;                   // by local coordinate: where it came from
    int *local_index;                  // one row's local coordinates
    double *mass, *w, *origin, *force; // by local coordinate
    double *warm, *mu, *y;             // by local row
    bool *is_tight;                    // by local row
} cluster;

static int by_number(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

// Number the coordinates of the cluster in their own order, so that blocks stay consecutive.
static void number_coordinates(const thud_rows *rows, cluster *part)
{
    part->dim = 0;
    for (int j = 0; j < part->count; j++)
    {
        const thudi_row_head *row = &rows->heads.items[part->rows[j]];
        for (int k = 0; k < row->size; k++)
        {
            int from = thudi_row_coordinate(rows, row, k);
            if (part->number[from] >= 0)
                continue;
            part->coordinate[part->dim] = from;
            part->number[from] = part->dim++;
        }
    }
    qsort(part->coordinate, (size_t)part->dim, sizeof *part->coordinate, by_number);
    for (int k = 0; k < part->dim; k++)
        part->number[part->coordinate[k]] = k;
}

static thud_status copy_rows(const thud_rows *rows, const cluster *part, thud_rows *own)
{
    for (int j = 0; j < part->count; j++)
    {
        thud_row row = thud_rows_get(rows, part->rows[j]);
        for (int b = 0; b < row.count; b++)
            part->local_index[b] = part->number[row.index[b]];
        row.index = part->local_index;
        THUD_TRY(thud_rows_push(own, &row));
    }
    return THUD_OK;
}

// Some numbers by coordinate, of those that the cluster has; NULL for none.
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

// An empty list for rows of so many coordinates: one made for more serves for fewer.
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

// The cluster as a problem of its own. The marks are -1 again.
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
    if (part->dim == 0) // only rows without coordinates: one idle coordinate keeps it well formed
        part->problem.w = whole->w;
    for (int j = 0; j < part->count && whole->warm; j++)
        part->warm[j] = whole->warm[part->rows[j]];
    part->problem.warm = whole->warm ? part->warm : NULL;
    return THUD_OK;
}

// Solve a cluster as a problem of its own, by this method.
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
    int open = thud_rooms_count(task->projector->rooms);
    thud_status status = thudi_project_by_accelerated_gauss_seidel(&some);
    if (status == THUD_NEWS) // none of what it opened is of use
        thud_rooms_close(task->projector->rooms, open);
    return status == THUD_NEWS ? solve_part(task, part, thudi_project_by_accelerated_gauss_seidel)
                               : status;
}

thud_status thudi_project_by_clusters(const thudi_task *task)
{
    thudi_clusters c = {.unit = task->projector->survey.unit, .number = task->marks};
    THUD_TRY(split(task, &c));
    task->effort->clusters = c.count;
    thud_status worst = THUD_OK;
    int open = thud_rooms_count(task->projector->rooms);
    for (int k = 0; k < c.count; k++)
    {
        cluster part = {
            .rows = c.order + c.first[k], .count = c.first[k + 1] - c.first[k], .dim = c.dims[k]};
        THUD_TRY(thudi_stop_status(task->projector->stop));
        thud_status status = solve_by_size(task, &part);
        thud_rooms_close(task->projector->rooms, open);
        if (status < 0 && status != THUD_ERR_NOT_CONVERGED)
            return status;
        if (status < 0)
            worst = status;
    }
    return worst;
}
