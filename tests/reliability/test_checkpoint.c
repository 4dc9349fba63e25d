// Checkpoints as files: every byte counts, two generations, and nothing is lost when a call fails.
#include "record/checkpoint_format.h"
#include "record/checksum.h"
#include "thud/record.h"
#include "thud_test.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// The calls of the record, which the linker puts here (--wrap): number fail_at fails with `error`.
static struct
{
    long calls, fail_at;
    int error;
    bool stutter; // one byte at a time, every other call interrupted
} plan;

static bool fails(void)
{
    if (++plan.calls != plan.fail_at)
        return false;
    errno = plan.error;
    return true;
}

static bool is_interrupted(void)
{
    errno = EINTR;
    return plan.stutter && ++plan.calls % 2;
}

#define WRAPPED(type, name, parameters, arguments)                                                 \
    type __real_##name parameters; /* NOLINT */                                                    \
    type __wrap_##name parameters; /* NOLINT */                                                    \
    type __wrap_##name parameters  /* NOLINT */                                                    \
    {                                                                                              \
        return fails() ? -1 : __real_##name arguments;                                             \
    }

WRAPPED(int, ftruncate, (int fd, off_t length), (fd, length))
WRAPPED(off_t, lseek, (int fd, off_t to, int how), (fd, to, how))
WRAPPED(int, renameat, (int from, const char *old_name, int to, const char *new_name),
        (from, old_name, to, new_name))
WRAPPED(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
WRAPPED(int, fstat, (int fd, struct stat *status), (fd, status))

int __real_fsync(int fd); // NOLINT
int __wrap_fsync(int fd); // NOLINT
int __wrap_fsync(int fd)  // NOLINT
{
    return is_interrupted() || fails() ? -1 : __real_fsync(fd);
}

ssize_t __real_writev(int fd, const struct iovec *parts, int count); // NOLINT
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count); // NOLINT
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count)  // NOLINT
{
    if (is_interrupted() || fails())
        return -1;
    if (!plan.stutter)
        return __real_writev(fd, parts, count);
    while (count > 0 && parts->iov_len == 0)
        parts++, count--;
    return count > 0 ? write(fd, parts->iov_base, 1) : 0;
}

ssize_t __real_pread(int fd, void *to, size_t length, off_t at); // NOLINT
ssize_t __wrap_pread(int fd, void *to, size_t length, off_t at); // NOLINT
ssize_t __wrap_pread(int fd, void *to, size_t length, off_t at)  // NOLINT
{
    if (is_interrupted() || fails())
        return -1;
    return __real_pread(fd, to, plan.stutter && length > 3 ? 3 : length, at);
}

int __real_openat(int folder, const char *name, int flags, ...); // NOLINT
int __wrap_openat(int folder, const char *name, int flags, ...); // NOLINT
int __wrap_openat(int folder, const char *name, int flags, ...)  // NOLINT
{
    return fails() ? -1 : __real_openat(folder, name, flags, 0666);
}

enum
{
    PATH_SIZE = 256,
    STEPS = 6
};

// What a run of the test keeps.
typedef struct toy
{
    double q[5];
    int64_t n;
    signed char sides[3];
    thud_multiplier multipliers[2];
} toy;

static void toy_fields(toy *t, thud_field fields[4])
{
    const thud_field table[4] = {{"q", THUD_FIELD_DOUBLE, 5, t->q},
                                 {"n", THUD_FIELD_INT64, 1, &t->n},
                                 {"sides", THUD_FIELD_INT8, 3, t->sides},
                                 {"multipliers", THUD_FIELD_MULTIPLIER, 2, t->multipliers}};
    memcpy(fields, table, sizeof table);
}

static toy toy_at(int64_t n)
{
    toy t = {.n = n, .sides = {1, -1, 0}};
    for (int i = 0; i < 5; i++)
        t.q[i] = (double)(n + 1) / (i + 3);
    t.multipliers[0] = (thud_multiplier){.key = 3, .impulse = (double)n};
    t.multipliers[1] = (thud_multiplier){.key = 9, .impulse = 0.5, .memory = 2};
    return t;
}

static const char *const columns[] = {"t"};

