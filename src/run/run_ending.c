// How a run ended, as run.json and the lock say.
#include "run/run_ending.h"

#include "report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// The text from a section on, or "".
static const char *find_section(const char *json, const char *name)
{
    char key[80];
    (void)snprintf(key, sizeof key, "\"%s\": {", name);
    const char *at = strstr(json, key);
    return at ? at : "";
}

void thudi_run_ending_read(const char *folder, thudi_run_ending *end)
{
    thudi_run_json_read(folder, end->text);
    thudi_run_json_value(end->text, "ending", end->how, sizeof end->how);
    // what was killed could not say so
    if (strcmp(end->how, "running") == 0 && !thud_record_is_busy(folder))
        (void)snprintf(end->how, sizeof end->how, "interrupted");
    thudi_run_json_value(end->text, "error", end->error, sizeof end->error);
    thudi_run_json_value(find_section(end->text, "continues"), "run", end->origin,
                         sizeof end->origin);
    end->steps = thudi_run_json_number(end->text, "steps");
    end->frames = thudi_run_json_number(end->text, "frames");
    end->sweeps = thudi_run_json_number(end->text, "sweeps");
    const char *worst = find_section(end->text, "worst");
    end->min_gap = thudi_run_json_number(worst, "min_gap");
    end->violation = thudi_run_json_number(worst, "violation");
    end->backward = thudi_run_json_number(worst, "backward");
    end->forward = thudi_run_json_number(worst, "forward");
    end->between = thudi_run_json_number(worst, "between");
    const char *check = find_section(end->text, "check");
    end->checked = thudi_run_json_number(check, "steps");
    end->held = thudi_run_json_number(check, "held");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        end->worst[i] =
            thudi_run_json_number(check, thud_certificate_title((thud_certificate_name)i));
}

// What is told beyond what there is; 0 where nothing is told.
static double lacking(double told, int64_t here)
{
    return told > (double)here ? told - (double)here : 0;
}

void thudi_run_ending_match(thudi_run_ending *end, const thud_log_summary *log, double last)
{
    char count[THUD_COUNT_SIZE];
    size_t size = sizeof end->error;
    int64_t frames = log->frame_count + log->damaged_count;
    end->missing_frames = lacking(end->frames, frames);
    end->missing_steps = lacking(end->steps, log->step_count - 1 - log->first_node);
    if (end->missing_frames > 0)
        (void)snprintf(
            end->error, size, "the log was cut: %.0f of %.0f frames %s missing, from t = %.6g on",
            end->missing_frames, end->frames, end->missing_frames > 1 ? "are" : "is", last);
    else if (log->damaged_count > 0)
        (void)snprintf(end->error, size, "%s left out; the first is frame %lld",
                       thud_words_count(count, log->damaged_count, "damaged frame"),
                       (long long)log->first_damaged);
    else if (end->missing_steps > 0)
        (void)snprintf(end->error, size,
                       "the log was cut: the hashes of %.0f of %.0f steps are missing, after "
                       "t = %.6g",
                       end->missing_steps, end->steps, last);
    else
        return;
    (void)snprintf(end->how, sizeof end->how, "incomplete");
}

static bool has_file(const char *folder, const char *name)
{
    char path[1100];
    struct stat what;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return lstat(path, &what) == 0;
}

void thudi_run_ending_files(const char *folder, thudi_run_ending *end)
{
    bool has_series = has_file(folder, "series.csv");
    bool can_resume =
        has_file(folder, "checkpoint.thud") || has_file(folder, "checkpoint.prev.thud");
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
