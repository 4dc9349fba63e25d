// The series, thinned out to what a chart can show: of the lines that make a row the last is taken;
// of what is a worst case, the worst.
#include "page/pager.h"

#include <math.h>
#include <string.h>

// Which of two values a column keeps: -1 the smaller, 1 the larger, 0 the later.
static int worse_of(const char *name)
{
    static const char *const largest[] = {"rounds",  "sweeps", "violation", "backward",
                                          "forward", "kkt",    "between"};
    for (size_t i = 0; i < sizeof largest / sizeof *largest; i++)
        if (strcmp(name, largest[i]) == 0)
            return 1;
    return strcmp(name, "min_gap") == 0 ? -1 : 0;
}

static void merge_row(const thud_series_table *series, double *into, const double *later)
{
    for (int i = 0; i < series->column_count; i++)
    {
        int worse = worse_of(series->names[i]);
        if (worse == 0 || isnan(into[i]) || (worse > 0 && later[i] > into[i]) ||
            (worse < 0 && later[i] < into[i]))
            into[i] = later[i];
    }
}

// Every `stride` rows become one, the last ones too if they are fewer.
static void thin_out(thud_series_table *series, size_t stride)
{
    size_t columns = (size_t)series->column_count, rows = 0;
    for (size_t i = 0; i < series->row_count; i++)
    {
        double *row = series->values + columns * i;
        if (i % stride > 0)
            merge_row(series, series->values + columns * (rows - 1), row);
        else
            memmove(series->values + columns * rows++, row, columns * sizeof *row);
    }
    series->row_count = rows;
}

thud_status thudi_page_read_series(thudi_pager *pager)
{
    THUD_TRY(thud_series_table_read(pager->def->folder, &pager->allocator, &pager->series,
                                    pager->fault));
    thud_series_table *series = pager->series;
    size_t stride = (series->row_count + THUDI_PAGE_ROWS - 1) / THUDI_PAGE_ROWS;
    pager->series_stride = stride > 1 ? (int64_t)stride : 1;
    if (stride > 1)
        thin_out(series, stride);
    return THUD_OK;
}
