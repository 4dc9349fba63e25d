// The charts of a run: a table of them, and those that every scene has.
#include "colors/body_values.h"
#include "core/fault.h"
#include "plot/plotter.h"

#include <stdio.h>
#include <string.h>

// Larger values are left out: a ratio of figures may overflow.
static const double LARGEST = 1e300;

static const struct
{
    const char *name;
    thudi_chart_fn *make;
    bool spheres, inclusions;
    bool has_parts; // further ones of what is left, while there is any
} charts[] = {
    {"measures", thudi_plot_measures, true, true, true},
    {"coordinates", thudi_plot_coordinates, false, true, false},
    {"phase", thudi_plot_phase, false, true, false},
    {"path", thudi_plot_path, false, true, false},
    {"energies", thudi_plot_energies, true, true, false},
    {"pressures", thudi_plot_pressures, true, false, false},
    {"impulses", thudi_plot_impulses, true, true, false},
    {"contacts", thudi_plot_contacts, true, true, false},
    {"certificates", thudi_plot_certificates, true, true, false},
    {"profiles", thudi_plot_profiles, true, false, false},
    {"forces", thudi_plot_forces, true, false, false},
};

void thudi_plot_label(char text[THUDI_CHART_LABEL], const char *name, const char *unit)
{
    (void)snprintf(text, THUDI_CHART_LABEL, unit[0] ? "%.150s (%.40s)" : "%.150s", name, unit);
}

thudi_panel *thudi_plot_panel(thudi_plotter *plotter, const char *name, const char *unit)
{
    thudi_chart *chart = &plotter->chart;
    char time[THUD_UNIT_SIZE];
    thudi_plot_label(chart->label, "t", thud_unit_text(time, plotter->def->scene, 0, 1, 0));
    thudi_panel *panel = &chart->panels[chart->count++];
    thudi_plot_label(panel->label, name, unit);
    return panel;
}

static const double *column_of(const thudi_plotter *plotter, const char *name)
{
    int column = thud_series_table_find(plotter->series, name);
    return column >= 0 ? plotter->series->values + column : NULL;
}

static void add_curve(thudi_plotter *plotter, thudi_panel *panel, const double *y, size_t y_stride,
                      const char *shown)
{
    const double *t = column_of(plotter, "t");
    if (!t || !y || panel->count == THUDI_CURVES)
        return;
    thudi_curve *curve = &panel->curves[panel->count++];
    *curve = (thudi_curve){.x = t,
                           .y = y,
                           .count = plotter->series->row_count,
                           .x_stride = (size_t)plotter->series->column_count,
                           .y_stride = y_stride};
    (void)snprintf(curve->name, sizeof curve->name, "%.*s", THUDI_CHART_LABEL - 1, shown);
}

void thudi_plot_column(thudi_plotter *plotter, thudi_panel *panel, const char *name,
                       const char *shown)
{
    add_curve(plotter, panel, column_of(plotter, name), (size_t)plotter->series->column_count,
              shown);
}

bool thudi_plot_differs(const thudi_plotter *plotter, const char *name)
{
    const double *y = column_of(plotter, name);
    size_t width = (size_t)plotter->series->column_count;
    for (size_t i = 0; i < plotter->series->row_count && y; i++)
        if (y[i * width] != 0)
            return true;
    return false;
}

void thudi_plot_energies(thudi_plotter *plotter)
{
    char unit[THUD_UNIT_SIZE];
    if (column_of(plotter, "pressure_max")) // a crowd has none
        return;
    size_t width = (size_t)plotter->series->column_count;
    thudi_panel *panel =
        thudi_plot_panel(plotter, "energy", thud_unit_text(unit, plotter->def->scene, 2, -2, 1));
    const double *kinetic = column_of(plotter, "kinetic");
    const double *potential = column_of(plotter, "potential");
    thudi_plot_column(plotter, panel, "kinetic", "kinetic");
    if (!kinetic || !potential)
        return;
    thudi_plot_column(plotter, panel, "potential", "potential");
    for (size_t i = 0; i < plotter->series->row_count; i++)
        plotter->derived.items[i] = kinetic[i * width] + potential[i * width];
    add_curve(plotter, panel, plotter->derived.items, 1, "sum");
}

// The sum of force times step up to each node.
static double sum_up(const thudi_plotter *plotter, const double *force, double *sum)
{
    const double *t = column_of(plotter, "t");
    size_t width = (size_t)plotter->series->column_count;
    double total = 0;
    for (size_t i = 0; i < plotter->series->row_count && t; i++)
    {
        if (i > 0)
            total += force[i * width] * (t[i * width] - t[(i - 1) * width]);
        if (sum)
            sum[i] = total;
    }
    return total;
}

