// The log when it is cut, spoiled, forged or changed under the reader: it is noticed, and what is
// whole is read all the same.
#include "record_rig.h"

#include "record/log_format.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    HEADER = sizeof(thudi_file_header),
    HEAD = sizeof(thudi_record_head)
};

// A small run to be spoiled: its bytes, and where its records begin.
enum
{
    SMALL_COUNT = 4
};
typedef struct small_run
{
    char folder[RIG_PATH];
    rig_frame frames[SMALL_COUNT];
    unsigned char *bytes;
    size_t length;
    size_t begin[SMALL_COUNT + 1]; // of every record, and the end
} small_run;

static bool small_run_make(small_run *run)
{
    if (!rig_folder_make(run->folder) ||
        !rig_run_write(run->folder, 20260603, 2, 3, run->frames, SMALL_COUNT))
        return false;
    run->bytes = rig_file_read(rig_path(run->folder, "frames.thud"), &run->length);
    run->begin[0] = RIG_LOG_BEGIN;
    for (int i = 0; i < SMALL_COUNT; i++)
        run->begin[i + 1] = run->begin[i] + rig_frame_length(&run->frames[i].view);
    return run->bytes && run->begin[SMALL_COUNT] == run->length;
}

static void small_run_free(small_run *run)
{
    free(run->bytes);
    for (int i = 0; i < SMALL_COUNT; i++)
        rig_frame_free(&run->frames[i]);
    rig_folder_remove(run->folder);
}

static void truncated(void)
{
    small_run run;
    REQUIRE(small_run_make(&run));
    for (size_t length = 0; length <= run.length; length++)
    {
        thud_log *log = NULL;
        thud_fault fault = {0};
        int whole = 0;
        while (whole < SMALL_COUNT && run.begin[whole + 1] <= length)
            whole++;
        REQUIRE(truncate(rig_path(run.folder, "frames.thud"), 0) == 0);
        REQUIRE(rig_file_write(rig_path(run.folder, "frames.thud"), run.bytes, length));
        thud_status status = thud_log_open(run.folder, NULL, &log, &fault);
        CHECK(status == (length < HEADER ? THUD_ERR_RECORD : THUD_OK));
        if (status < 0)
        {
            CHECK(!log && fault.text[0] && strstr(fault.file, "frames.thud"));
            continue;
        }
        thud_log_summary summary = thud_log_view(log);
        CHECK(summary.frame_count == whole);
        CHECK(summary.is_cut == (length != run.begin[whole] && length != HEADER));
        if (whole > 0)
            rig_log_check(log, run.frames, whole);
        thud_log_close(log);
    }
    printf("  %zu lengths\n", run.length + 1);
    small_run_free(&run);
}

// A tail of zeros, which a file system may leave after the power failed, is cut off; zeros with
// something behind them are damage.
static void blank_tail(void)
{
    small_run run;
    thud_fault fault = {0};
    thud_log *log = NULL;
    REQUIRE(small_run_make(&run));
    for (size_t tail = 1; tail < 10000; tail = tail * 3 + 1)
        for (int dirty = 0; dirty < 2; dirty++)
        {
            unsigned char *bytes = calloc(run.length + tail, 1);
            REQUIRE(bytes);
            memcpy(bytes, run.bytes, run.length);
            bytes[run.length + tail - 1] = (unsigned char)dirty;
            CHECK(rig_file_write(rig_path(run.folder, "frames.thud"), bytes, run.length + tail));
            thud_status status = thud_log_open(run.folder, NULL, &log, &fault);
            CHECK(status == (dirty && tail >= HEAD ? THUD_ERR_RECORD : THUD_OK));
            if (log)
                CHECK(thud_log_view(log).is_cut && thud_log_view(log).frame_count == SMALL_COUNT);
            thud_log_close(log);
            free(bytes);
        }
    small_run_free(&run);
}

// What a log with a wrong byte leads to: an error when it is opened, or when one frame is read,
// which is then the frame of that byte; all frames before it are intact.
static void check_spoiled(const small_run *run, size_t where)
{
    thud_log *log = NULL;
    thud_frame frame;
    thud_fault fault = {0};
    if (thud_log_open(run->folder, NULL, &log, &fault) == THUD_OK)
    {
        int found = 0;
        CHECK(thud_log_view(log).frame_count == SMALL_COUNT && !thud_log_view(log).is_cut);
        for (int i = 0; i < thud_log_view(log).frame_count; i++)
        {
            bool hit = run->begin[i] <= where && where < run->begin[i + 1];
            thud_status status = thud_log_frame(log, i, &frame, &fault);
            CHECK(status == (hit ? THUD_ERR_RECORD : THUD_OK));
            if (status == THUD_OK)
                CHECK(rig_frame_same(&frame, &run->frames[i].view));
            found += status < 0;
        }
        CHECK(found == 1);
    }
    CHECK(fault.text[0] && strstr(fault.file, "frames.thud"));
    thud_log_close(log);
}

