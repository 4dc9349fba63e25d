// Types of HDF5 for the items of blocks, and the headers of arrays.
#include "record/hdf5/hdf5_types.h"

#include "record/blocks.h"

#include <string.h>

enum
{
    SPACE = 1,
    TYPE = 3,
    FILL = 5,
    LAYOUT = 8,
    VERSION = 3 << 4, // of types
    OPAQUE = 5,
    COMPOUND = 6,
    ARRAY = 10,
    MOST_FIELDS = 8
};

// A member of a compound type.
typedef struct field
{
    const char *name;
    thudi_h5_kind kind;
    uint32_t count; // 0: one number, else a list of as many
} field;

static const field nodes[] = {{"node", THUDI_H5_INT64, 0}, {"hash", THUDI_H5_UINT64, 0}};
static const field ranges[] = {{"first", THUDI_H5_INT64, 0}, {"count", THUDI_H5_INT64, 0}};
#define KEY                                                                                        \
    {"kind", THUDI_H5_UINT32, 0}, {"image", THUDI_H5_UINT32, 0}, {"a", THUDI_H5_INT64, 0},         \
    {                                                                                              \
        "b", THUDI_H5_INT64, 0                                                                     \
    }
static const field multipliers[] = {
    KEY, {"impulse", THUDI_H5_DOUBLE, 0}, {"memory", THUDI_H5_DOUBLE, 0}};
static const field directions[] = {KEY, {"normal", THUDI_H5_DOUBLE, 3}};

enum
{
    KEY_FIELDS = 4,
    IMPULSE_FIELDS = 5,
    ROW_FIELDS = 6
};

size_t thudi_h5_type(thudi_h5_bytes *to, thudi_h5_kind kind)
{
    static const unsigned char sizes[] = {8, 8, 8, 4, 1, 1};
    size_t size = sizes[kind];
    if (kind == THUDI_H5_DOUBLE)
    {
        // class 1, the first bit of the mantissa is not stored, the sign is bit 63, 8 bytes; 64
        // bits from 0 on, the exponent has 11 bits from 52 on, the mantissa 52 from 0 on
        thudi_h5_append(to, (const unsigned char[]){VERSION | 1, 0x20, 63, 0, 8, 0, 0, 0}, 8);
        thudi_h5_append(to, (const unsigned char[]){0, 0, 64, 0, 52, 11, 0, 52}, 8);
        thudi_h5_put(to, 1023, 4);
        return size;
    }
    bool has_sign = kind == THUDI_H5_INT64 || kind == THUDI_H5_INT8;
    thudi_h5_put(to, VERSION, 1); // class 0
    thudi_h5_put(to, has_sign ? 8 : 0, 3);
    thudi_h5_put(to, size, 4);
    thudi_h5_put(to, 0, 2);
    thudi_h5_put(to, 8 * size, 2); // bits
    return size;
}

void thudi_h5_text_type(thudi_h5_bytes *to, size_t length)
{
    thudi_h5_put(to, VERSION | 3, 1);
    thudi_h5_put(to, 1 << 4, 3); // UTF-8, ends with 0
    thudi_h5_put(to, length, 4);
}

void thudi_h5_space(thudi_h5_bytes *to, uint64_t rows, uint64_t columns)
{
    uint64_t rank = rows == 0 ? 0 : columns == 0 ? 1 : 2;
    thudi_h5_put(to, 2, 1); // version
    thudi_h5_put(to, rank, 1);
    thudi_h5_put(to, 0, 1);
    thudi_h5_put(to, rank > 0, 1); // one item, or an array
    if (rank > 0)
        thudi_h5_put(to, rows, 8);
    if (rank > 1)
        thudi_h5_put(to, columns, 8);
}

static void list_type(thudi_h5_bytes *to, thudi_h5_kind kind, uint32_t count, size_t size)
{
    thudi_h5_put(to, VERSION | ARRAY, 4);
    thudi_h5_put(to, size * count, 4);
    thudi_h5_put(to, 1, 1); // dimensions
    thudi_h5_put(to, count, 4);
    (void)thudi_h5_type(to, kind);
}

