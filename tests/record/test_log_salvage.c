// Damaged logs read as far as they can be, logs that begin at another node than 0, and the last
// line of a series.
#include "record_rig.h"

#include <stdlib.h>
#include <string.h>

enum
{
    FRAMES = 5,
    HEADER = RIG_LOG_BEGIN // of the first frame
};

typedef struct damaged_run
{
    char folder[RIG_PATH], path[RIG_PATH];
    rig_frame frames[FRAMES];
    unsigned char *bytes;
    size_t length;
} damaged_run;

static bool make(damaged_run *run)
{
    if (!rig_folder_make(run->folder) ||
        !rig_run_write(run->folder, 20261118, 2, 3, run->frames, FRAMES))
        return false;
    rig_join(run->path, run->folder, "frames.thud");
    run->bytes = rig_file_read(run->path, &run->length);
    return run->bytes != NULL;
}

static void drop(damaged_run *run)
{
    free(run->bytes);
    for (int i = 0; i < FRAMES; i++)
        rig_frame_free(&run->frames[i]);
    rig_folder_remove(run->folder);
}

// Open the log as it is now; every frame that is there must be one that was written. Returns how
// many are, -1 if it cannot be opened.
static int64_t count_whole(const damaged_run *run, thud_log_summary *summary)
{
    thud_log *log = NULL;
    thud_fault fault = {0};
    if (thud_log_open_damaged(run->folder, NULL, &log, &fault) < 0)
        return -1;
    *summary = thud_log_view(log);
    int64_t before = -1;
    for (int64_t i = 0; i < summary->frame_count; i++)
    {
        thud_frame frame;
        int64_t number = thud_log_number(log, i);
        CHECK(number > before && number < FRAMES);
        CHECK(thud_log_frame(log, i, &frame, &fault) == THUD_OK);
        CHECK(rig_frame_same(&frame, &run->frames[number].view));
        before = number;
    }
    thud_log_close(log);
    return summary->frame_count;
}

// A bit of every byte: one frame is lost at most, and all others are found.
static void flipped(void)
{
    damaged_run run;
    REQUIRE(make(&run));
    thud_log_summary found = {0};
    CHECK(count_whole(&run, &found) == FRAMES && found.damaged_count == 0 &&
          found.first_damaged == -1 && !found.is_cut);
    int64_t named = 0;
    for (size_t at = HEADER; at < run.length; at++)
    {
        run.bytes[at] ^= (unsigned char)(1u << (at % 8));
        REQUIRE(rig_file_write(run.path, run.bytes, run.length));
        CHECK(count_whole(&run, &found) == FRAMES - 1);
        // what is behind the last frame that can be read is not known to be one
        CHECK(found.damaged_count == 1 || (found.damaged_count == 0 && found.is_cut));
        named += found.damaged_count == 1 && found.first_damaged >= 0;
        run.bytes[at] ^= (unsigned char)(1u << (at % 8));
    }
    printf("%zu bits flipped, the frame named %lld times\n", run.length - HEADER, (long long)named);
    CHECK(named > (int64_t)(run.length - HEADER) * 9 / 10);
    for (size_t at = 0; at < HEADER; at++)
    {
        run.bytes[at] ^= 4;
        REQUIRE(rig_file_write(run.path, run.bytes, run.length));
        // names that are lost are known
        CHECK(count_whole(&run, &found) == (at < 64 ? -1 : FRAMES));
        run.bytes[at] ^= 4;
    }
    drop(&run);
}

// Any two bytes, and logs that were cut as well: never a frame that was not written.
static void spoiled(void)
{
    damaged_run run;
    test_random random = test_random_start(20261118);
    REQUIRE(make(&run));
    for (int trial = 0; trial < 2000; trial++)
    {
        thud_log_summary found = {0};
        size_t length =
            trial % 2 ? run.length : HEADER + (size_t)test_random_int(&random, 0, (int)run.length);
        length = length < run.length ? length : run.length;
        unsigned char *copy = malloc(run.length);
        REQUIRE(copy);
        memcpy(copy, run.bytes, run.length);
        for (int k = 0; k < 2; k++)
            copy[HEADER + (size_t)test_random_int(&random, 0, (int)run.length - HEADER - 1)] ^=
                0x55;
        bool is_written = rig_file_write(run.path, copy, length);
        free(copy);
        REQUIRE(is_written);
        int64_t count = count_whole(&run, &found);
        CHECK(count >= (trial % 2 ? FRAMES - 2 : 0) && count + found.damaged_count <= FRAMES);
    }
    drop(&run);
}

