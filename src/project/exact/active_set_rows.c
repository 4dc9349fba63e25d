// The rows as the dual active set sees them: with x = sqrt(M) (v - w), row i holds when
// n_i . x >= goal_i, |n_i| = 1. Their memory too.
#include "project/exact/active_set.h"

thud_status thudi_dual_make_room(thudi_dual *d)
{
    thudi_active_set *set = d->set;
    const thud_allocator *allocator = &d->task->projector->allocator;
    size_t rows = (size_t)d->rows, dim = (size_t)d->dim;
    size_t most = rows < dim ? rows : dim;
    THUD_TRY(thudi_array_reserve(allocator, &set->root, dim));
    THUD_TRY(thudi_array_reserve(allocator, &set->x, dim));
    THUD_TRY(thudi_array_reserve(allocator, &set->u, dim));
    THUD_TRY(thudi_array_reserve(allocator, &set->reach, dim));
    THUD_TRY(thudi_array_reserve(allocator, &set->norm, rows));
    THUD_TRY(thudi_array_reserve(allocator, &set->goal, rows));
    THUD_TRY(thudi_array_reserve(allocator, &set->size, rows));
    THUD_TRY(thudi_array_reserve(allocator, &set->relief, rows));
    THUD_TRY(thudi_array_reserve(allocator, &set->place, rows));
    THUD_TRY(thudi_array_reserve(allocator, &set->value, d->problem->rows->entries));
    THUD_TRY(thudi_array_reserve(allocator, &set->active, most + 1));
    THUD_TRY(thudi_array_reserve(allocator, &set->z, most + 1));
    THUD_TRY(thudi_array_reserve(allocator, &set->direction, most + 1));
    set->count = 0;
    set->basis.allocator = *allocator;
    return thudi_orthogonal_reset(&set->basis, d->dim);
}

void thudi_active_set_free(thudi_active_set *set, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &set->root);
    thudi_array_free(allocator, &set->norm);
    thudi_array_free(allocator, &set->value);
    thudi_array_free(allocator, &set->goal);
    thudi_array_free(allocator, &set->size);
    thudi_array_free(allocator, &set->relief);
    thudi_array_free(allocator, &set->place);
    thudi_array_free(allocator, &set->active);
    thudi_array_free(allocator, &set->z);
    thudi_array_free(allocator, &set->direction);
    thudi_array_free(allocator, &set->x);
    thudi_array_free(allocator, &set->u);
    thudi_array_free(allocator, &set->reach);
    set->basis.allocator = *allocator;
    thudi_orthogonal_free(&set->basis);
}

thud_status thudi_dual_scale_rows(thudi_dual *d)
{
    thudi_active_set *set = d->set;
    const thud_projection *p = d->problem;
    for (int k = 0; k < d->dim; k++)
        set->root.items[k] = 1 / sqrt(thudi_mass(p->mass, k));
    for (int i = 0; i < d->rows; i++)
    {
        const thudi_row_head *row = thudi_dual_head(d, i);
        int room[6];
        const int *index = thudi_dual_index(d, i, room);
        const double *slope = p->rows->slope.items + row->first;
        double *value = set->value.items + row->first;
        double norm = thudi_row_norm(p, i), gap = row->gap - thudi_shift(p, i);
        double level = gap / p->h, size = fabs(level);
        set->norm.items[i] = norm;
        set->relief.items[i] = 0;
        set->place.items[i] = norm > 0 ? THUDI_OUTSIDE : THUDI_ASIDE;
        if (norm == 0)
            continue;
        for (int k = 0; k < row->size; k++)
        {
            value[k] = slope[k] / norm * set->root.items[index[k]];
            level += slope[k] * p->w[index[k]];
            size += fabs(slope[k] * p->w[index[k]]);
        }
        set->goal.items[i] = -level / norm;
        set->size.items[i] = size / norm;
        if (!isfinite(set->goal.items[i]) || !isfinite(set->size.items[i]))
            return THUD_ERR_NOT_FINITE;
    }
    return THUD_OK;
}

bool thudi_dual_has_hopeless_row(const thudi_dual *d)
{
    for (int i = 0; i < d->rows; i++)
        if (d->set->norm.items[i] == 0 &&
            thudi_dual_head(d, i)->gap - thudi_shift(d->problem, i) < 0)
        {
            d->task->y[i] = 1;
            return true;
        }
    return false;
}
