// Reads a checkpoint. Every number of the file is checked against the file's length and its sums
// before it is used.
#include "core/fault.h"
#include "core/memory.h"
#include "record/checkpoint_format.h"
#include "record/file_rows.h"
#include "record/run_folder.h"
#include "thud/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const thudi_file_kind thudi_checkpoint_kind = {"checkpoint", THUDI_CHECKPOINT_MAGIC,
                                               THUDI_CHECKPOINT_VERSION};

// A block, in the bytes of the file.
typedef struct section
{
    thudi_block block;
    const unsigned char *items;
} section;

struct thud_checkpoint
{
    thud_allocator allocator;
    unsigned char *bytes; // the whole file, and one byte more
    size_t length;
    thudi_file_header header;
    thudi_block_names names;
    THUDI_ARRAY(section) sections; // sorted by block number
    size_t section_count;
};

static thud_status damaged(thud_fault *fault, uint64_t offset, const char *what)
{
    return thudi_fail(fault, THUD_ERR_RECORD, THUDI_NOWHERE, "", "damaged at byte %" PRIu64 ": %s",
                      offset, what);
}

static thud_status check_header(thud_checkpoint *checkpoint, thud_fault *fault)
{
    if (checkpoint->length < sizeof checkpoint->header)
        return damaged(fault, 0, "the file is too short to be a checkpoint");
    memcpy(&checkpoint->header, checkpoint->bytes, sizeof checkpoint->header);
    return thudi_header_check(&checkpoint->header, &thudi_checkpoint_kind, THUDI_NOWHERE, fault);
}

// Read the head of the record at `place`. The record must end within the file.
static thud_status read_head(const thud_checkpoint *checkpoint, size_t place, uint32_t type,
                             thudi_record_head *head, thud_fault *fault)
{
    size_t rest = checkpoint->length - place;
    if (rest < sizeof *head)
        return damaged(fault, place, "a record is missing");
    memcpy(head, checkpoint->bytes + place, sizeof *head);
    if (!thudi_head_is_sound(head))
        return damaged(fault, place, "a head does not match its checksum");
    if (head->type != type || !thudi_head_is_timeless(head) || head->length % 8 != 0 ||
        head->length > rest - sizeof *head)
        return damaged(fault, place, "a head has impossible numbers");
    return THUD_OK;
}

static bool knows_nothing(const char *text)
{
    (void)text; // fields are found by name, and this version marks no name as needed
    return false;
}

// Read the record of names at *place, and move *place to its end.
static thud_status read_names(thud_checkpoint *checkpoint, size_t *place, thud_fault *fault)
{
    thudi_record_head head = {0};
    THUD_TRY(read_head(checkpoint, *place, THUDI_RECORD_NAME, &head, fault));
    const char *wrong = thudi_block_names_fault(&head);
    if (wrong)
        return damaged(fault, *place, wrong);
    *place += sizeof head;
    if (thudi_block_names_add(&checkpoint->allocator, &checkpoint->names, &head,
                              checkpoint->bytes + *place, &wrong) < 0)
        return thudi_fail_memory(fault);
    if (wrong)
        return damaged(fault, *place, wrong);
    *place += head.length;
    return thudi_block_names_check(&checkpoint->names, &thudi_checkpoint_kind, knows_nothing,
                                   THUDI_NOWHERE, fault);
}

// What is wrong with a block by itself; NULL if nothing is.
static const char *block_fault(const thud_checkpoint *checkpoint, const thudi_walk *walk)
{
    if (!thudi_block_names_find(&checkpoint->names, walk->block.name))
        return "a block has no name";
    thud_field_type type = (thud_field_type)(walk->block.type & 0xff);
    uint64_t size = thudi_item_size(walk->block.type);
    if (!thudi_field_has_keys(type) || walk->block.type != thudi_item_of(type))
        return NULL;
    for (uint64_t i = 0; i < walk->block.count; i++)
    {
        thud_multiplier one; // or a key
        if (!thudi_field_unpack(type, walk->items + i * size, 1,
                                (thud_key_space)checkpoint->header.keys, &one))
            return "a block has impossible numbers";
    }
    return NULL;
}

