// A list of rows of which those between two spheres are keys alone.
#include "verify/checker_list.h"

#include <limits.h>
#include <stdlib.h>

thud_status thudi_list_add_pair(thudi_row_list *list, const thud_allocator *allocator, thud_key key)
{
    if (thudi_list_count(list) >= INT_MAX - 1)
        return THUD_ERR_LIMIT;
    THUD_TRY(thudi_array_reserve(allocator, &list->pairs, (size_t)list->pair_count + 1));
    list->pairs.items[list->pair_count++] = key;
    return THUD_OK;
}

void thudi_list_clear(thudi_row_list *list)
{
    list->pair_count = 0;
    thud_rows_clear(list->whole);
}

static int compare_keys(const void *a, const void *b)
{
    return thud_key_compare(*(const thud_key *)a, *(const thud_key *)b);
}

void thudi_list_sort(thudi_row_list *list)
{
    if (list->pair_count > 1)
        qsort(list->pairs.items, (size_t)list->pair_count, sizeof *list->pairs.items, compare_keys);
    thud_rows_sort(list->whole);
}

void thudi_list_free(thudi_row_list *list, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &list->pairs);
    thud_rows_destroy(list->whole);
    *list = (thudi_row_list){.pair_count = 0};
}
