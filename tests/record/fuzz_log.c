// A log of any bytes: opened and read whole, without a crash, whatever it says. The sums are made
// right first, or hardly any input would get past them.
#include "core/checksum.h"
#include "record/log_format.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Make the sums of the blocks of a record right, as far as its numbers allow.
static void mend_blocks(uint8_t *bytes, size_t length)
{
    thudi_block block;
    for (size_t at = 0; length - at >= sizeof block; at += thudi_block_length(&block))
    {
        memcpy(&block, bytes + at, sizeof block);
        uint64_t size = thudi_item_size(block.type), rest = length - at - sizeof block;
        if (size == 0 || block.count > rest / size || thudi_block_length(&block) > length - at)
            return;
        block = thudi_block_make(block.name, block.type, block.count, bytes + at + sizeof block);
        memcpy(bytes + at, &block, sizeof block);
        memset(bytes + at + sizeof block + thudi_block_items(&block), 0, thudi_block_zeros(&block));
    }
}

// The first byte of the input says which sums are made right.
static void mend(uint8_t *log, size_t size, unsigned which)
{
    thudi_file_header header;
    size_t at = sizeof header;
    if (size < at)
        return;
    memcpy(&header, log, sizeof header);
    if (which & 1)
        thudi_header_seal(&header);
    memcpy(log, &header, sizeof header);
    while (which & 2 && size - at >= sizeof(thudi_record_head))
    {
        thudi_log_step step;
        memcpy(&step, log + at, sizeof step);
        if (step.type == THUDI_LOG_STEP)
        {
            step.sum = 0;
            step.sum = thudi_checksum(0, &step, sizeof step);
            memcpy(log + at, &step, sizeof step);
            at += sizeof step;
            continue;
        }
        thudi_record_head head;
        memcpy(&head, log + at, sizeof head);
        size_t rest = size - at - sizeof head;
        size_t length = head.length < rest ? (size_t)head.length : rest;
        if (which & 4)
            mend_blocks(log + at + sizeof head, length);
        thudi_head_seal(&head);
        memcpy(log + at, &head, sizeof head);
        at += sizeof head + length;
    }
}

// Look at every number of a frame, so that a view that is too long is seen.
static double sum_of(const thud_frame *frame)
{
    double sum = frame->t + frame->h;
    for (int k = 0; k < frame->dim; k++)
        sum += frame->q[k] + frame->u[k] +
               (frame->h != 0 ? frame->u_next[k] + frame->force[k] : 0) +
               (frame->move ? frame->move[k] : 0);
    for (int i = 0; i < frame->before_count; i++)
        sum += frame->before[i].impulse;
    for (int i = 0; i < frame->after_count; i++)
        sum += frame->after[i].impulse;
    for (int i = 0; i < frame->direction_count; i++)
        sum += frame->directions[i].normal[2];
    for (int i = 0; i < frame->id_count; i++)
        sum += (double)frame->ids[i].count;
    return sum;
}

static volatile double seen; // so that the compiler keeps the reading

typedef thud_status open_fn(const char *folder, const thud_allocator *allocator, thud_log **out,
                            thud_fault *fault);

static void read_all(const char *folder, open_fn *open_log)
{
    thud_log *log = NULL;
    thud_fault fault;
    if (open_log(folder, NULL, &log, &fault) != THUD_OK)
        return;
    for (int64_t i = 0; i < thud_log_look(log).frame_count; i++)
    {
        thud_frame frame;
        if (thud_log_frame(log, i, &frame, &fault) == THUD_OK)
            seen = sum_of(&frame);
    }
    for (int64_t n = thud_log_look(log).first_node; n < thud_log_look(log).step_count; n++)
        seen = (double)thud_log_chain(log, n);
    thud_log_close(log);
}

static char folder[] = "fuzz-log-XXXXXX";

static void remove_folder(void)
{
    (void)rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[sizeof folder + sizeof THUDI_LOG_NAME];
    if (!path[0])
    {
        if (!mkdtemp(folder) || atexit(remove_folder) != 0)
            abort();
        (void)snprintf(path, sizeof path, "%s/" THUDI_LOG_NAME, folder);
    }
    uint8_t *log = size > 0 ? malloc(size) : NULL;
    if (!log)
        return 0;
    memcpy(log, data + 1, size - 1);
    mend(log, size - 1, data[0]);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(log, 1, size - 1, file) != size - 1 || fclose(file) != 0)
        abort();
    read_all(folder, thud_log_open);
    read_all(folder, thud_log_open_damaged);
    free(log);
    (void)unlink(path);
    return 0;
}
