// The folder of a run: made, inspected, and locked by flock on a file that holds the process id.
#include "record/run_folder.h"

#include "core/fault.h"
#include "core/memory.h"
#include "record/checkpoint_format.h"
#include "record/log_form.h"
#include "thud/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_NAME ".lock"

#define PART_ENDING ".part"

// All files that a run may leave in its folder, but for the log's. The files written as a whole
// come first, and of these the inputs. Checkpoints and the series follow. The last one stays while
// a new run replaces an old one, and so does what shows the old log.
static const char *const known[] = {
    "scene.yaml",
    "bodies.csv",
    "meshes.stl",
    "run.json",
    "scene.yaml" PART_ENDING,
    "bodies.csv" PART_ENDING,
    "meshes.stl" PART_ENDING,
    "run.json" PART_ENDING,
    THUDI_CHECKPOINT_NAME,
    THUDI_CHECKPOINT_PREV,
    THUDI_CHECKPOINT_NAME PART_ENDING,
    "series.csv",
    "series.csv" PART_ENDING,
};
enum
{
    INPUT_COUNT = 3,
    WHOLE_COUNT = 4,
    KNOWN_COUNT = sizeof known / sizeof *known,
    CLEARED_COUNT = KNOWN_COUNT - 1
};

bool thudi_run_folder_has_file(const char *name)
{
    for (int i = 0; i < WHOLE_COUNT; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

bool thudi_run_folder_is_input(const char *name)
{
    for (int i = 0; i < INPUT_COUNT; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

static bool is_known(int folder, const char *name)
{
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (!S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) && thudi_log_owns(folder, name, true);
    bool found = strcmp(name, LOCK_NAME) == 0 || thudi_log_owns(folder, name, false);
    for (int i = 0; !found && i < KNOWN_COUNT; i++)
        found = strcmp(name, known[i]) == 0;
    return found;
}

static thud_status fail_link(const char *path, const char *name, thud_fault *fault)
{
    return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(path, name), "put the file itself there",
                      "it is a link; links in a run directory are not followed");
}

static thud_status check_file(int fd, const char *path, const char *name, int flags,
                              thud_fault *fault)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return thudi_fail_io(fault, THUDI_IN(path, name), "inspect the file", errno);
    if (!S_ISREG(status.st_mode))
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(path, name), "",
                          "it is not a regular file");
    if ((flags & O_ACCMODE) != O_RDONLY && status.st_nlink > 1)
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(path, name), "replace it with a copy",
                          "it has a second name (a hard link); Thud does not write to such a file");
    return THUD_OK;
}

thud_status thudi_run_file_open(int folder, const char *path, const char *name, int flags, int *fd,
                                thud_fault *fault)
{
    // not blocking: the opening of a pipe of that name must not wait
    *fd = openat(folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (*fd < 0 && errno == ELOOP)
        return fail_link(path, name, fault);
    if (*fd < 0 && errno == ENOENT)
    {
        (void)thudi_fail(
            fault, THUD_ERR_RECORD, THUDI_IN(path, NULL),
            thudi_log_is_shown_by(name) ? "give a run directory, which 'thud run' writes" : "",
            "the folder holds no %s", name);
        if (fault)
            (void)snprintf(fault->name, sizeof fault->name, "%s", name);
        return THUD_ERR_RECORD;
    }
    if (*fd < 0)
        return thudi_fail_io(fault, THUDI_IN(path, name), "open", errno);
    thud_status status = check_file(*fd, path, name, flags, fault);
    if (status < 0)
    {
        (void)close(*fd);
        *fd = -1;
    }
    return status;
}

thud_status thud_record_open_file(const char *folder, const char *name, int *fd, thud_fault *fault)
{
    *fd = -1;
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0)
        return thudi_fail_io(fault, THUDI_IN(folder, NULL), "open the folder", errno);
    thud_status status = thudi_run_file_open(at, folder, name, O_RDONLY, fd, fault);
    (void)close(at);
    return status;
}

