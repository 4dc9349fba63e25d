// A file being written: under a temporary name until it is published.
#ifndef THUDI_STREAM_H
#define THUDI_STREAM_H

#include "core/memory.h"

#include <sys/uio.h>

enum
{
    THUDI_STREAM_ROOM = 1 << 16,
    THUDI_STREAM_NAME = 256
};

// Errors are those of errno; the first one stays. {.fd = -1} is a closed stream.
typedef struct thudi_stream
{
    int folder, fd; // the folder is borrowed
    int error;
    bool published;
    char name[THUDI_STREAM_NAME];
    thud_allocator allocator;
    char *buffer; // THUDI_STREAM_ROOM bytes
    size_t used;
    int64_t bytes; // handed to the system,
    uint32_t sum;  // and their checksum
    bool compares; // write nothing: compare with the file instead,
    int64_t limit; // up to this length
} thudi_stream;

#define THUDI_STREAM_CLOSED ((thudi_stream){.fd = -1})

// Begin NAME as NAME.part, in the folder with that descriptor. An older file NAME.part is replaced.
int thudi_stream_open(thudi_stream *stream, const thud_allocator *allocator, int folder,
                      const char *name);

// Continue a file that has its final name: append after its first `bytes` bytes, whose checksum is
// `sum`. The stream owns the descriptor from then on, even on failure.
int thudi_stream_adopt(thudi_stream *stream, const thud_allocator *allocator, const char *name,
                       int fd, int64_t bytes, uint32_t sum);

// Append, by way of the buffer.
int thudi_stream_write(thudi_stream *stream, const void *data, size_t length);
int thudi_stream_text(thudi_stream *stream, const char *text);
int thudi_stream_number(thudi_stream *stream, double x);
int thudi_stream_integer(thudi_stream *stream, int64_t x);
// A field of a CSV file: quoted where it must be.
int thudi_stream_field(thudi_stream *stream, const char *text);
// Hand the buffer to the system.
int thudi_stream_flush(thudi_stream *stream);

// Append the parts without copying them to the buffer. The buffer must be empty, or be the first
// part (see thudi_stream_pending). The call changes the parts.
int thudi_stream_gather(thudi_stream *stream, struct iovec *parts, int count);

// The content of the buffer as a part. It counts as written, so it must be gathered at once.
struct iovec thudi_stream_pending(thudi_stream *stream);

// Give the file its final name, and replace an older file of that name.
int thudi_stream_publish(thudi_stream *stream);

// Write everything through to the disk.
int thudi_stream_sync(thudi_stream *stream);

// Close. A file that was not published is removed.
int thudi_stream_close(thudi_stream *stream);

// Close and publish, after a sync if wanted. The result is a whole file, or none.
int thudi_stream_finish(thudi_stream *stream, bool sync);

#endif
