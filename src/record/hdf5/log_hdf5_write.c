// Writes a log in HDF5 files. Each frame has a file of its own, with the hashes of the nodes before
// it. The file is written under a temporary name, goes to the disk, and then gets its own name. So
// a frame is there whole, or not at all. Hashes behind the last frame wait in memory; a checkpoint
// writes them to the tail, in the same way.
#include "record/hdf5/log_hdf5.h"

#include "core/checksum.h"
#include "record/frame_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int close_writer(thudi_stream *stream)
{
    thudi_h5_writer *w = stream->kept;
    thud_allocator allocator = stream->allocator;
    if (w->folder >= 0)
        (void)close(w->folder);
    thudi_array_free(&allocator, &w->waiting);
    thudi_array_free(&allocator, &w->nodes);
    thudi_h5_free(&w->image);
    thudi_free(&allocator, w, sizeof *w);
    stream->kept = NULL;
    return 0;
}

static int write_all(int fd, struct iovec *parts, int count)
{
    for (int i = 0; i < count;)
    {
        ssize_t written = writev(fd, parts + i, count - i);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        size_t rest = (size_t)written;
        for (; i < count && rest >= parts[i].iov_len; i++)
            rest -= parts[i].iov_len;
        if (i < count && written == 0)
            return EIO; // nothing was written, and the system gave no reason
        if (i < count)
        {
            parts[i].iov_base = (char *)parts[i].iov_base + rest;
            parts[i].iov_len -= rest;
        }
    }
    return 0;
}

int thudi_h5_sync_descriptor(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL ? 0 : errno; // this file system cannot sync a folder
    return 0;
}

// Write a file of these parts under its temporary name, through to the disk; with `named`, give it
// its own name.
static int write_file(int folder, const char *name, struct iovec *parts, int count, bool named)
{
    char part[THUDI_LOG_FILE_NAME];
    (void)snprintf(part, sizeof part, "%s" THUDI_H5_PART, name);
    if (unlinkat(folder, part, 0) != 0 && errno != ENOENT)
        return errno;
    int fd = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = write_all(fd, parts, count);
    if (!error)
        error = thudi_h5_sync_descriptor(fd);
    if (close(fd) != 0 && errno != EINTR && !error)
        error = errno;
    if (!error && named && renameat(folder, part, folder, name) != 0)
        error = errno;
    if (error)
        (void)unlinkat(folder, part, 0);
    return error;
}

// Keep the name of the file that fails, for the message.
static int failed(thudi_stream *stream, const char *file, int error)
{
    if (error)
        (void)snprintf(stream->name, sizeof stream->name, THUDI_H5_FOLDER "/%s", file);
    return error;
}

int thudi_h5_make_folder(thudi_h5_writer *w)
{
    if (w->folder >= 0)
        return 0;
    if (mkdirat(w->run, THUDI_H5_FOLDER, 0777) != 0 && errno != EEXIST)
        return errno;
    w->folder = thudi_h5_folder(w->run);
    return w->folder < 0 ? errno : 0;
}

int thudi_h5_write_about(thudi_h5_writer *w, bool named)
{
    w->all.about.frames = named ? w->frames : 0;
    thudi_h5_make_about(&w->image, &w->all);
    struct iovec part = {w->image.list.items, w->image.used};
    if (w->image.has_failed)
        return ENOMEM;
    return write_file(w->run, THUDI_H5_NAME, &part, 1, named);
}

// The header and the names: the first bytes of a log.
static int take_head(thudi_h5_writer *w, const struct iovec *part)
{
    const size_t most = sizeof w->all - offsetof(thudi_h5_about, header);
    if (part->iov_len > most)
        return EFBIG;
    memcpy(&w->all.about.header, part->iov_base, part->iov_len);
    w->has_begun = true;
    return thudi_h5_write_about(w, false);
}

static int wait_for_frame(thudi_stream *stream, const struct iovec *part)
{
    thudi_h5_writer *w = stream->kept;
    if (thudi_array_reserve(&stream->allocator, &w->waiting, w->used + part->iov_len + 1) < 0)
        return ENOMEM;
    if (part->iov_len > 0)
        memcpy(w->waiting.items + w->used, part->iov_base, part->iov_len);
    w->used += part->iov_len;
    return 0;
}

// Turn what waits into items.
static int make_nodes(thudi_stream *stream)
{
    thudi_h5_writer *w = stream->kept;
    size_t count = w->used / sizeof(thudi_log_step);
    if (thudi_array_reserve(&stream->allocator, &w->nodes, count + 1) < 0)
        return ENOMEM;
    for (size_t i = 0; i < count; i++)
    {
        thudi_log_step step;
        memcpy(&step, w->waiting.items + i * sizeof step, sizeof step);
        w->nodes.items[i] = (thudi_h5_node){step.n, step.chain};
    }
    w->heads.steps = count;
    w->heads.steps_sum = thudi_checksum(0, w->nodes.items, count * sizeof *w->nodes.items);
    return 0;
}

