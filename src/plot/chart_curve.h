// The points of a curve.
#ifndef THUDI_CHART_CURVE_H
#define THUDI_CHART_CURVE_H

#include "plot/chart.h"

// Can point i be shown?
bool thudi_curve_shows(const thudi_curve *curve, bool is_log, size_t i);

// The points that a line across `columns` columns from low to high needs, as indices: the first,
// lowest, highest and last of each column, and SIZE_MAX where it is broken. `kept` has room for
// thudi_curve_room() of them. Returns how many. The curve must go from left to right.
size_t thudi_curve_reduce(const thudi_curve *curve, bool is_log, double low, double high,
                          int columns, size_t *kept);
size_t thudi_curve_room(const thudi_curve *curve, int columns);

#endif
