// A frame made ready for rays: bodies, walls and chains in coordinates of order 1.
#ifndef THUDI_STAGE_H
#define THUDI_STAGE_H

#include "colors/palette.h"
#include "picture/panes.h"
#include "picture/survey.h"

typedef struct thudi_wall
{
    thudi_vec normal; // unit
    double offset;    // normal . x >= offset is free
    bool is_floor, is_drawn;
    bool is_outline; // where it meets others, a line is all that is seen of it
} thudi_wall;

typedef struct thudi_stage
{
    thudi_theme theme;
    thudi_camera camera;
    thudi_vec low, high; // bounds of the bodies
    thudi_vec sun;       // where the light comes from
    double radius;       // mean radius
    double thickest;     // radius of the thickest chains
    THUDI_ARRAY(thudi_solid) bodies;
    THUDI_ARRAY(thudi_rgb) colors; // of the bodies
    THUDI_ARRAY(thudi_solid) chains;
    THUDI_ARRAY(thudi_wall) walls; // those of the scene, then the limits of what is drawn of them
    int body_count, chain_count, wall_count;
    int sphere_count; // bodies; after them come the edges of a periodic cell, of one colour
    bool has_chains;
    thudi_tree tree, chain_tree;
    thudi_panes panes;              // of obstacles
    THUDI_ARRAY(thudi_solid) wires; // their lines
    int wire_count;
    thudi_tree wire_tree;
    int width, height;
} thudi_stage;

thud_status thudi_stage_set(thudi_stage *stage, const thud_render_def *def,
                            const thud_allocator *allocator, const thudi_survey *survey,
                            const thud_snapshot *snapshot);
void thudi_stage_free(thudi_stage *stage, const thud_allocator *allocator);

// The colours of bodies by the survey's range.
void thudi_stage_color(const thud_render_def *def, const thudi_survey *survey, const double *values,
                       int count, thudi_rgb *colors);

// Draw it: width * height numbers 0x00rrggbb, row by row from the top.
void thudi_stage_trace(const thudi_stage *stage, uint32_t *pixels);

#endif
