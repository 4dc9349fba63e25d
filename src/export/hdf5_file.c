// The few things that an exporter asks of an HDF5 file, with plugins off, no times stored, and
// errors kept.
#include "export/hdf5_file.h"

#include "export/hdf5_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum
{
    MOST_RANK = 4,
    CHUNK_ITEMS = 4096 // of an array that grows
};

// Take note of a result that is negative. HDF5 leaves errno as the failed call has set it.
static bool good(thudi_hdf5_file *file, hid_t result)
{
    if (result >= 0)
        return true;
    if (!file->error)
        file->error = errno ? errno : EIO;
    return false;
}

// Begin the file behind the descriptor.
static void begin(thudi_hdf5_file *file, const char *name)
{
    // filters that a file asks for are never loaded from disk
    if (!good(file, H5open()) || !good(file, H5PLset_loading_state(0)) ||
        !good(file, H5Eget_auto2(H5E_DEFAULT, &file->report, &file->report_user)) ||
        !good(file, H5Eset_auto2(H5E_DEFAULT, NULL, NULL)))
        return;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (good(file, access) && good(file, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG)))
    {
        thudi_hdf5_target target = {file->fd, &file->error};
        file->driver = thudi_hdf5_driver_choose(access, &target);
        if (good(file, file->driver))
            file->id = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        (void)good(file, file->id);
    }
    if (access >= 0)
        (void)H5Pclose(access);
}

void thudi_hdf5_create(thudi_hdf5_file *file, int folder, const char *name)
{
    *file = (thudi_hdf5_file){.id = H5I_INVALID_HID, .driver = H5I_INVALID_HID};
    errno = 0;
    file->fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->fd < 0)
        file->error = errno;
    else
        begin(file, name);
}

void thudi_hdf5_close(thudi_hdf5_file *file)
{
    if (file->fd < 0)
        return;
    errno = 0;
    if (file->id >= 0)
        (void)good(file, H5Fclose(file->id));
    if (file->driver >= 0)
        (void)H5FDunregister(file->driver);
    if (file->report)
        (void)H5Eset_auto2(H5E_DEFAULT, file->report, file->report_user);
    if (close(file->fd) != 0 && errno != EINTR && !file->error)
        file->error = errno;
    file->id = file->driver = H5I_INVALID_HID;
    file->fd = -1;
}

hid_t thudi_hdf5_group(thudi_hdf5_file *file, const char *name)
{
    if (file->error)
        return H5I_INVALID_HID;
    errno = 0;
    hid_t group = H5Gcreate2(file->id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    (void)good(file, group);
    return group;
}

hid_t thudi_hdf5_find(thudi_hdf5_file *file, const char *name)
{
    if (file->error)
        return H5I_INVALID_HID;
    errno = 0;
    hid_t array = H5Dopen2(file->id, name, H5P_DEFAULT);
    (void)good(file, array);
    return array;
}

// How an array is stored: without the time, so that equal contents are equal bytes.
static hid_t storage_of(thudi_hdf5_file *file, int rank, const hsize_t *dims, bool grows)
{
    hsize_t chunk[MOST_RANK] = {CHUNK_ITEMS};
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    for (int k = 1; k < rank; k++)
        chunk[k] = dims[k];
    if (good(file, storage) && good(file, H5Pset_obj_track_times(storage, false)) && grows)
        (void)good(file, H5Pset_chunk(storage, rank, chunk));
    return storage;
}

hid_t thudi_hdf5_array(thudi_hdf5_file *file, hid_t parent, const char *name, hid_t type, int rank,
                       const hsize_t *dims, bool grows)
{
    hsize_t most[MOST_RANK];
    hid_t array = H5I_INVALID_HID;
    if (file->error)
        return array;
    errno = 0;
    memcpy(most, dims, (size_t)rank * sizeof *dims);
    if (grows)
        most[0] = H5S_UNLIMITED;
    hid_t storage = storage_of(file, rank, dims, grows);
    hid_t space = H5Screate_simple(rank, dims, most);
    if (good(file, space) && !file->error)
    {
        array = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, storage, H5P_DEFAULT);
        (void)good(file, array);
    }
    if (space >= 0)
        (void)H5Sclose(space);
    if (storage >= 0)
        (void)H5Pclose(storage);
    return array;
}

