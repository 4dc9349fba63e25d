/// Files of FCLIB written number by number, so that each of them can be wrong.
#ifndef INSTANCE_RIG_H
#define INSTANCE_RIG_H

#include "thud/instance.h"

#include <hdf5.h>

/// Where a test may write, made anew for every process; removed by rig_clean.
const char *rig_path(const char *name);
void rig_clean(void);

/// A file being made.
typedef struct rig_file
{
    hid_t id;
} rig_file;

rig_file rig_open(const char *path, bool is_new);
void rig_close(rig_file *file);

/// Put a list there; groups on the way are made, a list of that name is replaced.
void rig_numbers(rig_file *file, const char *path, const double *x, int count);
void rig_wholes(rig_file *file, const char *path, const int *x, int count);
/// Numbers in chunks of two, compressed.
void rig_chunks(rig_file *file, const char *path, const double *x, int count);
void rig_drop(rig_file *file, const char *path);

/// How the entries of a matrix are kept.
typedef enum rig_layout
{
    RIG_COLUMNS,
    RIG_ROWS,
    RIG_TRIPLETS,        ///< p the columns, i the rows
    RIG_SWAPPED_TRIPLETS ///< the other way round
} rig_layout;

/// A dense matrix a[m * n], by rows, kept sparsely.
void rig_matrix(rig_file *file, const char *group, const double *a, int m, int n,
                rig_layout layout);

/// A whole problem: three coordinates, two contacts in two dimensions.
void rig_problem(const char *path, rig_layout layout);

#endif
