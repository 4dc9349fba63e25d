// The folder of a run: refused when something else is in it, replaced when asked to, locked while
// it is written.
#include "record_rig.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// What a create leads to in a folder that rig_holds one file of that name.
static thud_status create_beside(const char *name, bool replace, bool *kept)
{
    char folder[RIG_PATH];
    thud_record *record = NULL;
    thud_fault fault = {0};
    if (!rig_folder_make(folder) || !rig_file_write(rig_path(folder, name), "mine", 4))
        return THUD_ERR_IO;
    thud_record_def def = rig_def(folder);
    def.replace = replace;
    thud_status status = thud_record_create(&def, &record, &fault);
    CHECK(status == THUD_OK || (!record && fault.text[0] && fault.hint[0]));
    CHECK(thud_record_close(record, NULL) == THUD_OK);
    *kept = rig_holds(folder, name, "mine");
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
    thud_record_def def = rig_def(rig_path(folder, "a/b"));
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
    thud_record_def def = rig_def(run);
    def.replace = true;
    REQUIRE(symlink("../dear", rig_path(run, "run.json")) == 0);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT);
    CHECK(strstr(fault.text, "run.json") && rig_holds(folder, "dear", "x"));
    CHECK(unlink(rig_path(run, "run.json")) == 0);
    REQUIRE(mkdir(rig_path(run, "scene.yaml"), 0700) == 0);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT);
    CHECK(rmdir(rig_path(run, "scene.yaml")) == 0);
    REQUIRE(symlink("../dear", rig_path(run, ".lock")) == 0);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT);
    CHECK(rig_holds(folder, "dear", "x"));
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
    thud_record_def def = rig_def(folder);
    CHECK(thud_record_create(&def, &record, &fault) == THUD_ERR_ARGUMENT && !record);
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_view(log).frame_count == 3);
    def.replace = true;
    REQUIRE(thud_record_create(&def, &record, &fault) == THUD_OK);
    thud_frame frame; // who reads the old run goes on doing so
    CHECK(thud_log_frame(log, 2, &frame, &fault) == THUD_OK);
    CHECK(rig_frame_same(&frame, &frames[2].view));
    thud_log_close(log);
    CHECK(!rig_exists(folder, "run.json") && !rig_exists(folder, "scene.yaml.part"));
    CHECK(thud_record_close(record, &fault) == THUD_OK);
    REQUIRE(thud_log_open(folder, NULL, &log, &fault) == THUD_OK);
    CHECK(thud_log_view(log).frame_count == 0);
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
    thud_record_def def = rig_def(folder);
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

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"folders-refused", folders_refused},
        {"links-refused", links_refused},
        {"replaced", replaced},
        {"locked", locked},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
