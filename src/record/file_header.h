// The header of a log or a checkpoint, made and checked.
#ifndef THUDI_FILE_HEADER_H
#define THUDI_FILE_HEADER_H

#include "core/fault.h"
#include "record/blocks.h"

// The kind of file that is expected.
typedef struct thudi_file_kind
{
    const char *what; // "log"
    const char *magic;
    uint32_t version;
} thudi_file_kind;

// A header with its sum.
thudi_file_header thudi_header_make(const thudi_file_kind *kind, int dim, int64_t first,
                                    uint32_t keys);

// Check that this header can begin a file of this kind. Fails with THUD_ERR_RECORD.
thud_status thudi_header_check(const thudi_file_header *header, const thudi_file_kind *kind,
                               thudi_at at, thud_fault *fault);

// Check that `knows` knows every name that is marked as needed. Fails with THUD_ERR_RECORD.
thud_status thudi_block_names_check(const thudi_block_names *names, const thudi_file_kind *kind,
                                    bool (*knows)(const char *text), thudi_at at,
                                    thud_fault *fault);

#endif
