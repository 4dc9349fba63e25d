// Converts frames to blocks, and back.
#ifndef THUDI_FRAME_BLOCKS_H
#define THUDI_FRAME_BLOCKS_H

#include "record/file_rows.h"
#include "record/log_format.h"

#include <sys/uio.h>

// The names that a log gives to the blocks of its frames.
extern const thudi_block_name thudi_frame_names[THUDI_FRAME_BLOCKS];
bool thudi_frame_knows(const char *text);

// Do these ids fit `dim` coordinates? They must increase, and `dim` must be a multiple of their
// number.
bool thudi_ids_fit(const thud_id_range *ids, int64_t count, int dim);

// A part of a gathered write. writev only reads it, though its type is not const.
struct iovec thudi_part_of(const void *data, size_t length);

// A frame ready for a gathered write. The caller fills the first part.
typedef struct thudi_frame_parts
{
    thud_id_range all_ids;    // if the frame gives none
    THUDI_ARRAY(double) room; // for rows as they are in the file; lent to checkpoints
    thudi_record_head head;
    thudi_block blocks[THUDI_FRAME_BLOCKS];
    struct iovec parts[2 + 2 * THUDI_FRAME_BLOCKS];
    int count; // of parts
} thudi_frame_parts;

void thudi_frame_parts_free(const thud_allocator *allocator, thudi_frame_parts *parts);

// Fill the parts from a sound frame. They point into the frame and into `parts` itself. Fails with
// THUD_ERR_MEMORY.
thud_status thudi_frame_split(const thud_allocator *allocator, const thud_frame *frame,
                              uint64_t index, thud_key_space keys, thudi_frame_parts *parts);

// What the reading of a frame needs, apart from its bytes.
typedef struct thudi_frame_reader
{
    thud_allocator allocator;
    int dim;
    thud_key_space keys;
    thudi_block_names names; // if empty, blocks have the numbers of this Thud
    THUDI_ARRAY(thud_multiplier) before;
    THUDI_ARRAY(thud_multiplier) after;
    THUDI_ARRAY(double) before_more;
    THUDI_ARRAY(double) after_more;
    THUDI_ARRAY(thud_direction) directions;
    uint64_t place;    // byte after the record's head at which something is wrong
    const char *wrong; // what is wrong there
} thudi_frame_reader;

void thudi_frame_reader_free(thudi_frame_reader *reader);

// Read the frame in the blocks of a record whose head is sound. *frame points into the bytes and
// the reader. Fails with THUD_ERR_MEMORY, or with THUD_ERR_RECORD and reader->wrong.
thud_status thudi_frame_join(thudi_frame_reader *reader, const thudi_record_head *head,
                             const void *bytes, thud_frame *frame);

// Do all blocks of a record match their sums?
bool thudi_blocks_are_whole(const thudi_record_head *head, const void *bytes);

#endif
