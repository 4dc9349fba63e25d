// Every system call of the record fails in turn, with every error that it may meet: no crash, an
// error that stays, every file under its final name whole. The linker puts the calls here in the
// place of the C library's (--wrap).
#include "failing_calls.h"
#include "record_rig.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

FAILING_CALL(int, mkdir, (const char *path, mode_t mode), (path, mode))
FAILING_CALL(int, flock, (int fd, int how), (fd, how))
FAILING_CALL(ssize_t, pwrite, (int fd, const void *from, size_t length, off_t at),
             (fd, from, length, at))

// As Linux does it: the descriptor is closed even if an error is reported.
int __real_close(int fd); // NOLINT
int __wrap_close(int fd); // NOLINT
int __wrap_close(int fd)  // NOLINT
{
    int result = __real_close(fd);
    return failing_now() ? -1 : result;
}

static const char *const columns[] = {"t"};

// A small run with a whole file; `frames` of the frames were accepted. The first error, or THUD_OK.
static thud_status write_run(const char *folder, const rig_frame *frame, int64_t *frames,
                             thud_fault *fault)
{
    thud_record *record = NULL;
    thud_record_def def = {.folder = folder,
                           .replace = true,
                           .dim = 2,
                           .series = columns,
                           .series_count = 1,
                           .form = rig_form()};
    *frames = 0;
    thud_status status = thud_record_create(&def, &record, fault);
    if (status < 0)
    {
        CHECK(!record);
        return status;
    }
    status = thud_record_file_begin(record, "run.json");
    if (status == THUD_OK && thud_record_file_write("whole\n", 6, record) != 0)
        status = THUD_ERR_IO;
    if (status == THUD_OK)
        status = thud_record_file_end(record);
    for (int i = 0; i < 3 && status == THUD_OK; i++)
    {
        status = thud_record_series(record, &(double){i});
        if (status == THUD_OK)
            status = thud_record_frame(record, &frame->view);
    }
    if (status < 0)
        CHECK(thud_record_frame(record, &frame->view) == status &&
              thud_record_file_begin(record, "scene.yaml") == status);
    *frames = thud_record_frames(record);
    thud_status end = thud_record_close(record, fault);
    CHECK(status == THUD_OK || end == status);
    return end;
}

// What is there under final names must be whole.
static void check_left(const char *folder, const rig_frame *frame, int64_t frames)
{
    thud_log *log = NULL;
    thud_frame read;
    size_t length = 0;
    char *text = (char *)rig_file_read(rig_path(folder, "run.json"), &length);
    CHECK(!text || strcmp(text, "whole\n") == 0 || strcmp(text, "older\n") == 0);
    free(text);
    if (!thud_record_find_log(folder, NULL))
        return;
    REQUIRE(thud_log_open(folder, NULL, &log, NULL) == THUD_OK);
    CHECK(thud_log_view(log).frame_count >= frames);
    for (int64_t i = 0; i < thud_log_view(log).frame_count; i++)
        CHECK(thud_log_frame(log, i, &read, NULL) == THUD_OK &&
              rig_frame_same(&read, &frame->view));
    thud_log_close(log);
}

// Every call fails with `error` in turn, in a new folder or over an older run. Returns how many
// calls there were.
static long fail_each(int error, bool over)
{
    rig_frame frame;
    test_random random = test_random_start(9);
    long errors = 0, at = 0;
    rig_frame_make(&frame, &random, 2, 1, 4);
    for (bool reached = true; reached && at < 1000;)
    {
        char outer[RIG_PATH], folder[RIG_PATH];
        thud_fault fault = {0};
        int64_t frames = 0;
        if (!rig_folder_make(outer))
            abort();
        rig_join(folder, outer, "run");
        failing_calls.fail_at = 0;
        if (over)
            CHECK(write_run(folder, &frame, &frames, NULL) == THUD_OK &&
                  rig_file_write(rig_path(folder, "run.json"), "older\n", 6));
        failing_calls.calls = 0;
        failing_calls.fail_at = ++at;
        failing_calls.error = error;
        thud_status status = write_run(folder, &frame, &frames, &fault);
        reached = failing_calls.calls >= at;
        failing_calls.fail_at = 0;
        CHECK(status == THUD_OK || status == THUD_ERR_IO || status == THUD_ERR_BUSY ||
              status == THUD_ERR_ARGUMENT);
        CHECK(status == THUD_OK || (fault.text[0] && fault.file[0]));
        errors += status < 0;
        check_left(folder, &frame, frames);
        rig_folder_remove(outer);
    }
    printf("  %ld calls, %ld errors\n", at - 1, errors);
    CHECK(errors > 20);
    rig_frame_free(&frame);
    return at - 1;
}

static void each_call(void)
{
    static const int list[] = {ENOSPC, EFBIG, EPIPE, EIO, EACCES, EDQUOT};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    {
        CHECK(fail_each(list[i], true) > 30);
        if (i % 3 == 0)
            CHECK(fail_each(list[i], false) > 30);
    }
}

// Interrupted at every other call, and no write or read takes more than a few bytes.
static void stutter(void)
{
    char folder[RIG_PATH];
    rig_frame frame;
    int64_t frames = 0;
    test_random random = test_random_start(9);
    REQUIRE(rig_folder_make(folder));
    rig_frame_make(&frame, &random, 2, 1, 4);
    failing_calls = (failing_plan){0};
    failing_calls.stutter = true;
    failing_calls.fail_at = -1;
    thud_fault fault = {0};
    CHECK(write_run(folder, &frame, &frames, &fault) == THUD_OK && frames == 3);
    check_left(folder, &frame, frames);
    failing_calls.stutter = false;
    check_left(folder, &frame, frames);
    CHECK(rig_count(folder) == 3 + (rig_form() == THUD_LOG_HDF5));
    rig_frame_free(&frame);
    rig_folder_remove(folder);
}

static void failing_reads(void)
{
    char folder[RIG_PATH];
    rig_frame frames[3];
    REQUIRE(rig_folder_make(folder));
    failing_calls = (failing_plan){0};
    CHECK(rig_run_write(folder, 4, 2, 3, frames, 3));
    bool reached = true;
    long errors = 0;
    for (long at = 1; reached && at < 1000; at++)
    {
        thud_log *log = NULL;
        thud_frame frame;
        thud_fault fault = {0};
        failing_calls.calls = 0;
        failing_calls.fail_at = at;
        failing_calls.error = EIO;
        thud_status status = thud_log_open(folder, NULL, &log, &fault);
        for (int i = 0; i < 3 && status == THUD_OK; i++)
            status = thud_log_frame(log, i, &frame, &fault);
        thud_log_close(log);
        reached = failing_calls.calls >= at;
        failing_calls.fail_at = 0;
        CHECK(status == THUD_OK || (status == THUD_ERR_IO && strstr(fault.text, "Input/output")));
        errors += status < 0;
    }
    CHECK(errors >= 12); // open, look, header, 3 heads, 3 times head and body
    for (int i = 0; i < 3; i++)
        rig_frame_free(&frames[i]);
    rig_folder_remove(folder);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"each-call", each_call},
        {"stutter", stutter},
        {"failing-reads", failing_reads},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