static void flipped_bits(void)
{
    small_run run;
    REQUIRE(small_run_make(&run));
    for (size_t i = 0; i < run.length; i++)
        for (int bit = 0; bit < 8; bit++)
        {
            run.bytes[i] ^= (unsigned char)(1 << bit);
            CHECK(rig_file_write(rig_path(run.folder, "frames.thud"), run.bytes, run.length));
            check_spoiled(&run, i);
            run.bytes[i] ^= (unsigned char)(1 << bit);
        }
    printf("  %zu bits\n", 8 * run.length);
    small_run_free(&run);
}

// Write the log with its header and the head of record `which` replaced, their sums made right.
static thud_status open_forged(const small_run *run, const thudi_file_header *header, int which,
                               const thudi_record_head *head, thud_fault *fault)
{
    unsigned char *bytes = malloc(run->length);
    thud_log *log = NULL;
    thud_frame frame;
    if (!bytes)
        return THUD_ERR_MEMORY;
    memcpy(bytes, run->bytes, run->length);
    if (header)
    {
        thudi_file_header forged = *header;
        thudi_header_seal(&forged);
        memcpy(bytes, &forged, sizeof forged);
    }
    if (head)
    {
        thudi_record_head forged = *head;
        thudi_head_seal(&forged);
        memcpy(bytes + run->begin[which], &forged, sizeof forged);
    }
    CHECK(rig_file_write(rig_path(run->folder, "frames.thud"), bytes, run->length));
    free(bytes);
    memset(fault, 0, sizeof *fault);
    thud_status status = thud_log_open(run->folder, NULL, &log, fault);
    for (int64_t i = 0; status == THUD_OK && i < thud_log_view(log).frame_count; i++)
        status = thud_log_frame(log, i, &frame, fault);
    if (status == THUD_OK && thud_log_view(log).is_cut)
        status = THUD_NEWS;
    thud_log_close(log);
    return status;
}

// A head that is replaced after the log was opened, by one that the reader would not have taken.
static void changed_head(void)
{
    small_run run;
    thud_fault fault;
    thud_log *log = NULL;
    thud_frame frame;
    REQUIRE(small_run_make(&run));
    REQUIRE(thud_log_open(run.folder, NULL, &log, &fault) == THUD_OK);
    unsigned char *at = run.bytes + run.begin[1];
    thudi_record_head head;
    memcpy(&head, at, sizeof head);
    thudi_record_head other = head;
    other.length = INT64_MAX - 7; // longer than there was room for
    thudi_head_seal(&other);
    memcpy(at, &other, sizeof other);
    CHECK(rig_file_write(rig_path(run.folder, "frames.thud"), run.bytes, run.length));
    CHECK(thud_log_frame(log, 1, &frame, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "the file has changed"));
    other = head;
    other.h = 0; // a start has no u_n+1
    thudi_head_seal(&other);
    memcpy(at, &other, sizeof other);
    CHECK(rig_file_write(rig_path(run.folder, "frames.thud"), run.bytes, run.length));
    CHECK(thud_log_frame(log, 1, &frame, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "too many"));
    thud_log_close(log);
    small_run_free(&run);
}

static void forged_headers(void)
{
    small_run run;
    thud_fault fault;
    thudi_file_header good, bad;
    REQUIRE(small_run_make(&run));
    memcpy(&good, run.bytes, sizeof good);
    CHECK(open_forged(&run, &good, 0, NULL, &fault) == THUD_OK);
    static const uint64_t dims[] = {0, 1, 3, 1000000, 0x7fffffff, 0x80000000u, UINT64_MAX};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
    {
        bad = good;
        bad.dim = dims[i];
        CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD && fault.text[0]);
    }
    bad = good;
    bad.version = 3;
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "version 3") && strstr(fault.hint, "newer"));
    bad.version = 1;
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "version 1") && strstr(fault.hint, "again"));
    bad = good;
    bad.keys = 3;
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    bad = good;
    memcpy(bad.hash, "order-free", sizeof "order-free"); // another kind of hash is named
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "'order-free'") && fault.hint[0]);
    bad.hash[0] = '\n';
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    bad = good;
    bad.first = -1;
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    bad = good;
    bad.order = 0x04030201;
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "byte order"));
    bad = good;
    bad.zero[1] = 1;
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    bad = good;
    bad.magic[0] = 'T';
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "not a log"));
    small_run_free(&run);
}

