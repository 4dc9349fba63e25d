// Rows in the order of their keys: the sort, and the merge of rows that were missing.
#include "rows/rows.h"

#include <limits.h>
#include <string.h>

// Bottom-up merge sort of `count` heads between `from` and `to`: stable, no recursion, no
// allocation. Where they end up.
static thudi_row_head *sort_heads(thudi_row_head *from, thudi_row_head *to, int count)
{
    for (int run = 1; run<count; run = run> INT_MAX / 2 ? INT_MAX : 2 * run)
    {
        for (int low = 0; low < count; low += 2 * run)
        {
            int middle = run < count - low ? low + run : count;
            int high = run < count - middle ? middle + run : count;
            for (int a = low, b = middle, k = low; k < high; k++)
                to[k] = a < middle && (b == high || !thud_key_before(from[b].key, from[a].key))
                            ? from[a++]
                            : from[b++];
            if (high == count)
                break;
        }
        thudi_row_head *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

// Sort the rows behind the ordered ones, and put them between these from behind: all else stays.
void thudi_rows_sort_from(thud_rows *rows, int *from)
{
    int a = rows->ordered - 1, b = rows->count - rows->ordered - 1;
    for (int k = 0; k < rows->count && from; k++)
        from[k] = k;
    if (b < 0)
        return;
    thudi_row_head *heads = rows->heads.items, *more = rows->sorted.items;
    size_t count = (size_t)b + 1;
    if (sort_heads(heads + rows->ordered, more, b + 1) != more)
        memcpy(more, heads + rows->ordered, count * sizeof *more);
    for (int k = rows->count - 1; b >= 0; k--)
    {
        bool stays = a >= 0 && thud_key_before(more[b].key, heads[a].key);
        heads[k] = stays ? heads[a] : more[b];
        if (from)
            from[k] = stays ? a : rows->ordered + b;
        a -= stays;
        b -= !stays;
    }
    rows->ordered = rows->count;
    rows->last_key = heads[rows->count - 1].key;
}

void thud_rows_sort(thud_rows *rows)
{
    thudi_rows_sort_from(rows, NULL);
}

static bool same_entries(const thud_rows *a, const thudi_row_head *x, const thud_rows *b,
                         const thudi_row_head *y)
{
    int indices[2][6];
    double slopes[2][6];
    size_t size = (size_t)thudi_row_size(x);
    return size == 0 || (memcmp(thudi_row_index(a, x, indices[0]),
                                thudi_row_index(b, y, indices[1]), size * sizeof(int)) == 0 &&
                         memcmp(thudi_row_slopes(a, x, slopes[0]),
                                thudi_row_slopes(b, y, slopes[1]), size * sizeof(double)) == 0);
}

static bool same_row(const thud_rows *a, const thudi_row_head *x, const thud_rows *b,
                     const thudi_row_head *y)
{
    if (thudi_row_is_whole(x) && thudi_row_is_whole(y))
        return memcmp(x, y, sizeof *x) == 0;
    return thud_key_same(x->key, y->key) && thudi_row_size(x) == thudi_row_size(y) &&
           thudi_row_width(x) == thudi_row_width(y) &&
           thudi_row_kind_of(x) == thudi_row_kind_of(y) &&
           memcmp(&x->gap, &y->gap, sizeof x->gap) == 0 &&
           memcmp(&x->shift, &y->shift, sizeof x->shift) == 0 && thudi_rows_same_law(a, x, b, y) &&
           same_entries(a, x, b, y);
}

// Does `to` hold row i of `from` behind its first `known` rows, which are sorted?
static bool is_in_tail(const thud_rows *to, int known, const thud_rows *from, int i)
{
    for (int k = known; k < to->count; k++)
        if (same_row(to, &to->heads.items[k], from, &from->heads.items[i]))
            return true;
    return false;
}

thud_status thudi_rows_add(thud_rows *to, const thud_rows *from, const thudi_row_filter *filter,
                           int *added)
{
    int known = to->ordered, start = to->count, first = 0, at = 0;
    *added = 0;
    for (int i = 0; i < from->count; i++)
    {
        const thudi_row_head *head = &from->heads.items[i];
        if (i > 0 && thud_key_before(head->key, from->heads.items[i - 1].key))
            at = 0; // not sorted: from the start again
        while (at < known && thud_key_before(to->heads.items[at].key, head->key))
            at++;
        first = i > 0 && thud_key_same(from->heads.items[i - 1].key, head->key) ? first : i;
        // the usual place, if all is pushed again in the same order; then everywhere
        int usual = at + (i - first);
        bool held = usual < known && same_row(to, &to->heads.items[usual], from, head);
        for (int k = at; !held && k < known && thud_key_same(to->heads.items[k].key, head->key);
             k++)
            held = same_row(to, &to->heads.items[k], from, head);
        for (int k = i - 1; !held && k >= 0 && thud_key_same(from->heads.items[k].key, head->key);
             k--)
            held = same_row(from, &from->heads.items[k], from, head); // pushed twice at once
        if (held || (start > known && is_in_tail(to, known, from, i)) ||
            (filter && !filter->accepts(filter->user, from, i)))
            continue;
        thud_row_room room;
        thud_row row = thud_rows_get(from, i, &room);
        THUD_TRY(thud_rows_push(to, &row));
        ++*added;
    }
    return THUD_OK;
}
