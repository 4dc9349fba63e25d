// A run being written.
#ifndef THUDI_RECORD_H
#define THUDI_RECORD_H

#include "record/run_folder.h"
#include "record/stream.h"
#include "thud/record.h"

struct thud_record
{
    thud_allocator allocator;
    char *path; // of the folder
    size_t path_size;
    thudi_run_folder folder;
    thudi_stream log, series, file;
    int dim, series_count;
    int64_t frames;
    int64_t closed_bytes; // of whole files
    thud_status status;   // the first error of its life,
    thud_fault fault;     // and what it was
};

// Remember the first error; `error` is errno's of a stream.
thud_status thudi_record_fail(thud_record *record, const thudi_stream *stream, int error);
thud_status thudi_record_refuse(thud_record *record, const char *text);

// Begin the log, and the series with the names of its columns, unpublished.
int thudi_record_begin_log(thud_record *record);
int thudi_record_begin_series(thud_record *record, const char *const *names);

#endif
