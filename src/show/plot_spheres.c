// Charts that scenes of spheres have: measures, the distribution of contact forces.
#include "show/body_values.h"
#include "show/plotter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    BINS = 60,
    FORCES = 20 // that a distribution takes at least
};

static const double BIN = 0.25; // of the mean force

static void add_forces(thudi_plotter *plotter, const thud_scene_measure *measure,
                       thudi_panel *panel)
{
    static const char *const axes[] = {"x", "y", "z"};
    char name[2 * THUDI_CHART_LABEL];
    for (int k = 0; k < plotter->def->scene->dim && k < 3; k++)
    {
        (void)snprintf(name, sizeof name, "%s.%s", measure->name, axes[k]);
        // a wall along an axis has one component that is not 0
        if (thudi_plot_differs(plotter, name))
            thudi_plot_column(plotter, panel, name, name);
    }
}

// Forces on walls in one panel, counts of bodies in another.
void thudi_plot_measures(thudi_plotter *plotter)
{
    const thud_scene *scene = plotter->def->scene;
    char unit[THUDI_UNIT_SIZE];
    for (int kind = THUD_MEASURE_FORCE_ON; kind <= THUD_MEASURE_COUNT_THROUGH; kind++)
    {
        bool is_force = kind == THUD_MEASURE_FORCE_ON;
        thudi_panel *panel = NULL;
        for (int i = 0; i < scene->measure_count; i++)
        {
            const thud_scene_measure *measure = &scene->measures[i];
            if ((int)measure->kind != kind)
                continue;
            if (!panel)
                panel = thudi_plot_panel(plotter, is_force ? "force" : "bodies passed",
                                         is_force ? thudi_unit(unit, scene, 1, -2, 1) : "");
            panel->is_whole = !is_force;
            if (is_force)
                add_forces(plotter, measure, panel);
            else
                thudi_plot_column(plotter, panel, measure->name, measure->name);
        }
    }
}

// How hard the bodies of a crowd are pressed.
void thudi_plot_pressures(thudi_plotter *plotter)
{
    char unit[THUDI_UNIT_SIZE];
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
    const thudi_shot *shot = &plotter->shooter.shot;
    double mean = 0, *x = plotter->derived.items, *p = x + BINS;
    if (shot->touch_count < FORCES)
        return;
    for (int i = 0; i < shot->touch_count; i++)
        mean += shot->force[i] / shot->touch_count;
    memset(p, 0, BINS * sizeof *p);
    for (int i = 0; i < shot->touch_count; i++)
    {
        double bin = floor(shot->force[i] / mean / BIN);
        if (bin < BINS)
            p[(int)bin] += 1 / (shot->touch_count * BIN);
    }
    for (int i = 0; i < BINS; i++)
        x[i] = (i + 0.5) * BIN;
    thudi_chart *chart = &plotter->chart;
    (void)snprintf(chart->label, sizeof chart->label,
                   "f / \xe2\x9f\xa8"
                   "f\xe2\x9f\xa9, %d contacts",
                   shot->touch_count);
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
