// The rows by what they touch, by a counting sort.
#include "project/projector.h"

#include <string.h>

int thudi_common_unit(const thud_projection *problem)
{
    const thud_rows *rows = problem->rows;
    int unit = rows && rows->count > 0 ? rows->heads.items[0].width : 1;
    if (unit <= 1 || problem->dim % unit != 0)
        return 1;
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        for (int j = 0; j < row->count; j++)
            if (row->width != unit || rows->blocks.items[row->block_first + (size_t)j] % unit != 0)
                return 1;
    }
    return unit;
}

// The unit that entry `at` of a row lies in.
static int unit_at(const thud_rows *rows, const thudi_row_head *row, int unit, int at)
{
    int block = at / row->width;
    return (rows->blocks.items[row->block_first + (size_t)block] + at - block * row->width) / unit;
}

thud_status thudi_columns_fill(const thud_projection *problem, const thud_allocator *allocator,
                               thudi_columns *columns)
{
    const thud_rows *rows = problem->rows;
    int unit = columns->unit = thudi_common_unit(problem);
    int count = rows ? rows->count : 0;
    columns->count = problem->dim / unit;
    THUD_TRY(thudi_array_reserve(allocator, &columns->first, (size_t)columns->count + 2));
    size_t *first = columns->first.items;
    memset(first, 0, ((size_t)columns->count + 2) * sizeof *first);
    for (int i = 0; i < count; i++)
        for (int at = 0; at < rows->heads.items[i].size; at += unit)
            first[unit_at(rows, &rows->heads.items[i], unit, at) + 2]++;
    for (int k = 0; k < columns->count; k++)
        first[k + 2] += first[k + 1];
    THUD_TRY(thudi_array_reserve(allocator, &columns->entries, first[columns->count + 1]));
    for (int i = 0; i < count; i++)
        for (int at = 0; at < rows->heads.items[i].size; at += unit)
            columns->entries.items[first[unit_at(rows, &rows->heads.items[i], unit, at) + 1]++] =
                (thudi_entry){i, at};
    return THUD_OK;
}

void thudi_columns_free(thudi_columns *columns, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &columns->first);
    thudi_array_free(allocator, &columns->entries);
}
