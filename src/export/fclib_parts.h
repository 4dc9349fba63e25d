// What a file of FCLIB is made of: lists of numbers, texts, sparse matrices.
#ifndef THUDI_FCLIB_PARTS_H
#define THUDI_FCLIB_PARTS_H

#include "core/memory.h"
#include "thud/instance.h"

#include <hdf5.h>

#define THUDI_FCLIB_GROUP "fclib_global"

typedef struct thudi_fclib_file
{
    const char *path;
    thud_fault *fault;
    thud_allocator allocator;
    hid_t id;
    int64_t bytes; // of the file
} thudi_fclib_file;

// A sparse matrix, entry by entry.
typedef struct thudi_fclib_matrix
{
    int m, n, nz; // nz as in the file
    size_t entries;
    THUDI_ARRAY(int) row, column;
    THUDI_ARRAY(double) x;
} thudi_fclib_matrix;

// Say what is wrong with the file, `format` having one %s for `what`. Returns THUD_ERR_SCENE.
thud_status thudi_fclib_fail(const thudi_fclib_file *file, const char *format, const char *what)
    __attribute__((format(printf, 2, 0)));

// Can a file of this length hold `count` numbers of `size` bytes, compressed at best?
bool thudi_fclib_can_hold(const thudi_fclib_file *file, int64_t count, size_t size);

bool thudi_fclib_has(const thudi_fclib_file *file, const char *path);

// A number of its own, of the group fclib_global or one below.
thud_status thudi_fclib_whole(const thudi_fclib_file *file, const char *path, int *value);
// The first `least` numbers of group/name, whole ones (int) or doubles; more may be there.
thud_status thudi_fclib_numbers(const thudi_fclib_file *file, const char *group, const char *name,
                                bool is_whole, size_t least, void *data);
// The same of doubles that must all be finite.
thud_status thudi_fclib_vector(const thudi_fclib_file *file, const char *group, const char *name,
                               size_t count, double *data);
// How many numbers group/name has.
thud_status thudi_fclib_count(const thudi_fclib_file *file, const char *group, const char *name,
                              size_t *count);
// A text, cut to fit; text stays as it is if there is none.
void thudi_fclib_text(const thudi_fclib_file *file, const char *path, char *text, size_t size);

thud_status thudi_fclib_matrix_read(const thudi_fclib_file *file, const char *name,
                                    thudi_fclib_matrix *a);
void thudi_fclib_matrix_free(const thud_allocator *allocator, thudi_fclib_matrix *a);

#endif
