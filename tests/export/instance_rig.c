// Files of FCLIB written number by number.
#include "instance_rig.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "instance-XXXXXX";
static bool is_made;

const char *rig_path(const char *name)
{
    static char path[300];
    if (!is_made && !mkdtemp(folder))
        abort();
    is_made = true;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void rig_clean(void)
{
    DIR *list = is_made ? opendir(folder) : NULL;
    for (struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list))
        if (entry->d_name[0] != '.')
            (void)unlink(rig_path(entry->d_name));
    if (list && (closedir(list) != 0 || rmdir(folder) != 0))
        abort();
}

rig_file rig_open(const char *path, bool is_new)
{
    rig_file file = {is_new ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                            : H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT)};
    if (file.id < 0)
        abort();
    return file;
}

void rig_close(rig_file *file)
{
    if (H5Fclose(file->id) < 0)
        abort();
}

void rig_drop(rig_file *file, const char *path)
{
    if (H5Ldelete(file->id, path, H5P_DEFAULT) < 0)
        abort();
}

static void put(rig_file *file, const char *path, hid_t type, const void *x, int count,
                hid_t storage)
{
    hsize_t size = (hsize_t)count;
    hid_t ways = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &size, NULL);
    if (H5Pset_create_intermediate_group(ways, 1) < 0)
        abort();
    hid_t list = H5Dopen2(file->id, path, H5P_DEFAULT);
    if (list >= 0)
    {
        (void)H5Dclose(list);
        rig_drop(file, path);
    }
    list = H5Dcreate2(file->id, path, type, space, ways, storage, H5P_DEFAULT);
    if (list < 0 || (count > 0 && H5Dwrite(list, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0))
        abort();
    (void)H5Dclose(list);
    (void)H5Sclose(space);
    (void)H5Pclose(ways);
}

void rig_numbers(rig_file *file, const char *path, const double *x, int count)
{
    put(file, path, H5T_NATIVE_DOUBLE, x, count, H5P_DEFAULT);
}

void rig_wholes(rig_file *file, const char *path, const int *x, int count)
{
    put(file, path, H5T_NATIVE_INT, x, count, H5P_DEFAULT);
}

void rig_chunks(rig_file *file, const char *path, const double *x, int count)
{
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk = 2;
    if (H5Pset_chunk(storage, 1, &chunk) < 0 || H5Pset_shuffle(storage) < 0 ||
        H5Pset_deflate(storage, 6) < 0)
        abort();
    put(file, path, H5T_NATIVE_DOUBLE, x, count, storage);
    (void)H5Pclose(storage);
}

static void put_size(rig_file *file, const char *group, const char *name, int value)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    rig_wholes(file, path, &value, 1);
}

static void put_list(rig_file *file, const char *group, const char *name, const int *x, int count)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    rig_wholes(file, path, x, count);
}

void rig_matrix(rig_file *file, const char *group, const double *a, int m, int n, rig_layout layout)
{
    int start[20] = {0}, row[100], column[100], count = 0;
    double x[100];
    char path[100];
    bool by_rows = layout == RIG_ROWS;
    for (int outer = 0; outer < (by_rows ? m : n); outer++)
    {
        for (int inner = 0; inner < (by_rows ? n : m); inner++)
        {
            int i = by_rows ? outer : inner, j = by_rows ? inner : outer;
            if (a[i * n + j] == 0)
                continue;
            row[count] = i;
            column[count] = j;
            x[count++] = a[i * n + j];
        }
        start[outer + 1] = count;
    }
    put_size(file, group, "m", m);
    put_size(file, group, "n", n);
    put_size(file, group, "nzmax", count);
    put_size(file, group, "nz", layout == RIG_COLUMNS ? -1 : by_rows ? -2 : count);
    if (layout == RIG_COLUMNS || by_rows)
        put_list(file, group, "p", start, (by_rows ? m : n) + 1);
    else
        put_list(file, group, "p", layout == RIG_TRIPLETS ? column : row, count);
    bool rows_in_i = layout == RIG_COLUMNS || layout == RIG_TRIPLETS;
    put_list(file, group, "i", rows_in_i ? row : column, count);
    (void)snprintf(path, sizeof path, "%s/x", group);
    rig_numbers(file, path, x, count);
}

// H has more columns than rows, so that swapped triplets are seen to be so.
void rig_problem(const char *path, rig_layout layout)
{
    static const double mass[] = {2, 0, 0, 0, 3, 0, 0, 0, 4};
    static const double h[] = {1, 7, 0, 0, -1, 8, .5, 0, 0, 0, 2, 9};
    rig_file file = rig_open(path, true);
    rig_matrix(&file, "fclib_global/M", mass, 3, 3, layout);
    rig_matrix(&file, "fclib_global/H", h, 3, 4, layout);
    rig_wholes(&file, "fclib_global/spacedim", (int[]){2}, 1);
    rig_numbers(&file, "fclib_global/vectors/f", (double[]){-2, 3, -8}, 3);
    rig_numbers(&file, "fclib_global/vectors/w", (double[]){.25, 5, -.5, 6}, 4);
    rig_numbers(&file, "fclib_global/vectors/mu", (double[]){0, .3}, 2);
    rig_close(&file);
}
