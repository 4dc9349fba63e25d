// Files that a scene names: read whole, within limits, and never from outside of its folder.
#ifndef THUDI_SCENE_FILES_H
#define THUDI_SCENE_FILES_H

#include "core/memory.h"
#include "thud/text.h"

typedef struct thudi_file
{
    char *text; // length bytes
    size_t length;
    uint64_t device, number; // together they identify the file
    bool is_missing;         // reading failed because the file does not exist
} thudi_file;

// A folder to open files below, or -1 with a reason.
int thudi_folder_open(const char *path, const char **reason);
int thudi_folder_below(int folder, const char *path, const char **reason);
void thudi_folder_close(int folder);

// Open a path below a folder, for systems without openat2. It follows no link. Returns -1, with
// errno EXDEV for links and "..".
int thudi_walk_below(int folder, const char *path, int flags);

// Read a file. With `folder` -1 any path is allowed; else path must lead to a file below the
// folder. With `no_links` neither the file nor a part of its path below the folder may be a link.
// limit: the most bytes that the file may have.
// On failure *reason is the text that follows the file's name in a message: "does not exist".
// THUD_ERR_SCENE for a path that leads out, THUD_ERR_IO, THUD_ERR_LIMIT, THUD_ERR_MEMORY.
thud_status thudi_file_read(int folder, const char *path, bool no_links, int limit,
                            const thud_allocator *allocator, thudi_file *file, const char **reason);
void thudi_file_free(const thud_allocator *allocator, thudi_file *file);

// Note in a fault (NULL: none is wanted) whether its file is missing; returns the status.
thud_status thudi_fail_file(const thudi_file *file, thud_fault *fault, thud_status status);

#endif
