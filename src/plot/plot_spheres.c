// Charts that scenes of spheres have: pressures of a crowd, contact forces, profiles.
#include "colors/body_values.h"
#include "plot/plotter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    BINS = 60,
    FORCES = 20 // that a distribution takes at least
};

static const double BIN = 0.25; // of the mean force

// How hard the bodies of a crowd are pressed.
void thudi_plot_pressures(thudi_plotter *plotter)
{
    char unit[THUD_UNIT_SIZE];
    if (!thudi_plot_differs(plotter, "pressure_max"))
        return;
    thudi_panel *panel = thudi_plot_panel(
        plotter, "pressure", thudi_color_unit(unit, plotter->def->scene, THUD_COLOR_PRESSURE));
    thudi_plot_column(plotter, panel, "pressure_max", "largest");
    thudi_plot_column(plotter, panel, "pressure_mean", "mean");
}

// P(f / <f>) of the last frame: in packings it falls off as an exponential, a straight line here.
void thudi_plot_forces(thudi_plotter *plotter)
{
    const thud_snapshot *snapshot = &plotter->snapshot;
    double mean = 0, *x = plotter->derived.items, *p = x + BINS;
    if (snapshot->touch_count < FORCES)
        return;
    for (int i = 0; i < snapshot->touch_count; i++)
        mean += snapshot->force[i] / snapshot->touch_count;
    memset(p, 0, BINS * sizeof *p);
    for (int i = 0; i < snapshot->touch_count; i++)
    {
        double bin = floor(snapshot->force[i] / mean / BIN);
        if (bin < BINS)
            p[(int)bin] += 1 / (snapshot->touch_count * BIN);
    }
    for (int i = 0; i < BINS; i++)
        x[i] = (i + 0.5) * BIN;
    thudi_chart *chart = &plotter->chart;
    (void)snprintf(chart->label, sizeof chart->label,
                   "f / \xe2\x9f\xa8"
                   "f\xe2\x9f\xa9, %d contacts",
                   snapshot->touch_count);
    chart->count = 1;
    thudi_panel *panel = &chart->panels[0];
    *panel = (thudi_panel){.label = "P(f / \xe2\x9f\xa8"
                                    "f\xe2\x9f\xa9)",
                           .is_log = true,
                           .has_points = true,
                           .count = 1};
    panel->curves[0] = (thudi_curve){
        .name = "forces", .x = x, .y = p, .count = BINS, .x_stride = 1, .y_stride = 1};
}

static void add_profile(thudi_plotter *plotter, const thud_scene_measure *measure)
{
    thudi_panel *panel = &plotter->chart.panels[0];
    const thud_series_table *series = plotter->series;
    char name[2 * THUDI_CHART_LABEL];
    if (panel->count == THUDI_CURVES || series->row_count == 0)
        return;
    double *x = plotter->derived.items + (size_t)panel->count * THUDI_DERIVED;
    double *y = x + THUDI_DERIVED / 2;
    double low = measure->low[measure->axis], high = measure->high[measure->axis];
    const double *last = series->values + (series->row_count - 1) * (size_t)series->column_count;
    for (int i = 0; i < measure->bins; i++)
    {
        (void)snprintf(name, sizeof name, "%s.%d", measure->name, i);
        int column = thud_series_table_find(series, name);
        if (column < 0)
            return;
        x[i] = low + (high - low) * (i + 0.5) / measure->bins;
        y[i] = last[column];
    }
    thudi_curve *curve = &panel->curves[panel->count++];
    *curve =
        (thudi_curve){.x = x, .y = y, .count = (size_t)measure->bins, .x_stride = 1, .y_stride = 1};
    (void)snprintf(curve->name, sizeof curve->name, "%s, along %c", measure->name,
                   "xyz"[measure->axis]);
}

// Pressure over the position, at the last step.
void thudi_plot_profiles(thudi_plotter *plotter)
{
    const thud_scene *scene = plotter->def->scene;
    char unit[THUD_UNIT_SIZE];
    (void)thudi_plot_panel(plotter, "pressure of contacts, at the end",
                           thud_unit_text(unit, scene, scene->dim == 2 ? 0 : -1, -2, 1));
    plotter->chart.panels[0].has_points = true;
    thud_unit_text(unit, scene, 1, 0, 0);
    (void)snprintf(plotter->chart.label, sizeof plotter->chart.label,
                   unit[0] ? "position (%s)" : "position", unit);
    for (int i = 0; i < scene->measure_count; i++)
        if (scene->measures[i].kind == THUD_MEASURE_PRESSURE_PROFILE)
            add_profile(plotter, &scene->measures[i]);
}
