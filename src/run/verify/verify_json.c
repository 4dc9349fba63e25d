// run.json against the log and the series: it is written again from what they say, and compared
// line by line. How the run ended is compared with the log; times, host, threads and figures of a
// second run are as the run says.
#include "run/accuracy_read.h"
#include "run/recorder.h"
#include "run/run_accuracy.h"
#include "run/run_json.h"
#include "run/run_summary.h"
#include "run/verify/verify_json_lines.h"
#include "run/verify/verify_parts.h"
#include "thud/json.h"

#include <stdlib.h>
#include <string.h>

#define JSON "run.json"

// Does run.json have a second run at half the step?
static bool is_halved(const char *json)
{
    const char *halved = thud_json_find(json, "accuracy.halved");
    return halved && *halved == '{';
}

static void compare(thudi_verifier *a, const char *own, const char *how)
{
    char key[60] = "";
    const thudi_json_freedom freedom = {.has_enclosed = a->marks[THUDI_MARK_JSON].has_enclosed,
                                        .has_failed = strcmp(how, "failed") == 0,
                                        .is_halved = is_halved(a->json)};
    int line = thudi_json_first_difference(a->json, own, &freedom, key);
    if (line > 0)
        thudi_verify_figure(a->verdict, a->folder, JSON, line,
                            key[0] ? "'%s' does not match the log and the series"
                                   : "this does not match the log and the series%s",
                            key);
}

// The second run as run.json has it, beside the sums of the run itself, which are those of the
// series. Only a run that has its start and its end has one.
static thud_status fill_halving(thudi_verifier *a, const char *how, thudi_halving *halving)
{
    thud_accuracy told;
    if (!a->halving.recorder || a->verdict->first > 0 || !a->verdict->is_over ||
        strcmp(how, "done") != 0)
        return THUD_OK;
    bool has_memory = thudi_accuracy_read(a->json, &told);
    for (int i = 0; has_memory && i < told.halved_count && i < a->halving.count; i++)
        a->halving.second[i] = (thud_series_sum){.end = told.halved[i].end_halved,
                                                 .largest = told.halved[i].largest_halved,
                                                 .integral = told.halved[i].mean_halved,
                                                 .time = 1};
    // beyond a length run.json leaves measures out; where depends on the digits of free values
    if (has_memory && strlen(a->json) >= THUDI_ACCURACY_BYTES &&
        told.halved_count < a->halving.count)
        a->halving.count = told.halved_count;
    free(told.halved);
    if (!has_memory)
        return THUD_ERR_MEMORY;
    thudi_halving_fill(&a->halving);
    *halving = a->halving;
    halving->step = 0.5 * a->run->scene->step;
    return THUD_OK;
}

// The summary as log and series give it.
static thud_status compare_figures(thudi_verifier *a, const char *how)
{
    const thudi_verify_mark *mark = &a->marks[THUDI_MARK_JSON];
    thud_json json = {0};
    thudi_halving halving = {0};
    thudi_recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return THUD_ERR_MEMORY;
    recorder->model = a->run->model;
    recorder->values = a->told;
    bool was_checked = thud_json_find_number(a->json, "check.steps") > 0;
    recorder->first = a->verdict->first;
    recorder->tally = mark->tally;
    recorder->chain = thud_log_chain(a->run->log, mark->node);
    recorder->checked = was_checked ? mark->checked : 0;
    recorder->held = was_checked ? mark->held : 0;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        recorder->worst[i] = was_checked ? mark->worst[i] : 0;
    thud_status filled = fill_halving(a, how, &halving);
    if (filled < 0)
    {
        free(recorder);
        return filled;
    }
    thudi_run_summary summary = {.scene = a->run->scene,
                                 .folder = a->folder,
                                 .recorder = recorder,
                                 .ending = "",
                                 .error = "",
                                 .origin = "",
                                 .reached = a->verdict->reached,
                                 .frames = a->verdict->frames,
                                 .digest = mark->digest,
                                 .advice = thud_step_advise(a->run->scene, a->run->model),
                                 .halving = &halving};
    thudi_run_summary_json(&summary, &json);
    if (!json.has_failed)
        compare(a, json.text, how);
    thud_status status = json.has_failed ? THUD_ERR_MEMORY : THUD_OK;
    thud_json_free(&json);
    free(recorder);
    return status;
}

