// The log: what is written is read bit for bit.
#include "record_rig.h"

#include "core/checksum.h"
#include "record/log_format.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// CRC-32C bit by bit, from its polynomial.
static uint32_t slow_checksum(uint32_t sum, const unsigned char *bytes, size_t length)
{
    sum = ~sum;
    for (size_t i = 0; i < length; i++)
    {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? (sum >> 1) ^ 0x82f63b78u : sum >> 1;
    }
    return ~sum;
}

static void checksum(void)
{
    unsigned char bytes[300] = {0};
    uint64_t seed = test_seed(20260601);
    test_random random = test_random_start(seed);
    CHECK(thudi_checksum(0, "123456789", 9) == 0xe3069283u); // the published check value
    CHECK(thudi_checksum(0, bytes, 32) == 0x8a9136aau);      // RFC 3720, B.4
    for (int i = 0; i < 300; i++)
        bytes[i] = (unsigned char)(test_random_bits(&random) >> 40);
    for (size_t length = 0; length <= 280; length++)
        for (size_t shift = 0; shift < 9; shift++)
        {
            uint32_t before = (uint32_t)test_random_bits(&random);
            CHECK(thudi_checksum(before, bytes + shift, length) ==
                  slow_checksum(before, bytes + shift, length));
        }
    CHECK(thudi_checksum(thudi_checksum(0, bytes, 100), bytes + 100, 200) ==
          thudi_checksum(0, bytes, 300));
    printf("  seed %llu\n", (unsigned long long)seed);
}

static void round_trip(void)
{
    test_random random = test_random_begin(20260602);
    for (int trial = 0; trial < 40; trial++)
    {
        char folder[RIG_PATH];
        rig_frame frames[20];
        int count = test_random_int(&random, 0, 20), dim = test_random_int(&random, 1, 50);
        thud_log *log = NULL;
        thud_fault fault = {0};
        REQUIRE(rig_folder_make(folder));
        CHECK(rig_run_write(folder, test_random_bits(&random), dim, trial % 4 * 10, frames, count));
        REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
        thud_log_summary summary = thud_log_view(log);
        CHECK(summary.dim == dim && summary.frame_count == count && !summary.is_cut);
        if (rig_form() == THUD_LOG_FILE)
        {
            size_t length = 0;
            free(rig_file_read(rig_path(folder, "frames.thud"), &length));
            CHECK(summary.bytes == (int64_t)length);
        }
        rig_log_check(log, frames, count);
        thud_log_close(log);
        for (int i = 0; i < count; i++)
            rig_frame_free(&frames[i]);
        rig_folder_remove(folder);
    }
}

// A frame of 10,000 spheres with all their contacts, larger than any buffer.
static void large_frames(void)
{
    char folder[RIG_PATH];
    rig_frame frames[3];
    thud_log *log = NULL;
    thud_fault fault;
    REQUIRE(rig_folder_make(folder));
    CHECK(rig_run_write(folder, 7, 30000, 40000, frames, 3));
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_view(log).frame_count == 3);
    rig_log_check(log, frames, 3);
    thud_log_close(log);
    for (int i = 0; i < 3; i++)
        rig_frame_free(&frames[i]);
    rig_folder_remove(folder);
}

static void no_log(void)
{
    char folder[RIG_PATH];
    thud_log *log = (thud_log *)&log;
    thud_fault fault = {0};
    CHECK(thud_log_open("/nonexistent/folder", NULL, &log, &fault) == THUD_ERR_IO && !log);
    CHECK(strstr(fault.text, "No such file") && strcmp(fault.file, "/nonexistent/folder") == 0);
    REQUIRE(rig_folder_make(folder));
    CHECK(thud_log_open(folder, NULL, &log, &fault) == THUD_ERR_RECORD && fault.hint[0]);
    CHECK(thud_log_open(folder, NULL, &log, NULL) == THUD_ERR_RECORD);
    CHECK(mkfifo(rig_path(folder, "frames.thud"), 0600) == 0);
    CHECK(thud_log_open(folder, NULL, &log, &fault) == THUD_ERR_RECORD);
    CHECK(unlink(rig_path(folder, "frames.thud")) == 0);
    CHECK(mkdir(rig_path(folder, "frames.thud"), 0700) == 0);
    CHECK(thud_log_open(folder, NULL, &log, &fault) == THUD_ERR_RECORD);
    thud_log_close(NULL);
    rig_folder_remove(folder);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"checksum", checksum},
        {"round-trip", round_trip},
        {"large-frames", large_frames},
        {"no-log", no_log},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