static const char *force_name(const thud_scene *scene, int i)
{
    return scene->kind == THUD_SCENE_SPHERES ? thud_scene_wall_name(scene, i)
                                             : scene->constraints[i].name;
}

static const double *force_column(const thudi_plotter *plotter, int i)
{
    char name[2 * THUDI_CHART_LABEL];
    (void)snprintf(name, sizeof name, "force.%s", force_name(plotter->def->scene, i));
    return column_of(plotter, name);
}

// The walls or constraints with the largest impulses, in the order of the scene; *all is how many
// have any.
static int choose_largest(const thudi_plotter *plotter, int count, int chosen[THUDI_CURVES],
                          int *all)
{
    double totals[THUDI_CURVES];
    int found = 0;
    *all = 0;
    for (int i = 0; i < count; i++)
    {
        const double *force = force_column(plotter, i);
        double total = force ? sum_up(plotter, force, NULL) : 0;
        int least = 0;
        *all += total > 0;
        for (int k = 1; k < found; k++)
            least = totals[k] < totals[least] ? k : least;
        if (!(total > 0) || (found == THUDI_CURVES && total <= totals[least]))
            continue;
        if (found == THUDI_CURVES)
        {
            found--;
            memmove(chosen + least, chosen + least + 1, (size_t)(found - least) * sizeof *chosen);
            memmove(totals + least, totals + least + 1, (size_t)(found - least) * sizeof *totals);
        }
        totals[found] = total;
        chosen[found++] = i;
    }
    return found;
}

// Multipliers as measures: what walls or constraints have given up to each time.
void thudi_plot_impulses(thudi_plotter *plotter)
{
    const thud_scene *scene = plotter->def->scene;
    bool is_first = scene->order == THUD_FIRST_ORDER;
    int count = scene->kind == THUD_SCENE_SPHERES ? scene->wall_count + scene->obstacle_count
                                                  : scene->constraint_count;
    int chosen[THUDI_CURVES], all, found = choose_largest(plotter, count, chosen, &all);
    char unit[THUD_UNIT_SIZE], label[THUDI_CHART_LABEL];
    if (found == 0)
        return;
    const char *what = is_first ? "multiplier" : "impulse";
    int used = snprintf(label, sizeof label, "%s, summed up", what);
    if (found == 1) // there is no legend to name it
        (void)snprintf(label, sizeof label, "%s of %s '%.100s', summed up", what,
                       scene->kind == THUD_SCENE_SPHERES ? "wall" : "constraint",
                       force_name(scene, chosen[0]));
    else if (found < all)
        (void)snprintf(label + used, sizeof label - (size_t)used, ", %d of %d", found, all);
    thudi_panel *panel =
        thudi_plot_panel(plotter, label, is_first ? "" : thud_unit_text(unit, scene, 1, -1, 1));
    for (int k = 0; k < found; k++)
    {
        double *sum = plotter->derived.items + (size_t)k * plotter->series->row_count;
        (void)sum_up(plotter, force_column(plotter, chosen[k]), sum);
        add_curve(plotter, panel, sum, 1, force_name(scene, chosen[k]));
    }
}

static bool has_positive(const thudi_plotter *plotter, const char *name)
{
    const double *y = column_of(plotter, name);
    size_t width = (size_t)plotter->series->column_count;
    for (size_t i = 0; i < plotter->series->row_count && y; i++)
        if (y[i * width] > 0 && y[i * width] <= LARGEST)
            return true;
    return false;
}

// Contacts, and the work to find their forces.
void thudi_plot_contacts(thudi_plotter *plotter)
{
    bool spheres = plotter->def->scene->kind == THUD_SCENE_SPHERES;
    thudi_panel *panel =
        thudi_plot_panel(plotter, spheres ? "contacts that carry load" : "active constraints", "");
    panel->is_whole = true;
    thudi_plot_column(plotter, panel, "contacts", "contacts");
    if (!has_positive(plotter, "sweeps"))
        return;
    panel = thudi_plot_panel(plotter, "sweeps of the solver", "");
    panel->is_whole = true;
    thudi_plot_column(plotter, panel, "sweeps", "sweeps");
}