static void compare_digest(thudi_verifier *a)
{
    char told[80], own[THUD_DIGEST_TEXT];
    (void)thud_json_find_text(a->json, "digest", told, sizeof told);
    if (told[0] != '\0' &&
        strcmp(told, thud_digest_text(&a->marks[THUDI_MARK_JSON].digest, own)) != 0)
        thudi_verify_damage(a->verdict, a->folder, JSON,
                            "its digest differs from that of the records up to step %lld",
                            (long long)a->marks[THUDI_MARK_JSON].node);
}

static void compare_ending(thudi_verifier *a, const char *how, int64_t last)
{
    const thud_recorded_verdict *verdict = a->verdict;
    bool is_done = strcmp(how, "done") == 0, is_stopped = strcmp(how, "stopped") == 0;
    bool has_failed = strcmp(how, "failed") == 0;
    const char *wrong = NULL;
    if (is_done && (!verdict->is_over || a->marks[THUDI_MARK_JSON].node < last))
        wrong = verdict->is_over ? "it says that the run is done, but the log has more steps"
                                 : "it says that the run is done, but the run is not finished";
    else if (is_stopped && verdict->is_over)
        wrong = "it says that the run was stopped, but the run is finished";
    else if (has_failed && verdict->is_over)
        wrong = "it says that the run failed, but the run is finished";
    else if (!is_done && !is_stopped && !has_failed && strcmp(how, "running") != 0)
        wrong = "'ending' is not one of running, done, stopped, failed";
    if (wrong)
        thudi_verify_figure(a->verdict, a->folder, JSON, 2, "%s", wrong);
}

void thudi_verify_json_source(thudi_verifier *a)
{
    char how[40], commit[80];
    (void)thud_json_find_text(a->json, "ending", how, sizeof how);
    (void)thud_json_find_text(a->json, "thud.commit", commit, sizeof commit);
    a->verdict->has_json = a->json[0] != '\0' && strcmp(how, "running") != 0;
    a->verdict->has_halved = is_halved(a->json);
    a->verdict->json_is_ours = a->json[0] == '\0' || strcmp(commit, thud_build_info().commit) == 0;
}

thud_status thudi_verify_json(thudi_verifier *a)
{
    const thudi_verify_mark *mark = &a->marks[THUDI_MARK_JSON];
    int64_t last = thud_log_view(a->run->log).step_count - 1;
    char how[40];
    if (thud_record_is_busy(a->folder))
        return THUD_OK;
    // it is written before the first step, and always as a whole
    const char *wrong = thudi_run_json_fault(a->folder, a->json);
    (void)thud_json_find_text(a->json, "ending", how, sizeof how);
    if (!wrong && (how[0] == '\0' || mark->node < 0))
        wrong = "the file does not tell how the run ended, or after how many steps";
    if (wrong)
    {
        a->verdict->has_json = false;
        thudi_verify_figure(a->verdict, a->folder, JSON, 0, "%s", wrong);
        return THUD_OK;
    }
    if (mark->node < a->verdict->first || mark->node > last)
    {
        thudi_verify_damage(a->verdict, a->folder, JSON,
                            "it counts steps that the log does not have");
        return THUD_OK;
    }
    compare_digest(a);
    compare_ending(a, how, last);
    a->verdict->has_json = a->verdict->has_json && mark->node == last && mark->is_told;
    return a->verdict->has_json && a->verdict->json_is_ours ? compare_figures(a, how) : THUD_OK;
}
