// A stream writes a file through a buffer: see stream.h.
#include "core/stream.h"

#include "core/checksum.h"
#include "thud/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART_ENDING ".part"

static void write_part_name(const thudi_stream *stream,
                            char part[THUDI_STREAM_NAME_SIZE + sizeof PART_ENDING])
{
    (void)snprintf(part, THUDI_STREAM_NAME_SIZE + sizeof PART_ENDING, "%s" PART_ENDING,
                   stream->name);
}

int thudi_stream_open(thudi_stream *stream, const thud_allocator *allocator, int folder,
                      const char *name)
{
    *stream = (thudi_stream){.folder = folder, .fd = -1, .allocator = *allocator};
    if (strlen(name) >= THUDI_STREAM_NAME_SIZE)
        return stream->error = ENAMETOOLONG;
    (void)snprintf(stream->name, sizeof stream->name, "%s", name);
    stream->buffer = allocator->resize(NULL, 0, THUDI_STREAM_BUFFER_SIZE, allocator->user);
    if (!stream->buffer)
        return stream->error = ENOMEM;
    char part[THUDI_STREAM_NAME_SIZE + sizeof PART_ENDING];
    write_part_name(stream, part);
    // Remove what an earlier run left. It may be a link, and writing would change the link's
    // target.
    if (unlinkat(folder, part, 0) != 0 && errno != ENOENT)
        stream->error = errno;
    else
    {
        stream->fd = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (stream->fd < 0)
            stream->error = errno;
    }
    if (stream->error)
    {
        thudi_free(&stream->allocator, stream->buffer, THUDI_STREAM_BUFFER_SIZE);
        stream->buffer = NULL;
    }
    return stream->error;
}

int thudi_stream_adopt(thudi_stream *stream, const thud_allocator *allocator, const char *name,
                       int fd, int64_t bytes, uint32_t sum)
{
    *stream = (thudi_stream){
        .fd = fd, .allocator = *allocator, .bytes = bytes, .sum = sum, .published = true};
    (void)snprintf(stream->name, sizeof stream->name, "%s", name);
    stream->buffer = allocator->resize(NULL, 0, THUDI_STREAM_BUFFER_SIZE, allocator->user);
    if (!stream->buffer)
        return stream->error = ENOMEM;
    struct stat status;
    // a file that already has this length is not touched
    if (fstat(fd, &status) != 0 || (status.st_size != bytes && ftruncate(fd, bytes) != 0) ||
        lseek(fd, bytes, SEEK_SET) != bytes)
        stream->error = errno;
    return stream->error;
}

// Count the first `written` bytes of the parts, and add them to the checksum.
static void count_written(thudi_stream *stream, const struct iovec *parts, int count,
                          size_t written)
{
    size_t rest = written;
    stream->bytes += (int64_t)written;
    for (int i = 0; i < count && rest > 0; i++)
    {
        size_t length = parts[i].iov_len < rest ? parts[i].iov_len : rest;
        stream->sum = thudi_checksum(stream->sum, parts[i].iov_base, length);
        rest -= length;
    }
}

static ssize_t read_again(thudi_stream *stream, void *to, size_t length)
{
    if (stream->target && stream->target->read)
        return stream->target->read(stream, to, length, stream->bytes);
    return pread(stream->fd, to, length, stream->bytes);
}

