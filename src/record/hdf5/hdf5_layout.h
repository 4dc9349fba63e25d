// What the files of a log in HDF5 files are made of, as in docs/formats.md. A file is its metadata,
// which follow from the heads below, and then the items of its arrays without gaps:
//
//     frames.h5          header and names of the log, a link to every frame
//     frames/000000.h5   the hashes of the nodes before frame 0, and frame 0
//     frames/tail.h5     the hashes behind the last frame
#ifndef THUDI_H5_LAYOUT_H
#define THUDI_H5_LAYOUT_H

#include "record/hdf5/hdf5_bytes.h"
#include "record/log_format.h"

#include <stddef.h>

#define THUDI_H5_NAME "frames.h5"
#define THUDI_H5_FOLDER "frames"
#define THUDI_H5_TAIL "tail.h5"
#define THUDI_H5_PART ".part"

enum
{
    THUDI_H5_VERSION = 1,
    THUDI_H5_BLOCKS = 64, // most blocks of a frame
    THUDI_H5_NAMES = 256, // most names of blocks
    THUDI_H5_UNIT = 64,   // room for a unit, with its end
    THUDI_H5_UNITS = 5,
    // Where the bytes of the first attribute of a file begin: behind the superblock, the beginning
    // of the root's header, and of the attribute, whose name has five letters.
    THUDI_H5_HEADS_AT = THUDI_H5_SUPERBLOCK + 10 + 4 + 9 + 6 + 12 + 12
};

// The first attribute of frames.h5, which is named "about". Names follow it.
typedef struct thudi_h5_about
{
    char magic[8];
    uint32_t version;
    uint32_t sum;    // of all of it, with 0 here
    uint64_t length; // of all of it, in bytes
    int64_t frames;  // that are linked
    char units[THUDI_H5_UNITS][THUDI_H5_UNIT];
    thudi_file_header header; // of the log
    thudi_record_head head;   // of its names,
    thudi_block block;        // and their block
} thudi_h5_about;

typedef struct thudi_h5_all
{
    thudi_h5_about about;
    thudi_block_name names[THUDI_H5_NAMES];
} thudi_h5_all;

// The first attribute of a file of a frame, which is named "heads": all bytes of the log that are
// not items.
typedef struct thudi_h5_heads
{
    char magic[8];
    uint32_t version;
    uint32_t sum;       // of all of it, with 0 here
    uint64_t length;    // of all of it, in bytes
    uint64_t data;      // where the items begin in the file
    uint64_t steps;     // hashes before the frame
    uint32_t steps_sum; // of their items
    uint32_t has_frame; // 0: of the tail
    int64_t number;     // of the frame; of the tail: frames before it
    // of a frame only:
    thudi_record_head record;
    thudi_block blocks[THUDI_H5_BLOCKS];
} thudi_h5_heads;

// A hash as an item.
typedef struct thudi_h5_node
{
    int64_t node;
    uint64_t hash;
} thudi_h5_node;

_Static_assert(sizeof(thudi_h5_about) == 32 + 320 + 64 + 56 + 16, "no gaps");
_Static_assert(offsetof(thudi_h5_heads, record) == 56, "no gaps");
_Static_assert(sizeof(thudi_h5_node) == THUDI_H5_NODES >> 8, "stored as they are in memory");

// How many names there are, and their length.
static inline uint64_t thudi_h5_name_count(const thudi_h5_all *all)
{
    return all->about.block.count;
}

// The bytes of the log that frames.h5 holds: its header, and its record of names.
enum
{
    THUDI_H5_LOG_HEAD = 64 + 56 + 16
};

// Is this the beginning of such an attribute, of a version that this Thud reads? Else *wrong.
bool thudi_h5_about_is_sound(const thudi_h5_all *all, size_t read, const char **wrong);
bool thudi_h5_heads_are_sound(const thudi_h5_heads *heads, size_t read, uint64_t file_size,
                              const char **wrong);

// The bytes of all items, and of all that the file holds of the log.
uint64_t thudi_h5_data_length(const thudi_h5_heads *heads);
uint64_t thudi_h5_log_length(const thudi_h5_heads *heads);

// How many bodies share the coordinates, from the items of the block of ids. 0: that is not known.
uint64_t thudi_h5_bodies(const thud_id_range *ids, uint64_t count);
// The number of the block that holds the ids, -1 for none.
int thudi_h5_ids_block(const thudi_h5_all *all, const thudi_h5_heads *heads);

// Take the units over. One that is too long is left out.
void thudi_h5_set_units(thudi_h5_about *about, const thud_log_units *units);

// Complete the attribute, and write the file that it begins. For a frame: all but the items.
void thudi_h5_make_about(thudi_h5_bytes *to, thudi_h5_all *all);
void thudi_h5_make_frame(thudi_h5_bytes *to, const thudi_h5_all *all, thudi_h5_heads *heads,
                         uint64_t bodies);

// The name of the file of a frame.
void thudi_h5_frame_name(char name[32], int64_t number);

#endif
