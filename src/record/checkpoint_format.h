// What a checkpoint is made of, as in docs/formats.md: a header, a record of names, and one record
// with a block for every field.
#ifndef THUDI_CHECKPOINT_FORMAT_H
#define THUDI_CHECKPOINT_FORMAT_H

#include "record/file_header.h"
#include "thud/checkpoint.h"

#define THUDI_CHECKPOINT_NAME "checkpoint.thud"
#define THUDI_CHECKPOINT_PREV "checkpoint.prev.thud"
#define THUDI_CHECKPOINT_MAGIC "thudchk\n"

enum
{
    THUDI_CHECKPOINT_VERSION = 3,
    THUDI_CHECKPOINT_RECORD = 0x504b4843 // "CHKP"
};

extern const thudi_file_kind thudi_checkpoint_kind;

// The header at the start of the file.
thudi_file_header thudi_checkpoint_header(const thud_checkpoint *checkpoint);

// The name of the first field whose block is missing or differs in a bit; NULL if all are equal.
const char *thudi_checkpoint_difference(const thud_checkpoint *checkpoint, const thud_field *fields,
                                        int count);

#endif
