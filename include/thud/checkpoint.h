/// Checkpoints: the persistent fields of a run (see thud/fields.h) in a file. Checksums cover every
/// bit of it. thud/record.h writes checkpoints; the functions here read them. (library thud_run)
#ifndef THUD_CHECKPOINT_H
#define THUD_CHECKPOINT_H

#include "thud/fields.h"
#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_checkpoint thud_checkpoint; ///< the sections of a checkpoint, in memory

/// Read a checkpoint from bytes, which are copied. THUD_ERR_RECORD: they are damaged or not a
/// checkpoint; fault->text says why. THUD_ERR_MEMORY. Free *out with thud_checkpoint_free.
THUD_API thud_status thud_checkpoint_parse(const void *bytes, size_t length,
                                           const thud_allocator *allocator, thud_checkpoint **out,
                                           thud_fault *fault);

/// Read a checkpoint of a run directory: the newest, or with `previous` the one before it.
/// THUD_ERR_IO: the folder or the file cannot be read. THUD_ERR_RECORD: the file is damaged or
/// absent. THUD_ERR_MEMORY. Free *out with thud_checkpoint_free.
THUD_API thud_status thud_checkpoint_read(const char *folder, bool previous,
                                          const thud_allocator *allocator, thud_checkpoint **out,
                                          thud_fault *fault);
THUD_API void thud_checkpoint_free(thud_checkpoint *checkpoint); ///< NULL is allowed

/// The number of items in the section `name`; -1 if there is no such section.
THUD_API int64_t thud_checkpoint_count(const thud_checkpoint *checkpoint, const char *name);

/// Copy sections into the fields that have the same names. THUD_ERR_RECORD: a section is missing,
/// or its type or count differs from its field's; then nothing is copied.
THUD_API thud_status thud_checkpoint_restore(const thud_checkpoint *checkpoint,
                                             const thud_field *fields, int count,
                                             thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
