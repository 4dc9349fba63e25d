// SHA-256 by the vectors of its standard, and the digest of a log against one put together by hand.
#include "record_rig.h"

#include "record/base/sha256.h"
#include "record/digest.h"

#include <stdlib.h>
#include <string.h>

static void hash(const void *data, size_t length, char text[THUD_DIGEST_TEXT])
{
    thud_digest digest;
    thudi_sha256 sha = thudi_sha256_begin();
    thudi_sha256_add(&sha, data, length);
    thudi_sha256_end(&sha, digest.bytes);
    (void)thud_digest_text(&digest, text);
}

// FIPS 180-4's examples, the empty message, and NIST's of 448 and 896 bits.
static void vectors(void)
{
    static const struct
    {
        const char *text, *digest;
    } vectors[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
         "lmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    {
        char text[THUD_DIGEST_TEXT];
        hash(vectors[i].text, strlen(vectors[i].text), text);
        CHECK(strcmp(text, vectors[i].digest) == 0);
    }
}

static void million(void)
{
    static const char *const wanted =
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    thudi_sha256 sha = thudi_sha256_begin();
    thud_digest digest;
    char block[1009], text[THUD_DIGEST_TEXT];
    memset(block, 'a', sizeof block);
    for (size_t done = 0, part; done < 1000000; done += part) // in pieces that fit no block
    {
        part = 1000000 - done < sizeof block ? 1000000 - done : 1 + done % sizeof block;
        part = part < 1000000 - done ? part : 1000000 - done;
        thudi_sha256_add(&sha, block, part);
    }
    thudi_sha256_end(&sha, digest.bytes);
    CHECK(strcmp(thud_digest_text(&digest, text), wanted) == 0);
}

// Any cut of a message into pieces gives the same.
static void pieces(void)
{
    unsigned char message[300];
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)(i * 37 + 11);
    for (size_t length = 0; length <= sizeof message; length++)
    {
        char whole[THUD_DIGEST_TEXT], parts[THUD_DIGEST_TEXT];
        thud_digest digest;
        hash(message, length, whole);
        thudi_sha256 sha = thudi_sha256_begin();
        for (size_t done = 0, part; done < length; done += part)
        {
            part = 1 + (done * 7 + length) % 67;
            part = part < length - done ? part : length - done;
            thudi_sha256_add(&sha, message + done, part);
        }
        thudi_sha256_end(&sha, digest.bytes);
        CHECK(strcmp(thud_digest_text(&digest, parts), whole) == 0);
    }
}

// D_0 = SHA-256(header), D_k = SHA-256(D_k-1, record k), record by record from the file's bytes.
static void digest_by_hand(const unsigned char *bytes, size_t length, int64_t node,
                           thud_digest *digest)
{
    static unsigned char joined[1 << 20];
    thudi_sha256 sha = thudi_sha256_begin();
    thudi_sha256_add(&sha, bytes, 64);
    thudi_sha256_end(&sha, digest->bytes);
    for (size_t at = 64; at < length;)
    {
        uint64_t record = 24;
        int64_t n;
        memcpy(&n, bytes + at + 8, sizeof n);
        if (memcmp(bytes + at, "STEP", 4) == 0 && n > node)
            return;
        if (memcmp(bytes + at, "FRAM", 4) == 0 || memcmp(bytes + at, "NAME", 4) == 0)
        {
            memcpy(&record, bytes + at + 8, sizeof record);
            record += 56;
        }
        memcpy(joined, digest, sizeof *digest);
        memcpy(joined + sizeof *digest, bytes + at, record);
        sha = thudi_sha256_begin();
        thudi_sha256_add(&sha, joined, sizeof *digest + record);
        thudi_sha256_end(&sha, digest->bytes);
        at += record;
    }
}

static const char *const COLUMNS[] = {"step"};

static void write_run(const char *folder, thud_digest *digest)
{
    thud_record *record;
    thud_fault fault;
    double q[2] = {1, 2}, u[2] = {0, -1};
    thud_multiplier touch = {.key = {7}, .impulse = 0.5};
    thud_record_def def = {.folder = folder, .dim = 2, .series = COLUMNS, .series_count = 1};
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    (void)thud_record_frame(record, &(thud_frame){.dim = 2, .q = q, .u = u});
    (void)thud_record_step(record, 0, 99);
    for (int n = 0; n < 9; n++)
    {
        thud_frame frame = {.n = n, .t = 0.1 * n, .h = 0.1, .dim = 2, .q = q, .u = u, .u_next = u};
        frame.force = q;
        frame.after = &touch;
        frame.after_count = n % 2;
        (void)thud_record_step(record, n + 1, (uint64_t)n * 77);
        if (n % 3 == 0)
            (void)thud_record_frame(record, &frame);
        q[0] += 0.01;
    }
    *digest = thud_record_digest(record);
    CHECK(thud_record_close(record, &fault) == THUD_OK);
}

static void whole_log(void)
{
    thud_log *log;
    thud_fault fault;
    char folder[RIG_PATH];
    REQUIRE(rig_folder_make(folder));
    thud_digest written = {0}, by_hand, read[3];
    write_run(rig_path(folder, "run"), &written);
    size_t length = 0;
    unsigned char *bytes = rig_file_read(rig_path(folder, "run/frames.thud"), &length);
    REQUIRE(bytes != NULL);
    const int64_t nodes[3] = {0, 4, 9};
    REQUIRE(thud_log_open(rig_path(folder, "run"), NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_digest(log, nodes, 3, read, &fault) == THUD_OK);
    for (int i = 0; i < 3; i++)
    {
        digest_by_hand(bytes, length, nodes[i], &by_hand);
        CHECK(memcmp(&by_hand, &read[i], sizeof by_hand) == 0);
    }
    CHECK(memcmp(&written, &read[2], sizeof written) == 0);
    CHECK(memcmp(&read[0], &read[1], sizeof written) != 0);
    CHECK(thud_log_digest(log, nodes, THUD_DIGESTS + 1, read, &fault) == THUD_ERR_ARGUMENT);
    thud_log_close(log);
    free(bytes);
    rig_folder_remove(folder);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"vectors", vectors},
        {"million", million},
        {"pieces", pieces},
        {"log", whole_log},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
