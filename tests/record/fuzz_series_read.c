// Fuzz target: the reader of series.csv. What is read is a table of whole rows; what is refused has
// a place and a reason.
#include "record/base/series_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static void check_table(const thudi_series *series, size_t size)
{
    size_t names = 0;
    demand(series->column_count >= 1 && series->names.items[series->names_size - 1] == '\0');
    for (size_t i = 0; i < series->names_size; i++)
        names += series->names.items[i] == '\0';
    demand(names == (size_t)series->column_count);
    demand(series->row_count * (size_t)series->column_count <= size);
    const char *first = series->names.items;
    thud_series_table table = {.column_count = 1, .names = &first};
    demand(thud_series_table_find(&table, first) == 0);
    // every number may be read
    double sum = 0;
    for (size_t i = 0; i < series->row_count * (size_t)series->column_count; i++)
        sum += series->values.items[i];
    demand(sum <= 0 || sum > 0 || sum != sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_series series = {0};
    thud_fault fault = {.line = 0};
    // a copy: the stream wants to be able to write
    char *copy = malloc(size + 1);
    demand(copy != NULL);
    memcpy(copy, data, size);
    FILE *file = size > 0 ? fmemopen(copy, size, "rb") : NULL;
    if (file)
    {
        thud_status status = thudi_series_parse(file, "run", &allocator, &series, &fault);
        demand(status == THUD_OK || status == THUD_ERR_RECORD);
        if (status == THUD_OK)
            check_table(&series, size);
        else
            demand(fault.line >= 1 && fault.column >= 1 && fault.text[0] && fault.hint[0]);
        (void)fclose(file);
    }
    thudi_series_free(&series, &allocator);
    free(copy);
    return 0;
}
