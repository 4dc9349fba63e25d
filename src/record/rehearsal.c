// A rehearsal repeats a run and writes nothing. It compares the log and the series with the files
// of a run directory, byte by byte, and the checkpoints field by field.
#include "record/rehearsal.h"

#include "core/fault.h"
#include "record/base/series_read.h"
#include "record/checkpoint_format.h"
#include "record/log_form.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SERIES_NAME "series.csv"

thud_status thudi_rehearsal_differs(thud_record *record, const thudi_stream *stream, int line,
                                    const char *what, long long which)
{
    if (record->status < 0)
        return record->status;
    if (stream->error != 0 && stream->error != EILSEQ)
        return record->status = thudi_fail_io(&record->fault, THUDI_IN(record->path, stream->name),
                                              "read", stream->error);
    thudi_at at = {.folder = record->path, .file = stream->name, .line = line};
    return record->status =
               thudi_fail(&record->fault, THUD_ERR_RECORD, at, "",
                          "%s %lld differs from the record when recomputed", what, which);
}

// Find the end of the last whole line: an interrupted run may leave part of a line.
static int find_last_line(int fd, int64_t *limit)
{
    struct stat look;
    return fstat(fd, &look) != 0 ? errno : thudi_series_find_line(fd, look.st_size, limit);
}

static thud_status open_stream(thud_record *record, thudi_stream *stream, const char *name,
                               thud_fault *fault)
{
    *stream = (thudi_stream){.fd = -1, .allocator = record->allocator, .published = true};
    (void)snprintf(stream->name, sizeof stream->name, "%s", name);
    stream->buffer =
        record->allocator.resize(NULL, 0, THUDI_STREAM_BUFFER_SIZE, record->allocator.user);
    if (!stream->buffer)
        return thudi_fail_memory(fault);
    stream->fd = openat(record->folder.fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    stream->compares = true;
    if (stream->fd >= 0)
        return THUD_OK;
    int error = errno;
    record->allocator.resize(stream->buffer, THUDI_STREAM_BUFFER_SIZE, 0, record->allocator.user);
    stream->buffer = NULL;
    return thudi_fail_io(fault, THUDI_IN(record->path, name), "open", error);
}

static thud_status open_files(thud_record *record, thud_fault *fault)
{
    thud_log *log;
    THUD_TRY(thud_log_open(record->path, &record->allocator, &log, fault));
    int64_t whole = thud_log_view(log).whole_bytes;
    thud_log_close(log);
    record->folder.fd = open(record->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (record->folder.fd < 0)
        return thudi_fail_io(fault, THUDI_IN(record->path, NULL), "open the folder", errno);
    thudi_log_source source;
    THUD_TRY(thudi_log_source_open(&source, &record->allocator, record->folder.fd, record->path,
                                   O_RDONLY, fault));
    if (thudi_log_source_compare(&record->log, &record->allocator, &source) != 0)
        return thudi_fail_memory(fault);
    THUD_TRY(open_stream(record, &record->series, SERIES_NAME, fault));
    record->log.limit = whole;
    int error = find_last_line(record->series.fd, &record->series.limit);
    return error ? thudi_fail_io(fault, THUDI_IN(record->path, SERIES_NAME), "read", error)
                 : THUD_OK;
}

// Continue from the place at which the checkpoint was written.
static thud_status take_place(thud_record *record, const thud_checkpoint *from, thud_fault *fault)
{
    thudi_place *place = &record->place;
    thud_field fields[THUDI_PLACE_FIELDS];
    thudi_place_fields(place, fields);
    THUD_TRY(thud_checkpoint_restore(from, fields, THUDI_PLACE_FIELDS, fault));
    record->frames = place->frames;
    record->steps = place->steps;
    record->digest = place->digest;
    // a line for every node, except the first one of a run that continues another
    record->lines = place->steps - record->first - (record->first > 0);
    record->log.bytes = place->log_bytes;
    record->series.bytes = place->series_bytes;
    return THUD_OK;
}

// Read both checkpoints and skip a damaged one: the check of checkpoints reports the damage.
static void load_checkpoints(thud_record *record)
{
    for (int i = 0; i < 2; i++)
    {
        thud_fault fault;
        const thud_field node[] = {{"n", THUD_FIELD_INT64, 1, &record->kept_node[i]}};
        if (thud_checkpoint_read(record->path, i == 1, &record->allocator, &record->kept[i],
                                 &fault) < 0 ||
            thud_checkpoint_restore(record->kept[i], node, 1, &fault) < 0)
            record->kept_node[i] = -1;
    }
}

thud_status thud_record_rehearse(const thud_record_def *def, const thud_checkpoint *from,
                                 thud_record **out, thud_fault *fault)
{
    *out = NULL;
    THUD_TRY(thudi_record_check_def(def, fault));
    thud_record *record = thudi_record_make(def);
    if (!record)
        return thudi_fail_memory(fault);
    record->is_rehearsal = true;
    load_checkpoints(record);
    thud_status status = open_files(record, fault);
    if (status >= 0 && from)
        status = take_place(record, from, fault);
    if (status >= 0 && !from)
    {
        (void)thudi_record_write_header(record);
        (void)thudi_record_write_names(record, def->series);
        if (record->log.error || record->series.error)
            status = thudi_rehearsal_differs(
                record, record->log.error ? &record->log : &record->series, 1, "line", 1);
        if (status < 0 && fault)
            *fault = record->fault;
    }
    if (status < 0)
        thudi_record_release(record, false);
    else
        *out = record;
    return status;
}

bool thud_record_is_matched(const thud_record *record)
{
    return record->log.bytes >= record->log.limit && record->series.bytes >= record->series.limit;
}

// Compare fields of one checkpoint with the recomputed ones.
static thud_status compare_one(thud_record *record, int which, const thud_field *fields, int count)
{
    static const char *const names[] = {THUDI_CHECKPOINT_NAME, THUDI_CHECKPOINT_PREV};
    const char *wrong = thudi_checkpoint_difference(record->kept[which], fields, count);
    if (!wrong)
        return THUD_OK;
    return record->status =
               thudi_fail(&record->fault, THUD_ERR_RECORD, THUDI_IN(record->path, names[which]), "",
                          "'%s' of step %lld differs from the record when recomputed", wrong,
                          (long long)record->kept_node[which]);
}

thud_status thudi_rehearsal_checkpoint(thud_record *record, const thud_field *fields, int count,
                                       bool planned)
{
    int64_t node = record->steps - 1;
    // The check of the checkpoint has compared its sums and lengths with the files. Its place in
    // the outputs remains.
    thud_field places[] = {
        {"log.frames", THUD_FIELD_INT64, 1, &record->frames},
        {"log.steps", THUD_FIELD_INT64, 1, &record->steps},
        {"log.bytes", THUD_FIELD_INT64, 1, &record->log.bytes},
        {"series.bytes", THUD_FIELD_INT64, 1, &record->series.bytes},
        {"log.digest", THUD_FIELD_INT8, sizeof record->digest, &record->digest},
    };
    for (int i = 0; i < 2; i++)
    {
        if (record->kept_node[i] != node || !record->kept[i])
            continue;
        THUD_TRY(compare_one(record, i, fields, count));
        THUD_TRY(compare_one(record, i, places, sizeof places / sizeof *places));
        // A run that stops at a planned checkpoint writes it again, as an unplanned one. So
        // `planned` is compared only where no checkpoint was planned.
        const thud_field unplanned = {"planned", THUD_FIELD_INT64, 1, &(int64_t){0}};
        if (!planned)
            THUD_TRY(compare_one(record, i, &unplanned, 1));
    }
    return THUD_OK;
}
