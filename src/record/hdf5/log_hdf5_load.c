// Opens a file of a frame. Its metadata must be, byte for byte, those that this Thud would write
// for what the first attribute says. So nothing that an HDF5 library reads there can say another
// thing than what Thud reads, and no number of the file is used before it is checked.
#include "record/hdf5/log_hdf5.h"

#include "core/checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void thudi_h5_log_free(thudi_h5_log *log, const thud_allocator *allocator)
{
    if (log->fd >= 0)
        (void)close(log->fd);
    if (log->folder >= 0)
        (void)close(log->folder);
    thudi_array_free(allocator, &log->segments);
    thudi_array_free(allocator, &log->steps);
    thudi_array_free(allocator, &log->found);
    thudi_h5_free(&log->image);
    thudi_free(allocator, log, sizeof *log);
}

int thudi_h5_read_file(int fd, void *to, size_t length, uint64_t offset, size_t *read)
{
    *read = 0;
    while (*read < length)
    {
        ssize_t got = pread(fd, (char *)to + *read, length - *read, (off_t)(offset + *read));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            break;
        *read += (size_t)got;
    }
    return 0;
}

// The hashes before the frame, as they are in the log.
static int load_steps(thudi_h5_log *log, const thud_allocator *allocator, const char **wrong)
{
    thudi_h5_node nodes[256] = {0};
    uint32_t sum = 0;
    uint64_t all = log->heads.steps;
    for (uint64_t done = 0; done < all && !*wrong;)
    {
        size_t read, count = all - done < 256 ? (size_t)(all - done) : 256;
        // piece by piece: in a hole of the file the numbers are not in order
        if (thudi_array_reserve(allocator, &log->steps, (size_t)done + count) < 0)
            return ENOMEM;
        int error = thudi_h5_read_file(log->fd, nodes, count * sizeof *nodes,
                                       log->heads.data + done * sizeof *nodes, &read);
        if (error)
            return error;
        sum = thudi_checksum(sum, nodes, read);
        for (size_t i = 0; i < count; i++)
        {
            thudi_log_step step = {
                .type = THUDI_LOG_STEP, .n = nodes[i].node, .chain = nodes[i].hash};
            step.sum = thudi_checksum(0, &step, sizeof step);
            if (done + i > 0 && (uint64_t)step.n - (uint64_t)log->steps.items[done + i - 1].n != 1)
                *wrong = "steps are missing or repeated";
            log->steps.items[done + i] = step;
        }
        done += count;
    }
    if (!*wrong && sum != log->heads.steps_sum)
        *wrong = "the hashes of the nodes do not match their checksum";
    return 0;
}

// How many bodies share the coordinates, from the items of ids.
static int load_bodies(thudi_h5_log *log, uint64_t *bodies)
{
    thud_id_range ids[64];
    uint64_t at = log->heads.data + log->heads.steps * sizeof(thudi_h5_node);
    int which = thudi_h5_ids_block(&log->all, &log->heads);
    *bodies = 0;
    for (int i = 0; i < which; i++)
        at += thudi_block_length(&log->heads.blocks[i]) - sizeof(thudi_block);
    uint64_t count = which < 0 ? 0 : log->heads.blocks[which].count;
    for (uint64_t done = 0; done < count; done += 64)
    {
        size_t read, some = count - done < 64 ? (size_t)(count - done) : 64;
        int error =
            thudi_h5_read_file(log->fd, ids, some * sizeof *ids, at + done * sizeof *ids, &read);
        uint64_t more = error ? 0 : thudi_h5_bodies(ids, read / sizeof *ids);
        *bodies = more > 0 ? *bodies + more : 0;
        if (error || more == 0)
            return error;
    }
    return 0;
}

// Compare the metadata of the file with those that it should have.
static int compare(thudi_h5_log *log, const thud_allocator *allocator, const char **wrong)
{
    uint64_t bodies;
    size_t read = 0, length = (size_t)log->heads.data;
    int error = load_bodies(log, &bodies);
    if (error)
        return error;
    thudi_h5_heads own = log->heads;
    thudi_h5_make_frame(&log->image, &log->all, &own, bodies);
    bool has_failed = log->image.has_failed;
    log->image.has_failed = false;
    // before memory is asked for: the file says this length, and may have holes
    bool fits = log->image.used == length;
    if (has_failed || (fits && thudi_array_reserve(allocator, &log->found, length + 1) < 0))
        return ENOMEM;
    if (fits)
        error = thudi_h5_read_file(log->fd, log->found.items, length, 0, &read);
    if (!error &&
        (!fits || read != length || memcmp(log->image.list.items, log->found.items, length) != 0))
        *wrong = "it is not as Thud writes it";
    return error;
}

static int check_file(thudi_h5_log *log, const thud_allocator *allocator,
                      const thudi_h5_segment *segment, uint64_t size, const char **wrong)
{
    size_t read;
    int error =
        thudi_h5_read_file(log->fd, &log->heads, sizeof log->heads, THUDI_H5_HEADS_AT, &read);
    if (error || !thudi_h5_heads_are_sound(&log->heads, read, size, wrong))
        return error;
    if (segment->is_tail) // the frames that are loaded after it say nothing of it
        log->is_old = log->heads.has_frame == 0 && log->heads.number < segment->number;
    if (log->heads.has_frame == segment->is_tail || log->heads.number != segment->number)
        *wrong = "it holds another frame than its name says";
    if (!*wrong)
        error = compare(log, allocator, wrong);
    if (!error && !*wrong)
        error = load_steps(log, allocator, wrong);
    return error;
}

static int open_file(thudi_h5_log *log, const thudi_h5_segment *segment, uint64_t *size,
                     const char **wrong)
{
    char name[32] = THUDI_H5_TAIL;
    struct stat look;
    if (!segment->is_tail)
        thudi_h5_frame_name(name, segment->number);
    log->fd = openat(log->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (log->fd < 0 && errno == ENOENT)
        *wrong = "the file is missing";
    else if (log->fd < 0 && errno == ELOOP)
        *wrong = "it is a link; links in a run directory are not followed";
    else if (log->fd < 0 || fstat(log->fd, &look) != 0)
        return errno;
    else if (!S_ISREG(look.st_mode))
        *wrong = "it is not a regular file";
    else
        *size = (uint64_t)look.st_size;
    return 0;
}

int thudi_h5_load(thudi_h5_log *log, const thud_allocator *allocator, size_t which, uint64_t *size)
{
    const int64_t unknown = 64; // bytes that stand for a file of which nothing is known
    thudi_h5_segment *segment = &log->segments.items[which];
    const char *wrong = NULL;
    *size = 0;
    if (log->fd >= 0)
        (void)close(log->fd);
    log->fd = -1;
    log->open = 0;
    int error = open_file(log, segment, size, &wrong);
    if (!error && !wrong)
        error = check_file(log, allocator, segment, *size, &wrong);
    if (error)
        return error;
    bool is_first = segment->length == 0;
    int64_t length = wrong ? unknown : (int64_t)thudi_h5_log_length(&log->heads);
    if (is_first)
        segment->length = length;
    else if (!wrong && segment->length != length)
        wrong = "the file has changed";
    segment->wrong = wrong;
    log->open = wrong ? 0 : which;
    return 0;
}
