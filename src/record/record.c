// The record of a run: its folder, log, series and whole files, from the first byte to the last.
#include "record/record.h"

#include "core/checksum.h"
#include "core/fault.h"
#include "record/log_form.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

thud_status thudi_record_fail(thud_record *record, const thudi_stream *stream, int error)
{
    if (record->status == THUD_OK)
        record->status =
            thudi_fail_io(&record->fault, THUDI_IN(record->path, stream->name), "write", error);
    return record->status;
}

thud_status thudi_record_fail_text(thud_record *record, const char *text)
{
    if (record->status == THUD_OK)
        record->status = thudi_fail(&record->fault, THUD_ERR_ARGUMENT, THUDI_IN(record->path, NULL),
                                    "", "%s", text);
    return record->status;
}

static bool is_sound(const thud_record_def *def)
{
    if (!def->folder || !def->folder[0] || def->dim < 1 || def->series_count < 0 ||
        def->first_node < 0 || def->first_node > THUDI_NODE_MOST ||
        (def->series_count > 0 && !def->series) || def->keys < THUD_KEYS_OPEN ||
        def->keys > THUD_KEYS_NUMBERED || !thud_log_form_name(def->form) || def->id_count < 0 ||
        def->id_count > def->dim || (def->id_count > 0 && def->dim % def->id_count != 0))
        return false;
    for (int i = 0; i < def->series_count; i++)
        if (!def->series[i])
            return false;
    return true;
}

// Begin both files, then remove the files of an older run, then publish both. So a failure to begin
// them leaves the older run whole.
static thud_status begin(thud_record *record, const thud_record_def *def)
{
    record->status =
        thudi_run_folder_open(&record->folder, record->path, def->replace, &record->fault);
    if (record->status < 0)
        return record->status;
    int error = thudi_record_begin_log(record, def);
    if (error)
        return thudi_record_fail(record, &record->log, error);
    error = thudi_record_begin_series(record, def->series);
    if (error)
        return thudi_record_fail(record, &record->series, error);
    record->status = thudi_run_folder_clear(&record->folder, &record->fault);
    if (record->status < 0)
        return record->status;
    error = thudi_stream_publish(&record->log);
    if (!error)
        error = thudi_log_clear_others(record->folder.fd, def->form);
    if (error)
        return thudi_record_fail(record, &record->log, error);
    error = thudi_stream_publish(&record->series);
    return error ? thudi_record_fail(record, &record->series, error) : THUD_OK;
}

void thudi_record_release(thud_record *record, bool undo)
{
    (void)thudi_stream_close(&record->file);
    (void)thudi_stream_close(&record->log);
    (void)thudi_stream_close(&record->series);
    thud_checkpoint_free(record->kept[0]);
    thud_checkpoint_free(record->kept[1]);
    thudi_run_folder_close(&record->folder, undo);
    thud_allocator allocator = record->allocator;
    thudi_frame_parts_free(&allocator, &record->frame_parts);
    thudi_free(&allocator, record->path, record->path_size);
    thudi_free(&allocator, record, sizeof *record);
}

thud_record *thudi_record_make(const thud_record_def *def)
{
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_record *record = thudi_allocate_zeroed(&allocator, sizeof *record);
    if (!record)
        return NULL;
    record->allocator = allocator;
    record->folder = THUDI_RUN_FOLDER_CLOSED;
    record->log = record->series = record->file = THUDI_STREAM_CLOSED;
    record->dim = def->dim;
    record->keys = def->keys;
    record->frame_parts.all_ids.count = def->id_count > 0 ? def->id_count : def->dim;
    record->first = record->steps = def->first_node;
    record->series_count = def->series_count;
    record->path_size = strlen(def->folder) + 1;
    record->path = allocator.resize(NULL, 0, record->path_size, allocator.user);
    if (record->path)
        memcpy(record->path, def->folder, record->path_size);
    else
    {
        thudi_free(&allocator, record, sizeof *record);
        record = NULL;
    }
    return record;
}

