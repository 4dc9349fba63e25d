// The log as HDF5 files: it has the bytes and the digest of the log in one file. Each byte of its
// files that is damaged, missing or forged is noticed, and the file is named.
#include "record_rig.h"

#include "core/checksum.h"
#include "core/fault.h"
#include "core/memory.h"
#include "record/hdf5/log_hdf5.h"
#include "record/log_form.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    FRAMES = 4,
    EVERY = 3, // steps from frame to frame
    REST = 2   // steps behind the last frame
};

// A run with frames of every kind, and steps between them.
typedef struct hdf5_run
{
    char folder[RIG_PATH];
    rig_frame frames[FRAMES];
    thud_digest digest;
} hdf5_run;

static uint64_t chain_of(int64_t n)
{
    return (uint64_t)n * 0x9e3779b97f4a7c15;
}

static bool write_steps(thud_record *record, int64_t from, int64_t to)
{
    bool done = true;
    for (int64_t n = from; n < to; n++)
        done = done && thud_record_step(record, n, chain_of(n)) == THUD_OK;
    return done;
}

static bool checkpoint(thud_record *record, int64_t n)
{
    const thud_field field = {"n", THUD_FIELD_INT64, 1, &n};
    return thud_record_checkpoint(record, &field, 1, false) == THUD_OK;
}

// What `scene.yaml` says is the same in all runs.
static bool write_scene(thud_record *record)
{
    return thud_record_file_begin(record, "scene.yaml") == THUD_OK &&
           thud_record_file_write("scene\n", 6, record) == 0 &&
           thud_record_file_end(record) == THUD_OK;
}

// Write frames and steps from frame `from` on.
static bool write_frames(hdf5_run *run, thud_record *record, int from)
{
    bool done = true;
    for (int i = from; i < FRAMES && done; i++)
    {
        done = thud_record_frame(record, &run->frames[i].view) == THUD_OK &&
               write_steps(record, 1 + i * EVERY, 1 + (i + 1) * EVERY);
        done = done && checkpoint(record, i);
    }
    run->digest = thud_record_digest(record);
    return done;
}

static bool make_run(hdf5_run *run, thud_log_form form, int dim, uint64_t seed)
{
    thud_record *record = NULL;
    thud_fault fault = {0};
    test_random random = test_random_start(seed);
    if (!rig_folder_make(run->folder))
        return false;
    thud_record_def def = {.folder = run->folder,
                           .dim = dim,
                           .form = form,
                           .keys = THUD_KEYS_NUMBERED,
                           .units = {.length = "m", .time = "s", .impulse = "N s"}};
    bool done = thud_record_create(&def, &record, &fault) == THUD_OK && write_scene(record) &&
                write_steps(record, 0, 1);
    for (int i = 0; i < FRAMES; i++)
        rig_frame_make(&run->frames[i], &random, dim, i, 6);
    done = done && write_frames(run, record, 0);
    return thud_record_close(record, &fault) == THUD_OK && done;
}

static void free_run(hdf5_run *run)
{
    for (int i = 0; i < FRAMES; i++)
        rig_frame_free(&run->frames[i]);
    rig_folder_remove(run->folder);
}

static thud_digest digest_of(const char *folder)
{
    thud_log *log = NULL;
    thud_digest digest = {{0}};
    CHECK(thud_log_open(folder, NULL, &log, NULL) == THUD_OK);
    CHECK(log && thud_log_digest(log, &(int64_t){INT64_MAX - 1}, 1, &digest, NULL) == THUD_OK);
    thud_log_close(log);
    return digest;
}

// All bytes of the log in the folder, to be freed.
static unsigned char *bytes_of(const char *folder, size_t *length)
{
    thudi_log_source source;
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    int at = open(folder, O_RDONLY | O_DIRECTORY);
    if (thudi_log_source_open(&source, &allocator, at, folder, O_RDONLY, NULL) < 0)
        abort();
    *length = (size_t)source.size;
    unsigned char *bytes = malloc(*length + 1);
    if (!bytes)
        abort();
    CHECK(thudi_log_source_read(&source, bytes, *length, 0) == source.size);
    for (size_t i = 0; i < *length; i += 7) // and in pieces, backwards
    {
        unsigned char some[16];
        size_t offset = *length - 1 - i, most = i + 1 < 16 ? i + 1 : 16;
        CHECK(thudi_log_source_read(&source, some, 16, (int64_t)offset) == (ssize_t)most);
        CHECK(memcmp(some, bytes + offset, most) == 0);
    }
    thudi_log_source_close(&source);
    (void)close(at);
    return bytes;
}

