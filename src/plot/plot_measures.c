// Charts of the scene's measures, and of columns that were chosen, all driven by what the model
// says of a column of the series: a new kind of measure needs no code here.
#include "core/fault.h"
#include "plot/plotter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A logarithmic axis is for values this far apart; farther, the small ones are rounding.
static const double LEAST_RATIO = 1e3, LARGEST_RATIO = 1e12;

enum
{
    STACKED = 3, // panels of a chart of measures
    SHORT = 60,  // bytes of names that fit beside an axis
    WORD = 100   // bytes of a name at most
};

thud_status thudi_plot_describe(thudi_plotter *plotter)
{
    const char *const *names;
    int count = thud_model_series(plotter->def->model, &names);
    if (thudi_array_reserve(plotter->allocator, &plotter->columns, (size_t)count) < 0)
        return thudi_fail_memory(plotter->fault);
    for (int i = 0; i < count; i++)
    {
        thudi_plot_source *source = &plotter->columns.items[i];
        thud_model_series_column(plotter->def->model, i, &source->about);
        source->at = thud_series_table_find(plotter->series, names[i]);
        source->is_chosen = source->is_drawn = false;
    }
    plotter->column_count = count;
    return THUD_OK;
}

// Has the column a number that can be shown; with `moves`, one that is not 0?
static bool has_values(const thudi_plotter *plotter, int column, bool moves)
{
    const thud_series_table *series = plotter->series;
    int at = plotter->columns.items[column].at;
    for (size_t i = 0; i < series->row_count && at >= 0; i++)
    {
        double y = series->values[i * (size_t)series->column_count + (size_t)at];
        if (isfinite(y) && (y != 0 || !moves))
            return true;
    }
    return false;
}

static void add_curve(thudi_plotter *plotter, thudi_panel *panel, int column)
{
    thudi_plot_source *source = &plotter->columns.items[column];
    thudi_plot_column(plotter, panel, source->about.name, source->about.label);
    panel->is_whole = source->about.is_whole;
    source->is_drawn = true;
}

static bool ends_word(char c)
{
    return c == '\0' || c == ' ' || c == ',';
}

// How many bytes all names of the curves begin with, whole words.
static size_t common_words(const thudi_panel *panel)
{
    size_t length = strlen(panel->curves[0].name);
    for (int c = 1; c < panel->count; c++)
    {
        size_t same = 0;
        while (same < length && panel->curves[c].name[same] == panel->curves[0].name[same])
            same++;
        length = same;
    }
    for (bool is_whole = false; !is_whole && length > 0; length -= !is_whole)
    {
        is_whole = true;
        for (int c = 0; c < panel->count; c++)
            is_whole = is_whole && ends_word(panel->curves[c].name[length]);
    }
    return length;
}

// All names one after the other, if they are short together.
static void join_names(const thudi_panel *panel, char label[THUDI_CHART_LABEL])
{
    size_t used = 0;
    for (int c = 0; c < panel->count && used < SHORT; c++)
        used += (size_t)snprintf(label + used, THUDI_CHART_LABEL - used, "%s%.*s",
                                 c > 0 ? ", " : "", SHORT, panel->curves[c].name);
    if (used >= SHORT)
        label[0] = '\0';
}

// What all names begin with goes to the axis, the rest to the legend: "force on wall 'floor' (N)"
// with x and z. Names that have nothing in common are all on the axis, or else their unit.
static void set_words(thudi_panel *panel, const char *unit)
{
    char label[THUDI_CHART_LABEL];
    size_t common = common_words(panel);
    int used = snprintf(label, sizeof label, "%.*s", (int)common, panel->curves[0].name);
    while (used > 0 && label[used - 1] == ',')
        label[--used] = '\0';
    for (int c = 0; c < panel->count && used > 0 && panel->count > 1; c++)
    {
        char *name = panel->curves[c].name;
        size_t skip = common + strspn(name + common, " ,");
        if (name[skip])
            memmove(name, name + skip, strlen(name + skip) + 1);
    }
    if (used == 0)
        join_names(panel, label);
    if (label[0])
        thudi_plot_label(panel->label, label, unit);
    else
        thudi_plot_label(panel->label, unit[0] ? unit : "value", "");
}

// Values above 0 that span three powers of ten, from the first step on, get a logarithmic axis.
// More than twelve are those of something that came to rest.
static void choose_axis(thudi_panel *panel)
{
    double low = INFINITY, high = 0;
    for (int c = 0; c < panel->count; c++)
        for (size_t i = 1; i < panel->curves[c].count; i++)
        {
            double y = panel->curves[c].y[i * panel->curves[c].y_stride];
            if (!isfinite(y))
                continue;
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
    panel->is_log = low > 0 && high >= LEAST_RATIO * low && high <= LARGEST_RATIO * low;
}

static void finish(thudi_panel *panel, const char *unit)
{
    set_words(panel, unit);
    choose_axis(panel);
}

static bool has_same_start(const char *a, const char *b)
{
    size_t length = strcspn(a, " ");
    return length == strcspn(b, " ") && strncmp(a, b, length) == 0;
}

// Do two columns belong into one panel? Those that were chosen do if they have the same unit, or,
// without one, are both coordinates or begin with the same word.
static bool is_alike(const thudi_plotter *plotter, const thud_series_column *a,
                     const thud_series_column *b)
{
    const thud_scene_measure *measures = plotter->def->scene->measures;
    if (strcmp(a->unit, b->unit) != 0 || a->is_whole != b->is_whole)
        return false;
    if (plotter->def->columns)
        return a->unit[0] || has_same_start(a->label, b->label) ||
               (!strchr(a->label, ' ') && !strchr(b->label, ' '));
    return measures[a->measure].kind == measures[b->measure].kind &&
           has_same_start(a->label, b->label);
}

// In a crowd without densities every mass is 1, and the mass that passes is the count.
static bool has_unit_masses(const thud_scene *scene)
{
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].sphere.mass != 1)
            return false;
    return scene->order == THUD_FIRST_ORDER;
}

