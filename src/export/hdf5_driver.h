// A file driver for HDF5. It reads and writes a file descriptor, and hides every error from HDF5,
// because HDF5 crashes after a write that failed. The caller must look at *error instead.
#ifndef THUDI_HDF5_DRIVER_H
#define THUDI_HDF5_DRIVER_H

#include <hdf5.h>

// The data of the driver. HDF5 copies them into the list of file access properties.
typedef struct thudi_hdf5_target
{
    int fd;     // open for reading and writing; borrowed until the file is closed
    int *error; // the first error is written here, as an errno value; 0 for none
} thudi_hdf5_target;

// Register the driver, and set it in the list of file access properties `access`. Returns the
// driver's id, or a negative number on failure. The caller must unregister the id with
// H5FDunregister after the file is closed.
hid_t thudi_hdf5_driver_choose(hid_t access, const thudi_hdf5_target *target);

#endif
