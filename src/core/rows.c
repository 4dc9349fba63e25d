// The linearised constraints of one step: storage, validation, sorting by key.
#include "core/rows.h"
#include "core/threads.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

thud_status thud_rows_create(int dim, const thud_allocator *allocator, thud_rows **out)
{
    *out = NULL;
    if (dim < 1)
        return THUD_ERR_ARGUMENT;
    thud_allocator source = thudi_allocator_or_default(allocator);
    thud_rows *rows = thudi_allocate_zeroed(&source, sizeof *rows);
    if (!rows)
        return THUD_ERR_MEMORY;
    rows->allocator = source;
    rows->dim = dim;
    rows->noted_gap = INFINITY;
    if (thudi_array_reserve(&source, &rows->mark, (size_t)dim) < 0)
    {
        thud_rows_destroy(rows);
        return THUD_ERR_MEMORY;
    }
    memset(rows->mark.items, 0, (size_t)dim * sizeof *rows->mark.items);
    *out = rows;
    return THUD_OK;
}

void thud_rows_destroy(thud_rows *rows)
{
    if (!rows)
        return;
    thud_allocator allocator = rows->allocator;
    thudi_array_free(&allocator, &rows->heads);
    thudi_array_free(&allocator, &rows->sorted);
    thudi_array_free(&allocator, &rows->slope);
    thudi_array_free(&allocator, &rows->blocks);
    thudi_array_free(&allocator, &rows->mark);
    thudi_free(&allocator, rows, sizeof *rows);
}

void thud_rows_clear(thud_rows *rows)
{
    rows->count = 0;
    rows->entries = rows->blocks_used = 0;
    rows->status = THUD_OK;
    rows->refusal[0] = '\0';
    rows->noted_gap = INFINITY;
}

static int width_of(const thud_row *row)
{
    return row->width > 1 ? row->width : 1;
}

static thud_status check_shape(const thud_rows *rows, const thud_row *row)
{
    bool pair = row->width > 1;
    if (row->width < 0 || row->width > 3 || row->count < 0 || row->count > rows->dim)
        return THUD_ERR_ARGUMENT;
    if (pair && (row->count < 1 || row->count > 2))
        return THUD_ERR_ARGUMENT;
    if (row->cone != 0 || (row->kind != THUD_CONVEX && row->kind != THUD_CONCAVE))
        return THUD_ERR_ARGUMENT;
    if (row->count > 0 && (!row->index || !row->slope))
        return THUD_ERR_ARGUMENT;
    for (int j = 0; j < row->count; j++)
        if (row->index[j] < 0 || row->index[j] > rows->dim - width_of(row))
            return THUD_ERR_ARGUMENT;
    return THUD_OK;
}

static thud_status check_values(const thud_row *row)
{
    if (!isfinite(row->gap) || !isfinite(row->shift))
        return THUD_ERR_NOT_FINITE;
    if (row->shift < 0 || !(row->restitution >= 0 && row->restitution <= 1) || !(row->glue <= 0))
        return THUD_ERR_ARGUMENT;
    for (int j = 0; j < row->count * width_of(row); j++)
        if (!isfinite(row->slope[j]))
            return THUD_ERR_NOT_FINITE;
    return THUD_OK;
}

// A coordinate named twice would make the solver's row norm wrong.
static thud_status check_repeats(thud_rows *rows, const thud_row *row)
{
    if (rows->stamp == INT_MAX)
    {
        memset(rows->mark.items, 0, (size_t)rows->dim * sizeof *rows->mark.items);
        rows->stamp = 0;
    }
    int mark = ++rows->stamp, width = width_of(row);
    for (int j = 0; j < row->count; j++)
        for (int a = 0; a < width; a++)
        {
            int *seen = &rows->mark.items[row->index[j] + a];
            if (*seen == mark)
                return THUD_ERR_ARGUMENT;
            *seen = mark;
        }
    return THUD_OK;
}

// The sort needs room of its own, unless rows come in the order of their keys.
static thud_status reserve_sorted(thud_rows *rows, uint64_t key)
{
    rows->is_sorted = rows->count == 0 || (rows->is_sorted && rows->last_key <= key);
    rows->last_key = key;
    if (rows->is_sorted)
        return THUD_OK;
    return thudi_array_reserve(&rows->allocator, &rows->sorted, rows->heads.capacity);
}

static thud_status make_room(thud_rows *rows, const thud_row *row)
{
    size_t size = (size_t)row->count * (size_t)width_of(row);
    if (rows->count == INT_MAX - 1)
        return THUD_ERR_LIMIT;
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->heads, (size_t)rows->count + 1));
    THUD_TRY(reserve_sorted(rows, row->key));
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->slope, rows->entries + size));
    return thudi_array_reserve(&rows->allocator, &rows->blocks,
                               rows->blocks_used + (size_t)row->count);
}