// A profile has a separate chart. A time_when is a number, not a curve.
static bool is_wanted(const thudi_plotter *plotter, int column)
{
    const thudi_plot_source *source = &plotter->columns.items[column];
    const thud_scene *scene = plotter->def->scene;
    if (source->about.measure < 0 || source->is_drawn || !has_values(plotter, column, false))
        return false;
    switch (scene->measures[source->about.measure].kind)
    {
    case THUD_MEASURE_PRESSURE_PROFILE:
    case THUD_MEASURE_TIME_WHEN:
        return false;
    case THUD_MEASURE_FLOW_THROUGH:
        return strcmp(source->about.component, "mass") != 0 || !has_unit_masses(scene);
    default:
        return true;
    }
}

// The columns of a measure that are like the first of the panel, if there is room for all. A
// component that is 0 throughout is left out unless all are.
static void add_measure(thudi_plotter *plotter, thudi_panel *panel, int measure, int first)
{
    int list[THUDI_CURVES], count = 0, moving = 0;
    const thud_series_column *like = &plotter->columns.items[first].about;
    for (int i = first; i < plotter->column_count && count < THUDI_CURVES; i++)
        if (plotter->columns.items[i].about.measure == measure && is_wanted(plotter, i) &&
            is_alike(plotter, like, &plotter->columns.items[i].about))
            list[count++] = i;
    for (int i = 0; i < count; i++)
        moving += has_values(plotter, list[i], true);
    if (panel->count > 0 && panel->count + (moving > 0 ? moving : count) > THUDI_CURVES)
        return;
    for (int i = 0; i < count; i++)
    {
        if (moving == 0 || has_values(plotter, list[i], true))
            add_curve(plotter, panel, list[i]);
        plotter->columns.items[list[i]].is_drawn = true;
    }
}

// Measures of a kind share a panel. What is left is drawn in the next part.
void thudi_plot_measures(thudi_plotter *plotter)
{
    const thud_scene *scene = plotter->def->scene;
    for (int first = 0; first < plotter->column_count; first++)
    {
        if (!is_wanted(plotter, first))
            continue;
        if (plotter->chart.count == STACKED)
            return;
        const thud_series_column *about = &plotter->columns.items[first].about;
        thudi_panel *panel = thudi_plot_panel(plotter, "", "");
        for (int i = about->measure; i < scene->measure_count; i++)
            add_measure(plotter, panel, i, first);
        finish(panel, about->unit);
    }
}

static bool is_name(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

// Mark the column of that name, or all columns of a measure of that name.
static bool mark(thudi_plotter *plotter, const char *word, size_t length)
{
    const thud_scene *scene = plotter->def->scene;
    bool is_found = false;
    for (int i = 0; i < plotter->column_count; i++)
    {
        thudi_plot_source *source = &plotter->columns.items[i];
        int measure = source->about.measure;
        if (!is_name(word, length, source->about.name) &&
            (measure < 0 || !is_name(word, length, scene->measures[measure].name)))
            continue;
        is_found = source->is_chosen = true;
    }
    return is_found;
}

static thud_status fail_word(const thudi_plotter *plotter, const char *word, size_t length)
{
    const char *const *names;
    char hint[WORD + 40] = "the first line of series.csv lists the columns";
    int count = thud_model_series(plotter->def->model, &names);
    const char *nearest = thud_nearest(word, length, names, (size_t)count);
    const thud_scene *scene = plotter->def->scene;
    for (int i = 0; i < scene->measure_count && !nearest; i++)
        nearest = thud_nearest(word, length, &scene->measures[i].name, 1);
    if (nearest)
        (void)snprintf(hint, sizeof hint, "did you mean '%.*s'?", WORD, nearest);
    return thudi_fail(plotter->fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, hint,
                      "the series has no column '%.*s'", length < WORD ? (int)length : WORD, word);
}

static thud_status mark_all(thudi_plotter *plotter)
{
    const char *rest = plotter->def->columns;
    for (bool is_more = true; is_more;)
    {
        size_t length = strcspn(rest, ",");
        if (!mark(plotter, rest, length))
            return fail_word(plotter, rest, length);
        is_more = rest[length] == ',';
        rest += length + is_more;
    }
    return THUD_OK;
}

thud_status thudi_plot_chosen(thudi_plotter *plotter)
{
    thudi_plot_source *sources = plotter->columns.items;
    THUD_TRY(mark_all(plotter));
    for (int first = 0; first < plotter->column_count; first++)
    {
        if (!sources[first].is_chosen || sources[first].is_drawn)
            continue;
        if (plotter->chart.count == THUDI_PANELS)
        {
            return thudi_fail(plotter->fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE,
                              "choose fewer columns", "the chart would have more than %d panels",
                              THUDI_PANELS);
        }
        thudi_panel *panel = thudi_plot_panel(plotter, "", "");
        for (int i = first; i < plotter->column_count && panel->count < THUDI_CURVES; i++)
            if (sources[i].is_chosen && !sources[i].is_drawn &&
                is_alike(plotter, &sources[first].about, &sources[i].about))
                add_curve(plotter, panel, i);
        finish(panel, sources[first].about.unit);
    }
    return THUD_OK;
}
