// What the iterative methods share: scales, the tolerance of every row (thudi_row_tolerance, with
// the largest acceleration of the problem), the Gauss-Seidel sweep.
#include "project/sweep/iterative.h"

#include "certify/certify.h"

#include <float.h>
#include <string.h>

static thud_status open_rooms(thud_rooms *rooms, thudi_iteration *it)
{
    size_t rows = (size_t)it->rows, dim = (size_t)it->dim;
    THUD_TRY(thudi_room(rooms, &it->level, rows, "sweeps: levels"));
    THUD_TRY(thudi_room(rooms, &it->inverse, rows, "sweeps: inverse diagonal"));
    THUD_TRY(thudi_room(rooms, &it->tolerance, rows, "sweeps: tolerances"));
    THUD_TRY(thudi_room(rooms, &it->inverse_tolerance, rows, "sweeps: inverse tolerances"));
    THUD_TRY(thudi_room(rooms, &it->x, rows, "sweeps: multipliers"));
    THUD_TRY(thudi_room(rooms, &it->before, rows, "sweeps: multipliers before"));
    THUD_TRY(thudi_room(rooms, &it->mark, rows, "sweeps: marked multipliers"));
    THUD_TRY(thudi_room(rooms, &it->gradient, rows, "sweeps: gradient"));
    THUD_TRY(thudi_room(rooms, &it->saved, rows, "sweeps: saved multipliers"));
    THUD_TRY(thudi_room(rooms, &it->inverse_mass, dim, "sweeps: inverse masses"));
    THUD_TRY(thudi_room(rooms, &it->velocity, dim, "sweeps: velocity"));
    return thudi_room(rooms, &it->velocity_before, dim, "sweeps: velocity before");
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
        int size = thudi_row_size(row), width = thudi_row_width(row);
        for (int k = 0; k < size; k += width)
        {
            double sum = 0;
            for (int a = k; a < k + width; a++)
            {
                double pull = problem->force[index[a]] / thudi_mass(problem->mass, index[a]);
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
        double norm = thudi_row_norm(p, i);
        it->level[i] = (p->rows->heads.items[i].gap - thudi_shift(p, i)) / p->h;
        it->inverse[i] = norm > 0 ? 1 / (norm * norm) : 0;
        it->tolerance[i] = thudi_row_tolerance(p, i, pull);
        it->inverse_tolerance[i] = 1 / it->tolerance[i];
        it->x[i] = it->before[i] = p->warm && p->warm[i] > 0 && norm > 0 ? p->warm[i] : 0;
        it->mark[i] = it->x[i];
    }
}

void thudi_iteration_velocity(const thudi_iteration *it, const double *x, double *velocity)
{
    const thud_rows *rows = it->problem->rows;
    memset(velocity, 0, (size_t)it->dim * sizeof *velocity);
    for (int i = 0; i < it->rows; i++)
    {
        thudi_entries row;
        if (x[i] == 0)
            continue;
        thudi_row_open(rows, i, &row);
        for (int k = 0; k < row.size; k++)
            velocity[row.index[k]] += row.slope[k] * x[i];
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
    THUD_TRY(open_rooms(task->projector->rooms, it));
    for (int k = 0; k < it->dim; k++)
        it->inverse_mass[k] = 1 / thudi_mass(task->problem->mass, k);
    fill_rows(it);
    thudi_iteration_velocity(it, it->x, it->velocity);
    memcpy(it->velocity_before, it->velocity, (size_t)it->dim * sizeof *it->velocity);
    return THUD_OK;
}

// U <- U + beta (U - U_before), and |U - U_before|_M^2 / 2.
static double extrapolate(thudi_iteration *it, double beta)
{
    double energy = 0;
    for (int k = 0; k < it->dim; k++)
    {
        double u = it->velocity[k], change = u - it->velocity_before[k];
        energy += 0.5 * change * change / it->inverse_mass[k];
        it->velocity_before[k] = u;
        it->velocity[k] = u + beta * change;
    }
    return energy;
}

static double speed_of(const thudi_iteration *it, const thudi_entries *row, int i)
{
    double sum = it->level[i];
    for (int k = 0; k < row->size; k++)
        sum += row->slope[k] * it->velocity[row->index[k]];
    return sum;
}

// Row i from y to its new multiplier; returns the change.
static double update_row(thudi_iteration *it, const thudi_entries *row, int i, double y,
                         thudi_sweep *seen)
{
    double v = speed_of(it, row, i), diagonal = 1 / it->inverse[i], x = it->x[i];
    double next = y - v * it->inverse[i];
    next = next > 0 ? next : 0;
    double change = next - y, residual = fabs(change) * diagonal * it->inverse_tolerance[i];
    seen->turn -= change * diagonal * (next - x);
    seen->decrease += change * (v + 0.5 * change * diagonal);
    seen->worst = residual > seen->worst ? residual : seen->worst;
    it->before[i] = x;
    it->x[i] = next;
    return change;
}

thudi_sweep thudi_iteration_sweep(thudi_iteration *it, double beta)
{
    const thud_rows *rows = it->problem->rows;
    thudi_sweep seen = {.energy = extrapolate(it, beta)};
    for (int i = 0; i < it->rows; i++)
    {
        thudi_entries row;
        if (it->inverse[i] == 0)
            continue;
        thudi_row_open(rows, i, &row);
        double y = it->x[i] + beta * (it->x[i] - it->before[i]);
        double change = update_row(it, &row, i, y, &seen);
        for (int k = 0; k < row.size; k++)
            it->velocity[row.index[k]] += change * row.slope[k] * it->inverse_mass[row.index[k]];
    }
    return seen;
}

double thudi_iteration_evaluate(thudi_iteration *it)
{
    double worst = 0;
    thudi_iteration_velocity(it, it->x, it->velocity);
    thudi_iteration_velocity(it, it->before,
                             it->velocity_before); // both, or momentum amplifies the drift
    for (int i = 0; i < it->rows; i++)
    {
        if (it->inverse[i] == 0)
            continue;
        thudi_entries row;
        thudi_row_open(it->problem->rows, i, &row);
        double v = speed_of(it, &row, i);
        double load = it->x[i] / it->inverse[i], residual = fabs(load < v ? load : v);
        worst = residual * it->inverse_tolerance[i] > worst ? residual * it->inverse_tolerance[i]
                                                            : worst;
    }
    return worst;
}

void thudi_iteration_save(thudi_iteration *it)
{
    memcpy(it->saved, it->x, (size_t)it->rows * sizeof *it->saved);
}

void thudi_iteration_restore(thudi_iteration *it)
{
    for (int i = 0; i < it->rows; i++)
        it->x[i] = it->before[i] = it->saved[i];
    thudi_iteration_velocity(it, it->x, it->velocity);
    memcpy(it->velocity_before, it->velocity, (size_t)it->dim * sizeof *it->velocity);
}

thud_status thudi_has_grown(const thudi_task *task, const double *x, const double *mark,
                            double length, bool *grown)
{
    const thud_projection *problem = task->problem;
    thud_farkas farkas;
    double sum = 0;
    for (int i = 0; i < problem->rows->count; i++)
    {
        task->y[i] = x[i] > mark[i] ? x[i] - mark[i] : 0;
        sum += task->y[i] > 0 ? task->y[i] * thudi_row_norm(problem, i) : 0;
    }
    for (int i = 0; i < problem->rows->count && sum > 0; i++)
        task->y[i] /= sum;
    THUD_TRY(thudi_certify_farkas(problem, task->y, problem->shift_scale, task->projector->rooms,
                                  &farkas));
    double speed = fmax(thudi_length(problem, problem->w), length);
    *grown = sum > 0 && farkas.radius > THUDI_FAR_PROOF * speed;
    if (!*grown)
        memset(task->y, 0, (size_t)problem->rows->count * sizeof *task->y);
    return THUD_OK;
}
