// The run directory as it is written: folders refused, replaced and locked, whole files, the
// series, and errors that stay.
#include "record_rig.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const columns[] = {"t", "energy", "wall \"a\", x"};

static thud_record_def def_of(const char *folder)
{
    return (thud_record_def){.folder = folder, .dim = 2, .series = columns, .series_count = 3};
}

static void write_whole(thud_record *record, const char *name, const char *text)
{
    CHECK(thud_record_file_begin(record, name) == THUD_OK);
    CHECK(thud_record_file_write(text, strlen(text), record) == 0);
    CHECK(thud_record_file_end(record) == THUD_OK);
}

static bool holds(const char *folder, const char *name, const char *text)
{
    size_t length = 0;
    char *bytes = (char *)rig_file_read(rig_path(folder, name), &length);
    bool same = bytes && length == strlen(text) && memcmp(bytes, text, length) == 0;
    free(bytes);
    return same;
}

// A directory that does not exist, all of its files, and nothing else when it is closed.
static void whole_run(void)
{
    char outer[RIG_PATH], folder[RIG_PATH];
    rig_frame frame;
    thud_record *record = NULL;
    thud_fault fault = {0};
    test_random random = test_random_start(1);
    REQUIRE(rig_folder_make(outer));
    rig_join(folder, outer, "run");
    thud_record_def def = def_of(folder);
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    CHECK(rig_exists(folder, ".lock") && rig_exists(folder, "frames.thud"));
    write_whole(record, "scene.yaml", "thud: 1\n");
    CHECK(thud_record_file_begin(record, "run.json") == THUD_OK);
    CHECK(thud_record_file_write("{", 1, record) == 0 && !rig_exists(folder, "run.json"));
    rig_frame_make(&frame, &random, 2, 1, 5);
    CHECK(thud_record_frame(record, &frame.view) == THUD_OK); // while a file is being written
    CHECK(thud_record_series(record, (double[]){0.1, -0.0, 1e300}) == THUD_OK);
    CHECK(thud_record_series(record, (double[]){1.0 / 3, INFINITY, NAN}) == THUD_OK);
    CHECK(thud_record_file_write("}\n", 2, record) == 0);
    CHECK(thud_record_file_end(record) == THUD_OK);
    write_whole(record, "run.json", "{2}\n"); // once more: replaced
    CHECK(thud_record_frames(record) == 1);
    const char *series = "t,energy,\"wall \"\"a\"\", x\"\n0.1,-0,1e+300\n"
                         "0.3333333333333333,inf,nan\n";
    int64_t log = 64 + 64 + 64 + 24 * (frame.view.before_count + frame.view.after_count) +
                  32 * frame.view.direction_count;
    CHECK(thud_record_bytes(record) == log + (int64_t)strlen(series) + 8 + 3 + 4);
    CHECK(thud_record_close(record, &fault) == THUD_OK);
    CHECK(holds(folder, "scene.yaml", "thud: 1\n") && holds(folder, "run.json", "{2}\n"));
    CHECK(holds(folder, "series.csv", series));
    CHECK(rig_count(folder) == 4);
    rig_frame_free(&frame);
    rig_folder_remove(outer);
}

// Many lines: the buffer is written several times, and nothing is lost or doubled.
static void long_series(void)
{
    char folder[RIG_PATH];
    thud_record *record = NULL;
    thud_fault fault;
    enum
    {
        LINES = 20000
    };
    REQUIRE(rig_folder_make(folder));
    thud_record_def def = {.folder = folder, .dim = 1, .series = columns, .series_count = 2};
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    for (int i = 0; i < LINES; i++)
        CHECK(thud_record_series(record, (double[]){i, i / 7.0}) == THUD_OK);
    int64_t bytes = thud_record_bytes(record);
    CHECK(thud_record_close(record, &fault) == THUD_OK);
    size_t length = 0;
    char *text = (char *)rig_file_read(rig_path(folder, "series.csv"), &length);
    REQUIRE(text);
    CHECK((int64_t)length + 64 == bytes);
    char *next = strchr(text, '\n');
    for (int i = 0; i < LINES && next; i++)
    {
        char *end = NULL;
        CHECK(strtod(next + 1, &end) == i && *end == ',');
        CHECK(strtod(end + 1, &next) == i / 7.0 && *next == '\n');
    }
    CHECK(next && next[1] == '\0');
    free(text);
    rig_folder_remove(folder);
}

