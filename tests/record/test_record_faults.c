// Every system call of the record fails in turn, with every error that it may meet: no crash, an
// error that stays, every file under its final name whole. The linker puts the calls here in the
// place of the C library's (--wrap).
#include "record_rig.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// Which call fails, counted from 1 (0: none), and how.
static struct
{
    long calls, fail_at;
    int error;
    bool stutter; // writes of one byte, every other call interrupted
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

WRAPPED(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAPPED(int, flock, (int fd, int how), (fd, how))
WRAPPED(int, ftruncate, (int fd, off_t length), (fd, length))
WRAPPED(ssize_t, pwrite, (int fd, const void *from, size_t length, off_t at),
        (fd, from, length, at))
WRAPPED(int, renameat, (int from, const char *old_name, int to, const char *new_name),
        (from, old_name, to, new_name))
WRAPPED(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
WRAPPED(int, fstat, (int fd, struct stat *status), (fd, status))

// As Linux does it: the descriptor is closed even if an error is reported.
int __real_close(int fd); // NOLINT
int __wrap_close(int fd); // NOLINT
int __wrap_close(int fd)  // NOLINT
{
    int result = __real_close(fd);
    return fails() ? -1 : result;
}

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

static const char *const columns[] = {"t"};

// A small run with a whole file; `frames` of the frames were accepted. The first error, or THUD_OK.
static thud_status write_run(const char *folder, const rig_frame *frame, int64_t *frames,
                             thud_fault *fault)
{
    thud_record *record = NULL;
    thud_record_def def = {
        .folder = folder, .replace = true, .dim = 2, .series = columns, .series_count = 1};
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
    if (!rig_exists(folder, "frames.thud"))
        return;
    REQUIRE(thud_log_open(folder, NULL, &log, NULL) == THUD_OK);
    CHECK(thud_log_look(log).frame_count >= frames);
    for (int64_t i = 0; i < thud_log_look(log).frame_count; i++)
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
        plan.fail_at = 0;
        if (over)
            CHECK(write_run(folder, &frame, &frames, NULL) == THUD_OK &&
                  rig_file_write(rig_path(folder, "run.json"), "older\n", 6));
        plan.calls = 0;
        plan.fail_at = ++at;
        plan.error = error;
        thud_status status = write_run(folder, &frame, &frames, &fault);
        reached = plan.calls >= at;
        plan.fail_at = 0;
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
    memset(&plan, 0, sizeof plan);
    plan.stutter = true;
    plan.fail_at = -1;
    thud_fault fault = {0};
    CHECK(write_run(folder, &frame, &frames, &fault) == THUD_OK && frames == 3);
    check_left(folder, &frame, frames);
    plan.stutter = false;
    check_left(folder, &frame, frames);
    CHECK(rig_count(folder) == 3);
    rig_frame_free(&frame);
    rig_folder_remove(folder);
}

static void failing_reads(void)
{
    char folder[RIG_PATH];
    rig_frame frames[3];
    REQUIRE(rig_folder_make(folder));
    memset(&plan, 0, sizeof plan);
    CHECK(rig_run_write(folder, 4, 2, 3, frames, 3));
    bool reached = true;
    long errors = 0;
    for (long at = 1; reached && at < 1000; at++)
    {
        thud_log *log = NULL;
        thud_frame frame;
        thud_fault fault = {0};
        plan.calls = 0;
        plan.fail_at = at;
        plan.error = EIO;
        thud_status status = thud_log_open(folder, NULL, &log, &fault);
        for (int i = 0; i < 3 && status == THUD_OK; i++)
            status = thud_log_frame(log, i, &frame, &fault);
        thud_log_close(log);
        reached = plan.calls >= at;
        plan.fail_at = 0;
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
