// Writes files of pictures, which cairo draws. A file under its final name is always complete.
#ifndef THUDI_PICTURE_FILE_H
#define THUDI_PICTURE_FILE_H

#include "core/memory.h"
#include "thud/text.h"

#include <cairo.h>

// The folder that pictures are written to.
typedef struct thudi_picture_folder
{
    const char *path; // of the folder, for messages; borrowed
    int folder;       // its file descriptor, -1 when closed
    const thud_allocator *allocator;
    thud_fault *fault;
} thudi_picture_folder;

// Open the folder; create it if it does not exist. A run directory is refused.
thud_status thudi_picture_folder_open(thudi_picture_folder *output, const char *path);
void thudi_picture_folder_close(thudi_picture_folder *output);

// Write the surface as PNG.
thud_status thudi_picture_folder_png(const thudi_picture_folder *output, const char *name,
                                     cairo_surface_t *surface);

// Draw on a surface of that size; called for an SVG and for a PNG, scaled.
typedef void thudi_draw_fn(cairo_t *cairo, const void *user);
thud_status thudi_picture_folder_svg(const thudi_picture_folder *output, const char *name,
                                     double width, double height, thudi_draw_fn *draw,
                                     const void *user);

// THUD_OK, or what a status of cairo means.
thud_status thudi_cairo_check(cairo_status_t status, thud_fault *fault);

#endif
