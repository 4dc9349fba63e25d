// Writes a checkpoint in three steps. The log and the series go to the disk. The checkpoint goes to
// the disk under a temporary name. Then it gets its own name, and only then do readers see it.
#include "core/fault.h"
#include "record/checkpoint_format.h"
#include "record/file_rows.h"
#include "record/rehearsal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

// The fields of the caller and of the outputs, and the blocks made from them.
typedef struct writer
{
    const thud_field *fields[2];
    int counts[2];
    thud_allocator allocator;
    thud_key_space keys;
    THUDI_ARRAY(thudi_block_name) names;
    THUDI_ARRAY(thudi_block) blocks;
    thudi_frame_parts *lender; // lends room for the rows of the current field
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

static int count_of(const writer *w)
{
    return w->counts[0] + w->counts[1];
}

static const thud_field *field_at(const writer *w, int i)
{
    return i < w->counts[0] ? &w->fields[0][i] : &w->fields[1][i - w->counts[0]];
}

// The items of a field as they are in the file; NULL if there is no memory.
static const void *items_of(writer *w, const thud_field *field)
{
    size_t count = (size_t)field->count;
    if (!thudi_field_has_keys(field->type) || count == 0)
        return field->data ? field->data : w;
    size_t room = count * thudi_item_size(thudi_item_of(field->type)) / sizeof(double);
    if (thudi_array_reserve(&w->allocator, &w->lender->room, room) < 0)
        return NULL;
    thudi_field_pack(field->type, field->data, count, w->keys, w->lender->room.items);
    return w->lender->room.items;
}

// Make the names and heads of all blocks. Returns an errno value.
static int make_blocks(writer *w, thudi_record_head *head)
{
    size_t count = (size_t)count_of(w);
    if (thudi_array_reserve(&w->allocator, &w->names, count) < 0 ||
        thudi_array_reserve(&w->allocator, &w->blocks, count) < 0)
        return ENOMEM;
    *head = (thudi_record_head){.type = THUDI_CHECKPOINT_RECORD, .blocks = count};
    for (size_t i = 0; i < count; i++)
    {
        const thud_field *field = field_at(w, (int)i);
        const void *items = items_of(w, field);
        if (!items)
            return ENOMEM;
        uint16_t number = (uint16_t)(i + 1);
        w->names.items[i] = (thudi_block_name){.number = number};
        (void)snprintf(w->names.items[i].text, THUD_FIELD_NAME, "%s", field->name);
        w->blocks.items[i] =
            thudi_block_make(number, thudi_item_of(field->type), (uint64_t)field->count, items);
        head->length += thudi_block_length(&w->blocks.items[i]);
    }
    thudi_head_seal(head);
    return 0;
}

static int write_blocks(writer *w, const thudi_file_header *header, thudi_stream *stream)
{
    static const char zeros[8];
    thudi_record_head head, names;
    thudi_block list;
    int error = make_blocks(w, &head);
    if (error)
        return stream->error = error;
    thudi_block_names_head(w->names.items, head.blocks, &names, &list);
    (void)thudi_stream_write(stream, header, sizeof *header);
    (void)thudi_stream_write(stream, &names, sizeof names);
    (void)thudi_stream_write(stream, &list, sizeof list);
    (void)thudi_stream_write(stream, w->names.items, thudi_block_items(&list));
    (void)thudi_stream_write(stream, &head, sizeof head);
    for (int i = 0; i < count_of(w); i++)
    {
        const thudi_block *block = &w->blocks.items[i];
        const void *items = items_of(w, field_at(w, i)); // make_blocks reserved the room
        (void)thudi_stream_write(stream, block, sizeof *block);
        (void)thudi_stream_write(stream, items, thudi_block_items(block));
        (void)thudi_stream_write(stream, zeros, thudi_block_zeros(block));
    }
    return thudi_stream_flush(stream);
}

// Write the file under its temporary name.
static int write_file(thud_record *record, const thud_field *const fields[2], const int counts[2])
{
    thudi_file_header header =
        thudi_header_make(&thudi_checkpoint_kind, record->dim, record->first, record->keys);
    writer w = {.fields = {fields[0], fields[1]},
                .counts = {counts[0], counts[1]},
                .allocator = record->allocator,
                .keys = record->keys,
                .lender = &record->frame_parts};
    int error = write_blocks(&w, &header, &record->file);
    thudi_array_free(&w.allocator, &w.names);
    thudi_array_free(&w.allocator, &w.blocks);
    thudi_frame_parts_free(&w.allocator, &record->frame_parts);
    return error;
}

static bool is_text(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    for (size_t i = 0; i < length; i++)
        if (name[i] < ' ' || name[i] > '~')
            return false;
    return length > 0 && length < THUD_FIELD_NAME;
}

// Would the reader accept these fields? It refuses two equal names, and is_text keeps names so
// short that none is cut.
static bool are_fields_sound(const thud_field *const fields[2], const int counts[2])
{
    writer w = {.fields = {fields[0], fields[1]}, .counts = {counts[0], counts[1]}};
    if (counts[0] < 0 || counts[0] > THUDI_NAMES_MOST - counts[1])
        return false;
    for (int i = 0; i < counts[0]; i++)
    {
        const thud_field *field = field_at(&w, i);
        if (!is_text(field->name) || thudi_item_of(field->type) == 0 || field->count < 0)
            return false;
        for (int k = i + 1; k < count_of(&w); k++)
            if (field_at(&w, k)->name && strcmp(field->name, field_at(&w, k)->name) == 0)
                return false;
    }
    return true;
}

// Write the outputs through to the disk, and note their lengths and sums.
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

// If the newest checkpoint was planned, it becomes the previous one. A checkpoint on request is
// overwritten, so the files of a run do not depend on the number of requests.
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
        return thudi_record_fail_text(record,
                                      "a checkpoint cannot be written while a file is open");
    thudi_place_fields(&record->place, outputs);
    const thud_field *const all[2] = {fields, outputs};
    const int counts[2] = {count, THUDI_PLACE_FIELDS};
    if (!are_fields_sound(all, counts))
        return thudi_record_fail_text(record,
                                      "a checkpoint needs fields of known types, and a name "
                                      "for each that is its own, short and of ASCII");
    THUD_TRY(sync_outputs(record, planned));
    int error = thudi_stream_open(&record->file, &record->allocator, record->folder.fd,
                                  THUDI_CHECKPOINT_NAME);
    if (error)
        return thudi_record_fail(record, &record->file, error);
    error = write_file(record, all, counts);
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
