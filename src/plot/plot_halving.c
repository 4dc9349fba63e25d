// The chart of one measure over the step: its values, and how much each halving changes them.
#include "core/fault.h"
#include "plot/chart.h"
#include "thud/show.h"

#include <math.h>
#include <stdio.h>

enum
{
    MOST_LEVELS = 16
};

typedef struct points
{
    double h[MOST_LEVELS], value[MOST_LEVELS], low[MOST_LEVELS], high[MOST_LEVELS],
        change[MOST_LEVELS];
} points;

static void add_curve(thudi_panel *panel, const char *name, const double *x, const double *y,
                      int count)
{
    thudi_curve *curve = &panel->curves[panel->count++];
    *curve = (thudi_curve){.x = x, .y = y, .count = (size_t)count, .x_stride = 1, .y_stride = 1};
    (void)snprintf(curve->name, sizeof curve->name, "%s", name);
}

static void fill_chart(const thud_halving_result *result, const char *label, points *p,
                       thudi_chart *chart)
{
    int count = result->level_count;
    bool has_changes = false;
    for (int i = 0; i < count; i++)
    {
        const thud_halving_level *level = &result->levels[i];
        p->h[i] = level->h;
        p->value[i] = level->value;
        p->low[i] = level->value - level->scatter;
        p->high[i] = level->value + level->scatter;
        p->change[i] = fabs(level->change);
        has_changes = has_changes || p->change[i] > 0;
    }
    (void)snprintf(chart->label, sizeof chart->label, "step h");
    thudi_panel *values = &chart->panels[chart->count++];
    (void)snprintf(values->label, sizeof values->label, "%s", label);
    values->has_points = true;
    add_curve(values, "value", p->h, p->value, count);
    if (result->seed_count > 1)
    {
        add_curve(values, "less the scatter of seeds", p->h, p->low, count);
        add_curve(values, "plus the scatter of seeds", p->h, p->high, count);
    }
    if (!has_changes)
        return;
    thudi_panel *changes = &chart->panels[chart->count++];
    (void)snprintf(changes->label, sizeof changes->label, "change from 2h to h");
    changes->has_points = changes->is_log = true;
    add_curve(changes, "change", p->h, p->change, count);
}

thud_status thud_plot_halving(const thud_halving_result *result, const char *label,
                              const char *folder, const char *name, const thud_allocator *allocator,
                              thud_fault *fault)
{
    thud_allocator own = thudi_allocator_or_default(allocator);
    thudi_picture_folder output = {.folder = -1, .allocator = &own, .fault = fault};
    thudi_chart chart = {.is_path = true, .has_log_steps = true};
    points p;
    if (!folder || !folder[0] || result->level_count < 1 || result->level_count > MOST_LEVELS)
    {
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "a chart needs a result and a folder");
    }
    fill_chart(result, label, &p, &chart);
    if (!thudi_chart_has_points(&chart))
        return THUD_OK;
    thud_status status = thudi_picture_folder_open(&output, folder);
    if (status == THUD_OK)
        status = thudi_chart_write(&chart, &output, name);
    thudi_picture_folder_close(&output);
    return status;
}