thud_status thudi_run_folder_check(int folder, const char *path, thud_fault *fault)
{
    static const char *const read[] = {"scene.yaml", "bodies.csv", "meshes.stl", "run.json",
                                       "series.csv"};
    struct stat status;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (fstatat(folder, read[i], &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
            return fail_link(path, read[i], fault);
    for (int i = 0; thud_log_form_file((thud_log_form)i); i++)
    {
        const char *name = thud_log_form_file((thud_log_form)i);
        if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
            return fail_link(path, name, fault);
    }
    return THUD_OK;
}

typedef struct contents
{
    int files;         // without the lock and the unpublished files
    bool log;          // there is a log
    char stranger[65]; // the first file that no run leaves, or ""
} contents;

static int list_contents(int folder, contents *found)
{
    memset(found, 0, sizeof *found);
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    DIR *list = fdopendir(fd);
    if (!list)
    {
        int error = errno;
        (void)close(fd);
        return error;
    }
    const struct dirent *entry;
    while (errno = 0, (entry = readdir(list)) != NULL) // NOLINT(concurrency-mt-unsafe)
    {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        if (!is_known(folder, name) && !found->stranger[0])
            (void)snprintf(found->stranger, sizeof found->stranger, "%.64s", name);
        found->files += strcmp(name, LOCK_NAME) != 0 && !strstr(name, PART_ENDING);
        found->log = found->log || thudi_log_is_shown_by(name);
    }
    int error = errno;
    (void)closedir(list);
    return error;
}

// Refuse a folder that holds other files than those of a run. A folder without a log is not a run:
// a user may keep a scene in files of the same names.
static thud_status check_contents(const thudi_run_folder *folder, bool empty, thud_fault *fault)
{
    contents found;
    int error = list_contents(folder->fd, &found);
    if (error)
        return thudi_fail_io(fault, THUDI_IN(folder->path, NULL), "list the folder", error);
    if (found.stranger[0])
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_IN(folder->path, NULL),
                          "choose a folder that is empty or does not exist",
                          "the folder holds '%s', which does not belong to a run", found.stranger);
    if (found.files > 0 && !found.log)
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_IN(folder->path, NULL),
                          "choose a folder that is empty or does not exist",
                          "the folder is not empty and holds no run");
    if (found.files > 0 && empty)
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_IN(folder->path, NULL),
                          "choose another folder, or replace it with --replace",
                          "the folder already holds a run");
    return THUD_OK;
}

static thud_status fail_busy(const thudi_run_folder *folder, int lock, thud_fault *fault)
{
    char pid[24];
    ssize_t length = pread(lock, pid, sizeof pid - 1, 0);
    pid[length > 0 ? length : 0] = '\0';
    pid[strspn(pid, "0123456789")] = '\0';
    return thudi_fail(fault, THUD_ERR_BUSY, THUDI_IN(folder->path, NULL),
                      "wait for it to end, or choose another folder",
                      pid[0] ? "process %s is writing a run there" : "a run is being written there",
                      pid);
}

