// thud converge --measure: reads the options, runs the scene at h, h/2, h/4 ... and prints how the
// measure changes.
#include "converge_measure.h"

#include "progress.h"
#include "report.h"
#include "scene_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thud/show.h>

static int show_progress(double part, void *user)
{
    cli_progress *progress = user;
    if (cli_progress_is_due(progress, part))
        cli_progress_show(progress, "of the runs");
    return 0;
}

int cli_converge_asks_measure(const cli_call *call, bool *asks)
{
    static const char *const dependent[] = {"statistic", "from", "to", "while", "seeds"};
    *asks = cli_has(call, "measure");
    for (size_t i = 0; i < sizeof dependent / sizeof *dependent && !*asks; i++)
        if (cli_has(call, dependent[i]))
            return cli_fail_usage("such as --measure out", "--%s needs --measure", dependent[i]);
    if (*asks && cli_has(call, "reference"))
        return cli_fail_usage("leave --reference out",
                              "--measure compares runs with each other: there is no reference");
    return CLI_DONE;
}

// `text` names no single column. Print an error that lists the measure's columns, or suggests the
// nearest name. Returns CLI_USAGE.
static int fail_column(const thud_model *model, const char *text, size_t length)
{
    const char *const *names;
    int count = thud_model_series(model, &names);
    char hint[300] = "the first line of a run's series.csv names all columns";
    size_t used = 0;
    for (int i = 0; i < count; i++) // the columns of a measure NAME are NAME.COMPONENT
        if (strncmp(names[i], text, length) == 0 && names[i][length] == '.')
            used += (size_t)snprintf(hint + used, used < 200 ? 80 : 0, "%s%.60s",
                                     used ? ", " : "choose one of: ", names[i]);
    if (used > 0)
        return cli_fail_usage(hint, "'%.*s' has several columns", (int)length, text);
    const char *near = thud_nearest(text, length, names, count);
    if (near)
        (void)snprintf(hint, sizeof hint, "did you mean '%.200s'?", near);
    return cli_fail_usage(hint, "the scene measures nothing called '%.*s'", (int)length, text);
}

// Find the column called `text`, or the only column of the measure called `text`.
static int find_column(const thud_model *model, const char *text, size_t length, int *column)
{
    const char *const *names;
    int count = thud_model_series(model, &names), component_count = 0;
    for (int i = 0; i < count; i++)
    {
        bool is_prefix = strncmp(names[i], text, length) == 0;
        if (is_prefix && names[i][length] == '\0')
        {
            *column = i;
            return CLI_DONE;
        }
        if (is_prefix && names[i][length] == '.' && component_count++ == 0)
            *column = i;
    }
    return component_count == 1 ? CLI_DONE : fail_column(model, text, length);
}

// Read --while NAME=LOW:HIGH. NAME is the guide, the column that limits the window. LOW:HIGH alone
// makes the studied column the guide.
static int read_while(const cli_call *call, const thud_model *model, thud_halving_def *def)
{
    const char *text = cli_value(call, "while", NULL);
    def->guide = def->column;
    if (!text)
        return CLI_DONE;
    const char *equals = strrchr(text, '='), *range = equals ? equals + 1 : text;
    int code = equals ? find_column(model, text, (size_t)(equals - text), &def->guide) : CLI_DONE;
    const char *colon = strchr(range, ':');
    thud_window *window = &def->window;
    window->has_guide = true;
    if (code == CLI_DONE &&
        (!colon || !thud_number_read(range, (size_t)(colon - range), &window->low) ||
         !thud_number_read(colon + 1, strlen(colon + 1), &window->high) ||
         window->low == window->high))
        return cli_fail_usage("such as --while out=170:500",
                              "--while is NAME=LOW:HIGH with two different numbers, not '%s'",
                              text);
    return code;
}

// Without the option, *value stays as it is.
static int read_number(const cli_call *call, const char *option, double *value)
{
    const char *text = cli_value(call, option, NULL);
    if (text && !(thud_number_read(text, strlen(text), value) && isfinite(*value)))
        return cli_fail_usage("such as 0.5", "--%s is a number, not '%s'", option, text);
    return CLI_DONE;
}

// Without the option, *value stays as it is. least, most: the range that is allowed.
static int read_count(const cli_call *call, const char *option, int least, int most, int *value)
{
    const char *text = cli_value(call, option, NULL);
    char hint[80];
    if (!text)
        return CLI_DONE;
    // At most five digits, which fit into an int. -1 is below every range.
    size_t digits = strspn(text, "0123456789");
    *value = digits > 0 && digits < 6 && !text[digits] ? (int)strtol(text, NULL, 10) : -1;
    if (*value >= least && *value <= most)
        return CLI_DONE;
    (void)snprintf(hint, sizeof hint, "such as --%s 5", option);
    return cli_fail_usage(hint, "--%s is a number from %d to %d, not '%s'", option, least, most,
                          text);
}

// Read --from and --to, times in the scene's unit. Without --to, the window ends with the run.
static int read_window(const cli_call *call, const thud_scene *scene, thud_window *window)
{
    int code = read_number(call, "from", &window->from);
    if (code == CLI_DONE)
        code = read_number(call, "to", &window->to);
    double to = isinf(window->to) ? scene->end : window->to;
    if (code == CLI_DONE && (window->from >= to || to > scene->end || to <= scene->start))
        return cli_fail_usage("give times of the run, --from below --to",
                              "the window must be within the run, from t = %g to %g", scene->start,
                              scene->end);
    return code;
}

