// CRC-32C: by the processor's own instruction where the build may use it, as every x86-64-v3 may,
// and by tables elsewhere. The remainder of a sum is the sum of remainders. So that of eight bytes
// is made of sixteen, one for each half of a byte.
#include "core/checksum.h"

#include <string.h>

#ifdef __SSE4_2__
#include <nmmintrin.h>

static uint32_t add_word(uint32_t sum, uint64_t word)
{
    return (uint32_t)_mm_crc32_u64(sum, word);
}

static uint32_t add_byte(uint32_t sum, unsigned char byte)
{
    return _mm_crc32_u8(sum, byte);
}
#else
// The remainders of all sums of four bits, from those of each bit.
#define NIBBLE(a, b, c, d)                                                                         \
    {                                                                                              \
        0, (a), (b), (a) ^ (b), (c), (a) ^ (c), (b) ^ (c), (a) ^ (b) ^ (c), (d), (a) ^ (d),        \
            (b) ^ (d), (a) ^ (b) ^ (d), (c) ^ (d), (a) ^ (c) ^ (d), (b) ^ (c) ^ (d),               \
            (a) ^ (b) ^ (c) ^ (d)                                                                  \
    }

enum
{
    LAST = 14 // the halves of the last byte of eight are 14 and 15
};

static const uint32_t REMAINDERS[16][16] = {
    NIBBLE(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da),
    NIBBLE(0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664),
    NIBBLE(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53),
    NIBBLE(0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4),
    NIBBLE(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f),
    NIBBLE(0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6),
    NIBBLE(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91),
    NIBBLE(0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c),
    NIBBLE(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6),
    NIBBLE(0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f),
    NIBBLE(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5),
    NIBBLE(0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743),
    NIBBLE(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8),
    NIBBLE(0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9),
    NIBBLE(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf),
    NIBBLE(0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78),
};

static uint32_t add_word(uint32_t sum, uint64_t word)
{
    uint32_t next = 0;
    word ^= sum;
    for (int k = 0; k < 16; k++)
        next ^= REMAINDERS[k][word >> 4 * k & 15];
    return next;
}

static uint32_t add_byte(uint32_t sum, unsigned char byte)
{
    uint32_t low = (sum ^ byte) & 255;
    return sum >> 8 ^ REMAINDERS[LAST][low & 15] ^ REMAINDERS[LAST + 1][low >> 4];
}
#endif

uint32_t thudi_checksum(uint32_t before, const void *data, size_t length)
{
    const unsigned char *bytes = data;
    uint32_t sum = ~before;
    for (; length >= 8; length -= 8, bytes += 8)
    {
        uint64_t word;
        memcpy(&word, bytes, 8);
        sum = add_word(sum, word);
    }
    for (; length > 0; length--, bytes++)
        sum = add_byte(sum, *bytes);
    return ~sum;
}
