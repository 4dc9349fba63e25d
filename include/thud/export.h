/// Runs in the formats of other programs. (library thud_show)
#ifndef THUD_EXPORT_H
#define THUD_EXPORT_H

#include "thud/model.h"
#include "thud/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Every format: X(name, lower case name, what it is).
#define THUD_EXPORT_LIST(X)                                                                        \
    X(VTP, "vtp", "ParaView: bodies, contacts and walls as VTP by frame, and a PVD for each")      \
    X(XYZ, "xyz", "OVITO: extended XYZ, all frames in one file")                                   \
    X(CSV, "csv", "one line per body and frame; contacts in a second file")                        \
    X(HDF5, "hdf5", "one file: arrays over all frames, contacts, walls, the series, the scene")

typedef enum thud_export_format
{
#define THUD_EXPORT_ENUM(name, text, about) THUD_EXPORT_##name,
    THUD_EXPORT_LIST(THUD_EXPORT_ENUM)
#undef THUD_EXPORT_ENUM
        THUD_EXPORT_COUNT
} thud_export_format;

typedef struct thud_export_def
{
    thud_export_format format;
    const char *folder; ///< made if absent; files of the same names are replaced
    const thud_scene *scene;
    const thud_model *model; ///< made of that scene
    thud_log *log;
    /// The run directory: hdf5 takes its series.csv and scene.yaml from there. NULL: without them.
    const char *run;
    int64_t first, last, stride; ///< frames first, first + stride, ... <= last; stride 0 means 1
    /// Called after each frame with frames done and to do; NULL for none.
    void (*progress)(int64_t done, int64_t total, void *user);
    void *user;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_export_def;

/// Write the frames. A frame shows the end of its step: positions q_n+1, velocities u_n+1 and the
/// contact forces mu / h of the step, at time t_n+1; the start is shown as it is, without contacts.
/// What is under a final name is complete. THUD_ERR_IO, THUD_ERR_RECORD, THUD_ERR_MEMORY, or
/// THUD_ERR_ARGUMENT (no such frames, a log of another scene, a format that cannot hold it, a
/// folder that is a run directory) with a fault. HDF5 is not safe for threads: one export to it at
/// a time.
THUD_API thud_status thud_export(const thud_export_def *def, thud_fault *fault);

/// Write the projection of every step among the frames as a contact problem of FCLIB, see
/// thud/instance.h: step-NNNNNN.hdf5, numbered by the node that the step ends at. Each step is
/// taken again, and must come out as it was recorded, else THUD_ERR_RECORD. def->format is not
/// looked at; errors as for thud_export, THUD_ERR_ARGUMENT also if no frame has a step.
THUD_API thud_status thud_export_steps(const thud_export_def *def, thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
