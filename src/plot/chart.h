// Charts fit for a paper: panels above each other that share the horizontal axis.
#ifndef THUDI_CHART_H
#define THUDI_CHART_H

#include "picture/picture_file.h"

enum
{
    THUDI_CURVES = 7, // of a panel: as many as there are colours
    THUDI_PANELS = 6,
    THUDI_CHART_LABEL = 200
};

// Points (x[i * x_stride], y[i * y_stride]). What is not finite, or has no logarithm where one is
// needed, is left out and breaks the line.
typedef struct thudi_curve
{
    char name[THUDI_CHART_LABEL];
    const double *x, *y;
    size_t count, x_stride, y_stride;
} thudi_curve;

typedef struct thudi_panel
{
    char label[THUDI_CHART_LABEL]; // of the vertical axis, with its unit
    bool is_log;                   // the vertical axis
    bool has_points;               // marks at the points
    bool is_whole;                 // values are whole numbers, and so are the ticks
    thudi_curve curves[THUDI_CURVES];
    int count;
} thudi_panel;

typedef struct thudi_chart
{
    char label[THUDI_CHART_LABEL]; // of the horizontal axis
    thudi_panel panels[THUDI_PANELS];
    int count;
    bool is_path;       // x does not grow: a line in the plane
    bool is_equal;      // the same scale on both axes
    bool has_log_steps; // the horizontal axis is one of logarithms; all x are above 0
} thudi_chart;

// Does any curve have a point that can be shown?
bool thudi_chart_has_points(const thudi_chart *chart);

// Write it as NAME.svg and NAME.png.
thud_status thudi_chart_write(const thudi_chart *chart, const thudi_picture_folder *output,
                              const char *name);

#endif
