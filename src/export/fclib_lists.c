// Lists of numbers and texts of an HDF5 file, nothing of them believed before it was looked at.
#include "core/fault.h"
#include "export/fclib_parts.h"

#include <math.h>
#include <stdio.h>

enum
{
    MOST_PACKED = 1032,   // most bytes that deflate makes of one
    MOST_NUMBER = 16,     // bytes of a number
    MOST_TEXT = 1 << 20,  // bytes of a text
    MOST_CHUNK = 64 << 20 // bytes of a chunk, which HDF5 reads as a whole
};

thud_status thudi_fclib_fail(const thudi_fclib_file *file, const char *format, const char *what)
{
    return thudi_fail(file->fault, THUD_ERR_SCENE, THUDI_IN(file->path, NULL), "", format, what);
}

bool thudi_fclib_can_hold(const thudi_fclib_file *file, int64_t count, size_t size)
{
    return count <= 0 || (double)count * (double)size <= MOST_PACKED * (double)file->bytes;
}

// Is there something of this path in the file? Every part of the path must exist, or HDF5 fails. A
// link to another file is nothing in this one.
bool thudi_fclib_has(const thudi_fclib_file *file, const char *path)
{
    char part[200];
    H5L_info_t link;
    for (size_t k = 1; path[k - 1] != '\0'; k++)
    {
        if (path[k] != '/' && path[k] != '\0')
            continue;
        (void)snprintf(part, sizeof part, "%.*s", (int)k, path);
        if (H5Lexists(file->id, part, H5P_DEFAULT) <= 0 ||
            H5Lget_info(file->id, part, &link, H5P_DEFAULT) < 0 ||
            (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT) ||
            H5Oexists_by_name(file->id, part, H5P_DEFAULT) <= 0)
            return false;
    }
    return true;
}

// Does reading the list take no more memory than its file explains, and no other file?
static bool is_modest(const thudi_fclib_file *file, hid_t list, size_t size)
{
    hsize_t chunk = 0;
    bool is_good = false;
    hid_t way = H5Dget_create_plist(list);
    H5D_layout_t layout = way >= 0 ? H5Pget_layout(way) : H5D_LAYOUT_ERROR;
    if (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS)
        is_good =
            H5Pget_external_count(way) == 0 && H5Dget_storage_size(list) <= (hsize_t)file->bytes;
    else if (layout == H5D_CHUNKED)
        is_good = H5Pget_chunk(way, 1, &chunk) == 1 && chunk > 0 && chunk <= MOST_CHUNK / size;
    if (way >= 0)
        (void)H5Pclose(way);
    return is_good;
}

// Open a list of numbers and count them: at most one dimension, whole numbers on demand.
static thud_status open_list(const thudi_fclib_file *file, const char *path, bool is_whole,
                             hid_t *list, size_t *count)
{
    *list = H5I_INVALID_HID;
    if (!thudi_fclib_has(file, path))
        return thudi_fclib_fail(file, "%s is missing", path);
    *list = H5Dopen2(file->id, path, H5P_DEFAULT);
    hid_t space = *list >= 0 ? H5Dget_space(*list) : H5I_INVALID_HID;
    hid_t type = *list >= 0 ? H5Dget_type(*list) : H5I_INVALID_HID;
    hssize_t size = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    size_t width = type >= 0 ? H5Tget_size(type) : 0;
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
    if (size < 0 || rank < 0 || rank > 1 || width < 1 || width > MOST_NUMBER ||
        (class != H5T_INTEGER && (is_whole || class != H5T_FLOAT)))
        return thudi_fclib_fail(file, "%s is not a list of numbers", path);
    if (size > THUD_INSTANCE_LIMIT)
    {
        return thudi_fail(file->fault, THUD_ERR_LIMIT, THUDI_IN(file->path, NULL), "",
                          "%s has more than %d numbers", path, THUD_INSTANCE_LIMIT);
    }
    if (!thudi_fclib_can_hold(file, size, width) || !is_modest(file, *list, width))
        return thudi_fclib_fail(file, "%s is larger than the file: it is damaged", path);
    *count = (size_t)size;
    return THUD_OK;
}

