// Writes the parts of the HDF5 file format that a log needs, as in the HDF5 File Format
// Specification 3.0: a superblock of version 2, object headers of version 2, groups with compact
// links, arrays stored in one piece. So the bytes of a file follow from its contents alone, and
// neither a version of the HDF5 library nor the number of processes can change them.
#ifndef THUDI_H5_BYTES_H
#define THUDI_H5_BYTES_H

#include "core/memory.h"

enum
{
    THUDI_H5_SUPERBLOCK = 48, // bytes; the root's header follows
    THUDI_H5_MESSAGE = 65535  // most bytes of a message
};

// Bytes that grow. After a failure to get memory nothing more is written.
typedef struct thudi_h5_bytes
{
    thud_allocator allocator;
    THUDI_ARRAY(unsigned char) list;
    size_t used;
    size_t object, message; // where the current header and message begin
    bool has_failed;
} thudi_h5_bytes;

void thudi_h5_free(thudi_h5_bytes *to);

// Little-endian numbers of `size` bytes, and bytes as they are.
void thudi_h5_put(thudi_h5_bytes *to, uint64_t value, size_t size);
void thudi_h5_append(thudi_h5_bytes *to, const void *data, size_t length);

// The checksum of HDF5's metadata: lookup3 of Bob Jenkins.
uint32_t thudi_h5_sum(const void *data, size_t length);

// The superblock of a file of `end` bytes.
void thudi_h5_superblock(thudi_h5_bytes *to, uint64_t end);

// The header of an object: messages between begin and end.
void thudi_h5_begin_object(thudi_h5_bytes *to);
void thudi_h5_end_object(thudi_h5_bytes *to);
// Messages that make an object a group, and link it to an object of this file, or to the root of
// another file. `name` and `file` have less than 200 bytes.
void thudi_h5_group(thudi_h5_bytes *to);
void thudi_h5_link(thudi_h5_bytes *to, const char *name, uint64_t address);
void thudi_h5_external(thudi_h5_bytes *to, const char *name, const char *file);

// Types of numbers and of bytes, as items of blocks.
typedef enum thudi_h5_kind
{
    THUDI_H5_DOUBLE,
    THUDI_H5_INT64,
    THUDI_H5_UINT64,
    THUDI_H5_UINT32,
    THUDI_H5_INT8,
    THUDI_H5_BYTE
} thudi_h5_kind;

// Attributes of the object: a number, a text, or bytes.
void thudi_h5_number(thudi_h5_bytes *to, const char *name, thudi_h5_kind kind, const void *value);
void thudi_h5_text(thudi_h5_bytes *to, const char *name, const char *text);
void thudi_h5_raw(thudi_h5_bytes *to, const char *name, const void *data, size_t length);

// A list of `rows` items, or a table of rows and columns, whose items have a type of
// record/blocks.h, at an address of the file.
typedef struct thudi_h5_array
{
    const char *name, *unit; // unit: NULL for none
    uint16_t type;
    uint64_t rows, columns; // columns: 0 for a list
    uint64_t data;          // address of the items
    uint64_t header;        // address of the array's header
} thudi_h5_array;

// The type of items of the hashes of nodes: node (int64), hash (uint64).
enum
{
    THUDI_H5_NODES = 16 << 8 | 255
};

// The whole header of an array; notes its address.
void thudi_h5_array_header(thudi_h5_bytes *to, thudi_h5_array *array);

#endif
