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
    bool compares; // nothing is written: what would be is compared with the file,
    int64_t limit; // whose first bytes these are
} thudi_stream;

#define THUDI_STREAM_CLOSED ((thudi_stream){.fd = -1})

// Begin NAME, in the folder with that descriptor, as NAME.part. Whatever has that name is replaced.
int thudi_stream_open(thudi_stream *stream, const thud_allocator *allocator, int folder,
                      const char *name);

// Go on with a file that has its name already: append to the first `bytes` bytes, whose checksum is
// `sum`. The descriptor is the stream's from then on, whatever the result.
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

// Append what the parts hold, past the buffer, which must be empty or the first part (see
// thudi_stream_pending). The parts are used up.
int thudi_stream_gather(thudi_stream *stream, struct iovec *parts, int count);

// What is in the buffer, as a part to be gathered at once: it counts as written.
struct iovec thudi_stream_pending(thudi_stream *stream);

// Give the file its final name, in place of what has it.
int thudi_stream_publish(thudi_stream *stream);

// Write everything through to the disk.
int thudi_stream_sync(thudi_stream *stream);

// Close. What has not been published is removed.
int thudi_stream_close(thudi_stream *stream);

// Close and publish, after a sync if wanted: a whole file, or none.
int thudi_stream_finish(thudi_stream *stream, bool sync);

#endif
