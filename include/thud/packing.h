/// The folder of a jammed packing: written, read back, and verified by code that shares nothing
/// with what made it.
#ifndef THUD_PACKING_H
#define THUD_PACKING_H

#include "thud/jamming.h"
#include "thud/json.h"
#include "thud/text.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Does the folder hold a jammed packing, and no run?
THUD_API bool thud_packing_is_there(const char *folder);

/// Write packing.csv, network.csv, jam.json and scene.yaml into a folder that is there.
/// THUD_ERR_IO, THUD_ERR_MEMORY, with a fault.
THUD_API thud_status thud_packing_write(const char *folder, const thud_jam_view *jam, uint64_t seed,
                                        thud_fault *fault);
/// What jam.json holds.
THUD_API void thud_packing_json(const thud_jam_view *jam, uint64_t seed, thud_json *json);

/// The tables of a folder, read back.
typedef struct thud_packing_files
{
    thud_packing packing; ///< views of what follows
    double *q;
    bool *is_held; ///< as the file says
    thud_jam_contact *contacts;
} thud_packing_files;

/// Read both tables: nothing but what thud_packing_write writes is accepted. THUD_ERR_IO,
/// THUD_ERR_MEMORY, or THUD_ERR_RECORD with file and line. Free them in any case.
THUD_API thud_status thud_packing_read(const char *folder, thud_packing_files *files,
                                       thud_fault *fault);
THUD_API void thud_packing_free(thud_packing_files *files);

/// A packing verified from its files.
typedef struct thud_packing_found
{
    int count, contacts;
    double diameter;
    thud_packing_verdict own; ///< as found again
    bool has_json;
    thud_fault damage;  ///< files that do not agree; text is "" for none
    thud_fault failure; ///< the packing is not jammed, or overlaps; text is "" for none
} thud_packing_found;

/// Work out distances, forces and the bound on growth again. An error means that no verdict could
/// be reached.
THUD_API thud_status thud_packing_files_verify(const char *folder, thud_packing_found *found,
                                               thud_fault *fault);
/// Write the verdict for people, and for programs.
THUD_API void thud_packing_found_write(const thud_packing_found *found, thud_writer *writer);
THUD_API void thud_packing_found_json(const thud_packing_found *found, thud_json *json);

#ifdef __cplusplus
}
#endif

#endif
