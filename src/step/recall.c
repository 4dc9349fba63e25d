// Multipliers by key: the first guess of a projection, from the step before or from the projection
// before rows were added, and what is kept for the next step.
#include "step/law.h"

#include "project/projector.h"

#include <string.h>

// Make room for a guess of every row, and of those that may join while they are projected.
static thud_status reserve_guess(thud_work *work)
{
    size_t count = (size_t)work->rows->count;
    return thudi_array_reserve(&work->allocator, &work->warm, count + THUDI_LATE_ROWS(count));
}

thud_status thudi_recall_state(const thud_state *state, thud_work *work)
{
    const thudi_law *law = work->law;
    const thudi_row_head *heads = work->rows->heads.items;
    int count = work->rows->count;
    THUD_TRY(reserve_guess(work));
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
            warm[i++] = law->guess ? law->guess(kept) : kept->impulse;
        has_memory |= kept->memory != 0;
    }
    work->has_memory = has_memory && law->info.kept == 0;
    return THUD_OK;
}

// Of rows that share a key those come first that have a guess: which is which cannot be told.
static void order_equal_keys(const thud_rows *rows, double *warm)
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
    int count = work->rows->count, known = count - added, open = thud_rooms_count(&work->rooms);
    int *from;
    THUD_TRY(reserve_guess(work));
    THUD_TRY(thudi_room(&work->rooms, &from, (size_t)count, "numbers of rows before"));
    double *warm = work->warm.items;
    thudi_rows_sort_from(work->rows, from);
    for (int k = 0; k < count; k++)
        warm[k] = from[k] < known && mu[from[k]] > 0 ? mu[from[k]] : 0;
    order_equal_keys(work->rows, warm);
    thud_rooms_close(&work->rooms, open);
    return THUD_OK;
}

thud_status thudi_keep_reserve(thud_state *state, thud_work *work)
{
    int width = work->law->info.kept > 1 ? work->law->info.kept - 1 : 0;
    int rows = work->rows->count, pushing = 0;
    if (work->has_memory)
        THUD_TRY(thudi_array_reserve(&work->allocator, &work->recall, (size_t)rows));
    if (state->more_width != width)
        THUD_TRY(thud_state_widen(state, width));
    if (work->law->info.kept > 0 || work->has_memory)
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

// Rows with an impulse, or with a number that the law keeps.
static void keep_by_law(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    const thudi_law *law = work->law;
    thudi_stage stage = {problem, state, work};
    int count = 0, width = state->more_width;
    for (int i = 0; i < work->rows->count; i++)
    {
        double kept[THUD_KEPT_MAX] = {0};
        law->keep(&stage, i, kept);
        double impulse = work->report.impulse[i];
        bool counts = impulse != 0;
        for (int k = 0; k < law->info.kept; k++)
            counts = counts || kept[k] != 0;
        if (!counts)
            continue;
        state->multipliers[count] =
            (thud_multiplier){work->rows->heads.items[i].key, impulse, kept[0]};
        if (width > 0)
            memcpy(state->more + (size_t)count * (size_t)width, kept + 1,
                   (size_t)width * sizeof *kept);
        count++;
    }
    state->multiplier_count = count;
}

void thudi_keep(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    if (work->law->info.kept > 0)
        keep_by_law(problem, state, work);
    else if (work->has_memory)
        keep_memory(state, work);
    else
        keep_inelastic(state, work);
}
