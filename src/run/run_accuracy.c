// What the step of a run costs, in its summary and in run.json.
#include "run/run_accuracy.h"

#include <math.h>
#include <string.h>

// A largest value that grows by more than this is said to be that of an impact, if it is a force.
static const double IMPACT = 0.4;

enum
{
    MOST_LINES = 24 // of measures
};

// Why nothing was measured; "" if --halve was not given.
static const char *why_not(const thudi_run_summary *summary)
{
    const thudi_halving *halving = summary->halving;
    if (halving && halving->why[0] != '\0')
        return halving->why;
    if (summary->resumed > 0)
        return "a resumed run is not run again at half the step";
    if (!halving || !halving->recorder)
        return "";
    if (strcmp(summary->ending, "stopped") == 0)
        return "the run was stopped";
    return strcmp(summary->ending, "done") == 0 ? "" : "the run did not reach its end";
}

static bool is_halved(const thudi_run_summary *summary)
{
    return summary->halving && summary->halving->step > 0;
}

// "12.5 (-1.4 %)"
static void write_value(char *text, size_t size, double value, double halved, const char *change)
{
    if (change[0] != '\0')
        (void)thud_format(text, size, "%.4g (%s)", value, change);
    else
        (void)thud_format(text, size, "%.4g (h/2: %.4g)", value, halved);
}

static void write_row(const thud_model *model, const thud_halved *row, int width, thud_writer *out)
{
    thud_series_column column;
    char end[80], mean[80], largest[80];
    thud_model_series_column(model, row->column, &column);
    write_value(end, sizeof end, row->end, row->end_halved, row->end_change);
    write_value(mean, sizeof mean, row->mean, row->mean_halved, row->mean_change);
    write_value(largest, sizeof largest, row->largest, row->largest_halved, row->largest_change);
    thud_write(out, "    ");
    thud_write_safe(out, column.name);
    thud_write(out, "%*s  %-22s  %-22s  %s\n", thud_words_filling(width, column.name), "", end,
               mean, largest);
}

// Does the largest force of a measure grow as that of an impact does?
static bool has_impact(const thudi_run_summary *summary)
{
    const thudi_halving *halving = summary->halving;
    for (int i = 0; i < halving->count; i++)
    {
        thud_series_column column;
        thud_model_series_column(summary->recorder->model, halving->columns[i], &column);
        thud_measure_kind kind = column.measure >= 0 ? summary->scene->measures[column.measure].kind
                                                     : THUD_MEASURE_COUNT_THROUGH;
        bool is_force = kind == THUD_MEASURE_FORCE_ON || kind == THUD_MEASURE_TORQUE_ON ||
                        kind == THUD_MEASURE_STRESS || kind == THUD_MEASURE_PRESSURE_PROFILE;
        double a = fabs(halving->rows[i].largest), b = fabs(halving->rows[i].largest_halved);
        if (is_force && a > 0 && b > (1 + IMPACT) * a)
            return true;
    }
    return false;
}

static void write_halved(const thudi_run_summary *summary, thud_writer *out)
{
    const thudi_halving *halving = summary->halving;
    char step[THUD_NUMBER_SIZE], unit[THUD_COUNT_SIZE];
    int shown = halving->count > MOST_LINES ? MOST_LINES : halving->count;
    int width = thudi_name_width(summary->recorder->model, halving->columns, shown);
    thud_write(out,
               "  what the step itself costs: change of each measure, run again at h/2 = "
               "%s%s\n",
               thud_words_short(step, halving->step),
               thud_words_unit(unit, summary->scene->unit_time));
    thud_write(out, "    measure%*s  %-22s  %-22s  %s\n", thud_words_filling(width, "measure"), "",
               "end", "mean", "largest");
    for (int i = 0; i < shown; i++)
        write_row(summary->recorder->model, &halving->rows[i], width, out);
    if (shown < halving->count)
        thud_write(out, "    and %d more columns in run.json\n", halving->count - shown);
    if (has_impact(summary))
        thud_write(out,
                   "    a largest force that grows as the step shrinks is that of an impact: it "
                   "has no limit\n");
    if (summary->scene->noise > 0)
        thud_write(out, "    the noise at h/2 is another sample: a part of the change is chance\n");
    thud_write(out, "    'thud converge SCENE --measure NAME' halves the step further\n");
}

void thudi_accuracy_write(const thudi_run_summary *summary, thud_writer *out)
{
    const char *why = why_not(summary);
    if (is_halved(summary))
        write_halved(summary, out);
    else if (why[0] != '\0')
        thud_write_line(out, 2, "what the step itself costs: not measured, because %s", why);
    else
        thud_write(out, "  what the step itself costs: not measured; 'thud run --halve' measures "
                        "it\n");
    thud_step_write_far("    ", summary->scene, summary->recorder->model, out);
}

static void json_row(const thud_model *model, const thud_halved *row, thud_json *json)
{
    thud_series_column column;
    thud_model_series_column(model, row->column, &column);
    thud_json_open(json, NULL);
    thud_json_text(json, "name", column.name);
    thud_json_whole(json, "column", row->column);
    thud_json_text(json, "label", column.label);
    thud_json_text(json, "unit", column.unit);
    thud_json_number(json, "end", row->end);
    thud_json_number(json, "end_halved", row->end_halved);
    thud_json_text(json, "end_change", row->end_change);
    thud_json_number(json, "mean", row->mean);
    thud_json_number(json, "mean_halved", row->mean_halved);
    thud_json_text(json, "mean_change", row->mean_change);
    thud_json_number(json, "largest", row->largest);
    thud_json_number(json, "largest_halved", row->largest_halved);
    thud_json_text(json, "largest_change", row->largest_change);
    thud_json_close(json);
}

void thudi_accuracy_json(const thudi_run_summary *summary, thud_json *json)
{
    const thudi_halving *halving = summary->halving;
    const thud_step_advice *advice = &summary->advice;
    thud_json_open(json, "accuracy");
    thud_json_number(json, "suggested_step", advice->suggested > 0 ? advice->suggested : NAN);
    thud_json_number(json, "ratio", advice->suggested > 0 ? advice->ratio : NAN);
    thud_json_text(json, "not_halved", is_halved(summary) ? "" : why_not(summary));
    if (is_halved(summary))
    {
        thud_json_open(json, "halved");
        thud_json_number(json, "step", halving->step);
        thud_json_whole(json, "steps", halving->steps);
        thud_json_number(json, "seconds", halving->seconds);
        thud_json_list(json, "measures");
        for (int i = 0; i < halving->count && json->length < THUDI_ACCURACY_BYTES; i++)
            json_row(summary->recorder->model, &halving->rows[i], json);
        thud_json_list_end(json);
        thud_json_close(json);
    }
    else
        thud_json_number(json, "halved", NAN); // null
    thud_json_close(json);
}
