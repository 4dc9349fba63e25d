// The charts of a run: what each is made of.
#ifndef THUDI_PLOTTER_H
#define THUDI_PLOTTER_H

#include "core/memory.h"
#include "plot/chart.h"
#include "thud/series.h"
#include "thud/show.h"
#include "thud/snapshot.h"

enum
{
    THUDI_DERIVED = 2000 // numbers that a curve may have in addition to those of every step
};

// A column of the series by what the model says of it.
typedef struct thudi_plot_source
{
    thud_series_column about;
    int at; // in series.csv, -1: not there
    bool is_chosen, is_drawn;
} thudi_plot_source;

typedef struct thudi_plotter
{
    const thud_plot_def *def;
    const thud_allocator *allocator;
    thud_fault *fault;
    thud_series_table *series;
    thud_snapshot_reader *reader;
    thud_snapshot snapshot;      // of the last frame
    THUDI_ARRAY(double) derived; // THUDI_CURVES columns made of others
    THUDI_ARRAY(thudi_plot_source) columns;
    int column_count;
    thudi_chart chart; // the present one
} thudi_plotter;

// Make the current chart; without curves there is none.
typedef void thudi_chart_fn(thudi_plotter *plotter);
thudi_chart_fn thudi_plot_energies, thudi_plot_pressures, thudi_plot_impulses,
    thudi_plot_certificates, thudi_plot_contacts, thudi_plot_measures, thudi_plot_profiles,
    thudi_plot_forces, thudi_plot_coordinates, thudi_plot_phase, thudi_plot_path;

// Let the model describe the columns.
thud_status thudi_plot_describe(thudi_plotter *plotter);

// Make the chart of the columns that the definition names, or say which are not there.
thud_status thudi_plot_chosen(thudi_plotter *plotter);

// "name (unit)", or the one there is.
void thudi_plot_label(char text[THUDI_CHART_LABEL], const char *name, const char *unit);

// Start a chart over time with one panel for each label.
thudi_panel *thudi_plot_panel(thudi_plotter *plotter, const char *name, const char *unit);

// Add the column of the series with that name over time, called `shown`; nothing if there is none
// or the panel is full.
void thudi_plot_column(thudi_plotter *plotter, thudi_panel *panel, const char *name,
                       const char *shown);

// Is any number of the column not 0?
bool thudi_plot_differs(const thudi_plotter *plotter, const char *name);

#endif
