// Rows of pairs pushed many at once: checked and written in their places by all threads.
#include "rows/rows_pairs.h"

#include "core/threads.h"

#include <limits.h>

static inline thud_status check_pair(const thud_rows *rows, int width, bool two,
                                     const thud_pair_row *row)
{
    int last = rows->dim - width;
    if (row->b < 0 || row->b > last || row->a < -1 || row->a > last || (row->a >= 0) != two)
        return THUD_ERR_ARGUMENT;
    if (two && row->b - row->a < width && row->a - row->b < width)
        return THUD_ERR_ARGUMENT;
    double sum = row->gap * 0 + row->shift * 0; // NaN for all that is not finite
    for (int k = 0; k < width; k++)
        sum += row->normal[k] * 0;
    if (!(sum == 0))
        return THUD_ERR_NOT_FINITE;
    return row->shift >= 0 && thudi_rows_numbers_fit(row->law, row->numbers) ? THUD_OK
                                                                             : THUD_ERR_ARGUMENT;
}

thud_status thudi_rows_open(thud_rows *rows, int width, int blocks, int count, thudi_rows_run *run)
{
    size_t size = (size_t)count * (size_t)blocks, block = rows->blocks_used;
    if (count >= INT_MAX - rows->count || size > UINT32_MAX - block)
        return THUD_ERR_LIMIT;
    *run = (thudi_rows_run){.width = width, .blocks = blocks, .entry = rows->entries};
    if (count == 0) // there may be no memory yet to point into
        return THUD_OK;
    THUD_TRY(
        thudi_array_reserve(&rows->allocator, &rows->heads, (size_t)rows->count + (size_t)count));
    THUD_TRY(
        thudi_array_reserve(&rows->allocator, &rows->slope, rows->entries + size * (size_t)width));
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->blocks, block + size));
    *run = (thudi_rows_run){
        .width = width,
        .blocks = blocks,
        .entry = rows->entries,
        .block = (uint32_t)block,
        .heads = rows->heads.items + rows->count,
        .slope = rows->slope.items + rows->entries,
        .starts = rows->blocks.items + block,
    };
    return THUD_OK;
}

thud_status thudi_rows_take(thud_rows *rows, const thudi_rows_run *run, int count, bool falls)
{
    if (count == 0)
        return THUD_OK;
    falls = falls || (rows->count > 0 && thud_key_before(run->heads[0].key, rows->last_key));
    if (!falls && rows->ordered == rows->count)
        rows->ordered += count;
    else
        THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->sorted,
                                     (size_t)(rows->count - rows->ordered) + (size_t)count));
    rows->last_key = run->heads[count - 1].key;
    rows->count += count;
    rows->blocks_used += (size_t)count * (size_t)run->blocks;
    rows->entries += (size_t)count * (size_t)run->blocks * (size_t)run->width;
    return THUD_OK;
}

// Write all behind the rows there are; *bad is the first bad one.
static thud_status append_pairs(thud_rows *rows, int width, const thud_pair_row *pairs, int count,
                                int *bad)
{
    bool two = pairs[0].a >= 0, falls = false, inelastic = true;
    int first_bad = count;
    thudi_rows_run run;
    *bad = 0;
    THUD_TRY(thudi_rows_open(rows, width, two ? 2 : 1, count, &run));
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) reduction(min               \
                                                                                 : first_bad)      \
    reduction(||                                                                                   \
              : falls) reduction(&&                                                                \
                                 : inelastic) if (count >= THUDI_ROWS_THREADS_FROM)
    for (int i = 0; i < count; i++)
    {
        falls = falls || (i > 0 && thud_key_before(pairs[i].key, pairs[i - 1].key));
        inelastic = inelastic && !pairs[i].numbers;
        if (check_pair(rows, width, two, &pairs[i]) < 0)
            first_bad = i < first_bad ? i : first_bad;
        else
            thudi_rows_write(&run, width, run.blocks, (size_t)i, &pairs[i]);
    }
    *bad = first_bad < count ? first_bad : 0;
    if (first_bad < count)
        return check_pair(rows, width, two, &pairs[first_bad]);
    for (int i = 0; i < count && !inelastic; i++)
        THUD_TRY(thudi_rows_find_law(rows, pairs[i].law, pairs[i].numbers, &run.heads[i].law));
    return thudi_rows_take(rows, &run, count, falls);
}

thud_status thud_rows_push_pairs(thud_rows *rows, int width, const thud_pair_row *pairs, int count)
{
    int bad = 0;
    if (count == 0)
        return THUD_OK;
    if (count < 0 || !pairs || (width != 2 && width != 3))
        return thudi_rows_remember(rows, THUD_ERR_ARGUMENT, thud_key_number(0));
    thud_status status = append_pairs(rows, width, pairs, count, &bad);
    return thudi_rows_remember(rows, status, pairs[bad].key);
}
