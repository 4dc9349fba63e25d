// Parts of an export to HDF5 that stand in files of their own.
#ifndef THUDI_EXPORT_HDF5_H
#define THUDI_EXPORT_HDF5_H

#include "export/exporter.h"
#include "export/hdf5_file.h"
#include "thud/surface.h"

enum
{
    THUDI_HDF5_WALL_ARRAYS = 4 // normals, offsets, origins, turns
};

// The groups /walls/planes and /walls/solids.
typedef struct thudi_hdf5_walls
{
    thud_surface *surfaces; // of the solids, each in its own frame
    hid_t arrays[THUDI_HDF5_WALL_ARRAYS];
    THUDI_ARRAY(double) room; // the triangles; then what a frame adds to each array
    THUDI_ARRAY(const char *) names;
    THUDI_ARRAY(int64_t) numbers;
} thudi_hdf5_walls;

// Zero-initialise; free in any case. Errors of the file stay with it.
thud_status thudi_hdf5_walls_begin(thudi_hdf5_walls *walls, const thudi_export *export,
                                   thudi_hdf5_file *file);
void thudi_hdf5_walls_frame(thudi_hdf5_walls *walls, const thudi_export *export,
                            thudi_hdf5_file *file);
void thudi_hdf5_walls_free(thudi_hdf5_walls *walls, const thudi_export *export);

// Give every array that holds a quantity, and exists by now, its attribute "unit".
void thudi_hdf5_units(const thudi_export *export, thudi_hdf5_file *file);

// Write what the run directory holds apart from frames: the group /series and the text /scene.
thud_status thudi_hdf5_run(const thudi_export *export, thudi_hdf5_file *file);

#endif