// Read `count` numbers at least, into data; more may be there, and are not looked at.
static thud_status read_list(const thudi_fclib_file *file, hid_t list, hid_t type, size_t count,
                             void *data)
{
    hsize_t size = count;
    hid_t memory = H5Screate_simple(1, &size, NULL), space = H5Dget_space(list);
    hsize_t start = 0;
    bool is_good = memory >= 0 && space >= 0;
    if (is_good && H5Sget_simple_extent_ndims(space) == 1)
        is_good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &size, NULL) >= 0;
    is_good = is_good && (count == 0 || H5Dread(list, type, memory, space, H5P_DEFAULT, data) >= 0);
    if (memory >= 0)
        (void)H5Sclose(memory);
    if (space >= 0)
        (void)H5Sclose(space);
    return is_good
               ? THUD_OK
               : thudi_fclib_fail(file, "%s cannot be read: the file is damaged", "a list of it");
}

thud_status thudi_fclib_whole(const thudi_fclib_file *file, const char *path, int *value)
{
    hid_t list;
    size_t count = 0;
    thud_status status = open_list(file, path, true, &list, &count);
    if (status >= 0 && count != 1)
        status = thudi_fclib_fail(file, "%s is not one number", path);
    if (status >= 0)
        status = read_list(file, list, H5T_NATIVE_INT, 1, value);
    if (list >= 0)
        (void)H5Dclose(list);
    return status;
}

thud_status thudi_fclib_numbers(const thudi_fclib_file *file, const char *group, const char *name,
                                bool is_whole, size_t least, void *data)
{
    char path[100];
    hid_t list;
    size_t count = 0;
    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    thud_status status = open_list(file, path, is_whole, &list, &count);
    if (status >= 0 && count < least)
        status = thudi_fail(file->fault, THUD_ERR_SCENE, THUDI_IN(file->path, NULL), "",
                            "%s has %zu numbers; it must have %zu", path, count, least);
    if (status >= 0)
        status = read_list(file, list, is_whole ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, least, data);
    if (list >= 0)
        (void)H5Dclose(list);
    return status;
}

thud_status thudi_fclib_count(const thudi_fclib_file *file, const char *group, const char *name,
                              size_t *count)
{
    char path[100];
    hid_t list;
    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    thud_status status = open_list(file, path, false, &list, count);
    if (list >= 0)
        (void)H5Dclose(list);
    return status;
}

void thudi_fclib_text(const thudi_fclib_file *file, const char *path, char *text, size_t size)
{
    hid_t list =
        thudi_fclib_has(file, path) ? H5Dopen2(file->id, path, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t stored = list >= 0 ? H5Dget_type(list) : H5I_INVALID_HID;
    hid_t space = list >= 0 ? H5Dget_space(list) : H5I_INVALID_HID;
    if (stored >= 0 && space >= 0 && H5Tget_class(stored) == H5T_STRING &&
        H5Tis_variable_str(stored) == 0 && H5Sget_simple_extent_npoints(space) == 1 &&
        H5Tget_size(stored) <= MOST_TEXT && is_modest(file, list, H5Tget_size(stored)))
    {
        hid_t type = H5Tcopy(H5T_C_S1);
        if (type >= 0 && H5Tset_size(type, size) >= 0 &&
            H5Dread(list, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
            text[0] = '\0';
        if (type >= 0)
            (void)H5Tclose(type);
        text[size - 1] = '\0';
    }
    if (space >= 0)
        (void)H5Sclose(space);
    if (stored >= 0)
        (void)H5Tclose(stored);
    if (list >= 0)
        (void)H5Dclose(list);
}

thud_status thudi_fclib_vector(const thudi_fclib_file *file, const char *group, const char *name,
                               size_t count, double *data)
{
    THUD_TRY(thudi_fclib_numbers(file, group, name, false, count, data));
    for (size_t k = 0; k < count; k++)
        if (!isfinite(data[k]))
            return thudi_fclib_fail(file, "vector %s has a number that is not finite", name);
    return THUD_OK;
}
