// What is to be seen of a periodic cell: its edges, and the images of what sticks out of it.
#ifndef THUDI_CELL_VIEW_H
#define THUDI_CELL_VIEW_H

#include "picture/vec.h"
#include "thud/model.h"

enum
{
    THUDI_CELL_EDGES = 12,
    THUDI_CELL_IMAGES = 64
};

typedef struct thudi_cell_view
{
    bool is_periodic;
    thud_cell cell;
    double shear;        // less whole periods
    thudi_vec low, high; // of the cell; on other axes of what was given
} thudi_cell_view;

// The cell at time t; bodies are between low and high.
thudi_cell_view thudi_cell_view_at(const thud_model *model, double t, thudi_vec low,
                                   thudi_vec high);

// By how much images of a ball are moved that reach into the cell, itself among them (0 first).
int thudi_cell_images(const thudi_cell_view *view, thudi_vec p, double r,
                      thudi_vec shift[THUDI_CELL_IMAGES]);

// The edges of the cell, two ends each; 4 in the plane.
int thudi_cell_edges(const thudi_cell_view *view, int dim, thudi_vec ends[THUDI_CELL_EDGES][2]);

#endif
