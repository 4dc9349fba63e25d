// Reads a log in HDF5 files: its bytes are those of frames.h5, then those of each frame, then those
// of the tail. A file that is damaged or missing stands there as bytes that begin no record.
#include "core/fault.h"
#include "record/hdf5/log_hdf5.h"
#include "record/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    SCRAPS = 8 // zeros behind the log that stand for a file that was not finished
};

static thud_status damaged(const thudi_log_source *source, thud_fault *fault, const char *what)
{
    return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(source->path, THUDI_H5_NAME), "",
                      "damaged at byte 0: %s", what);
}

// Read what frames.h5 says of itself.
static thud_status read_about(thudi_log_source *source, thudi_h5_log *log, thud_fault *fault)
{
    const char *wrong;
    struct stat look;
    if (fstat(source->fd, &look) != 0)
        return thudi_fail_io(fault, THUDI_IN(source->path, THUDI_H5_NAME), "inspect the file",
                             errno);
    source->stored = look.st_size;
    size_t got;
    int error = thudi_h5_read_file(source->fd, &log->all, sizeof log->all, THUDI_H5_HEADS_AT, &got);
    if (error)
        return thudi_fail_io(fault, THUDI_IN(source->path, THUDI_H5_NAME), "read", error);
    if (!thudi_h5_about_is_sound(&log->all, got, &wrong))
        return damaged(source, fault, wrong);
    return THUD_OK;
}

// Find what is there of frames. It comes after frames.h5 is read: a run that is being written links
// only frames that are there.
static thud_status list_frames(thudi_log_source *source, int folder, thudi_h5_listing *found,
                               thud_fault *fault)
{
    thudi_h5_log *log = source->kept;
    const thudi_at at = THUDI_IN(source->path, THUDI_H5_FOLDER);
    *found = (thudi_h5_listing){0};
    log->folder = thudi_h5_folder(folder);
    if (log->folder < 0 && errno == ENOENT)
        return THUD_OK;
    if (log->folder < 0 && (errno == ENOTDIR || errno == ELOOP))
        return thudi_fail(fault, THUD_ERR_RECORD, at, "put the folder itself there",
                          "it is not a folder; links in a run directory are not followed");
    if (log->folder < 0)
        return thudi_fail_io(fault, at, "open the folder", errno);
    int error = thudi_h5_list(log->folder, found, NULL);
    if (error)
        return thudi_fail_io(fault, at, "read", error);
    if (thudi_h5_is_far(found, found->frames))
        return thudi_fail(fault, THUD_ERR_RECORD, at, "remove the file if it is not of this run",
                          "frame %lld is there, but only %lld files are",
                          (long long)found->frames - 1, (long long)found->files);
    return THUD_OK;
}

// Compare frames.h5, all of it, with what it should be.
static thud_status compare_about(thudi_log_source *source, thudi_h5_log *log,
                                 const thudi_h5_listing *found, thud_fault *fault)
{
    size_t got;
    thudi_h5_all own = log->all;
    if (own.about.frames > source->stored / 32) // a link has more bytes
        return damaged(source, fault, "the file is shorter than its links");
    if (thudi_h5_is_far(found, own.about.frames))
        return damaged(source, fault, "it links far more frames than there are files");
    thudi_h5_make_about(&log->image, &own);
    if (log->image.has_failed ||
        thudi_array_reserve(&source->allocator, &log->found, log->image.used + 1) < 0)
        return thudi_fail_memory(fault);
    int error = thudi_h5_read_file(source->fd, log->found.items, log->image.used + 1, 0, &got);
    if (error)
        return thudi_fail_io(fault, THUDI_IN(source->path, THUDI_H5_NAME), "read", error);
    if (got != log->image.used ||
        memcmp(log->found.items, log->image.list.items, log->image.used) != 0)
        return damaged(source, fault, "it is not as Thud writes it");
    return THUD_OK;
}

