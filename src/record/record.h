// A run being written.
#ifndef THUDI_RECORD_H
#define THUDI_RECORD_H

#include "core/stream.h"
#include "record/frame_blocks.h"
#include "record/run_folder.h"
#include "thud/fields.h"
#include "thud/record.h"

// What a checkpoint says about the outputs.
typedef struct thudi_place
{
    int64_t log_bytes, series_bytes, frames, steps;
    uint64_t log_sum, series_sum, input_sum;
    int64_t is_planned;
    thud_digest digest; // of the log's records
} thudi_place;

enum
{
    THUDI_PLACE_FIELDS = 9
};

void thudi_place_fields(thudi_place *place, thud_field fields[THUDI_PLACE_FIELDS]);

struct thud_record
{
    thud_allocator allocator;
    char *path; // of the folder
    size_t path_size;
    thudi_run_folder folder;
    thudi_stream log, series, file;
    int dim, series_count;
    int64_t first; // node at which the run begins
    thud_key_space keys;
    thudi_frame_parts frame_parts;
    int64_t frames;       // written
    int64_t steps;        // the next node
    thud_digest digest;   // of all records
    uint32_t input_sum;   // of the input files, in the order of writing
    bool newest_planned;  // the newest checkpoint is whole and was planned
    thudi_place place;    // as of the last checkpoint
    int64_t closed_bytes; // of whole files
    // only for a rehearsal, which writes nothing
    bool is_rehearsal;
    thud_checkpoint *kept[2]; // the newest and the one before it, NULL if there is none
    int64_t kept_node[2];
    int64_t lines;      // of the series, without the names
    int64_t wrong_line; // the first that differs, 0 for none
    // the first error
    thud_status status; // its status,
    thud_fault fault;   // and its message
};

// Keep the first error. `error` is an errno value of the stream.
thud_status thudi_record_fail(thud_record *record, const thudi_stream *stream, int error);
thud_status thudi_record_fail_text(thud_record *record, const char *text);

// Begin the log, and the series with the names of its columns, unpublished.
int thudi_record_begin_log(thud_record *record, const thud_record_def *def);
int thudi_record_begin_series(thud_record *record, const char *const *names);
// Write the log's header, and the names of the series' columns.
int thudi_record_write_header(thud_record *record);
int thudi_record_write_names(thud_record *record, const char *const *names);

// Check `def`. Make a record with no file open; NULL if there is no memory. Close its files and
// free it.
thud_status thudi_record_check_def(const thud_record_def *def, thud_fault *fault);
thud_record *thudi_record_make(const thud_record_def *def);
void thudi_record_release(thud_record *record, bool undo);

// Write the names in the folder through to the disk. Returns 0 or an errno value.
int thudi_record_sync_folder(const thud_record *record);

#endif
