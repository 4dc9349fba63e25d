// A block of bytes that is deflated while it is made, and turned into base64 at the end.
#ifndef THUDI_PAGE_PACK_H
#define THUDI_PAGE_PACK_H

#include "core/memory.h"
#include "core/stream.h"

#define ZLIB_CONST
#include <zlib.h>

// The first error stays, and later calls do nothing. All numbers are little-endian.
typedef struct thudi_pack
{
    thud_status status;
    size_t limit;  // of length; beyond it the status is THUD_ERR_LIMIT
    size_t length; // bytes deflated so far
    thud_allocator allocator;
    z_stream zlib;
    bool is_open;
    THUDI_ARRAY(unsigned char) out;
    THUDI_ARRAY(unsigned char) plane;
} thudi_pack;

// The allocator must outlive the pack. Free in any case.
void thudi_pack_begin(thudi_pack *pack, const thud_allocator *allocator, size_t limit);
void thudi_pack_free(thudi_pack *pack);

void thudi_pack_bytes(thudi_pack *pack, const void *bytes, size_t length);
void thudi_pack_u32(thudi_pack *pack, uint32_t x);
void thudi_pack_f32(thudi_pack *pack, double x);
void thudi_pack_f64(thudi_pack *pack, double x);

// Arrays by planes: all lowest bytes first, then all second ones ...; equal bytes lie together.
void thudi_pack_u16s(thudi_pack *pack, const uint16_t *x, size_t count);
void thudi_pack_u32s(thudi_pack *pack, const uint32_t *x, size_t count);

// No more follows. After it the length is final.
thud_status thudi_pack_end(thudi_pack *pack);

// All of it as base64.
void thudi_pack_base64(const thudi_pack *pack, thudi_stream *stream);

// The sign moved to the lowest bit, so that small differences have high bytes of 0.
static inline uint16_t thudi_zigzag16(uint16_t x)
{
    return (uint16_t)((unsigned)x << 1 ^ (x & 0x8000U ? 0xffffU : 0U));
}

// The upper half of a float, rounded to even: 8 bits of mantissa.
uint16_t thudi_half_float(double x);

static inline uint32_t thudi_zigzag32(uint32_t x)
{
    return x << 1 ^ (x & 0x80000000U ? 0xffffffffU : 0U);
}

#endif
