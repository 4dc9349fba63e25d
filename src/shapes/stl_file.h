// Triangles of an STL file, binary or ASCII.
#ifndef THUDI_STL_FILE_H
#define THUDI_STL_FILE_H

#include "thud/text.h"

typedef struct thudi_stl
{
    double *triangles; // 9 numbers each, as thud_solid_def wants them
    int count;
    size_t capacity; // in numbers
} thudi_stl;

// Parse text[0 .. length). Binary if its length is what its count of triangles makes it, whatever
// it begins with; ASCII if it begins with "solid", in small or capital letters. Normals are not
// looked at. Every coordinate is finite. On failure (THUD_ERR_SCENE, THUD_ERR_LIMIT,
// THUD_ERR_MEMORY) fault has the text, hint and, for ASCII, line and column; for binary the text
// has the offset in bytes. Its file is the caller's.
thud_status thudi_stl_read(const char *text, size_t length, const thud_allocator *allocator,
                           thudi_stl *stl, thud_fault *fault);
void thudi_stl_free(const thud_allocator *allocator, thudi_stl *stl);

#endif
