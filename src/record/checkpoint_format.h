// The bytes of a checkpoint, as in docs/formats.md: a header, a table of sections, the sections, an
// end. Everything is little-endian, as the processor is.
#ifndef THUDI_CHECKPOINT_FORMAT_H
#define THUDI_CHECKPOINT_FORMAT_H

#include "thud/checkpoint.h"

#define THUDI_CHECKPOINT_NAME "checkpoint.thud"
#define THUDI_CHECKPOINT_PREV "checkpoint.prev.thud"
#define THUDI_CHECKPOINT_MAGIC "thudchk\n"

enum
{
    THUDI_CHECKPOINT_VERSION = 2, // written; 1, without the digest of the log, is read as well
    THUDI_CHECKPOINT_ORDER = 0x01020304,
    THUDI_CHECKPOINT_END = 0x21444e45 // "END!"
};

// The version of the format that a checkpoint was written in.
uint32_t thudi_checkpoint_version(const thud_checkpoint *checkpoint);

// The name of the first field whose section is not the same, bit for bit; NULL if all are.
const char *thudi_checkpoint_difference(const thud_checkpoint *checkpoint, const thud_field *fields,
                                        int count);

typedef struct thudi_checkpoint_header
{
    char magic[8];
    uint32_t version;
    uint32_t order;
    uint32_t section_count;
    uint32_t table_sum;   // of the table of sections
    uint64_t length;      // of the file, in bytes
    uint32_t reserved[7]; // 0
    uint32_t sum;         // of the bytes before it
} thudi_checkpoint_header;

typedef struct thudi_checkpoint_section
{
    char name[THUD_FIELD_NAME]; // filled up with 0
    uint32_t type;              // thud_field_type
    uint32_t sum;               // of its bytes
    uint64_t count;             // items
    uint64_t offset;            // in the file, a multiple of 8
} thudi_checkpoint_section;

typedef struct thudi_checkpoint_end
{
    uint32_t sum; // of all bytes before it
    uint32_t mark;
} thudi_checkpoint_end;

_Static_assert(sizeof(thudi_checkpoint_header) == 64, "the header has 64 bytes");
_Static_assert(sizeof(thudi_checkpoint_section) == 48, "a section has 48 bytes");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are stored as they are");

// Sections begin at multiples of 8; what is between them is 0.
static inline uint64_t thudi_checkpoint_padded(uint64_t length)
{
    return (length + 7) & ~(uint64_t)7;
}

#endif
