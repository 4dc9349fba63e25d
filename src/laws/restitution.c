// Impacts with restitution, after the displacement x = P_K(w) is known:
//
//     active    lin_i(x) <= sigma_i + touch_i, or mu_i > 0
//     D_i     = (g_i(t_n+1, q_n) - g_i(t_n, q_n)) / h,   r_i = D_i + slope_i . w
//     v       = argmin |v - w|_M^2 over D_i + slope_i . v >= 0, i active; multipliers nu
//     e       = sum (r_i^-)^2 / A_ii e_i / sum (r_i^-)^2 / A_ii           one per cluster
//     s       = max(0, -(nu . r) / (nu . A nu))                           1 if nu is exact
//     u_n+1   = w + (1 + e) s M^-1 G^T nu,   q_n+1 = q_n + h x
//
// s makes 1/2|u'|^2 - 1/2|w|^2 = -(1 - e^2) (nu . r)^2 / (2 nu . A nu) <= 0 where D = 0, however
// nu was found. Clusters without e > 0 keep u_n+1 = x. One that meets fast moves by x + e (x - w)
// if no row minds: the part of the step after the impact.
#include "step/work.h"

#include "core/text.h"
#include "core/touching.h"

#include <math.h>
#include <string.h>

// Of what is allowed, the velocities after an impact may be off by: s makes more of it in a cluster
// that mostly rests, where few rows meet fast.
static const double CAREFUL = 0x1p-5;

// An impact is fast when it is so many times what the force makes of a body at rest in one step.
static const double FAST = 5;

