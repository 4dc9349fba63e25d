// What all frames to be drawn have in common: where the bodies are, the camera that follows from
// it, and the range of the colours.
#ifndef THUDI_SURVEY_H
#define THUDI_SURVEY_H

#include "colors/color_range.h"
#include "picture/solid_tree.h"

// Which way things are, seen from the eye; unit vectors.
typedef struct thudi_axes
{
    thudi_vec right, up, back; // back points to the eye
} thudi_axes;

typedef struct thudi_survey
{
    thudi_axes axes;
    double tan_x, tan_y;        // half of the picture as seen from the eye, before the zoom
    thudi_vec low, high;        // bounds of the bodies
    double reach[4];            // how far back the eye must be: for the left, right, bottom, top
    double radius;              // mean radius of the bodies
    double first, last;         // times of frames
    thudi_color_range range;    // of the colours
    double force;               // chains of the frame are thickest from this force on
    THUDI_ARRAY(double) values; // room for those of a frame
} thudi_survey;

void thudi_survey_start(thudi_survey *survey, const thud_render_def *def);
// Add the current frame; a number that is not finite is an error.
thud_status thudi_survey_add(thudi_survey *survey, const thud_render_def *def,
                             const thud_allocator *allocator, const thud_snapshot *snapshot,
                             thud_fault *fault);
// Take in the obstacles.
void thudi_survey_end(thudi_survey *survey, const thud_render_def *def);
void thudi_survey_free(thudi_survey *survey, const thud_allocator *allocator);

// The eye, in units of the scene, and how far it sees to the sides at distance 1.
typedef struct thudi_camera
{
    thudi_vec eye;
    thudi_axes axes;
    double tan_x, tan_y;
} thudi_camera;

thudi_camera thudi_camera_of(const thudi_survey *survey, double zoom);

#endif
