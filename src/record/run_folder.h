// The folder of a run: made, inspected and locked.
#ifndef THUDI_RUN_FOLDER_H
#define THUDI_RUN_FOLDER_H

#include "thud/text.h"

typedef struct thudi_run_folder
{
    const char *path; // borrowed
    int fd, lock;     // -1 when closed
    bool made;        // the folder did not exist before
} thudi_run_folder;

#define THUDI_RUN_FOLDER_CLOSED ((thudi_run_folder){.fd = -1, .lock = -1})

// Make the folder at `path` unless it exists, and lock it. It may hold a run only if `replace` is
// set, and never other files.
thud_status thudi_run_folder_open(thudi_run_folder *folder, const char *path, bool replace,
                                  thud_fault *fault);

// Open and lock the folder of an existing run.
thud_status thudi_run_folder_reopen(thudi_run_folder *folder, const char *path, thud_fault *fault);

// Remove the files of the old run, except the log: the new log will replace it.
thud_status thudi_run_folder_clear(const thudi_run_folder *folder, thud_fault *fault);

// Is this the name of a file that is written as a whole?
bool thudi_run_folder_has_file(const char *name);

// Is this the name of an input, a file that says what was run?
bool thudi_run_folder_is_input(const char *name);

// Open a file of the run. It must be a regular file and not a link. To be written (flags O_RDWR) it
// must also have no second name (a hard link). Otherwise, and if it is missing, this fails with
// THUD_ERR_RECORD. `path` is the folder's, for messages.
thud_status thudi_run_file_open(int folder, const char *path, const char *name, int flags, int *fd,
                                thud_fault *fault);

// Check that none of the files that readers open is a link, checkpoints excepted.
thud_status thudi_run_folder_check(int folder, const char *path, thud_fault *fault);

// Unlock and close. With `undo`, remove the folder if this run made it and it is empty.
void thudi_run_folder_close(thudi_run_folder *folder, bool undo);

#endif
