// The charts of a run: what each is made of.
#ifndef THUDI_PLOTTER_H
#define THUDI_PLOTTER_H

#include "record/exporter.h"
#include "record/series_read.h"
#include "show/chart.h"
#include "thud/show.h"

enum
{
    THUDI_DERIVED = 2000 // numbers that a curve may have besides those of every step
};

typedef struct thudi_plotter
{
    const thud_plot_def *def;
    const thud_allocator *allocator;
    thud_fault *fault;
    thudi_series series;
    thudi_shooter shooter;       // of the last frame
    THUDI_ARRAY(double) derived; // THUDI_CURVES columns made of others
    thudi_chart chart;           // the one at hand
} thudi_plotter;

// Make the chart at hand; without curves there is none.
typedef void thudi_chart_fn(thudi_plotter *plotter);
thudi_chart_fn thudi_plot_energies, thudi_plot_pressures, thudi_plot_impulses,
    thudi_plot_certificates, thudi_plot_contacts, thudi_plot_measures, thudi_plot_torques,
    thudi_plot_flows, thudi_plot_stresses, thudi_plot_packing, thudi_plot_profiles,
    thudi_plot_forces, thudi_plot_coordinates, thudi_plot_phase, thudi_plot_path;

// Start a chart over time with one panel for each label.
thudi_panel *thudi_plot_panel(thudi_plotter *plotter, const char *name, const char *unit);

// Add the column of the series with that name over time, called `shown`; nothing if there is none
// or the panel is full.
void thudi_plot_column(thudi_plotter *plotter, thudi_panel *panel, const char *name,
                       const char *shown);

// Is any number of the column not 0?
bool thudi_plot_differs(const thudi_plotter *plotter, const char *name);

#endif