static int read_statistic(const cli_call *call, thud_statistic *statistic)
{
    const char *text = cli_value(call, "statistic", "end");
    for (int i = 0; i < THUD_STATISTIC_COUNT; i++)
        if (strcmp(text, thud_statistic_name((thud_statistic)i)) == 0)
            *statistic = (thud_statistic)i;
    return CLI_DONE; // the option parser has refused any other word
}

// The unit of a rate is UNIT/TIME. It is empty if the scene does not name its unit of time. The
// other statistics have the unit of the column.
static void set_unit(thud_measured *measured)
{
    const char *unit = measured->column.unit, *time = measured->scene->unit_time;
    if (measured->def.statistic != THUD_STATISTIC_RATE || !time[0])
        (void)snprintf(measured->unit, sizeof measured->unit, "%s",
                       measured->def.statistic == THUD_STATISTIC_RATE ? "" : unit);
    else
        (void)snprintf(measured->unit, sizeof measured->unit, "%.40s/%.40s", unit[0] ? unit : "1",
                       time);
}

static int read_options(const cli_call *call, const thud_model *model, thud_measured *measured)
{
    thud_halving_def *def = &measured->def;
    const char *name = cli_value(call, "measure", "");
    def->window = (thud_window){.from = -INFINITY, .to = INFINITY};
    int code = find_column(model, name, strlen(name), &def->column);
    if (code == CLI_DONE)
        code = read_while(call, model, def);
    if (code == CLI_DONE)
        code = read_window(call, measured->scene, &def->window);
    if (code == CLI_DONE)
        code = read_statistic(call, &def->statistic);
    if (code == CLI_DONE)
        code = read_number(call, "step", &def->h);
    if (code == CLI_DONE && cli_has(call, "step") && !(def->h > 0))
        return cli_fail_usage("such as 0.01", "--step is a number above 0");
    if (code == CLI_DONE)
        code = read_count(call, "levels", 2, 16, &def->levels);
    if (code == CLI_DONE)
        code = read_count(call, "seeds", 1, 1000, &def->seeds);
    return code;
}

static int print_json(const thud_measured *measured, const thud_halving_result *result)
{
    thud_json json = {0};
    thud_measured_json(measured, result, &json);
    return cli_json_print(&json);
}

// Run the scene at every step, then print the result and, with --out, draw a chart.
static int run_study(const cli_call *call, thud_measured *measured)
{
    thud_fault fault = {0};
    thud_halving *halving = NULL;
    const char *out = cli_value(call, "out", NULL);
    cli_progress progress =
        cli_progress_begin(cli_has(call, "no-progress") || cli_has(call, "json"));
    const char *overrides[CLI_VALUES];
    thud_scene_def source = {.path = call->arguments[0],
                             .set = overrides,
                             .set_count = cli_values(call, "set", overrides)};
    measured->def.source = &source;
    measured->def.progress = show_progress;
    measured->def.user = &progress;
    thud_status status = thud_halving_create(&measured->def, &halving, &fault);
    cli_progress_end(&progress);
    if (status < 0)
        return cli_fail(status, &fault);
    thud_halving_result result = thud_halving_view(halving);
    int code = CLI_DONE;
    char label[300];
    (void)snprintf(label, sizeof label, "%s of %s%s%s",
                   thud_statistic_name(measured->def.statistic), measured->column.name,
                   measured->unit[0] ? " in " : "", measured->unit);
    if (out)
        status = thud_plot_halving(&result, label, out, "converge", NULL, &fault);
    if (status < 0)
        code = cli_fail(status, &fault);
    else if (cli_has(call, "json"))
        code = print_json(measured, &result);
    else
    {
        thud_writer writer = cli_writer(stdout);
        thud_measured_write(measured, &result, &writer);
    }
    if (code == CLI_DONE &&
        (result.verdict == THUD_HALVING_NOT_REACHED || result.verdict == THUD_HALVING_NO_VALUE))
        code = CLI_UNDECIDED;
    thud_halving_destroy(halving);
    return code;
}

int cli_converge_measure(const cli_call *call, thud_scene *scene)
{
    thud_measured measured = {.scene = scene, .def = {.scene = scene}};
    thud_model *model = NULL;
    int code = cli_create_model(scene, &model);
    if (code == CLI_DONE)
        code = read_options(call, model, &measured);
    if (code == CLI_DONE)
    {
        thud_model_series_column(model, measured.def.column, &measured.column);
        thud_model_series_column(model, measured.def.guide, &measured.guide);
        set_unit(&measured);
        int measure = measured.column.measure; // below 0: the column belongs to no measure
        measured.def.is_time = measure >= 0 &&
                               scene->measures[measure].kind == THUD_MEASURE_TIME_WHEN &&
                               measured.def.statistic != THUD_STATISTIC_RATE;
        code = run_study(call, &measured);
    }
    thud_model_destroy(model); // last, because measured.column borrows its names from the model
    return code;
}
