// The constant of hypothesis A6:  1 / gamma = dist(0, conv{n_i}),  n_i unit slopes in M^-1 metric.
//
// With N = (n_i), y = argmin |N y|^2 + (1.y - 1)^2 over y >= 0 gives the nearest point
// x = N y / 1.y and gamma = 1 / |x|. That least squares problem is the dual of one projection:
// the vector (0, 1) of R^(d+1) onto the cone { v : -(n_i, 1) . v >= 0 }, whose multipliers are y.
#include "project/projector.h"

#include <string.h>

// A residual below this, with unit rows, is a self-stress.
static const double STRESS_FREE = 1e-12;

static bool is_used(const thud_rows *rows, const double *norm, const bool *use, int i)
{
    return (!use || use[i]) && norm[i] > 0 && thudi_row_count(&rows->heads.items[i]) > 0;
}

typedef struct gamma_rooms
{
    double *norm;  // by row
    int *index;    // of one row of the cone
    double *slope; // likewise
    double *apex;  // (0, 1)
} gamma_rooms;

// The row -(n_i, 1) for every row used, in coordinates where the metric is 1.
static thud_status push_cone(const thud_rows *rows, const double *mass, const bool *use,
                             const gamma_rooms *room, thud_rows *cone)
{
    int *index = room->index;
    double *slope = room->slope, *norm = room->norm;
    thud_projection metric = {.dim = rows->dim, .mass = mass, .rows = rows};
    thud_rows_clear(cone);
    for (int i = 0; i < rows->count; i++)
    {
        thudi_entries row;
        norm[i] = thudi_row_norm(&metric, i);
        if (!is_used(rows, norm, use, i))
            continue;
        thudi_row_open(rows, i, &row);
        for (int k = 0; k < row.size; k++)
        {
            index[k] = row.index[k];
            slope[k] = -row.slope[k] / norm[i] / sqrt(thudi_mass(metric.mass, index[k]));
        }
        index[row.size] = rows->dim;
        slope[row.size] = -1;
        THUD_TRY(thud_rows_push(cone, &(thud_row){.key = thud_key_number(i),
                                                  .count = row.size + 1,
                                                  .index = index,
                                                  .slope = slope}));
    }
    return THUD_OK;
}

static thud_status prepare(int dim, int rows, thud_projector *projector, gamma_rooms *room)
{
    size_t size = (size_t)dim + 1;
    THUD_TRY(thudi_room(projector->rooms, &room->norm, (size_t)rows, "gamma: norms"));
    THUD_TRY(thudi_room(projector->rooms, &room->index, size, "gamma: coordinates"));
    THUD_TRY(thudi_room(projector->rooms, &room->slope, size, "gamma: slopes"));
    THUD_TRY(thudi_room(projector->rooms, &room->apex, size, "gamma: apex"));
    memset(room->apex, 0, (size_t)dim * sizeof *room->apex);
    room->apex[dim] = 1;
    if (projector->cone && thud_rows_dim(projector->cone) == dim + 1)
        return THUD_OK;
    thud_rows_destroy(projector->cone);
    projector->cone = NULL;
    return thud_rows_create(dim + 1, &projector->allocator, &projector->cone);
}

// answer.u - (0, 1) = -(N y, 1.y): read gamma and the good direction off it.
static void read_gamma(const thud_answer *answer, int dim, const double *mass, double *gamma,
                       double *good)
{
    double length = 0, sum = 1 - answer->u[dim];
    for (int k = 0; k < dim; k++)
        length += answer->u[k] * answer->u[k];
    length = sqrt(length);
    bool stressed = !(length > STRESS_FREE * sum);
    *gamma = stressed ? INFINITY : sum / length;
    for (int k = 0; good && k < dim; k++)
        good[k] = stressed ? 0 : -answer->u[k] / length / (mass ? sqrt(mass[k]) : 1);
}

// gamma and the good direction of rows and masses that are fit for it.
static thud_status find_gamma(const thud_rows *rows, const double *mass, const bool *use,
                              thud_projector *projector, double *gamma, double *good)
{
    int dim = rows->dim;
    gamma_rooms room;
    THUD_TRY(prepare(dim, rows->count, projector, &room));
    THUD_TRY(push_cone(rows, mass, use, &room, projector->cone));
    if (thud_rows_count(projector->cone) == 0)
    {
        *gamma = 1;
        if (good)
            memset(good, 0, (size_t)dim * sizeof *good);
        return THUD_OK;
    }
    thud_projection problem = {
        .dim = dim + 1, .h = 1, .w = room.apex, .rows = projector->cone, .shift_scale = 1};
    thud_answer answer;
    bool skips = projector->skips_enclosure;
    projector->skips_enclosure = true;
    thud_status status = thud_project(&problem, projector, &answer);
    projector->skips_enclosure = skips;
    if (status < 0)
        return status;
    read_gamma(&answer, dim, mass, gamma, good);
    return THUD_OK;
}

thud_status thud_gamma(const thud_rows *rows, const double *mass, const bool *use,
                       thud_projector *projector, double *gamma, double *good)
{
    THUD_TRY(thud_float_check());
    THUD_TRY(rows->status);
    for (int k = 0; k < rows->dim && mass; k++)
        if (!(mass[k] > 0) || !isfinite(mass[k]))
            return THUD_ERR_ARGUMENT;
    thudi_rooms_enter(projector->rooms);
    int open = thud_rooms_count(projector->rooms);
    thud_status status = find_gamma(rows, mass, use, projector, gamma, good);
    thud_rooms_close(projector->rooms, open);
    return status;
}
