// Checkpoints when system calls fail: nothing is lost, whichever call it is.
#include "checkpoint_rig.h"
#include "failing_calls.h"
#include "thud_test.h"

#include <errno.h>
#include <unistd.h>

FAILING_CALL(off_t, lseek, (int fd, off_t to, int how), (fd, to, how))

// Each call fails in turn, while a run is written or taken up: what was acknowledged is there.
static void fail_in(bool in_resume, int error)
{
    long errors = 0, at = 1;
    for (bool reached = true; reached && at < 1000; at++)
    {
        char folder[CHECKPOINT_PATH];
        thud_record *record = NULL;
        thud_fault fault = {0};
        int64_t acknowledged = -1, n = -1;
        checkpoint_folder_make(folder);
        failing_calls.fail_at = 0;
        if (in_resume)
            CHECK(checkpoint_write_run(folder, 3));
        acknowledged = in_resume ? 2 : -1;
        failing_calls.calls = 0;
        failing_calls.fail_at = at;
        failing_calls.error = error;
        thud_status status = in_resume ? checkpoint_resume(folder, NULL, &n, &record, &fault)
                                       : checkpoint_begin(folder, &record, &fault);
        for (n = acknowledged + 1; status >= 0 && n < CHECKPOINT_STEPS; n++)
        {
            status = checkpoint_step(record, n);
            acknowledged = status >= 0 ? n : acknowledged;
        }
        thud_status end = thud_record_close(record, &fault);
        status = status < 0 ? status : end;
        reached = failing_calls.calls >= at;
        failing_calls.fail_at = 0;
        errors += status < 0;
        CHECK(status >= 0 || fault.text[0]);
        record = NULL;
        if (acknowledged >= 0)
        {
            thud_status again = checkpoint_resume(folder, NULL, &n, &record, &fault);
            if (again < 0 || n < acknowledged)
                test_fail(__FILE__, __LINE__, "call %ld: status %d, step %d of %d: %s %s", at,
                          again, (int)n, (int)acknowledged, fault.file, fault.text);
            CHECK(thud_record_close(record, NULL) == THUD_OK);
        }
        checkpoint_folder_remove(folder);
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
    char folder[CHECKPOINT_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    int64_t n = -1;
    checkpoint_folder_make(folder);
    failing_calls.stutter = true;
    failing_calls.fail_at = -1;
    CHECK(checkpoint_write_run(folder, CHECKPOINT_STEPS));
    CHECK(checkpoint_resume(folder, NULL, &n, &record, &fault) == THUD_OK &&
          n == CHECKPOINT_STEPS - 1);
    CHECK(thud_record_close(record, NULL) == THUD_OK);
    failing_calls.stutter = false;
    checkpoint_folder_remove(folder);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"each-call", each_call},
        {"stutter", stutter},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
