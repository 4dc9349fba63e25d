// The log, written: the header once, then a frame by one gathered write, straight from the caller's
// arrays and with the steps before it, so that what a killed run leaves is every frame but the
// last.
#include "core/checksum.h"
#include "record/digest.h"
#include "record/log_format.h"
#include "record/rehearsal.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

int thudi_record_begin_log(thud_record *record)
{
    int error =
        thudi_stream_open(&record->log, &record->allocator, record->folder.fd, THUDI_LOG_NAME);
    return error ? error : thudi_record_write_header(record);
}

int thudi_record_write_header(thud_record *record)
{
    thudi_log_header header = {.version = THUDI_LOG_VERSION,
                               .order = THUDI_LOG_ORDER,
                               .dim = (uint32_t)record->dim,
                               .first = record->first};
    memcpy(header.magic, THUDI_LOG_MAGIC, sizeof header.magic);
    header.sum = thudi_checksum(0, &header, offsetof(thudi_log_header, sum));
    record->digest = thudi_digest_begin(&header);
    (void)thudi_stream_write(&record->log, &header, sizeof header);
    return thudi_stream_flush(&record->log);
}

static const char *what_is_wrong(const thud_record *record, const thud_frame *frame)
{
    bool start = frame->h == 0;
    if (frame->dim != record->dim || frame->n < 0 || !isfinite(frame->t) || !isfinite(frame->h) ||
        frame->h < 0)
        return "a frame has the wrong number of coordinates, or an invalid time";
    if (!frame->q || !frame->u || !frame->u_next != start || !frame->force != start ||
        (start && frame->move))
        return "a frame lacks vectors, or is a start frame with the vectors of a step";
    if (frame->before_count < 0 || frame->after_count < 0 ||
        (frame->before_count > 0 && !frame->before) || (frame->after_count > 0 && !frame->after))
        return "a frame lacks multipliers";
    if (frame->direction_count < 0 || (frame->direction_count > 0 && !frame->directions) ||
        (start && frame->direction_count > 0))
        return "a frame lacks directions, or is a start frame with directions";
    return NULL;
}

// A part of a gathered write, which reads only: writev's type cannot say so.
static struct iovec part_of(const void *data, size_t length)
{
    struct iovec part = {.iov_len = length};
    memcpy(&part.iov_base, &data, sizeof data);
    return part;
}

thud_status thud_record_step(thud_record *record, int64_t n, uint64_t chain)
{
    if (record->status < 0)
        return record->status;
    if (n != record->steps)
        return thudi_record_refuse(record, "a step is missing or repeated");
    thudi_log_step step = {.type = THUDI_LOG_STEP, .n = n, .chain = chain};
    step.sum = thudi_checksum(0, &step, sizeof step);
    int error = thudi_stream_write(&record->log, &step, sizeof step);
    if (record->is_rehearsal)
        error = thudi_stream_flush(&record->log);
    if (error && record->is_rehearsal)
        return thudi_rehearsal_differs(record, &record->log, 0, "step", n);
    if (error)
        return thudi_record_fail(record, &record->log, error);
    if (record->wrong_line > 0) // told now, as a step that differs makes its line another
        return thudi_rehearsal_differs(record, &record->series, (int)record->wrong_line,
                                       "the line of step", n);
    thudi_digest_add(&record->digest, &(struct iovec){&step, sizeof step}, 1);
    record->steps++;
    return THUD_OK;
}

void thud_frame_end(const thud_frame *frame, double *q)
{
    const double *v = frame->move ? frame->move : frame->u_next;
    for (int k = 0; k < frame->dim; k++)
        q[k] = frame->h == 0 ? frame->q[k] : fma(frame->h, v[k], frame->q[k]);
}

// But for the sums.
static thudi_log_head head_of(const thud_record *record, const thud_frame *frame)
{
    thudi_log_head head = {.type = THUDI_LOG_FRAME,
                           .n = frame->n,
                           .t = frame->t,
                           .h = frame->h,
                           .before_count = (uint32_t)frame->before_count,
                           .after_count = (uint32_t)frame->after_count,
                           .index = (uint64_t)record->frames,
                           .flags = (frame->move ? THUDI_LOG_HAS_MOVE : 0) |
                                    (frame->direction_count > 0 ? THUDI_LOG_HAS_DIRECTIONS : 0)};
    head.body_length = thudi_log_body_length((uint32_t)frame->dim, &head) +
                       (size_t)frame->direction_count * sizeof *frame->directions;
    return head;
}

thud_status thud_record_frame(thud_record *record, const thud_frame *frame)
{
    if (record->status < 0)
        return record->status;
    const char *wrong = what_is_wrong(record, frame);
    if (wrong)
        return thudi_record_refuse(record, wrong);
    // the series never lags behind the log
    int error = thudi_stream_flush(&record->series);
    if (error)
        return thudi_record_fail(record, &record->series, error);
    thudi_log_head head = head_of(record, frame);
    size_t directions = (size_t)frame->direction_count * sizeof *frame->directions;
    size_t vector = (size_t)frame->dim * sizeof(double), step = frame->h == 0 ? 0 : vector;
    struct iovec parts[] = {
        thudi_stream_pending(&record->log), // the steps since the last frame
        part_of(&head, sizeof head),
        part_of(frame->q, vector),
        part_of(frame->u, vector),
        part_of(frame->u_next, step),
        part_of(frame->force, step),
        part_of(frame->move, frame->move ? step : 0),
        part_of(frame->before, (size_t)frame->before_count * sizeof *frame->before),
        part_of(frame->after, (size_t)frame->after_count * sizeof *frame->after),
        part_of(frame->directions, directions),
    };
    enum
    {
        PARTS = sizeof parts / sizeof *parts
    };
    for (int i = 2; i < PARTS; i++)
        head.body_sum = thudi_checksum(head.body_sum, parts[i].iov_base, parts[i].iov_len);
    head.sum = thudi_checksum(0, &head, offsetof(thudi_log_head, sum));
    thudi_digest_add(&record->digest, parts + 1, PARTS - 1);
    error = thudi_stream_gather(&record->log, parts, PARTS);
    if (error && record->is_rehearsal)
        return thudi_rehearsal_differs(record, &record->log, 0, "frame", record->frames);
    if (error)
        return thudi_record_fail(record, &record->log, error);
    record->frames++;
    return THUD_OK;
}
