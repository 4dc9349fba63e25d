// Impacts with restitution. The step first finds the velocity x = P_K(w) of the displacement, with
// the multipliers mu. The velocity after the impact follows from a second projection:
//
//     active    lin_i(x) <= sigma_i + touch_i, or mu_i > 0
//     D_i     = (g_i(t_n+1, q_n) - g_i(t_n, q_n)) / h,   r_i = D_i + slope_i . w
//     v       = argmin |v - w|_M^2 over D_i + slope_i . v >= 0, i active; multipliers nu
//     e       = sum (r_i^-)^2 / A_ii e_i / sum (r_i^-)^2 / A_ii           one per cluster
//     s       = max(0, -(nu . r) / (nu . A nu))                           1 if nu is exact
//     u_n+1   = w + (1 + e) s M^-1 G^T nu,   q_n+1 = q_n + h x
//
// A is G M^-1 G^T, and r_i^- is max(-r_i, 0), the speed of approach. With the factor s the energy
// cannot grow where D = 0, even if nu is not exact:
//
//     |u_n+1|^2 / 2 - |w|^2 / 2 = -(1 - e^2) (nu . r)^2 / (2 nu . A nu) <= 0
//
// Sums over a cluster are exact, so they do not depend on the order of its rows and bodies.
//
// A cluster in which all e_i are 0 keeps u_n+1 = x. A cluster with a fast impact moves by
// q_n+1 = q_n + h (x + e (x - w)), as if it had bounced within the step. It does so only if no gap
// falls below its limit.
#include "laws/laws.h"

#include "core/mass.h"
#include "core/math/exact_four.h"
#include "core/text.h"
#include "core/touching.h"

#include <math.h>
#include <string.h>

// The second projection is solved to this part of the step's tolerance. If few rows of a cluster
// meet fast and the others rest, the factor s enlarges the error.
static const double IMPACT_TOLERANCE = 0x1p-5;

// An impact is fast if its approach is more than FAST times the speed that forces give a body at
// rest in one step.
static const double FAST = 5;

// A set of coordinates that active rows join. It has one impact.
typedef struct impact_cluster
{
    bool bounces;         // one of its rows has e > 0
    bool extended;        // it moves by x + e (x - w), as if it had bounced within the step
    double approach;      // largest -r_i
    double acceleration;  // largest |f| / m of a body
    int first_row;        // of its active rows, by their places in `active`; -1 for none
    int first_coordinate; // of its coordinates; -1 for none
    double e;             // coefficient of the cluster
    double factor;        // (1 + e) s
} impact_cluster;

// The second projection: onto the velocities that close no active row further.
typedef struct impact
{
    thud_projector *projector;
    thud_rows *rows;                      // D_i + slope_i . v >= 0
    THUDI_ARRAY(int) active;              // their numbers among the rows of the step, increasing
    int count;                            // number of active rows
    THUDI_ARRAY(double) rate;             // D_i, by active row
    THUDI_ARRAY(double) speed;            // r_i = D_i + slope_i . w, by active row
    THUDI_ARRAY(double) warm;             // first guess of nu, by active row
    THUDI_ARRAY(int) next_row;            // by active row: the next one of its cluster, or -1
    THUDI_ARRAY(int) next_coordinate;     // by coordinate: the next one of its cluster, or -1
    THUDI_ARRAY(int) parent;              // by coordinate: union-find
    THUDI_ARRAY(impact_cluster) clusters; // by coordinate; only those of roots are used
    THUDI_ARRAY(double) sum;              // by coordinate: G^T nu
} impact;

static impact *impact_of(const thud_work *work)
{
    return work->law_memory;
}

static int find_root(int *parent, int k)
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

// e of row i.
static double restitution_of(const thud_work *work, int i)
{
    const double *numbers = thudi_row_numbers(work->rows, head_of(work, i));
    return numbers ? numbers[0] : 0;
}

// Coordinate of entry e of row i.
static int coordinate_of(const thud_work *work, int i, int entry)
{
    return thudi_row_coordinate(work->rows, head_of(work, i), entry);
}

static impact_cluster *cluster_of(thud_work *work, int k)
{
    return &impact_of(work)->clusters.items[find_root(impact_of(work)->parent.items, k)];
}

