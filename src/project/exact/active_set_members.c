// The active rows of the dual active set: they come and go, stay independent, and have
//     x = sum of z_i n_i,    n_i . x = goal_i.
#include "project/exact/active_set.h"

thud_status thudi_dual_split(thudi_dual *d, int i, double *norm)
{
    int room[6];
    THUD_TRY(thudi_orthogonal_reserve(&d->set->basis));
    *norm = thudi_orthogonal_split(&d->set->basis, thudi_row_size(thudi_dual_head(d, i)),
                                   thudi_dual_index(d, i, room), thudi_dual_value(d, i));
    return THUD_OK;
}

void thudi_dual_enter(thudi_dual *d, int i, double z, double norm)
{
    thudi_active_set *set = d->set;
    thudi_orthogonal_append(&set->basis, norm);
    set->place[i] = set->count;
    set->active[set->count] = i;
    set->z[set->count] = z;
    set->count++;
}

void thudi_dual_leave(thudi_dual *d, int j)
{
    thudi_active_set *set = d->set;
    thudi_orthogonal_drop(&set->basis, j);
    set->place[set->active[j]] = THUDI_OUTSIDE;
    for (int l = j + 1; l < set->count; l++)
    {
        set->active[l - 1] = set->active[l];
        set->z[l - 1] = set->z[l];
        set->place[set->active[l - 1]] = l - 1;
    }
    set->count--;
    d->task->effort->dropped++;
    d->changes++;
}

// x and z for the active rows taken as equalities:  R^T R z = goal,  x = Q R^-T goal.
static void solve_active(thudi_dual *d)
{
    thudi_active_set *set = d->set;
    for (int j = 0; j < set->count; j++)
        set->z[j] = set->goal[set->active[j]];
    thudi_orthogonal_solve_transposed(&set->basis, set->z);
    thudi_orthogonal_expand(&set->basis, set->z, set->x);
    thudi_orthogonal_solve(&set->basis, set->z);
}

int thudi_dual_most_negative(const thudi_dual *d)
{
    const double *z = d->set->z;
    int worst = -1;
    for (int j = 0; j < d->set->count; j++)
        if (z[j] < 0 && (worst < 0 || z[j] < z[worst]))
            worst = j;
    return worst;
}

void thudi_dual_make_feasible(thudi_dual *d)
{
    int worst;
    solve_active(d);
    // what is left when it is stopped here is dropped by the climb
    while ((worst = thudi_dual_most_negative(d)) >= 0 &&
           !thudi_is_stopped(d->task->projector->stop))
    {
        thudi_dual_leave(d, worst);
        solve_active(d);
    }
}

thud_status thudi_dual_warm_start(thudi_dual *d)
{
    thudi_active_set *set = d->set;
    for (int i = 0; i < d->rows && d->problem->warm && set->count < d->dim; i++)
    {
        if (!(d->problem->warm[i] > 0) || set->place[i] != THUDI_OUTSIDE)
            continue;
        double norm;
        THUD_TRY(thudi_stop_status(d->task->projector->stop));
        THUD_TRY(thudi_dual_split(d, i, &norm));
        if (norm > THUDI_DEPENDENT)
        {
            thudi_dual_enter(d, i, 0, norm);
            d->task->effort->warmed++;
        }
    }
    thudi_dual_make_feasible(d);
    return thudi_stop_status(d->task->projector->stop);
}