// What a create leads to in a folder that holds one file of that name.
static thud_status create_beside(const char *name, bool replace, bool *kept)
{
    char folder[RIG_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    if (!rig_folder_make(folder) || !rig_file_write(rig_path(folder, name), "mine", 4))
        return THUD_ERR_IO;
    thud_record_def def = def_of(folder);
    def.replace = replace;
    thud_status status = thud_record_create(&def, &record, &fault);
    CHECK(status == THUD_OK || (!record && fault.text[0] && fault.hint[0]));
    CHECK(thud_record_close(record, NULL) == THUD_OK);
    *kept = holds(folder, name, "mine");
    CHECK(status == THUD_OK || rig_count(folder) == 1); // not even a lock is left
    rig_folder_remove(folder);
    return status;
}

static void folders_refused(void)
{
    bool kept = false;
    static const char *const others[] = {"notes.txt", "frames.thud.old", "scene.yml",
                                         ".hidden",   "scene.yaml",      "bodies.csv",
                                         "run.json",  "series.csv"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (int replace = 0; replace < 2; replace++)
        {
            CHECK(create_beside(others[i], replace, &kept) == THUD_ERR_ARGUMENT);
            CHECK(kept);
        }
    CHECK(create_beside("frames.thud", false, &kept) == THUD_ERR_ARGUMENT && kept);
    CHECK(create_beside("frames.thud", true, &kept) == THUD_OK && !kept);
    // what a run that was killed at once has left
    CHECK(create_beside(".lock", false, &kept) == THUD_OK && !kept);
    CHECK(create_beside("frames.thud.part", false, &kept) == THUD_OK && !kept);
    char folder[RIG_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    REQUIRE(rig_folder_make(folder));
    thud_record_def def = def_of(rig_path(folder, "a/b"));
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_IO && fault.hint[0]);
    CHECK(rig_file_write(rig_path(folder, "file"), "", 0));
    def.folder = rig_path(folder, "file");
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_IO);
    rig_folder_remove(folder);
}

// Links and folders under the names of a run are strangers too, and what they lead to is kept.
static void links_refused(void)
{
    char folder[RIG_PATH], run[RIG_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    REQUIRE(rig_folder_make(folder));
    rig_join(run, folder, "run");
    REQUIRE(mkdir(run, 0700) == 0 && rig_file_write(rig_path(folder, "dear"), "x", 1));
    REQUIRE(rig_file_write(rig_path(run, "frames.thud"), "", 0));
    thud_record_def def = def_of(run);
    def.replace = true;
    REQUIRE(symlink("../dear", rig_path(run, "run.json")) == 0);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT);
    CHECK(strstr(fault.text, "run.json") && holds(folder, "dear", "x"));
    CHECK(unlink(rig_path(run, "run.json")) == 0);
    REQUIRE(mkdir(rig_path(run, "scene.yaml"), 0700) == 0);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT);
    CHECK(rmdir(rig_path(run, "scene.yaml")) == 0);
    REQUIRE(symlink("../dear", rig_path(run, ".lock")) == 0);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT);
    CHECK(holds(folder, "dear", "x"));
    rig_folder_remove(folder);
}

static void replaced(void)
{
    char folder[RIG_PATH];
    thud_record *record = NULL;
    thud_log *log = NULL;
    thud_fault fault = {0};
    rig_frame frames[3];
    REQUIRE(rig_folder_make(folder));
    CHECK(rig_run_write(folder, 5, 2, 3, frames, 3));
    CHECK(rig_file_write(rig_path(folder, "run.json"), "{}", 2));
    CHECK(rig_file_write(rig_path(folder, "scene.yaml.part"), "thu", 3));
    thud_record_def def = def_of(folder);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT && !record);
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_look(log).frame_count == 3);
    def.replace = true;
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    thud_frame frame; // who reads the old run goes on doing so
    CHECK(thud_log_frame(log, 2, &frame, &fault) == THUD_OK);
    CHECK(rig_frame_same(&frame, &frames[2].view));
    thud_log_close(log);
    CHECK(!rig_exists(folder, "run.json") && !rig_exists(folder, "scene.yaml.part"));
    CHECK(thud_record_close(record, &fault) == THUD_OK);
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_look(log).frame_count == 0);
    thud_log_close(log);
    CHECK(rig_count(folder) == 2);
    for (int i = 0; i < 3; i++)
        rig_frame_free(&frames[i]);
    rig_folder_remove(folder);
}

