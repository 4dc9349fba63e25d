// Triangles of an STL file, binary or ASCII.
#ifndef THUDI_STL_FILE_H
#define THUDI_STL_FILE_H

#include "thud/text.h"

typedef struct thudi_stl
{
    double *triangles; // 9 numbers each, as thud_solid_def wants them
    int count;
    size_t capacity; // counted in numbers
} thudi_stl;

// Parse text[0 .. length). The file is binary if its length is right for its count of triangles,
// whatever it begins with. It is ASCII if it begins with "solid", in small or capital letters.
// Normals are ignored. Every coordinate is finite. On failure (THUD_ERR_SCENE, THUD_ERR_LIMIT,
// THUD_ERR_MEMORY) the fault has text and hint. For ASCII it also has line and column; for binary
// the text has the offset in bytes. The caller sets the fault's file.
thud_status thudi_stl_read(const char *text, size_t length, const thud_allocator *allocator,
                           thudi_stl *stl, thud_fault *fault);
void thudi_stl_free(const thud_allocator *allocator, thudi_stl *stl);

#endif
