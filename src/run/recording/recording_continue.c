// A run continued in another directory, from a checkpoint of a run whose log is damaged.
#include "run/recording/recording.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/recorded/remedy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The checkpoint and whether the scene is over there; NULL if it is not whole.
static thud_status read_one(thud_recording *run, const char *from, bool previous,
                            thud_checkpoint **checkpoint, thud_fault *fault)
{
    THUD_TRY(thud_record_salvage(from, previous, NULL, checkpoint, fault));
    run->recorder.first = -1; // the run in `from` may continue another one itself
    thud_status status = thudi_recorder_restore(&run->recorder, *checkpoint, fault);
    if (status < 0 && fault->file[0] == '\0')
        (void)snprintf(fault->file, sizeof fault->file, "%.255s", from);
    if (status >= 0 && thud_run_is_over(thud_model_state(run->model), run->scene->end))
    {
        status =
            thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(from, NULL), "",
                       "the checkpoint is at the end of the run: there is nothing to continue");
    }
    if (status < 0)
    {
        thud_checkpoint_free(*checkpoint);
        *checkpoint = NULL;
    }
    return status;
}

// The newest that can be used, and the state of the model that it holds.
static thud_status find_checkpoint(thud_recording *run, const char *from, thud_fault *fault)
{
    thud_checkpoint *checkpoint = NULL;
    thud_fault second = {0};
    thud_status status = read_one(run, from, false, &checkpoint, fault);
    if (status == THUD_ERR_RECORD && read_one(run, from, true, &checkpoint, &second) >= 0)
        status = THUD_OK;
    thud_checkpoint_free(checkpoint);
    return status;
}

static thud_status fail_file(thud_fault *fault, const char *path, int error)
{
    return thudi_fail(fault, THUD_ERR_IO, (thudi_at){.file = path}, "", "cannot read: %s",
                      error ? thudi_error_text(error) : "it is not a regular file");
}

static thud_status copy_bytes(thud_record *record, const char *name, int file, const char *path,
                              thud_fault *fault)
{
    char block[1 << 14];
    ssize_t got = 0;
    THUD_TRY(thud_record_file_begin(record, name));
    while ((got = read(file, block, sizeof block)) != 0)
    {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_file(fault, path, errno);
        if (thud_record_file_write(block, (size_t)got, record) != 0)
            return THUD_ERR_IO;
    }
    return thud_record_file_end(record);
}

// A file of the scene, byte for byte: the checkpoint is of these. One that is not there is not
// needed.
static thud_status copy_file(thud_record *record, const char *from, const char *name,
                             thud_fault *fault)
{
    char path[1100];
    struct stat what;
    (void)snprintf(path, sizeof path, "%s/%s", from, name);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? THUD_OK : fail_file(fault, path, errno);
    thud_status status = THUD_OK;
    if (fstat(file, &what) != 0 || !S_ISREG(what.st_mode))
        status = fail_file(fault, path, 0);
    else
        status = copy_bytes(record, name, file, path, fault);
    (void)close(file);
    return status;
}

static thud_status open_record(thud_recording *run, const char *from, thud_fault *fault)
{
    static const char *const files[] = {"bodies.csv", "meshes.stl", "scene.yaml"};
    thud_record_def def = thudi_recording_record(run);
    def.first_node = thud_model_state(run->model)->n;
    (void)thud_record_find_log(from, &def.form); // a log that is lost is no reason to stop
    THUD_TRY(thud_record_create(&def, &run->recorder.record, fault));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        THUD_TRY(copy_file(run->recorder.record, from, files[i], fault));
    return THUD_OK;
}

// The name of the run, as JSON and terminals can have it.
static void note_origin(thud_recording *run, const char *from)
{
    (void)snprintf(run->origin, sizeof run->origin, "%s", from);
    for (char *at = run->origin; *at; at++)
        if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
}

bool thud_recording_is_within(const char *folder, const char *from)
{
    char own[PATH_MAX], place[PATH_MAX], path[PATH_MAX];
    if (strlen(folder) >= sizeof path || !realpath(from, own))
        return false;
    (void)snprintf(path, sizeof path, "%s", folder);
    while (!realpath(path, place)) // it need not exist yet: the nearest parent that does
    {
        char *end = strrchr(path, '/');
        if (strcmp(path, ".") == 0 || strcmp(path, "/") == 0)
            return false;
        if (!end)
            (void)snprintf(path, sizeof path, ".");
        else if (end == path)
            path[1] = '\0';
        else
            *end = '\0';
    }
    size_t length = strlen(own);
    return strncmp(place, own, length) == 0 && (place[length] == '/' || place[length] == '\0');
}

// Where to, and where from.
static thud_status check_folders(thud_recording *run, const char *from, thud_fault *fault)
{
    if (thud_recording_is_within(run->folder, from))
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "choose a directory outside it",
                          "a run cannot be continued in its own directory, but '%s' is in '%s'",
                          run->folder, from);
    if (thud_record_is_busy(from))
        return thudi_fail(fault, THUD_ERR_BUSY, THUDI_IN(from, NULL), "wait for it to end",
                          "a run is being written there");
    thud_status status = find_checkpoint(run, from, fault);
    if (status == THUD_ERR_RECORD)
        thudi_remedy_elsewhere(from, fault);
    return status;
}

static thud_status begin(thud_recording *run, const char *from, thud_fault *fault)
{
    THUD_TRY(thudi_recording_read(run, from, fault));
    THUD_TRY(check_folders(run, from, fault));
    note_origin(run, from);
    *fault = thudi_fault_none();
    thud_status status = open_record(run, from, fault);
    if (status == THUD_ERR_ARGUMENT)
        (void)snprintf(fault->hint, sizeof fault->hint,
                       "choose a folder that is empty or does not exist");
    if (status < 0 && (!run->recorder.record || fault->text[0] != '\0'))
        return status;
    if (status >= 0 && thud_model_state(run->model)->n > 0)
        status = thudi_recorder_continue(&run->recorder);
    else // from the very start it is a run like any other
    {
        run->recorder.first = 0;
        run->recorder.is_resumed = false;
    }
    if (status < 0)
        return thudi_recording_fail(run, status, fault);
    run->summary.reached = thud_state_time(thud_model_state(run->model));
    return thudi_recording_write_json(run, fault);
}

thud_status thud_recording_continue(const thud_recording_def *def, const char *from,
                                    thud_recording **recording, thud_fault *fault)
{
    thud_recording *run = NULL;
    thud_fault own;
    fault = thudi_fault_begin(fault, &own);
    *recording = NULL;
    THUD_TRY(thudi_recording_new(def, &run, fault));
    thud_status status = begin(run, from, fault);
    return thudi_fault_end(fault, thudi_recording_made(run, status, recording, fault));
}
