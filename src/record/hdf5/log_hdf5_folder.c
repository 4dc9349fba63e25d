// The folder of the frames of a log in HDF5 files: which of its files are whose.
#include "record/hdf5/log_hdf5.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const thudi_log_table thudi_log_in_hdf5 = {
    .name = "hdf5",
    .file = THUDI_H5_NAME,
    .open = thudi_h5_open,
    .read = thudi_h5_read,
    .find = thudi_h5_find,
    .find_wrong = thudi_h5_find_wrong,
    .compare_shown = thudi_h5_compare_shown,
    .close = thudi_h5_close,
    .begin = thudi_h5_begin,
    .adopt = thudi_h5_adopt,
    .folder = THUDI_H5_FOLDER,
    .has_folder = thudi_h5_has_folder,
    .remove_folder = thudi_h5_remove_folder,
};

// Numbers that a file name stands for.
enum
{
    TAIL = -1,
    SCRAP = THUDI_H5_SCRAP,
    OTHER = -3 // not of a log
};

static int64_t number_of(const char *name)
{
    char own[32];
    int64_t number = 0;
    size_t digits = strspn(name, "0123456789");
    if (strcmp(name, THUDI_H5_TAIL) == 0)
        return TAIL;
    if (strcmp(name, THUDI_H5_TAIL THUDI_H5_PART) == 0)
        return SCRAP;
    if (digits < 6 || digits > 15)
        return OTHER;
    for (size_t i = 0; i < digits; i++)
        number = 10 * number + (name[i] - '0');
    thudi_h5_frame_name(own, number);
    size_t length = strlen(own);
    if (strncmp(name, own, length) != 0)
        return OTHER;
    if (name[length] == '\0')
        return number;
    return strcmp(name + length, THUDI_H5_PART) == 0 ? SCRAP : OTHER;
}

int thudi_h5_folder(int folder)
{
    return openat(folder, THUDI_H5_FOLDER,
                  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static bool is_file(int folder, const char *name)
{
    struct stat look;
    return fstatat(folder, name, &look, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(look.st_mode);
}

// What stands under the name of a frame counts even if it is no file: the reader names it.
static void note(thudi_h5_listing *found, int64_t number, bool is_ours)
{
    found->has_tail = found->has_tail || number == TAIL;
    found->has_scraps = found->has_scraps || (number == SCRAP && is_ours);
    found->has_others = found->has_others || !is_ours;
    found->files += number >= 0;
    if (number >= found->frames)
        found->frames = number + 1;
}

int thudi_h5_list(int folder, thudi_h5_listing *found,
                  int (*act)(int folder, const char *name, int64_t number))
{
    const struct dirent *entry;
    *found = (thudi_h5_listing){0};
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);
    if (!list)
    {
        int error = errno;
        if (fd >= 0)
            (void)close(fd);
        return error;
    }
    int error = 0;
    while (!error && (errno = 0, (entry = readdir(list)) != NULL)) // NOLINT(concurrency-mt-unsafe)
    {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        int64_t number = number_of(name);
        bool is_ours = number != OTHER && is_file(folder, name);
        note(found, number, is_ours);
        if (act && is_ours)
            error = act(folder, name, number);
        errno = 0;
    }
    error = error ? error : errno;
    (void)closedir(list);
    return error;
}

bool thudi_h5_has_folder(int folder, const char *name)
{
    thudi_h5_listing found;
    int frames = strcmp(name, THUDI_H5_FOLDER) == 0 ? thudi_h5_folder(folder) : -1;
    bool is_ours = frames >= 0 && thudi_h5_list(frames, &found, NULL) == 0 && !found.has_others;
    if (frames >= 0)
        (void)close(frames);
    return is_ours;
}

static int remove_one(int folder, const char *name)
{
    return unlinkat(folder, name, 0) != 0 && errno != ENOENT ? errno : 0;
}

static int remove_any(int folder, const char *name, int64_t number)
{
    (void)number;
    return remove_one(folder, name);
}

// All but the frames.
static int remove_other(int folder, const char *name, int64_t number)
{
    return number < 0 ? remove_one(folder, name) : 0;
}

int thudi_h5_remove_frames(int folder, int64_t from, int64_t to)
{
    char name[32];
    int error = 0;
    for (int64_t i = to - 1; !error && i >= from; i--)
    {
        thudi_h5_frame_name(name, i);
        error = remove_one(folder, name);
    }
    return error;
}

int thudi_h5_remove_folder(int folder)
{
    thudi_h5_listing found;
    int frames = thudi_h5_folder(folder);
    if (frames < 0)
        return errno == ENOENT ? 0 : errno;
    int error = thudi_h5_list(frames, &found, remove_other);
    if (!error && thudi_h5_is_far(&found, found.frames))
        error = thudi_h5_list(frames, &found, remove_any);
    else if (!error)
        error = thudi_h5_remove_frames(frames, 0, found.frames);
    (void)close(frames);
    if (!error && unlinkat(folder, THUDI_H5_FOLDER, AT_REMOVEDIR) != 0 && errno != ENOENT)
        error = errno;
    return error;
}