// The cluster of active row j.
static impact_cluster *cluster_of_row(thud_work *work, int j)
{
    return cluster_of(work, coordinate_of(work, impact_of(work)->active.items[j], 0));
}

static thud_status reserve(thud_work *work)
{
    const thud_allocator *allocator = &work->allocator;
    impact *im = impact_of(work);
    size_t dim = (size_t)work->dim, rows = (size_t)work->rows->count;
    THUD_TRY(thudi_law_reserve(work));
    THUD_TRY(thudi_work_fit_rows(work, &im->rows));
    THUD_TRY(thudi_array_reserve(allocator, &im->active, rows));
    THUD_TRY(thudi_array_reserve(allocator, &im->rate, rows));
    THUD_TRY(thudi_array_reserve(allocator, &im->speed, rows));
    THUD_TRY(thudi_array_reserve(allocator, &im->warm, rows));
    THUD_TRY(thudi_array_reserve(allocator, &im->next_row, rows));
    THUD_TRY(thudi_array_reserve(allocator, &im->next_coordinate, dim));
    THUD_TRY(thudi_array_reserve(allocator, &im->parent, dim));
    THUD_TRY(thudi_array_reserve(allocator, &im->clusters, dim));
    return thudi_array_reserve(allocator, &im->sum, dim);
}

// Does row i take part in an impact?
static bool is_active(const thud_state *state, const thud_work *work, int i)
{
    const thudi_row_head *row = head_of(work, i);
    double touch = thudi_row_rounding(state, work, i), least = (THUDI_ACTIVE - 1) * row->shift;
    if (touch < least)
        touch = least;
    return thudi_row_count(row) > 0 &&
           (work->report.answer.mu[i] > 0 || work->report.answer.lin[i] <= row->shift + touch);
}

// Join the clusters of the coordinates of row i.
static void join(thud_work *work, int i)
{
    int *parent = impact_of(work)->parent.items;
    int room[6], size = thudi_row_size(head_of(work, i));
    const int *index = thudi_row_index(work->rows, head_of(work, i), room);
    for (int entry = 1; entry < size; entry++)
    {
        int a = find_root(parent, index[0]), b = find_root(parent, index[entry]);
        parent[a > b ? a : b] = a > b ? b : a;
    }
}

// Find the rows that take part in an impact with e > 0, and write them to active and count.
static thud_status find_impact(const thud_inclusion *problem, const thud_state *state,
                               thud_work *work)
{
    impact *im = impact_of(work);
    THUD_TRY(reserve(work));
    for (int k = 0; k < problem->dim; k++)
    {
        im->parent.items[k] = k;
        im->clusters.items[k] = (impact_cluster){.first_row = -1, .first_coordinate = -1};
    }
    int count = 0;
    for (int i = 0; i < work->rows->count; i++)
        if (is_active(state, work, i))
        {
            im->active.items[count++] = i;
            join(work, i);
        }
    for (int j = 0; j < count; j++)
        if (restitution_of(work, im->active.items[j]) > 0)
            cluster_of_row(work, j)->bounces = true;
    im->count = 0;
    for (int j = 0; j < count; j++)
        if (cluster_of_row(work, j)->bounces)
            im->active.items[im->count++] = im->active.items[j];
    return THUD_OK;
}

// Write D_i, and the rows of the second projection. The rows at t_n are in work->probe. Both lists
// are sorted by key.
static thud_status read_rates(const thud_state *state, thud_work *work)
{
    impact *im = impact_of(work);
    const thud_rows *start = work->probe;
    thud_rows_clear(im->rows);
    for (int j = 0, p = 0; j < im->count; j++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(work->rows, im->active.items[j], &room);
        while (p < start->count && thud_key_before(start->heads.items[p].key, row.key))
            p++;
        if (p == start->count || !thud_key_same(start->heads.items[p].key, row.key))
        {
            thudi_work_fail_row(work, state, row.key,
                                "the problem did not push a row for it at the start of the step");
            return THUD_ERR_CALLBACK;
        }
        double change = row.gap - start->heads.items[p].gap;
        im->rate.items[j] = change / state->h;
        // added here because the projection subtracts it
        row.gap = change + row.shift * (IMPACT_TOLERANCE * work->report.shift_scale);
        THUD_TRY(thud_rows_push(im->rows, &row));
    }
    return THUD_OK;
}

