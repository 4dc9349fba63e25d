// Checkpoints as files: every byte counts, and there are two generations.
#include "checkpoint_rig.h"
#include "mend_file.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

static bool parses(const unsigned char *bytes, size_t length, thud_fault *fault)
{
    thud_checkpoint *checkpoint = NULL;
    thud_status status = thud_checkpoint_parse(bytes, length, NULL, &checkpoint, fault);
    CHECK((status == THUD_OK) == (checkpoint != NULL));
    CHECK(status == THUD_OK || status == THUD_ERR_RECORD);
    thud_checkpoint_free(checkpoint);
    return status == THUD_OK;
}

static void round_trip(void)
{
    char folder[CHECKPOINT_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    int64_t n = -1;
    checkpoint_folder_make(folder);
    REQUIRE(checkpoint_write_run(folder, CHECKPOINT_STEPS));
    CHECK(checkpoint_resume(folder, NULL, &n, &record, &fault) == THUD_OK &&
          n == CHECKPOINT_STEPS - 1);
    REQUIRE(record);
    CHECK(thud_record_frames(record) == CHECKPOINT_STEPS);
    // and on
    CHECK(checkpoint_step(record, CHECKPOINT_STEPS) == THUD_OK);
    CHECK(checkpoint_step(record, CHECKPOINT_STEPS) == THUD_ERR_ARGUMENT); // twice
    CHECK(thud_record_close(record, &fault) == THUD_ERR_ARGUMENT);
    thud_log *log = NULL;
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_view(log).step_count == CHECKPOINT_STEPS + 1 &&
          thud_log_view(log).frame_count == CHECKPOINT_STEPS + 1);
    for (int64_t i = 0; i <= CHECKPOINT_STEPS; i++)
        CHECK(thud_log_chain(log, i) == (uint64_t)i * 7 + 1);
    thud_log_close(log);
    checkpoint_folder_remove(folder);
}

static void truncated(void)
{
    char folder[CHECKPOINT_PATH];
    thud_fault fault = {0};
    size_t length, log_length;
    checkpoint_folder_make(folder);
    REQUIRE(checkpoint_write_run(folder, CHECKPOINT_STEPS));
    unsigned char *bytes = checkpoint_read_bytes(folder, "checkpoint.thud", &length);
    unsigned char *log = checkpoint_read_bytes(folder, "frames.thud", &log_length);
    CHECK(parses(bytes, length, &fault));
    for (size_t cut = 0; cut < length; cut++)
    {
        CHECK(!parses(bytes, cut, &fault) && fault.text[0]);
        if (cut % 16 != 0)
            continue;
        // the run falls back to the older one
        checkpoint_write_bytes(folder, "checkpoint.thud", bytes, cut);
        thud_record *record = NULL;
        int64_t n = -1;
        CHECK(checkpoint_resume(folder, NULL, &n, &record, &fault) == THUD_NEWS &&
              n == CHECKPOINT_STEPS - 2 && strstr(fault.file, "checkpoint.thud"));
        CHECK(thud_record_close(record, NULL) == THUD_OK);
        checkpoint_write_bytes(folder, "frames.thud", log, log_length); // which has cut the log
    }
    printf("  %zu lengths: each one noticed, and at every 16th the older checkpoint taken\n",
           length);
    free(bytes);
    free(log);
    checkpoint_folder_remove(folder);
}