static void same_bytes(void)
{
    for (int dim = 1; dim < 12; dim++)
    {
        hdf5_run one, other;
        size_t length = 0, size = 1;
        REQUIRE(make_run(&one, THUD_LOG_FILE, dim, 41 + (uint64_t)dim));
        REQUIRE(make_run(&other, THUD_LOG_HDF5, dim, 41 + (uint64_t)dim));
        unsigned char *bytes = rig_file_read(rig_path(one.folder, "frames.thud"), &length);
        unsigned char *again = bytes_of(other.folder, &size);
        CHECK(bytes && length == size && memcmp(bytes, again, length) == 0);
        CHECK(memcmp(&one.digest, &other.digest, sizeof one.digest) == 0);
        thud_digest digest = digest_of(other.folder);
        CHECK(memcmp(&one.digest, &digest, sizeof digest) == 0);
        free(bytes);
        bytes = rig_file_read(rig_path(one.folder, "checkpoint.thud"), &length);
        free(again);
        again = rig_file_read(rig_path(other.folder, "checkpoint.thud"), &size);
        CHECK(bytes && again && length == size && memcmp(bytes, again, length) == 0);
        free(bytes);
        free(again);
        free_run(&one);
        free_run(&other);
    }
}

// Resume the run from its checkpoint after frame `from`, whatever is behind it.
static void check_resumed(int from)
{
    hdf5_run whole, run;
    thud_record *record = NULL;
    thud_checkpoint *taken = NULL;
    thud_fault fault = {0};
    size_t length = 0;
    REQUIRE(make_run(&whole, THUD_LOG_HDF5, 4, 17) && make_run(&run, THUD_LOG_HDF5, 4, 17));
    CHECK(rig_file_write(rig_path(run.folder, "frames/000009.h5.part"), "torn", 4));
    CHECK(rig_file_write(rig_path(run.folder, "frames/tail.h5.part"), "torn", 4));
    hdf5_run cut; // of the same frames, stopped there
    REQUIRE(rig_folder_make(cut.folder));
    thud_record_def def = {.folder = cut.folder,
                           .dim = 4,
                           .form = THUD_LOG_HDF5,
                           .keys = THUD_KEYS_NUMBERED,
                           .units = {.length = "m", .time = "s", .impulse = "N s"}};
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK && write_scene(record));
    CHECK(write_steps(record, 0, 1));
    for (int i = 0; i < from; i++)
        CHECK(thud_record_frame(record, &run.frames[i].view) == THUD_OK &&
              write_steps(record, 1 + i * EVERY, 1 + (i + 1) * EVERY));
    CHECK(checkpoint(record, from - 1) && thud_record_close(record, &fault) == THUD_OK);
    unsigned char *kept = rig_file_read(rig_path(cut.folder, "checkpoint.thud"), &length);
    REQUIRE(kept && rig_file_write(rig_path(run.folder, "checkpoint.thud"), kept, length));
    free(kept);
    def.folder = run.folder;
    REQUIRE(thud_record_resume(&def, &record, &taken, &fault) == THUD_OK);
    thud_checkpoint_free(taken);
    CHECK(!rig_exists(run.folder, "frames/000009.h5.part"));
    CHECK(!rig_exists(run.folder, "frames/tail.h5.part"));
    CHECK(write_frames(&run, record, from) && thud_record_close(record, &fault) == THUD_OK);
    CHECK(memcmp(&whole.digest, &run.digest, sizeof run.digest) == 0);
    static const char *const files[] = {"frames.h5", "frames/000000.h5", "frames/000003.h5",
                                        "frames/tail.h5"};
    for (int i = 0; i < 4; i++)
    {
        size_t size = 0;
        unsigned char *a = rig_file_read(rig_path(whole.folder, files[i]), &length);
        unsigned char *b = rig_file_read(rig_path(run.folder, files[i]), &size);
        CHECK(a && b && length == size && memcmp(a, b, length) == 0);
        free(a);
        free(b);
    }
    CHECK(rig_count(rig_path(run.folder, "frames")) == FRAMES + 1);
    rig_folder_remove(cut.folder);
    free_run(&whole);
    free_run(&run);
}

