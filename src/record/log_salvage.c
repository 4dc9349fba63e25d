// A damaged log, read as far as it can be: records whose sums are right are kept, wherever they
// are. All lengths are multiples of 8, so that is how far the search for the next one goes at a
// time.
#include "record/log_parts.h"
#include "record/record_fault.h"

enum
{
    STRIDE = 8
};

// Keep a frame that is whole.
static thud_status add_frame(thud_log *log, int64_t offset, int64_t number, thud_fault *fault)
{
    size_t count = (size_t)log->summary.frame_count;
    if (thudi_array_reserve(&log->allocator, &log->offset, count + 1) < 0 ||
        thudi_array_reserve(&log->allocator, &log->number, count + 1) < 0)
        return thudi_record_memory(fault);
    log->offset.items[count] = offset;
    log->number.items[count] = number;
    log->summary.frame_count++;
    return THUD_OK;
}

// Frames up to this number were written; those that were not kept are damaged.
static void count_damaged(thud_log *log, int64_t next, int64_t number)
{
    if (number > next && log->summary.first_damaged < 0)
        log->summary.first_damaged = next;
    log->summary.damaged_count += number - next;
}

// A frame at offset, if there is one: *length of its record, 0 if there is none. *next: the number
// that the next frame should have.
static thud_status take_frame(thud_log *log, int64_t offset, int64_t *next, int64_t *length,
                              thud_fault *fault)
{
    thudi_log_head head;
    int64_t rest = log->size - offset - (int64_t)sizeof head;
    bool is_whole = false;
    *length = 0;
    if (rest < 0)
        return THUD_OK;
    THUD_TRY(thudi_log_read_at(log, offset, &head, sizeof head, fault));
    if (head.index > INT64_MAX / 2 || (int64_t)head.index < *next ||
        thudi_log_head_trouble(log, &head, (int64_t)head.index) ||
        head.body_length > (uint64_t)rest)
        return THUD_OK;
    THUD_TRY(thudi_log_read_body(log, offset, &head, &is_whole, fault));
    count_damaged(log, *next, (int64_t)head.index + !is_whole);
    if (is_whole)
        THUD_TRY(add_frame(log, offset, (int64_t)head.index, fault));
    *next = (int64_t)head.index + 1;
    *length = (int64_t)(sizeof head + head.body_length);
    return THUD_OK;
}

// The same of a step. Hashes after a gap are of no use: nothing leads there.
static thud_status take_step(thud_log *log, int64_t offset, int64_t *length, thud_fault *fault)
{
    thudi_log_step step;
    *length = 0;
    if (log->size - offset < (int64_t)sizeof step)
        return THUD_OK;
    THUD_TRY(thudi_log_read_at(log, offset, &step, sizeof step, fault));
    if (!thudi_log_step_is_sound(&step))
        return THUD_OK;
    *length = sizeof step;
    return step.n == log->summary.step_count ? thudi_log_add_node(log, step.chain, fault) : THUD_OK;
}

thud_status thudi_log_salvage(thud_log *log, thud_fault *fault)
{
    int64_t offset = sizeof(thudi_log_header), next = 0;
    log->summary.whole_bytes = offset;
    while (log->size - offset >= STRIDE)
    {
        uint32_t type;
        int64_t length = 0;
        THUD_TRY(thudi_log_read_at(log, offset, &type, sizeof type, fault));
        if (type == THUDI_LOG_FRAME)
            THUD_TRY(take_frame(log, offset, &next, &length, fault));
        else if (type == THUDI_LOG_STEP)
            THUD_TRY(take_step(log, offset, &length, fault));
        offset += length > 0 ? length : STRIDE;
        if (length > 0)
            log->summary.whole_bytes = offset;
    }
    log->summary.is_cut = log->summary.whole_bytes < log->size;
    return THUD_OK;
}
