// Contact problems from FCLIB's HDF5 files: min 1/2 |v - M^-1 f|_M^2, H_N^T v + w_N >= 0.
#include "fclib_file.h"

#include <hdf5.h>
#include <stdlib.h>

/// A sparse matrix as a list of entries.
typedef struct matrix
{
    int rows, columns, count;
    int *row, *column;
    double *x;
} matrix;

static hid_t open_part(hid_t file, const char *group, const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "fclib_global/%s/%s", group, name);
    return H5Dopen2(file, path, H5P_DEFAULT);
}

static int read_int(hid_t file, const char *group, const char *name)
{
    int value = 0;
    hid_t part = open_part(file, group, name);
    H5Dread(part, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    H5Dclose(part);
    return value;
}

// A whole array of ints (type H5T_NATIVE_INT) or doubles. count receives its length.
static void *read_array(hid_t file, const char *group, const char *name, bool is_double, int *count)
{
    hid_t part = open_part(file, group, name), space = H5Dget_space(part);
    hssize_t size = H5Sget_simple_extent_npoints(space);
    void *array = calloc((size_t)size + 1, is_double ? sizeof(double) : sizeof(int));
    if (!array || size < 0)
        abort();
    H5Dread(part, is_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
            array);
    H5Sclose(space);
    H5Dclose(part);
    *count = (int)size;
    return array;
}

// Compressed starts spelled out: line[e] is the line (row or column) of entry e.
static int *spell_out(int *start, int lines, int count)
{
    int *line = calloc((size_t)count + 1, sizeof *line);
    if (!line)
        abort();
    for (int j = 0; j < lines; j++)
        for (int e = start[j]; e < start[j + 1] && e < count; e++)
            line[e] = j;
    free(start);
    return line;
}

// nz: -1 columns compressed, -2 rows compressed, else triplets whose p holds the columns.
static matrix read_matrix(hid_t file, const char *group)
{
    int nz = read_int(file, group, "nz"), ignored = 0;
    matrix m = {.rows = read_int(file, group, "m"), .columns = read_int(file, group, "n")};
    m.x = read_array(file, group, "x", true, &m.count);
    m.column = read_array(file, group, "p", false, &ignored);
    m.row = read_array(file, group, "i", false, &ignored);
    if (nz >= 0)
        m.count = nz;
    if (nz == -1)
        m.column = spell_out(m.column, m.columns, m.count);
    if (nz == -2)
    {
        int *column = m.row;
        m.row = spell_out(m.column, m.rows, m.count);
        m.column = column;
    }
    return m;
}

static void matrix_free(matrix *m)
{
    free(m->row);
    free(m->column);
    free(m->x);
}

static bool set_masses(scene *s, const matrix *m)
{
    for (int k = 0; k < s->dim; k++)
        s->mass[k] = 0;
    for (int e = 0; e < m->count; e++)
    {
        if (m->row[e] != m->column[e] && m->x[e] != 0)
            return false;
        s->mass[m->row[e]] += m->x[e];
    }
    return true;
}

static void push_column(scene *s, const matrix *h, int column, double gap)
{
    int *index = calloc((size_t)s->dim, sizeof *index), count = 0;
    double *slope = calloc((size_t)s->dim, sizeof *slope);
    if (!index || !slope)
        abort();
    for (int e = 0; e < h->count; e++)
        if (h->column[e] == column && h->x[e] != 0)
        {
            index[count] = h->row[e];
            slope[count++] = h->x[e];
        }
    thud_row row = {.key = (uint64_t)column / 3 + 1,
                    .gap = gap,
                    .count = count,
                    .index = index,
                    .slope = slope};
    thud_rows_push(s->rows, &row);
    free(index);
    free(slope);
}

static scene *build(const matrix *m, const matrix *h, const double *f, const double *gap)
{
    scene *s = scene_create(m->rows);
    if (!set_masses(s, m))
    {
        scene_destroy(s);
        return NULL;
    }
    for (int k = 0; k < s->dim; k++)
        s->w[k] = f[k] / s->mass[k];
    for (int i = 0; i < h->columns; i += 3)
        push_column(s, h, i, gap[i]);
    return s;
}

scene *fclib_read(const char *path)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return NULL;
    int count = 0;
    matrix m = read_matrix(file, "M"), h = read_matrix(file, "H");
    double *f = read_array(file, "vectors", "f", true, &count);
    double *gap = read_array(file, "vectors", "w", true, &count);
    scene *s = build(&m, &h, f, gap);
    matrix_free(&m);
    matrix_free(&h);
    free(f);
    free(gap);
    H5Fclose(file);
    return s;
}