// Use the impulses of the step before as the first guess. Multipliers and rows are sorted by key.
static void warm_start(const thud_state *state, thud_work *work)
{
    impact *im = impact_of(work);
    for (int j = 0, m = 0; j < im->count; j++)
    {
        thud_key key = head_of(work, im->active.items[j])->key;
        while (m < state->multiplier_count && thud_key_before(state->multipliers[m].key, key))
            m++;
        bool known = m < state->multiplier_count && thud_key_same(state->multipliers[m].key, key);
        im->warm.items[j] = known ? state->multipliers[m].impulse : 0;
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
        .rows = impact_of(work)->rows,
        .origin = state->q,
        .bricks = problem->bricks,
        .warm = impact_of(work)->warm.items,
        .accuracy = IMPACT_TOLERANCE * work->def.accuracy,
        .force = work->mean_force.items,
        .shift_scale = IMPACT_TOLERANCE * work->report.shift_scale,
    };
    char t[THUDI_TEXT_NUMBER_SIZE];
    thud_status status = thud_project(&projection, impact_of(work)->projector, answer);
    if (status < 0)
        thudi_work_fail(work, "step %lld (t = %s): the velocities after the impact: %s",
                        (long long)state->n + 1, thudi_text_number(t, thud_state_time(state)),
                        thud_status_text(status));
    work->report.impact = *answer;
    work->report.impact_rows = impact_of(work)->rows;
    work->report.impact_scale = projection.shift_scale;
    return status;
}

// List active row j in its cluster, write the row's r, and look for the cluster's maxima.
static void add_row(const thud_inclusion *problem, thud_work *work, int j)
{
    int i = impact_of(work)->active.items[j];
    thudi_entries row;
    thudi_row_open(work->rows, i, &row);
    impact_cluster *cluster = cluster_of_row(work, j);
    thudi_dd speed = {impact_of(work)->rate.items[j], 0};
    for (int entry = 0; entry < row.size; entry++)
        speed = thudi_dd_add_product(speed, row.slope[entry], work->w.items[row.index[entry]]);
    double r = impact_of(work)->speed.items[j] = thudi_dd_value(speed);
    impact_of(work)->next_row.items[j] = cluster->first_row;
    cluster->first_row = j;
    if (-r > cluster->approach)
        cluster->approach = -r;
    int width = thudi_row_width(row.head);
    for (int entry = 0; entry < row.size; entry += width) // one body each
    {
        double sum = 0;
        for (int k = entry; k < entry + width; k++)
        {
            double a =
                work->mean_force.items[row.index[k]] / thudi_mass(problem->mass, row.index[k]);
            sum += a * a;
        }
        if (sqrt(sum) > cluster->acceleration)
            cluster->acceleration = sqrt(sum);
    }
}

// Write G^T nu, each coordinate in the order of the rows, and list the coordinates of each cluster.
static void list_coordinates(const thud_inclusion *problem, thud_work *work, const double *nu)
{
    impact *im = impact_of(work);
    double *sum = im->sum.items;
    memset(sum, 0, (size_t)problem->dim * sizeof *sum);
    for (int j = 0; j < im->count; j++)
    {
        thudi_entries row;
        thudi_row_open(work->rows, im->active.items[j], &row);
        for (int entry = 0; entry < row.size; entry++)
            sum[row.index[entry]] += row.slope[entry] * nu[j];
    }
    for (int k = 0; k < problem->dim; k++)
    {
        impact_cluster *cluster = cluster_of(work, k);
        im->next_coordinate.items[k] = cluster->first_coordinate;
        cluster->first_coordinate = k;
    }
}

// The sums of a cluster.
enum
{
    WEIGHT,     // (r_i^-)^2 / A_ii
    WEIGHTED_E, // (r_i^-)^2 / A_ii e_i
    NU_R,       // nu . r
    NU_A_NU     // nu . A nu
};

// Add active row j to the sums of its cluster.
static void sum_row(const thud_inclusion *problem, const thud_work *work, int j, double nu,
                    thudi_exact_four *sums)
{
    int i = impact_of(work)->active.items[j];
    double r = impact_of(work)->speed.items[j], square = 0, weight = 0;
    thudi_entries row;
    thudi_row_open(work->rows, i, &row);
    for (int entry = 0; entry < row.size; entry++)
        square += row.slope[entry] * row.slope[entry] / thudi_mass(problem->mass, row.index[entry]);
    if (r < 0 && square > 0)
        weight = r * r / square;
    thudi_exact_four_add(sums, (four){weight, weight * restitution_of(work, i), nu * r, 0});
}