// Another process has the folder: it is named, and its files are left alone. Once it is killed the
// folder is free again.
static void locked(void)
{
    char folder[RIG_PATH], pid[32], byte = 0;
    int ready[2];
    thud_record *record = NULL;
    thud_fault fault = {0};
    REQUIRE(rig_folder_make(folder) && pipe(ready) == 0);
    thud_record_def def = def_of(folder);
    def.replace = true;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0)
    {
        byte = thud_record_create(&def, &record, NULL) == THUD_OK;
        (void)!write(ready[1], &byte, 1);
        for (;;)
            (void)pause();
    }
    CHECK(read(ready[0], &byte, 1) == 1 && byte == 1);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_BUSY && !record);
    (void)snprintf(pid, sizeof pid, "process %ld ", (long)child);
    CHECK(strstr(fault.text, pid) && fault.hint[0]);
    CHECK(rig_exists(folder, "frames.thud") && rig_exists(folder, ".lock"));
    CHECK(thud_record_is_busy(folder));
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    CHECK(rig_exists(folder, ".lock") && !thud_record_is_busy(folder));
    CHECK(thud_record_create(&def, &record, &fault) == THUD_OK);
    CHECK(thud_record_is_busy(folder) && !thud_record_is_busy("/nowhere"));
    // the same process twice: refused too
    thud_record *second = NULL;
    CHECK(thud_record_create(&def, &second, &fault) == THUD_ERR_BUSY && !second);
    CHECK(thud_record_close(record, NULL) == THUD_OK && !rig_exists(folder, ".lock"));
    (void)close(ready[0]);
    (void)close(ready[1]);
    rig_folder_remove(folder);
}

