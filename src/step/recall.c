// Multipliers by key: the first guess of a projection, from the step before or from the projection
// before rows were added, and what is kept for the next step.
#include "step/work.h"

#include <string.h>

// What the law keeps of the multipliers of the projection: where glue starts from is part of it.
static double guess_of(thud_law law, const thud_multiplier *kept)
{
    return law == THUD_LAW_RESTITUTION ? kept->memory
           : law == THUD_LAW_GLUE      ? -kept->memory
                                       : kept->impulse;
}

thud_status thudi_recall_state(const thud_inclusion *problem, const thud_state *state,
                               thud_work *work)
{
    const thudi_row_head *heads = work->rows->heads.items;
    int count = work->rows->count;
    THUD_TRY(thudi_array_reserve(&work->allocator, &work->warm, (size_t)count));
    double *warm = work->warm.items;
    bool has_memory = false;
    if (count > 0)
        memset(warm, 0, (size_t)count * sizeof *warm);
    // both are sorted by key
    for (int i = 0, j = 0; j < state->multiplier_count; j++)
    {
        const thud_multiplier *kept = &state->multipliers[j];
        while (i < count && thud_key_before(heads[i].key, kept->key))
            i++;
        if (i < count && thud_key_same(heads[i].key, kept->key))
            warm[i++] = guess_of(problem->law, kept);
        has_memory |= kept->memory != 0;
    }
    work->has_memory = has_memory && problem->law == THUD_LAW_INELASTIC;
    return THUD_OK;
}

// Of rows that share a key those come first that have a guess: which is which cannot be told.
static void order_twins(const thud_rows *rows, double *warm)
{
    const thudi_row_head *heads = rows->heads.items;
    for (int i = 1; i < rows->count; i++)
        for (int k = i; k > 0 && thud_key_same(heads[k - 1].key, heads[k].key) && warm[k] > 0 &&
                        warm[k - 1] == 0;
             k--)
        {
            warm[k - 1] = warm[k];
            warm[k] = 0;
        }
}

thud_status thudi_recall_answer(thud_work *work, int added)
{
    const double *mu = work->report.answer.mu;
    int known = work->rows->count - added;
    THUD_TRY(thudi_array_reserve(&work->allocator, &work->warm, (size_t)work->rows->count));
    double *warm = work->warm.items;
    for (int i = 0; i < known; i++)
        warm[i] = mu[i] > 0 ? mu[i] : 0;
    for (int i = known; i < work->rows->count; i++)
        warm[i] = 0;
    thudi_rows_sort_with(work->rows, warm);
    order_twins(work->rows, warm);
    return THUD_OK;
}

thud_status thudi_keep_reserve(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    int rows = work->rows->count, pushing = 0;
    if (work->has_memory)
        THUD_TRY(thudi_array_reserve(&work->allocator, &work->recall, (size_t)rows));
    if (problem->law != THUD_LAW_INELASTIC || work->has_memory)
        return thud_state_reserve(state, rows);
    for (int i = 0; i < rows; i++)
        pushing += work->report.impulse[i] != 0;
    return thud_state_reserve(state,
                              pushing < rows ? pushing + 1 : rows); // keep_inelastic tries one more
}

// The memory a row had before the step, by key; 0 for a new row.
static double memory_of(const thud_state *state, thud_key key, int *from)
{
    while (*from < state->multiplier_count && thud_key_before(state->multipliers[*from].key, key))
        ++*from;
    bool known =
        *from < state->multiplier_count && thud_key_same(state->multipliers[*from].key, key);
    return known ? state->multipliers[(*from)++].memory : 0;
}

static void keep_inelastic(thud_state *state, const thud_work *work)
{
    const thudi_row_head *heads = work->rows->heads.items;
    const double *impulse = work->report.impulse;
    thud_multiplier *next = state->multipliers;
    int count = 0, rows = work->rows->count;
    for (int i = 0; i < rows; i++)
    {
        double own = impulse[i];
        next[count] = (thud_multiplier){.key = heads[i].key, .impulse = own};
        count += own != 0;
    }
    state->multiplier_count = count;
}

// Inelastic contacts have no memory: they leave what there is.
static void keep_memory(thud_state *state, thud_work *work)
{
    thud_multiplier *next = work->recall.items;
    int count = 0, from = 0;
    for (int i = 0; i < work->rows->count; i++)
    {
        thud_key key = work->rows->heads.items[i].key;
        double own = work->report.impulse[i], memory = memory_of(state, key, &from);
        next[count] = (thud_multiplier){.key = key, .impulse = own, .memory = memory};
        count += own != 0 || memory != 0;
    }
    state->multiplier_count = count;
    if (count > 0)
        memcpy(state->multipliers, next, (size_t)count * sizeof *next);
}

void thudi_keep(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    int count = 0;
    if (problem->law == THUD_LAW_INELASTIC)
    {
        if (work->has_memory)
            keep_memory(state, work);
        else
            keep_inelastic(state, work);
        return;
    }
    for (int i = 0; i < work->rows->count; i++)
    {
        thud_multiplier next = thudi_law_keep(problem, work, i);
        state->multipliers[count] = next;
        count += next.impulse != 0 || next.memory != 0;
    }
    state->multiplier_count = count;
}
