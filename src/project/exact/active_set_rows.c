// The rows as the dual active set sees them: with x = sqrt(M) (v - w), row i holds when
// n_i . x >= goal_i, |n_i| = 1. Their memory too.
#include "project/exact/active_set.h"

thud_status thudi_dual_open_rooms(thudi_dual *d)
{
    thudi_active_set *set = d->set;
    thud_rooms *rooms = d->task->projector->rooms;
    size_t rows = (size_t)d->rows, dim = (size_t)d->dim;
    size_t most = (rows < dim ? rows : dim) + 1;
    THUD_TRY(thudi_room(rooms, &set->root, dim, "active set: roots of masses"));
    THUD_TRY(thudi_room(rooms, &set->x, dim, "active set: x"));
    THUD_TRY(thudi_room(rooms, &set->u, dim, "active set: velocity"));
    THUD_TRY(thudi_room(rooms, &set->reach, dim, "active set: reach"));
    THUD_TRY(thudi_room(rooms, &set->norm, rows, "active set: norms"));
    THUD_TRY(thudi_room(rooms, &set->goal, rows, "active set: goals"));
    THUD_TRY(thudi_room(rooms, &set->size, rows, "active set: sizes of goals"));
    THUD_TRY(thudi_room(rooms, &set->relief, rows, "active set: relief"));
    THUD_TRY(thudi_room(rooms, &set->place, rows, "active set: places"));
    THUD_TRY(thudi_room(rooms, &set->first, rows, "active set: first slopes"));
    THUD_TRY(thudi_room(rooms, &set->value, d->problem->rows->entries, "active set: slopes"));
    THUD_TRY(thudi_room(rooms, &set->active, most, "active set: members"));
    THUD_TRY(thudi_room(rooms, &set->z, most, "active set: multipliers"));
    THUD_TRY(thudi_room(rooms, &set->direction, most, "active set: direction"));
    set->count = 0;
    return thudi_orthogonal_begin(&set->basis, rooms, d->dim);
}

thud_status thudi_dual_scale_rows(thudi_dual *d)
{
    thudi_active_set *set = d->set;
    const thud_projection *p = d->problem;
    for (int k = 0; k < d->dim; k++)
        set->root[k] = 1 / sqrt(thudi_mass(p->mass, k));
    size_t used = 0;
    for (int i = 0; i < d->rows; i++)
    {
        thudi_entries row;
        thudi_row_open(p->rows, i, &row);
        double *value = set->value + used;
        double norm = thudi_row_norm(p, i), gap = row.head->gap - thudi_shift(p, i);
        set->first[i] = used;
        used += (size_t)row.size;
        double level = gap / p->h, size = fabs(level);
        set->norm[i] = norm;
        set->relief[i] = 0;
        set->place[i] = norm > 0 ? THUDI_OUTSIDE : THUDI_ASIDE;
        if (norm == 0)
            continue;
        for (int k = 0; k < row.size; k++)
        {
            double w = p->w[row.index[k]];
            value[k] = row.slope[k] / norm * set->root[row.index[k]];
            level += row.slope[k] * w;
            size += fabs(row.slope[k] * w);
        }
        set->goal[i] = -level / norm;
        set->size[i] = size / norm;
        if (!isfinite(set->goal[i]) || !isfinite(set->size[i]))
            return THUD_ERR_NOT_FINITE;
    }
    return THUD_OK;
}

bool thudi_dual_has_infeasible_row(const thudi_dual *d)
{
    for (int i = 0; i < d->rows; i++)
        if (d->set->norm[i] == 0 && thudi_dual_head(d, i)->gap - thudi_shift(d->problem, i) < 0)
        {
            d->task->y[i] = 1;
            return true;
        }
    return false;
}
