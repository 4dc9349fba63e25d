/// Runs in the formats of other programs. (library thud_show)
#ifndef THUD_EXPORT_H
#define THUD_EXPORT_H

#include "thud/model.h"
#include "thud/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Every format: X(NAME, name, about). `thud export --format` takes the name.
#define THUD_EXPORT_LIST(X)                                                                        \
    X(VTP, "vtp", "ParaView: VTP files of bodies, contacts and walls, and a PVD for each kind")    \
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
    const char *folder; ///< created if absent; files in it that have the same names are replaced
    const thud_scene *scene;
    const thud_model *model; ///< built from `scene`
    thud_log *log;           ///< of a run of `scene`
    /// The run directory. HDF5 files also hold its series.csv and scene.yaml. NULL: without these.
    const char *run;
    int64_t first, last, stride; ///< frames first, first + stride, ... <= last; stride 0 means 1
    /// Called after each frame: `done` of `total` frames are written. NULL: not called.
    void (*progress)(int64_t done, int64_t total, void *user);
    void *user;                      ///< handed to progress
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_export_def;

/// Write the frames. A frame shows the end of its step, at time t_n+1: positions q_n+1, velocities
/// u_n+1 and the contact forces of the step. A contact force is mu / h, or mu in first order. The
/// frame of the start has no contacts. A file under its final name is complete. HDF5 is not safe
/// for threads: write one HDF5 file at a time.
///
/// THUD_ERR_IO, THUD_ERR_RECORD, THUD_ERR_MEMORY or THUD_ERR_ARGUMENT, with a fault.
/// THUD_ERR_ARGUMENT has these causes:
/// - there are no such frames;
/// - log and model have different numbers of coordinates;
/// - the format cannot hold the scene, or Thud was built without HDF5;
/// - the folder is a run directory.
THUD_API thud_status thud_export(const thud_export_def *def, thud_fault *fault);

/// Recompute the steps of these frames, and write the projection of each as a contact problem of
/// FCLIB: see thud/instance.h. Step n, which ends at node n, becomes step-NNNNNN.hdf5, with n in at
/// least six digits. `format` and `run` of def are ignored. Errors are as for thud_export, with two
/// more causes. THUD_ERR_RECORD: a recomputed step differs from the recorded one.
/// THUD_ERR_ARGUMENT: no frame has a step.
THUD_API thud_status thud_export_steps(const thud_export_def *def, thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
