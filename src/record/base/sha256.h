// SHA-256, as in FIPS 180-4.
#ifndef THUDI_SHA256_H
#define THUDI_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum
{
    THUDI_SHA256_SIZE = 32,
    THUDI_SHA256_BLOCK = 64
};

typedef struct thudi_sha256
{
    uint32_t state[8];
    uint64_t length; // bytes so far
    unsigned char block[THUDI_SHA256_BLOCK];
} thudi_sha256;

thudi_sha256 thudi_sha256_begin(void);
void thudi_sha256_add(thudi_sha256 *sha, const void *data, size_t length);
void thudi_sha256_end(thudi_sha256 *sha, unsigned char digest[THUDI_SHA256_SIZE]);

#endif