static void append(thud_rows *rows, const thud_row *row)
{
    int width = width_of(row), size = row->count * width;
    for (int j = 0; j < row->count; j++)
        rows->blocks.items[rows->blocks_used + (size_t)j] = row->index[j];
    if (size > 0)
        memcpy(rows->slope.items + rows->entries, row->slope, (size_t)size * sizeof(double));
    rows->heads.items[rows->count++] = (thudi_row_head){
        .key = row->key,
        .gap = row->gap,
        .shift = row->shift,
        .restitution = row->restitution,
        .glue = row->glue,
        .first = rows->entries,
        .block_first = rows->blocks_used,
        .size = size,
        .count = row->count,
        .width = (unsigned)width,
        .kind = (unsigned)row->kind,
    };
    rows->entries += (size_t)size;
    rows->blocks_used += (size_t)row->count;
}

static thud_status push(thud_rows *rows, const thud_row *row)
{
    THUD_TRY(check_shape(rows, row));
    THUD_TRY(check_values(row));
    THUD_TRY(make_room(rows, row));
    THUD_TRY(check_repeats(rows, row));
    append(rows, row);
    return THUD_OK;
}

static thud_status remember(thud_rows *rows, thud_status status, uint64_t key)
{
    if (rows->status == THUD_OK && status < 0)
    {
        rows->status = status;
        rows->failed_at_key = true;
        rows->failed_key = key;
    }
    return status;
}

thud_status thud_rows_push(thud_rows *rows, const thud_row *row)
{
    return remember(rows, push(rows, row), row->key);
}

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
    bool fine = row->shift >= 0 && row->restitution >= 0 && row->restitution <= 1 && row->glue <= 0;
    return fine ? THUD_OK : THUD_ERR_ARGUMENT;
}

static thud_status make_pair_room(thud_rows *rows, size_t count, size_t blocks, size_t width)
{
    if (count >= (size_t)INT_MAX - (size_t)rows->count)
        return THUD_ERR_LIMIT;
    size_t entries = rows->entries + count * blocks * width;
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->heads, (size_t)rows->count + count));
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->slope, entries));
    return thudi_array_reserve(&rows->allocator, &rows->blocks, rows->blocks_used + count * blocks);
}

// Write pair i of a bulk push where it belongs, behind the rows there are.
static inline void write_pair(thud_rows *rows, int width, int blocks, const thud_pair_row *row,
                              size_t i)
{
    size_t block = rows->blocks_used + i * (size_t)blocks;
    size_t entry = rows->entries + i * (size_t)(blocks * width);
    int *start = rows->blocks.items + block;
    double *slope = rows->slope.items + entry;
    if (blocks == 2)
    {
        *start++ = row->a;
        for (int k = 0; k < width; k++)
            *slope++ = -row->normal[k];
    }
    *start = row->b;
    for (int k = 0; k < width; k++)
        slope[k] = row->normal[k];
    rows->heads.items[(size_t)rows->count + i] = (thudi_row_head){
        .key = row->key,
        .gap = row->gap,
        .shift = row->shift,
        .restitution = row->restitution,
        .glue = row->glue,
        .first = entry,
        .block_first = block,
        .size = blocks * width,
        .count = blocks,
        .width = (unsigned)width,
        .kind = THUD_CONVEX,
    };
}

// Write all behind the rows there are; *bad is the first bad one.
static thud_status append_pairs(thud_rows *rows, int width, const thud_pair_row *pairs, int count,
                                int *bad)
{
    bool two = pairs[0].a >= 0, falls = rows->count > 0 && rows->last_key > pairs[0].key;
    int blocks = two ? 2 : 1, first_bad = count;
    *bad = 0;
    THUD_TRY(make_pair_room(rows, (size_t)count, (size_t)blocks, (size_t)width));
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) reduction(min               \
                                                                                 : first_bad)      \
    reduction(||                                                                                   \
              : falls) if (count >= THUDI_ROWS_THREADS_FROM)
    for (int i = 0; i < count; i++)
    {
        falls = falls || (i > 0 && pairs[i - 1].key > pairs[i].key);
        if (check_pair(rows, width, two, &pairs[i]) < 0)
            first_bad = i < first_bad ? i : first_bad;
        else if (width == 3 && two) // known to the compiler, the usual case is much faster
            write_pair(rows, 3, 2, &pairs[i], (size_t)i);
        else
            write_pair(rows, width, blocks, &pairs[i], (size_t)i);
    }
    *bad = first_bad < count ? first_bad : 0;
    if (first_bad < count)
        return check_pair(rows, width, two, &pairs[first_bad]);
    bool sorted = !falls && (rows->count == 0 || rows->is_sorted);
    if (!sorted)
        THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->sorted, rows->heads.capacity));
    rows->is_sorted = sorted;
    rows->last_key = pairs[count - 1].key;
    rows->count += count;
    rows->blocks_used += (size_t)count * (size_t)blocks;
    rows->entries += (size_t)count * (size_t)blocks * (size_t)width;
    return THUD_OK;
}

