// What the exporters share: the frame at hand, the folder, and the table of formats.
#ifndef THUDI_EXPORTER_H
#define THUDI_EXPORTER_H

#include "core/stream.h"
#include "thud/export.h"

// A frame as it is shown: the end of its step.
typedef struct thudi_shot
{
    int64_t frame; // in the log
    double t;
    double h; // 0 for the start
    // the coordinates, as they are
    const double *q, *u;
    const thud_multiplier *multipliers; // of the step
    int multiplier_count;
    // spheres, always in three dimensions
    int count;
    const int64_t *id;
    const int64_t *material;           // index, -1 for none
    const double *position, *velocity; // 3 each
    const double *seen;                // 3 each: positions in the cell, where axes are periodic
    const double *radius, *mass, *energy, *speed;
    // sum of the contact forces on a body by its surface, in two dimensions by its circumference
    const double *pressure;
    // their contacts
    int touch_count;
    const int64_t *a, *b;  // b = -1 - wall for a wall
    const double *ends;    // 6 each: from, to
    const double *normal;  // 3 each
    const double *impulse; // mu
    const double *force;   // mu / h, in first order mu
} thudi_shot;

typedef struct thudi_shooter
{
    thudi_shot shot;
    THUDI_ARRAY(double) numbers; // of the bodies and coordinates
    THUDI_ARRAY(int64_t) ids;    // of the bodies: numbers, materials
    THUDI_ARRAY(double) loads;   // of the contacts
    THUDI_ARRAY(int64_t) pairs;  // of the contacts
    THUDI_ARRAY(thud_touch) touch;
} thudi_shooter;

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
    const thudi_shot *shot;
    thudi_stream bodies, contacts; // files over all frames
    thudi_hdf5 *hdf5;
    thudi_vtp *vtp;
} thudi_export;

// A format. Begin has been called before end; abandon follows, whatever happened.
typedef struct thudi_format
{
    bool inclusions; // can hold them
    thud_status (*begin)(thudi_export *export);
    thud_status (*frame)(thudi_export *export);
    thud_status (*end)(thudi_export *export);
    void (*abandon)(thudi_export *export);
} thudi_format;

extern const thudi_format thudi_format_vtp, thudi_format_xyz, thudi_format_csv, thudi_format_hdf5;

// Make the frame at hand of frame i of the log. Bodies stay the same over the frames of a log.
thud_status thudi_shooter_aim(thudi_shooter *shooter, const thudi_export *export, int64_t i);
void thudi_shooter_free(thudi_shooter *shooter, const thud_allocator *allocator);

// Open and finish a file of the folder, or say why not.
thud_status thudi_export_open(thudi_export *export, thudi_stream *stream, const char *name);
thud_status thudi_export_check(thudi_export *export, thudi_stream *stream); // no error so far?
thud_status thudi_export_finish(thudi_export *export, thudi_stream *stream);
// Close the files over all frames; those that were not finished are removed.
void thudi_export_abandon(thudi_export *export);

#endif
