/// A run of the tests of checkpoints: a few numbers that follow from the number of the step, and
/// the files that it leaves.
#ifndef CHECKPOINT_RIG_H
#define CHECKPOINT_RIG_H

#include "thud/record.h"

enum
{
    CHECKPOINT_PATH = 256,
    CHECKPOINT_STEPS = 6
};

void checkpoint_folder_make(char folder[CHECKPOINT_PATH]);
void checkpoint_folder_remove(const char *folder);

/// Begin a run, take step n, which is checkpointed, or a number of them at once.
thud_status checkpoint_begin(const char *folder, thud_record **record, thud_fault *fault);
thud_status checkpoint_step(thud_record *record, int64_t n);
bool checkpoint_write_run(const char *folder, int steps);

/// Go on from the newest checkpoint, which must be that of step *n as it was.
thud_status checkpoint_resume(const char *folder, const thud_allocator *allocator, int64_t *n,
                              thud_record **record, thud_fault *fault);

/// A file of the run, to be freed; to be written over.
unsigned char *checkpoint_read_bytes(const char *folder, const char *name, size_t *length);
void checkpoint_write_bytes(const char *folder, const char *name, const void *bytes, size_t length);

#endif