thud_status thud_rows_push_pairs(thud_rows *rows, int width, const thud_pair_row *pairs, int count)
{
    int bad = 0;
    if (count == 0)
        return THUD_OK;
    if (count < 0 || !pairs || (width != 2 && width != 3))
        return remember(rows, THUD_ERR_ARGUMENT, 0);
    thud_status status = append_pairs(rows, width, pairs, count, &bad);
    return remember(rows, status, pairs[bad].key);
}

void thud_rows_fail(thud_rows *rows, thud_status status)
{
    if (rows->status != THUD_OK)
        return;
    rows->status = status;
    rows->failed_at_key = false;
}

thud_status thud_rows_refuse(thud_rows *rows, thud_status status, const char *text)
{
    if (rows->status == THUD_OK)
        (void)snprintf(rows->refusal, sizeof rows->refusal, "%s", text);
    thud_rows_fail(rows, status);
    return status;
}

thud_status thud_rows_status(const thud_rows *rows)
{
    return rows->status;
}

void thud_rows_note_gap(thud_rows *rows, double gap)
{
    if (gap < rows->noted_gap)
        rows->noted_gap = gap;
}

double thud_rows_noted_gap(const thud_rows *rows)
{
    return rows->noted_gap;
}

int thud_rows_dim(const thud_rows *rows)
{
    return rows->dim;
}

int thud_rows_count(const thud_rows *rows)
{
    return rows->count;
}

thud_row thud_rows_get(const thud_rows *rows, int i)
{
    const thudi_row_head *head = &rows->heads.items[i];
    return (thud_row){
        .key = head->key,
        .gap = head->gap,
        .shift = head->shift,
        .restitution = head->restitution,
        .glue = head->glue,
        .kind = (thud_row_kind)head->kind,
        .width = (int)head->width,
        .count = head->count,
        .index = rows->blocks.items + head->block_first,
        .slope = rows->slope.items + head->first,
    };
}

// Bottom-up merge sort of the heads: stable, no recursion, no allocation.
void thud_rows_sort(thud_rows *rows)
{
    if (rows->count < 2 || rows->is_sorted)
        return;
    thudi_row_head *from = rows->heads.items, *to = rows->sorted.items;
    for (int run = 1; run<rows->count; run = run> INT_MAX / 2 ? INT_MAX : 2 * run)
    {
        for (int low = 0; low < rows->count; low += 2 * run)
        {
            int middle = run < rows->count - low ? low + run : rows->count;
            int high = run < rows->count - middle ? middle + run : rows->count;
            for (int a = low, b = middle, k = low; k < high; k++)
                to[k] =
                    a < middle && (b == high || from[a].key <= from[b].key) ? from[a++] : from[b++];
            if (high == rows->count)
                break;
        }
        thudi_row_head *swap = from;
        from = to;
        to = swap;
    }
    if (from != rows->heads.items)
        memcpy(rows->heads.items, from, (size_t)rows->count * sizeof *from);
    rows->is_sorted = true;
    rows->last_key = rows->heads.items[rows->count - 1].key;
}

static bool same_row(const thud_rows *a, const thudi_row_head *x, const thud_rows *b,
                     const thudi_row_head *y)
{
    size_t size = (size_t)x->size;
    return x->key == y->key && x->size == y->size && x->width == y->width && x->kind == y->kind &&
           memcmp(&x->gap, &y->gap, sizeof x->gap) == 0 &&
           memcmp(&x->shift, &y->shift, sizeof x->shift) == 0 && x->restitution == y->restitution &&
           x->glue == y->glue &&
           (size == 0 || (memcmp(a->blocks.items + x->block_first, b->blocks.items + y->block_first,
                                 (size_t)x->count * sizeof *a->blocks.items) == 0 &&
                          memcmp(a->slope.items + x->first, b->slope.items + y->first,
                                 size * sizeof *a->slope.items) == 0));
}

thud_status thudi_rows_merge(thud_rows *to, const thud_rows *from, int *added)
{
    int known = to->count, first = 0, at = 0;
    *added = 0;
    for (int i = 0; i < from->count; i++)
    {
        const thudi_row_head *head = &from->heads.items[i];
        if (i > 0 && head->key < from->heads.items[i - 1].key)
            at = 0; // not sorted: from the start again
        while (at < known && to->heads.items[at].key < head->key)
            at++;
        first = i > 0 && from->heads.items[i - 1].key == head->key ? first : i;
        // the usual place, if all is pushed again in the same order; then everywhere
        int usual = at + (i - first);
        bool held = usual < known && same_row(to, &to->heads.items[usual], from, head);
        for (int k = at; !held && k < known && to->heads.items[k].key == head->key; k++)
            held = same_row(to, &to->heads.items[k], from, head);
        for (int k = i - 1; !held && k >= 0 && from->heads.items[k].key == head->key; k--)
            held = same_row(from, &from->heads.items[k], from, head); // pushed twice at once
        if (held)
            continue;
        thud_row row = thud_rows_get(from, i);
        THUD_TRY(thud_rows_push(to, &row));
        ++*added;
    }
    thud_rows_sort(to);
    return THUD_OK;
}
