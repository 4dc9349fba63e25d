// The contact laws of rows and their numbers: checked, and stored once for all rows that share
// them.
#include "rows/rows.h"

#include <string.h>

bool thudi_rows_numbers_fit(thud_law law, const double *numbers)
{
    if (!numbers)
        return true;
    const thud_law_info *info = thud_law_find((int)law);
    for (int k = 0; info && k < info->number_count; k++)
        if (!(numbers[k] >= info->numbers[k].low && numbers[k] <= info->numbers[k].high))
            return false;
    return info != NULL;
}

static bool are_same(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (a[k] != b[k])
            return false;
    return true;
}

// Do they say that the contact does not use the law?
static bool are_none(const thud_law_info *info, const double *numbers)
{
    for (int k = 0; k < info->number_count; k++)
        if (numbers[k] != info->numbers[k].none)
            return false;
    return true;
}

static thud_status add_law(thud_rows *rows, const thud_law_info *info, const double *numbers)
{
    size_t count = (size_t)info->number_count, first = rows->numbers_used;
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->laws, (size_t)rows->laws_used + 1));
    THUD_TRY(thudi_array_reserve(&rows->allocator, &rows->numbers, first + count));
    memcpy(rows->numbers.items + first, numbers, count * sizeof *numbers);
    rows->laws.items[rows->laws_used++] = (thudi_row_law){info->law, info->number_count, first};
    rows->numbers_used += count;
    return THUD_OK;
}

// Neighbouring rows mostly share a law: only the last one is compared.
thud_status thudi_rows_find_law(thud_rows *rows, thud_law law, const double *numbers, int *found)
{
    *found = 0;
    if (!numbers)
        return THUD_OK;
    const thudi_row_law *last = rows->laws_used ? &rows->laws.items[rows->laws_used - 1] : NULL;
    if (!last || last->law != law ||
        !are_same(rows->numbers.items + last->first, numbers, last->count))
    {
        const thud_law_info *info = thud_law_find((int)law);
        if (!info || are_none(info, numbers))
            return THUD_OK;
        THUD_TRY(add_law(rows, info, numbers));
    }
    *found = rows->laws_used;
    return THUD_OK;
}

bool thudi_rows_same_law(const thud_rows *a, const thudi_row_head *x, const thud_rows *b,
                         const thudi_row_head *y)
{
    int of_x = thudi_row_law_number(x), of_y = thudi_row_law_number(y);
    if (of_x == 0 || of_y == 0)
        return of_x == of_y;
    return thudi_row_law_of(a, x) == thudi_row_law_of(b, y) &&
           are_same(thudi_row_numbers(a, x), thudi_row_numbers(b, y),
                    a->laws.items[of_x - 1].count);
}
