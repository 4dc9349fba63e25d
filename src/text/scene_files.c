// Files read whole. openat2 opens those below a folder, so that no link and no ".." leads out of
// it. Without openat2 the path is walked step by step, and no link is followed.
#include "text/scene_files.h"
#include "thud/scene.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif
#ifndef O_PATH // of Linux alone
#define O_PATH O_RDONLY
#endif

static const char *reason_of(int error)
{
    switch (error)
    {
    case ENOENT:
        return "does not exist";
    case ENOTDIR:
        return "does not exist: a part of its path is not a folder";
    case EACCES:
    case EPERM:
        return "cannot be read: permission denied";
    case EISDIR:
        return "is a folder";
    case EXDEV:
        return "is a link that leads out of the folder";
    case ELOOP:
        return "has links that lead in a circle";
    case ENAMETOOLONG:
        return "has a name that is too long";
    case EMFILE:
    case ENFILE:
        return "cannot be read: Too many open files";
    default:
        return "cannot be read";
    }
}

// One step of a walk. It closes `folder`.
static int step_below(int folder, const char *name, size_t length, int flags)
{
    char part[NAME_MAX + 1];
    int next = -1, error = length > NAME_MAX ? ENAMETOOLONG : EXDEV;
    if (length <= NAME_MAX && !(length == 2 && name[0] == '.' && name[1] == '.'))
    {
        struct stat what;
        memcpy(part, name, length);
        part[length] = '\0';
        bool link = fstatat(folder, part, &what, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(what.st_mode);
        next = openat(folder, part, flags | O_NOFOLLOW);
        error = link ? EXDEV : errno;
    }
    (void)close(folder);
    errno = error;
    return next;
}

int thudi_walk_below(int folder, const char *path, int flags)
{
#ifdef F_DUPFD_CLOEXEC
    int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
#else
    int at = openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
#endif
    path += strspn(path, "/");
    while (at >= 0 && *path)
    {
        size_t length = strcspn(path, "/"), slashes = strspn(path + length, "/");
        bool last = path[length + slashes] == '\0';
        at = step_below(at, path, length, last ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC);
        path += length + slashes;
    }
    return at;
}

static int open_below(int folder, const char *path, int flags, bool no_links)
{
#ifdef __linux__
    struct open_how how = {.flags = (unsigned)flags,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS |
                                      (no_links ? RESOLVE_NO_SYMLINKS : 0U)};
    long fd;
    do
        fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
    while (fd < 0 && errno == EAGAIN); // a part of the path was renamed meanwhile
    return fd < 0 && errno == ENOSYS ? thudi_walk_below(folder, path, flags) : (int)fd;
#else
    (void)no_links; // a walk follows none
    return thudi_walk_below(folder, path, flags);
#endif
}

int thudi_folder_open(const char *path, const char **reason)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        *reason = reason_of(errno);
    return fd;
}

int thudi_folder_below(int folder, const char *path, const char **reason)
{
    int fd = open_below(folder, path, O_PATH | O_DIRECTORY | O_CLOEXEC, false);
    if (fd < 0)
        *reason = reason_of(errno);
    return fd;
}

void thudi_folder_close(int folder)
{
    if (folder >= 0)
        (void)close(folder);
}

static thud_status read_all(int fd, int limit, const thud_allocator *allocator, thudi_file *file,
                            const char **reason)
{
    struct stat what;
    *reason = "cannot be read";
    if (fstat(fd, &what) != 0)
        return THUD_ERR_IO;
    if (!S_ISREG(what.st_mode))
    {
        *reason = S_ISDIR(what.st_mode) ? "is a folder" : "is not a regular file";
        return THUD_ERR_IO;
    }
    if (what.st_size > limit)
    {
        *reason = limit == THUD_BODY_FILE_SIZE ? "is larger than 2 GiB" : "is larger than 64 MiB";
        return THUD_ERR_LIMIT;
    }
    file->length = (size_t)what.st_size;
    file->device = (uint64_t)what.st_dev;
    file->number = (uint64_t)what.st_ino;
    file->text = thudi_allocate_zeroed(allocator, file->length + 1);
    if (!file->text)
        return THUD_ERR_MEMORY;
    size_t done = 0;
    while (done < file->length)
    {
        ssize_t got = read(fd, file->text + done, file->length - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    if (done == file->length)
        return THUD_OK;
    thudi_file_free(allocator, file);
    return THUD_ERR_IO;
}

thud_status thudi_file_read(int folder, const char *path, bool no_links, int limit,
                            const thud_allocator *allocator, thudi_file *file, const char **reason)
{
    int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK; // opening a pipe must not block
    *file = (thudi_file){0};
    int fd = folder < 0 ? open(path, no_links ? flags | O_NOFOLLOW : flags)
                        : open_below(folder, path, flags, no_links);
    if (fd < 0 && no_links && errno == ELOOP)
    {
        *reason = "is a link; links in a run directory are not followed";
        return THUD_ERR_SCENE;
    }
    if (fd < 0)
    {
        *reason = reason_of(errno);
        file->is_missing = errno == ENOENT || errno == ENOTDIR;
        return errno == EXDEV ? THUD_ERR_SCENE : THUD_ERR_IO;
    }
    thud_status status = read_all(fd, limit, allocator, file, reason);
    (void)close(fd);
    return status;
}

thud_status thudi_fail_file(const thudi_file *file, thud_fault *fault, thud_status status)
{
    if (fault)
        fault->is_missing = file->is_missing;
    return status;
}

void thudi_file_free(const thud_allocator *allocator, thudi_file *file)
{
    thudi_free(allocator, file->text, file->length + 1);
    file->text = NULL;
}
