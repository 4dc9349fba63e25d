// The digest of a log, computed while the log is written, or from the file:
//
//     D_0 = SHA-256(header),   D_k = SHA-256(D_k-1, bytes of record k)
#include "record/digest.h"

#include "record/base/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(thud_digest) == THUDI_SHA256_SIZE, "a digest is that of SHA-256");

thud_digest thudi_digest_begin(const thudi_file_header *header)
{
    thud_digest digest;
    thudi_sha256 sha = thudi_sha256_begin();
    thudi_sha256_add(&sha, header, sizeof *header);
    thudi_sha256_end(&sha, digest.bytes);
    return digest;
}

void thudi_digest_add(thud_digest *digest, const struct iovec *parts, int count)
{
    thudi_sha256 sha = thudi_sha256_begin();
    thudi_sha256_add(&sha, digest, sizeof *digest);
    for (int i = 0; i < count; i++)
        thudi_sha256_add(&sha, parts[i].iov_base, parts[i].iov_len);
    thudi_sha256_end(&sha, digest->bytes);
}

const char *thud_digest_text(const thud_digest *digest, char text[THUD_DIGEST_TEXT])
{
    for (size_t i = 0; i < sizeof digest->bytes; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", digest->bytes[i]);
    return text;
}

typedef struct walk
{
    thudi_log_source *log;
    int64_t offset, bytes; // where the current record begins, and where to end
    thud_digest digest;
    thudi_digest_request *requests;
    int done, count; // requests filled, and all
} walk;

static void fill_requests(walk *w, int64_t before)
{
    for (; w->done < w->count && w->requests[w->done].node < before; w->done++)
        w->requests[w->done].digest = w->digest;
}

// Add the record of that length at the offset to the digest. Returns an errno value.
static int take_record(walk *w, int64_t length)
{
    char block[1 << 14];
    thudi_sha256 sha = thudi_sha256_begin();
    thudi_sha256_add(&sha, &w->digest, sizeof w->digest);
    for (int64_t done = 0; done < length;)
    {
        int64_t rest = length - done;
        size_t part = rest < (int64_t)sizeof block ? (size_t)rest : sizeof block;
        ssize_t got = thudi_log_source_read(w->log, block, part, w->offset + done);
        if (got != (ssize_t)part)
            return got < 0 ? errno : EIO; // EIO: the file has become shorter
        thudi_sha256_add(&sha, block, part);
        done += rest < (int64_t)sizeof block ? rest : (int64_t)sizeof block;
    }
    thudi_sha256_end(&sha, w->digest.bytes);
    w->offset += length;
    return 0;
}

// The length of the record at the offset, 0 when no whole record is there, -1 for an error. A step
// fills the requests for the nodes before it.
static int64_t record_length(walk *w)
{
    thudi_record_head head = {0};
    thudi_log_step step;
    int64_t rest = w->bytes - w->offset;
    size_t length = rest < (int64_t)sizeof head ? (size_t)rest : sizeof head;
    if (rest < (int64_t)sizeof step)
        return 0;
    ssize_t got = thudi_log_source_read(w->log, &head, length, w->offset);
    if (got < 0)
        return -1;
    memcpy(&step, &head, sizeof step);
    if (step.type == THUDI_LOG_STEP)
    {
        fill_requests(w, step.n);
        return sizeof step;
    }
    if ((head.type != THUDI_LOG_FRAME && head.type != THUDI_RECORD_NAME) || length < sizeof head ||
        head.length > (uint64_t)(rest - (int64_t)sizeof head))
        return 0;
    return (int64_t)(sizeof head + head.length);
}

int thudi_digest_log(thudi_log_source *log, int64_t bytes, thudi_digest_request *requests,
                     int count)
{
    walk w = {.log = log, .bytes = bytes, .requests = requests, .count = count};
    thudi_file_header header;
    ssize_t got = thudi_log_source_read(log, &header, sizeof header, 0);
    if (got != (ssize_t)sizeof header)
        return got < 0 ? errno : EIO;
    w.digest = thudi_digest_begin(&header);
    w.offset = sizeof header;
    int64_t length = 0;
    while ((length = record_length(&w)) > 0)
    {
        int error = take_record(&w, length);
        if (error)
            return error;
    }
    if (length < 0)
        return errno;
    fill_requests(&w, INT64_MAX);
    return 0;
}
