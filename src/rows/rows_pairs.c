// Pair rows in bulk: a run of rows behind those of a list, checked and written in their places by
// all threads.
#include "rows/rows.h"

#include "core/threads.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

enum
{
    SOME = 256 // rows that one thread writes at once
};

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

// The first row that is refused counts, whichever thread finds it. Its place says what is wrong.
static void refuse(thud_pair_run *run, int row, thud_status status, thud_key key)
{
    int bad = __atomic_load_n(&run->bad, __ATOMIC_RELAXED);
    run->rows->heads.items[run->first + row] =
        (thudi_row_head){.key = key, .apart = {.count = (int)status}};
    while (row < bad && !__atomic_compare_exchange_n(&run->bad, &bad, row, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED))
        continue; // bad is what is there now
}

// Two numbers, or four whole ones, side by side.
typedef double doublet __attribute__((vector_size(16)));
typedef double doublet_anywhere __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t doublet_flags __attribute__((vector_size(16)));
typedef uint32_t quartet __attribute__((vector_size(16)));

static inline doublet doublet_load(const double *from)
{
    return *(const doublet_anywhere *)from;
}

static inline doublet doublet_where(doublet_flags flags, doublet a, doublet b)
{
    return (doublet)((flags & (doublet_flags)a) | (~flags & (doublet_flags)b));
}

static inline quartet quartet_where(quartet flags, quartet a, quartet b)
{
    return (flags & a) | (~flags & b);
}

// What may be wrong with some rows, gathered without branches and tested once for all of them.
typedef struct doubts
{
    doublet sum, low;   // 0, or NaN when a number is not finite; the lowest gap and shift, and 0
    quartet high, deep; // the highest a and b, and the lowest
    unsigned apart;     // the lowest b - a + width - 1: below 2 width - 1 when blocks meet
    uintptr_t numbers;  // of a law: 0 if no row has any
} doubts;

static inline void look_at(doubts *d, int width, const thud_pair_row *row)
{
    const doublet values = doublet_load(&row->gap);
    quartet blocks; // a, b, and two halves of a number
    static_assert(offsetof(thud_pair_row, shift) == offsetof(thud_pair_row, gap) + sizeof(double),
                  "two numbers are loaded at once");
    static_assert(offsetof(thud_pair_row, normal) == offsetof(thud_pair_row, a) + 2 * sizeof(int),
                  "two coordinates are loaded with a number behind them");
    memcpy(&blocks, (const char *)row + offsetof(thud_pair_row, a), sizeof blocks);
    d->sum += values * 0; // exact: no fma is needed
    d->sum += doublet_load(row->normal) * 0;
    if (width == 3)
        d->sum += (doublet){row->normal[2], 0} * 0;
    d->low = doublet_where(values < d->low, values, d->low);
    d->high = quartet_where((quartet)(blocks > d->high), blocks, d->high);
    d->deep = quartet_where((quartet)(blocks < d->deep), blocks, d->deep);
    unsigned apart = (unsigned)row->b - (unsigned)row->a + (unsigned)width - 1;
    d->apart = apart < d->apart ? apart : d->apart;
    d->numbers |= (uintptr_t)row->numbers;
}

static bool are_fine(const doubts *d, int width, int blocks, unsigned last)
{
    double sum[2], low[2];
    unsigned high[4], deep[4];
    memcpy(sum, &d->sum, sizeof sum);
    memcpy(low, &d->low, sizeof low);
    memcpy(high, &d->high, sizeof high);
    memcpy(deep, &d->deep, sizeof deep);
    bool first = blocks == 2 ? high[0] <= last && d->apart > 2 * (unsigned)width - 2
                             : deep[0] == UINT_MAX; // -1
    return sum[0] + sum[1] == 0 && low[1] >= 0 && first && high[1] <= last && d->numbers == 0;
}