static void forged_heads(void)
{
    small_run run;
    thud_fault fault;
    thudi_record_head good;
    REQUIRE(small_run_make(&run));
    memcpy(&good, run.bytes + run.begin[2], sizeof good);
    CHECK(open_forged(&run, NULL, 2, &good, &fault) == THUD_OK);
    thudi_record_head bad[18];
    for (int i = 0; i < 18; i++)
        bad[i] = good;
    bad[0].type++;
    bad[1].length = UINT64_MAX;
    bad[2].length = 0;
    bad[3].n = -1;
    bad[4].t = NAN;
    bad[5].h = INFINITY;
    bad[6].h = -good.h;
    bad[7].index--;
    bad[8].index++;
    bad[9].blocks = UINT64_MAX;
    bad[10].length += 4;
    // nodes that no loop may count up to
    bad[11].n = INT64_MAX;
    bad[12].n = INT64_C(1) << 62;
    bad[13].n = THUDI_NODE_MOST + 1;
    // these are noticed behind the head
    bad[14].length += 8;
    bad[15].h = 0; // a start has fewer blocks
    bad[16].blocks++;
    bad[17].blocks--;
    for (int i = 0; i < 18; i++)
    {
        CHECK(open_forged(&run, NULL, 2, &bad[i], &fault) == THUD_ERR_RECORD && fault.text[0]);
        char where[40];
        (void)snprintf(where, sizeof where, "byte %zu:", run.begin[2]);
        CHECK(i > 13 || strstr(fault.text, where));
    }
    // a huge length: a cut record, and no memory is asked for
    thudi_record_head huge = good;
    huge.length = INT64_MAX - 7;
    huge.blocks = INT32_MAX;
    CHECK(open_forged(&run, NULL, 2, &huge, &fault) == THUD_NEWS);
    small_run_free(&run);
}

// Read the log with a block of frame 1 changed by `change`, its sum made right.
static thud_status read_changed(const small_run *run, uint16_t name,
                                void (*change)(thudi_block *block, void *items), thud_fault *fault)
{
    thudi_record_head head;
    const char *wrong;
    double *bytes = malloc(run->length);
    if (!bytes)
        return THUD_ERR_MEMORY;
    memcpy(&head, run->bytes + run->begin[1], sizeof head);
    memcpy(bytes, run->bytes + run->begin[1] + sizeof head, head.length);
    thudi_walk walk = thudi_walk_begin(&head, bytes);
    while (thudi_walk_next(&walk, &wrong) && walk.block.name != name)
        continue;
    CHECK(walk.block.name == name);
    unsigned char *at = (unsigned char *)bytes + walk.place;
    thudi_block block = walk.block;
    change(&block, at + sizeof block);
    if (thudi_block_length(&block) <= head.length - walk.place)
        block = thudi_block_make(block.name, block.type, block.count, at + sizeof block);
    memcpy(at, &block, sizeof block);
    FILE *file = fopen(rig_path(run->folder, "frames.thud"), "r+b");
    CHECK(file && fseek(file, (long)(run->begin[1] + sizeof head), SEEK_SET) == 0 &&
          fwrite(bytes, 1, head.length, file) == head.length && fclose(file) == 0);
    free(bytes);
    thud_log *log = NULL;
    thud_frame frame;
    thud_status status = thud_log_open(run->folder, NULL, &log, fault);
    if (status == THUD_OK)
        status = thud_log_frame(log, 1, &frame, fault);
    thud_log_close(log);
    CHECK(rig_file_write(rig_path(run->folder, "frames.thud"), run->bytes, run->length));
    return status;
}

static void nothing(thudi_block *block, void *items)
{
    (void)block;
    (void)items;
}

static void another_name(thudi_block *block, void *items)
{
    (void)items;
    block->name = 77;
}

static void another_type(thudi_block *block, void *items)
{
    (void)items;
    block->type = (uint16_t)(block->type & 0xff00u) | 99;
}

