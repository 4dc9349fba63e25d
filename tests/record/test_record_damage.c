// The log when it is cut, spoiled, forged or changed under the reader: it is noticed, and what is
// whole is read all the same.
#include "record_rig.h"

#include "core/checksum.h"
#include "record/log_format.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    HEADER = sizeof(thudi_log_header),
    HEAD = sizeof(thudi_log_head)
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
    run->begin[0] = HEADER;
    for (int i = 0; i < SMALL_COUNT; i++)
    {
        const thud_frame *frame = &run->frames[i].view;
        size_t vectors = (frame->h == 0 ? 2 : 4) + (frame->move != NULL);
        run->begin[i + 1] = run->begin[i] + HEAD + 16 * vectors +
                            24 * (size_t)(frame->before_count + frame->after_count) +
                            32 * (size_t)frame->direction_count;
    }
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
        thud_log_summary summary = thud_log_look(log);
        CHECK(summary.frame_count == whole);
        CHECK(summary.is_cut == (length != run.begin[whole]));
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
                CHECK(thud_log_look(log).is_cut && thud_log_look(log).frame_count == SMALL_COUNT);
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
        CHECK(thud_log_look(log).frame_count == SMALL_COUNT && !thud_log_look(log).is_cut);
        for (int i = 0; i < thud_log_look(log).frame_count; i++)
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
static thud_status open_forged(const small_run *run, const thudi_log_header *header, int which,
                               const thudi_log_head *head, thud_fault *fault)
{
    unsigned char *bytes = malloc(run->length);
    thud_log *log = NULL;
    thud_frame frame;
    if (!bytes)
        return THUD_ERR_MEMORY;
    memcpy(bytes, run->bytes, run->length);
    if (header)
    {
        thudi_log_header forged = *header;
        forged.sum = thudi_checksum(0, &forged, offsetof(thudi_log_header, sum));
        memcpy(bytes, &forged, sizeof forged);
    }
    if (head)
    {
        thudi_log_head forged = *head;
        forged.sum = thudi_checksum(0, &forged, offsetof(thudi_log_head, sum));
        memcpy(bytes + run->begin[which], &forged, sizeof forged);
    }
    CHECK(rig_file_write(rig_path(run->folder, "frames.thud"), bytes, run->length));
    free(bytes);
    memset(fault, 0, sizeof *fault);
    thud_status status = thud_log_open(run->folder, NULL, &log, fault);
    for (int64_t i = 0; status == THUD_OK && i < thud_log_look(log).frame_count; i++)
        status = thud_log_frame(log, i, &frame, fault);
    if (status == THUD_OK && thud_log_look(log).is_cut)
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
    thudi_log_head head;
    memcpy(&head, at, sizeof head);
    head.h = 0;
    head.flags = THUDI_LOG_HAS_MOVE; // of a start: there is no room for it
    head.before_count = head.after_count = 0;
    head.body_length = 16 * (uint64_t)thud_log_look(log).dim;
    head.body_sum = thudi_checksum(0, at + sizeof head, head.body_length);
    head.sum = thudi_checksum(0, &head, offsetof(thudi_log_head, sum));
    memcpy(at, &head, sizeof head);
    CHECK(rig_file_write(rig_path(run.folder, "frames.thud"), run.bytes, run.length));
    CHECK(thud_log_frame(log, 1, &frame, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "the file has changed"));
    thud_log_close(log);
    small_run_free(&run);
}

static void forged_headers(void)
{
    small_run run;
    thud_fault fault;
    thudi_log_header good, bad;
    REQUIRE(small_run_make(&run));
    memcpy(&good, run.bytes, sizeof good);
    CHECK(open_forged(&run, &good, 0, NULL, &fault) == THUD_OK);
    static const uint32_t dims[] = {0, 1, 3, 1000000, 0x7fffffff, 0x80000000u, 0xffffffffu};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
    {
        bad = good;
        bad.dim = dims[i];
        CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD && fault.text[0]);
    }
    bad = good;
    bad.version = 2;
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "version 2") && fault.hint[0]);
    bad = good;
    bad.order = 0x04030201;
    CHECK(open_forged(&run, &bad, 0, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "byte order"));
    bad = good;
    bad.reserved[6] = 1;
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
    thudi_log_head good;
    REQUIRE(small_run_make(&run));
    memcpy(&good, run.bytes + run.begin[2], sizeof good);
    CHECK(open_forged(&run, NULL, 2, &good, &fault) == THUD_OK);
    thudi_log_head bad[19];
    for (int i = 0; i < 19; i++)
        bad[i] = good;
    bad[0].type++;
    bad[1].body_sum++;
    bad[2].body_length += 8;
    bad[3].body_length = UINT64_MAX;
    bad[4].body_length = 0;
    bad[5].n = -1;
    bad[6].t = NAN;
    bad[7].h = INFINITY;
    bad[8].h = -good.h;
    bad[9].h = 0; // a start has a shorter body
    bad[10].before_count = 0xffffffffu;
    bad[11].after_count = 0x80000000u;
    bad[12].before_count++;
    bad[13].index--;
    bad[14].index++;
    bad[15].flags = 2;
    bad[16].flags ^= 1; // another length
    bad[17].flags = 4;
    bad[18].flags |= 2; // a length that is not of whole directions
    bad[18].body_length += 31;
    for (int i = 0; i < 19; i++)
    {
        CHECK(open_forged(&run, NULL, 2, &bad[i], &fault) == THUD_ERR_RECORD && fault.text[0]);
        char where[40];
        (void)snprintf(where, sizeof where, "byte %zu", run.begin[2] + (i == 1 ? HEAD : 0));
        CHECK(strstr(fault.text, where));
    }
    // huge counts with the length that belongs to them: a cut record, and no memory is asked for
    thudi_log_head huge = good;
    huge.before_count = huge.after_count = 0x7fffffff;
    huge.body_length = thudi_log_body_length(2, &huge);
    CHECK(open_forged(&run, NULL, 2, &huge, &fault) == THUD_NEWS);
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
        {"truncated", truncated},
        {"blank-tail", blank_tail},
        {"flipped-bits", flipped_bits},
        {"changed-head", changed_head},
        {"forged-headers", forged_headers},
        {"forged-heads", forged_heads},
        {"changing", changing},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
