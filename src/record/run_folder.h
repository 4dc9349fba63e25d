// The folder of a run: made, looked through and locked.
#ifndef THUDI_RUN_FOLDER_H
#define THUDI_RUN_FOLDER_H

#include "thud/text.h"

typedef struct thudi_run_folder
{
    const char *path; // borrowed
    int fd, lock;     // -1 when closed
    bool made;        // it was not there before
} thudi_run_folder;

#define THUDI_RUN_FOLDER_CLOSED ((thudi_run_folder){.fd = -1, .lock = -1})

// Make the folder at `path` unless it is there, see that nothing but a run is in it (no file at all
// unless `replace`), and lock it.
thud_status thudi_run_folder_open(thudi_run_folder *folder, const char *path, bool replace,
                                  thud_fault *fault);

// Open and lock the folder of a run that is there.
thud_status thudi_run_folder_reopen(thudi_run_folder *folder, const char *path, thud_fault *fault);

// Remove the files of the run that was there, but for the log: the new one will replace it.
thud_status thudi_run_folder_clear(const thudi_run_folder *folder, thud_fault *fault);

// Is this the name of a file that is written as a whole?
bool thudi_run_folder_has_file(const char *name);

// And one that says what was run?
bool thudi_run_folder_is_input(const char *name);

// Open a file of the run: the one way in. It must be a regular file, not a link; to be written
// (flags O_RDWR) it must have no second name, a hard link, either. THUD_ERR_RECORD otherwise, and
// when there is none. `path` is the folder's, for messages.
thud_status thudi_run_file_open(int folder, const char *path, const char *name, int flags, int *fd,
                                thud_fault *fault);

// Is each file in the folder that readers look at, but for checkpoints, a file and not a link?
thud_status thudi_run_folder_check(int folder, const char *path, thud_fault *fault);

// Unlock and close; with `undo` a folder that was made is removed if it is empty.
void thudi_run_folder_close(thudi_run_folder *folder, bool undo);

#endif