// The lock file may be removed by its owner between our open and our flock: is it still there?
static bool is_named(const thudi_run_folder *folder, int lock)
{
    struct stat ours, named;
    return fstat(lock, &ours) == 0 &&
           fstatat(folder->fd, LOCK_NAME, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           named.st_ino == ours.st_ino && named.st_dev == ours.st_dev;
}

static thud_status take_lock(thudi_run_folder *folder, thud_fault *fault)
{
    int patience = 20; // milliseconds: thud_record_is_busy holds the lock for a moment
    while (folder->lock < 0)
    {
        int lock = -1;
        thud_status status = THUD_OK;
        THUD_TRY(thudi_run_file_open(folder->fd, folder->path, LOCK_NAME, O_RDWR | O_CREAT, &lock,
                                     fault));
        if (flock(lock, LOCK_EX | LOCK_NB) == 0)
        {
            if (is_named(folder, lock))
                folder->lock = lock;
        }
        else if (errno == EWOULDBLOCK && patience-- > 0)
            (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        else if (errno == EWOULDBLOCK)
            status = fail_busy(folder, lock, fault);
        else if (errno != EINTR)
            status =
                thudi_fail_io(fault, THUDI_IN(folder->path, LOCK_NAME), "lock the file", errno);
        if (folder->lock != lock)
            (void)close(lock);
        THUD_TRY(status);
    }
    return THUD_OK;
}

bool thud_record_is_busy(const char *folder)
{
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int lock = at < 0 ? -1 : openat(at, LOCK_NAME, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    bool is_busy = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (lock >= 0)
        (void)close(lock);
    if (at >= 0)
        (void)close(at);
    return is_busy;
}

static thud_status sign_lock(const thudi_run_folder *folder, thud_fault *fault)
{
    char pid[24];
    int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    if (ftruncate(folder->lock, 0) != 0)
        return thudi_fail_io(fault, THUDI_IN(folder->path, LOCK_NAME), "write", errno);
    ssize_t written = pwrite(folder->lock, pid, (size_t)length, 0);
    if (written != length)
        return thudi_fail_io(fault, THUDI_IN(folder->path, LOCK_NAME), "write",
                             written < 0 ? errno : ENOSPC);
    return THUD_OK;
}

static thud_status prepare(thudi_run_folder *folder, bool replace, thud_fault *fault)
{
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0)
        return thudi_fail_io(fault, THUDI_IN(folder->path, NULL), "open the folder", errno);
    contents found;
    int error = list_contents(folder->fd, &found);
    if (error)
        return thudi_fail_io(fault, THUDI_IN(folder->path, NULL), "list the folder", error);
    // among files that belong to no run, make not even a lock
    if (found.stranger[0] || (found.files > 0 && !found.log))
        return check_contents(folder, true, fault);
    THUD_TRY(take_lock(folder, fault));
    THUD_TRY(check_contents(folder, !replace, fault));
    return sign_lock(folder, fault);
}

thud_status thudi_run_folder_open(thudi_run_folder *folder, const char *path, bool replace,
                                  thud_fault *fault)
{
    *folder = THUDI_RUN_FOLDER_CLOSED;
    folder->path = path;
    folder->made = mkdir(path, 0777) == 0;
    if (!folder->made && errno != EEXIST)
        return thudi_fail_io(fault, THUDI_IN(path, NULL), "make the folder", errno);
    thud_status status = prepare(folder, replace, fault);
    if (status < 0)
        thudi_run_folder_close(folder, true);
    return status;
}

thud_status thudi_run_folder_reopen(thudi_run_folder *folder, const char *path, thud_fault *fault)
{
    *folder = THUDI_RUN_FOLDER_CLOSED;
    folder->path = path;
    folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0)
        return thudi_fail_io(fault, THUDI_IN(path, NULL), "open the folder", errno);
    contents found;
    int error = list_contents(folder->fd, &found);
    thud_status status = THUD_OK;
    if (error)
        status = thudi_fail_io(fault, THUDI_IN(path, NULL), "list the folder", error);
    else if (!found.log)
        status = thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(path, NULL),
                            "give a run directory, which 'thud run' writes",
                            "the folder holds no " THUDI_LOG_NAME);
    if (status >= 0)
        status = take_lock(folder, fault);
    if (status >= 0)
        status = sign_lock(folder, fault);
    if (status < 0)
        thudi_run_folder_close(folder, false);
    return status;
}

thud_status thudi_run_folder_clear(const thudi_run_folder *folder, thud_fault *fault)
{
    for (int i = 0; i < CLEARED_COUNT; i++)
        if (unlinkat(folder->fd, known[i], 0) != 0 && errno != ENOENT)
            return thudi_fail_io(fault, THUDI_IN(folder->path, known[i]), "remove the file", errno);
    int error = thudi_log_clear(folder->fd);
    if (error)
        return thudi_fail_io(fault, THUDI_IN(folder->path, NULL), "remove the old log", error);
    return THUD_OK;
}

void thudi_run_folder_close(thudi_run_folder *folder, bool undo)
{
    if (folder->lock >= 0)
    {
        (void)unlinkat(folder->fd, LOCK_NAME, 0); // while it is locked, as it is ours
        (void)close(folder->lock);
    }
    if (folder->fd >= 0)
        (void)close(folder->fd);
    if (undo && folder->made)
        (void)rmdir(folder->path);
    *folder = THUDI_RUN_FOLDER_CLOSED;
}
