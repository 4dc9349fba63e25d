// The header of a log or a checkpoint, made and looked at.
#ifndef THUDI_FILE_HEADER_H
#define THUDI_FILE_HEADER_H

#include "core/fault.h"
#include "record/blocks.h"

// What a file is to be.
typedef struct thudi_file_kind
{
    const char *what; // "log"
    const char *magic;
    uint32_t version;
} thudi_file_kind;

// A header with its sum.
thudi_file_header thudi_header_make(const thudi_file_kind *kind, int dim, int64_t first,
                                    uint32_t keys);

// See that a file of this kind begins so. THUD_ERR_RECORD: *fault says what is wrong.
thud_status thudi_header_check(const thudi_file_header *header, const thudi_file_kind *kind,
                               thudi_at at, thud_fault *fault);

// See that no name is needed which `knows` does not know. THUD_ERR_RECORD.
thud_status thudi_block_names_check(const thudi_block_names *names, const thudi_file_kind *kind,
                                    bool (*knows)(const char *text), thudi_at at,
                                    thud_fault *fault);

#endif
