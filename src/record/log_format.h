// What a log is made of, as in docs/formats.md: a header, a record of names, then steps, and frames
// as records of blocks.
#ifndef THUDI_LOG_FORMAT_H
#define THUDI_LOG_FORMAT_H

#include "record/blocks.h"
#include "thud/record.h"

#define THUDI_LOG_NAME THUD_LOG_NAME
#define THUDI_LOG_MAGIC "thudlog\n"

// The last node at which a run or a step may begin: its number is exact as a double.
#define THUDI_NODE_MOST ((INT64_C(1) << 53) - 1)

enum
{
    THUDI_LOG_VERSION = 2,
    THUDI_LOG_FRAME = 0x4d415246, // "FRAM"
    THUDI_LOG_STEP = 0x50455453   // "STEP"
};

// The blocks of a frame, by the numbers that this Thud gives them.
typedef enum thudi_frame_block
{
    THUDI_FRAME_IDS = 1,
    THUDI_FRAME_Q,
    THUDI_FRAME_U,
    THUDI_FRAME_U_NEXT,
    THUDI_FRAME_FORCE,
    THUDI_FRAME_MOVE,
    THUDI_FRAME_BEFORE,
    THUDI_FRAME_AFTER,
    THUDI_FRAME_DIRECTIONS,
    THUDI_FRAME_END,
    THUDI_FRAME_BLOCKS = THUDI_FRAME_END - 1
} thudi_frame_block;

typedef struct thudi_log_step
{
    uint32_t type;
    uint32_t sum; // of the record with 0 here
    int64_t n;    // the node
    uint64_t chain;
} thudi_log_step;

_Static_assert(sizeof(thudi_log_step) == 24, "a step has 24 bytes");
_Static_assert(sizeof(thud_id_range) == THUDI_ITEM_RANGE >> 8, "ranges are stored as they are");

#endif
