// thud converge --measure: what is asked for, and the study of it.
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
    static const char *const own[] = {"statistic", "from", "to", "while", "seeds"};
    *asks = cli_has(call, "measure");
    for (size_t i = 0; i < sizeof own / sizeof *own && !*asks; i++)
        if (cli_has(call, own[i]))
            return cli_usage_error("such as --measure out", "--%s needs --measure", own[i]);
    if (*asks && cli_has(call, "reference"))
        return cli_usage_error("leave --reference out",
                               "--measure compares runs with each other: there is no reference");
    return CLI_DONE;
}

static int complain_of_column(const thud_model *model, const char *text, size_t length)
{
    const char *const *names;
    int count = thud_model_series(model, &names);
    char hint[300] = "the first line of a run's series.csv names all columns";
    size_t used = 0;
    for (int i = 0; i < count; i++) // components of the measure, if it is one
        if (strncmp(names[i], text, length) == 0 && names[i][length] == '.')
            used += (size_t)snprintf(hint + used, used < 200 ? 80 : 0, "%s%.60s",
                                     used ? ", " : "choose one of: ", names[i]);
    if (used > 0)
        return cli_usage_error(hint, "'%.*s' has several columns", (int)length, text);
    const char *near = thud_nearest(text, length, names, count);
    if (near)
        (void)snprintf(hint, sizeof hint, "did you mean '%.200s'?", near);
    return cli_usage_error(hint, "the scene measures nothing called '%.*s'", (int)length, text);
}

// A column by its name, or by its measure's if that has only one.
static int find_column(const thud_model *model, const char *text, size_t length, int *column)
{
    const char *const *names;
    int count = thud_model_series(model, &names), found = 0;
    for (int i = 0; i < count; i++)
    {
        bool begins = strncmp(names[i], text, length) == 0;
        if (begins && names[i][length] == '\0')
        {
            *column = i;
            return CLI_DONE;
        }
        if (begins && names[i][length] == '.')
            *column = found++ == 0 ? i : *column;
    }
    return found == 1 ? CLI_DONE : complain_of_column(model, text, length);
}

// --while NAME=LOW:HIGH, or LOW:HIGH of the measure itself.
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
        return cli_usage_error("such as --while out=170:500",
                               "--while is NAME=LOW:HIGH with two different numbers, not '%s'",
                               text);
    return code;
}

static int read_number(const cli_call *call, const char *option, double *value)
{
    const char *text = cli_value(call, option, NULL);
    if (text && !(thud_number_read(text, strlen(text), value) && isfinite(*value)))
        return cli_usage_error("such as 0.5", "--%s is a number, not '%s'", option, text);
    return CLI_DONE;
}

static int read_count(const cli_call *call, const char *option, int least, int most, int *value)
{
    const char *text = cli_value(call, option, NULL);
    char hint[80];
    if (!text)
        return CLI_DONE;
    size_t digits = strspn(text, "0123456789");
    *value = digits > 0 && digits < 6 && !text[digits] ? (int)strtol(text, NULL, 10) : -1;
    if (*value >= least && *value <= most)
        return CLI_DONE;
    (void)snprintf(hint, sizeof hint, "such as --%s 5", option);
    return cli_usage_error(hint, "--%s is a number from %d to %d, not '%s'", option, least, most,
                           text);
}

static int read_window(const cli_call *call, const thud_scene *scene, thud_window *window)
{
    int code = read_number(call, "from", &window->from);
    if (code == CLI_DONE)
        code = read_number(call, "to", &window->to);
    double to = isinf(window->to) ? scene->end : window->to;
    if (code == CLI_DONE && (window->from >= to || to > scene->end || to <= scene->start))
        return cli_usage_error("give times of the run, --from below --to",
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
    return CLI_DONE; // the table of options lets no other word pass
}

static void name_unit(thud_measured *measured)
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
        return cli_usage_error("such as 0.01", "--step is a number above 0");
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

static int study(const cli_call *call, thud_measured *measured)
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
        return cli_complain(status, &fault);
    thud_halving_result result = thud_halving_look(halving);
    int code = CLI_DONE;
    char label[300];
    (void)snprintf(label, sizeof label, "%s of %s%s%s",
                   thud_statistic_name(measured->def.statistic), measured->column.name,
                   measured->unit[0] ? " in " : "", measured->unit);
    if (out)
        status = thud_plot_halving(&result, label, out, "converge", NULL, &fault);
    if (status < 0)
        code = cli_complain(status, &fault);
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
    int code = cli_make_model(scene, &model);
    if (code == CLI_DONE)
        code = read_options(call, model, &measured);
    if (code == CLI_DONE)
    {
        thud_model_series_column(model, measured.def.column, &measured.column);
        thud_model_series_column(model, measured.def.guide, &measured.guide);
        name_unit(&measured);
        int number = measured.column.measure;
        measured.def.is_time = number >= 0 &&
                               scene->measures[number].kind == THUD_MEASURE_TIME_WHEN &&
                               measured.def.statistic != THUD_STATISTIC_RATE;
        code = study(call, &measured);
    }
    thud_model_destroy(model); // names of columns are its own
    return code;
}
