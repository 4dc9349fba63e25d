/// Curves over time in stacked panels, written as one SVG file.
#ifndef SVG_CHART_H
#define SVG_CHART_H

typedef struct svg_curve
{
    const char *name;
    const char *colour;
    int is_filled;       ///< fill below the curve
    const double *value; ///< length count of the chart
} svg_curve;

typedef struct svg_panel
{
    const char *label;
    const svg_curve *curves;
    int curve_count;
} svg_panel;

typedef struct svg_chart
{
    const char *title, *subtitle, *axis;
    const double *t; ///< increasing, length count
    int count;
    const svg_panel *panels;
    int panel_count;
    const double *marks; ///< vertical lines at these times
    int mark_count;
} svg_chart;

/// Write the chart. Returns 0, or -1 when the file cannot be written whole.
int svg_chart_write(const svg_chart *chart, const char *path);

#endif
