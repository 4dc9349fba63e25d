// The series: a CSV file with a line for every step, written in whole lines.
#include "record/record.h"

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
    if (!error && series->used > THUDI_STREAM_ROOM / 2)
        error = thudi_stream_flush(series);
    return error ? thudi_record_fail(record, series, error) : THUD_OK;
}