static void make_folder(char folder[PATH_SIZE])
{
    (void)snprintf(folder, PATH_SIZE, "checkpoint-XXXXXX");
    if (!mkdtemp(folder))
        abort();
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {
        "scene.yaml",      "frames.thud",          "series.csv",     "checkpoint.thud",
        ".lock",           "checkpoint.prev.thud", "run.json",       "checkpoint.thud.part",
        "scene.yaml.part", "frames.thud.part",     "series.csv.part"};
    char path[2 * PATH_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    CHECK(rmdir(folder) == 0);
}

static thud_status step(thud_record *record, int64_t n)
{
    toy t = toy_at(n);
    thud_field fields[4];
    toy_fields(&t, fields);
    thud_status status = thud_record_series(record, &t.q[0]);
    if (status >= 0)
        status = thud_record_step(record, n, (uint64_t)n * 7 + 1);
    if (status >= 0)
        status = thud_record_frame(record, &(thud_frame){.dim = 5, .q = t.q, .u = t.q});
    return status < 0 ? status : thud_record_checkpoint(record, fields, 4, n % 2 == 0);
}

static thud_status begin(const char *folder, thud_record **record, thud_fault *fault)
{
    thud_record_def def = {.folder = folder, .dim = 5, .series = columns, .series_count = 1};
    thud_status status = thud_record_create(&def, record, fault);
    if (status >= 0)
        status = thud_record_file_begin(*record, "scene.yaml");
    if (status >= 0 && thud_record_file_write("thud: 1\n", 8, *record) != 0)
        status = THUD_ERR_IO;
    return status < 0 ? status : thud_record_file_end(*record);
}

static bool write_run(const char *folder, int steps)
{
    thud_record *record = NULL;
    thud_fault fault = {0};
    thud_status status = begin(folder, &record, &fault);
    for (int n = 0; n < steps && status >= 0; n++)
        status = step(record, n);
    return thud_record_close(record, &fault) >= 0 && status >= 0;
}

static thud_status resume(const char *folder, const thud_allocator *allocator, int64_t *n,
                          thud_record **record, thud_fault *fault)
{
    toy t;
    thud_field fields[4];
    thud_checkpoint *checkpoint = NULL;
    thud_record_def def = {
        .folder = folder, .dim = 5, .series = columns, .series_count = 1, .allocator = allocator};
    toy_fields(&t, fields);
    thud_status status = thud_record_resume(&def, record, &checkpoint, fault);
    if (status >= 0)
    {
        CHECK(thud_checkpoint_restore(checkpoint, fields, 4, fault) == THUD_OK);
        toy wanted = toy_at(t.n);
        CHECK(memcmp(t.q, wanted.q, sizeof t.q) == 0 &&
              memcmp(t.sides, wanted.sides, sizeof t.sides) == 0 &&
              memcmp(t.multipliers, wanted.multipliers, sizeof t.multipliers) == 0);
        *n = t.n;
    }
    thud_checkpoint_free(checkpoint);
    return status;
}

static unsigned char *read_bytes(const char *folder, const char *name, size_t *length)
{
    char path[2 * PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(1 << 16);
    if (!file || !bytes)
        abort();
    *length = fread(bytes, 1, 1 << 16, file);
    (void)fclose(file);
    return bytes;
}

static void write_bytes(const char *folder, const char *name, const void *bytes, size_t length)
{
    char path[2 * PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
}

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
    char folder[PATH_SIZE];
    thud_record *record = NULL;
    thud_fault fault = {0};
    int64_t n = -1;
    make_folder(folder);
    REQUIRE(write_run(folder, STEPS));
    CHECK(resume(folder, NULL, &n, &record, &fault) == THUD_OK && n == STEPS - 1);
    REQUIRE(record);
    CHECK(thud_record_frames(record) == STEPS);
    // and on
    CHECK(step(record, STEPS) == THUD_OK);
    CHECK(step(record, STEPS) == THUD_ERR_ARGUMENT); // twice
    CHECK(thud_record_close(record, &fault) == THUD_ERR_ARGUMENT);
    thud_log *log = NULL;
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_look(log).step_count == STEPS + 1 &&
          thud_log_look(log).frame_count == STEPS + 1);
    for (int64_t i = 0; i <= STEPS; i++)
        CHECK(thud_log_chain(log, i) == (uint64_t)i * 7 + 1);
    thud_log_close(log);
    remove_folder(folder);
}

static void truncated(void)
{
    char folder[PATH_SIZE];
    thud_fault fault = {0};
    size_t length, log_length;
    make_folder(folder);
    REQUIRE(write_run(folder, STEPS));
    unsigned char *bytes = read_bytes(folder, "checkpoint.thud", &length);
    unsigned char *log = read_bytes(folder, "frames.thud", &log_length);
    CHECK(parses(bytes, length, &fault));
    for (size_t cut = 0; cut < length; cut++)
    {
        CHECK(!parses(bytes, cut, &fault) && fault.text[0]);
        if (cut % 16 != 0)
            continue;
        // the run falls back to the older one
        write_bytes(folder, "checkpoint.thud", bytes, cut);
        thud_record *record = NULL;
        int64_t n = -1;
        CHECK(resume(folder, NULL, &n, &record, &fault) == THUD_NEWS && n == STEPS - 2 &&
              strstr(fault.file, "checkpoint.thud"));
        CHECK(thud_record_close(record, NULL) == THUD_OK);
        write_bytes(folder, "frames.thud", log, log_length); // which has cut the log
    }
    printf("  %zu lengths: each one noticed, and at every 16th the older checkpoint taken\n",
           length);
    free(bytes);
    free(log);
    remove_folder(folder);
}

static void flipped_bits(void)
{
    char folder[PATH_SIZE];
    thud_fault fault = {0};
    size_t length;
    make_folder(folder);
    REQUIRE(write_run(folder, STEPS));
    unsigned char *bytes = read_bytes(folder, "checkpoint.thud", &length);
    for (size_t bit = 0; bit < 8 * length; bit++)
    {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(!parses(bytes, length, &fault));
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CHECK(parses(bytes, length, &fault));
    printf("  %zu bits: each one noticed\n", 8 * length);
    free(bytes);
    remove_folder(folder);
}

// Numbers that cannot be, with all sums made right.
static void forged(void)
{
    char folder[PATH_SIZE];
    thud_fault fault = {0};
    size_t length;
    make_folder(folder);
    REQUIRE(write_run(folder, STEPS));
    unsigned char *bytes = read_bytes(folder, "checkpoint.thud", &length);
    thudi_checkpoint_header header;
    memcpy(&header, bytes, sizeof header);
    size_t table = header.section_count * sizeof(thudi_checkpoint_section);
    test_random random = test_random_start(11);
    int refused = 0;
    unsigned char *forgery = malloc(length);
    REQUIRE(forgery);
    for (int i = 0; i < 20000; i++)
    {
        memcpy(forgery, bytes, length);
        size_t at = test_random_bits(&random) % (sizeof header + table);
        forgery[at] = (unsigned char)test_random_bits(&random);
        memcpy(&header, forgery, sizeof header);
        uint64_t room = length - sizeof header;
        uint64_t size = header.section_count * sizeof(thudi_checkpoint_section);
        header.table_sum = thudi_checksum(0, forgery + sizeof header, size < room ? size : room);
        header.sum = thudi_checksum(0, &header, offsetof(thudi_checkpoint_header, sum));
        memcpy(forgery, &header, sizeof header);
        thudi_checkpoint_end end = {thudi_checksum(0, forgery, length - sizeof end),
                                    THUDI_CHECKPOINT_END};
        memcpy(forgery + length - sizeof end, &end, sizeof end);
        refused += !parses(forgery, length, &fault);
    }
    CHECK(refused > 10000); // names may be anything
    free(forgery);
    free(bytes);
    remove_folder(folder);
}

// Both damaged: refused, and nothing is touched. Outputs that do not fit: the same.
static void refused(void)
{
    static const char *const names[] = {"frames.thud", "series.csv", "scene.yaml"};
    char folder[PATH_SIZE];
    thud_record *record = NULL;
    thud_fault fault = {0};
    int64_t n = -1;
    size_t length;
    for (int i = 0; i < 3; i++)
    {
        make_folder(folder);
        REQUIRE(write_run(folder, STEPS));
        unsigned char *bytes = read_bytes(folder, names[i], &length);
        bytes[length > 64 ? 70 : 2] ^= 1;
        write_bytes(folder, names[i], bytes, length);
        CHECK(resume(folder, NULL, &n, &record, &fault) == THUD_ERR_RECORD && fault.text[0]);
        size_t after;
        unsigned char *left = read_bytes(folder, names[i], &after);
        CHECK(after == length && memcmp(left, bytes, length) == 0);
        free(left);
        free(bytes);
        remove_folder(folder);
    }
    make_folder(folder);
    REQUIRE(write_run(folder, STEPS));
    write_bytes(folder, "checkpoint.thud", "x", 1);
    write_bytes(folder, "checkpoint.prev.thud", "y", 1);
    CHECK(resume(folder, NULL, &n, &record, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "too short"));
    remove_folder(folder);
}

// Of the plan are 0, 2, 4 ...; those between are written over.
static void generations(void)
{
    char folder[PATH_SIZE];
    thud_checkpoint *checkpoint = NULL;
    thud_fault fault = {0};
    for (int steps = 1; steps <= STEPS; steps++)
    {
        int64_t n = -1, last = steps - 1, planned = last % 2 == 0 ? last - 2 : last - 1;
        const thud_field field = {"n", THUD_FIELD_INT64, 1, &n};
        make_folder(folder);
        REQUIRE(write_run(folder, steps));
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
        remove_folder(folder);
    }
}

// Each call fails in turn, while a run is written or taken up: what was acknowledged is there.
static void fail_in(bool in_resume, int error)
{
    long errors = 0, at = 1;
    for (bool reached = true; reached && at < 1000; at++)
    {
        char folder[PATH_SIZE];
        thud_record *record = NULL;
        thud_fault fault = {0};
        int64_t acknowledged = -1, n = -1;
        make_folder(folder);
        plan.fail_at = 0;
        if (in_resume)
            CHECK(write_run(folder, 3));
        acknowledged = in_resume ? 2 : -1;
        plan.calls = 0;
        plan.fail_at = at;
        plan.error = error;
        thud_status status =
            in_resume ? resume(folder, NULL, &n, &record, &fault) : begin(folder, &record, &fault);
        for (n = acknowledged + 1; status >= 0 && n < STEPS; n++)
        {
            status = step(record, n);
            acknowledged = status >= 0 ? n : acknowledged;
        }
        thud_status end = thud_record_close(record, &fault);
        status = status < 0 ? status : end;
        reached = plan.calls >= at;
        plan.fail_at = 0;
        errors += status < 0;
        CHECK(status >= 0 || fault.text[0]);
        record = NULL;
        if (acknowledged >= 0)
        {
            thud_status again = resume(folder, NULL, &n, &record, &fault);
            if (again < 0 || n < acknowledged)
                test_fail(__FILE__, __LINE__, "call %ld: status %d, step %d of %d: %s %s", at,
                          again, (int)n, (int)acknowledged, fault.file, fault.text);
            CHECK(thud_record_close(record, NULL) == THUD_OK);
        }
        remove_folder(folder);
    }
    printf("  %ld calls, %ld errors\n", at - 2, errors);
    CHECK(errors > 20);
}

static void each_call(void)
{
    fail_in(false, ENOSPC);
    fail_in(true, EIO);
}

static void stutter(void)
{
    char folder[PATH_SIZE];
    thud_record *record = NULL;
    thud_fault fault = {0};
    int64_t n = -1;
    make_folder(folder);
    plan.stutter = true;
    plan.fail_at = -1;
    CHECK(write_run(folder, STEPS));
    CHECK(resume(folder, NULL, &n, &record, &fault) == THUD_OK && n == STEPS - 1);
    CHECK(thud_record_close(record, NULL) == THUD_OK);
    plan.stutter = false;
    remove_folder(folder);
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
    char folder[PATH_SIZE];
    make_folder(folder);
    REQUIRE(write_run(folder, STEPS));
    long failures = 0;
    for (long most = 0; most < 100; most++)
    {
        long left = most;
        thud_record *record = NULL;
        thud_fault fault = {0};
        int64_t n = -1;
        thud_allocator allocator = {stingy, &left};
        thud_status status = resume(folder, &allocator, &n, &record, &fault);
        CHECK(status == THUD_OK || status == THUD_ERR_MEMORY);
        failures += status < 0;
        if (status >= 0)
            CHECK(n == STEPS - 1 && thud_record_close(record, NULL) == THUD_OK);
    }
    CHECK(failures >= 5 && failures < 50);
    remove_folder(folder);
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
        state->multipliers[i] = (thud_multiplier){.key = (uint64_t)i, .impulse = i + 1};
    uint64_t hash = thud_state_hash(state, 0);
    CHECK(hash != thud_state_hash(state, 1));
    thud_field fields[THUD_STATE_FIELDS];
    thud_state_fields(state, fields);
    int bits = 0;
    for (int f = 0; f < THUD_STATE_FIELDS; f++)
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
        {"each-call", each_call},
        {"stutter", stutter},
        {"hashes", hashes},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
