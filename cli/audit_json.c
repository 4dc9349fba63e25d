// run.json against the log and the series: it is written anew from what they say, and compared line
// by line. How the run ended is compared with the log; times, host and threads are as the run says.
#include "audit_parts.h"
#include "build_info.h"
#include "recorder.h"
#include "run_json.h"
#include "run_summary.h"

#include <stdlib.h>
#include <string.h>

#define JSON "run.json"

// Values that follow from nothing in the folder, and sections that hold nothing else. What is
// enclosed follows from a checkpoint, if there is one.
static bool is_free(const char *key, const char *section, bool has_enclosed)
{
    static const char *const keys[] = {"ending", "error", "written", "resumed", "threads"};
    // bounds that no column of the series has are as the run says, too
    static const char *const sections[] = {"seconds", "thud", "host"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (section[0] == '\0' && strcmp(key, keys[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strcmp(section, sections[i]) == 0)
            return true;
    if (strcmp(section, "accuracy") == 0 && strcmp(key, "not_halved") == 0)
        return true;
    // where a run came from is as it says; after which step is in the log
    if (strcmp(section, "continues") == 0 && strcmp(key, "run") == 0)
        return true;
    return !has_enclosed && strcmp(section, "enclosed") == 0;
}

// The key of a line, "" if it has none; where its value begins.
static size_t read_key(const char *line, size_t length, char key[60])
{
    size_t first = strspn(line, " ");
    key[0] = '\0';
    if (first >= length || line[first] != '"')
        return first;
    size_t end = first + 1;
    while (end < length && line[end] != '"')
        end++;
    (void)snprintf(key, 60, "%.*s", (int)(end - first - 1), line + first + 1);
    return end + 3 < length ? end + 3 : length;
}

// Compare a line; section: that it is in, changed where one begins or ends.
static bool is_line_same(const char *told, size_t told_length, const char *own, size_t own_length,
                         char section[60], bool has_enclosed)
{
    char key[60], own_key[60];
    size_t value = read_key(told, told_length, key), own_value = read_key(own, own_length, own_key);
    if (strcmp(key, own_key) != 0)
        return false;
    bool opens = own_length > 0 && own[own_length - 1] == '{' && own_key[0] != '\0';
    bool free_value = own_key[0] != '\0' && !opens && is_free(own_key, section, has_enclosed);
    bool same = free_value ? value == own_value && memcmp(told, own, value) == 0
                           : told_length == own_length && memcmp(told, own, own_length) == 0;
    if (opens)
        (void)snprintf(section, 60, "%s", own_key);
    else if (own_key[0] == '\0' && strchr(own, '}') == own + strspn(own, " "))
        section[0] = '\0';
    return same;
}

static void compare(cli_auditor *a, const char *own)
{
    const char *told = a->json;
    char section[60] = "", key[60];
    for (int line = 1; *told || *own; line++)
    {
        size_t told_length = strcspn(told, "\n"), own_length = strcspn(own, "\n");
        (void)read_key(told, told_length, key);
        // a second run at half the step leaves nothing else in the folder: it is as the run says
        if (strcmp(section, "accuracy") == 0 && strcmp(key, "halved") == 0)
            return;
        if (!is_line_same(told, told_length, own, own_length, section,
                          a->marks[CLI_MARK_JSON].has_enclosed))
        {
            (void)read_key(own, own_length, key);
            cli_audit_blame_figure(a->audit, a->folder, JSON, line,
                                   key[0] ? "'%s' does not match the log and the series"
                                          : "this does not match the log and the series%s",
                                   key);
            return;
        }
        told += told_length + (told[told_length] == '\n');
        own += own_length + (own[own_length] == '\n');
    }
}

// The summary as log and series give it.
static thud_status compare_figures(cli_auditor *a)
{
    const cli_audit_mark *mark = &a->marks[CLI_MARK_JSON];
    cli_json json = {0};
    cli_recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return THUD_ERR_MEMORY;
    recorder->model = a->run->model;
    recorder->values = a->told;
    const char *checks = strstr(a->json, "\"check\": {");
    bool was_checked = checks && cli_run_json_number(checks, "steps") > 0;
    recorder->first = a->audit->first;
    recorder->tally = mark->tally;
    recorder->chain = thud_log_chain(a->run->log, mark->node);
    recorder->checked = was_checked ? mark->checked : 0;
    recorder->held = was_checked ? mark->held : 0;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        recorder->worst[i] = was_checked ? mark->worst[i] : 0;
    cli_run_summary summary = {.scene = a->run->scene,
                               .folder = a->folder,
                               .recorder = recorder,
                               .ending = "",
                               .error = "",
                               .origin = "",
                               .reached = a->audit->reached,
                               .frames = a->audit->frames,
                               .digest = mark->digest,
                               .advice = cli_advise_step(a->run->scene, a->run->model)};
    cli_run_summary_json(&summary, &json);
    if (!json.has_failed)
        compare(a, json.text);
    thud_status status = json.has_failed ? THUD_ERR_MEMORY : THUD_OK;
    cli_json_free(&json);
    free(recorder);
    return status;
}

static void compare_digest(cli_auditor *a)
{
    char told[80], own[THUD_DIGEST_TEXT];
    cli_run_json_value(a->json, "digest", told, sizeof told);
    if (told[0] != '\0' &&
        strcmp(told, thud_digest_text(&a->marks[CLI_MARK_JSON].digest, own)) != 0)
        cli_audit_blame(a->audit, a->folder, JSON,
                        "its digest differs from that of the records up to step %lld",
                        (long long)a->marks[CLI_MARK_JSON].node);
}

static void compare_ending(cli_auditor *a, const char *how)
{
    const cli_audit *audit = a->audit;
    if (strcmp(how, "done") == 0 && !audit->is_over)
        cli_audit_blame_figure(a->audit, a->folder, JSON, 2,
                               "it says that the run is done, but the run is not finished");
    if (strcmp(how, "stopped") == 0 && audit->is_over)
        cli_audit_blame_figure(a->audit, a->folder, JSON, 2,
                               "it says that the run was stopped, but the run is finished");
}

void cli_audit_json_look(cli_auditor *a)
{
    char how[40], commit[80];
    cli_run_json_value(a->json, "ending", how, sizeof how);
    const char *version = strstr(a->json, "\"thud\": {"); // seconds have a "commit" as well
    cli_run_json_value(version ? version : "", "commit", commit, sizeof commit);
    a->audit->has_json = a->json[0] != '\0' && strcmp(how, "running") != 0;
    a->audit->json_is_ours = a->json[0] == '\0' || strcmp(commit, THUD_COMMIT) == 0;
}

thud_status cli_audit_json(cli_auditor *a)
{
    const cli_audit_mark *mark = &a->marks[CLI_MARK_JSON];
    int64_t last = thud_log_look(a->run->log).step_count - 1;
    char how[40];
    if (thud_record_is_busy(a->folder))
        return THUD_OK;
    // it is written before the first step, and always as a whole
    const char *wrong = cli_run_json_trouble(a->folder, a->json);
    cli_run_json_value(a->json, "ending", how, sizeof how);
    if (!wrong && (how[0] == '\0' || mark->node < 0))
        wrong = "the file does not tell how the run ended, or after how many steps";
    if (wrong)
    {
        a->audit->has_json = false;
        cli_audit_blame_figure(a->audit, a->folder, JSON, 0, "%s", wrong);
        return THUD_OK;
    }
    if (mark->node < a->audit->first || mark->node > last)
    {
        cli_audit_blame(a->audit, a->folder, JSON, "it counts steps that the log does not have");
        return THUD_OK;
    }
    compare_digest(a);
    compare_ending(a, how);
    a->audit->has_json = a->audit->has_json && mark->node == last;
    return a->audit->has_json && a->audit->json_is_ours && mark->is_told ? compare_figures(a)
                                                                         : THUD_OK;
}
