// What the exporters share: the present frame, the folder, and the table of formats.
#ifndef THUDI_EXPORTER_H
#define THUDI_EXPORTER_H

#include "core/stream.h"
#include "thud/export.h"
#include "thud/snapshot.h"

typedef struct thudi_hdf5 thudi_hdf5;
typedef struct thudi_vtp thudi_vtp;

// An export under way.
typedef struct thudi_export
{
    const thud_export_def *def;
    thud_allocator allocator;
    thud_fault *fault;
    int folder;    // descriptor
    int64_t total; // frames to write,
    int64_t done;  // and written
    thud_snapshot_reader *reader;
    thud_snapshot snapshot;        // of the present frame
    thudi_stream bodies, contacts; // files over all frames
    thudi_hdf5 *hdf5;
    thudi_vtp *vtp;
} thudi_export;

// A format. Begin has been called before end; abandon follows, whatever happened.
typedef struct thudi_format
{
    bool inclusions;    // can hold them
    const char *absent; // what this build lacks for it; NULL: nothing
    thud_status (*begin)(thudi_export *export);
    thud_status (*frame)(thudi_export *export);
    thud_status (*end)(thudi_export *export);
    void (*abandon)(thudi_export *export);
} thudi_format;

extern const thudi_format thudi_format_vtp, thudi_format_xyz, thudi_format_csv, thudi_format_hdf5;

// A reader of the frames that are exported.
thud_status thudi_export_reader(const thudi_export *export, thud_snapshot_reader **reader);

// Open and finish a file of the folder, or say why not.
thud_status thudi_export_open(thudi_export *export, thudi_stream *stream, const char *name);
thud_status thudi_export_check(thudi_export *export, thudi_stream *stream); // no error so far?
thud_status thudi_export_finish(thudi_export *export, thudi_stream *stream);
// Close the files over all frames; those that were not finished are removed.
void thudi_export_abandon(thudi_export *export);

#endif