// A row of a run: convex, -normal on block a (none if blocks is 1), +normal on block b. It is much
// faster when the compiler knows width and blocks.
static inline void write_row(thudi_row_head *head, int width, int blocks, const thud_pair_row *row)
{
    head->key = row->key;
    head->gap = row->gap;
    head->shift = row->shift;
    *(doublet_anywhere *)head->normal = doublet_load(row->normal);
    head->normal[2] = width == 3 ? row->normal[2] : 0;
    head->a = (unsigned)(blocks == 2 ? row->a : row->b);
    head->b = (unsigned)row->b;
    head->form = (unsigned)width;
}

// False if rows must be tested one by one: something is wrong, or one has numbers of a law.
static inline bool write_rows(const thud_pair_run *run, int width, int blocks, int first,
                              const thud_pair_row *pairs, int count)
{
    thudi_row_head *heads = run->rows->heads.items + run->first + first;
    int last = run->rows->dim - width; // the largest coordinate that a block may begin with
    doubts d = {.deep = {UINT_MAX, UINT_MAX, UINT_MAX, UINT_MAX}, .apart = UINT_MAX};
    for (int i = 0; i < count; i++)
    {
        write_row(&heads[i], width, blocks, &pairs[i]);
        look_at(&d, width, &pairs[i]);
    }
    return last >= 0 && are_fine(&d, width, blocks, (unsigned)last);
}

static bool write_some(const thud_pair_run *run, int first, const thud_pair_row *pairs, int count)
{
    if (run->blocks == 2)
        return run->width == 3 ? write_rows(run, 3, 2, first, pairs, count)
                               : write_rows(run, 2, 2, first, pairs, count);
    return run->width == 3 ? write_rows(run, 3, 1, first, pairs, count)
                           : write_rows(run, 2, 1, first, pairs, count);
}

// Rows that are wrong, each apart: the status of the first.
static thud_status refuse_some(thud_pair_run *run, int first, const thud_pair_row *pairs, int count,
                               bool has_numbers)
{
    thud_status wrong = THUD_OK;
    for (int i = 0; i < count; i++)
    {
        thud_status status = check_pair(run->rows, run->width, run->blocks == 2, &pairs[i]);
        if (status >= 0 && !has_numbers && pairs[i].numbers)
            status = THUD_ERR_ARGUMENT;
        if (status < 0)
            refuse(run, first + i, status, pairs[i].key);
        wrong = wrong < 0 ? wrong : status;
    }
    return wrong;
}

thud_status thud_pair_run_write(thud_pair_run *run, int first, const thud_pair_row *pairs,
                                int count)
{
    if (first < 0 || count < 0 || first > run->count || count > run->count - first)
        return THUD_ERR_ARGUMENT;
    if (write_some(run, first, pairs, count))
        return THUD_OK;
    return refuse_some(run, first, pairs, count, false);
}

static thud_status set_law(thud_rows *rows, thudi_row_head *head, thud_law law,
                           const double *numbers)
{
    int found;
    if (!thudi_rows_numbers_fit(law, numbers))
        return THUD_ERR_ARGUMENT;
    THUD_TRY(thudi_rows_find_law(rows, law, numbers, &found));
    if (found > 0 && thudi_row_is_whole(head))
        return thudi_rows_set_apart(rows, head, THUD_CONVEX, found);
    if (!thudi_row_is_whole(head))
        head->apart.law = found;
    return THUD_OK;
}

thud_status thud_pair_run_law(thud_pair_run *run, int row, thud_law law, const double *numbers)
{
    thud_rows *rows = run->rows;
    if (run->bad < run->count)
        return THUD_OK; // the end of the run says what is wrong
    if (row < 0 || row >= run->count)
        return THUD_ERR_ARGUMENT;
    thudi_row_head *head = &rows->heads.items[run->first + row];
    return thudi_rows_remember(rows, set_law(rows, head, law, numbers), head->key);
}

static thud_status begin(thud_rows *rows, int width, int blocks, int count, thud_pair_run *run)
{
    *run = (thud_pair_run){rows, rows->count, count, width, blocks, count};
    if (count >= INT_MAX - rows->count)
        return THUD_ERR_LIMIT;
    if (count == 0) // there may be no memory yet to point into
        return THUD_OK;
    return thudi_array_reserve(&rows->allocator, &rows->heads, (size_t)rows->count + (size_t)count);
}

