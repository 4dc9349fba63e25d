// Writes a log: the header once, then each frame and the steps before it by one gathered write,
// from the caller's arrays. So a killed run leaves every frame, except perhaps the last.
#include "core/checksum.h"
#include "record/digest.h"
#include "record/log_parts.h"
#include "record/rehearsal.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>

int thudi_record_begin_log(thud_record *record, const thud_record_def *def)
{
    const thudi_log_begin how = {&record->allocator, record->folder.fd, &def->units};
    int error = thudi_log_table_of(def->form)->begin(&record->log, &how);
    return error ? error : thudi_record_write_header(record);
}

int thudi_record_write_header(thud_record *record)
{
    thudi_file_header header =
        thudi_header_make(&thudi_log_kind, record->dim, record->first, record->keys);
    thudi_record_head head;
    thudi_block block;
    thudi_block_names_head(thudi_frame_names, THUDI_FRAME_BLOCKS, &head, &block);
    const struct iovec parts[] = {thudi_part_of(&head, sizeof head),
                                  thudi_part_of(&block, sizeof block),
                                  thudi_part_of(thudi_frame_names, sizeof thudi_frame_names)};
    record->digest = thudi_digest_begin(&header);
    thudi_digest_add(&record->digest, parts, 3);
    (void)thudi_stream_write(&record->log, &header, sizeof header);
    for (int i = 0; i < 3; i++)
        (void)thudi_stream_write(&record->log, parts[i].iov_base, parts[i].iov_len);
    return thudi_stream_flush(&record->log);
}

static const char *frame_fault(const thud_record *record, const thud_frame *frame)
{
    bool start = frame->h == 0;
    if (frame->dim != record->dim || frame->n < 0 || frame->n > THUDI_NODE_MOST ||
        !isfinite(frame->t) || !isfinite(frame->h) || frame->h < 0)
        return "a frame has the wrong number of coordinates, or an invalid time";
    if (!frame->q || !frame->u || !frame->u_next != start || !frame->force != start ||
        (start && frame->move))
        return "a frame lacks vectors, or is a start frame with the vectors of a step";
    if (frame->before_count < 0 || frame->after_count < 0 ||
        (frame->before_count > 0 && !frame->before) || (frame->after_count > 0 && !frame->after))
        return "a frame lacks multipliers";
    if (frame->more_width < 0 || frame->more_width >= THUD_KEPT_MAX ||
        (frame->more_width > 0 && ((frame->before_count > 0 && !frame->before_more) ||
                                   (frame->after_count > 0 && !frame->after_more))))
        return "a frame lacks numbers that its contact law keeps";
    if (frame->direction_count < 0 || (frame->direction_count > 0 && !frame->directions) ||
        (start && frame->direction_count > 0))
        return "a frame lacks directions, or is a start frame with directions";
    if (frame->ids && !thudi_ids_fit(frame->ids, frame->id_count, frame->dim))
        return "a frame has ids that do not fit its coordinates";
    return NULL;
}

thud_status thud_record_step(thud_record *record, int64_t n, uint64_t chain)
{
    if (record->status < 0)
        return record->status;
    if (n != record->steps)
        return thudi_record_fail_text(record, "a step is missing or repeated");
    thudi_log_step step = {.type = THUDI_LOG_STEP, .n = n, .chain = chain};
    step.sum = thudi_checksum(0, &step, sizeof step);
    int error = thudi_stream_write(&record->log, &step, sizeof step);
    if (record->is_rehearsal)
        error = thudi_stream_flush(&record->log);
    if (error && record->is_rehearsal)
        return thudi_rehearsal_differs(record, &record->log, 0, "step", n);
    if (error)
        return thudi_record_fail(record, &record->log, error);
    // reported after the step: a step that differs changes its line as well
    if (record->wrong_line > 0)
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

thud_status thud_record_frame(thud_record *record, const thud_frame *frame)
{
    if (record->status < 0)
        return record->status;
    const char *wrong = frame_fault(record, frame);
    if (wrong)
        return thudi_record_fail_text(record, wrong);
    // the series never lags behind the log
    int error = thudi_stream_flush(&record->series);
    if (error)
        return thudi_record_fail(record, &record->series, error);
    thudi_frame_parts *parts = &record->frame_parts;
    if (thudi_frame_split(&record->allocator, frame, (uint64_t)record->frames, record->keys,
                          parts) < 0)
        return thudi_record_fail(record, &record->log, ENOMEM);
    thudi_digest_add(&record->digest, parts->parts + 1, parts->count - 1);
    parts->parts[0] = thudi_stream_take_buffer(&record->log); // the steps since the last frame
    error = thudi_stream_write_parts(&record->log, parts->parts, parts->count);
    thudi_frame_parts_free(&record->allocator, parts); // the caller may verify the step next
    if (error && record->is_rehearsal)
        return thudi_rehearsal_differs(record, &record->log, 0, "frame", record->frames);
    if (error)
        return thudi_record_fail(record, &record->log, error);
    record->frames++;
    return THUD_OK;
}
