// SHA-256, as in FIPS 180-4: blocks of 64 bytes, big-endian words, 64 rounds each.
#include "record/base/sha256.h"

#include <string.h>

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static uint32_t read_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_word(unsigned char *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(word >> (24 - 8 * i));
}

static void spread(const unsigned char *block, uint32_t w[64])
{
    for (int i = 0; i < 16; i++)
        w[i] = read_word(block + 4 * (size_t)i);
    for (int i = 16; i < 64; i++)
    {
        uint32_t near = w[i - 15], far = w[i - 2];
        near = rotate(near, 7) ^ rotate(near, 18) ^ near >> 3;
        far = rotate(far, 17) ^ rotate(far, 19) ^ far >> 10;
        w[i] = w[i - 16] + near + w[i - 7] + far;
    }
}

// One round: the words a to h are s[0] to s[7] turned by i, so that nothing is moved.
static inline void take_round(uint32_t s[8], unsigned i, uint32_t word) // round constant included
{
    uint32_t a = s[(0 - i) & 7], b = s[(1 - i) & 7], c = s[(2 - i) & 7];
    uint32_t e = s[(4 - i) & 7], f = s[(5 - i) & 7], g = s[(6 - i) & 7];
    uint32_t one = s[(7 - i) & 7] + word + (g ^ (e & (f ^ g))) +
                   (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25));
    uint32_t two = ((a & b) | (c & (a | b))) + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22));
    s[(3 - i) & 7] += one;
    s[(7 - i) & 7] = one + two;
}

static void take_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], s[8];
    spread(block, w);
    memcpy(s, state, sizeof s);
    for (unsigned i = 0; i < 64; i += 8)
    {
        const uint32_t *word = w + i, *add = ROUND + i;
        take_round(s, 0, word[0] + add[0]);
        take_round(s, 1, word[1] + add[1]);
        take_round(s, 2, word[2] + add[2]);
        take_round(s, 3, word[3] + add[3]);
        take_round(s, 4, word[4] + add[4]);
        take_round(s, 5, word[5] + add[5]);
        take_round(s, 6, word[6] + add[6]);
        take_round(s, 7, word[7] + add[7]);
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

thudi_sha256 thudi_sha256_begin(void)
{
    // those of the square roots of the first 8 primes
    return (thudi_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                    0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void thudi_sha256_add(thudi_sha256 *sha, const void *data, size_t length)
{
    const unsigned char *bytes = data;
    size_t used = sha->length % THUDI_SHA256_BLOCK;
    sha->length += length;
    while (length > 0)
    {
        if (used == 0 && length >= THUDI_SHA256_BLOCK) // whole blocks from where they are
        {
            take_block(sha->state, bytes);
            bytes += THUDI_SHA256_BLOCK;
            length -= THUDI_SHA256_BLOCK;
            continue;
        }
        size_t part = THUDI_SHA256_BLOCK - used < length ? THUDI_SHA256_BLOCK - used : length;
        memcpy(sha->block + used, bytes, part);
        bytes += part;
        length -= part;
        used = (used + part) % THUDI_SHA256_BLOCK;
        if (used == 0)
            take_block(sha->state, sha->block);
    }
}

void thudi_sha256_end(thudi_sha256 *sha, unsigned char digest[THUDI_SHA256_SIZE])
{
    static const unsigned char ending[THUDI_SHA256_BLOCK] = {0x80};
    uint64_t bits = 8 * sha->length;
    size_t used = sha->length % THUDI_SHA256_BLOCK;
    unsigned char size[8];
    write_word(size, (uint32_t)(bits >> 32));
    write_word(size + 4, (uint32_t)bits);
    thudi_sha256_add(sha, ending, (used < 56 ? 56 : 120) - used);
    thudi_sha256_add(sha, size, sizeof size);
    for (int i = 0; i < 8; i++)
        write_word(digest + 4 * (size_t)i, sha->state[i]);
}
