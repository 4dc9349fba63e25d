// The linearised constraints of one step: storage, validation, sorting by key.
#include "core/rows.h"

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
    thudi_array_free(&allocator, &rows->index);
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
    rows->stamp = 0;
    rows->noted_gap = INFINITY;
    memset(rows->mark.items, 0, (size_t)rows->dim * sizeof *rows->mark.items);
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
    if (row->shift < 0)
        return THUD_ERR_ARGUMENT;
    for (int j = 0; j < row->count * width_of(row); j++)
        if (!isfinite(row->slope[j]))
            return THUD_ERR_NOT_FINITE;
    return THUD_OK;
}

// A coordinate named twice would make the solver's row norm wrong.
static thud_status check_repeats(thud_rows *rows, const thud_row *row)
{
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

static thud_status make_room(thud_rows *rows, const thud_row *row)
{
    size_t size = (size_t)row->count * (size_t)width_of(row);
    if (rows->count == INT_MAX - 1)
        return THUD_ERR_LIMIT;
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->heads, (size_t)rows->count + 1));
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->sorted, rows->heads.capacity));
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->index, rows->entries + size));
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->slope, rows->entries + size));
    return thudi_array_reserve(&rows->allocator, &rows->blocks,
                               rows->blocks_used + (size_t)row->count);
}

static void append(thud_rows *rows, const thud_row *row)
{
    int width = width_of(row), size = row->count * width;
    for (int j = 0; j < row->count; j++)
    {
        rows->blocks.items[rows->blocks_used + (size_t)j] = row->index[j];
        for (int a = 0; a < width; a++)
            rows->index.items[rows->entries + (size_t)(j * width + a)] = row->index[j] + a;
    }
    if (size > 0)
        memcpy(rows->slope.items + rows->entries, row->slope, (size_t)size * sizeof(double));
    rows->heads.items[rows->count++] = (thudi_row_head){
        .key = row->key,
        .gap = row->gap,
        .shift = row->shift,
        .first = rows->entries,
        .block_first = rows->blocks_used,
        .size = size,
        .count = row->count,
        .width = width,
        .kind = row->kind,
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

thud_status thud_rows_push(thud_rows *rows, const thud_row *row)
{
    thud_status status = push(rows, row);
    if (rows->status == THUD_OK && status < 0)
    {
        rows->status = status;
        rows->failed_key = row->key;
    }
    return status;
}

thud_status thud_rows_refuse(thud_rows *rows, thud_status status, const char *text)
{
    if (rows->status == THUD_OK && status < 0)
    {
        rows->status = status;
        (void)snprintf(rows->refusal, sizeof rows->refusal, "%s", text);
    }
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
        .kind = head->kind,
        .width = head->width,
        .count = head->count,
        .index = rows->blocks.items + head->block_first,
        .slope = rows->slope.items + head->first,
    };
}

static bool is_sorted(const thud_rows *rows)
{
    for (int i = 1; i < rows->count; i++)
        if (rows->heads.items[i - 1].key > rows->heads.items[i].key)
            return false;
    return true;
}

// Bottom-up merge sort of the heads: stable, no recursion, no allocation.
void thud_rows_sort(thud_rows *rows)
{
    if (is_sorted(rows))
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
}

static bool same_row(const thud_rows *a, const thudi_row_head *x, const thud_rows *b,
                     const thudi_row_head *y)
{
    size_t size = (size_t)x->size;
    return x->key == y->key && x->size == y->size && x->width == y->width && x->kind == y->kind &&
           memcmp(&x->gap, &y->gap, sizeof x->gap) == 0 &&
           memcmp(&x->shift, &y->shift, sizeof x->shift) == 0 &&
           (size == 0 || (memcmp(a->index.items + x->first, b->index.items + y->first,
                                 size * sizeof *a->index.items) == 0 &&
                          memcmp(a->slope.items + x->first, b->slope.items + y->first,
                                 size * sizeof *a->slope.items) == 0));
}

// The first of the first `count` heads, which are sorted, whose key is not below `key`.
static int lower_bound(const thud_rows *rows, int count, uint64_t key)
{
    int low = 0, high = count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (rows->heads.items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

thud_status thudi_rows_merge(thud_rows *to, const thud_rows *from, int *added)
{
    int known = to->count, first = 0;
    *added = 0;
    for (int i = 0; i < from->count; i++)
    {
        const thudi_row_head *head = &from->heads.items[i];
        int at = lower_bound(to, known, head->key);
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
