// A projection written as a contact problem of FCLIB: matrices by compressed columns, friction 0.
//
// Contacts between bodies get the tangents of their normals, so that programs that solve with
// friction find what they expect; general rows, which know no space, get empty columns. No
// multiplier acts along either, as the coefficients are 0.
#include "core/fault.h"
#include "export/hdf5_file.h"
#include "export/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GROUP "fclib_global"

typedef struct writer
{
    const thud_instance *instance;
    thud_allocator allocator;
    thudi_hdf5_file file;
    size_t entries; // of H
    THUDI_ARRAY(int) start, row;
    THUDI_ARRAY(double) x, vector;
} writer;

static void write_list(writer *w, const char *path, bool is_whole, size_t count, const void *data)
{
    hsize_t size = count;
    hid_t list = thudi_hdf5_array(&w->file, w->file.id, path,
                                  is_whole ? H5T_STD_I32LE : H5T_IEEE_F64LE, 1, &size, false);
    if (count > 0)
        thudi_hdf5_fill(&w->file, list, is_whole ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, data);
}

static void write_whole(writer *w, const char *group, const char *name, int value)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    write_list(w, path, true, 1, &value);
}

static void write_text(writer *w, const char *path, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), list = H5I_INVALID_HID;
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    if (type >= 0 && space >= 0 && storage >= 0 && !w->file.error &&
        H5Tset_size(type, strlen(text) + 1) >= 0 && H5Pset_obj_track_times(storage, false) >= 0)
        list = H5Dcreate2(w->file.id, path, type, space, H5P_DEFAULT, storage, H5P_DEFAULT);
    if (list >= 0)
    {
        thudi_hdf5_fill(&w->file, list, type, text);
        (void)H5Dclose(list);
    }
    else if (!w->file.error)
        w->file.error = EIO;
    if (storage >= 0)
        (void)H5Pclose(storage);
    if (space >= 0)
        (void)H5Sclose(space);
    if (type >= 0)
        (void)H5Tclose(type);
}

// By compressed columns.
static void write_matrix(writer *w, const char *group, int m, int n, const int *start,
                         const int *row, const double *x)
{
    char path[100];
    size_t count = (size_t)start[n];
    (void)thudi_hdf5_group(&w->file, group);
    write_whole(w, group, "nzmax", (int)count);
    write_whole(w, group, "m", m);
    write_whole(w, group, "n", n);
    write_whole(w, group, "nz", -1);
    (void)snprintf(path, sizeof path, "%s/p", group);
    write_list(w, path, true, (size_t)n + 1, start);
    (void)snprintf(path, sizeof path, "%s/i", group);
    write_list(w, path, true, count, row);
    (void)snprintf(path, sizeof path, "%s/x", group);
    write_list(w, path, false, count, x);
}

// Unit vectors across a normal, by the axis that is least along it.
static void find_tangents(const double normal[3], int space, double tangent[2][3])
{
    const double *n = normal;
    if (space == 2)
    {
        double length = sqrt(n[0] * n[0] + n[1] * n[1]);
        tangent[0][0] = -n[1] / length;
        tangent[0][1] = n[0] / length;
        return;
    }
    int axis = 0;
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), sum = 0, *t = tangent[0];
    for (int k = 1; k < 3; k++)
        axis = fabs(n[k]) < fabs(n[axis]) ? k : axis;
    for (int k = 0; k < 3; k++)
    {
        t[k] = (k == axis) - n[axis] / length * (n[k] / length);
        sum += t[k] * t[k];
    }
    for (int k = 0; k < 3; k++)
        t[k] /= sqrt(sum);
    for (int k = 0; k < 3; k++)
        tangent[1][k] =
            (n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3]) / length;
}

// The columns of one contact: its slope, then, for a pair, its tangents with the same signs.
static void add_columns(writer *w, const thud_row *row, int *column)
{
    int width = row->width > 1 ? row->width : 1, space = w->instance->space;
    int *at = w->row.items;
    double tangent[2][3] = {{0}}, *x = w->x.items;
    bool is_pair = row->width == space && row->count > 0;
    if (is_pair)
        find_tangents(row->slope + (size_t)(row->count - 1) * (size_t)width, space, tangent);
    for (int c = 0; c < space; c++)
    {
        for (int k = 0; k < row->count * width && (c == 0 || is_pair); k++)
        {
            int block = k / width;
            at[w->entries] = row->index[block] + k % width;
            x[w->entries++] = c == 0                   ? row->slope[k]
                              : block < row->count - 1 ? -tangent[c - 1][k % width]
                                                       : tangent[c - 1][k % width];
        }
        w->start.items[++*column] = (int)w->entries;
    }
}

static thud_status reserve(writer *w)
{
    const thud_instance *instance = w->instance;
    size_t contacts = (size_t)instance->contacts, space = (size_t)instance->space;
    size_t dim = (size_t)instance->dim, entries = 0;
    for (int i = 0; i < instance->contacts; i++)
    {
        thud_row row = thud_rows_get(instance->rows, i, NULL);
        entries += (size_t)row.count * (size_t)(row.width > 1 ? row.width : 1) * space;
    }
    size_t most = entries > dim ? entries : dim, columns = contacts * space;
    if (columns > THUD_INSTANCE_LIMIT || most > THUD_INSTANCE_LIMIT)
        return THUD_ERR_LIMIT;
    THUD_TRY(thudi_array_reserve(&w->allocator, &w->row, most + 1));
    THUD_TRY(thudi_array_reserve(&w->allocator, &w->x, entries + 1));
    THUD_TRY(thudi_array_reserve(&w->allocator, &w->start, (columns > dim ? columns : dim) + 1));
    return thudi_array_reserve(&w->allocator, &w->vector, columns + 1);
}

