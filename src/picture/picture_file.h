// Files of pictures: drawn by cairo, whole under their final names or not there.
#ifndef THUDI_PICTURE_FILE_H
#define THUDI_PICTURE_FILE_H

#include "core/memory.h"
#include "thud/text.h"

#include <cairo.h>

// Where pictures go.
typedef struct thudi_album
{
    const char *path; // of the folder, for messages; borrowed
    int folder;       // descriptor, -1 when closed
    const thud_allocator *allocator;
    thud_fault *fault;
} thudi_album;

// Open the folder, made if absent; one that is a run directory is refused.
thud_status thudi_album_open(thudi_album *album, const char *path);
void thudi_album_close(thudi_album *album);

// Write the surface as PNG.
thud_status thudi_album_png(const thudi_album *album, const char *name, cairo_surface_t *surface);

// Draw on a surface of that size; called for an SVG and for a PNG, scaled.
typedef void thudi_draw_fn(cairo_t *cairo, const void *user);
thud_status thudi_album_svg(const thudi_album *album, const char *name, double width, double height,
                            thudi_draw_fn *draw, const void *user);

// THUD_OK, or what a status of cairo means.
thud_status thudi_cairo_check(cairo_status_t status, thud_fault *fault);

#endif
