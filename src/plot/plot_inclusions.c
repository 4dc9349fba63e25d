// Charts that inclusions have: coordinates over time, the phase plane, the path of two coordinates.
#include "plot/plotter.h"

#include <stdio.h>

// The curve of one column over another.
static void add_pair(thudi_plotter *plotter, thudi_panel *panel, const char *x, const char *y,
                     const char *shown)
{
    const thud_series_table *series = plotter->series;
    int a = thud_series_table_find(series, x), b = thud_series_table_find(series, y);
    if (a < 0 || b < 0 || panel->count == THUDI_CURVES)
        return;
    size_t width = (size_t)series->column_count;
    thudi_curve *curve = &panel->curves[panel->count++];
    *curve = (thudi_curve){.x = series->values + a,
                           .y = series->values + b,
                           .count = series->row_count,
                           .x_stride = width,
                           .y_stride = width};
    (void)snprintf(curve->name, sizeof curve->name, "%s", shown);
}

void thudi_plot_coordinates(thudi_plotter *plotter)
{
    const thud_scene *scene = plotter->def->scene;
    int count = scene->coordinate_count;
    // as many in each panel as have colours of their own
    for (int first = 0; first < count && first < THUDI_PANELS * THUDI_CURVES; first += THUDI_CURVES)
    {
        thudi_panel *panel =
            thudi_plot_panel(plotter, count == 1 ? scene->coordinates[0].name : "coordinates", "");
        for (int i = first; i < count && i < first + THUDI_CURVES; i++)
            thudi_plot_column(plotter, panel, scene->coordinates[i].name,
                              scene->coordinates[i].name);
    }
}

void thudi_plot_phase(thudi_plotter *plotter)
{
    const thud_scene *scene = plotter->def->scene;
    char name[2 * THUDI_CHART_LABEL];
    int count = scene->coordinate_count;
    if (count == 1)
        (void)snprintf(name, sizeof name, "velocity of %.90s", scene->coordinates[0].name);
    else if (count <= THUDI_CURVES)
        (void)snprintf(name, sizeof name, "velocity");
    else
        (void)snprintf(name, sizeof name, "velocity, %d of %d", THUDI_CURVES, count);
    thudi_panel *panel = thudi_plot_panel(plotter, name, "");
    plotter->chart.is_path = true;
    (void)snprintf(plotter->chart.label, sizeof plotter->chart.label, "%s",
                   count == 1 ? scene->coordinates[0].name : "coordinate");
    for (int i = 0; i < count; i++)
    {
        (void)snprintf(name, sizeof name, "u.%s", scene->coordinates[i].name);
        add_pair(plotter, panel, scene->coordinates[i].name, name, scene->coordinates[i].name);
    }
}

void thudi_plot_path(thudi_plotter *plotter)
{
    const thud_scene *scene = plotter->def->scene;
    if (scene->coordinate_count != 2)
        return;
    const char *x = scene->coordinates[0].name, *y = scene->coordinates[1].name;
    thudi_panel *panel = thudi_plot_panel(plotter, y, "");
    plotter->chart.is_path = plotter->chart.is_equal = true;
    (void)snprintf(plotter->chart.label, sizeof plotter->chart.label, "%s", x);
    add_pair(plotter, panel, x, y, "path");
}
