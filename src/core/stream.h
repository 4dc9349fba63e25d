// A stream writes a file through a buffer. The file is called name.part until it is published. So
// no reader sees it before, and an older file with the final name stays if writing fails.
#ifndef THUDI_STREAM_H
#define THUDI_STREAM_H

#include "core/memory.h"

#include <sys/types.h>
#include <sys/uio.h>

enum
{
    THUDI_STREAM_BUFFER_SIZE = 1 << 16, // bytes
    THUDI_STREAM_NAME_SIZE = 256        // bytes, with the 0 at the end
};

typedef struct thudi_stream thudi_stream;

// What keeps the bytes of a stream in place of its file. A function that is NULL is not called.
typedef struct thudi_stream_target
{
    // Keep all the parts. Returns an errno value.
    int (*write)(thudi_stream *stream, const struct iovec *parts, int count);
    // As pread, for a stream that compares.
    ssize_t (*read)(thudi_stream *stream, void *to, size_t length, int64_t offset);
    // Wait until all of it is on the disk. Before the descriptor is closed.
    int (*sync)(thudi_stream *stream);
    int (*close)(thudi_stream *stream);
} thudi_stream_target;

// Functions return an errno value, 0 for no error. After an error nothing more is written, and all
// calls return this error.
struct thudi_stream
{
    int folder;     // descriptor of the folder, borrowed; not used if the file was adopted
    int fd;         // descriptor of the file; -1: the stream is not open
    int error;      // the first error, 0 for none
    bool published; // the file has its final name
    char name[THUDI_STREAM_NAME_SIZE];
    thud_allocator allocator;
    char *buffer;  // THUDI_STREAM_BUFFER_SIZE bytes
    size_t used;   // bytes that wait in the buffer
    int64_t bytes; // bytes written to the file
    uint32_t sum;  // their checksum
    // Write nothing, but compare with the file up to its byte `limit`. The error EILSEQ says that
    // they differ. `bytes` counts what was compared, and `sum` stays as it is.
    bool compares;
    int64_t limit;
    const thudi_stream_target *target; // NULL: the file itself
    void *kept;                        // the target's
};

// A stream that is not open.
#define THUDI_STREAM_CLOSED ((thudi_stream){.fd = -1})

// Begin the file name.part in the folder with that descriptor. An older file name.part is removed.
int thudi_stream_open(thudi_stream *stream, const thud_allocator *allocator, int folder,
                      const char *name);

// Continue a file that has its final name: append after its first `bytes` bytes, whose checksum is
// `sum`. The stream owns the descriptor from then on, even on failure.
int thudi_stream_adopt(thudi_stream *stream, const thud_allocator *allocator, const char *name,
                       int fd, int64_t bytes, uint32_t sum);

// Append through the buffer. A number has as many digits as reading the same double back needs.
int thudi_stream_write(thudi_stream *stream, const void *data, size_t length);
int thudi_stream_text(thudi_stream *stream, const char *text);
int thudi_stream_number(thudi_stream *stream, double x);
int thudi_stream_integer(thudi_stream *stream, int64_t x);
// Append a field of a CSV file, in quotes if it needs them.
int thudi_stream_field(thudi_stream *stream, const char *text);
// Write what waits in the buffer to the file.
int thudi_stream_flush(thudi_stream *stream);

// Append the parts without a copy in the buffer, and change `parts` on the way. The buffer must be
// empty: take what waits in it with thudi_stream_take_buffer, and make it the first part.
int thudi_stream_write_parts(thudi_stream *stream, struct iovec *parts, int count);

// Empty the buffer, and return what waited in it. The caller must write it before it writes
// anything else, because the bytes are still in the buffer.
struct iovec thudi_stream_take_buffer(thudi_stream *stream);

// Give the file its final name, and replace an older file of that name.
int thudi_stream_publish(thudi_stream *stream);

// Write the buffer, and wait until all bytes of the file are on the disk. Its name may not be there
// yet: for that the folder must be synced.
int thudi_stream_sync(thudi_stream *stream);

// Close the file without writing the buffer. A file that was not published is removed.
int thudi_stream_close(thudi_stream *stream);

// For a stream that was opened: write the buffer, sync it if wanted, close and publish. After an
// error the file is removed, and an older file with the final name stays.
int thudi_stream_finish(thudi_stream *stream, bool sync);

#endif
