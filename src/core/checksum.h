// CRC-32C, the checksum of logs and checkpoints.
#ifndef THUDI_CHECKSUM_H
#define THUDI_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// The checksum of earlier bytes followed by data. `before` is the checksum of the earlier bytes, 0
// if there are none.
uint32_t thudi_checksum(uint32_t before, const void *data, size_t length);

#endif