static void compound_type(thudi_h5_bytes *to, const field *fields, int count, size_t size)
{
    static const unsigned char sizes[] = {8, 8, 8, 4, 1, 1};
    size_t offset = 0;
    thudi_h5_put(to, VERSION | COMPOUND, 1);
    thudi_h5_put(to, (uint64_t)count, 3);
    thudi_h5_put(to, size, 4);
    for (int i = 0; i < count; i++)
    {
        size_t one = sizes[fields[i].kind];
        thudi_h5_append(to, fields[i].name, strlen(fields[i].name) + 1);
        thudi_h5_put(to, offset, 1); // one byte, as the item has less than 256
        if (fields[i].count > 0)
            list_type(to, fields[i].kind, fields[i].count, one);
        else
            (void)thudi_h5_type(to, fields[i].kind);
        offset += one * (fields[i].count > 0 ? fields[i].count : 1);
    }
}

// Multipliers with the numbers that their law keeps beyond the memory.
static void kept_type(thudi_h5_bytes *to, size_t size)
{
    field fields[ROW_FIELDS + 1];
    memcpy(fields, multipliers, sizeof multipliers);
    fields[ROW_FIELDS] =
        (field){"kept", THUDI_H5_DOUBLE, (uint32_t)((size - (THUDI_ITEM_MULTIPLIER >> 8)) / 8)};
    compound_type(to, fields, ROW_FIELDS + 1, size);
}

// The type of a block's items. What this Thud does not know is stored as bytes.
static void item_type(thudi_h5_bytes *to, uint16_t type)
{
    size_t size = thudi_item_size(type);
    switch (type)
    {
    case THUDI_ITEM_DOUBLE:
        (void)thudi_h5_type(to, THUDI_H5_DOUBLE);
        return;
    case THUDI_ITEM_INT64:
        (void)thudi_h5_type(to, THUDI_H5_INT64);
        return;
    case THUDI_ITEM_UINT64:
        (void)thudi_h5_type(to, THUDI_H5_UINT64);
        return;
    case THUDI_ITEM_UINT32:
        (void)thudi_h5_type(to, THUDI_H5_UINT32);
        return;
    case THUDI_ITEM_INT8:
        (void)thudi_h5_type(to, THUDI_H5_INT8);
        return;
    case THUDI_ITEM_KEY:
        compound_type(to, multipliers, KEY_FIELDS, size);
        return;
    case THUDI_ITEM_IMPULSE:
        compound_type(to, multipliers, IMPULSE_FIELDS, size);
        return;
    case THUDI_ITEM_MULTIPLIER:
        compound_type(to, multipliers, ROW_FIELDS, size);
        return;
    case THUDI_ITEM_DIRECTION:
        compound_type(to, directions, KEY_FIELDS + 1, size);
        return;
    case THUDI_ITEM_RANGE:
        compound_type(to, ranges, 2, size);
        return;
    case THUDI_H5_NODES:
        compound_type(to, nodes, 2, size);
        return;
    default:
        break;
    }
    if ((type & 255) == THUDI_ITEM_KEPT && size > THUDI_ITEM_MULTIPLIER >> 8 && size % 8 == 0)
    {
        kept_type(to, size);
        return;
    }
    thudi_h5_put(to, VERSION | OPAQUE, 1);
    thudi_h5_put(to, 8, 3); // bytes of the tag
    thudi_h5_put(to, size, 4);
    thudi_h5_append(to, "thud\0\0\0", 8);
}

void thudi_h5_array_header(thudi_h5_bytes *to, thudi_h5_array *array)
{
    uint64_t count = array->rows * (array->columns > 0 ? array->columns : 1);
    array->header = to->used;
    thudi_h5_begin_object(to);
    thudi_h5_begin_message(to, SPACE, 0);
    thudi_h5_space(to, array->rows, array->columns);
    thudi_h5_end_message(to);
    thudi_h5_begin_message(to, TYPE, 1);
    item_type(to, array->type);
    thudi_h5_end_message(to);
    thudi_h5_begin_message(to, FILL, 1);
    thudi_h5_put(to, 3, 1);          // version
    thudi_h5_put(to, 1 | 1 << 2, 1); // its place is there from the beginning, and is never filled
    thudi_h5_end_message(to);
    thudi_h5_begin_message(to, LAYOUT, 0);
    thudi_h5_put(to, 3, 1); // version
    thudi_h5_put(to, 1, 1); // in one piece
    thudi_h5_put(to, array->data, 8);
    thudi_h5_put(to, count * thudi_item_size(array->type), 8);
    thudi_h5_end_message(to);
    if (array->unit && array->unit[0])
        thudi_h5_text(to, "unit", array->unit);
    thudi_h5_end_object(to);
}
