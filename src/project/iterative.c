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
    THUD_TRY(thudi_array_reserve(allocator, &p->by_row, 9 * rows));
    THUD_TRY(thudi_array_reserve(allocator, &p->by_coordinate, 3 * dim));
    THUD_TRY(thudi_array_reserve(allocator, &p->links, rows * sizeof(thudi_link)));
    it->level = p->by_row.items;
    it->inverse = it->level + rows;
    it->stop = it->inverse + rows;
    it->inverse_stop = it->stop + rows;
    it->x = it->inverse_stop + rows;
    it->before = it->x + rows;
    it->mark = it->before + rows;
    it->gradient = it->mark + rows;
    it->saved = it->gradient + rows;
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
        int room[6];
        const int *index = thudi_row_index(rows, row, room);
        for (int k = 0; k < row->size; k += row->width)
        {
            double sum = 0;
            for (int a = k; a < k + row->width; a++)
            {
                double pull = problem->force[index[a]] / thudi_mass(problem, index[a]);
                sum += pull * pull;
            }
            if (sum > largest)
                largest = sum;
        }
    }
    return sqrt(largest);
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
        it->inverse_stop[i] = 1 / it->stop[i];
        it->x[i] = it->before[i] = p->warm && p->warm[i] > 0 && norm > 0 ? p->warm[i] : 0;
        it->mark[i] = it->x[i];
    }
}

// The common width of all rows if they are pair rows, else 0.
static int common_width(const thud_rows *rows)
{
    int width = rows->heads.items[0].width;
    for (int i = 0; i < rows->count; i++)
        if (rows->heads.items[i].width != width)
            return 0;
    return width > 1 ? width : 0;
}

static void fill_links(thudi_iteration *it, void *room)
{
    const thud_rows *rows = it->problem->rows;
    it->width = common_width(rows);
    if (it->width == 0)
        return;
    it->links = room;
    for (int i = 0; i < it->rows; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        const int *block = rows->blocks.items + row->block_first;
        const double *slope = rows->slope.items + row->first;
        thudi_link *link = &it->links[i];
        *link = (thudi_link){.a = block[0],
                             .b = row->count == 2 ? block[1] : block[0],
                             .diagonal = it->inverse[i] > 0 ? 1 / it->inverse[i] : 0,
                             .inverse = it->inverse[i],
                             .level = it->level[i],
                             .x = it->x[i],
                             .before = it->before[i]};
        for (int k = 0; k < it->width; k++)
        {
            link->slope_a[k] = slope[k];
            link->slope_b[k] = row->count == 2 ? slope[it->width + k] : 0;
        }
    }
}

void thudi_iteration_velocity(const thudi_iteration *it, const double *x, double *velocity)
{
    const thud_rows *rows = it->problem->rows;
    memset(velocity, 0, (size_t)it->dim * sizeof *velocity);
    for (int i = 0; i < it->rows; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6];
        const int *index = thudi_row_index(rows, row, room);
        const double *slope = rows->slope.items + row->first;
        for (int k = 0; k < row->size && x[i] != 0; k++)
            velocity[index[k]] += slope[k] * x[i];
    }
    for (int k = 0; k < it->dim; k++)
        velocity[k] = it->problem->w[k] + velocity[k] * it->inverse_mass[k];
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
    fill_links(it, task->projector->links.items);
    thudi_iteration_velocity(it, it->x, it->velocity);
    memcpy(it->velocity_before, it->velocity, (size_t)it->dim * sizeof *it->velocity);
    return THUD_OK;
}

// What every row adds to the sweep: its new multiplier, and what was seen. Comparisons are written
// out, as fmax is a call.
static inline double renew(double v, double diagonal, double inverse, double inverse_stop, double y,
                           double x, thudi_sweep *seen)
{
    double next = y - v * inverse;
    next = next > 0 ? next : 0;
    double change = next - y, residual = fabs(change) * diagonal * inverse_stop;
    seen->turn -= change * (next - x);
    seen->worst = residual > seen->worst ? residual : seen->worst;
    seen->decrease += change * (v + 0.5 * change * diagonal);
    return next;
}

