/// Checkpoints: the persistent fields of a run in a file, checked to the last bit. (library
/// thud_run; thud/record.h writes them)
#ifndef THUD_CHECKPOINT_H
#define THUD_CHECKPOINT_H

#include "thud/fields.h"
#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_checkpoint thud_checkpoint; ///< the sections of a checkpoint, in memory

/// Take a checkpoint apart. THUD_ERR_RECORD when a byte is wrong, fault->text says where;
/// THUD_ERR_MEMORY. The bytes are copied.
THUD_API thud_status thud_checkpoint_parse(const void *bytes, size_t length,
                                           const thud_allocator *allocator, thud_checkpoint **out,
                                           thud_fault *fault);

/// Read the newest checkpoint of a run directory, or the one before it. THUD_ERR_IO,
/// THUD_ERR_RECORD when it is damaged or absent.
THUD_API thud_status thud_checkpoint_read(const char *folder, bool previous,
                                          const thud_allocator *allocator, thud_checkpoint **out,
                                          thud_fault *fault);
THUD_API void thud_checkpoint_free(thud_checkpoint *checkpoint); ///< NULL is allowed

/// How many items the section of that name has; -1 when there is none.
THUD_API int64_t thud_checkpoint_count(const thud_checkpoint *checkpoint, const char *name);

/// Copy sections into fields of the same names. THUD_ERR_RECORD, with nothing copied, when one is
/// missing or has another type or count.
THUD_API thud_status thud_checkpoint_restore(const thud_checkpoint *checkpoint,
                                             const thud_field *fields, int count,
                                             thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
