// A file driver for HDF5. HDF5 does not survive a write that fails: it crashes when the file is
// closed, or at exit. So the driver keeps the error and tells HDF5 that the write succeeded. The
// exporter looks for an error after every frame; if there is one, it stops and removes the file.
#include "export/hdf5_driver.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

typedef struct target_file
{
    H5FD_t base; // HDF5's own, must be first
    thudi_hdf5_target target;
    haddr_t eoa, eof; // ends of what is allocated and of what is written
} target_file;

static void note(target_file *file, int error)
{
    if (!*file->target.error)
        *file->target.error = error;
}

static H5FD_t *target_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name;
    (void)flags;
    (void)most;
    const thudi_hdf5_target *target = H5Pget_driver_info(access);
    target_file *file = target ? H5allocate_memory(sizeof *file, true) : NULL;
    if (file)
        file->target = *target;
    return (H5FD_t *)file;
}

static herr_t target_close(H5FD_t *file)
{
    return H5free_memory(file);
}

static int target_compare(const H5FD_t *a, const H5FD_t *b)
{
    return (a > b) - (a < b);
}

// What may be collected into larger reads and writes, as in HDF5's own drivers.
static herr_t target_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t target_eoa(const H5FD_t *file, H5FD_mem_t kind)
{
    (void)kind;
    return ((const target_file *)file)->eoa;
}

static herr_t target_set_eoa(H5FD_t *file, H5FD_mem_t kind, haddr_t address)
{
    (void)kind;
    ((target_file *)file)->eoa = address;
    return 0;
}

static haddr_t target_eof(const H5FD_t *file, H5FD_mem_t kind)
{
    (void)kind;
    return ((const target_file *)file)->eof;
}

// What was never written reads as 0.
static herr_t target_read(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t address,
                          size_t size, void *to)
{
    target_file *file = (target_file *)base;
    char *bytes = to;
    (void)kind;
    (void)transfer;
    memset(to, 0, size);
    while (size > 0)
    {
        ssize_t got = pread(file->target.fd, bytes, size, (off_t)address);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            note(file, errno);
        if (got <= 0)
            break;
        bytes += got;
        address += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static herr_t target_write(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t address,
                           size_t size, const void *from)
{
    target_file *file = (target_file *)base;
    const char *bytes = from;
    (void)kind;
    (void)transfer;
    if (address + size > file->eof)
        file->eof = address + size;
    while (size > 0 && !*file->target.error)
    {
        ssize_t written = pwrite(file->target.fd, bytes, size, (off_t)address);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
        {
            note(file, written < 0 ? errno : EIO);
            break;
        }
        bytes += written;
        address += (haddr_t)written;
        size -= (size_t)written;
    }
    return 0;
}

static herr_t target_truncate(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    target_file *file = (target_file *)base;
    (void)transfer;
    (void)closing;
    if (file->eof != file->eoa && ftruncate(file->target.fd, (off_t)file->eoa) != 0)
        note(file, errno);
    file->eof = file->eoa;
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, // of the range for unregistered drivers
#endif
    .name = "thud",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(thudi_hdf5_target),
    .open = target_open,
    .close = target_close,
    .cmp = target_compare,
    .query = target_query,
    .get_eoa = target_eoa,
    .set_eoa = target_set_eoa,
    .get_eof = target_eof,
    .read = target_read,
    .write = target_write,
    .truncate = target_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t thudi_hdf5_driver_choose(hid_t access, const thudi_hdf5_target *target)
{
    hid_t id = H5FDregister(&driver);
    if (id >= 0 && H5Pset_driver(access, id, target) < 0)
    {
        (void)H5FDunregister(id);
        return H5I_INVALID_HID;
    }
    return id;
}
