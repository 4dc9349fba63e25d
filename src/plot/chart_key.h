// The words of a chart: names above its panels, and labels that may need two lines.
#ifndef THUDI_CHART_KEY_H
#define THUDI_CHART_KEY_H

#include "picture/drawing.h"
#include "plot/chart.h"

static const double THUDI_KEY_ROW = 13; // points

// Rows of names above the panel: none for a single curve.
int thudi_key_rows(const thudi_panel *panel);
// Draw them between left and right, the first row at `top`.
void thudi_key_draw(cairo_t *cairo, const thudi_panel *panel, double left, double right,
                    double top);

// Where a label that is wider than `most` goes on in a second line: after a blank near its middle.
// 0 if it fits, or has no blank.
size_t thudi_label_break(cairo_t *cairo, const char *text, double most);

#endif
