// Sums of logs and checkpoints made right.
#include "mend_file.h"

#include "core/checksum.h"
#include "record/log_format.h"

#include <string.h>

// Make the sums of the blocks of a record right, as far as its numbers allow.
static void mend_blocks(unsigned char *bytes, size_t length)
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

void mend_file(unsigned char *bytes, size_t size, unsigned which)
{
    thudi_file_header header;
    size_t at = sizeof header;
    if (size < at)
        return;
    memcpy(&header, bytes, sizeof header);
    if (which & 1)
        thudi_header_seal(&header);
    memcpy(bytes, &header, sizeof header);
    while (which & 2 && size - at >= sizeof(thudi_record_head))
    {
        thudi_log_step step;
        memcpy(&step, bytes + at, sizeof step);
        if (step.type == THUDI_LOG_STEP)
        {
            step.sum = 0;
            step.sum = thudi_checksum(0, &step, sizeof step);
            memcpy(bytes + at, &step, sizeof step);
            at += sizeof step;
            continue;
        }
        thudi_record_head head;
        memcpy(&head, bytes + at, sizeof head);
        size_t rest = size - at - sizeof head;
        size_t length = head.length < rest ? (size_t)head.length : rest;
        if (which & 4)
            mend_blocks(bytes + at + sizeof head, length);
        thudi_head_seal(&head);
        memcpy(bytes + at, &head, sizeof head);
        at += sizeof head + length;
    }
}
