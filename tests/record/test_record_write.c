// The run directory as it is written: whole files, the series, and errors that stay.
#include "record_rig.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void write_whole(thud_record *record, const char *name, const char *text)
{
    CHECK(thud_record_file_begin(record, name) == THUD_OK);
    CHECK(thud_record_file_write(text, strlen(text), record) == 0);
    CHECK(thud_record_file_end(record) == THUD_OK);
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
    thud_record_def def = rig_def(folder);
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
    int64_t log = RIG_LOG_BEGIN + (int64_t)rig_frame_length(&frame.view);
    CHECK(thud_record_bytes(record) == log + (int64_t)strlen(series) + 8 + 3 + 4);
    CHECK(thud_record_close(record, &fault) == THUD_OK);
    CHECK(rig_holds(folder, "scene.yaml", "thud: 1\n") && rig_holds(folder, "run.json", "{2}\n"));
    CHECK(rig_holds(folder, "series.csv", series));
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
    thud_record_def def = {.folder = folder, .dim = 1, .series = rig_columns, .series_count = 2};
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    for (int i = 0; i < LINES; i++)
        CHECK(thud_record_series(record, (double[]){i, i / 7.0}) == THUD_OK);
    int64_t bytes = thud_record_bytes(record);
    CHECK(thud_record_close(record, &fault) == THUD_OK);
    size_t length = 0;
    char *text = (char *)rig_file_read(rig_path(folder, "series.csv"), &length);
    REQUIRE(text);
    CHECK((int64_t)length + RIG_LOG_BEGIN == bytes);
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

static void bad_defs(void)
{
    thud_record *record = (thud_record *)&record;
    thud_fault fault = {0};
    const char *const hole[] = {"a", NULL};
    thud_record_def bad[] = {{.dim = 1},
                             {.folder = "", .dim = 1},
                             {.folder = "nowhere"},
                             {.folder = "nowhere", .dim = -1},
                             {.folder = "nowhere", .dim = 6, .id_count = 4},
                             {.folder = "nowhere", .dim = 6, .id_count = 7},
                             {.folder = "nowhere", .dim = 6, .id_count = -1},
                             {.folder = "nowhere", .dim = 6, .keys = THUD_KEYS_NUMBERED + 1},
                             {.folder = "nowhere", .dim = 1, .series_count = 1},
                             {.folder = "nowhere", .dim = 1, .series_count = -1},
                             {.folder = "nowhere", .dim = 1, .series = hole, .series_count = 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(thud_record_create(&bad[i], &record, i % 2 ? &fault : NULL) == THUD_ERR_ARGUMENT &&
              !record);
    CHECK(fault.text[0] && access("nowhere", F_OK) != 0);
    CHECK(thud_record_close(NULL, &fault) == THUD_OK);
}

enum
{
    BAD_FIELDS = 6
};

// A checkpoint with a field that no reader would find.
static thud_status write_bad_field(thud_record *record, int which)
{
    int64_t x = 0;
    static const char *const names[BAD_FIELDS] = {
        "a name of 24 characters.", "", "Ä", "x", "log.bytes", "y"};
    thud_field fields[] = {{"x", THUD_FIELD_INT64, 1, &x}, {names[which], THUD_FIELD_INT64, 1, &x}};
    if (which == 5)
        fields[1].type = (thud_field_type)99;
    return thud_record_checkpoint(record, fields, 2, true);
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
    thud_record_def def = rig_def(folder);
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
    else if (way > 13)
        status = write_bad_field(record, way - 14);
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
    for (int way = 0; way < 14 + BAD_FIELDS; way++)
        misuse(way);
}

static void check_whole_frames(const char *folder, const rig_frame *frame, int64_t count)
{
    thud_log *log = NULL;
    thud_frame read;
    thud_fault fault;
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_view(log).frame_count == count);
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
    thud_record_def def = rig_def(folder);
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
        thud_record_def def = rig_def(rig_path(outer, "run"));
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
    printf("  %ld failures\n", fails);
    CHECK(status == THUD_OK && (rig_form() == THUD_LOG_HDF5 ? fails > 5 : fails == 5));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"whole-run", whole_run}, {"long-series", long_series}, {"bad-defs", bad_defs},
        {"misuses", misuses},     {"file-limit", file_limit},   {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
