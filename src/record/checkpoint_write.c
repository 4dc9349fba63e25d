// A checkpoint, written: to a file of another name, the outputs that it speaks of to the disk
// first, then itself, then its name. Only then has it happened.
#include "core/checksum.h"
#include "core/fault.h"
#include "record/checkpoint_format.h"
#include "record/rehearsal.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct writer
{
    const thud_field *fields[2]; // the caller's, and those of the outputs
    int counts[2];
} writer;

void thudi_place_fields(thudi_place *place, thud_field fields[THUDI_PLACE_FIELDS])
{
    const thud_field table[THUDI_PLACE_FIELDS] = {
        {"log.bytes", THUD_FIELD_INT64, 1, &place->log_bytes},
        {"log.sum", THUD_FIELD_UINT64, 1, &place->log_sum},
        {"log.frames", THUD_FIELD_INT64, 1, &place->frames},
        {"log.steps", THUD_FIELD_INT64, 1, &place->steps},
        {"series.bytes", THUD_FIELD_INT64, 1, &place->series_bytes},
        {"series.sum", THUD_FIELD_UINT64, 1, &place->series_sum},
        {"inputs.sum", THUD_FIELD_UINT64, 1, &place->input_sum},
        {"planned", THUD_FIELD_INT64, 1, &place->is_planned},
        {"log.digest", THUD_FIELD_INT8, sizeof place->digest, &place->digest},
    };
    memcpy(fields, table, sizeof table);
}

static uint64_t bytes_of(const thud_field *field)
{
    return (uint64_t)field->count * thud_field_size(field->type);
}

// Call `visit` for every field of both tables.
static void each_field(const writer *w, void (*visit)(const thud_field *, void *), void *user)
{
    for (int table = 0; table < 2; table++)
        for (int i = 0; i < w->counts[table]; i++)
            visit(&w->fields[table][i], user);
}

typedef struct layout
{
    thudi_stream *stream; // NULL: only measure
    uint64_t offset;      // where the next section begins
    uint32_t table_sum;
} layout;

static void visit_entry(const thud_field *field, void *user)
{
    layout *at = user;
    thudi_checkpoint_section section = {
        .type = field->type,
        .count = (uint64_t)field->count,
        .offset = at->offset,
        .sum = thudi_checksum(0, field->data, bytes_of(field)),
    };
    (void)snprintf(section.name, sizeof section.name, "%s", field->name);
    at->table_sum = thudi_checksum(at->table_sum, &section, sizeof section);
    at->offset += thudi_checkpoint_padded(bytes_of(field));
    if (at->stream)
        (void)thudi_stream_write(at->stream, &section, sizeof section);
}

static void visit_data(const thud_field *field, void *user)
{
    static const char zeros[8];
    thudi_stream *stream = ((layout *)user)->stream;
    uint64_t length = bytes_of(field);
    (void)thudi_stream_write(stream, field->data, length);
    (void)thudi_stream_write(stream, zeros, thudi_checkpoint_padded(length) - length);
}

static int write_sections(const writer *w, thudi_stream *stream)
{
    uint32_t count = (uint32_t)(w->counts[0] + w->counts[1]);
    uint64_t first = sizeof(thudi_checkpoint_header) + count * sizeof(thudi_checkpoint_section);
    layout at = {.offset = first};
    each_field(w, visit_entry, &at);
    thudi_checkpoint_header header = {.version = THUDI_CHECKPOINT_VERSION,
                                      .order = THUDI_CHECKPOINT_ORDER,
                                      .section_count = count,
                                      .table_sum = at.table_sum,
                                      .length = at.offset + sizeof(thudi_checkpoint_end)};
    memcpy(header.magic, THUDI_CHECKPOINT_MAGIC, sizeof header.magic);
    header.sum = thudi_checksum(0, &header, offsetof(thudi_checkpoint_header, sum));
    (void)thudi_stream_write(stream, &header, sizeof header);
    at = (layout){.stream = stream, .offset = first};
    each_field(w, visit_entry, &at);
    each_field(w, visit_data, &at);
    if (thudi_stream_flush(stream) != 0)
        return stream->error;
    thudi_checkpoint_end end = {.sum = stream->sum, .mark = THUDI_CHECKPOINT_END};
    return thudi_stream_write(stream, &end, sizeof end);
}

// Hand the outputs to the disk, and note how far they are.
static thud_status sync_outputs(thud_record *record, bool planned)
{
    int error = thudi_stream_sync(&record->log);
    if (error)
        return thudi_record_fail(record, &record->log, error);
    error = thudi_stream_sync(&record->series);
    if (error)
        return thudi_record_fail(record, &record->series, error);
    record->place = (thudi_place){.log_bytes = record->log.bytes,
                                  .log_sum = record->log.sum,
                                  .frames = record->frames,
                                  .steps = record->steps,
                                  .series_bytes = record->series.bytes,
                                  .series_sum = record->series.sum,
                                  .input_sum = record->input_sum,
                                  .is_planned = planned,
                                  .digest = record->digest};
    return THUD_OK;
}

// The newest becomes the one before it if it is of the plan. One that was asked for in between is
// written over, so that what a run leaves does not depend on how often it was asked.
static int publish(thud_record *record)
{
    int folder = record->folder.fd, error = thudi_stream_sync(&record->file);
    if (!error && record->newest_planned &&
        renameat(folder, THUDI_CHECKPOINT_NAME, folder, THUDI_CHECKPOINT_PREV) != 0)
        error = record->file.error = errno;
    if (error)
        (void)thudi_stream_close(&record->file);
    else
        error = thudi_stream_finish(&record->file, false);
    return error ? error : thudi_record_sync_folder(record);
}

thud_status thud_record_checkpoint(thud_record *record, const thud_field *fields, int count,
                                   bool planned)
{
    thud_field outputs[THUDI_PLACE_FIELDS];
    if (record->status < 0)
        return record->status;
    if (record->is_rehearsal)
        return thudi_rehearsal_checkpoint(record, fields, count, planned);
    if (record->file.fd >= 0)
        return thudi_record_refuse(record, "a checkpoint cannot be written while a file is open");
    THUD_TRY(sync_outputs(record, planned));
    thudi_place_fields(&record->place, outputs);
    writer w = {{fields, outputs}, {count, THUDI_PLACE_FIELDS}};
    int error = thudi_stream_open(&record->file, &record->allocator, record->folder.fd,
                                  THUDI_CHECKPOINT_NAME);
    if (error)
        return thudi_record_fail(record, &record->file, error);
    error = write_sections(&w, &record->file);
    if (error)
        (void)thudi_stream_close(&record->file);
    else
        error = publish(record);
    record->file.bytes = 0;
    if (error)
        return thudi_record_fail(record, &record->file, error);
    record->newest_planned = planned;
    return THUD_OK;
}
