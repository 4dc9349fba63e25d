// The digest of a log: SHA-256 of its header, then for each record SHA-256 of the digest so far and
// the record's bytes.
#ifndef THUDI_DIGEST_H
#define THUDI_DIGEST_H

#include "record/log_form.h"

#include <sys/uio.h>

// The digest of a header without records.
thud_digest thudi_digest_begin(const thudi_file_header *header);

// Add one record, whose bytes are in the parts.
void thudi_digest_add(thud_digest *digest, const struct iovec *parts, int count);

// A digest that is wanted: the one after all records of the nodes up to `node`. These records end
// where the step of the next node begins.
typedef struct thudi_digest_request
{
    int64_t node;
    thud_digest digest;
} thudi_digest_request;

// Fill the requests, which are sorted by node, from the whole records in the first `bytes` bytes of
// a log. Returns 0 or an errno value.
int thudi_digest_log(thudi_log_source *log, int64_t bytes, thudi_digest_request *requests,
                     int count);

#endif
