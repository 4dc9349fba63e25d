// A block of bytes that is deflated while it is made, and turned into base64 at the end.
#include "page/pack.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie");

enum
{
    HEADER = 16,    // of a block for zlib: its size, so that it can be freed
    ROOM = 1 << 16, // least room for zlib's output
    LEVEL = 7,      // of compression
    PLANE = 2048,   // bytes that get a code for themselves
    PART = 3 << 12  // bytes turned into base64 at once
};

static void *zlib_allocate(void *user, unsigned items, unsigned size)
{
    const thud_allocator *allocator = user;
    size_t bytes = HEADER + (size_t)items * size;
    char *block = allocator->resize(NULL, 0, bytes, allocator->user);
    if (!block)
        return NULL;
    memcpy(block, &bytes, sizeof bytes);
    return block + HEADER;
}

static void zlib_free(void *user, void *address)
{
    size_t bytes;
    char *block = (char *)address - HEADER;
    memcpy(&bytes, block, sizeof bytes);
    thudi_free(user, block, bytes);
}

void thudi_pack_begin(thudi_pack *pack, const thud_allocator *allocator, size_t limit)
{
    memset(pack, 0, sizeof *pack);
    pack->allocator = *allocator;
    pack->limit = limit;
    pack->zlib.zalloc = zlib_allocate;
    pack->zlib.zfree = zlib_free;
    pack->zlib.opaque = &pack->allocator;
    if (deflateInit(&pack->zlib, LEVEL) != Z_OK)
        pack->status = THUD_ERR_MEMORY;
    else
        pack->is_open = true;
}

void thudi_pack_free(thudi_pack *pack)
{
    if (pack->is_open)
        (void)deflateEnd(&pack->zlib);
    pack->is_open = false;
    thudi_array_free(&pack->allocator, &pack->out);
    thudi_array_free(&pack->allocator, &pack->plane);
}

// Hand bytes to zlib until it has taken them all, or (finish) has given everything back.
static void deflate_part(thudi_pack *pack, const unsigned char *bytes, unsigned length, int flush)
{
    z_stream *zlib = &pack->zlib;
    zlib->next_in = bytes;
    zlib->avail_in = length;
    int result = Z_OK;
    bool more = length > 0 || flush != Z_NO_FLUSH;
    while (pack->status >= 0 && more)
    {
        if (thudi_array_reserve(&pack->allocator, &pack->out, pack->length + ROOM) < 0)
        {
            pack->status = THUD_ERR_MEMORY;
            return;
        }
        zlib->next_out = pack->out.items + pack->length;
        zlib->avail_out = ROOM;
        result = deflate(zlib, flush);
        pack->length += ROOM - zlib->avail_out;
        if (pack->length > pack->limit)
            pack->status = THUD_ERR_LIMIT;
        // as long as zlib fills all the room it may have more
        more = zlib->avail_in > 0 || zlib->avail_out == 0 || (flush == Z_FINISH && result == Z_OK);
    }
}

void thudi_pack_bytes(thudi_pack *pack, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    while (pack->status >= 0 && length > 0)
    {
        unsigned part = length < (1U << 30) ? (unsigned)length : 1U << 30;
        deflate_part(pack, at, part, Z_NO_FLUSH);
        at += part;
        length -= part;
    }
}

void thudi_pack_u32(thudi_pack *pack, uint32_t x)
{
    thudi_pack_bytes(pack, &x, sizeof x);
}

void thudi_pack_f32(thudi_pack *pack, double x)
{
    float single = (float)x;
    thudi_pack_bytes(pack, &single, sizeof single);
}

void thudi_pack_f64(thudi_pack *pack, double x)
{
    thudi_pack_bytes(pack, &x, sizeof x);
}

uint16_t thudi_half_float(double x)
{
    float single = (float)x;
    uint32_t bits;
    if (x != x)
        return 0x7fc0;
    memcpy(&bits, &single, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static void pack_planes(thudi_pack *pack, const unsigned char *bytes, size_t count, size_t size)
{
    if (pack->status < 0)
        return;
    if (thudi_array_reserve(&pack->allocator, &pack->plane, count + 1) < 0)
    {
        pack->status = THUD_ERR_MEMORY;
        return;
    }
    for (size_t plane = 0; plane < size; plane++)
    {
        for (size_t i = 0; i < count; i++)
            pack->plane.items[i] = bytes[size * i + plane];
        thudi_pack_bytes(pack, pack->plane.items, count);
        // the bytes of each large plane have their own distribution and get their own code
        if (count >= PLANE)
            deflate_part(pack, NULL, 0, Z_BLOCK);
    }
}

void thudi_pack_u16s(thudi_pack *pack, const uint16_t *x, size_t count)
{
    pack_planes(pack, (const unsigned char *)x, count, sizeof *x);
}

void thudi_pack_u32s(thudi_pack *pack, const uint32_t *x, size_t count)
{
    pack_planes(pack, (const unsigned char *)x, count, sizeof *x);
}

thud_status thudi_pack_end(thudi_pack *pack)
{
    if (pack->status >= 0)
        deflate_part(pack, (const unsigned char *)"", 0, Z_FINISH);
    return pack->status;
}

static size_t encode(const unsigned char *in, size_t length, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0;
    for (size_t i = 0; i < length; i += 3)
    {
        size_t left = length - i;
        uint32_t three = (uint32_t)in[i] << 16 | (left > 1 ? (uint32_t)in[i + 1] << 8 : 0U) |
                         (left > 2 ? in[i + 2] : 0U);
        out[used++] = digits[three >> 18];
        out[used++] = digits[three >> 12 & 63];
        out[used++] = left > 1 ? digits[three >> 6 & 63] : '=';
        out[used++] = left > 2 ? digits[three & 63] : '=';
    }
    return used;
}

void thudi_pack_base64(const thudi_pack *pack, thudi_stream *stream)
{
    char text[PART / 3 * 4];
    for (size_t at = 0; at < pack->length; at += PART)
    {
        size_t length = pack->length - at < PART ? pack->length - at : PART;
        (void)thudi_stream_write(stream, text, encode(pack->out.items + at, length, text));
    }
}
