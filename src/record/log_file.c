// The log as one file, frames.thud: its bytes are those of the log.
#include "core/fault.h"
#include "record/log_form.h"
#include "record/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static thud_status open_file(thudi_log_source *source, int folder, int flags, thud_fault *fault)
{
    struct stat look;
    THUD_TRY(thudi_run_file_open(folder, source->path, THUDI_LOG_NAME, flags, &source->fd, fault));
    if (fstat(source->fd, &look) != 0)
        return thudi_fail_io(fault, THUDI_IN(source->path, THUDI_LOG_NAME), "inspect the file",
                             errno);
    source->size = source->stored = look.st_size;
    return THUD_OK;
}

static ssize_t read_file(thudi_log_source *source, void *to, size_t length, int64_t offset)
{
    return pread(source->fd, to, length, offset);
}

static void close_file(thudi_log_source *source)
{
    (void)source; // the descriptor is all there is
}

static int begin(thudi_stream *stream, const thudi_log_begin *how)
{
    return thudi_stream_open(stream, how->allocator, how->folder, THUDI_LOG_NAME);
}

static int adopt(thudi_stream *stream, const thud_allocator *allocator, thudi_log_source *source,
                 int64_t bytes, uint32_t sum)
{
    int fd = source->fd;
    source->fd = -1;
    thudi_log_source_close(source);
    return thudi_stream_adopt(stream, allocator, THUDI_LOG_NAME, fd, bytes, sum);
}

const thudi_log_table thudi_log_in_file = {
    .name = "thud",
    .file = THUDI_LOG_NAME,
    .open = open_file,
    .read = read_file,
    .close = close_file,
    .begin = begin,
    .adopt = adopt,
};