static thud_status read_sections(thud_checkpoint *checkpoint, size_t place, thud_fault *fault)
{
    thudi_record_head head = {0};
    THUD_TRY(read_head(checkpoint, place, THUDI_CHECKPOINT_RECORD, &head, fault));
    place += sizeof head;
    if (place + head.length != checkpoint->length)
        return damaged(fault, place + head.length, "there are bytes that belong to no record");
    if (head.blocks > checkpoint->names.count)
        return damaged(fault, place, "a block has no name");
    if (thudi_array_reserve(&checkpoint->allocator, &checkpoint->sections, head.blocks) < 0)
        return thudi_fail_memory(fault);
    const char *wrong = NULL;
    thudi_walk walk = thudi_walk_begin(&head, checkpoint->bytes + place);
    while (!wrong && thudi_walk_next(&walk, &wrong))
    {
        checkpoint->sections.items[checkpoint->section_count++] =
            (section){.block = walk.block, .items = walk.items};
        wrong = block_fault(checkpoint, &walk);
    }
    return wrong ? damaged(fault, place + walk.place, wrong) : THUD_OK;
}

static thud_checkpoint *make(const thud_allocator *allocator, size_t length)
{
    thud_allocator memory = thudi_allocator_or_default(allocator);
    thud_checkpoint *checkpoint = thudi_allocate_zeroed(&memory, sizeof *checkpoint);
    if (!checkpoint)
        return NULL;
    checkpoint->allocator = memory;
    checkpoint->length = length;
    // one byte more, so that an empty file has memory as well
    checkpoint->bytes = memory.resize(NULL, 0, length + 1, memory.user);
    if (checkpoint->bytes)
        return checkpoint;
    thudi_free(&memory, checkpoint, sizeof *checkpoint);
    return NULL;
}

static thud_status accept(thud_checkpoint *checkpoint, thud_checkpoint **out, thud_fault *fault)
{
    size_t place = sizeof checkpoint->header;
    thud_status status = check_header(checkpoint, fault);
    if (status >= 0)
        status = read_names(checkpoint, &place, fault);
    if (status >= 0)
        status = read_sections(checkpoint, place, fault);
    if (status < 0)
        thud_checkpoint_free(checkpoint);
    else
        *out = checkpoint;
    return status;
}

thud_status thud_checkpoint_parse(const void *bytes, size_t length, const thud_allocator *allocator,
                                  thud_checkpoint **out, thud_fault *fault)
{
    *out = NULL;
    thud_checkpoint *checkpoint = make(allocator, length);
    if (!checkpoint)
        return thudi_fail_memory(fault);
    if (length > 0)
        memcpy(checkpoint->bytes, bytes, length);
    return accept(checkpoint, out, fault);
}

