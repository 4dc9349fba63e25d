// The parts of a picture: flat scenes and the legend, both by cairo.
#ifndef THUDI_RENDER_PARTS_H
#define THUDI_RENDER_PARTS_H

#include "picture/drawing.h"
#include "picture/survey.h"

// Draw a scene of disks. colors: of the bodies.
void thudi_flat_draw(cairo_t *cairo, const thud_render_def *def, const thudi_survey *survey,
                     const thud_snapshot *snapshot, const thudi_rgb *colors);

// Draw its obstacles on top.
thud_status thudi_flat_obstacles(cairo_t *cairo, const thud_render_def *def,
                                 const thudi_survey *survey, double t,
                                 const thud_allocator *allocator);

// Draw what the colours mean, the time, and what the chains are.
void thudi_legend_draw(cairo_t *cairo, const thud_render_def *def, const thudi_survey *survey,
                       const thud_snapshot *snapshot);

#endif
