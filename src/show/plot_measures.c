// Charts of what scenes of spheres measure besides forces on walls and counts.
#include "show/body_values.h"
#include "show/plotter.h"

#include <stdio.h>
#include <string.h>

// Columns NAME.SUFFIX of all measures of a kind that are not 0 throughout, in one panel.
static void add_panel(thudi_plotter *plotter, thud_measure_kind kind, const char *const *suffixes,
                      const char *label, const char *unit)
{
    const thud_scene *scene = plotter->def->scene;
    thudi_panel *panel = NULL;
    char name[2 * THUDI_CHART_LABEL];
    for (int i = 0; i < scene->measure_count; i++)
        for (int k = 0; scene->measures[i].kind == kind && suffixes[k]; k++)
        {
            (void)snprintf(name, sizeof name, "%s%s", scene->measures[i].name, suffixes[k]);
            if (!thudi_plot_differs(plotter, name))
                continue;
            if (!panel)
                panel = thudi_plot_panel(plotter, label, unit);
            thudi_plot_column(plotter, panel, name, name);
        }
}

void thudi_plot_torques(thudi_plotter *plotter)
{
    static const char *const axes[] = {".x", ".y", ".z", NULL};
    char unit[THUDI_UNIT_SIZE];
    thudi_unit(unit, plotter->def->scene, 2, -2, 1);
    // a torque has the dimension of an energy, but is none
    add_panel(plotter, THUD_MEASURE_TORQUE_ON, axes, "torque",
              strcmp(unit, "J") == 0 ? "N m" : unit);
}

void thudi_plot_flows(thudi_plotter *plotter)
{
    static const char *const count[] = {".count", NULL}, *const mass[] = {".mass", NULL};
    char unit[THUDI_UNIT_SIZE];
    add_panel(plotter, THUD_MEASURE_FLOW_THROUGH, count, "bodies passed", "");
    if (plotter->chart.count > 0)
        plotter->chart.panels[0].is_whole = true;
    add_panel(plotter, THUD_MEASURE_FLOW_THROUGH, mass, "mass passed",
              thudi_unit(unit, plotter->def->scene, 0, 0, 1));
}

static const char *pressure_unit(char unit[THUDI_UNIT_SIZE], const thud_scene *scene)
{
    return thudi_unit(unit, scene, scene->dim == 2 ? 0 : -1, -2, 1);
}

void thudi_plot_stresses(thudi_plotter *plotter)
{
    static const char *const pressure[] = {".pressure", NULL};
    static const char *const parts[] = {".xx", ".yy", ".zz", ".xy", ".xz", ".yz", NULL};
    char unit[THUDI_UNIT_SIZE];
    pressure_unit(unit, plotter->def->scene);
    add_panel(plotter, THUD_MEASURE_STRESS, pressure, "pressure of contacts", unit);
    add_panel(plotter, THUD_MEASURE_STRESS, parts, "stress of contacts", unit);
}

void thudi_plot_packing(thudi_plotter *plotter)
{
    static const char *const none[] = {"", NULL}, *const means[] = {".mean", ".loaded", NULL};
    add_panel(plotter, THUD_MEASURE_PACKING_FRACTION, none, "packing fraction", "");
    add_panel(plotter, THUD_MEASURE_COORDINATION, means, "loaded contacts per body", "");
}

static void add_profile(thudi_plotter *plotter, const thud_scene_measure *measure)
{
    thudi_panel *panel = &plotter->chart.panels[0];
    const thudi_series *series = &plotter->series;
    char name[2 * THUDI_CHART_LABEL];
    if (panel->count == THUDI_CURVES || series->row_count == 0)
        return;
    double *x = plotter->derived.items + (size_t)panel->count * THUDI_DERIVED;
    double *y = x + THUDI_DERIVED / 2;
    double low = measure->low[measure->axis], high = measure->high[measure->axis];
    const double *last =
        series->values.items + (series->row_count - 1) * (size_t)series->column_count;
    for (int i = 0; i < measure->bins; i++)
    {
        (void)snprintf(name, sizeof name, "%s.%d", measure->name, i);
        int column = thudi_series_find(series, name);
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
    char unit[THUDI_UNIT_SIZE];
    (void)thudi_plot_panel(plotter, "pressure of contacts, at the end", pressure_unit(unit, scene));
    plotter->chart.panels[0].has_points = true;
    thudi_unit(unit, scene, 1, 0, 0);
    (void)snprintf(plotter->chart.label, sizeof plotter->chart.label,
                   unit[0] ? "position (%s)" : "position", unit);
    for (int i = 0; i < scene->measure_count; i++)
        if (scene->measures[i].kind == THUD_MEASURE_PRESSURE_PROFILE)
            add_profile(plotter, &scene->measures[i]);
}
