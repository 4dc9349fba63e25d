// Records of named blocks, which logs and checkpoints are made of, as in docs/formats.md:
//
//     file     a header of 64 bytes, records
//     record   a head of 56 bytes, blocks
//     block    a head of 16 bytes, items, zeros up to a multiple of 8
//
// A record NAME gives each block number a name, and the type of a block gives the size of its
// items. So a reader can name a block that it does not know, and skip it. All numbers are
// little-endian, as on the processor.
#ifndef THUDI_BLOCKS_H
#define THUDI_BLOCKS_H

#include "core/memory.h"
#include "thud/fields.h"

#define THUDI_STATE_HASH "sums-64" // the kind of hash that thud_state_hash computes

enum
{
    THUDI_FILE_ORDER = 0x01020304,  // another number on a machine of the other byte order
    THUDI_FILE_HASH = 16,           // room for the name of a hash, with its end
    THUDI_RECORD_NAME = 0x454d414e, // "NAME"
    THUDI_NAMES_MOST = 4096         // most names in a file
};

// The type of a block's items. The high byte is the size of one item, in bytes.
enum
{
    THUDI_ITEM_DOUBLE = 8 << 8 | THUD_FIELD_DOUBLE,
    THUDI_ITEM_INT64 = 8 << 8 | THUD_FIELD_INT64,
    THUDI_ITEM_UINT64 = 8 << 8 | THUD_FIELD_UINT64,
    THUDI_ITEM_INT8 = 1 << 8 | THUD_FIELD_INT8,
    THUDI_ITEM_MULTIPLIER = 40 << 8 | THUD_FIELD_MULTIPLIER, // thudi_file_multiplier
    THUDI_ITEM_UINT32 = 4 << 8 | THUD_FIELD_UINT32,
    THUDI_ITEM_KEY = 24 << 8 | THUD_FIELD_KEY, // thudi_file_key
    THUDI_ITEM_DIRECTION = 48 << 8 | 8,        // thudi_file_direction
    THUDI_ITEM_RANGE = 16 << 8 | 9,            // thud_id_range
    THUDI_ITEM_NAME = 32 << 8 | 10,            // thudi_block_name
    THUDI_ITEM_IMPULSE = 32 << 8 | 11,         // thudi_file_impulse
    THUDI_ITEM_KEPT = 12 // thudi_file_multiplier and more numbers; the size says how many
};

// Both kinds of files begin with this.
typedef struct thudi_file_header
{
    char magic[8];
    uint32_t version;
    uint32_t order;
    uint64_t dim;               // coordinates
    int64_t first;              // node at which the run begins: not 0 if it continues a run
    char hash[THUDI_FILE_HASH]; // the kind of state hash, filled up with 0
    uint32_t keys;              // thud_key_space
    uint32_t zero[2];
    uint32_t sum; // of the bytes before it
} thudi_file_header;

typedef struct thudi_record_head
{
    uint32_t type;
    uint32_t sum;    // of the head, with 0 here
    uint64_t length; // of all blocks together, in bytes
    int64_t n;       // n, t, h and index are 0 in records that have no time
    double t, h;
    uint64_t index;  // records of this type before this one
    uint64_t blocks; // their number
} thudi_record_head;

typedef struct thudi_block
{
    uint16_t name; // its number, from 1
    uint16_t type;
    uint32_t sum;   // of head, items and zeros, with 0 here
    uint64_t count; // items
} thudi_block;

// A block number and its name.
typedef struct thudi_block_name
{
    uint16_t number;
    uint16_t is_needed; // a reader that does not know the name must refuse the file
    uint32_t zero;
    char text[THUD_FIELD_NAME]; // filled up with 0
} thudi_block_name;

_Static_assert(sizeof(thudi_file_header) == 64, "a header has 64 bytes");
_Static_assert(sizeof(thudi_record_head) == 56, "a head has 56 bytes");
_Static_assert(sizeof(thudi_block) == 16, "the head of a block has 16 bytes");
_Static_assert(sizeof(thudi_block_name) == THUDI_ITEM_NAME >> 8,
               "a name is stored as it is in memory");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are stored as they are");

// The item type that stores a field; 0 if `type` is not a field type.
uint16_t thudi_item_of(thud_field_type type);

static inline uint64_t thudi_item_size(uint16_t type)
{
    return type >> 8;
}

// Bytes of a block's items, of the zeros after them, and of the whole block. The caller has checked
// the count.
static inline uint64_t thudi_block_items(const thudi_block *block)
{
    return block->count * thudi_item_size(block->type);
}

static inline uint64_t thudi_block_zeros(const thudi_block *block)
{
    return -thudi_block_items(block) & 7;
}

static inline uint64_t thudi_block_length(const thudi_block *block)
{
    return sizeof *block + thudi_block_items(block) + thudi_block_zeros(block);
}

// Is this a text of printable ASCII, with only zeros (at least one) from its end to the end of the
// room? Such a text is safe in a message.
bool thudi_is_word(const char *text, size_t room);

// The head of a block of these items, with its sum.
thudi_block thudi_block_make(uint16_t name, uint16_t type, uint64_t count, const void *items);

// "Seal" computes and stores the sum of a header or a head. "Is sound" compares it.
void thudi_header_seal(thudi_file_header *header);
bool thudi_header_is_sound(const thudi_file_header *header);
void thudi_head_seal(thudi_record_head *head);
bool thudi_head_is_sound(const thudi_record_head *head);
// Are n, t, h and index all 0, as in a record without a time?
bool thudi_head_is_timeless(const thudi_record_head *head);

// A walk over the blocks of a record. It checks every number before it uses it.
typedef struct thudi_walk
{
    const unsigned char *bytes; // of all blocks, aligned for doubles
    uint64_t length;
    uint64_t left;              // blocks to come
    uint64_t place;             // of the current block
    uint64_t next;              // where the next one begins
    thudi_block block;          // the current block,
    const unsigned char *items; // and its items
} thudi_walk;

// Begin before the first block.
thudi_walk thudi_walk_begin(const thudi_record_head *head, const void *bytes);

// Go to the next block: false at the end and after an error. *wrong says what is wrong at `place`,
// or is NULL. Block numbers must increase, and the blocks must fill the record.
bool thudi_walk_next(thudi_walk *walk, const char **wrong);

// The names that a file has given.
typedef struct thudi_block_names
{
    THUDI_ARRAY(thudi_block_name) list;
    size_t count;
} thudi_block_names;

void thudi_block_names_free(const thud_allocator *allocator, thudi_block_names *names);

// What is wrong with the head of a record NAME; NULL if nothing is.
const char *thudi_block_names_fault(const thudi_record_head *head);

// Add the names of a record NAME whose head is sound. *wrong says what is wrong with the record, or
// is NULL. A wrong record adds no name. Fails with THUD_ERR_MEMORY.
thud_status thudi_block_names_add(const thud_allocator *allocator, thudi_block_names *names,
                                  const thudi_record_head *head, const void *bytes,
                                  const char **wrong);

// The name of a number, or the number of a text; NULL if there is none.
const thudi_block_name *thudi_block_names_find(const thudi_block_names *names, uint16_t number);
const thudi_block_name *thudi_block_names_find_text(const thudi_block_names *names,
                                                    const char *text);

// Make the heads of a record NAME with `count` names, and of its one block.
void thudi_block_names_head(const thudi_block_name *list, uint64_t count, thudi_record_head *head,
                            thudi_block *block);

#endif