static int root_of(int *parent, int k)
{
    while (parent[k] != k)
    {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

static const thudi_row_head *head_of(const thud_work *work, int i)
{
    return &work->rows->heads.items[i];
}

static thudi_row_law law_of(const thud_work *work, int i)
{
    return thudi_row_law_of(work->rows, head_of(work, i));
}

// Coordinate of entry e of row i.
static int coordinate_of(const thud_work *work, int i, int e)
{
    return thudi_row_coordinate(work->rows, head_of(work, i), e);
}

static const double *slope_of(const thud_work *work, int i)
{
    return work->rows->slope.items + head_of(work, i)->first;
}

static double mass_of(const thud_inclusion *problem, int k)
{
    return problem->mass ? problem->mass[k] : 1;
}

static thudi_cluster *cluster_of(thud_work *work, int k)
{
    return &work->impact.clusters.items[root_of(work->impact.parent.items, k)];
}

// The cluster of active row j.
static thudi_cluster *cluster_of_row(thud_work *work, int j)
{
    return cluster_of(work, coordinate_of(work, work->impact.active.items[j], 0));
}

static thud_status make_room(thud_work *work)
{
    const thud_allocator *allocator = &work->allocator;
    thudi_impact *impact = &work->impact;
    size_t dim = (size_t)work->dim, rows = (size_t)work->rows->count;
    THUD_TRY(thudi_law_fit(work));
    THUD_TRY(thudi_array_reserve(allocator, &impact->active, rows));
    THUD_TRY(thudi_array_reserve(allocator, &impact->rate, rows));
    THUD_TRY(thudi_array_reserve(allocator, &impact->speed, rows));
    THUD_TRY(thudi_array_reserve(allocator, &impact->warm, rows));
    THUD_TRY(thudi_array_reserve(allocator, &impact->parent, dim));
    THUD_TRY(thudi_array_reserve(allocator, &impact->clusters, dim));
    return thudi_array_reserve(allocator, &impact->sum, dim);
}

static bool is_active(const thud_state *state, const thud_work *work, int i)
{
    const thudi_row_head *row = head_of(work, i);
    double touch = thudi_row_rounding(state, work, i), closed = (THUDI_ACTIVE - 1) * row->shift;
    if (touch < closed)
        touch = closed;
    return row->size > 0 &&
           (work->report.answer.mu[i] > 0 || work->report.answer.lin[i] <= row->shift + touch);
}

static void join(thud_work *work, int i)
{
    int *parent = work->impact.parent.items;
    int room[6];
    const int *index = thudi_row_index(work->rows, head_of(work, i), room);
    for (int e = 1; e < head_of(work, i)->size; e++)
    {
        int a = root_of(parent, index[0]), b = root_of(parent, index[e]);
        parent[a > b ? a : b] = a > b ? b : a;
    }
}

thud_status thudi_impact_find(const thud_inclusion *problem, const thud_state *state,
                              thud_work *work)
{
    thudi_impact *impact = &work->impact;
    THUD_TRY(make_room(work));
    for (int k = 0; k < problem->dim; k++)
    {
        impact->parent.items[k] = k;
        impact->clusters.items[k] = (thudi_cluster){0};
    }
    int count = 0;
    for (int i = 0; i < work->rows->count; i++)
        if (is_active(state, work, i))
        {
            impact->active.items[count++] = i;
            join(work, i);
        }
    for (int j = 0; j < count; j++)
        if (law_of(work, impact->active.items[j]).restitution > 0)
            cluster_of_row(work, j)->bounces = true;
    impact->count = 0;
    for (int j = 0; j < count; j++)
        if (cluster_of_row(work, j)->bounces)
            impact->active.items[impact->count++] = impact->active.items[j];
    return THUD_OK;
}

// D_i from the rows at the start of the step, which are in work->probe.
static thud_status read_rates(const thud_state *state, thud_work *work)
{
    thudi_impact *impact = &work->impact;
    const thud_rows *start = work->probe;
    thud_rows_clear(impact->rows);
    for (int j = 0, p = 0; j < impact->count; j++)
    {
        thud_row row = thud_rows_get(work->rows, impact->active.items[j]);
        while (p < start->count && thud_key_before(start->heads.items[p].key, row.key))
            p++;
        if (p == start->count || !thud_key_same(start->heads.items[p].key, row.key))
        {
            thudi_work_say_row(work, state, row.key,
                               "the problem did not push a row for it at the start of the step");
            return THUD_ERR_CALLBACK;
        }
        double change = row.gap - start->heads.items[p].gap;
        impact->rate.items[j] = change / state->h;
        // the solver takes the shift off again
        row.gap = change + row.shift * (CAREFUL * work->report.shift_scale);
        THUD_TRY(thud_rows_push(impact->rows, &row));
    }
    return THUD_OK;
}

static void warm_up(const thud_state *state, thud_work *work)
{
    thudi_impact *impact = &work->impact;
    for (int j = 0, m = 0; j < impact->count; j++)
    {
        thud_key key = head_of(work, impact->active.items[j])->key;
        while (m < state->multiplier_count && thud_key_before(state->multipliers[m].key, key))
            m++;
        bool known = m < state->multiplier_count && thud_key_same(state->multipliers[m].key, key);
        impact->warm.items[j] = known ? state->multipliers[m].impulse : 0;
    }
}

static thud_status project(const thud_inclusion *problem, const thud_state *state, thud_work *work,
                           thud_answer *answer)
{
    thud_projection projection = {
        .dim = problem->dim,
        .h = state->h,
        .mass = problem->mass,
        .w = work->w.items,
        .rows = work->impact.rows,
        .origin = state->q,
        .warm = work->impact.warm.items,
        .accuracy = CAREFUL * work->def.accuracy,
        .force = work->mean_force.items,
        .shift_scale = CAREFUL * work->report.shift_scale,
    };
    char t[THUDI_NUMBER_SIZE];
    thud_status status = thud_project(&projection, work->impact.projector, answer);
    if (status < 0)
        thudi_work_say(work, "step %lld (t = %s): the velocities after the impact: %s",
                       (long long)state->n + 1, thudi_text_number(t, thud_state_time(state)),
                       thud_status_text(status));
    work->report.impact = *answer;
    work->report.impact_rows = work->impact.rows;
    work->report.impact_scale = projection.shift_scale;
    return status;
}

// What active row j adds to its cluster, but for its multiplier.
static void add_row(const thud_inclusion *problem, thud_work *work, int j)
{
    int i = work->impact.active.items[j];
    thudi_entries row;
    thudi_row_open(work->rows, i, &row);
    thudi_cluster *cluster = cluster_of_row(work, j);
    thudi_dd speed = {work->impact.rate.items[j], 0};
    double square = 0;
    for (int e = 0; e < row.size; e++)
    {
        speed = thudi_dd_add_product(speed, row.slope[e], work->w.items[row.index[e]]);
        square += row.slope[e] * row.slope[e] / mass_of(problem, row.index[e]);
    }
    double r = work->impact.speed.items[j] = thudi_dd_value(speed);
    if (-r > cluster->approach)
        cluster->approach = -r;
    if (r < 0 && square > 0)
    {
        cluster->weight += r * r / square;
        cluster->weighted_e += r * r / square * law_of(work, i).restitution;
    }
    for (int e = 0; e < row.size; e += row.head->width)
    {
        double pull = 0;
        for (int a = e; a < e + row.head->width; a++)
        {
            double f = work->mean_force.items[row.index[a]] / mass_of(problem, row.index[a]);
            pull += f * f;
        }
        if (sqrt(pull) > cluster->pull)
            cluster->pull = sqrt(pull);
    }
}

static void add_multipliers(const thud_inclusion *problem, thud_work *work, const double *nu)
{
    double *sum = work->impact.sum.items;
    memset(sum, 0, (size_t)problem->dim * sizeof *sum);
    for (int j = 0; j < work->impact.count; j++)
    {
        int i = work->impact.active.items[j];
        for (int e = 0; e < head_of(work, i)->size; e++)
            sum[coordinate_of(work, i, e)] += slope_of(work, i)[e] * nu[j];
        cluster_of_row(work, j)->work += nu[j] * work->impact.speed.items[j];
    }
    for (int k = 0; k < problem->dim; k++)
        if (sum[k] != 0)
            cluster_of(work, k)->energy += sum[k] * sum[k] / mass_of(problem, k);
}

static void settle(thudi_cluster *cluster, double h)
{
    double s = cluster->energy > 0 ? -cluster->work / cluster->energy : 0;
    cluster->e = cluster->weight > 0 ? cluster->weighted_e / cluster->weight : 0;
    cluster->factor = s > 0 ? (1 + cluster->e) * s : 0;
    cluster->extended = cluster->e > 0 && cluster->approach > FAST * h * cluster->pull;
}

// u_n+1 of the clusters that bounce; of all others it is x.
static void bounce(const thud_inclusion *problem, thud_work *work, const double *nu)
{
    const thud_answer *answer = &work->report.answer;
    double *impulse = work->impulse.items, *velocity = work->velocity.items;
    memcpy(impulse, answer->mu, (size_t)work->rows->count * sizeof *impulse);
    for (int j = 0; j < work->impact.count; j++)
        impulse[work->impact.active.items[j]] = cluster_of_row(work, j)->factor * nu[j];
    thudi_law_velocity(problem, work, impulse, velocity);
    for (int k = 0; k < problem->dim; k++)
        if (!cluster_of(work, k)->bounces)
            velocity[k] = answer->u[k];
}

static void choose_move(const thud_inclusion *problem, thud_work *work)
{
    const double *x = work->report.answer.u, *w = work->w.items;
    for (int k = 0; k < problem->dim; k++)
    {
        const thudi_cluster *cluster = cluster_of(work, k);
        work->move.items[k] = cluster->extended ? x[k] + cluster->e * (x[k] - w[k]) : x[k];
    }
}

// Every cluster that touches a row which minds goes back to x. False when there is none.
static bool retreat(const thud_state *state, thud_work *work)
{
    bool found = false;
    for (int i = 0; i < work->rows->count; i++)
    {
        const thudi_row_head *row = head_of(work, i);
        double lin = work->report.answer.lin[i], least = lin < row->shift ? lin : row->shift;
        bool extended = false;
        for (int e = 0; e < row->size; e++)
            extended = extended || cluster_of(work, coordinate_of(work, i, e))->extended;
        work->lin.items[i] = extended ? thudi_law_lin(work, state->h, i, work->move.items) : lin;
        if (work->lin.items[i] >= least || !extended)
            continue;
        found = true;
        for (int e = 0; e < row->size; e++)
            cluster_of(work, coordinate_of(work, i, e))->extended = false;
    }
    return found;
}

// Squares of speeds beyond 1e150 are not in range: no such velocity may be kept.
static thud_status check_finite(const thud_inclusion *problem, const thud_state *state,
                                thud_work *work)
{
    char t[THUDI_NUMBER_SIZE];
    for (int k = 0; k < problem->dim; k++)
        if (!isfinite(work->velocity.items[k]))
        {
            thudi_work_say(work, "step %lld (t = %s): velocity %d after the impact is not finite",
                           (long long)state->n + 1, thudi_text_number(t, thud_state_time(state)),
                           k);
            return THUD_ERR_NOT_FINITE;
        }
    return THUD_OK;
}

thud_status thudi_impact_solve(const thud_inclusion *problem, const thud_state *state,
                               thud_work *work)
{
    thud_answer answer;
    THUD_TRY(read_rates(state, work));
    warm_up(state, work);
    THUD_TRY(project(problem, state, work, &answer));
    for (int j = 0; j < work->impact.count; j++)
        add_row(problem, work, j);
    add_multipliers(problem, work, answer.mu);
    for (int k = 0; k < problem->dim; k++)
        if (work->impact.clusters.items[k].bounces)
            settle(&work->impact.clusters.items[k], state->h);
    bounce(problem, work, answer.mu);
    THUD_TRY(check_finite(problem, state, work));
    do
        choose_move(problem, work);
    while (retreat(state, work));
    work->report.velocity = work->velocity.items;
    work->report.move = work->move.items;
    work->report.impulse = work->impulse.items;
    work->report.lin = work->lin.items;
    return THUD_OK;
}
