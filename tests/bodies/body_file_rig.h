/// Files of bodies to read in tests, and the complaints expected of bad ones.
#ifndef BODY_FILE_RIG_H
#define BODY_FILE_RIG_H

#include "bodies/generators.h"

/// A bad file and all that is said of it. length 0: the text ends at its null byte.
typedef struct bad_file
{
    int dim;
    const char *text;
    int line, column;
    const char *complaint, *hint;
    size_t length;
    thud_status status; ///< 0 means THUD_ERR_SCENE
} bad_file;

void body_file_rig_refuse(thudi_body_format format, const bad_file *files, int count);

/// Read every length that the text (size bytes) may be cut to, each from a block of its own: how
/// many of them are good.
int body_file_rig_cut(thudi_body_format format, int dim, const char *text, size_t size);

/// Read a good text with an allocator that fails once, and then again: what it says of so many
/// rows.
void body_file_rig_allocations(thudi_body_format format, int dim, const char *text, int rows,
                               const char *complaint);

/// Read a good file from a block of its own, which is kept, and freed by body_file_rig_free.
typedef struct good_file
{
    thudi_body_row *rows;
    int count;
    char *text;
} good_file;
good_file body_file_rig_read(thudi_body_format format, int dim, const char *text);
void body_file_rig_free(good_file *file);

/// A row has these values; NULL for what it has not.
void body_file_rig_check(const good_file *file, int row, const thud_sphere *sphere,
                         const char *name, const char *material, int line);

#endif
