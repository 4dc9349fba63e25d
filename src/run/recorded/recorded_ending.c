// How a run ended, as run.json, the lock, the log and the files say.
#include "run/recorded/recorded.h"

#include "core/memory.h"
#include "run/accuracy_read.h"
#include "run/run_json.h"
#include "thud/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// NAN for a figure that run.json does not have, and for a count that is not one.
static double read_figure(const char *json, const thud_figure *figure)
{
    double x = figure->key[0] ? thud_json_find_number(json, figure->key) : NAN;
    bool is_count = figure->type != THUD_FIGURE_REAL;
    return is_count && thud_json_find_count(json, figure->key) < 0 ? NAN : x;
}

// Numbers in the text of run.json.
static void read_numbers(const char *json, thud_recorded_ending *end)
{
    const struct
    {
        const char *path;
        double *value;
    } numbers[] = {
        {"frames", &end->frames}, {"check.steps", &end->checked}, {"check.held", &end->held}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i].value = thud_json_find_number(json, numbers[i].path);
    const thud_figure *figures = thud_tally_figures();
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        end->figures[i] = read_figure(json, &figures[i]);
    const char *check = thud_json_find(json, "check");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        end->worst[i] = thud_json_find_number(check ? check : "",
                                              thud_certificate_title((thud_certificate_name)i));
}

static void read_ending(const char *folder, const char *json, thud_recorded_ending *end)
{
    const char *fault_text = thudi_run_json_fault(folder, json);
    *end = (thud_recorded_ending){0};
    (void)snprintf(end->fault_text, sizeof end->fault_text, "%s", fault_text ? fault_text : "");
    (void)thud_json_find_text(json, "ending", end->how, sizeof end->how);
    // what was killed could not say so
    if (strcmp(end->how, "running") == 0 && !thud_record_is_busy(folder))
        (void)snprintf(end->how, sizeof end->how, "interrupted");
    (void)thud_json_find_text(json, "error", end->error, sizeof end->error);
    (void)thud_json_find_text(json, "continues.run", end->origin, sizeof end->origin);
    read_numbers(json, end);
}

// How many more are recorded than there are; 0 where none is recorded.
static double lacking(double told, int64_t here)
{
    return told > (double)here ? told - (double)here : 0;
}

static void match_log(thud_recorded_ending *end, const thud_log_summary *log, double last)
{
    char count[THUD_COUNT_SIZE];
    size_t size = sizeof end->error;
    int64_t frames = log->frame_count + log->damaged_count;
    end->missing_frames = lacking(end->frames, frames);
    end->missing_steps =
        lacking(end->figures[THUD_TALLY_steps], log->step_count - 1 - log->first_node);
    if (end->missing_frames > 0)
        (void)thud_format(
            end->error, size, "the log was cut: %.0f of %.0f frames %s missing, from t = %.6g on",
            end->missing_frames, end->frames, end->missing_frames > 1 ? "are" : "is", last);
    else if (log->damaged_count > 0)
        (void)snprintf(end->error, size, "%s left out; the first is frame %lld",
                       thud_words_count(count, log->damaged_count, "damaged frame"),
                       (long long)log->first_damaged);
    else if (end->missing_steps > 0)
        (void)thud_format(end->error, size,
                          "the log was cut: the hashes of %.0f of %.0f steps are missing, after "
                          "t = %.6g",
                          end->missing_steps, end->figures[THUD_TALLY_steps], last);
    else
        return;
    (void)snprintf(end->how, sizeof end->how, "incomplete");
}

void thudi_ending_add_files(const char *folder, thud_recorded_ending *end)
{
    bool has_series = thudi_run_has_file(folder, "series.csv");
    bool can_resume = thudi_run_has_file(folder, "checkpoint.thud") ||
                      thudi_run_has_file(folder, "checkpoint.prev.thud");
    size_t length = strlen(end->error);
    if ((has_series && can_resume) || strcmp(end->how, "running") == 0)
        return;
    (void)snprintf(end->error + length, sizeof end->error - length, "%s%s%s%s",
                   length > 0 ? "; " : "", has_series ? "" : "series.csv is missing",
                   has_series || can_resume ? "" : ", and ",
                   can_resume ? "" : "both checkpoints are missing");
    if (strcmp(end->how, "failed") != 0)
        (void)snprintf(end->how, sizeof end->how, "incomplete");
}

thud_status thud_recorded_end(const thud_recorded *recorded, double last, thud_recorded_ending *end)
{
    thud_log_summary log = thud_log_view(recorded->log);
    char *json = malloc(THUDI_RUN_JSON);
    if (!json)
        return THUD_ERR_MEMORY;
    thudi_run_json_read(recorded->folder, json);
    read_ending(recorded->folder, json, end);
    match_log(end, &log, last);
    free(json);
    return THUD_OK;
}

thud_status thud_recorded_accuracy(const thud_recorded *recorded, thud_accuracy *accuracy)
{
    char *json = malloc(THUDI_RUN_JSON);
    if (!json)
        return THUD_ERR_MEMORY;
    thudi_run_json_read(recorded->folder, json);
    bool has_memory = thudi_accuracy_read(json, accuracy);
    free(json);
    if (!has_memory)
        return THUD_ERR_MEMORY;
    if (accuracy->suggested_step > 0)
        return THUD_OK;
    thud_step_advice advice = thud_step_advise(recorded->scene, recorded->model);
    accuracy->suggested_step = advice.suggested;
    accuracy->ratio = advice.ratio;
    return THUD_OK;
}
