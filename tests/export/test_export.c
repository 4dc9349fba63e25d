// The exporters: VTK's own reader, h5py, and a reader of text by hand find every number as it was
// recorded (check_export.py); what fails leaves nothing half done.
#include "export_rig.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = {
#define NAME_OF(name, text, about) text,
    THUD_EXPORT_LIST(NAME_OF)
#undef NAME_OF
};

static thud_status export_to(const export_rig *rig, thud_export_def def, thud_export_format format,
                             const char *folder, thud_fault *fault)
{
    char path[RIG_PATH];
    rig_join(path, rig->folder, folder);
    def.format = format;
    def.folder = path;
    return thud_export(&def, fault);
}

// Let Python judge an export against expected.json.
static bool judge(const export_rig *rig, const thud_export_def *def, const char *format,
                  const char *folder)
{
    char path[RIG_PATH], expected[RIG_PATH], range[3][24];
    rig_join(path, rig->folder, folder);
    rig_join(expected, rig->folder, "expected.json");
    (void)snprintf(range[0], sizeof range[0], "%d", (int)def->first);
    (void)snprintf(range[1], sizeof range[1], "%d", (int)def->last);
    (void)snprintf(range[2], sizeof range[2], "%d", def->stride > 0 ? (int)def->stride : 1);
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0)
    {
        (void)execl("/usr/bin/python3", "python3", "-B", CHECK_EXPORT, expected, path, format,
                    range[0], range[1], range[2], (char *)NULL);
        _exit(127);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void note_progress(int64_t done, int64_t total, void *user)
{
    int64_t *last = user;
    CHECK(done == last[0] + 1 && total == last[1]);
    last[0] = done;
}

// All formats, all frames or some, into a new folder and again over what is there.
static void round_trips(export_rig_kind kind, uint64_t standard)
{
    export_rig rig;
    uint64_t seed = test_seed(standard);
    printf("  seed %llu\n", (unsigned long long)seed);
    CHECK(export_rig_make(&rig, kind, seed));
    for (int format = 0; format < THUD_EXPORT_COUNT && rig.log; format++)
        for (int pass = 0; pass < 3; pass++)
        {
            thud_fault fault = {0};
            thud_export_def def = export_rig_def(&rig);
            int64_t progress[2] = {0, pass == 2 ? 2 : rig.frame_count};
            def.progress = note_progress;
            def.user = progress;
            if (pass == 2)
            {
                def.first = 1;
                def.last = 5;
                def.stride = 3;
            }
            thud_status status =
                export_to(&rig, def, (thud_export_format)format, names[format], &fault);
            if (kind >= EXPORT_INCLUSION && format <= THUD_EXPORT_XYZ)
            {
                CHECK(status == THUD_ERR_ARGUMENT && strcmp(fault.hint, "use csv or hdf5") == 0);
                CHECK(!rig_exists(rig.folder, names[format]));
                continue;
            }
            CHECK(status == THUD_OK && progress[0] == progress[1]);
            CHECK(pass == 0 || judge(&rig, &def, names[format], names[format]));
        }
    export_rig_free(&rig);
}

static void spheres_3d(void)
{
    round_trips(EXPORT_SPHERES_3D, 20260611);
}

static void spheres_2d(void)
{
    round_trips(EXPORT_SPHERES_2D, 20260612);
}

static void inclusion(void)
{
    round_trips(EXPORT_INCLUSION, 20260613);
}

static void first_order(void)
{
    round_trips(EXPORT_INCLUSION_FIRST, 20260614);
}

// The judge must be able to say no: an export of other numbers does not pass.
static void judge_can_fail(void)
{
    export_rig rig, other;
    CHECK(export_rig_make(&rig, EXPORT_SPHERES_3D, 1));
    CHECK(export_rig_make(&other, EXPORT_SPHERES_3D, 2));
    for (int format = 0; format < THUD_EXPORT_COUNT && rig.log && other.log; format++)
    {
        thud_export_def def = export_rig_def(&rig);
        CHECK(export_to(&rig, def, (thud_export_format)format, names[format], NULL) == THUD_OK);
        char wrong[RIG_PATH];
        rig_join(wrong, rig.folder, "expected.json");
        CHECK(rename(rig_path(other.folder, "expected.json"), wrong) == 0);
        CHECK(!judge(&rig, &def, names[format], names[format]));
        CHECK(rename(wrong, rig_path(other.folder, "expected.json")) == 0);
    }
    export_rig_free(&rig);
    export_rig_free(&other);
}

static void bad_defs(void)
{
    export_rig rig;
    thud_fault fault = {0};
    CHECK(export_rig_make(&rig, EXPORT_SPHERES_3D, 3));
    REQUIRE(rig.log);
    thud_export_def good = export_rig_def(&rig);
    static const int64_t ranges[][3] = {{-1, 2, 1}, {0, 7, 1}, {3, 2, 1}, {0, 6, -1}};
    for (int i = 0; i < 4; i++)
    {
        thud_export_def bad = good;
        bad.first = ranges[i][0];
        bad.last = ranges[i][1];
        bad.stride = ranges[i][2];
        CHECK(export_to(&rig, bad, THUD_EXPORT_CSV, "out", &fault) == THUD_ERR_ARGUMENT);
        CHECK(fault.text[0]);
    }
    CHECK(export_to(&rig, good, THUD_EXPORT_COUNT, "out", &fault) == THUD_ERR_ARGUMENT);
    thud_export_def bad = good;
    bad.log = NULL;
    CHECK(export_to(&rig, bad, THUD_EXPORT_CSV, "out", NULL) == THUD_ERR_ARGUMENT);
    CHECK(!rig_exists(rig.folder, "out"));
    // a run directory is not written into
    CHECK(export_to(&rig, good, THUD_EXPORT_CSV, "run", &fault) == THUD_ERR_ARGUMENT);
    CHECK(rig_count(rig_path(rig.folder, "run")) == 3 && fault.hint[0]);
    CHECK(export_to(&rig, good, THUD_EXPORT_CSV, "no/where", &fault) == THUD_ERR_IO);
    CHECK(export_to(&rig, good, THUD_EXPORT_HDF5, "expected.json", &fault) == THUD_ERR_IO);
    // a log of another scene
    export_rig other;
    CHECK(export_rig_make(&other, EXPORT_SPHERES_2D, 3));
    bad = good;
    bad.log = other.log;
    CHECK(export_to(&rig, bad, THUD_EXPORT_CSV, "out", &fault) == THUD_ERR_ARGUMENT);
    export_rig_free(&other);
    export_rig_free(&rig);
}

// HDF5 wants the series and the scene of the run directory, or no run directory at all.
static void run_folder(void)
{
    static const char *const wanted[] = {"series.csv", "scene.yaml"};
    export_rig rig;
    CHECK(export_rig_make(&rig, EXPORT_SPHERES_3D, 6));
    REQUIRE(rig.log);
    thud_export_def def = export_rig_def(&rig);
    for (int i = 0; i < 2; i++)
    {
        char old[RIG_PATH], away[RIG_PATH];
        thud_fault fault = {0};
        rig_join(old, rig.run, wanted[i]);
        rig_join(away, rig.folder, "away");
        CHECK(rename(old, away) == 0);
        CHECK(export_to(&rig, def, THUD_EXPORT_HDF5, "out", &fault) == THUD_ERR_RECORD);
        CHECK(strstr(fault.text, wanted[i]) && rig_count(rig_path(rig.folder, "out")) == 0);
        // no other format reads them
        CHECK(export_to(&rig, def, THUD_EXPORT_VTP, "vtp", &fault) == THUD_OK);
        CHECK(rename(away, old) == 0);
    }
    thud_fault fault = {0};
    CHECK(rig_file_write(rig_path(rig.run, "series.csv"), "step,t\n1,x\n", 11));
    CHECK(export_to(&rig, def, THUD_EXPORT_HDF5, "out", &fault) == THUD_ERR_RECORD);
    CHECK(fault.line == 2 && rig_count(rig_path(rig.folder, "out")) == 0);
    def.run = NULL;
    CHECK(export_to(&rig, def, THUD_EXPORT_HDF5, "out", &fault) == THUD_OK);
    CHECK(rig_exists(rig_path(rig.folder, "out"), "run.h5"));
    export_rig_free(&rig);
}

// A limit of file sizes met by every format: an error that says so, no temporary file, and no
// collection or file over all frames under its final name.
static void file_limit(void)
{
    static const char *const finals[] = {"bodies.pvd", "bodies.xyz", "bodies.csv", "run.h5"};
    export_rig rig;
    struct rlimit old, low;
    CHECK(export_rig_make(&rig, EXPORT_SPHERES_3D, 4) && signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    REQUIRE(rig.log && getrlimit(RLIMIT_FSIZE, &old) == 0);
    for (int format = 0; format < THUD_EXPORT_COUNT; format++)
    {
        thud_status status = THUD_ERR_IO;
        int fails = 0;
        for (rlim_t limit = 0; limit < 1000000 && status != THUD_OK; limit += 300 + limit / 30)
        {
            thud_fault fault = {0};
            char folder[RIG_PATH];
            low = old;
            low.rlim_cur = limit;
            rig_join(folder, rig.folder, names[format]);
            CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
            status = export_to(&rig, export_rig_def(&rig), (thud_export_format)format,
                               names[format], &fault);
            CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
            if (status == THUD_OK)
                continue;
            fails++;
            CHECK(status == THUD_ERR_IO && strstr(fault.text, "File too large"));
            CHECK(!rig_exists(folder, finals[format]) && !rig_exists(folder, "walls.pvd"));
            if (format != THUD_EXPORT_VTP)
                CHECK(rig_count(folder) == 0);
        }
        CHECK(status == THUD_OK && fails >= 3 &&
              rig_exists(rig_path(rig.folder, names[format]), finals[format]));
        printf("  %s: %d limits\n", names[format], fails);
    }
    export_rig_free(&rig);
}

static void fail_each_allocation(export_rig_kind kind, thud_export_format format)
{
    export_rig rig;
    thud_status status = THUD_ERR_MEMORY;
    long fails = 0;
    CHECK(export_rig_make(&rig, kind, 5));
    for (long at = 1; rig.log && status == THUD_ERR_MEMORY; at++)
    {
        thud_fault fault = {0};
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_export_def def = export_rig_def(&rig);
        def.allocator = &allocator;
        status = export_to(&rig, def, format, "out", &fault);
        CHECK(status == THUD_OK || (status == THUD_ERR_MEMORY && fault.text[0]));
        CHECK(meter.blocks == 0);
        fails += status < 0;
    }
    CHECK(status == THUD_OK && fails >= 4);
    export_rig_free(&rig);
}

static void failing_memory(void)
{
    fail_each_allocation(EXPORT_SPHERES_3D, THUD_EXPORT_VTP);
    fail_each_allocation(EXPORT_SPHERES_3D, THUD_EXPORT_XYZ);
    fail_each_allocation(EXPORT_SPHERES_3D, THUD_EXPORT_CSV);
    fail_each_allocation(EXPORT_INCLUSION, THUD_EXPORT_CSV);
}

// Apart from the others, as valgrind takes what HDF5 keeps until the end for a leak.
static void failing_memory_hdf5(void)
{
    fail_each_allocation(EXPORT_SPHERES_3D, THUD_EXPORT_HDF5);
    fail_each_allocation(EXPORT_INCLUSION, THUD_EXPORT_HDF5);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"spheres-3d", spheres_3d},         {"spheres-2d", spheres_2d},
        {"inclusion", inclusion},           {"first-order", first_order},
        {"judge-can-fail", judge_can_fail}, {"bad-defs", bad_defs},
        {"run-folder", run_folder},         {"file-limit", file_limit},
        {"failing-memory", failing_memory}, {"failing-memory-hdf5", failing_memory_hdf5},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
