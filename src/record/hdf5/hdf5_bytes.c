// Bytes of an HDF5 file: the superblock, headers, links and attributes.
#include "record/hdf5/hdf5_types.h"

#include <string.h>

#define NOWHERE UINT64_MAX // an address that is not given

enum
{
    LINK_INFO = 2,
    LINK = 6,
    GROUP_INFO = 10,
    ATTRIBUTE = 12,
    EXTERNAL = 64 // a kind of link
};

void thudi_h5_free(thudi_h5_bytes *to)
{
    thudi_array_free(&to->allocator, &to->list);
    *to = (thudi_h5_bytes){.allocator = to->allocator};
}

void thudi_h5_append(thudi_h5_bytes *to, const void *data, size_t length)
{
    if (to->has_failed || length == 0)
        return;
    to->has_failed = thudi_array_reserve(&to->allocator, &to->list, to->used + length) < 0;
    if (to->has_failed)
        return;
    memcpy(to->list.items + to->used, data, length);
    to->used += length;
}

void thudi_h5_put(thudi_h5_bytes *to, uint64_t value, size_t size)
{
    thudi_h5_append(to, &value, size); // the processor is little-endian, too
}

static uint32_t turn(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static void mix(uint32_t x[3])
{
    static const int turns[] = {4, 6, 8, 16, 19, 4};
    for (int i = 0; i < 6; i++)
    {
        uint32_t *a = &x[i % 3], *b = &x[(i + 1) % 3], *c = &x[(i + 2) % 3];
        *a = (*a - *c) ^ turn(*c, turns[i]);
        *c += *b;
    }
}

static void finish(uint32_t x[3])
{
    static const int turns[] = {14, 11, 25, 16, 4, 14, 24};
    for (int i = 0; i < 7; i++)
    {
        uint32_t *a = &x[(i + 2) % 3], b = x[(i + 1) % 3];
        *a = (*a ^ b) - turn(b, turns[i]);
    }
}

uint32_t thudi_h5_sum(const void *data, size_t length)
{
    const unsigned char *bytes = data;
    uint32_t start = 0xdeadbeef + (uint32_t)length, x[3] = {start, start, start};
    if (length == 0)
        return start;
    for (size_t done = 0; done < length;)
    {
        size_t rest = length - done < 12 ? length - done : 12;
        for (size_t i = 0; i < rest; i++)
            x[i / 4] += (uint32_t)bytes[done + i] << 8 * (i % 4);
        done += rest;
        if (done < length)
            mix(x);
    }
    finish(x);
    return x[2];
}

void thudi_h5_superblock(thudi_h5_bytes *to, uint64_t end)
{
    size_t begin = to->used;
    thudi_h5_append(to, "\211HDF\r\n\032\n", 8);
    thudi_h5_put(to, 2, 1);       // version
    thudi_h5_put(to, 8, 1);       // bytes of an address
    thudi_h5_put(to, 8, 1);       // and of a length
    thudi_h5_put(to, 0, 1);       // nobody has it open for writing
    thudi_h5_put(to, 0, 8);       // address of the first byte
    thudi_h5_put(to, NOWHERE, 8); // no extension
    thudi_h5_put(to, end, 8);
    thudi_h5_put(to, THUDI_H5_SUPERBLOCK, 8); // address of the root
    if (!to->has_failed)
        thudi_h5_put(to, thudi_h5_sum(to->list.items + begin, to->used - begin), 4);
}

void thudi_h5_begin_object(thudi_h5_bytes *to)
{
    to->object = to->used;
    thudi_h5_append(to, "OHDR\2\2", 6); // version 2; the length has 4 bytes, no times
    thudi_h5_put(to, 0, 4);             // the length, later
}

void thudi_h5_end_object(thudi_h5_bytes *to)
{
    if (to->has_failed)
        return;
    uint32_t length = (uint32_t)(to->used - to->object - 10);
    memcpy(to->list.items + to->object + 6, &length, sizeof length);
    thudi_h5_put(to, thudi_h5_sum(to->list.items + to->object, to->used - to->object), 4);
}

void thudi_h5_begin_message(thudi_h5_bytes *to, int type, int flags)
{
    to->message = to->used;
    thudi_h5_put(to, (uint64_t)type, 1);
    thudi_h5_put(to, 0, 2); // the length, later
    thudi_h5_put(to, (uint64_t)flags, 1);
}

void thudi_h5_end_message(thudi_h5_bytes *to)
{
    size_t length = to->used - to->message - 4;
    to->has_failed = to->has_failed || length > THUDI_H5_MESSAGE;
    if (!to->has_failed)
        memcpy(to->list.items + to->message + 1, &length, 2);
}

void thudi_h5_group(thudi_h5_bytes *to)
{
    thudi_h5_begin_message(to, LINK_INFO, 0);
    thudi_h5_put(to, 0, 2); // version and flags
    thudi_h5_put(to, NOWHERE, 8);
    thudi_h5_put(to, NOWHERE, 8);
    thudi_h5_end_message(to);
    thudi_h5_begin_message(to, GROUP_INFO, 1);
    thudi_h5_put(to, 0, 2); // version and flags
    thudi_h5_end_message(to);
}

void thudi_h5_link(thudi_h5_bytes *to, const char *name, uint64_t address)
{
    size_t length = strlen(name);
    thudi_h5_begin_message(to, LINK, 0);
    thudi_h5_put(to, 1, 1); // version
    thudi_h5_put(to, 0, 1); // a hard link, its name has one byte of length
    thudi_h5_put(to, length, 1);
    thudi_h5_append(to, name, length);
    thudi_h5_put(to, address, 8);
    thudi_h5_end_message(to);
}

void thudi_h5_external(thudi_h5_bytes *to, const char *name, const char *file)
{
    size_t length = strlen(name);
    thudi_h5_begin_message(to, LINK, 0);
    thudi_h5_put(to, 1, 1); // version
    thudi_h5_put(to, 8, 1); // the kind of link is given
    thudi_h5_put(to, EXTERNAL, 1);
    thudi_h5_put(to, length, 1);
    thudi_h5_append(to, name, length);
    thudi_h5_put(to, strlen(file) + 4, 2);
    thudi_h5_put(to, 0, 1); // version and flags
    thudi_h5_append(to, file, strlen(file) + 1);
    thudi_h5_append(to, "/", 2);
    thudi_h5_end_message(to);
}

// An attribute with a type that is written already, in `type`. rows: 0 for one item.
static void attribute(thudi_h5_bytes *to, const char *name, const thudi_h5_bytes *type, size_t rows,
                      const void *data, size_t length)
{
    size_t title = strlen(name) + 1;
    thudi_h5_begin_message(to, ATTRIBUTE, 0);
    thudi_h5_put(to, 3, 2); // version, and no flags
    thudi_h5_put(to, title, 2);
    thudi_h5_put(to, type->used, 2);
    thudi_h5_put(to, rows > 0 ? 12 : 4, 2); // bytes of the space
    thudi_h5_put(to, 0, 1);                 // the name is ASCII
    thudi_h5_append(to, name, title);
    thudi_h5_append(to, type->list.items, type->used);
    thudi_h5_space(to, rows, 0);
    thudi_h5_append(to, data, length);
    thudi_h5_end_message(to);
    to->has_failed = to->has_failed || type->has_failed;
}

void thudi_h5_number(thudi_h5_bytes *to, const char *name, thudi_h5_kind kind, const void *value)
{
    thudi_h5_bytes type = {.allocator = to->allocator};
    size_t size = thudi_h5_type(&type, kind);
    attribute(to, name, &type, 0, value, size);
    thudi_h5_free(&type);
}

void thudi_h5_text(thudi_h5_bytes *to, const char *name, const char *text)
{
    thudi_h5_bytes type = {.allocator = to->allocator};
    size_t length = strlen(text) + 1;
    thudi_h5_text_type(&type, length);
    attribute(to, name, &type, 0, text, length);
    thudi_h5_free(&type);
}

void thudi_h5_raw(thudi_h5_bytes *to, const char *name, const void *data, size_t length)
{
    thudi_h5_bytes type = {.allocator = to->allocator};
    (void)thudi_h5_type(&type, THUDI_H5_BYTE);
    attribute(to, name, &type, length, data, length);
    thudi_h5_free(&type);
}