static void resumed(void)
{
    for (int from = 1; from <= FRAMES; from++)
        check_resumed(from);
}

// Is every frame that can be read the one that was written, and is the rest named?
static void check_damaged(const hdf5_run *run, const char *file, int hit)
{
    thud_log *log = NULL;
    thud_frame frame;
    thud_fault fault = {0};
    thud_status status = thud_log_open(run->folder, NULL, &log, &fault);
    for (int i = 0; status == THUD_OK && i < thud_log_view(log).frame_count; i++)
        status = thud_log_frame(log, i, &frame, &fault);
    CHECK(status == THUD_ERR_RECORD && fault.text[0] && strstr(fault.file, file));
    thud_log_close(log);
    log = NULL;
    status = thud_log_open_damaged(run->folder, NULL, &log, NULL);
    CHECK((status == THUD_OK) == (hit != -1)); // nothing is read without frames.h5
    if (status < 0)
        return;
    for (int i = 0; i < thud_log_view(log).frame_count; i++)
    {
        int64_t number = thud_log_number(log, i);
        REQUIRE(number < FRAMES && number != hit);
        CHECK(thud_log_frame(log, i, &frame, NULL) == THUD_OK &&
              rig_frame_same(&frame, &run->frames[number].view));
    }
    CHECK(thud_log_view(log).frame_count == FRAMES - (hit >= 0));
    thud_log_close(log);
}

static const struct
{
    const char *name;
    int frame; // -1: none can be read; -2: all can
} files[] = {
    {"frames.h5", -1}, {"frames/000001.h5", 1}, {"frames/000002.h5", 2}, {"frames/tail.h5", -2}};

// One bit of each byte of each file; the end of each file at each length.
static void damaged(void)
{
    hdf5_run run;
    test_random random = test_random_begin(20261119);
    size_t count = 0;
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    for (int f = 0; f < 4; f++)
    {
        size_t length = 0;
        const char *path = rig_path(run.folder, files[f].name);
        unsigned char *bytes = rig_file_read(path, &length);
        REQUIRE(bytes);
        for (size_t i = 0; i < length; i++)
        {
            unsigned char bit = (unsigned char)(1 << test_random_int(&random, 0, 7));
            bytes[i] ^= bit;
            CHECK(rig_file_write(rig_path(run.folder, files[f].name), bytes, length));
            check_damaged(&run, files[f].name, files[f].frame);
            bytes[i] ^= bit;
            if (i % 5 > 0)
                continue;
            CHECK(rig_file_write(rig_path(run.folder, files[f].name), bytes, i));
            check_damaged(&run, files[f].name, files[f].frame);
        }
        CHECK(rig_file_write(rig_path(run.folder, files[f].name), bytes, length));
        count += length;
        free(bytes);
    }
    printf("  %zu bytes\n", count);
    free_run(&run);
}

static void missing(void)
{
    hdf5_run run;
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    CHECK(unlink(rig_path(run.folder, "frames/000002.h5")) == 0);
    check_damaged(&run, "frames/000002.h5", 2);
    CHECK(symlink("000001.h5", rig_path(run.folder, "frames/000002.h5")) == 0);
    check_damaged(&run, "frames/000002.h5", 2);
    CHECK(unlink(rig_path(run.folder, "frames/000002.h5")) == 0);
    size_t length = 0; // another frame under its name
    unsigned char *bytes = rig_file_read(rig_path(run.folder, "frames/000001.h5"), &length);
    CHECK(bytes && rig_file_write(rig_path(run.folder, "frames/000002.h5"), bytes, length));
    free(bytes);
    check_damaged(&run, "frames/000002.h5", 2);
    free_run(&run);
}

