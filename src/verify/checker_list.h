/// The rows of one call of the gaps callback, sorted by key, as the checker keeps them.
///
/// Of a row between two spheres the list keeps its key alone, 8 bytes. The row is recomputed
/// whenever it is read. All other rows are kept whole.
#ifndef THUD_CHECKER_LIST_H
#define THUD_CHECKER_LIST_H

#include "core/memory.h"
#include "thud/rows.h"

/// Make the row of a key that was added to a list. The row's arrays are in room.
typedef thud_row thudi_make_row_fn(thud_key key, const void *maker, thud_row_room *room);

/// A list with `whole` and all other fields 0 is empty.
typedef struct thudi_row_list
{
    THUDI_ARRAY(thud_key)
    pairs; ///< keys of rows that are recomputed; they come before all other rows
    int pair_count;
    thud_rows *whole; ///< the other rows
    thudi_make_row_fn *make;
    const void *maker; ///< handed to make
} thudi_row_list;

static inline int thudi_list_count(const thudi_row_list *list)
{
    return list->pair_count + thud_rows_count(list->whole);
}

/// Row i, 0 <= i < thudi_list_count(list). The row is valid as long as room and list are.
static inline thud_row thudi_list_row(const thudi_row_list *list, int i, thud_row_room *room)
{
    return i < list->pair_count ? list->make(list->pairs.items[i], list->maker, room)
                                : thud_rows_get(list->whole, i - list->pair_count, room);
}

/// The key of row i.
static inline thud_key thudi_list_key(const thudi_row_list *list, int i)
{
    return i < list->pair_count ? list->pairs.items[i]
                                : thud_rows_get(list->whole, i - list->pair_count, NULL).key;
}

/// Add the key of a pair. THUD_ERR_LIMIT if an int cannot count the rows.
thud_status thudi_list_add_pair(thudi_row_list *list, const thud_allocator *allocator,
                                thud_key key);

/// Remove all rows; keep the memory.
void thudi_list_clear(thudi_row_list *list);

/// Sort the rows by key.
void thudi_list_sort(thudi_row_list *list);

/// Free all memory of the list. allocator: that of the pairs.
void thudi_list_free(thudi_row_list *list, const thud_allocator *allocator);

#endif
