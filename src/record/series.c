// series.csv as a whole: lines that a record appends, and all lines read back as one table.
#include "core/fault.h"
#include "record/base/series_read.h"
#include "record/record.h"

#include <string.h>

#include <errno.h>

int thudi_record_begin_series(thud_record *record, const char *const *names)
{
    thudi_stream *series = &record->series;
    int error = thudi_stream_open(series, &record->allocator, record->folder.fd, "series.csv");
    return error ? error : thudi_record_write_names(record, names);
}

int thudi_record_write_names(thud_record *record, const char *const *names)
{
    thudi_stream *series = &record->series;
    for (int i = 0; i < record->series_count; i++)
    {
        (void)thudi_stream_text(series, i > 0 ? "," : "");
        (void)thudi_stream_field(series, names[i]);
    }
    (void)thudi_stream_text(series, "\n");
    return thudi_stream_flush(series);
}

thud_status thud_record_series(thud_record *record, const double *values)
{
    thudi_stream *series = &record->series;
    if (record->status < 0)
        return record->status;
    for (int i = 0; i < record->series_count; i++)
    {
        (void)thudi_stream_text(series, i > 0 ? "," : "");
        (void)thudi_stream_number(series, values[i]);
    }
    int error = thudi_stream_text(series, "\n");
    record->lines++;
    if (record->is_rehearsal && thudi_stream_flush(series) == EILSEQ)
    {
        record->wrong_line = record->lines + 1;
        return THUD_OK;
    }
    // half of the buffer is kept free, so that lines are not cut in two
    if (!error && series->used > THUDI_STREAM_BUFFER_SIZE / 2)
        error = thudi_stream_flush(series);
    return error ? thudi_record_fail(record, series, error) : THUD_OK;
}

// A table with its memory: `table` comes first, and is what callers hold.
typedef struct owner
{
    thud_series_table table;
    thud_allocator allocator;
    thudi_series parsed;
    THUDI_ARRAY(const char *) names;
} owner;

static thud_status set_table(owner *own, thud_fault *fault)
{
    const thudi_series *parsed = &own->parsed;
    const char *at = parsed->names.items;
    if (thudi_array_reserve(&own->allocator, &own->names, (size_t)parsed->column_count + 1) < 0)
        return thudi_fail_memory(fault);
    for (int i = 0; i < parsed->column_count; i++, at += strlen(at) + 1)
        own->names.items[i] = at;
    own->table = (thud_series_table){.column_count = parsed->column_count,
                                     .row_count = parsed->row_count,
                                     .values = parsed->values.items,
                                     .names = own->names.items};
    return THUD_OK;
}

static thud_status read_table(FILE *file, const char *folder, const thud_allocator *memory,
                              thud_series_table **out, thud_fault *fault)
{
    owner *own = thudi_allocate_zeroed(memory, sizeof *own);
    if (!own)
        return thudi_fail_memory(fault);
    own->allocator = *memory;
    thud_status status = thudi_series_parse(file, folder, &own->allocator, &own->parsed, fault);
    if (status >= 0)
        status = set_table(own, fault);
    if (status < 0)
        thud_series_table_destroy(&own->table);
    else
        *out = &own->table;
    return status;
}

thud_status thud_series_table_read(const char *folder, const thud_allocator *allocator,
                                   thud_series_table **out, thud_fault *fault)
{
    FILE *file = NULL;
    thud_allocator memory = thudi_allocator_or_default(allocator);
    *out = NULL;
    THUD_TRY(thudi_series_file(folder, &file, fault));
    thud_status status = read_table(file, folder, &memory, out, fault);
    (void)fclose(file);
    return status;
}

void thud_series_table_destroy(thud_series_table *table)
{
    if (!table)
        return;
    owner *own = (owner *)table;
    thud_allocator allocator = own->allocator;
    thudi_series_free(&own->parsed, &allocator);
    thudi_array_free(&allocator, &own->names);
    thudi_free(&allocator, own, sizeof *own);
}

int thud_series_table_find(const thud_series_table *table, const char *name)
{
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->names[i], name) == 0)
            return i;
    return -1;
}
