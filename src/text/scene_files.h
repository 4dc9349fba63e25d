// Files that a scene names: read whole, within limits, and never from outside of its folder.
#ifndef THUDI_SCENE_FILES_H
#define THUDI_SCENE_FILES_H

#include "core/memory.h"
#include "thud/text.h"

typedef struct thudi_file
{
    char *text; // length bytes
    size_t length;
    uint64_t device, number; // the same for no other file
    bool is_missing;         // it could not be read because there is none
} thudi_file;

// A folder to open files below, or -1 with a reason.
int thudi_folder_open(const char *path, const char **reason);
int thudi_folder_below(int folder, const char *path, const char **reason);
void thudi_folder_close(int folder);

// Open a path below a folder by steps that follow no links at all, where the system has no openat2;
// -1 with errno EXDEV for links and "..".
int thudi_walk_below(int folder, const char *path, int flags);

// Read a file: `folder` -1 for any path, else path must lead to a file below it. With `no_links`
// the file must not be a link, nor a part of a path below the folder. On failure
// *reason is what to say after the file's name: "does not exist". THUD_ERR_SCENE for a path that
// leads out, THUD_ERR_IO, THUD_ERR_LIMIT, THUD_ERR_MEMORY.
thud_status thudi_file_read(int folder, const char *path, bool no_links,
                            const thud_allocator *allocator, thudi_file *file, const char **reason);
void thudi_file_free(const thud_allocator *allocator, thudi_file *file);

// Note in a fault, which may be NULL, that the file it is about is missing; returns the status.
thud_status thudi_file_failed(const thudi_file *file, thud_fault *fault, thud_status status);

#endif