// Compare a part with the next bytes of the file, up to `limit`. EILSEQ: they differ.
static int compare_part(thudi_stream *stream, const struct iovec *part)
{
    char block[4096];
    const char *bytes = part->iov_base;
    for (size_t done = 0; done < part->iov_len && stream->bytes < stream->limit;)
    {
        size_t length = part->iov_len - done < sizeof block ? part->iov_len - done : sizeof block;
        if (stream->limit - stream->bytes < (int64_t)length)
            length = (size_t)(stream->limit - stream->bytes);
        ssize_t got = read_again(stream, block, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return stream->error = errno;
        if (got == 0 || memcmp(block, bytes + done, (size_t)got) != 0)
            return stream->error = EILSEQ;
        done += (size_t)got;
        stream->bytes += got;
    }
    return 0;
}

static int compare_parts(thudi_stream *stream, const struct iovec *parts, int count)
{
    for (int i = 0; !stream->error && i < count; i++)
        (void)compare_part(stream, &parts[i]);
    return stream->error;
}

// Hand all parts to the target.
static int write_to_target(thudi_stream *stream, const struct iovec *parts, int count)
{
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length += parts[i].iov_len;
    if (!stream->error)
        stream->error = stream->target->write(stream, parts, count);
    if (!stream->error)
        count_written(stream, parts, count, length);
    return stream->error;
}

int thudi_stream_write_parts(thudi_stream *stream, struct iovec *parts, int count)
{
    if (stream->compares)
        return compare_parts(stream, parts, count);
    if (stream->target && stream->target->write)
        return write_to_target(stream, parts, count);
    // writev may write less than it is given: go on behind what it wrote
    for (int i = 0; !stream->error && i < count;)
    {
        ssize_t written = writev(stream->fd, parts + i, count - i);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            stream->error = errno;
        size_t rest = written > 0 ? (size_t)written : 0;
        count_written(stream, parts + i, count - i, rest);
        for (; i < count && rest >= parts[i].iov_len; i++)
            rest -= parts[i].iov_len;
        if (i < count)
        {
            parts[i].iov_base = (char *)parts[i].iov_base + rest;
            parts[i].iov_len -= rest;
            if (written == 0)
                stream->error = EIO; // nothing was written, and the system gave no reason
        }
    }
    return stream->error;
}

struct iovec thudi_stream_take_buffer(thudi_stream *stream)
{
    struct iovec part = {stream->buffer, stream->used};
    stream->used = 0;
    return part;
}

int thudi_stream_flush(thudi_stream *stream)
{
    if (stream->used == 0)
        return stream->error;
    struct iovec part = thudi_stream_take_buffer(stream);
    return thudi_stream_write_parts(stream, &part, 1);
}

int thudi_stream_write(thudi_stream *stream, const void *data, size_t length)
{
    const char *bytes = data;
    while (!stream->error && length > 0)
    {
        size_t free_bytes = THUDI_STREAM_BUFFER_SIZE - stream->used;
        size_t taken = length < free_bytes ? length : free_bytes;
        memcpy(stream->buffer + stream->used, bytes, taken);
        stream->used += taken;
        bytes += taken;
        length -= taken;
        if (stream->used == THUDI_STREAM_BUFFER_SIZE)
            (void)thudi_stream_flush(stream);
    }
    return stream->error;
}

int thudi_stream_text(thudi_stream *stream, const char *text)
{
    return thudi_stream_write(stream, text, strlen(text));
}

int thudi_stream_number(thudi_stream *stream, double x)
{
    char text[THUD_NUMBER_SIZE];
    return thudi_stream_text(stream, thud_number_write(text, x));
}

int thudi_stream_integer(thudi_stream *stream, int64_t x)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRId64, x);
    return thudi_stream_text(stream, text);
}

int thudi_stream_field(thudi_stream *stream, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")])
        return thudi_stream_text(stream, text);
    (void)thudi_stream_text(stream, "\"");
    for (const char *c = text; *c; c++)
    {
        if (*c == '"')
            (void)thudi_stream_text(stream, "\"");
        (void)thudi_stream_write(stream, c, 1);
    }
    return thudi_stream_text(stream, "\"");
}

int thudi_stream_publish(thudi_stream *stream)
{
    char part[THUDI_STREAM_NAME_SIZE + sizeof PART_ENDING];
    write_part_name(stream, part);
    if (stream->error)
        return stream->error;
    if (renameat(stream->folder, part, stream->folder, stream->name) != 0)
        stream->error = errno;
    else
        stream->published = true;
    return stream->error;
}

int thudi_stream_sync(thudi_stream *stream)
{
    int result;
    (void)thudi_stream_flush(stream);
    if (stream->target && stream->target->sync)
        return stream->error ? stream->error : (stream->error = stream->target->sync(stream));
    do // after an error too: what was written before it must reach the disk
        result = fsync(stream->fd);
    while (result != 0 && errno == EINTR);
    if (result != 0 && !stream->error)
        stream->error = errno;
    return stream->error;
}

// Close the descriptor. Some file systems report a failed write only now.
static void close_file(thudi_stream *stream)
{
    int error = stream->target && stream->target->close ? stream->target->close(stream) : 0;
    stream->target = NULL;
    if (error && !stream->error)
        stream->error = error;
    if (stream->fd < 0)
        return;
    // after EINTR the descriptor is closed, too
    if (close(stream->fd) != 0 && errno != EINTR && !stream->error)
        stream->error = errno;
    stream->fd = -1;
}

// Remove the file if it was not published, and free the buffer.
static void clean_up(thudi_stream *stream)
{
    if (!stream->published)
    {
        char part[THUDI_STREAM_NAME_SIZE + sizeof PART_ENDING];
        write_part_name(stream, part);
        (void)unlinkat(stream->folder, part, 0);
    }
    thudi_free(&stream->allocator, stream->buffer, THUDI_STREAM_BUFFER_SIZE);
    stream->buffer = NULL;
}

int thudi_stream_close(thudi_stream *stream)
{
    if (stream->fd < 0 && !stream->target)
        return stream->error;
    close_file(stream);
    clean_up(stream);
    return stream->error;
}

int thudi_stream_finish(thudi_stream *stream, bool sync)
{
    if (stream->fd < 0)
        return stream->error;
    if (sync)
        (void)thudi_stream_sync(stream);
    (void)thudi_stream_flush(stream);
    close_file(stream);
    (void)thudi_stream_publish(stream);
    clean_up(stream);
    return stream->error;
}
