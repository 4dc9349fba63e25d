// The linearised constraints of one step: storage and validation.
#include "rows/rows.h"

#include "core/door.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    FEW = 8 // blocks that are compared one by one
};

THUDI_DOOR thud_status thud_rows_create(int dim, const thud_allocator *allocator, thud_rows **out)
{
    *out = NULL;
    THUD_TRY(thud_float_check());
    if (dim < 1)
        return THUD_ERR_ARGUMENT;
    thud_allocator source = thudi_allocator_or_default(allocator);
    thud_rows *rows = thudi_allocate_zeroed(&source, sizeof *rows);
    if (!rows)
        return THUD_ERR_MEMORY;
    rows->allocator = source;
    rows->dim = dim;
    rows->noted_gap = INFINITY;
    thudi_rooms_begin(&rows->own_rooms, &source);
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
    thudi_array_free(&allocator, &rows->laws);
    thudi_array_free(&allocator, &rows->numbers);
    thudi_array_free(&allocator, &rows->mark);
    thudi_rooms_free(&rows->own_rooms);
    thudi_free(&allocator, rows, sizeof *rows);
}

thud_rooms *thud_rows_rooms(thud_rows *rows)
{
    if (rows->rooms)
        return rows->rooms;
    thudi_rooms_enter(&rows->own_rooms);
    return &rows->own_rooms;
}

void thud_rows_clear(thud_rows *rows)
{
    rows->count = rows->ordered = rows->laws_used = 0;
    rows->entries = rows->slopes_used = rows->blocks_used = rows->numbers_used = 0;
    rows->status = THUD_OK;
    rows->refusal[0] = '\0';
    rows->refused_wall = -1;
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
    if (row->shift < 0 || !thudi_rows_numbers_fit(row->law, row->numbers))
        return THUD_ERR_ARGUMENT;
    for (int j = 0; j < row->count * width_of(row); j++)
        if (!isfinite(row->slope[j]))
            return THUD_ERR_NOT_FINITE;
    return THUD_OK;
}

// Do two of a few blocks have a coordinate in common?
static bool repeats_among_few(const thud_row *row)
{
    int width = width_of(row);
    for (int j = 1; j < row->count; j++)
        for (int k = 0; k < j; k++)
            if (row->index[j] - row->index[k] < width && row->index[k] - row->index[j] < width)
                return true;
    return false;
}

// Marks are 0 when they are made, and all of them when the stamp begins again. A list may come to
// have more coordinates than it had.
static thud_status reserve_marks(thud_rows *rows)
{
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->mark, (size_t)rows->dim));
    if (rows->stamp == INT_MAX)
        rows->stamp = rows->marked = 0;
    for (; rows->marked < rows->dim; rows->marked++)
        rows->mark.items[rows->marked] = 0;
    return THUD_OK;
}

// A coordinate named twice would make the solver's row norm wrong.
static thud_status check_repeats(thud_rows *rows, const thud_row *row)
{
    if (row->count <= FEW)
        return repeats_among_few(row) ? THUD_ERR_ARGUMENT : THUD_OK;
    THUD_TRY(reserve_marks(rows)); // a row of many is general: its blocks are coordinates
    int mark = ++rows->stamp;
    for (int j = 0; j < row->count; j++)
    {
        int *seen = &rows->mark.items[row->index[j]];
        if (*seen == mark)
            return THUD_ERR_ARGUMENT;
        *seen = mark;
    }
    return THUD_OK;
}

// The sort needs room of its own for rows that do not come in the order of their keys.
static thud_status reserve_sorted(thud_rows *rows, thud_key key)
{
    if (rows->ordered == rows->count && (rows->count == 0 || !thud_key_before(key, rows->last_key)))
        return THUD_OK;
    return thudi_array_reserve(&rows->allocator, &rows->sorted,
                               (size_t)(rows->count - rows->ordered) + 1);
}

// Is the slope of the first of two blocks, bit for bit, that of the second with the other sign?
static bool is_opposite(const thud_row *row)
{
    bool is_same = true;
    for (int k = 0; k < row->width; k++)
    {
        double wanted = -row->slope[row->width + k];
        is_same = is_same && memcmp(&wanted, &row->slope[k], sizeof wanted) == 0;
    }
    return is_same;
}

static bool is_pair(const thud_row *row)
{
    return row->width > 1 && (row->count == 1 || is_opposite(row));
}

static thud_status make_room(thud_rows *rows, const thud_row *row)
{
    size_t size = (size_t)row->count * (size_t)width_of(row);
    if (rows->count == INT_MAX - 1 || (size_t)row->count > UINT32_MAX - rows->blocks_used)
        return THUD_ERR_LIMIT;
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->heads, (size_t)rows->count + 1));
    THUD_TRY(reserve_sorted(rows, row->key));
    if (is_pair(row))
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->slope, rows->slopes_used + size));
    return thudi_array_reserve(&rows->allocator, &rows->blocks,
                               rows->blocks_used + (size_t)row->count);
}