thud_status thud_rows_begin_pairs(thud_rows *rows, int width, int blocks, int count,
                                  thud_pair_run *run)
{
    bool fits = (width == 2 || width == 3) && (blocks == 1 || blocks == 2) && count >= 0;
    thud_status status = fits ? begin(rows, width, blocks, count, run) : THUD_ERR_ARGUMENT;
    if (status < 0)
        thud_rows_fail(rows, status);
    return status;
}

// Does a key come before that of the row before it?
static bool keys_fall(const thud_rows *rows, int first, int end)
{
    const thudi_row_head *heads = rows->heads.items;
    int falls = 0;
    for (int i = first > 0 ? first : 1; i < end; i++)
        falls |= thud_key_before(heads[i].key, heads[i - 1].key);
    return falls;
}

// The sort needs room for rows that are not in the order of their keys.
static thud_status take(thud_rows *rows, const thud_pair_run *run, int count)
{
    if (count == 0)
        return THUD_OK;
    int end = rows->count + count;
    if (rows->ordered == rows->count && !keys_fall(rows, rows->count, end))
        rows->ordered += count;
    else
        THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->sorted,
                                     (size_t)(rows->count - rows->ordered) + (size_t)count));
    rows->last_key = rows->heads.items[end - 1].key;
    rows->count = end;
    rows->entries += (size_t)count * (size_t)run->blocks * (size_t)run->width;
    return THUD_OK;
}

thud_status thud_rows_end_pairs(thud_pair_run *run, int count)
{
    thud_rows *rows = run->rows;
    assert(run->first == rows->count && "rows were added while a run was open");
    assert(count >= 0 && count <= run->count && "a run ends with more rows than it had room for");
    if (run->bad < count)
    {
        const thudi_row_head *bad = &rows->heads.items[run->first + run->bad];
        return thudi_rows_remember(rows, (thud_status)bad->apart.count, bad->key);
    }
    thud_key key = count > 0 ? rows->heads.items[run->first].key : thud_key_number(0);
    return thudi_rows_remember(rows, take(rows, run, count), key);
}

static void write_part(thud_pair_run *run, const thud_pair_row *pairs, int first)
{
    int count = run->count - first < SOME ? run->count - first : SOME;
    if (!write_some(run, first, pairs + first, count))
        (void)refuse_some(run, first, pairs + first, count, true);
}

// A parallel region costs as much as some tens of rows, even if it has one thread.
static void write_all(thud_pair_run *run, const thud_pair_row *pairs)
{
    int parts = run->count / SOME + (run->count % SOME > 0);
    if (run->count < THUDI_ROWS_THREADS_FROM)
    {
        for (int p = 0; p < parts; p++)
            write_part(run, pairs, p * SOME);
        return;
    }
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)
    for (int p = 0; p < parts; p++)
        write_part(run, pairs, p * SOME);
}

// Write all behind the rows there are.
static thud_status append(thud_pair_run *run, const thud_pair_row *pairs)
{
    write_all(run, pairs);
    for (int i = 0; i < run->count && run->bad == run->count; i++)
        if (pairs[i].numbers)
            THUD_TRY(thud_pair_run_law(run, i, pairs[i].law, pairs[i].numbers));
    return thud_rows_end_pairs(run, run->count);
}

thud_status thud_rows_push_pairs(thud_rows *rows, int width, const thud_pair_row *pairs, int count)
{
    thud_pair_run run;
    if (count == 0)
        return THUD_OK;
    if (count < 0 || !pairs || (width != 2 && width != 3))
        return thudi_rows_remember(rows, THUD_ERR_ARGUMENT, thud_key_number(0));
    thud_status status = begin(rows, width, pairs[0].a >= 0 ? 2 : 1, count, &run);
    if (status < 0)
        return thudi_rows_remember(rows, status, pairs[0].key);
    return append(&run, pairs);
}
