// A law for a test: inelastic contacts that count. It keeps three numbers of a row for as long as
// the contact lasts, that is while its impulse mu is above 0 in every step:
//
//     sum'     = sum + toy mu         toy of the materials
//     steps'   = steps + 1
//     largest' = max(largest, mu)     if mu is at least toy_least, which is of the materials too
//
// Where mu is 0 all three are 0.
#include "laws/laws.h"

#include <math.h>
#include <string.h>

enum
{
    KEPT = 3
};

typedef struct toy
{
    THUDI_ARRAY(double) before; // by row: the numbers at the start of the step
} toy;

static toy *toy_of(const thud_work *work)
{
    return work->law_memory;
}

static void copy_row(const thud_state *state, int m, double *numbers)
{
    size_t width = (size_t)state->more_width;
    numbers[0] = state->multipliers[m].memory;
    for (size_t k = 1; k < KEPT; k++)
        numbers[k] = k <= width ? state->more[(size_t)m * width + k - 1] : 0;
}

// The numbers of every row, by key: `keep` overwrites those of the state.
static thud_status begin(const thudi_stage *stage, thud_projection *projection)
{
    const thud_state *state = stage->state;
    const thud_rows *rows = stage->work->rows;
    size_t count = (size_t)rows->count * KEPT;
    (void)projection;
    THUD_TRY(
        thudi_array_reserve(&stage->work->allocator, &toy_of(stage->work)->before, count + KEPT));
    double *before = toy_of(stage->work)->before.items;
    memset(before, 0, (count + KEPT) * sizeof *before); // one row more than there are
    for (int i = 0, m = 0; i < rows->count; i++)
    {
        thud_key key = rows->heads.items[i].key;
        while (m < state->multiplier_count && thud_key_before(state->multipliers[m].key, key))
            m++;
        if (m < state->multiplier_count && thud_key_same(state->multipliers[m].key, key))
            copy_row(state, m, before + (size_t)i * KEPT);
    }
    return THUD_OK;
}

static void keep(const thudi_stage *stage, int i, double *kept)
{
    const thud_rows *rows = stage->work->rows;
    const double *numbers = thudi_row_numbers(rows, &rows->heads.items[i]);
    const double *before = toy_of(stage->work)->before.items + (size_t)i * KEPT;
    double mu = stage->work->report.impulse[i];
    if (!numbers || !(mu > 0))
        return;
    kept[0] = before[0] + numbers[0] * mu;
    kept[1] = before[1] + 1;
    kept[2] = mu >= numbers[1] ? fmax(before[2], mu) : before[2];
}

static thud_status create(thud_work *work, void **memory)
{
    *memory = thudi_allocate_zeroed(&work->allocator, sizeof(toy));
    return *memory ? THUD_OK : THUD_ERR_MEMORY;
}

static void destroy(thud_work *work, void *memory)
{
    toy *own = memory;
    thudi_array_free(&work->allocator, &own->before);
    thudi_free(&work->allocator, own, sizeof *own);
}

static const thud_law_number numbers[] = {
    {.key = "toy",
     .unit = "",
     .low = 0,
     .high = 4,
     .help = "weight of an impulse in the sum that a contact keeps, 0 to 4",
     .hint = "use 1 to count impulses as they are"},
    {.key = "toy_least",
     .unit = "mass·length/time",
     .low = 0,
     .high = INFINITY,
     .help = "least impulse that may be the largest one that a contact keeps",
     .hint = ""},
};

const thudi_law thudi_law_toy = {
    .info =
        {
            .law = THUD_LAW_TOY,
            .name = "toy",
            .help = "bodies that meet do not rebound, and contacts count their impulses",
            .contacts = "contacts count their impulses",
            .reading = "sign includes the numbers that contacts count",
            .numbers = numbers,
            .number_count = 2,
            .kept = KEPT,
            .traits = THUD_TRAIT_UNIQUE_KEYS,
            .row_bytes = 8 * KEPT,
            .unable = "",
        },
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .keep = keep,
};
