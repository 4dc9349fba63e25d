// Contacts with glue (Lefebvre 2009). Every row remembers gamma <= 0, what has pressed it together:
//
//     u_n+1   = P_K(w + M^-1 G^T gamma_n), multipliers nu >= 0, the solver started at nu = -gamma_n
//     lambda  = (nu + gamma_n) / h                                    of any sign
//     gamma'  = max(gamma_min, -nu)                                   nu = 0 is release
//
// In words: multipliers bounded below by gamma_n in place of 0.
#include "step/work.h"

#include <math.h>
#include <string.h>

// How much finer than the accuracy of forces the memory is to be known.
static const double FINER = 1e-3;

static thud_status make_room(thud_work *work)
{
    const thud_allocator *allocator = &work->allocator;
    THUD_TRY(thudi_law_fit(work));
    THUD_TRY(thudi_array_reserve(allocator, &work->memory, (size_t)work->rows->count));
    THUD_TRY(thudi_array_reserve(allocator, &work->target, (size_t)work->dim));
    return thudi_array_reserve(allocator, &work->pull, (size_t)work->dim);
}

// gamma of every row, by key. A row that is held must be there.
static thud_status read_memory(const thud_state *state, thud_work *work)
{
    const thudi_row_head *heads = work->rows->heads.items;
    int i = 0;
    for (int k = 0; k < work->rows->count; k++)
        work->memory.items[k] = 0;
    for (int m = 0; m < state->multiplier_count; m++)
    {
        const thud_multiplier *kept = &state->multipliers[m];
        while (i < work->rows->count && thud_key_before(heads[i].key, kept->key))
            i++;
        bool known = i < work->rows->count && thud_key_same(heads[i].key, kept->key);
        const char *fault = !(kept->memory <= 0) ? "the memory of its glue must be at most 0"
                            : kept->memory < 0 && !known
                                ? "it is held by glue, but the problem did not push a row for it"
                                : NULL;
        if (fault)
        {
            thudi_work_say_row(work, state, kept->key, fault);
            return THUD_ERR_ARGUMENT;
        }
        if (known)
            work->memory.items[i] = kept->memory;
    }
    return THUD_OK;
}

static double mass_of(const thud_inclusion *problem, int k)
{
    return problem->mass ? problem->mass[k] : 1;
}

// |v_t|^2 / d of two bodies that turn about each other, 0 for all other rows.
static double centrifugal(const thud_rows *rows, const thudi_row_head *row, const thud_state *state)
{
    const int *block = rows->blocks.items + row->block_first;
    const double *normal = rows->slope.items + row->first + row->width;
    double distance = 0, along = 0, speed = 0;
    if (row->width < 2 || row->count != 2)
        return 0;
    for (int k = 0; k < row->width; k++)
    {
        double way = state->q[block[1] + k] - state->q[block[0] + k];
        double v = state->u[block[1] + k] - state->u[block[0] + k];
        distance += way * way;
        along += normal[k] * v;
        speed += v * v;
    }
    double across = speed - along * along;
    return across > 0 && distance > 0 ? across / sqrt(distance) : 0;
}

// What the memory of a row changes by if it is to be kept to a small part of itself.
static double memory_pull(const thud_inclusion *problem, const thud_state *state,
                          const thud_work *work, int i)
{
    const thudi_row_head *row = &work->rows->heads.items[i];
    double square = 0, speed = 0;
    for (int e = 0; e < row->size; e++)
    {
        int k = thudi_row_coordinate(work->rows, row, e);
        double slope = work->rows->slope.items[row->first + (size_t)e];
        square += slope * slope / mass_of(problem, k);
        speed += slope * work->w.items[k];
    }
    double held = -work->memory.items[i] * square, met = fabs(speed);
    return FINER * (held > met ? held : met) / state->h;
}

// The solver stops at a part of h^2 |f| / m: make that no less than what glue needs.
static void choose_pull(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    const thud_rows *rows = work->rows;
    double *pull = work->pull.items;
    memcpy(pull, work->mean_force.items, (size_t)work->dim * sizeof *pull);
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        if (row->size == 0 || thudi_row_law_of(rows, row).glue == 0)
            continue;
        double turn = centrifugal(rows, row, state);
        double fine = memory_pull(problem, state, work, i);
        int first = thudi_row_coordinate(rows, row, 0);
        double wanted = mass_of(problem, first) * (turn > fine ? turn : fine);
        if (fabs(pull[first]) < wanted)
            pull[first] = wanted;
    }
}

thud_status thudi_glue_begin(const thud_inclusion *problem, const thud_state *state,
                             thud_work *work)
{
    THUD_TRY(make_room(work));
    THUD_TRY(read_memory(state, work));
    thudi_law_velocity(problem, work, work->memory.items, work->target.items);
    choose_pull(problem, state, work);
    return THUD_OK;
}

void thudi_glue_spread(const thud_projection *projection, thud_work *work)
{
    thud_projection finer = *projection;
    thud_answer answer, *exact = &work->report.answer;
    for (int i = 0; i < work->rows->count; i++)
        if (!(work->rows->heads.items[i].shift * projection->shift_scale > 0))
            return; // no room for a method that only comes near
    finer.accuracy *= FINER;
    if (thud_project(&finer, work->spreader, &answer) < 0)
        return;
    answer.unique = false;
    answer.is_tight = exact->is_tight;
    answer.tight = exact->tight;
    answer.relieved = exact->relieved;
    *exact = answer;
}

void thudi_glue_end(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    thud_report *report = &work->report;
    double *impulse = work->impulse.items;
    for (int i = 0; i < work->rows->count; i++)
        impulse[i] = report->answer.mu[i] + work->memory.items[i];
    thudi_law_velocity(problem, work, impulse, work->velocity.items);
    for (int i = 0; i < work->rows->count; i++)
        work->lin.items[i] = thudi_law_lin(work, state->h, i, work->velocity.items);
    report->velocity = report->move = work->velocity.items;
    report->impulse = impulse;
    report->lin = work->lin.items;
}