// Memory in small blocks only.
static void *resize_small(void *block, size_t old_size, size_t new_size, void *user)
{
    return new_size > 1 << 20 ? NULL : test_meter_resize(block, old_size, new_size, user);
}

// Is the run refused, in a message about `file` that says this? And without much memory.
static bool is_refused(const char *folder, const char *file, const char *why)
{
    thud_log *log = NULL;
    thud_frame frame;
    thud_fault fault = {0};
    test_meter meter = {0};
    thud_allocator allocator = {resize_small, &meter};
    thud_status status = thud_log_open(folder, &allocator, &log, &fault);
    for (int i = 0; status == THUD_OK && i < thud_log_view(log).frame_count; i++)
        status = thud_log_frame(log, i, &frame, &fault);
    thud_log_close(log);
    bool is_right =
        status == THUD_ERR_RECORD && strstr(fault.file, file) && strstr(fault.text, why);
    if (!is_right)
        printf("  %s: %s\n", fault.file, fault.text);
    return is_right;
}

// One name with a large number stands for no more frames than there are files.
static void far_names(void)
{
    hdf5_run run, other;
    thud_record *record = NULL;
    size_t length = 0;
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    unsigned char *bytes = rig_file_read(rig_path(run.folder, "frames/000001.h5"), &length);
    REQUIRE(bytes);
    CHECK(rig_file_write(rig_path(run.folder, "frames/999999999999999.h5"), bytes, length));
    free(bytes);
    CHECK(is_refused(run.folder, "frames", "frame 999999999999999 is there, but only 5 files are"));
    thud_record_def def = {.folder = run.folder,
                           .dim = 4,
                           .form = THUD_LOG_HDF5,
                           .keys = THUD_KEYS_NUMBERED,
                           .replace = true,
                           .units = {.length = "m", .time = "s", .impulse = "N s"}};
    REQUIRE(thud_record_create(&def, &record, NULL) == THUD_OK);
    CHECK(!rig_exists(run.folder, "frames"));
    CHECK(write_scene(record) && write_steps(record, 0, 1) && write_frames(&run, record, 0));
    CHECK(thud_record_close(record, NULL) == THUD_OK);
    REQUIRE(make_run(&other, THUD_LOG_HDF5, 4, 3));
    CHECK(memcmp(&run.digest, &other.digest, sizeof run.digest) == 0);
    free_run(&run);
    free_run(&other);
}

// A frame of 1.5 GB without blocks on the disk, as if its metadata had that length; then 1.5 GB of
// hashes; then frames.h5 with links to more frames than there are.
static void holes(void)
{
    const off_t large = 1500000000;
    hdf5_run run;
    size_t length = 0;
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    unsigned char *bytes = rig_file_read(rig_path(run.folder, "frames/000001.h5"), &length);
    REQUIRE(bytes);
    thudi_h5_heads heads;
    memcpy(&heads, bytes + THUDI_H5_HEADS_AT, sizeof heads);
    uint64_t data = heads.data;
    for (int i = 0; i < 2; i++)
    {
        if (i == 0)
            heads.data = data + (uint64_t)large;
        else
            heads.data = data, heads.steps += (uint64_t)large / sizeof(thudi_h5_node);
        heads.sum = 0;
        heads.sum = thudi_checksum(0, &heads, (size_t)heads.length);
        memcpy(bytes + THUDI_H5_HEADS_AT, &heads, (size_t)heads.length);
        CHECK(rig_file_write(rig_path(run.folder, "frames/000001.h5"), bytes, length));
        CHECK(truncate(rig_path(run.folder, "frames/000001.h5"),
                       (off_t)(heads.data + thudi_h5_data_length(&heads))) == 0);
        CHECK(is_refused(run.folder, "frames/000001.h5", "it is not as Thud writes it"));
    }
    free(bytes);
    free_run(&run);
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    bytes = rig_file_read(rig_path(run.folder, "frames.h5"), &length);
    REQUIRE(bytes);
    thudi_h5_all all;
    memcpy(&all, bytes + THUDI_H5_HEADS_AT, sizeof all.about);
    memcpy(&all, bytes + THUDI_H5_HEADS_AT, (size_t)all.about.length);
    all.about.frames = (int64_t)1e10;
    all.about.sum = 0;
    all.about.sum = thudi_checksum(0, &all, (size_t)all.about.length);
    memcpy(bytes + THUDI_H5_HEADS_AT, &all, (size_t)all.about.length);
    CHECK(rig_file_write(rig_path(run.folder, "frames.h5"), bytes, length));
    CHECK(truncate(rig_path(run.folder, "frames.h5"), (off_t)1e12) == 0);
    CHECK(is_refused(run.folder, "frames.h5", "it links far more frames than there are files"));
    free(bytes);
    free_run(&run);
}

