// The exact projection by a dense dual active set (Goldfarb and Idnani), for rows of any rank.
//
// With x = sqrt(M) (v - w) and rows scaled to unit norm n_i, the problem is
//     min |x|^2 / 2   subject to   n_i . x >= goal_i,    x = sum of z_i n_i over the active rows.
// The active rows stay independent and their multipliers z >= 0; each change raises the dual
// objective. Cost per change: 4 d k flops for d coordinates and k active rows, plus one pass over
// all rows. The end result is refined in doubled precision against the caller's own numbers, so
// that what is left is the rounding of mu and u themselves.
#include "project/projector.h"

#include <float.h>
#include <string.h>

// A row closer than this to the span of the active ones is treated as dependent on them,
static const double DEPENDENT = 1e-12;
// and one closer than this may already prove that K is empty within reach.
static const double NEARLY_DEPENDENT = 1e-8;
// A row is violated when it is so by more than this many ulps of its terms.
static const double ULPS = 8;
// Rounds of refinement and re-entry before the certificate is left to speak for itself.
enum
{
    ROUND_LIMIT = 40,
    REFINE_LIMIT = 6
};

typedef struct frame
{
    const thudi_task *task;
    const thud_projection *problem;
    thudi_active_set *set;
    int rows, dim;
    int64_t changes, change_limit;
} frame;

static thud_status make_room(frame *f)
{
    thudi_active_set *set = f->set;
    const thud_allocator *allocator = &f->task->projector->allocator;
    size_t rows = (size_t)f->rows, dim = (size_t)f->dim;
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
    THUD_TRY(thudi_array_reserve(allocator, &set->value, f->problem->rows->entries));
    THUD_TRY(thudi_array_reserve(allocator, &set->active, most + 1));
    THUD_TRY(thudi_array_reserve(allocator, &set->z, most + 1));
    THUD_TRY(thudi_array_reserve(allocator, &set->direction, most + 1));
    set->count = 0;
    set->basis.allocator = *allocator;
    return thudi_orthogonal_reset(&set->basis, f->dim);
}

static const thudi_row_head *head_of(const frame *f, int i)
{
    return &f->problem->rows->heads.items[i];
}

static const int *index_of(const frame *f, int i, int room[6])
{
    return thudi_row_index(f->problem->rows, head_of(f, i), room);
}

static const double *value_of(const frame *f, int i)
{
    return f->set->value.items + head_of(f, i)->first;
}