thud_status thudi_record_check_def(const thud_record_def *def, thud_fault *fault)
{
    if (is_sound(def))
        return THUD_OK;
    return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                      "a record needs a folder, coordinates and columns");
}

thud_status thud_record_create(const thud_record_def *def, thud_record **out, thud_fault *fault)
{
    *out = NULL;
    THUD_TRY(thudi_record_check_def(def, fault));
    thud_record *record = thudi_record_make(def);
    if (!record)
        return thudi_fail_memory(fault);
    thud_status status = begin(record, def);
    if (status < 0)
    {
        if (fault)
            *fault = record->fault;
        thudi_record_release(record, true);
        return status;
    }
    *out = record;
    return THUD_OK;
}

thud_status thud_record_file_begin(thud_record *record, const char *name)
{
    if (record->status < 0)
        return record->status;
    if (!thudi_run_folder_has_file(name) || record->file.fd >= 0 || record->is_rehearsal)
        return thudi_record_fail_text(record, "this file cannot be opened now");
    int error = thudi_stream_open(&record->file, &record->allocator, record->folder.fd, name);
    return error ? thudi_record_fail(record, &record->file, error) : THUD_OK;
}

int thud_record_file_write(const char *text, size_t length, void *record)
{
    thud_record *self = record;
    if (self->status == THUD_OK && self->file.fd < 0)
        (void)thudi_record_fail_text(self, "no file is open");
    if (self->status < 0)
        return self->status;
    int error = thudi_stream_write(&self->file, text, length);
    return error ? thudi_record_fail(self, &self->file, error) : 0;
}

int thudi_record_sync_folder(const thud_record *record)
{
    while (fsync(record->folder.fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL ? 0 : errno; // this file system cannot sync a folder
    return 0;
}

thud_status thud_record_file_end(thud_record *record)
{
    if (record->status < 0)
    {
        (void)thudi_stream_close(&record->file);
        return record->status;
    }
    if (record->file.fd < 0)
        return thudi_record_fail_text(record, "no file is open");
    int error = thudi_stream_finish(&record->file, true);
    if (!error)
        error = thudi_record_sync_folder(record);
    record->closed_bytes += record->file.bytes;
    if (!error && thudi_run_folder_is_input(record->file.name))
        record->input_sum =
            thudi_checksum(record->input_sum, &record->file.sum, sizeof record->file.sum);
    record->file.bytes = 0;
    return error ? thudi_record_fail(record, &record->file, error) : THUD_OK;
}

int64_t thud_record_bytes(const thud_record *record)
{
    return record->log.bytes + (int64_t)record->log.used + record->series.bytes +
           (int64_t)record->series.used + record->file.bytes + (int64_t)record->file.used +
           record->closed_bytes;
}

int64_t thud_record_first(const thud_record *record)
{
    return record->first;
}

int64_t thud_record_frames(const thud_record *record)
{
    return record->frames;
}

thud_digest thud_record_digest(const thud_record *record)
{
    return record->digest;
}

// Write the outputs through to the disk, even after an error.
static void sync_all(thud_record *record)
{
    int error = thudi_stream_sync(&record->log);
    if (error)
        (void)thudi_record_fail(record, &record->log, error);
    error = thudi_stream_sync(&record->series);
    if (error)
        (void)thudi_record_fail(record, &record->series, error);
    error = thudi_record_sync_folder(record);
    if (error)
        (void)thudi_record_fail(record, &record->log, error);
}

thud_status thud_record_close(thud_record *record, thud_fault *fault)
{
    if (!record)
        return THUD_OK;
    if (!record->is_rehearsal)
        sync_all(record);
    thud_status status = record->status;
    if (status < 0 && fault)
        *fault = record->fault;
    thudi_record_release(record, false);
    return status;
}