// One to nine bytes lost at every place: the frames around it at most, and all later ones are found
// where they are now.
static void lost_bytes(void)
{
    damaged_run run;
    REQUIRE(make(&run));
    int64_t whole = 0, trials = 0;
    for (size_t at = HEADER; at < run.length; at++)
    {
        size_t gap = 1 + at % 9;
        thud_log_summary found = {0};
        gap = gap < run.length - at ? gap : run.length - at;
        unsigned char *copy = malloc(run.length);
        REQUIRE(copy);
        memcpy(copy, run.bytes, at);
        memcpy(copy + at, run.bytes + at + gap, run.length - at - gap);
        bool is_written = rig_file_write(run.path, copy, run.length - gap);
        free(copy);
        REQUIRE(is_written);
        int64_t count = count_whole(&run, &found);
        CHECK(count >= FRAMES - 2 && count + found.damaged_count <= FRAMES);
        CHECK(found.damaged_count > 0 || found.is_cut);
        whole += count;
        trials++;
    }
    printf("%lld logs with bytes lost, %.2f of %d frames found\n", (long long)trials,
           (double)whole / (double)trials, FRAMES);
    drop(&run);
}

// Calls of read that this process has made; -1 if the system does not tell.
static long long count_reads(void)
{
    char line[100];
    long long count = -1;
    FILE *file = fopen("/proc/self/io", "r");
    while (file && count < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "syscr: ", 7) == 0)
            count = strtoll(line + 7, NULL, 10);
    if (file)
        (void)fclose(file);
    return count;
}

// A long damaged stretch is read in blocks.
static void long_gap(void)
{
    const size_t gap = (size_t)16 << 20;
    damaged_run run;
    thud_log_summary found = {0};
    REQUIRE(make(&run));
    unsigned char *bytes = calloc(run.length + gap, 1);
    REQUIRE(bytes);
    memcpy(bytes, run.bytes, HEADER + 20);
    memcpy(bytes + HEADER + 20 + gap, run.bytes + HEADER + 20, run.length - HEADER - 20);
    bool is_written = rig_file_write(run.path, bytes, run.length + gap);
    free(bytes);
    REQUIRE(is_written);
    long long before = count_reads();
    CHECK(count_whole(&run, &found) >= FRAMES - 1);
    long long reads = count_reads() - before;
    printf("%lld reads of %zu damaged bytes\n", reads, gap);
    CHECK(reads < (long long)(gap / 8192));
    drop(&run);
}

// A log that begins at node 7: steps are counted from there.
static void later(void)
{
    char folder[RIG_PATH];
    REQUIRE(rig_folder_make(folder));
    static const double x[2] = {1, 2};
    thud_record *record = NULL;
    thud_log *log = NULL;
    thud_fault fault = {0};
    thud_record_def def = rig_def(folder);
    def.first_node = -1;
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT);
    def.first_node = 7;
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    CHECK(thud_record_first(record) == 7);
    thud_multiplier one = {.key = {3}, .impulse = 2};
    thud_frame start = {.n = 7,
                        .t = 0.7,
                        .dim = 2,
                        .q = x,
                        .u = x,
                        .before = &one,
                        .before_count = 1,
                        .after = &one};
    CHECK(thud_record_frame(record, &start) == THUD_OK);
    for (int64_t n = 7; n < 10; n++)
        CHECK(thud_record_step(record, n, (uint64_t)n * 11) == THUD_OK);
    CHECK(thud_record_close(record, &fault) == THUD_OK);
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    thud_log_summary found = thud_log_view(log);
    CHECK(found.first_node == 7 && found.step_count == 10 && found.frame_count == 1);
    for (int64_t n = 7; n < 10; n++)
        CHECK(thud_log_chain(log, n) == (uint64_t)n * 11);
    thud_frame frame;
    CHECK(thud_log_frame(log, 0, &frame, &fault) == THUD_OK && rig_frame_same(&frame, &start));
    thud_log_close(log);
    rig_folder_remove(folder);
}

// The last whole line, of files that were cut anywhere.
static void last_line(void)
{
    static const char text[] = "step,t,gap\n0,0,nan\n1,0.5,-1e-09\n2,1,3\n";
    char folder[RIG_PATH];
    REQUIRE(rig_folder_make(folder));
    for (size_t length = 11; length < sizeof text; length++)
    {
        thud_series *series = NULL;
        thud_fault fault = {0};
        double values[3] = {-1, -1, -1};
        bool found = false;
        int lines = -1;
        for (size_t i = 0; i < length; i++)
            lines += text[i] == '\n';
        REQUIRE(rig_file_write(rig_path(folder, "series.csv"), text, length));
        REQUIRE(thud_series_open(folder, NULL, &series, &fault) == THUD_OK);
        CHECK(thud_series_last(series, values, &found, &fault) == THUD_OK);
        CHECK(found == (lines > 0) && values[0] == lines - 1);
        thud_series_close(series);
    }
    rig_folder_remove(folder);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"flipped", flipped},       {"spoiled", spoiled},
                                      {"lost-bytes", lost_bytes}, {"long-gap", long_gap},
                                      {"later", later},           {"last-line", last_line}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
