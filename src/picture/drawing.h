// What pictures and charts share in cairo: colours, text, the font.
#ifndef THUDI_DRAWING_H
#define THUDI_DRAWING_H

#include "colors/palette.h"

#include <cairo.h>

void thudi_ink(cairo_t *cairo, thudi_rgb color);
void thudi_font(cairo_t *cairo, double size);

// Where the text is put relative to the point: -1 ends there, 0 is centred, 1 begins there.
// Text that is not UTF-8, and control characters, become question marks; what is wider than `most`
// ends in an ellipsis (most 0: no limit).
void thudi_label(cairo_t *cairo, double x, double y, int side, double most, const char *text);
double thudi_label_width(cairo_t *cairo, const char *text);

#endif