static void one_more(thudi_block *block, void *items)
{
    (void)items;
    block->count++;
}

static void one_less(thudi_block *block, void *items)
{
    (void)items;
    block->count--;
}

static void no_kind(thudi_block *block, void *items)
{
    (void)block;
    memset(items, 0x7f, 4);
}

static void no_image(thudi_block *block, void *items)
{
    (void)block;
    memset((char *)items + 4, 0x7f, 4);
}

static void far_ids(thudi_block *block, void *items)
{
    (void)block;
    memcpy(items, &(int64_t){INT64_MAX}, 8);
}

static void no_ids(thudi_block *block, void *items)
{
    (void)block;
    memcpy((char *)items + 8, &(int64_t){0}, 8);
}

static void forged_blocks(void)
{
    small_run run;
    thud_fault fault = {0};
    REQUIRE(small_run_make(&run));
    REQUIRE(run.frames[1].view.before_count > 0);
    CHECK(read_changed(&run, THUDI_FRAME_Q, nothing, &fault) == THUD_OK);
    static const struct
    {
        uint16_t name;
        void (*change)(thudi_block *block, void *items);
    } cases[] = {{THUDI_FRAME_Q, another_name},     {THUDI_FRAME_Q, another_type},
                 {THUDI_FRAME_Q, one_more},         {THUDI_FRAME_Q, one_less},
                 {THUDI_FRAME_FORCE, one_less},     {THUDI_FRAME_IDS, far_ids},
                 {THUDI_FRAME_IDS, no_ids},         {THUDI_FRAME_IDS, another_type},
                 {THUDI_FRAME_BEFORE, no_kind},     {THUDI_FRAME_BEFORE, no_image},
                 {THUDI_FRAME_BEFORE, one_less},    {THUDI_FRAME_BEFORE, another_type},
                 {THUDI_FRAME_BEFORE, another_name}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        CHECK(read_changed(&run, cases[i].name, cases[i].change, &fault) == THUD_ERR_RECORD);
        CHECK(strstr(fault.text, "frame 1 is damaged at byte"));
    }
    small_run_free(&run);
}

// A log that shrinks or changes under the reader: an error, never a crash.
static void changing(void)
{
    small_run run;
    thud_log *log = NULL;
    thud_frame frame;
    thud_fault fault = {0};
    REQUIRE(small_run_make(&run));
    const char *path = rig_path(run.folder, "frames.thud");
    REQUIRE(thud_log_open(run.folder, NULL, &log, &fault) == THUD_OK);
    unsigned char *other = malloc(run.length);
    REQUIRE(other);
    memcpy(other, run.bytes, run.length);
    memcpy(other + run.begin[1], run.bytes + run.begin[3], HEAD);
    CHECK(rig_file_write(path, other, run.length));
    CHECK(thud_log_frame(log, 1, &frame, &fault) == THUD_ERR_RECORD);
    CHECK(truncate(path, (off_t)run.begin[2] + 3) == 0);
    CHECK(thud_log_frame(log, 2, &frame, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "shorter"));
    CHECK(thud_log_frame(log, 0, &frame, &fault) == THUD_OK);
    CHECK(rig_frame_same(&frame, &run.frames[0].view));
    free(other);
    thud_log_close(log);
    small_run_free(&run);
}

static void failing_memory(void)
{
    small_run run;
    thud_status status = THUD_ERR_MEMORY;
    REQUIRE(small_run_make(&run));
    long fails = 0;
    for (long at = 1; status == THUD_ERR_MEMORY; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_log *log = NULL;
        thud_frame frame;
        thud_fault fault = {0};
        status = thud_log_open(run.folder, &allocator, &log, &fault);
        for (int i = 0; status == THUD_OK && i < SMALL_COUNT; i++)
            status = thud_log_frame(log, i, &frame, &fault);
        thud_log_close(log);
        CHECK(meter.blocks == 0);
        CHECK(status == THUD_OK || (status == THUD_ERR_MEMORY && fault.text[0]));
        fails += status < 0;
    }
    CHECK(status == THUD_OK && fails >= 4);
    small_run_free(&run);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"truncated", truncated},           {"blank-tail", blank_tail},
        {"flipped-bits", flipped_bits},     {"changed-head", changed_head},
        {"forged-headers", forged_headers}, {"forged-heads", forged_heads},
        {"forged-blocks", forged_blocks},   {"changing", changing},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