// Gaps and bounds on a logarithmic scale: zeros, which are best, are not on it.
void thudi_plot_certificates(thudi_plotter *plotter)
{
    static const struct
    {
        int panel;
        const char *column, *shown;
    } rows[] = {{0, "min_gap", "smallest gap"},    {0, "violation", "violation"},
                {0, "backward", "backward bound"}, {0, "between", "bound between nodes"},
                {1, "forward", "forward bound"},   {2, "kkt", "residual"}};
    static const char *const labels[] = {"gap", "forward bound", "relative residual"};
    thudi_panel *panels[3] = {NULL, NULL, NULL};
    char unit[THUD_UNIT_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
        int at = rows[i].panel;
        if (!has_positive(plotter, rows[i].column))
            continue;
        if (!panels[at])
            panels[at] =
                thudi_plot_panel(plotter, labels[at],
                                 at == 0 ? thud_unit_text(unit, plotter->def->scene, 1, 0, 0) : "");
        panels[at]->is_log = true;
        thudi_plot_column(plotter, panels[at], rows[i].column, rows[i].shown);
    }
}

static thud_status write_chart(const thudi_plotter *plotter, const thudi_picture_folder *output,
                               const char *name)
{
    THUD_TRY(thudi_chart_write(&plotter->chart, output, name));
    if (plotter->def->written)
        plotter->def->written(name, plotter->def->user);
    return THUD_OK;
}

static thud_status write_charts(thudi_plotter *plotter, const thudi_picture_folder *output)
{
    bool spheres = plotter->def->scene->kind == THUD_SCENE_SPHERES;
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
    {
        bool has_more = spheres ? charts[i].spheres : charts[i].inclusions;
        for (int part = 1; has_more; part++)
        {
            char name[THUDI_CHART_LABEL];
            plotter->chart = (thudi_chart){.count = 0};
            charts[i].make(plotter);
            if (!thudi_chart_has_points(&plotter->chart))
                break;
            (void)snprintf(name, sizeof name, part == 1 ? "%s" : "%s-%d", charts[i].name, part);
            THUD_TRY(write_chart(plotter, output, name));
            has_more = charts[i].has_parts;
        }
    }
    return THUD_OK;
}

static thud_status write_chosen(thudi_plotter *plotter, thudi_picture_folder *output)
{
    THUD_TRY(thudi_plot_chosen(plotter));
    if (!thudi_chart_has_points(&plotter->chart))
    {
        return thudi_fail(plotter->fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "these columns have no finite number");
    }
    THUD_TRY(thudi_picture_folder_open(output, plotter->def->folder));
    return write_chart(plotter, output, "columns");
}

static thud_status plot(thudi_plotter *plotter, thudi_picture_folder *output)
{
    const thud_plot_def *def = plotter->def;
    thud_snapshot_def run = {
        .scene = def->scene, .model = def->model, .log = def->log, .allocator = plotter->allocator};
    int64_t count = thud_log_view(def->log).frame_count;
    THUD_TRY(
        thud_series_table_read(def->run, plotter->allocator, &plotter->series, plotter->fault));
    THUD_TRY(thudi_plot_describe(plotter));
    if (def->columns)
        return write_chosen(plotter, output);
    THUD_TRY(thud_snapshot_open(&run, &plotter->reader, plotter->fault));
    if (count > 0)
        THUD_TRY(
            thud_snapshot_read(plotter->reader, count - 1, &plotter->snapshot, plotter->fault));
    size_t room = (plotter->series->row_count + THUDI_DERIVED) * THUDI_CURVES;
    if (thudi_array_reserve(plotter->allocator, &plotter->derived, room) < 0)
        return thudi_fail_memory(plotter->fault);
    THUD_TRY(thudi_picture_folder_open(output, def->folder));
    return write_charts(plotter, output);
}

thud_status thud_plot(const thud_plot_def *def, thud_fault *fault)
{
    if (!def->scene || !def->model || !def->log || !def->run || !def->folder || !def->folder[0] ||
        thud_log_view(def->log).dim != thud_model_problem(def->model)->dim)
    {
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "charts need a scene, its log, and two folders");
    }
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thudi_plotter plotter = {.def = def, .allocator = &allocator, .fault = fault};
    thudi_picture_folder output = {.folder = -1, .allocator = &allocator, .fault = fault};
    thud_status status = plot(&plotter, &output);
    thudi_picture_folder_close(&output);
    thud_series_table_destroy(plotter.series);
    thud_snapshot_close(plotter.reader);
    thudi_array_free(&allocator, &plotter.derived);
    thudi_array_free(&allocator, &plotter.columns);
    return status;
}