// The sweep over links; width is a constant where this is called, so that the loops unroll.
static inline __attribute__((always_inline)) thudi_sweep sweep_links(thudi_iteration *it,
                                                                     double beta, int width)
{
    double *u = it->velocity;
    const double *inverse_mass = it->inverse_mass;
    thudi_sweep seen = {0};
    for (int i = 0; i < it->rows; i++)
    {
        thudi_link *link = &it->links[i];
        double *ua = u + link->a, *ub = u + link->b, v = link->level, x = link->x;
        for (int k = 0; k < width; k++)
            v += link->slope_a[k] * ua[k] + link->slope_b[k] * ub[k];
        double y = x + beta * (x - link->before);
        double next = renew(v, link->diagonal, link->inverse, it->inverse_stop[i], y, x, &seen);
        double push_a = (next - y) * inverse_mass[link->a];
        double push_b = (next - y) * inverse_mass[link->b];
        link->before = x;
        link->x = next;
        for (int k = 0; k < width; k++)
            ua[k] += push_a * link->slope_a[k];
        for (int k = 0; k < width; k++)
            ub[k] += push_b * link->slope_b[k];
    }
    return seen;
}

static double speed_of(const thudi_iteration *it, const thudi_row_head *row, int i)
{
    int room[6];
    const int *index = thudi_row_index(it->problem->rows, row, room);
    const double *slope = it->problem->rows->slope.items + row->first;
    double sum = it->level[i];
    for (int k = 0; k < row->size; k++)
        sum += slope[k] * it->velocity[index[k]];
    return sum;
}

static thudi_sweep sweep_rows(thudi_iteration *it, double beta)
{
    const thud_rows *rows = it->problem->rows;
    thudi_sweep seen = {0};
    for (int i = 0; i < it->rows; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6];
        const int *index = thudi_row_index(rows, row, room);
        const double *slope = rows->slope.items + row->first;
        if (it->inverse[i] == 0)
            continue;
        double x = it->x[i], y = x + beta * (x - it->before[i]);
        double next = renew(speed_of(it, row, i), 1 / it->inverse[i], it->inverse[i],
                            it->inverse_stop[i], y, x, &seen);
        it->before[i] = x;
        it->x[i] = next;
        for (int k = 0; k < row->size; k++)
            it->velocity[index[k]] += (next - y) * slope[k] * it->inverse_mass[index[k]];
    }
    return seen;
}

thudi_sweep thudi_iteration_sweep(thudi_iteration *it, double beta)
{
    it->effort->sweeps++;
    if (!it->links)
        return sweep_rows(it, beta);
    return it->width == 3 ? sweep_links(it, beta, 3) : sweep_links(it, beta, 2);
}

// The multipliers back from the links, where the sweep keeps them.
static void collect(thudi_iteration *it)
{
    for (int i = 0; i < it->rows && it->links; i++)
    {
        it->x[i] = it->links[i].x;
        it->before[i] = it->links[i].before;
    }
}

double thudi_iteration_evaluate(thudi_iteration *it)
{
    double worst = 0;
    collect(it);
    thudi_iteration_velocity(it, it->x, it->velocity);
    thudi_iteration_velocity(it, it->before,
                             it->velocity_before); // both, or momentum amplifies the drift
    for (int i = 0; i < it->rows; i++)
    {
        if (it->inverse[i] == 0)
            continue;
        double v = speed_of(it, &it->problem->rows->heads.items[i], i);
        double load = it->x[i] / it->inverse[i], residual = fabs(load < v ? load : v);
        worst = residual * it->inverse_stop[i] > worst ? residual * it->inverse_stop[i] : worst;
    }
    it->effort->evaluations++;
    return worst;
}

void thudi_iteration_save(thudi_iteration *it)
{
    for (int i = 0; i < it->rows; i++)
        it->saved[i] = it->links ? it->links[i].x : it->x[i];
}

void thudi_iteration_restore(thudi_iteration *it)
{
    for (int i = 0; i < it->rows; i++)
    {
        it->x[i] = it->before[i] = it->saved[i];
        if (it->links)
            it->links[i].x = it->links[i].before = it->saved[i];
    }
    thudi_iteration_velocity(it, it->x, it->velocity);
    memcpy(it->velocity_before, it->velocity, (size_t)it->dim * sizeof *it->velocity);
}

bool thudi_iteration_is_hopeless(const thudi_task *task, thudi_iteration *it)
{
    thud_farkas farkas;
    double sum = 0;
    collect(it);
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
    if (sum > 0 && farkas.radius > 1e6 * fmax(thudi_length(it->problem, it->problem->w),
                                              thudi_length(it->problem, it->velocity)))
        return true;
    memset(task->y, 0, (size_t)it->rows * sizeof *task->y);
    return false;
}

void thudi_iteration_end(const thudi_task *task, thudi_iteration *it)
{
    collect(it);
    *task->exact = false;
    memcpy(task->mu, it->x, (size_t)it->rows * sizeof *task->mu);
}