// A link as the last frame, as the tail, or in place of all frames.
static void links(void)
{
    hdf5_run run;
    static const char *const names[] = {"frames/000004.h5", "frames/000003.h5", "frames/tail.h5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
        REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
        CHECK(!rig_exists(run.folder, names[i]) || unlink(rig_path(run.folder, names[i])) == 0);
        CHECK(symlink("000001.h5", rig_path(run.folder, names[i])) == 0);
        CHECK(is_refused(run.folder, names[i], "it is a link"));
        CHECK(unlink(rig_path(run.folder, names[i])) == 0);
        free_run(&run);
    }
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    char moved[RIG_PATH];
    (void)snprintf(moved, sizeof moved, "%s", rig_path(run.folder, "moved"));
    CHECK(rename(rig_path(run.folder, "frames"), moved) == 0);
    CHECK(symlink("moved", rig_path(run.folder, "frames")) == 0);
    CHECK(is_refused(run.folder, "frames", "links in a run directory are not followed"));
    CHECK(unlink(rig_path(run.folder, "frames")) == 0);
    CHECK(rename(moved, rig_path(run.folder, "frames")) == 0);
    free_run(&run);
}

// A frame that was not finished is cut off, as the end of the log in one file.
static void torn(void)
{
    hdf5_run run;
    thud_log *log = NULL;
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    CHECK(rig_file_write(rig_path(run.folder, "frames/000004.h5.part"), "torn", 4));
    REQUIRE(thud_log_open(run.folder, NULL, &log, NULL) == THUD_OK);
    thud_log_summary summary = thud_log_view(log);
    CHECK(summary.is_cut && summary.frame_count == FRAMES && summary.form == THUD_LOG_HDF5);
    CHECK(summary.step_count == 1 + FRAMES * EVERY);
    thud_log_close(log);
    thud_digest digest = digest_of(run.folder);
    CHECK(memcmp(&digest, &run.digest, sizeof digest) == 0);
    free_run(&run);
}

// Write the file of frame 1 with these heads, their sum made right; `fits`: and all metadata, too.
static void forge(const hdf5_run *run, const unsigned char *bytes, size_t length,
                  const thudi_h5_heads *heads, bool fits)
{
    thudi_h5_bytes image = {.allocator = thudi_allocator_or_default(NULL)};
    thudi_h5_all all;
    thudi_h5_heads own = *heads;
    FILE *about = fopen(rig_path(run->folder, "frames.h5"), "rb");
    REQUIRE(about && fseek(about, THUDI_H5_HEADS_AT, SEEK_SET) == 0);
    memset(&all, 0, sizeof all);
    CHECK(fread(&all, 1, sizeof all, about) > sizeof all.about);
    (void)fclose(about);
    const char *path = rig_path(run->folder, "frames/000001.h5");
    thudi_h5_heads right;
    memcpy(&right, bytes + THUDI_H5_HEADS_AT, sizeof right);
    bool can = own.record.blocks <= THUDI_H5_BLOCKS;
    if (can)
        thudi_h5_make_frame(&image, &all, &own, fits ? 2 : 0);
    unsigned char *file = malloc(length + image.used + sizeof own);
    REQUIRE(file);
    CHECK(!image.has_failed);
    memcpy(file, bytes, length);
    size_t size = length;
    if (can && fits) // as a forger with this code would do it
    {
        memcpy(file, image.list.items, image.used);
        memcpy(file + image.used, bytes + right.data, length - right.data);
        size = image.used + length - right.data;
    }
    else
        memcpy(file + THUDI_H5_HEADS_AT, &own, 56 + 56 + 16);
    CHECK(rig_file_write(path, file, size));
    free(file);
    thudi_h5_free(&image);
}