static int read_all(int fd, unsigned char *bytes, size_t length)
{
    for (size_t done = 0; done < length;)
    {
        ssize_t got = pread(fd, bytes + done, length - done, (off_t)done);
        if (got < 0 && errno != EINTR)
            return errno;
        if (got == 0)
        {
            memset(bytes + done, 0, length - done); // the file is shorter now: no sum will match
            return 0;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

static thud_status read_file(int fd, const char *folder, const char *name,
                             const thud_allocator *allocator, thud_checkpoint **out,
                             thud_fault *fault)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return thudi_fail_io(fault, THUDI_IN(folder, name), "inspect the file", errno);
    thud_checkpoint *checkpoint = make(allocator, (size_t)status.st_size);
    if (!checkpoint)
        return thudi_fail_memory(fault);
    int error = read_all(fd, checkpoint->bytes, checkpoint->length);
    if (error)
    {
        thud_checkpoint_free(checkpoint);
        return thudi_fail_io(fault, THUDI_IN(folder, name), "read", error);
    }
    thud_status result = accept(checkpoint, out, fault);
    if (result == THUD_ERR_RECORD && fault)
        (void)snprintf(fault->file, sizeof fault->file, "%s/%s", folder, name);
    return result;
}

thud_status thud_checkpoint_read(const char *folder, bool previous, const thud_allocator *allocator,
                                 thud_checkpoint **out, thud_fault *fault)
{
    const char *name = previous ? THUDI_CHECKPOINT_PREV : THUDI_CHECKPOINT_NAME;
    *out = NULL;
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        return thudi_fail_io(fault, THUDI_IN(folder, NULL), "open the folder", errno);
    int fd = -1;
    thud_status status = thudi_run_file_open(at, folder, name, O_RDONLY, &fd, fault);
    (void)close(at);
    THUD_TRY(status);
    status = read_file(fd, folder, name, allocator, out, fault);
    (void)close(fd);
    return status;
}

void thud_checkpoint_free(thud_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    thud_allocator allocator = checkpoint->allocator;
    thudi_block_names_free(&allocator, &checkpoint->names);
    thudi_array_free(&allocator, &checkpoint->sections);
    thudi_free(&allocator, checkpoint->bytes, checkpoint->length + 1);
    thudi_free(&allocator, checkpoint, sizeof *checkpoint);
}

// The section of a name; NULL if there is none.
static const section *find(const thud_checkpoint *checkpoint, const char *name)
{
    const thudi_block_name *number = thudi_block_names_find_text(&checkpoint->names, name);
    for (size_t i = 0; number && i < checkpoint->section_count; i++)
        if (checkpoint->sections.items[i].block.name == number->number)
            return &checkpoint->sections.items[i];
    return NULL;
}

// The section of a field, if it has the field's type and count.
static const section *find_field(const thud_checkpoint *checkpoint, const thud_field *field)
{
    const section *found = find(checkpoint, field->name);
    return found && found->block.type == thudi_item_of(field->type) &&
                   found->block.count == (uint64_t)field->count
               ? found
               : NULL;
}

thudi_file_header thudi_checkpoint_header(const thud_checkpoint *checkpoint)
{
    return checkpoint->header;
}

int64_t thud_checkpoint_count(const thud_checkpoint *checkpoint, const char *name)
{
    const section *found = find(checkpoint, name);
    return found ? (int64_t)found->block.count : -1;
}

thud_status thud_checkpoint_restore(const thud_checkpoint *checkpoint, const thud_field *fields,
                                    int count, thud_fault *fault)
{
    for (int i = 0; i < count; i++)
        if (!find_field(checkpoint, &fields[i]))
            return thudi_fail(fault, THUD_ERR_RECORD, THUDI_NOWHERE, "",
                              "the checkpoint has no '%s' that fits this run", fields[i].name);
    for (int i = 0; i < count; i++)
    {
        const section *found = find_field(checkpoint, &fields[i]);
        if (!found || fields[i].count == 0)
            continue;
        if (thudi_field_has_keys(fields[i].type))
            (void)thudi_field_unpack(fields[i].type, found->items, found->block.count,
                                     (thud_key_space)checkpoint->header.keys, fields[i].data);
        else
            memcpy(fields[i].data, found->items, thudi_block_items(&found->block));
    }
    return THUD_OK;
}

static bool is_same(const thud_checkpoint *checkpoint, const section *found,
                    const thud_field *field)
{
    const char *data = field->data;
    uint64_t size = thudi_item_size(found->block.type);
    if (field->count == 0)
        return true;
    if (!thudi_field_has_keys(field->type))
        return memcmp(found->items, field->data, thudi_block_items(&found->block)) == 0;
    for (int64_t i = 0; i < field->count; i++)
    {
        thudi_file_multiplier row; // or a key
        thudi_field_pack(field->type, data + (size_t)i * thud_field_size(field->type), 1,
                         (thud_key_space)checkpoint->header.keys, &row);
        if (memcmp(found->items + (uint64_t)i * size, &row, size) != 0)
            return false;
    }
    return true;
}

const char *thudi_checkpoint_difference(const thud_checkpoint *checkpoint, const thud_field *fields,
                                        int count)
{
    for (int i = 0; i < count; i++)
    {
        const section *found = find_field(checkpoint, &fields[i]);
        if (!found || !is_same(checkpoint, found, &fields[i]))
            return fields[i].name;
    }
    return NULL;
}