// Choose e, (1 + e) s, and whether the cluster moves by x + e (x - w).
static void choose_factor(const thud_inclusion *problem, thud_work *work, impact_cluster *cluster,
                          const double *nu, double h)
{
    const impact *im = impact_of(work);
    thudi_exact_four sums;
    double sum[4];
    thudi_exact_four_clear(&sums);
    for (int j = cluster->first_row; j >= 0; j = im->next_row.items[j])
        sum_row(problem, work, j, nu[j], &sums);
    for (int k = cluster->first_coordinate; k >= 0; k = im->next_coordinate.items[k])
    {
        double square = im->sum.items[k] * im->sum.items[k] / thudi_mass(problem->mass, k);
        thudi_exact_four_add(&sums, (four){0, 0, 0, square});
    }
    thudi_exact_four_values(&sums, sum);
    double s = sum[NU_A_NU] > 0 ? -sum[NU_R] / sum[NU_A_NU] : 0;
    cluster->e = sum[WEIGHT] > 0 ? sum[WEIGHTED_E] / sum[WEIGHT] : 0;
    cluster->factor = s > 0 ? (1 + cluster->e) * s : 0;
    cluster->extended = cluster->e > 0 && cluster->approach > FAST * h * cluster->acceleration;
}

// Write u_n+1, and the impulses. Clusters that do not bounce keep x and mu.
static void write_velocity(const thud_inclusion *problem, thud_work *work, const double *nu)
{
    const thud_answer *answer = &work->report.answer;
    double *impulse = work->impulse.items, *velocity = work->velocity.items;
    memcpy(impulse, answer->mu, (size_t)work->rows->count * sizeof *impulse);
    for (int j = 0; j < impact_of(work)->count; j++)
        impulse[impact_of(work)->active.items[j]] = cluster_of_row(work, j)->factor * nu[j];
    thudi_law_velocity(problem, work, impulse, velocity);
    for (int k = 0; k < problem->dim; k++)
        if (!cluster_of(work, k)->bounces)
            velocity[k] = answer->u[k];
}

// Write (q_n+1 - q_n) / h.
static void write_move(const thud_inclusion *problem, thud_work *work)
{
    const double *x = work->report.answer.u, *w = work->w.items;
    for (int k = 0; k < problem->dim; k++)
    {
        const impact_cluster *cluster = cluster_of(work, k);
        work->move.items[k] = cluster->extended ? x[k] + cluster->e * (x[k] - w[k]) : x[k];
    }
}

// Every cluster with a row whose gap would fall below its limit moves by x again. True if there was
// one: the other rows must then be checked again. Writes lin.
static bool undo_extensions(const thud_state *state, thud_work *work)
{
    bool found = false;
    for (int i = 0; i < work->rows->count; i++)
    {
        const thudi_row_head *row = head_of(work, i);
        double lin = work->report.answer.lin[i], least = lin < row->shift ? lin : row->shift;
        bool extended = false;
        for (int entry = 0; entry < thudi_row_size(row); entry++)
            extended = extended || cluster_of(work, coordinate_of(work, i, entry))->extended;
        work->lin.items[i] = extended ? thudi_law_lin(work, state->h, i, work->move.items) : lin;
        if (work->lin.items[i] >= least || !extended)
            continue;
        found = true;
        for (int entry = 0; entry < thudi_row_size(row); entry++)
            cluster_of(work, coordinate_of(work, i, entry))->extended = false;
    }
    return found;
}

// Squares of speeds above about 1e154 overflow. The step fails if the new velocity is not finite.
static thud_status check_finite(const thud_inclusion *problem, const thud_state *state,
                                thud_work *work)
{
    char t[THUDI_TEXT_NUMBER_SIZE];
    for (int k = 0; k < problem->dim; k++)
        if (!isfinite(work->velocity.items[k]))
        {
            thudi_work_fail(work, "step %lld (t = %s): velocity %d after the impact is not finite",
                            (long long)state->n + 1, thudi_text_number(t, thud_state_time(state)),
                            k);
            return THUD_ERR_NOT_FINITE;
        }
    return THUD_OK;
}

