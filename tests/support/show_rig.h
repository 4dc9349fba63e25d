// Runs for the tests of pictures: scenes from text, run for a few steps into a folder.
#ifndef SHOW_RIG_H
#define SHOW_RIG_H

#include "record_rig.h"

#include "thud/show.h"

typedef struct show_rig
{
    char folder[RIG_PATH]; // holds the folder "run", and what the tests make
    char run[RIG_PATH];
    thud_scene *scene;
    thud_model *model;
    thud_log *log;
} show_rig;

// Scenes: one ball, some that fall into a box, two disks on a floor.
extern const char show_rig_ball[], show_rig_heap[], show_rig_disks[];

// Run the scene, every step a frame. False, and a failed check, if that does not work.
bool show_rig_make(show_rig *rig, const char *scene);
void show_rig_free(show_rig *rig);

// A picture of the last frame as folder/NAME, and charts into folder/NAME.
thud_render_def show_rig_render(const show_rig *rig, const char *file);
thud_plot_def show_rig_plot(const show_rig *rig, const char *folder);

// The pixels of a PNG, 0x00rrggbb row by row, to be freed; NULL when it cannot be read.
uint32_t *show_rig_pixels(const char *path, int *width, int *height);

// Have librsvg draw an SVG, so many pixels wide; true if it can.
bool show_rig_redraw(const char *svg, const char *png, const char *width);

#endif