static void flipped_bits(void)
{
    char folder[CHECKPOINT_PATH];
    thud_fault fault = {0};
    size_t length;
    checkpoint_folder_make(folder);
    REQUIRE(checkpoint_write_run(folder, CHECKPOINT_STEPS));
    unsigned char *bytes = checkpoint_read_bytes(folder, "checkpoint.thud", &length);
    for (size_t bit = 0; bit < 8 * length; bit++)
    {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(!parses(bytes, length, &fault));
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CHECK(parses(bytes, length, &fault));
    printf("  %zu bits: each one noticed\n", 8 * length);
    free(bytes);
    checkpoint_folder_remove(folder);
}

// Numbers that cannot be, with all sums made right.
static void forged(void)
{
    char folder[CHECKPOINT_PATH];
    thud_fault fault = {0};
    size_t length;
    checkpoint_folder_make(folder);
    REQUIRE(checkpoint_write_run(folder, CHECKPOINT_STEPS));
    unsigned char *bytes = checkpoint_read_bytes(folder, "checkpoint.thud", &length);
    test_random random = test_random_start(11);
    int refused = 0;
    unsigned char *forgery = malloc(length);
    REQUIRE(forgery);
    for (int i = 0; i < 20000; i++)
    {
        memcpy(forgery, bytes, length);
        size_t at = test_random_bits(&random) % length;
        forgery[at] = (unsigned char)test_random_bits(&random);
        mend_file(forgery, length, 7);
        refused += !parses(forgery, length, &fault);
    }
    printf("  %d of 20000 refused\n", refused);
    CHECK(refused > 5000); // names and numbers may be anything
    free(forgery);
    free(bytes);
    checkpoint_folder_remove(folder);
}

// Both damaged: refused, and nothing is touched. Outputs that do not fit: the same.
static void refused(void)
{
    static const char *const names[] = {"frames.thud", "series.csv", "scene.yaml"};
    char folder[CHECKPOINT_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    int64_t n = -1;
    size_t length;
    for (int i = 0; i < 3; i++)
    {
        checkpoint_folder_make(folder);
        REQUIRE(checkpoint_write_run(folder, CHECKPOINT_STEPS));
        unsigned char *bytes = checkpoint_read_bytes(folder, names[i], &length);
        bytes[length > 64 ? 70 : 2] ^= 1;
        checkpoint_write_bytes(folder, names[i], bytes, length);
        CHECK(checkpoint_resume(folder, NULL, &n, &record, &fault) == THUD_ERR_RECORD &&
              fault.text[0]);
        size_t after;
        unsigned char *left = checkpoint_read_bytes(folder, names[i], &after);
        CHECK(after == length && memcmp(left, bytes, length) == 0);
        free(left);
        free(bytes);
        checkpoint_folder_remove(folder);
    }
    checkpoint_folder_make(folder);
    REQUIRE(checkpoint_write_run(folder, CHECKPOINT_STEPS));
    checkpoint_write_bytes(folder, "checkpoint.thud", "x", 1);
    checkpoint_write_bytes(folder, "checkpoint.prev.thud", "y", 1);
    CHECK(checkpoint_resume(folder, NULL, &n, &record, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "too short"));
    checkpoint_folder_remove(folder);
}

// Of the plan are 0, 2, 4 ...; those between are written over.
static void generations(void)
{
    char folder[CHECKPOINT_PATH];
    thud_checkpoint *checkpoint = NULL;
    thud_fault fault = {0};
    for (int steps = 1; steps <= CHECKPOINT_STEPS; steps++)
    {
        int64_t n = -1, last = steps - 1, planned = last % 2 == 0 ? last - 2 : last - 1;
        const thud_field field = {"n", THUD_FIELD_INT64, 1, &n};
        checkpoint_folder_make(folder);
        REQUIRE(checkpoint_write_run(folder, steps));
        REQUIRE(thud_checkpoint_read(folder, false, NULL, &checkpoint, &fault) == THUD_OK);
        CHECK(thud_checkpoint_restore(checkpoint, &field, 1, &fault) == THUD_OK && n == last);
        CHECK(thud_checkpoint_count(checkpoint, "q") == 5);
        CHECK(thud_checkpoint_count(checkpoint, "nothing") == -1);
        thud_checkpoint_free(checkpoint);
        thud_status status = thud_checkpoint_read(folder, true, NULL, &checkpoint, &fault);
        CHECK((status == THUD_OK) == (planned >= 0));
        if (status == THUD_OK)
            CHECK(thud_checkpoint_restore(checkpoint, &field, 1, &fault) == THUD_OK &&
                  n == planned);
        thud_checkpoint_free(checkpoint);
        checkpoint_folder_remove(folder);
    }
}

static void *stingy(void *block, size_t old_size, size_t new_size, void *user)
{
    long *left = user;
    (void)old_size;
    if (new_size == 0)
    {
        free(block);
        return NULL;
    }
    return --*left < 0 ? NULL : realloc(block, new_size);
}

static void failing_memory(void)
{
    char folder[CHECKPOINT_PATH];
    checkpoint_folder_make(folder);
    REQUIRE(checkpoint_write_run(folder, CHECKPOINT_STEPS));
    long failures = 0;
    for (long most = 0; most < 100; most++)
    {
        long left = most;
        thud_record *record = NULL;
        thud_fault fault = {0};
        int64_t n = -1;
        thud_allocator allocator = {stingy, &left};
        thud_status status = checkpoint_resume(folder, &allocator, &n, &record, &fault);
        CHECK(status == THUD_OK || status == THUD_ERR_MEMORY);
        failures += status < 0;
        if (status >= 0)
            CHECK(n == CHECKPOINT_STEPS - 1 && thud_record_close(record, NULL) == THUD_OK);
    }
    CHECK(failures >= 5 && failures < 50);
    checkpoint_folder_remove(folder);
}

// A hash sees every single bit of a state, and its order.
static void hashes(void)
{
    double q[7] = {1, 2, 3, 4, 5, 6, 7};
    thud_state *state = NULL;
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 7, .h = 0.5, .q = q}, &state) == THUD_OK);
    REQUIRE(thud_state_reserve(state, 3) == THUD_OK);
    state->multiplier_count = 3;
    for (int i = 0; i < 3; i++)
        state->multipliers[i] = (thud_multiplier){.key = thud_key_number(i), .impulse = i + 1};
    uint64_t hash = thud_state_hash(state, 0);
    CHECK(hash != thud_state_hash(state, 1));
    thud_field fields[THUD_STATE_FIELDS];
    int count = thud_state_fields(state, fields);
    int bits = 0;
    for (int f = 0; f < count; f++)
    {
        unsigned char *bytes = fields[f].data;
        size_t size = (size_t)fields[f].count * thud_field_size(fields[f].type);
        for (size_t bit = 0; bit < 8 * size; bit++, bits++)
        {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            CHECK(thud_state_hash(state, 0) != hash);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
    }
    state->q[0] = 0;
    hash = thud_state_hash(state, 0);
    state->q[0] = -0.0;
    CHECK(thud_state_hash(state, 0) != hash);
    state->multiplier_count = 2;
    CHECK(thud_state_hash(state, 0) != hash);
    printf("  %d bits\n", bits);
    thud_state_destroy(state);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"round-trip", round_trip},
        {"truncated", truncated},
        {"flipped-bits", flipped_bits},
        {"forged", forged},
        {"refused", refused},
        {"generations", generations},
        {"hashes", hashes},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
