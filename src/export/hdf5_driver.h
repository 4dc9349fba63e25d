// How HDF5 reaches its file: through a descriptor, and never meeting an error.
#ifndef THUDI_HDF5_DRIVER_H
#define THUDI_HDF5_DRIVER_H

#include <hdf5.h>

// What the driver is given by way of the properties of file access.
typedef struct thudi_hdf5_target
{
    int fd;     // open for reading and writing, borrowed
    int *error; // gets the first error, as errno's
} thudi_hdf5_target;

// Register the driver and choose it. Returns its id, to be unregistered with H5FDunregister once
// the file is closed; negative on failure.
hid_t thudi_hdf5_driver_choose(hid_t access, const thudi_hdf5_target *target);

#endif