// Numbers of the contacts, each followed by zeros for the tangents.
static void write_normal(writer *w, const char *path, const double *gap)
{
    size_t columns = (size_t)w->instance->contacts * (size_t)w->instance->space;
    memset(w->vector.items, 0, columns * sizeof *w->vector.items);
    for (int i = 0; i < w->instance->contacts; i++)
        w->vector.items[(size_t)i * (size_t)w->instance->space] =
            gap ? gap[i] : thud_rows_get(w->instance->rows, i, NULL).gap;
    write_list(w, path, false, columns, w->vector.items);
}

// u = H^T v + w, the velocity at every contact.
static void write_solution(writer *w)
{
    const thud_instance *instance = w->instance;
    size_t columns = (size_t)instance->contacts * (size_t)instance->space;
    (void)thudi_hdf5_group(&w->file, "solution");
    write_list(w, "solution/v", false, (size_t)instance->dim, instance->solution);
    write_normal(w, "solution/r", instance->impulse);
    for (size_t c = 0; c < columns; c++)
    {
        size_t contact = c / (size_t)instance->space;
        bool is_normal = c % (size_t)instance->space == 0;
        double sum = is_normal ? thud_rows_get(instance->rows, (int)contact, NULL).gap : 0;
        for (int e = w->start.items[c]; e < w->start.items[c + 1]; e++)
            sum += w->x.items[e] * instance->solution[w->row.items[e]];
        w->vector.items[c] = sum;
    }
    write_list(w, "solution/u", false, columns, w->vector.items);
}

static void write_mass(writer *w)
{
    int dim = w->instance->dim;
    for (int k = 0; k < dim; k++)
        w->start.items[k] = w->row.items[k] = k;
    w->start.items[dim] = dim;
    write_matrix(w, GROUP "/M", dim, dim, w->start.items, w->row.items, w->instance->mass);
}

static void write_all(writer *w)
{
    const thud_instance *instance = w->instance;
    int column = 0;
    (void)thudi_hdf5_group(&w->file, GROUP);
    write_whole(w, GROUP, "spacedim", instance->space);
    write_mass(w);
    w->start.items[0] = 0;
    for (int i = 0; i < instance->contacts; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(instance->rows, i, &room);
        add_columns(w, &row, &column);
    }
    write_matrix(w, GROUP "/H", instance->dim, column, w->start.items, w->row.items, w->x.items);
    (void)thudi_hdf5_group(&w->file, GROUP "/vectors");
    write_list(w, GROUP "/vectors/f", false, (size_t)instance->dim, instance->f);
    write_normal(w, GROUP "/vectors/w", NULL);
    memset(w->vector.items, 0, (size_t)instance->contacts * sizeof *w->vector.items);
    write_list(w, GROUP "/vectors/mu", false, (size_t)instance->contacts, w->vector.items);
    (void)thudi_hdf5_group(&w->file, GROUP "/info");
    write_text(w, GROUP "/info/title", instance->title);
    write_text(w, GROUP "/info/description", instance->about);
    write_text(w, GROUP "/info/math_info", "frictionless: a convex quadratic program");
    if (instance->solution)
        write_solution(w);
}

static thud_status write_file(writer *w, const char *path, const char *part, thud_fault *fault)
{
    if (unlink(part) != 0 && errno != ENOENT)
        return thudi_fail_io(fault, THUDI_IN(part, NULL), "remove the file", errno);
    thudi_hdf5_create(&w->file, AT_FDCWD, part);
    if (!w->file.error)
        write_all(w);
    thudi_hdf5_close(&w->file);
    if (!w->file.error && rename(part, path) != 0)
        w->file.error = errno;
    if (!w->file.error)
        return THUD_OK;
    int error = w->file.error;
    (void)unlink(part);
    return thudi_fail_io(fault, THUDI_IN(path, NULL), "write the file", error);
}

thud_status thud_instance_write(const thud_instance *instance, const char *path, thud_fault *fault)
{
    char part[4200];
    writer w = {.instance = instance, .allocator = instance->allocator, .file = {.fd = -1}};
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return thudi_fail_io(fault, THUDI_IN(path, NULL), "write the file", ENAMETOOLONG);
    thud_status status = reserve(&w);
    if (status == THUD_ERR_MEMORY)
        (void)thudi_fail_memory(fault);
    else if (status < 0)
        (void)thudi_fail(fault, status, THUDI_IN(path, NULL), "",
                         "the problem is too large for a file");
    else
        status = write_file(&w, path, part, fault);
    thudi_array_free(&w.allocator, &w.start);
    thudi_array_free(&w.allocator, &w.row);
    thudi_array_free(&w.allocator, &w.x);
    thudi_array_free(&w.allocator, &w.vector);
    return status;
}
