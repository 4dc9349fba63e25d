// The header of a log or a checkpoint, and the messages about files of another version.
#include "record/file_header.h"

#include "record/log_format.h"
#include "thud/key.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

static const char HASH[THUDI_FILE_HASH] = THUDI_STATE_HASH;
static const char NEWER[] = "use the version of Thud that wrote it, or a newer one";

thudi_file_header thudi_header_make(const thudi_file_kind *kind, int dim, int64_t first,
                                    uint32_t keys)
{
    thudi_file_header header = {.version = kind->version,
                                .order = THUDI_FILE_ORDER,
                                .dim = (uint64_t)dim,
                                .first = first,
                                .keys = keys};
    memcpy(header.magic, kind->magic, sizeof header.magic);
    memcpy(header.hash, HASH, sizeof header.hash);
    thudi_header_seal(&header);
    return header;
}

static thud_status damaged(thud_fault *fault, thudi_at at, size_t offset, const char *what)
{
    return thudi_fail(fault, THUD_ERR_RECORD, at, "", "damaged at byte %zu: %s", offset, what);
}

static thud_status check_version(const thudi_file_header *header, const thudi_file_kind *kind,
                                 thudi_at at, thud_fault *fault)
{
    if (header->version == kind->version)
        return THUD_OK;
    return thudi_fail(fault, THUD_ERR_RECORD, at,
                      header->version < kind->version
                          ? "run its scene again, or use the version of Thud that wrote it"
                          : NEWER,
                      "the %s has version %" PRIu32 " of the format, this Thud reads %" PRIu32,
                      kind->what, header->version, kind->version);
}

// Check the numbers of a header whose sum and version are right.
static thud_status check_numbers(const thudi_file_header *header, const thudi_file_kind *kind,
                                 thudi_at at, thud_fault *fault)
{
    if (header->zero[0] != 0 || header->zero[1] != 0)
        return damaged(fault, at, 0, "the header has bytes that must be 0");
    if (header->dim < 1 || header->dim > INT_MAX)
        return damaged(fault, at, 0, "the number of coordinates is impossible");
    if (header->first < 0 || header->first > THUDI_NODE_MOST)
        return damaged(fault, at, 0, "the first node is impossible");
    if (header->keys > THUD_KEYS_NUMBERED)
        return damaged(fault, at, 0, "the kind of keys is impossible");
    if (!thudi_is_word(header->hash, sizeof header->hash))
        return damaged(fault, at, 0, "the kind of hashes is impossible");
    if (memcmp(header->hash, HASH, sizeof HASH) != 0)
        return thudi_fail(fault, THUD_ERR_RECORD, at, NEWER,
                          "the %s has hashes of the kind '%s', this Thud knows '%s'", kind->what,
                          header->hash, HASH);
    return THUD_OK;
}

thud_status thudi_header_check(const thudi_file_header *header, const thudi_file_kind *kind,
                               thudi_at at, thud_fault *fault)
{
    if (memcmp(header->magic, kind->magic, sizeof header->magic) != 0)
        return thudi_fail(fault, THUD_ERR_RECORD, at, "", "the file is not a %s", kind->what);
    if (header->order != THUDI_FILE_ORDER)
        return damaged(fault, at, offsetof(thudi_file_header, order), "wrong byte order");
    if (!thudi_header_is_sound(header))
        return damaged(fault, at, 0, "the header does not match its checksum");
    THUD_TRY(check_version(header, kind, at, fault));
    return check_numbers(header, kind, at, fault);
}

thud_status thudi_block_names_check(const thudi_block_names *names, const thudi_file_kind *kind,
                                    bool (*knows)(const char *text), thudi_at at, thud_fault *fault)
{
    for (size_t i = 0; i < names->count; i++)
    {
        const thudi_block_name *name = &names->list.items[i];
        if (name->is_needed && !knows(name->text))
            return thudi_fail(fault, THUD_ERR_RECORD, at, NEWER,
                              "the %s has blocks '%s', which this Thud does not know and must not "
                              "leave out",
                              kind->what, name->text);
    }
    return THUD_OK;
}
