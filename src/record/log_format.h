// The bytes of the log, as in docs/formats.md. Everything is little-endian, as the processor is.
#ifndef THUDI_LOG_FORMAT_H
#define THUDI_LOG_FORMAT_H

#include "thud/record.h"

#define THUDI_LOG_NAME THUD_LOG_NAME
#define THUDI_LOG_MAGIC "thudlog\n"

// The last node that a run may begin at.
#define THUDI_NODE_MOST ((INT64_C(1) << 53) - 1)

enum
{
    THUDI_LOG_VERSION = 1,
    THUDI_LOG_ORDER = 0x01020304, // reads otherwise on a machine of the other byte order
    THUDI_LOG_FRAME = 0x4d415246, // "FRAM"
    THUDI_LOG_STEP = 0x50455453,  // "STEP"
    // flags
    THUDI_LOG_HAS_MOVE = 1,      // the body has `move` after f_n
    THUDI_LOG_HAS_DIRECTIONS = 2 // it ends with directions, as many as there is room for
};

typedef struct thudi_log_header
{
    char magic[8];
    uint32_t version;
    uint32_t order;
    uint32_t dim;
    uint32_t zero;
    int64_t first;        // node that the run begins at: not 0 if it continues another run
    uint32_t reserved[7]; // 0
    uint32_t sum;         // of the bytes before it
} thudi_log_header;

typedef struct thudi_log_head
{
    uint32_t type;
    uint32_t body_sum;
    uint64_t body_length; // bytes, follows from the counts; directions fill the rest
    int64_t n;
    double t, h;
    uint32_t before_count, after_count;
    uint64_t index; // records before this one
    uint32_t flags;
    uint32_t sum; // of the bytes before it
} thudi_log_head;

typedef struct thudi_log_step
{
    uint32_t type;
    uint32_t sum; // of the record with 0 here
    int64_t n;    // the node
    uint64_t chain;
} thudi_log_step;

_Static_assert(sizeof(thudi_log_step) == 24, "a step has 24 bytes");
_Static_assert(sizeof(thudi_log_header) == 64, "the header has 64 bytes");
_Static_assert(sizeof(thudi_log_head) == 64, "a head has 64 bytes");
_Static_assert(sizeof(thud_multiplier) == 24, "multipliers are stored as they are in memory");
_Static_assert(sizeof(thud_direction) == 32, "directions are stored as they are in memory");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are stored as they are");

// The length that the body of such a frame has before directions: q, u and, unless it is the start,
// u_next and force, then move if it has one, and multipliers.
static inline uint64_t thudi_log_body_length(uint32_t dim, const thudi_log_head *head)
{
    uint64_t vectors = head->h == 0 ? 2 : 4 + (head->flags & THUDI_LOG_HAS_MOVE);
    return 8 * vectors * dim + 24 * ((uint64_t)head->before_count + head->after_count);
}

// Does the length of the body fit what the head says?
static inline bool thudi_log_fits(uint32_t dim, const thudi_log_head *head)
{
    uint64_t least = thudi_log_body_length(dim, head);
    if (!(head->flags & THUDI_LOG_HAS_DIRECTIONS))
        return head->body_length == least;
    uint64_t rest = head->body_length - least;
    return head->body_length > least && rest % sizeof(thud_direction) == 0 &&
           rest / sizeof(thud_direction) <= INT32_MAX;
}

#endif
