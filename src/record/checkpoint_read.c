// A checkpoint, read: nothing that the file says is believed before it is checked against the
// file's length and its sums.
#include "core/checksum.h"
#include "core/fault.h"
#include "core/memory.h"
#include "record/checkpoint_format.h"
#include "record/run_folder.h"
#include "thud/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct thud_checkpoint
{
    thud_allocator allocator;
    unsigned char *bytes; // the whole file
    size_t length;
    uint32_t section_count, version;
};

static thud_status damaged(thud_fault *fault, uint64_t offset, const char *what)
{
    return thudi_fail(fault, THUD_ERR_RECORD, THUDI_NOWHERE, "", "damaged at byte %" PRIu64 ": %s",
                      offset, what);
}

static thudi_checkpoint_section section_at(const thud_checkpoint *checkpoint, uint32_t i)
{
    thudi_checkpoint_section section;
    memcpy(&section, checkpoint->bytes + sizeof(thudi_checkpoint_header) + i * sizeof section,
           sizeof section);
    return section;
}

static thud_status check_header(thud_checkpoint *checkpoint, thud_fault *fault)
{
    thudi_checkpoint_header header;
    if (checkpoint->length < sizeof header + sizeof(thudi_checkpoint_end))
        return damaged(fault, 0, "the file is too short to be a checkpoint");
    memcpy(&header, checkpoint->bytes, sizeof header);
    if (memcmp(header.magic, THUDI_CHECKPOINT_MAGIC, sizeof header.magic) != 0)
        return damaged(fault, 0, "the file is not a checkpoint");
    if (header.order != THUDI_CHECKPOINT_ORDER)
        return damaged(fault, offsetof(thudi_checkpoint_header, order), "wrong byte order");
    if (header.sum != thudi_checksum(0, &header, offsetof(thudi_checkpoint_header, sum)))
        return damaged(fault, 0, "the header does not match its checksum");
    if (header.version < 1 || header.version > THUDI_CHECKPOINT_VERSION)
    {
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_NOWHERE,
                          "use the version of Thud that wrote it, or a newer one",
                          "the checkpoint has version %" PRIu32
                          " of the format, this Thud reads 1 to %d",
                          header.version, THUDI_CHECKPOINT_VERSION);
    }
    for (size_t i = 0; i < sizeof header.reserved / sizeof *header.reserved; i++)
        if (header.reserved[i] != 0)
            return damaged(fault, 0, "the header has bytes that must be 0");
    if (header.length != checkpoint->length)
        return damaged(fault, 0, "the length of the file differs from the one in its header");
    size_t room = checkpoint->length - sizeof header - sizeof(thudi_checkpoint_end);
    if (header.section_count > room / sizeof(thudi_checkpoint_section))
        return damaged(fault, 0, "there are more sections than bytes");
    if (header.table_sum != thudi_checksum(0, checkpoint->bytes + sizeof header,
                                           header.section_count * sizeof(thudi_checkpoint_section)))
        return damaged(fault, sizeof header, "the table does not match its checksum");
    checkpoint->section_count = header.section_count;
    checkpoint->version = header.version;
    return THUD_OK;
}

static bool is_name(const char name[THUD_FIELD_NAME])
{
    size_t end = strnlen(name, THUD_FIELD_NAME);
    for (size_t i = end; i < THUD_FIELD_NAME; i++)
        if (name[i] != 0)
            return false;
    return end > 0 && end < THUD_FIELD_NAME;
}