// Scale the rows to unit norm and find their goals. A zero row is set aside: it either holds for
// every v, or none.
static thud_status scale_rows(frame *f)
{
    thudi_active_set *set = f->set;
    const thud_projection *p = f->problem;
    for (int k = 0; k < f->dim; k++)
        set->root.items[k] = 1 / sqrt(thudi_mass(p, k));
    for (int i = 0; i < f->rows; i++)
    {
        const thudi_row_head *row = head_of(f, i);
        int room[6];
        const int *index = index_of(f, i, room);
        const double *slope = p->rows->slope.items + row->first;
        double *value = set->value.items + row->first;
        double norm = thudi_row_norm(p, i), gap = row->gap - thudi_shift(p, i);
        double level = gap / p->h, size = fabs(level);
        set->norm.items[i] = norm;
        set->relief.items[i] = 0;
        set->place.items[i] = norm > 0 ? -1 : -2;
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

// What is taken off gap i: the shift, less the relief.
static double offset_of(const frame *f, int i)
{
    return thudi_shift(f->problem, i) - f->set->relief.items[i];
}

// n_i . x - goal_i
static double slack(const frame *f, int i)
{
    int room[6];
    const int *index = index_of(f, i, room);
    const double *value = value_of(f, i);
    double sum = -f->set->goal.items[i];
    for (int k = 0; k < head_of(f, i)->size; k++)
        sum += value[k] * f->set->x.items[index[k]];
    return sum;
}

static double length_of_x(const frame *f)
{
    double sum = 0;
    for (int k = 0; k < f->dim; k++)
        sum += f->set->x.items[k] * f->set->x.items[k];
    return sqrt(sum);
}

// |n_i| . |x|: what rounding of n_i . x is measured against.
static double terms_of_x(const frame *f, int i)
{
    int room[6];
    const int *index = index_of(f, i, room);
    const double *value = value_of(f, i);
    double sum = 0;
    for (int k = 0; k < head_of(f, i)->size; k++)
        sum += fabs(value[k] * f->set->x.items[index[k]]);
    return sum;
}

// The most violated row outside the active set, or -1.
static int most_violated(const frame *f, double *violation)
{
    const thudi_active_set *set = f->set;
    double length = length_of_x(f);
    int worst = -1;
    *violation = 0;
    for (int i = 0; i < f->rows; i++)
    {
        if (set->place.items[i] != -1)
            continue;
        double depth = -slack(f, i);
        if (depth > *violation && depth > ULPS * DBL_EPSILON * (set->size.items[i] + length))
        {
            worst = i;
            *violation = depth;
        }
    }
    return worst;
}

static void enter(frame *f, int i, double z, double norm)
{
    thudi_active_set *set = f->set;
    thudi_orthogonal_append(&set->basis, norm);
    set->place.items[i] = set->count;
    set->active.items[set->count] = i;
    set->z.items[set->count] = z;
    set->count++;
}

static void leave(frame *f, int j)
{
    thudi_active_set *set = f->set;
    thudi_orthogonal_drop(&set->basis, j);
    set->place.items[set->active.items[j]] = -1;
    for (int l = j + 1; l < set->count; l++)
    {
        set->active.items[l - 1] = set->active.items[l];
        set->z.items[l - 1] = set->z.items[l];
        set->place.items[set->active.items[l - 1]] = l - 1;
    }
    set->count--;
    f->task->effort->dropped++;
    f->changes++;
}

// x and z for the active rows taken as equalities:  R^T R z = goal,  x = Q R^-T goal.
static void solve_active(frame *f)
{
    thudi_active_set *set = f->set;
    for (int j = 0; j < set->count; j++)
        set->z.items[j] = set->goal.items[set->active.items[j]];
    thudi_orthogonal_solve_transposed(&set->basis, set->z.items);
    thudi_orthogonal_expand(&set->basis, set->z.items, set->x.items);
    thudi_orthogonal_solve(&set->basis, set->z.items);
}

static int most_negative(const double *z, int count)
{
    int worst = -1;
    for (int j = 0; j < count; j++)
        if (z[j] < 0 && (worst < 0 || z[j] < z[worst]))
            worst = j;
    return worst;
}

// Drop rows until all multipliers are >= 0: a valid start for the dual method.
static void make_dual_feasible(frame *f)
{
    int worst;
    solve_active(f);
    while ((worst = most_negative(f->set->z.items, f->set->count)) >= 0)
    {
        leave(f, worst);
        solve_active(f);
    }
}

static thud_status warm_start(frame *f)
{
    thudi_active_set *set = f->set;
    for (int i = 0; i < f->rows && f->problem->warm && set->count < f->dim; i++)
    {
        if (!(f->problem->warm[i] > 0) || set->place.items[i] != -1)
            continue;
        THUD_TRY(thudi_orthogonal_reserve(&set->basis));
        int room[6];
        double norm = thudi_orthogonal_split(&set->basis, head_of(f, i)->size, index_of(f, i, room),
                                             value_of(f, i));
        if (norm > DEPENDENT)
        {
            enter(f, i, 0, norm);
            f->task->effort->warmed++;
        }
    }
    make_dual_feasible(f);
    return THUD_OK;
}

// The first active row whose multiplier falls to 0 as row s enters, and the step at which it does.
static int blocking(const frame *f, bool dependent, double *step)
{
    const thudi_active_set *set = f->set;
    double largest = 1;
    for (int j = 0; j < set->count; j++)
        largest = fmax(largest, fabs(set->direction.items[j]));
    // among dependent rows a direction within rounding of 0 is 0: it must not block
    double least = dependent ? 1e-13 * largest : 0;
    int first = -1;
    *step = INFINITY;
    for (int j = 0; j < set->count; j++)
        if (set->direction.items[j] > least && set->z.items[j] < *step * set->direction.items[j])
        {
            *step = set->z.items[j] / set->direction.items[j];
            first = j;
        }
    return first;
}

// Row s is a combination of active rows with coefficients <= 0: together they cannot all hold.
static void write_farkas(const frame *f, int s)
{
    const thudi_active_set *set = f->set;
    double *y = f->task->y, sum = 1;
    for (int j = 0; j < set->count; j++)
        sum += fmax(0, -set->direction.items[j]);
    for (int j = 0; j < set->count; j++)
    {
        int i = set->active.items[j];
        y[i] = fmax(0, -set->direction.items[j]) / sum / set->norm.items[i];
    }
    y[s] = 1 / sum / set->norm.items[s];
}

// Nearly dependent is not dependent: a Farkas vector proves something only if the velocities it
// rules out are far beyond those of the problem.
static bool farkas_proves(const frame *f, int s)
{
    thud_farkas farkas;
    write_farkas(f, s);
    thudi_certify_farkas(f->problem, f->task->y, f->problem->shift_scale, f->task->projector,
                         &farkas);
    double speed = thudi_length(f->problem, f->problem->w) + f->set->size.items[s];
    bool proves = farkas.radius > 1e6 * speed;
    if (!proves)
        memset(f->task->y, 0, (size_t)f->rows * sizeof *f->task->y);
    return proves;
}

typedef enum entry
{
    ENTERED,
    RELIEVED,
    SET_ASIDE,
    INFEASIBLE
} entry;

// What row i's goal may be off because its gap and its terms are rounded numbers.
static double rounding_of(const frame *f, int i)
{
    const thudi_active_set *set = f->set;
    double noise = thudi_row_noise(f->problem, i) / f->problem->h / set->norm.items[i];
    return ULPS / 2 * DBL_EPSILON * (set->size.items[i] + noise);
}

// Rows that cannot all hold, but only by the rounding of their gaps, are each given that rounding,
// once. False when the conflict is real, or when all have been given it before.
static bool relieve(frame *f, int s, double violation)
{
    thudi_active_set *set = f->set;
    double rounding = rounding_of(f, s);
    for (int j = 0; j < set->count; j++)
        rounding += fmax(0, -set->direction.items[j]) * rounding_of(f, set->active.items[j]);
    if (violation > rounding)
        return false;
    bool any = false;
    for (int j = 0; j <= set->count; j++)
    {
        int i = j < set->count ? set->active.items[j] : s;
        if (set->relief.items[i] > 0 || (i != s && set->direction.items[j] >= 0))
            continue;
        double room = rounding_of(f, i);
        set->goal.items[i] -= room;
        set->relief.items[i] = room * set->norm.items[i] * f->problem->h;
        any = any || room > 0;
        *f->task->relieved += room > 0;
    }
    if (any)
        make_dual_feasible(f);
    return any;
}

// The row is dependent on active ones, or nearly so, and nothing blocks. ENTERED: it may go in.
static entry judge_dependent(frame *f, int s, double violation, bool dependent)
{
    thudi_active_set *set = f->set;
    if (!dependent)
        return farkas_proves(f, s) ? INFEASIBLE : ENTERED;
    if (relieve(f, s, violation))
        return RELIEVED;
    if (violation <= 2 * ULPS * DBL_EPSILON * terms_of_x(f, s) + rounding_of(f, s))
    {
        set->place.items[s] = -2; // violated by rounding only; the certificate will say how much
        return SET_ASIDE;
    }
    if (farkas_proves(f, s))
        return INFEASIBLE;
    set->place.items[s] = -2; // nothing can be proved: the certificate will tell
    return SET_ASIDE;
}

static void move(frame *f, double step, bool along_x)
{
    thudi_active_set *set = f->set;
    for (int j = 0; j < set->count; j++)
        set->z.items[j] -= step * set->direction.items[j];
    if (along_x)
        for (int k = 0; k < f->dim; k++)
            set->x.items[k] += step * set->basis.rest.items[k];
}

// Bring row s into the active set, dropping rows whose multiplier would turn negative on the way.
static thud_status bring_in(frame *f, int s, double violation, entry *outcome)
{
    thudi_active_set *set = f->set;
    double z = 0;
    for (;;)
    {
        THUD_TRY(thudi_orthogonal_reserve(&set->basis));
        int room[6];
        double norm = thudi_orthogonal_split(&set->basis, head_of(f, s)->size, index_of(f, s, room),
                                             value_of(f, s));
        if (set->count > 0)
            memcpy(set->direction.items, set->basis.coefficient.items,
                   (size_t)set->count * sizeof *set->direction.items);
        thudi_orthogonal_solve(&set->basis, set->direction.items);
        bool dependent = norm <= DEPENDENT || set->count == f->dim;
        bool nearly = dependent || norm <= NEARLY_DEPENDENT;
        double partial, full = dependent ? INFINITY : violation / (norm * norm);
        if (nearly && blocking(f, true, &partial) < 0)
        {
            *outcome = judge_dependent(f, s, violation, dependent);
            if (*outcome != ENTERED)
                return THUD_OK;
        }
        int first = blocking(f, dependent, &partial);
        double step = fmin(partial, full);
        if (!isfinite(step)) // numbers out of range: leave it to the certificate
        {
            set->place.items[s] = -2;
            *outcome = SET_ASIDE;
            return THUD_OK;
        }
        move(f, step, !dependent);
        z += step;
        if (full <= partial)
        {
            f->task->effort->added++;
            f->changes++;
            enter(f, s, z, norm);
            *outcome = ENTERED;
            return THUD_OK;
        }
        leave(f, first);
        violation = fmax(0, -slack(f, s)); // 0 by a tie: s then enters by a step of length 0
        if (f->changes > f->change_limit)
        {
            *outcome = SET_ASIDE;
            return THUD_OK;
        }
    }
}

// mu in the caller's scale for the present z.
static void write_mu(const frame *f)
{
    memset(f->task->mu, 0, (size_t)f->rows * sizeof *f->task->mu);
    for (int j = 0; j < f->set->count; j++)
    {
        int i = f->set->active.items[j];
        f->task->mu[i] = f->set->z.items[j] / f->set->norm.items[i];
    }
}

// The residuals of the active rows in doubled precision; returns the worst over its scale.
static double active_residuals(frame *f, double *residual)
{
    thudi_active_set *set = f->set;
    const thud_projection *p = f->problem;
    double worst = 0;
    thudi_velocity(p, f->task->mu, set->u.items, set->reach.items);
    for (int j = 0; j < set->count; j++)
    {
        int i = set->active.items[j];
        double lin = thudi_dd_value(thudi_lin_exact(p, i, offset_of(f, i), set->u.items));
        residual[j] = -lin / p->h / set->norm.items[i];
        worst = fmax(worst, fabs(lin) / thudi_row_scale(p, i, set->reach.items));
    }
    return worst;
}

// Newton on the active rows with the true residual: what remains is the rounding of mu.
static void refine(frame *f)
{
    thudi_active_set *set = f->set;
    double *residual = set->direction.items, before = INFINITY;
    write_mu(f);
    for (int pass = 0; pass < REFINE_LIMIT; pass++)
    {
        double worst = active_residuals(f, residual);
        f->task->effort->polished++;
        if (!(worst > DBL_EPSILON / 4) || worst > before / 2)
            break;
        before = worst;
        thudi_orthogonal_solve_transposed(&set->basis, residual);
        thudi_orthogonal_solve(&set->basis, residual);
        for (int j = 0; j < set->count; j++)
        {
            int i = set->active.items[j];
            f->task->mu[i] += residual[j] / set->norm.items[i];
            set->z.items[j] = f->task->mu[i] * set->norm.items[i];
        }
    }
    thudi_velocity(f->problem, f->task->mu, set->u.items, set->reach.items);
    for (int k = 0; k < f->dim; k++)
    {
        thudi_dd change = thudi_dd_add(set->u.items[k], (thudi_dd){-f->problem->w[k], 0});
        set->x.items[k] = thudi_dd_value(change) / set->root.items[k];
    }
}

// When rounds or changes run out: mu >= 0 all the same, and the certificate says how far it is off.
static void refine_and_clip(frame *f)
{
    refine(f);
    for (int i = 0; i < f->rows; i++)
        f->task->mu[i] = fmax(0, f->task->mu[i]);
}

// With the refined velocity: the worst row beyond rounding, or -1.
static int most_violated_exactly(const frame *f, double *violation)
{
    const thudi_active_set *set = f->set;
    const thud_projection *p = f->problem;
    double worst_ulps = ULPS;
    int worst = -1;
    for (int i = 0; i < f->rows; i++)
    {
        if (set->place.items[i] != -1)
            continue;
        double lin = thudi_dd_value(thudi_lin_exact(p, i, offset_of(f, i), set->u.items));
        if (lin >= 0)
            continue;
        double ulps = -lin / (DBL_EPSILON * thudi_row_scale(p, i, set->reach.items));
        if (ulps > worst_ulps)
        {
            worst = i;
            worst_ulps = ulps;
            *violation = -lin / p->h / set->norm.items[i];
        }
    }
    return worst;
}

// Goldfarb and Idnani's loop: bring in the most violated row until none is.
static thud_status climb(frame *f, int s, double violation)
{
    while (s >= 0)
    {
        entry outcome;
        if (f->changes > f->change_limit)
            return THUD_ERR_NOT_CONVERGED;
        THUD_TRY(bring_in(f, s, violation, &outcome));
        if (outcome == INFEASIBLE)
            return THUD_ERR_INFEASIBLE;
        s = most_violated(f, &violation);
    }
    return THUD_OK;
}

// Solve, refine, look again with the refined velocity, until nothing changes.
static thud_status solve(frame *f)
{
    double violation;
    int s = most_violated(f, &violation);
    THUD_TRY(climb(f, s, violation));
    for (int round = 0; round < ROUND_LIMIT + f->rows; round++)
    {
        refine(f);
        int negative = most_negative(f->set->z.items, f->set->count);
        if (negative >= 0)
        {
            leave(f, negative);
            make_dual_feasible(f);
            s = most_violated(f, &violation);
        }
        else if ((s = most_violated_exactly(f, &violation)) < 0)
            return THUD_OK;
        THUD_TRY(climb(f, s, violation));
    }
    refine_and_clip(f);
    return THUD_OK;
}

// A zero row with a negative gap is infeasible by itself.
static bool has_hopeless_row(const frame *f)
{
    for (int i = 0; i < f->rows; i++)
        if (f->set->norm.items[i] == 0 && head_of(f, i)->gap - thudi_shift(f->problem, i) < 0)
        {
            f->task->y[i] = 1;
            return true;
        }
    return false;
}

// Rows at their bound, and whether their slopes are independent. The basis is spent on this.
static thud_status count_tight(frame *f)
{
    thudi_active_set *set = f->set;
    const thud_projection *p = f->problem;
    *f->task->tight = 0;
    *f->task->unique = true;
    for (int i = 0; i < f->rows; i++)
    {
        if (set->norm.items[i] == 0)
            continue;
        double lin = thudi_dd_value(thudi_lin_exact(p, i, offset_of(f, i), set->u.items));
        double scale = thudi_row_scale(p, i, set->reach.items) + thudi_row_noise(p, i);
        if (fabs(lin) > 64 * DBL_EPSILON * scale)
            continue;
        f->task->is_tight[i] = true;
        ++*f->task->tight;
        if (set->place.items[i] >= 0 || !*f->task->unique)
            continue;
        THUD_TRY(thudi_orthogonal_reserve(&set->basis));
        int room[6];
        double norm = thudi_orthogonal_split(&set->basis, head_of(f, i)->size, index_of(f, i, room),
                                             value_of(f, i));
        if (norm <= 1e-8 || set->basis.count == f->dim)
            *f->task->unique = false;
        else
            thudi_orthogonal_append(&set->basis, norm);
    }
    return THUD_OK;
}

thud_status thudi_project_by_active_set(const thudi_task *task)
{
    frame f = {
        .task = task,
        .problem = task->problem,
        .set = &task->projector->active_set,
        .rows = task->problem->rows->count,
        .dim = task->problem->dim,
        .change_limit = task->projector->change_limit,
    };
    if (f.change_limit == 0)
        f.change_limit = 50 * ((int64_t)f.dim + f.rows);
    THUD_TRY(make_room(&f));
    THUD_TRY(scale_rows(&f));
    if (has_hopeless_row(&f))
        return THUD_ERR_INFEASIBLE;
    THUD_TRY(warm_start(&f));
    thud_status status = solve(&f);
    if (status == THUD_ERR_NOT_CONVERGED)
        refine_and_clip(&f);
    if (status < 0)
        return status;
    return count_tight(&f);
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
