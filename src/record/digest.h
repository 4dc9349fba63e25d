// The digest of a log: SHA-256 over its header, then over the digest before and the bytes of each
// record, one after another.
#ifndef THUDI_DIGEST_H
#define THUDI_DIGEST_H

#include "record/log_format.h"

#include <sys/uio.h>

// Of the header, before any record.
thud_digest thudi_digest_begin(const thudi_file_header *header);

// After one more record, whose bytes are in the parts.
void thudi_digest_add(thud_digest *digest, const struct iovec *parts, int count);

// A digest that is wanted: after all records of the nodes 0 to `node`. These end where the step of
// the next node begins.
typedef struct thudi_digest_wish
{
    int64_t node;
    thud_digest digest;
} thudi_digest_wish;

// The digests of the whole records among the first `bytes` bytes of a log; wishes are sorted by
// node. Returns errno's of an error.
int thudi_digest_file(int fd, int64_t bytes, thudi_digest_wish *wishes, int count);

#endif