// Sections follow each other without gaps, so that every byte belongs to one.
static thud_status check_sections(const thud_checkpoint *checkpoint, thud_fault *fault)
{
    uint64_t place = sizeof(thudi_checkpoint_header) +
                     checkpoint->section_count * sizeof(thudi_checkpoint_section);
    uint64_t limit = checkpoint->length - sizeof(thudi_checkpoint_end);
    for (uint32_t i = 0; i < checkpoint->section_count; i++)
    {
        thudi_checkpoint_section section = section_at(checkpoint, i);
        size_t size = thud_field_size((thud_field_type)section.type);
        if (size == 0 || !is_name(section.name) || section.offset != place ||
            section.count > (limit - place) / size)
            return damaged(fault, place, "a section has impossible numbers");
        uint64_t length = section.count * size;
        if (section.sum != thudi_checksum(0, checkpoint->bytes + place, length))
            return damaged(fault, place, "a section does not match its checksum");
        if (thudi_checkpoint_padded(length) > limit - place)
            return damaged(fault, place, "a section has impossible numbers");
        place += thudi_checkpoint_padded(length);
    }
    if (place != limit)
        return damaged(fault, place, "there are bytes that belong to no section");
    thudi_checkpoint_end end;
    memcpy(&end, checkpoint->bytes + limit, sizeof end);
    if (end.mark != THUDI_CHECKPOINT_END || end.sum != thudi_checksum(0, checkpoint->bytes, limit))
        return damaged(fault, limit, "the file does not match its checksum");
    return THUD_OK;
}

static thud_checkpoint *make(const thud_allocator *allocator, size_t length)
{
    thud_allocator memory = thudi_allocator_or_default(allocator);
    thud_checkpoint *checkpoint = thudi_allocate_zeroed(&memory, sizeof *checkpoint);
    if (!checkpoint)
        return NULL;
    checkpoint->allocator = memory;
    checkpoint->length = length;
    // one more, so that there are bytes even of an empty file
    checkpoint->bytes = memory.resize(NULL, 0, length + 1, memory.user);
    if (checkpoint->bytes)
        return checkpoint;
    thudi_free(&memory, checkpoint, sizeof *checkpoint);
    return NULL;
}

static thud_status accept(thud_checkpoint *checkpoint, thud_checkpoint **out, thud_fault *fault)
{
    thud_status status = check_header(checkpoint, fault);
    if (status >= 0)
        status = check_sections(checkpoint, fault);
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
            memset(bytes + done, 0, length - done); // it has become shorter: its sum will not match
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
    thudi_free(&allocator, checkpoint->bytes, checkpoint->length + 1);
    thudi_free(&allocator, checkpoint, sizeof *checkpoint);
}

static bool find(const thud_checkpoint *checkpoint, const char *name,
                 thudi_checkpoint_section *section)
{
    for (uint32_t i = 0; i < checkpoint->section_count; i++)
    {
        *section = section_at(checkpoint, i);
        if (strcmp(section->name, name) == 0)
            return true;
    }
    return false;
}

uint32_t thudi_checkpoint_version(const thud_checkpoint *checkpoint)
{
    return checkpoint->version;
}

int64_t thud_checkpoint_count(const thud_checkpoint *checkpoint, const char *name)
{
    thudi_checkpoint_section section;
    return find(checkpoint, name, &section) ? (int64_t)section.count : -1;
}

thud_status thud_checkpoint_restore(const thud_checkpoint *checkpoint, const thud_field *fields,
                                    int count, thud_fault *fault)
{
    thudi_checkpoint_section section;
    for (int i = 0; i < count; i++)
    {
        if (find(checkpoint, fields[i].name, &section) && section.type == fields[i].type &&
            section.count == (uint64_t)fields[i].count)
            continue;
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_NOWHERE, "",
                          "the checkpoint has no '%s' that fits this run", fields[i].name);
    }
    for (int i = 0; i < count; i++)
        if (fields[i].count > 0 && find(checkpoint, fields[i].name, &section))
            memcpy(fields[i].data, checkpoint->bytes + section.offset,
                   section.count * thud_field_size(fields[i].type));
    return THUD_OK;
}

const char *thudi_checkpoint_difference(const thud_checkpoint *checkpoint, const thud_field *fields,
                                        int count)
{
    thudi_checkpoint_section section;
    for (int i = 0; i < count; i++)
    {
        size_t length = (size_t)fields[i].count * thud_field_size(fields[i].type);
        bool has_field = find(checkpoint, fields[i].name, &section);
        if (!has_field && checkpoint->version == 1)
            continue; // written before there was such a field: nothing is said
        if (!has_field || section.type != fields[i].type ||
            section.count != (uint64_t)fields[i].count ||
            (length > 0 && memcmp(checkpoint->bytes + section.offset, fields[i].data, length) != 0))
            return fields[i].name;
    }
    return NULL;
}
