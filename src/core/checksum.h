// CRC-32C, the checksum of logs and checkpoints.
#ifndef THUDI_CHECKSUM_H
#define THUDI_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// The checksum of what `before` is the checksum of, followed by data; before = 0 to begin.
uint32_t thudi_checksum(uint32_t before, const void *data, size_t length);

#endif