// Append a segment. Fails with an errno value.
static int add_segment(thudi_log_source *source, int64_t number, bool is_tail)
{
    thudi_h5_log *log = source->kept;
    uint64_t size = 0;
    if (thudi_array_reserve(&source->allocator, &log->segments, log->count + 1) < 0)
        return ENOMEM;
    thudi_h5_segment *segment = &log->segments.items[log->count];
    *segment = (thudi_h5_segment){.begin = source->size, .number = number, .is_tail = is_tail};
    int error = 0;
    if (number < 0)
        segment->length =
            (int64_t)(THUDI_H5_LOG_HEAD + thudi_h5_name_count(&log->all) * sizeof *log->all.names);
    else
        error = thudi_h5_load(log, &source->allocator, log->count, &size);
    source->size += segment->length;
    source->stored += (int64_t)size;
    log->count++;
    return error;
}

// The tail counts only if no frame has taken its hashes over.
static int add_tail(thudi_log_source *source)
{
    thudi_h5_log *log = source->kept;
    log->is_old = false;
    int error = add_segment(source, log->frames, true);
    if (!error && log->is_old)
        source->size -= log->segments.items[--log->count].length;
    return error;
}

static int add_segments(thudi_log_source *source, const thudi_h5_listing *found)
{
    thudi_h5_log *log = source->kept;
    int error = add_segment(source, -1, false);
    log->frames = found->frames;
    log->has_scraps = found->has_scraps;
    for (int64_t i = 0; !error && i < found->frames; i++)
        error = add_segment(source, i, false);
    if (!error && found->has_tail)
        error = add_tail(source);
    if (found->has_scraps)
        source->size += SCRAPS;
    return error;
}

thud_status thudi_h5_open(thudi_log_source *source, int folder, int flags, thud_fault *fault)
{
    thudi_h5_listing found;
    thudi_h5_log *log = thudi_allocate_zeroed(&source->allocator, sizeof *log);
    if (!log)
        return thudi_fail_memory(fault);
    source->kept = log;
    log->fd = log->folder = -1;
    log->image.allocator = source->allocator;
    THUD_TRY(thudi_run_file_open(folder, source->path, THUDI_H5_NAME, flags, &source->fd, fault));
    THUD_TRY(read_about(source, log, fault));
    THUD_TRY(list_frames(source, folder, &found, fault));
    THUD_TRY(compare_about(source, log, &found, fault));
    int error = add_segments(source, &found);
    return error ? thudi_fail_io(fault, THUDI_IN(source->path, THUDI_H5_FOLDER), "read", error)
                 : THUD_OK;
}

void thudi_h5_close(thudi_log_source *source)
{
    if (source->kept)
        thudi_h5_log_free(source->kept, &source->allocator);
    source->kept = NULL;
}