void thudi_hdf5_fill(thudi_hdf5_file *file, hid_t array, hid_t type, const void *data)
{
    errno = 0;
    if (!file->error)
        (void)good(file, H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

// Write `data`, as the space `memory` says, to a block of the array; consumes `memory`.
static void write_block(thudi_hdf5_file *file, hid_t array, hid_t type, const hsize_t *start,
                        const hsize_t *count, hid_t memory, const void *data)
{
    hid_t space = H5Dget_space(array);
    if (good(file, space) && good(file, memory) &&
        good(file, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL)))
        (void)good(file, H5Dwrite(array, type, memory, space, H5P_DEFAULT, data));
    if (memory >= 0)
        (void)H5Sclose(memory);
    if (space >= 0)
        (void)H5Sclose(space);
}

void thudi_hdf5_row(thudi_hdf5_file *file, hid_t array, hid_t type, hsize_t index, const void *data)
{
    hsize_t start[MOST_RANK] = {index}, count[MOST_RANK] = {1}, total = 1;
    if (file->error)
        return;
    errno = 0;
    hid_t space = H5Dget_space(array);
    int rank = space >= 0 ? H5Sget_simple_extent_dims(space, count, NULL) : -1;
    if (space >= 0)
        (void)H5Sclose(space);
    if (!good(file, rank))
        return;
    count[0] = 1;
    for (int k = 1; k < rank; k++)
        total *= count[k];
    if (total > 0)
        write_block(file, array, type, start, count, H5Screate_simple(1, &total, NULL), data);
}

void thudi_hdf5_append(thudi_hdf5_file *file, hid_t array, hsize_t at,
                       const thudi_hdf5_items *items)
{
    if (file->error || items->count == 0)
        return;
    errno = 0;
    hsize_t start[2] = {at, 0}, count[2] = {items->count, items->columns};
    hsize_t size[2] = {at + items->count, items->columns};
    hsize_t room[2] = {items->count, items->stride}, first[2] = {0, items->first};
    hid_t memory = H5Screate_simple(2, room, NULL);
    if (good(file, memory) &&
        good(file, H5Sselect_hyperslab(memory, H5S_SELECT_SET, first, NULL, count, NULL)) &&
        good(file, H5Dset_extent(array, size)))
        write_block(file, array, items->type, start, count, memory, items->data);
    else if (memory >= 0)
        (void)H5Sclose(memory);
}

static void write_attribute(thudi_hdf5_file *file, hid_t object, const char *name, hid_t type,
                            hid_t space, const void *data)
{
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (good(file, attribute))
    {
        (void)good(file, H5Awrite(attribute, type, data));
        (void)H5Aclose(attribute);
    }
}

// The type of text in UTF-8 of any length: in memory a pointer.
static hid_t text_type(thudi_hdf5_file *file)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (good(file, type) && good(file, H5Tset_size(type, H5T_VARIABLE)))
        (void)good(file, H5Tset_cset(type, H5T_CSET_UTF8));
    return type;
}

void thudi_hdf5_texts(thudi_hdf5_file *file, const char *name, int rank, hsize_t count,
                      const char *const *texts)
{
    if (file->error)
        return;
    errno = 0;
    hid_t type = text_type(file);
    hid_t array = thudi_hdf5_array(file, file->id, name, type, rank, &count, false);
    if (count > 0)
        thudi_hdf5_fill(file, array, type, texts);
    if (type >= 0)
        (void)H5Tclose(type);
}

void thudi_hdf5_label(thudi_hdf5_file *file, hid_t object, const char *name, const char *text)
{
    if (file->error)
        return;
    errno = 0;
    hid_t type = text_type(file), space = H5Screate(H5S_SCALAR);
    if (!file->error && good(file, space))
        write_attribute(file, object, name, type, space, &text);
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
}

void thudi_hdf5_number(thudi_hdf5_file *file, hid_t object, const char *name, double value)
{
    if (file->error)
        return;
    errno = 0;
    hid_t space = H5Screate(H5S_SCALAR);
    if (good(file, space))
        write_attribute(file, object, name, H5T_NATIVE_DOUBLE, space, &value);
    if (space >= 0)
        (void)H5Sclose(space);
}

void thudi_hdf5_names(thudi_hdf5_file *file, hid_t object, const char *name,
                      const char *const *names, hsize_t count)
{
    if (file->error || count == 0)
        return;
    errno = 0;
    hid_t type = text_type(file), space = H5Screate_simple(1, &count, NULL);
    if (!file->error && good(file, space))
        write_attribute(file, object, name, type, space, names);
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
}
