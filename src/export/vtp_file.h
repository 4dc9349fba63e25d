// A file of VTK's PolyData: what it holds, and how it is written.
#ifndef THUDI_VTP_FILE_H
#define THUDI_VTP_FILE_H

#include "core/stream.h"
#include "thud/scene.h"

enum
{
    THUDI_VTP_ARRAYS = 16, // of a file at most
    THUDI_VTP_LISTS = 2
};

// Where an array belongs, in the order that VTK writes them.
typedef enum thudi_vtp_place
{
    THUDI_VTP_POINT_DATA,
    THUDI_VTP_CELL_DATA,
    THUDI_VTP_POINTS,
    THUDI_VTP_VERTS,
    THUDI_VTP_LINES,
    THUDI_VTP_POLYS,
    THUDI_VTP_PLACE_COUNT
} thudi_vtp_place;

typedef struct thudi_vtp_array
{
    thudi_vtp_place place;
    const char *name;
    int components; // per point or cell
    const void *data;
    bool is_whole; // Int64, else Float64
} thudi_vtp_array;

// Names as field data: text i of a scene.
typedef const char *thudi_vtp_text_fn(const thud_scene *scene, int i);

typedef struct thudi_vtp_piece
{
    int64_t points, verts, lines, polys;
    thudi_vtp_array arrays[THUDI_VTP_ARRAYS];
    int count;
    const thud_scene *scene; // of the names
    struct
    {
        const char *name;
        thudi_vtp_text_fn *text;
        int count;
    } lists[THUDI_VTP_LISTS];
    int list_count;
} thudi_vtp_piece;

void thudi_vtp_add(thudi_vtp_piece *piece, thudi_vtp_place place, const char *name, int components,
                   const void *data, bool is_whole);
// A list without names is not written.
void thudi_vtp_add_names(thudi_vtp_piece *piece, const char *name, thudi_vtp_text_fn *text,
                         int count);

// Write the file, with the time as field data; the stream keeps the errors.
void thudi_vtp_write(thudi_stream *out, const thudi_vtp_piece *piece, double t);

#endif