// Each number of the heads becomes an extreme, and sums are right. Nothing may crash, hang or take
// much memory; a frame that is read all the same is one that the numbers allow.
static void forged(void)
{
    static const uint64_t values[] = {0,       1,         7,          64,        65,
                                      1 << 20, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    hdf5_run run;
    size_t length = 0, refused = 0, count = 0;
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    unsigned char *bytes = rig_file_read(rig_path(run.folder, "frames/000001.h5"), &length);
    REQUIRE(bytes);
    thudi_h5_heads good;
    memcpy(&good, bytes + THUDI_H5_HEADS_AT, sizeof good);
    for (size_t at = 24; at + 8 <= 56 + 56 + 16 * 9; at += 4)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            for (int fits = 0; fits < 2; fits++)
            {
                thud_log *log = NULL;
                thud_frame frame;
                thudi_h5_heads bad = good;
                memcpy((unsigned char *)&bad + at, &values[v], 8);
                thudi_head_seal(&bad.record);
                forge(&run, bytes, length, &bad, fits);
                thud_status status = thud_log_open(run.folder, NULL, &log, NULL);
                for (int i = 0; status == THUD_OK && i < thud_log_view(log).frame_count; i++)
                    status = thud_log_frame(log, i, &frame, NULL);
                thud_log_close(log);
                CHECK(status == THUD_OK || status == THUD_ERR_RECORD);
                refused += status < 0;
                count++;
                log = NULL;
                CHECK(thud_log_open_damaged(run.folder, NULL, &log, NULL) == THUD_OK);
                thud_log_close(log);
            }
    printf("  %zu of %zu refused\n", refused, count);
    CHECK(refused > count / 2);
    free(bytes);
    free_run(&run);
}

static void failing_memory(void)
{
    hdf5_run run;
    long fails = 0;
    thud_status status = THUD_ERR_MEMORY;
    REQUIRE(make_run(&run, THUD_LOG_HDF5, 4, 3));
    for (long at = 1; status == THUD_ERR_MEMORY; at++)
    {
        thud_log *log = NULL;
        thud_frame frame;
        thud_fault fault = {0};
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        status = thud_log_open(run.folder, &allocator, &log, &fault);
        for (int i = 0; status == THUD_OK && i < FRAMES; i++)
            status = thud_log_frame(log, i, &frame, &fault);
        thud_log_close(log);
        CHECK(meter.blocks == 0 && (status == THUD_OK || fault.text[0]));
        fails += status < 0;
    }
    CHECK(status == THUD_OK && fails > 10);
    status = THUD_ERR_MEMORY;
    for (long at = 1; status == THUD_ERR_MEMORY; at++) // and when it is taken up again
    {
        thud_record *record = NULL;
        thud_checkpoint *taken = NULL;
        thud_fault fault = {0};
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_record_def def = {
            .folder = run.folder, .dim = 4, .keys = THUD_KEYS_NUMBERED, .allocator = &allocator};
        status = thud_record_resume(&def, &record, &taken, &fault);
        CHECK(status == THUD_OK || (fault.text[0] && !record));
        if (status == THUD_OK)
        {
            if (!write_steps(record, 1 + FRAMES * EVERY, REST + 1 + FRAMES * EVERY) ||
                thud_record_frame(record, &run.frames[2].view) < 0)
                status = THUD_ERR_MEMORY;
            thud_status end = thud_record_close(record, &fault);
            status = end < 0 ? end : status;
        }
        thud_checkpoint_free(taken);
        CHECK(meter.blocks == 0);
        fails += status < 0;
    }
    CHECK(status == THUD_OK && fails > 20);
    free_run(&run);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"same-bytes", same_bytes}, {"resumed", resumed},
        {"damaged", damaged},       {"missing", missing},
        {"far-names", far_names},   {"holes", holes},
        {"links", links},           {"torn", torn},
        {"forged", forged},         {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
