// A run of the tests of checkpoints.
#include "checkpoint_rig.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    t.multipliers[0] = (thud_multiplier){.key = {3}, .impulse = (double)n};
    t.multipliers[1] = (thud_multiplier){.key = {9}, .impulse = 0.5, .memory = 2};
    return t;
}

static const char *const columns[] = {"t"};

void checkpoint_folder_make(char folder[CHECKPOINT_PATH])
{
    (void)snprintf(folder, CHECKPOINT_PATH, "checkpoint-XXXXXX");
    if (!mkdtemp(folder))
        abort();
}

void checkpoint_folder_remove(const char *folder)
{
    static const char *const names[] = {
        "scene.yaml",      "frames.thud",          "series.csv",     "checkpoint.thud",
        ".lock",           "checkpoint.prev.thud", "run.json",       "checkpoint.thud.part",
        "scene.yaml.part", "frames.thud.part",     "series.csv.part"};
    char path[2 * CHECKPOINT_PATH];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    CHECK(rmdir(folder) == 0);
}

thud_status checkpoint_step(thud_record *record, int64_t n)
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

thud_status checkpoint_begin(const char *folder, thud_record **record, thud_fault *fault)
{
    thud_record_def def = {.folder = folder, .dim = 5, .series = columns, .series_count = 1};
    thud_status status = thud_record_create(&def, record, fault);
    if (status >= 0)
        status = thud_record_file_begin(*record, "scene.yaml");
    if (status >= 0 && thud_record_file_write("thud: 1\n", 8, *record) != 0)
        status = THUD_ERR_IO;
    return status < 0 ? status : thud_record_file_end(*record);
}

bool checkpoint_write_run(const char *folder, int steps)
{
    thud_record *record = NULL;
    thud_fault fault = {0};
    thud_status status = checkpoint_begin(folder, &record, &fault);
    for (int n = 0; n < steps && status >= 0; n++)
        status = checkpoint_step(record, n);
    return thud_record_close(record, &fault) >= 0 && status >= 0;
}

thud_status checkpoint_resume(const char *folder, const thud_allocator *allocator, int64_t *n,
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

unsigned char *checkpoint_read_bytes(const char *folder, const char *name, size_t *length)
{
    char path[2 * CHECKPOINT_PATH];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(1 << 16);
    if (!file || !bytes)
        abort();
    *length = fread(bytes, 1, 1 << 16, file);
    (void)fclose(file);
    return bytes;
}

void checkpoint_write_bytes(const char *folder, const char *name, const void *bytes, size_t length)
{
    char path[2 * CHECKPOINT_PATH];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
}