// Write the file of a frame, or the tail, of the heads that are set. items: of blocks.
static int write_heads(thudi_stream *stream, const char *name, const struct iovec *items, int count,
                       uint64_t bodies)
{
    static char zeros[8];
    thudi_h5_writer *w = stream->kept;
    struct iovec parts[2 + 2 * THUDI_FRAME_BLOCKS];
    int error = make_nodes(stream), used = 2;
    if (error)
        return error;
    w->heads.number = w->frames;
    thudi_h5_make_frame(&w->image, &w->all, &w->heads, bodies);
    if (w->image.has_failed)
        return ENOMEM;
    parts[0] = (struct iovec){w->image.list.items, w->image.used};
    parts[1] = (struct iovec){w->nodes.items, w->heads.steps * sizeof *w->nodes.items};
    for (int i = 0; i < count; i++)
    {
        parts[used++] = items[2 * i + 1]; // the head of the block stands before them
        parts[used++] = (struct iovec){zeros, thudi_block_zeros(&w->heads.blocks[i])};
    }
    error = thudi_h5_make_folder(w);
    return error ? error : write_file(w->folder, name, parts, used, true);
}

// A frame: what waits, its head, then head and items of each block.
static int take_frame(thudi_stream *stream, const struct iovec *parts, int count)
{
    char name[32];
    uint64_t bodies = 0;
    thudi_h5_writer *w = stream->kept;
    int blocks = (count - 2) / 2, error = wait_for_frame(stream, &parts[0]);
    if (error)
        return error;
    w->heads.has_frame = 1;
    memcpy(&w->heads.record, parts[1].iov_base, sizeof w->heads.record);
    for (int i = 0; i < blocks; i++)
        memcpy(&w->heads.blocks[i], parts[2 + 2 * i].iov_base, sizeof *w->heads.blocks);
    int ids = thudi_h5_ids_block(&w->all, &w->heads);
    if (ids >= 0)
        bodies = thudi_h5_bodies(parts[3 + 2 * ids].iov_base, w->heads.blocks[ids].count);
    thudi_h5_frame_name(name, w->frames);
    error = write_heads(stream, name, parts + 2, blocks, bodies);
    if (error)
        return failed(stream, name, error);
    w->frames++;
    w->used = 0;
    return 0;
}

// Header and names come first; then either a part with steps, or a frame.
static int take_parts(thudi_stream *stream, const struct iovec *parts, int count)
{
    thudi_h5_writer *w = stream->kept;
    if (!w->has_begun)
        return take_head(w, &parts[0]);
    return count > 1 ? take_frame(stream, parts, count) : wait_for_frame(stream, &parts[0]);
}

// Write the tail, or remove one that has no more use. A tail is replaced only when the frame that
// has taken its hashes over is on the disk.
int thudi_h5_write_tail(thudi_stream *stream)
{
    thudi_h5_writer *w = stream->kept;
    if (w->used == 0 && w->tail_frames >= 0)
    {
        if (unlinkat(w->folder, THUDI_H5_TAIL, 0) != 0 && errno != ENOENT)
            return failed(stream, THUDI_H5_TAIL, errno);
        w->tail_frames = -1;
        return 0;
    }
    if (w->used == 0 || (w->tail_frames == w->frames && w->tail_used == w->used))
        return 0;
    w->heads.has_frame = 0;
    int error = write_heads(stream, THUDI_H5_TAIL, NULL, 0, 0);
    if (error)
        return failed(stream, THUDI_H5_TAIL, error);
    w->tail_frames = w->frames;
    w->tail_used = w->used;
    return 0;
}

static int sync_writer(thudi_stream *stream)
{
    thudi_h5_writer *w = stream->kept;
    bool is_old = w->all.about.frames != w->frames;
    int error = w->folder >= 0 ? thudi_h5_sync_descriptor(w->folder) : 0;
    if (!error)
        error = thudi_h5_write_tail(stream);
    if (!error && w->folder >= 0)
        error = thudi_h5_sync_descriptor(w->folder);
    if (!error && is_old && stream->published)
        error = thudi_h5_write_about(w, true);
    return error ? error : thudi_h5_sync_descriptor(w->run);
}

int thudi_h5_make_writer(thudi_stream *stream, const thud_allocator *allocator, int run)
{
    static const thudi_stream_target target = {
        .write = take_parts, .sync = sync_writer, .close = close_writer};
    *stream = (thudi_stream){.folder = run, .fd = -1, .allocator = *allocator};
    (void)snprintf(stream->name, sizeof stream->name, "%s", THUDI_H5_NAME);
    stream->buffer = allocator->resize(NULL, 0, THUDI_STREAM_BUFFER_SIZE, allocator->user);
    thudi_h5_writer *w = thudi_allocate_zeroed(allocator, sizeof *w);
    stream->fd = openat(run, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!stream->buffer || !w || stream->fd < 0)
    {
        stream->error = stream->buffer && w ? errno : ENOMEM;
        if (stream->fd >= 0)
            (void)close(stream->fd);
        thudi_free(allocator, stream->buffer, THUDI_STREAM_BUFFER_SIZE);
        thudi_free(allocator, w, sizeof *w);
        stream->fd = -1;
        stream->buffer = NULL;
        return stream->error;
    }
    w->run = stream->fd;
    w->folder = -1;
    w->tail_frames = -1;
    w->image.allocator = *allocator;
    stream->kept = w;
    stream->target = &target;
    return 0;
}

int thudi_h5_begin(thudi_stream *stream, const thudi_log_begin *how)
{
    int error = thudi_h5_make_writer(stream, how->allocator, how->folder);
    if (error)
        return error;
    thudi_h5_writer *w = stream->kept;
    thudi_h5_set_units(&w->all.about, how->units);
    return 0;
}
