// Continues a log in HDF5 files after a checkpoint: what is behind it is cut off.
#include "record/hdf5/log_hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int remove_scrap(int folder, const char *name, int64_t number)
{
    bool is_scrap = number == THUDI_H5_SCRAP;
    return is_scrap && unlinkat(folder, name, 0) != 0 && errno != ENOENT ? errno : 0;
}

// Remove the frames that are not kept, and scraps.
static int remove_frames(thudi_h5_writer *w, int64_t to)
{
    thudi_h5_listing found;
    int error = thudi_h5_remove_frames(w->folder, w->frames, to);
    return error ? error : thudi_h5_list(w->folder, &found, remove_scrap);
}

// Take over what the log has up to that byte: the frames before it, and the steps behind the last
// of them, which wait again.
static int keep_steps(thudi_stream *stream, thudi_log_source *source, int64_t bytes)
{
    thudi_h5_writer *w = stream->kept;
    const thudi_h5_log *log = source->kept;
    const thudi_h5_segment *last = &log->segments.items[0];
    size_t count = 1;
    while (count < log->count && last->begin + last->length < bytes)
        last = &log->segments.items[count++];
    bool is_whole = last->begin + last->length == bytes && !last->is_tail;
    w->frames = (int64_t)count - 1 - !is_whole;
    if (last->is_tail && last->begin + last->length == bytes)
        w->tail_frames = w->frames;
    int64_t rest = is_whole ? 0 : bytes - last->begin;
    if (rest < 0 || w->frames < 0 || rest % (int64_t)sizeof(thudi_log_step) != 0 ||
        rest > last->length || last->wrong)
        return EINVAL; // no record ends there
    if (thudi_array_reserve(&stream->allocator, &w->waiting, (size_t)rest + 1) < 0)
        return ENOMEM;
    ssize_t got = thudi_log_source_read(source, w->waiting.items, (size_t)rest, bytes - rest);
    w->used = w->tail_used = (size_t)rest;
    for (size_t at = 0; got == rest && at < w->used; at += sizeof(thudi_log_step))
        if (memcmp(w->waiting.items + at, "STEP", 4) != 0)
            return EINVAL;
    return got < 0 ? errno : got < rest ? EIO : 0;
}

// Link only frames that are kept, and only then remove others: at any time all links have files.
static int unlink_frames(thudi_h5_writer *w)
{
    int error = w->all.about.frames > w->frames ? thudi_h5_write_about(w, true) : 0;
    return error ? error : thudi_h5_sync_descriptor(w->run);
}

static int cut(thudi_stream *stream, thudi_log_source *source, int64_t bytes)
{
    thudi_h5_writer *w = stream->kept;
    const thudi_h5_log *log = source->kept;
    w->all = log->all;
    w->has_begun = true;
    int error = keep_steps(stream, source, bytes);
    bool has_tail = log->count > 1 && log->segments.items[log->count - 1].is_tail;
    if (error || (!log->has_scraps && w->frames == log->frames &&
                  (w->tail_frames >= 0 || (w->used == 0 && !has_tail && !log->is_old))))
        return error; // it has this length
    error = thudi_h5_make_folder(w);
    if (w->tail_frames < 0 && (has_tail || log->is_old))
        w->tail_frames = INT64_MAX; // it is to be replaced, or to be removed
    if (!error)
        error = thudi_h5_write_tail(stream);
    if (!error)
        error = thudi_h5_sync_descriptor(w->folder);
    if (!error)
        error = unlink_frames(w);
    return error ? error : remove_frames(w, log->frames);
}

int thudi_h5_adopt(thudi_stream *stream, const thud_allocator *allocator, thudi_log_source *source,
                   int64_t bytes, uint32_t sum)
{
    int error = thudi_h5_make_writer(stream, allocator, source->folder);
    stream->bytes = bytes;
    stream->sum = sum;
    stream->published = true;
    if (!error)
        error = stream->error = cut(stream, source, bytes);
    thudi_log_source_close(source);
    return error;
}