// A pair row, as if it had no law.
static thudi_row_head pair_head(const thud_row *row)
{
    thudi_row_head head = {
        .a = (unsigned)row->index[0],
        .b = (unsigned)row->index[row->count - 1],
        .form = (unsigned)row->width,
    };
    for (int k = 0; k < row->width; k++)
        head.normal[k] = row->slope[(row->count - 1) * row->width + k];
    return head;
}

static thudi_row_head store_general(thud_rows *rows, const thud_row *row, int law)
{
    int width = width_of(row);
    size_t size = (size_t)row->count * (size_t)width;
    thudi_row_head head = {.apart = {.first = rows->slopes_used,
                                     .block_first = (uint32_t)rows->blocks_used,
                                     .count = row->count,
                                     .law = law,
                                     .width = (uint8_t)width,
                                     .kind = (uint8_t)row->kind}};
    for (int j = 0; j < row->count; j++)
        rows->blocks.items[rows->blocks_used + (size_t)j] = row->index[j];
    if (size > 0)
        memcpy(rows->slope.items + rows->slopes_used, row->slope, size * sizeof(double));
    rows->slopes_used += size;
    rows->blocks_used += (size_t)row->count;
    return head;
}

thud_status thudi_rows_set_apart(thud_rows *rows, thudi_row_head *row, thud_row_kind kind, int law)
{
    int width = thudi_row_width(row);
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->slope, rows->slopes_used + 3));
    memcpy(rows->slope.items + rows->slopes_used, row->normal, sizeof row->normal);
    row->apart = (thudi_row_apart){
        .first = rows->slopes_used, .law = law, .width = (uint8_t)width, .kind = (uint8_t)kind};
    row->form = THUDI_ROW_PAIR;
    rows->slopes_used += 3;
    return THUD_OK;
}

static thud_status append(thud_rows *rows, const thud_row *row, int law)
{
    thudi_row_head head;
    if (is_pair(row))
    {
        head = pair_head(row);
        if (row->kind != THUD_CONVEX || law > 0)
            THUD_TRY(thudi_rows_set_apart(rows, &head, row->kind, law));
    }
    else
        head = store_general(rows, row, law);
    head.key = row->key;
    head.gap = row->gap;
    head.shift = row->shift;
    bool follows = rows->count == 0 || !thud_key_before(row->key, rows->last_key);
    rows->ordered += rows->ordered == rows->count && follows;
    rows->last_key = row->key;
    rows->heads.items[rows->count++] = head;
    rows->entries += (size_t)thudi_row_size(&head);
    return THUD_OK;
}

static thud_status push(thud_rows *rows, const thud_row *row)
{
    int law;
    THUD_TRY(check_shape(rows, row));
    THUD_TRY(check_values(row));
    THUD_TRY(make_room(rows, row));
    THUD_TRY(check_repeats(rows, row));
    THUD_TRY(thudi_rows_find_law(rows, row->law, row->numbers, &law));
    return append(rows, row, law);
}

thud_status thudi_rows_remember(thud_rows *rows, thud_status status, thud_key key)
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
    return thudi_rows_remember(rows, push(rows, row), row->key);
}

void thud_rows_fail(thud_rows *rows, thud_status status)
{
    if (rows->status != THUD_OK)
        return;
    rows->status = status;
    rows->failed_at_key = false;
}

thud_status thud_rows_fail_wall(thud_rows *rows, thud_status status, int wall, const char *text)
{
    if (rows->status == THUD_OK)
        rows->refused_wall = wall;
    return thud_rows_fail_text(rows, status, text);
}

thud_status thud_rows_fail_text(thud_rows *rows, thud_status status, const char *text)
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

void thudi_rows_keep_block(thud_rows *rows, thudi_row_head *row, int j)
{
    int width = thudi_row_width(row);
    if (row->form == THUDI_ROW_GENERAL)
    {
        row->apart.first += (size_t)(j * width);
        row->apart.block_first += (uint32_t)j;
        row->apart.count = 1;
        return;
    }
    bool is_whole = thudi_row_is_whole(row);
    double *normal = is_whole ? row->normal : rows->slope.items + row->apart.first;
    for (int k = 0; k < width && j == 0; k++)
        normal[k] = -normal[k];
    row->a = row->b = j == 0 ? row->a : row->b;
}

thud_row thud_rows_get(const thud_rows *rows, int i, thud_row_room *room)
{
    const thudi_row_head *head = &rows->heads.items[i];
    thud_row row = {
        .key = head->key,
        .gap = head->gap,
        .shift = head->shift,
        .law = thudi_row_law_of(rows, head),
        .numbers = thudi_row_numbers(rows, head),
        .kind = thudi_row_kind_of(head),
        .width = thudi_row_width(head),
        .count = thudi_row_count(head),
    };
    if (!room)
        return row;
    room->index[0] = (int)head->a;
    room->index[1] = (int)head->b;
    bool is_general = head->form == THUDI_ROW_GENERAL;
    row.index = is_general ? rows->blocks.items + head->apart.block_first : room->index;
    row.slope = thudi_row_slopes(rows, head, room->slope);
    return row;
}
