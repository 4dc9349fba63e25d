// Reads what is left of a damaged log: all records whose sums match, wherever they are. It searches
// for the next record at every byte, because lost bytes move all that follow.
#include "core/fault.h"
#include "record/log_parts.h"

#include <string.h>

enum
{
    WINDOW = 1 << 14, // bytes read at a time in the search
    // The last TAIL bytes of a damaged body are searched as well: if bytes were lost, the next
    // record begins there. Searching the whole body would take quadratic time if heads claim long
    // bodies.
    TAIL = 1 << 12
};

// The part of the file that was read last in the search.
typedef struct window
{
    int64_t offset;
    size_t length;
    unsigned char bytes[WINDOW];
} window;

static bool is_type(const unsigned char *bytes)
{
    uint32_t type;
    memcpy(&type, bytes, sizeof type);
    return type == THUDI_LOG_FRAME || type == THUDI_LOG_STEP || type == THUDI_RECORD_NAME;
}

// Move *offset to the next byte at which a record may begin; to the log's size if there is none.
static thud_status find_record(thud_log *log, window *w, int64_t *offset, thud_fault *fault)
{
    const int64_t word = sizeof(uint32_t);
    while (log->size - *offset >= word)
    {
        if (*offset < w->offset || *offset + word > w->offset + (int64_t)w->length)
        {
            int64_t rest = log->size - *offset;
            w->offset = *offset;
            w->length = rest < WINDOW ? (size_t)rest : WINDOW;
            THUD_TRY(thudi_log_read_at(log, *offset, w->bytes, w->length, fault));
        }
        size_t at = (size_t)(*offset - w->offset);
        while (at + (size_t)word <= w->length && !is_type(w->bytes + at))
            at++;
        *offset = w->offset + (int64_t)at;
        if (at + (size_t)word <= w->length)
            return THUD_OK;
    }
    *offset = log->size;
    return THUD_OK;
}

// Keep a frame that is whole.
static thud_status add_frame(thud_log *log, int64_t offset, int64_t number, thud_fault *fault)
{
    size_t count = (size_t)log->summary.frame_count;
    if (thudi_array_reserve(&log->allocator, &log->offset, count + 1) < 0 ||
        thudi_array_reserve(&log->allocator, &log->number, count + 1) < 0)
        return thudi_fail_memory(fault);
    log->offset.items[count] = offset;
    log->number.items[count] = number;
    log->summary.frame_count++;
    return THUD_OK;
}

// The frames from `next` to `number` - 1 are damaged.
static void count_damaged(thud_log *log, int64_t next, int64_t number)
{
    if (number > next && log->summary.first_damaged < 0)
        log->summary.first_damaged = next;
    log->summary.damaged_count += number - next;
}

// Read the frame at offset. *length: bytes to where the search goes on, 0 if no frame is here.
// *next: the number that the next frame should have.
static thud_status take_frame(thud_log *log, int64_t offset, int64_t *next, int64_t *length,
                              thud_fault *fault)
{
    thudi_record_head head;
    int64_t rest = log->size - offset - (int64_t)sizeof head;
    bool is_whole = false;
    *length = 0;
    if (rest < 0)
        return THUD_OK;
    THUD_TRY(thudi_log_read_at(log, offset, &head, sizeof head, fault));
    if (head.index > INT64_MAX / 2 || (int64_t)head.index < *next ||
        thudi_log_head_fault(&head, (int64_t)head.index) || head.length > (uint64_t)rest)
        return THUD_OK;
    THUD_TRY(thudi_log_read_body(log, offset, &head, fault));
    is_whole = thudi_blocks_are_whole(&head, log->body.items);
    count_damaged(log, *next, (int64_t)head.index + !is_whole);
    if (is_whole)
        THUD_TRY(add_frame(log, offset, (int64_t)head.index, fault));
    *next = (int64_t)head.index + 1;
    int64_t body = (int64_t)head.length;
    *length = (int64_t)sizeof head + body;
    log->summary.whole_bytes = offset + *length;
    if (!is_whole)
        *length -= body < TAIL ? body : TAIL;
    return THUD_OK;
}

// The same for a step. Hashes after a missing step are dropped: their chain is broken.
static thud_status take_step(thud_log *log, int64_t offset, int64_t *length, thud_fault *fault)
{
    thudi_log_step step;
    *length = 0;
    if (log->size - offset < (int64_t)sizeof step)
        return THUD_OK;
    THUD_TRY(thudi_log_read_at(log, offset, &step, sizeof step, fault));
    if (step.type != THUDI_LOG_STEP || !thudi_log_step_is_sound(&step))
        return THUD_OK;
    *length = sizeof step;
    log->summary.whole_bytes = offset + *length;
    return step.n == log->summary.step_count ? thudi_log_add_node(log, step.chain, fault) : THUD_OK;
}

// The same for names. If they are lost, blocks have the numbers that this Thud gives them.
static thud_status take_names(thud_log *log, int64_t offset, int64_t *length, thud_fault *fault)
{
    const char *wrong;
    THUD_TRY(thudi_log_add_names(log, offset, length, &wrong, fault));
    if (wrong)
        *length = 0;
    if (*length > 0)
        log->summary.whole_bytes = offset + *length;
    return THUD_OK;
}

thud_status thudi_log_salvage(thud_log *log, thud_fault *fault)
{
    int64_t offset = sizeof(thudi_file_header), next = 0;
    window w = {.offset = 0};
    log->summary.whole_bytes = offset;
    for (;;)
    {
        int64_t length = 0;
        THUD_TRY(find_record(log, &w, &offset, fault));
        if (offset >= log->size)
            break;
        THUD_TRY(take_frame(log, offset, &next, &length, fault));
        if (length == 0)
            THUD_TRY(take_step(log, offset, &length, fault));
        if (length == 0)
            THUD_TRY(take_names(log, offset, &length, fault));
        offset += length > 0 ? length : 1;
    }
    log->summary.is_cut = log->summary.whole_bytes < log->size;
    return THUD_OK;
}