static void bad_defs(void)
{
    thud_record *record = (thud_record *)&record;
    thud_fault fault = {0};
    const char *const hole[] = {"a", NULL};
    thud_record_def bad[] = {{.dim = 1},
                             {.folder = "", .dim = 1},
                             {.folder = "nowhere"},
                             {.folder = "nowhere", .dim = -1},
                             {.folder = "nowhere", .dim = 1, .series_count = 1},
                             {.folder = "nowhere", .dim = 1, .series_count = -1},
                             {.folder = "nowhere", .dim = 1, .series = hole, .series_count = 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(thud_record_create(&bad[i], &record, i % 2 ? &fault : NULL) == THUD_ERR_ARGUMENT &&
              !record);
    CHECK(fault.text[0] && access("nowhere", F_OK) != 0);
    CHECK(thud_record_close(NULL, &fault) == THUD_OK);
}

// Use a record in one wrong way: refused, and everything after it.
static void misuse(int way)
{
    char folder[RIG_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    rig_frame frame;
    test_random random = test_random_start(3);
    REQUIRE(rig_folder_make(folder));
    rig_frame_make(&frame, &random, 2, 1, 3);
    thud_record_def def = def_of(folder);
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    CHECK(thud_record_frame(record, &frame.view) == THUD_OK);
    thud_frame bad[] = {frame.view, frame.view, frame.view, frame.view, frame.view,
                        frame.view, frame.view, frame.view, frame.view, frame.view};
    bad[0].dim = 3;
    bad[1].n = -1;
    bad[2].t = NAN;
    bad[3].h = -1;
    bad[4].h = 0;
    bad[5].u_next = NULL;
    bad[6].q = NULL;
    bad[7].before = NULL;
    bad[7].before_count = 1;
    bad[8].after_count = -1;
    bad[9].h = INFINITY;
    thud_status status = THUD_OK;
    if (way < 10)
        status = thud_record_frame(record, &bad[way]);
    else if (way == 10)
        status = thud_record_file_begin(record, "other.txt");
    else if (way == 11)
        status = thud_record_file_end(record);
    else if (way == 12)
        status = (thud_status)thud_record_file_write("a", 1, record);
    else
    {
        CHECK(thud_record_file_begin(record, "run.json") == THUD_OK);
        status = thud_record_file_begin(record, "scene.yaml");
    }
    CHECK(status == THUD_ERR_ARGUMENT);
    CHECK(thud_record_frame(record, &frame.view) == THUD_ERR_ARGUMENT);
    CHECK(thud_record_series(record, (double[]){1, 2, 3}) == THUD_ERR_ARGUMENT);
    CHECK(thud_record_file_begin(record, "run.json") == THUD_ERR_ARGUMENT);
    CHECK(thud_record_file_write("a", 1, record) != 0);
    CHECK(thud_record_file_end(record) == THUD_ERR_ARGUMENT);
    CHECK(thud_record_frames(record) == 1);
    CHECK(thud_record_close(record, &fault) == THUD_ERR_ARGUMENT && fault.text[0]);
    CHECK(rig_count(folder) == 2); // nothing half done
    rig_frame_free(&frame);
    rig_folder_remove(folder);
}

static void misuses(void)
{
    for (int way = 0; way < 14; way++)
        misuse(way);
}

static void check_whole_frames(const char *folder, const rig_frame *frame, int64_t count)
{
    thud_log *log = NULL;
    thud_frame read;
    thud_fault fault;
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_look(log).frame_count == count);
    for (int64_t i = 0; i < count; i++)
        CHECK(thud_log_frame(log, i, &read, &fault) == THUD_OK &&
              rig_frame_same(&read, &frame->view));
    thud_log_close(log);
}

// A limit of file sizes that is met in the middle of a frame.
static void file_limit(void)
{
    char folder[RIG_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    rig_frame frame;
    struct rlimit old, low;
    test_random random = test_random_start(3);
    REQUIRE(rig_folder_make(folder) && getrlimit(RLIMIT_FSIZE, &old) == 0);
    rig_frame_make(&frame, &random, 2, 1, 50);
    thud_record_def def = def_of(folder);
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    low = old;
    low.rlim_cur = 10000;
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &low) == 0);
    int64_t count = 0;
    while (count < 1000 && thud_record_frame(record, &frame.view) == THUD_OK)
        count++;
    CHECK(count > 2 && count < 200 && thud_record_frames(record) == count);
    CHECK(thud_record_file_begin(record, "run.json") == THUD_ERR_IO);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(thud_record_frame(record, &frame.view) == THUD_ERR_IO); // room again, and still refused
    CHECK(thud_record_close(record, &fault) == THUD_ERR_IO);
    CHECK(strstr(fault.text, "File too large") && strstr(fault.file, "frames.thud"));
    check_whole_frames(folder, &frame, count);
    printf("  %lld frames\n", (long long)count);
    rig_frame_free(&frame);
    rig_folder_remove(folder);
}

static void failing_memory(void)
{
    thud_status status = THUD_ERR_MEMORY;
    long fails = 0;
    for (long at = 1; status == THUD_ERR_MEMORY; at++)
    {
        char outer[RIG_PATH];
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_record *record = NULL;
        thud_fault fault = {0};
        REQUIRE(rig_folder_make(outer));
        thud_record_def def = def_of(rig_path(outer, "run"));
        def.allocator = &allocator;
        status = thud_record_create(&def, &record, &fault);
        CHECK(status == THUD_OK || !rig_exists(outer, "run"));
        if (status == THUD_OK)
            status = thud_record_file_begin(record, "scene.yaml");
        if (status == THUD_OK)
            status = thud_record_file_end(record);
        thud_status end = thud_record_close(record, &fault);
        CHECK(end == THUD_OK || end == status);
        CHECK(meter.blocks == 0);
        CHECK(status == THUD_OK || (status == THUD_ERR_MEMORY && fault.text[0]));
        fails += status < 0;
        rig_folder_remove(outer);
    }
    CHECK(status == THUD_OK && fails == 5);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"whole-run", whole_run},
        {"long-series", long_series},
        {"folders-refused", folders_refused},
        {"links-refused", links_refused},
        {"replaced", replaced},
        {"locked", locked},
        {"bad-defs", bad_defs},
        {"misuses", misuses},
        {"file-limit", file_limit},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