// Write the step after the impact into the report. The rows at t_n are in work->probe.
static thud_status solve_impact(const thud_inclusion *problem, const thud_state *state,
                                thud_work *work)
{
    thud_answer answer;
    THUD_TRY(read_rates(state, work));
    warm_start(state, work);
    THUD_TRY(project(problem, state, work, &answer));
    for (int j = 0; j < impact_of(work)->count; j++)
        add_row(problem, work, j);
    list_coordinates(problem, work, answer.mu);
    for (int k = 0; k < problem->dim; k++)
        if (impact_of(work)->clusters.items[k].bounces)
            choose_factor(problem, work, &impact_of(work)->clusters.items[k], answer.mu, state->h);
    write_velocity(problem, work, answer.mu);
    THUD_TRY(check_finite(problem, state, work));
    do
        write_move(problem, work);
    while (undo_extensions(state, work));
    work->report.velocity = work->velocity.items;
    work->report.move = work->move.items;
    work->report.impulse = work->impulse.items;
    work->report.lin = work->lin.items;
    return THUD_OK;
}

// Call the gaps again for the rows at t_n, if any row bounces.
static thud_status solve(const thudi_stage *stage, bool *moves)
{
    thud_work *work = stage->work;
    thud_moment moment = thudi_moment_of(stage->state, work, THUD_LOOK_BACK);
    THUD_TRY(find_impact(stage->problem, stage->state, work));
    *moves = impact_of(work)->count > 0;
    if (!*moves)
        return THUD_OK;
    moment.t = thud_state_time(stage->state);
    moment.known = work->rows;
    THUD_TRY(thudi_call_gaps(stage->problem, stage->state, &moment, work->probe, work));
    return solve_impact(stage->problem, stage->state, work);
}

static void destroy(thud_work *work, void *memory)
{
    const thud_allocator *allocator = &work->allocator;
    impact *im = memory;
    thudi_array_free(allocator, &im->active);
    thudi_array_free(allocator, &im->rate);
    thudi_array_free(allocator, &im->speed);
    thudi_array_free(allocator, &im->warm);
    thudi_array_free(allocator, &im->next_row);
    thudi_array_free(allocator, &im->next_coordinate);
    thudi_array_free(allocator, &im->parent);
    thudi_array_free(allocator, &im->clusters);
    thudi_array_free(allocator, &im->sum);
    thud_rows_destroy(im->rows);
    thud_projector_destroy(im->projector);
    thudi_free(allocator, im, sizeof *im);
}

static thud_status create(thud_work *work, void **memory)
{
    impact *im = *memory = thudi_allocate_zeroed(&work->allocator, sizeof *im);
    return im ? thudi_work_add_projector(work, work->def.projector.method, &im->projector)
              : THUD_ERR_MEMORY;
}

// Keep mu in addition to the impulse: the next step's first projection starts from it.
static void keep(const thudi_stage *stage, int i, double *kept)
{
    kept[0] = stage->work->report.answer.mu[i];
}

static double guess(const thud_multiplier *kept)
{
    return kept->memory;
}

static const thud_law_number numbers[] = {
    {.key = "restitution",
     .unit = "",
     .low = 0,
     .high = 1,
     .help = "speed after an impact as a part of that before it, 0 to 1",
     .hint = "use 1 for a perfect bounce, 0 for none"},
};

const thudi_law thudi_law_restitution = {
    .info =
        {
            .law = THUD_LAW_RESTITUTION,
            .name = "restitution",
            .help = "bodies bounce",
            .contacts = "contacts bounce",
            .reading = "u' in feasible, complementarity and motion is the velocity\n"
                       "    of the displacement",
            .numbers = numbers,
            .number_count = 1,
            .kept = 1,
            .traits = THUD_TRAIT_ORDER_2 | THUD_TRAIT_CONVEX | THUD_TRAIT_UNIQUE_KEYS |
                      THUD_TRAIT_LOOK_BACK | THUD_TRAIT_MOVE_APART | THUD_TRAIT_IMPACTS,
            .row_margin = 2,
            .row_bytes = 400, // the rows of the second projection
            .unable = "curved containers, and meshes that move",
        },
    .create = create,
    .destroy = destroy,
    .solve = solve,
    .keep = keep,
    .guess = guess,
};
