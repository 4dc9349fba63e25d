// What the iterative methods share: scales, the stopping rule, the Gauss-Seidel sweep.
//
//     stop_i = min( shift_i / 2, accuracy h^2 a ) / h,   a = largest |f| / m over the problem
//
// so that a converged velocity has lin_i >= shift_i / 2 > 0, and the error shrinks with the step.
#include "project/iterative.h"

#include <float.h>
#include <string.h>

static thud_status make_room(const thudi_task *task, thudi_iteration *it)
{
    thud_projector *p = task->projector;
    const thud_allocator *allocator = &p->allocator;
    size_t rows = (size_t)it->rows, dim = (size_t)it->dim;
    THUD_TRY(thudi_array_reserve(allocator, &p->by_row, 7 * rows));
    THUD_TRY(thudi_array_reserve(allocator, &p->by_coordinate, 3 * dim));
    it->level = p->by_row.items;
    it->inverse = it->level + rows;
    it->stop = it->inverse + rows;
    it->x = it->stop + rows;
    it->before = it->x + rows;
    it->mark = it->before + rows;
    it->gradient = it->mark + rows;
    it->inverse_mass = p->by_coordinate.items;
    it->velocity = it->inverse_mass + dim;
    it->velocity_before = it->velocity + dim;
    return THUD_OK;
}

// The largest acceleration of any body that a row touches: blocks of pair rows count as one vector.
static double largest_acceleration(const thud_projection *problem)
{
    const thud_rows *rows = problem->rows;
    double largest = 0;
    for (int i = 0; i < rows->count && problem->force; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        const int *index = rows->index.items + row->first;
        for (int k = 0; k < row->size; k += row->width)
        {
            double sum = 0;
            for (int a = k; a < k + row->width; a++)
            {
                double pull = problem->force[index[a]] / thudi_mass(problem, index[a]);
                sum += pull * pull;
            }
            largest = fmax(largest, sqrt(sum));
        }
    }
    return largest;
}

static void fill_rows(thudi_iteration *it)
{
    const thud_projection *p = it->problem;
    double pull = p->accuracy * p->h * p->h * largest_acceleration(p);
    for (int i = 0; i < it->rows; i++)
    {
        double norm = thudi_row_norm(p, i), shift = thudi_shift(p, i);
        it->level[i] = (p->rows->heads.items[i].gap - shift) / p->h;
        it->inverse[i] = norm > 0 ? 1 / (norm * norm) : 0;
        it->stop[i] = (pull > 0 ? fmin(shift / 2, pull) : shift / 2) / p->h;
        it->x[i] = it->before[i] = p->warm && p->warm[i] > 0 && norm > 0 ? p->warm[i] : 0;
        it->mark[i] = it->x[i];
    }
}

static void rebuild_velocity(thudi_iteration *it)
{
    const thud_rows *rows = it->problem->rows;
    memset(it->velocity, 0, (size_t)it->dim * sizeof *it->velocity);
    for (int i = 0; i < it->rows; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        const int *index = rows->index.items + row->first;
        const double *slope = rows->slope.items + row->first;
        for (int k = 0; k < row->size && it->x[i] != 0; k++)
            it->velocity[index[k]] += slope[k] * it->x[i];
    }
    for (int k = 0; k < it->dim; k++)
        it->velocity[k] = it->problem->w[k] + it->velocity[k] * it->inverse_mass[k];
}

thud_status thudi_iteration_begin(const thudi_task *task, thudi_iteration *it)
{
    *it = (thudi_iteration){
        .problem = task->problem,
        .effort = task->effort,
        .rows = task->problem->rows->count,
        .dim = task->problem->dim,
        .sweep_limit = task->projector->sweep_limit,
    };
    THUD_TRY(make_room(task, it));
    for (int k = 0; k < it->dim; k++)
        it->inverse_mass[k] = 1 / thudi_mass(task->problem, k);
    fill_rows(it);
    rebuild_velocity(it);
    memcpy(it->velocity_before, it->velocity, (size_t)it->dim * sizeof *it->velocity);
    return THUD_OK;
}

static double speed_of(const thudi_iteration *it, const thudi_row_head *row, int i)
{
    const int *index = it->problem->rows->index.items + row->first;
    const double *slope = it->problem->rows->slope.items + row->first;
    double sum = it->level[i];
    for (int k = 0; k < row->size; k++)
        sum += slope[k] * it->velocity[index[k]];
    return sum;
}

thudi_sweep thudi_iteration_sweep(thudi_iteration *it, double beta)
{
    const thud_rows *rows = it->problem->rows;
    double *restrict u = it->velocity;
    thudi_sweep seen = {0};
    for (int i = 0; i < it->rows; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        const int *index = rows->index.items + row->first;
        const double *slope = rows->slope.items + row->first;
        double v = speed_of(it, row, i), x = it->x[i];
        double y = x + beta * (x - it->before[i]);
        double next = fmax(0, y - v * it->inverse[i]), change = next - y;
        it->before[i] = x;
        it->x[i] = next;
        if (change == 0)
            continue;
        double residual = fabs(change) / it->inverse[i];
        seen.turn -= change * (next - x);
        seen.worst = fmax(seen.worst, residual / it->stop[i]);
        seen.decrease += change * (v + 0.5 * change / it->inverse[i]);
        for (int k = 0; k < row->size; k++)
            u[index[k]] += change * slope[k] * it->inverse_mass[index[k]];
    }
    it->effort->sweeps++;
    return seen;
}

double thudi_iteration_evaluate(thudi_iteration *it)
{
    double worst = 0;
    rebuild_velocity(it);
    for (int i = 0; i < it->rows; i++)
    {
        if (it->inverse[i] == 0)
            continue;
        double v = speed_of(it, &it->problem->rows->heads.items[i], i);
        worst = fmax(worst, fabs(fmin(it->x[i] / it->inverse[i], v)) / it->stop[i]);
    }
    it->effort->evaluations++;
    return worst;
}

bool thudi_iteration_is_hopeless(const thudi_task *task, thudi_iteration *it)
{
    thud_farkas farkas;
    double sum = 0;
    for (int i = 0; i < it->rows; i++)
    {
        task->y[i] = fmax(0, it->x[i] - it->mark[i]);
        it->mark[i] = it->x[i];
        if (it->inverse[i] > 0)
            sum += task->y[i] / sqrt(it->inverse[i]);
    }
    for (int i = 0; i < it->rows && sum > 0; i++)
        task->y[i] /= sum;
    thudi_certify_farkas(it->problem, task->y, it->problem->shift_scale, task->projector, &farkas);
    if (sum > 0 && farkas.radius > 1e6 * thudi_length(it->problem, it->problem->w))
        return true;
    memset(task->y, 0, (size_t)it->rows * sizeof *task->y);
    return false;
}

void thudi_iteration_end(const thudi_task *task, const thudi_iteration *it)
{
    *task->exact = false;
    memcpy(task->mu, it->x, (size_t)it->rows * sizeof *task->mu);
}