// The segment with that byte; the number of segments if it is behind all.
static size_t segment_of(const thudi_h5_log *log, int64_t offset)
{
    size_t low = 0, high = log->count; // the first that ends behind the byte
    while (low < high)
    {
        size_t middle = (low + high) / 2;
        const thudi_h5_segment *segment = &log->segments.items[middle];
        if (segment->begin + segment->length <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Bytes of the log that stand together in memory, or in the file.
typedef struct piece
{
    uint64_t length;
    const void *memory; // NULL: in the file,
    uint64_t at;        // from here on
} piece;

// The piece of a file of a frame with that byte, which is moved to be counted from its beginning.
static piece piece_of(const thudi_h5_log *log, uint64_t *offset)
{
    const thudi_h5_heads *heads = &log->heads;
    uint64_t at = heads->data, steps = heads->steps * sizeof(thudi_log_step);
    if (*offset < steps)
        return (piece){steps, log->steps.items, at};
    *offset -= steps;
    at += heads->steps * sizeof(thudi_h5_node);
    if (*offset < sizeof heads->record)
        return (piece){sizeof heads->record, &heads->record, THUDI_H5_HEADS_AT};
    *offset -= sizeof heads->record;
    for (uint64_t i = 0; i < heads->record.blocks; i++)
    {
        const thudi_block *block = &heads->blocks[i];
        uint64_t items = thudi_block_length(block) - sizeof *block;
        if (*offset < sizeof *block)
            return (piece){sizeof *block, block, at};
        *offset -= sizeof *block;
        if (*offset < items)
            return (piece){items, NULL, at};
        *offset -= items;
        at += items;
    }
    return (piece){0};
}

static ssize_t read_piece(const piece *from, int fd, void *to, size_t length, uint64_t offset)
{
    if (from->length - offset < length)
        length = (size_t)(from->length - offset);
    if (!from->memory)
        return pread(fd, to, length, (off_t)(from->at + offset));
    memcpy(to, (const char *)from->memory + offset, length);
    return (ssize_t)length;
}

static ssize_t read_segment(thudi_log_source *source, size_t which, void *to, size_t length,
                            uint64_t offset)
{
    uint64_t size;
    thudi_h5_log *log = source->kept;
    thudi_h5_segment *segment = &log->segments.items[which];
    if ((uint64_t)segment->length - offset < length)
        length = (size_t)((uint64_t)segment->length - offset);
    if (which == 0)
    {
        memcpy(to, (const char *)&log->all.about.header + offset, length);
        return (ssize_t)length;
    }
    int error = segment->wrong || log->open == which
                    ? 0
                    : thudi_h5_load(log, &source->allocator, which, &size);
    if (error)
    {
        errno = error;
        return -1;
    }
    if (segment->wrong)
    {
        memset(to, 255, length); // begins no record
        return (ssize_t)length;
    }
    piece from = piece_of(log, &offset);
    return read_piece(&from, log->fd, to, length, offset);
}

ssize_t thudi_h5_read(thudi_log_source *source, void *to, size_t length, int64_t offset)
{
    thudi_h5_log *log = source->kept;
    size_t which = segment_of(log, offset);
    if (which < log->count)
        return read_segment(source, which, to, length,
                            (uint64_t)(offset - log->segments.items[which].begin));
    if (offset >= source->size)
        return 0;
    if ((uint64_t)(source->size - offset) < length)
        length = (size_t)(source->size - offset);
    memset(to, 0, length); // scraps
    return (ssize_t)length;
}

void thudi_h5_find(thudi_log_source *source, int64_t offset, thudi_log_place *place)
{
    thudi_h5_log *log = source->kept;
    size_t which = segment_of(log, offset);
    if (which == 0 || which >= log->count)
        return;
    const thudi_h5_segment *segment = &log->segments.items[which];
    char name[32] = THUDI_H5_TAIL;
    if (!segment->is_tail)
        thudi_h5_frame_name(name, segment->number);
    (void)snprintf(place->file, sizeof place->file, THUDI_H5_FOLDER "/%s", name);
    place->wrong = segment->wrong;
    place->offset = 0;
    if (segment->wrong || log->open != which)
        return;
    uint64_t within = (uint64_t)(offset - segment->begin);
    piece from = piece_of(log, &within);
    place->offset = (int64_t)(from.memory ? from.at : from.at + within);
}

bool thudi_h5_find_wrong(thudi_log_source *source, thudi_log_place *place)
{
    const thudi_h5_log *log = source->kept;
    for (size_t i = 0; i < log->count; i++)
        if (log->segments.items[i].wrong)
        {
            thudi_h5_find(source, log->segments.items[i].begin, place);
            return true;
        }
    return false;
}

const char *thudi_h5_compare_shown(thudi_log_source *source, const thud_log_units *units,
                                   bool is_over)
{
    thudi_h5_about own;
    const thudi_h5_log *log = source->kept;
    const thudi_h5_about *about = &log->all.about;
    thudi_h5_set_units(&own, units);
    if (memcmp(own.units, about->units, sizeof own.units) != 0)
        return "its units are not those of the scene";
    if (about->frames > log->frames)
        return "it links frames that are not there";
    return is_over && about->frames != log->frames ? "it does not link all frames" : NULL;
}
