// The few things that an exporter asks of an HDF5 file. The first error stays, and silences
// whatever follows.
#ifndef THUDI_HDF5_FILE_H
#define THUDI_HDF5_FILE_H

#include <hdf5.h>
#include <stdbool.h>

typedef struct thudi_hdf5_file
{
    hid_t id;  // negative when closed
    int fd;    // -1 when closed
    int error; // errno's, or EIO where there is none
    hid_t driver;
    // what HDF5 did with errors before
    H5E_auto2_t report;
    void *report_user;
} thudi_hdf5_file;

// Create the file in the folder; it must not exist. HDF5 keeps silent until it is closed. The
// object must stay where it is.
void thudi_hdf5_create(thudi_hdf5_file *file, int folder, const char *name);
// Close it with all that is open in it.
void thudi_hdf5_close(thudi_hdf5_file *file);

// A group by its path; those above it exist.
hid_t thudi_hdf5_group(thudi_hdf5_file *file, const char *name);
// An array that exists, by its path.
hid_t thudi_hdf5_find(thudi_hdf5_file *file, const char *name);
// An array; with `grows` its first dimension is 0 now and may become anything.
hid_t thudi_hdf5_array(thudi_hdf5_file *file, hid_t parent, const char *name, hid_t type, int rank,
                       const hsize_t *dims, bool grows);

// Write all of an array, or what it holds at one index of its first dimension.
void thudi_hdf5_fill(thudi_hdf5_file *file, hid_t array, hid_t type, const void *data);
void thudi_hdf5_row(thudi_hdf5_file *file, hid_t array, hid_t type, hsize_t index,
                    const void *data);

// Items to append to an array that grows: `columns` numbers from `first` on of every `stride`.
typedef struct thudi_hdf5_items
{
    hid_t type;
    hsize_t count, columns, first, stride;
    const void *data;
} thudi_hdf5_items;
void thudi_hdf5_append(thudi_hdf5_file *file, hid_t array, hsize_t at,
                       const thudi_hdf5_items *items);

// An array of texts, or one text (rank 0), by its path.
void thudi_hdf5_texts(thudi_hdf5_file *file, const char *name, int rank, hsize_t count,
                      const char *const *texts);

// Attributes.
void thudi_hdf5_label(thudi_hdf5_file *file, hid_t object, const char *name, const char *text);
void thudi_hdf5_number(thudi_hdf5_file *file, hid_t object, const char *name, double value);
void thudi_hdf5_names(thudi_hdf5_file *file, hid_t object, const char *name,
                      const char *const *names, hsize_t count);

#endif
