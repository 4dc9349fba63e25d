// How a run ended, as run.json and the lock say.
#include "run/run_ending.h"

#include "thud/json.h"
#include "thud/words.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void thudi_run_ending_read(const char *folder, thudi_run_ending *end)
{
    thudi_run_json_read(folder, end->text);
    (void)thud_json_find_text(end->text, "ending", end->how, sizeof end->how);
    // what was killed could not say so
    if (strcmp(end->how, "running") == 0 && !thud_record_is_busy(folder))
        (void)snprintf(end->how, sizeof end->how, "interrupted");
    (void)thud_json_find_text(end->text, "error", end->error, sizeof end->error);
    (void)thud_json_find_text(end->text, "continues.run", end->origin, sizeof end->origin);
    end->steps = thud_json_find_number(end->text, "steps");
    end->frames = thud_json_find_number(end->text, "frames");
    end->sweeps = thud_json_find_number(end->text, "sweeps");
    end->min_gap = thud_json_find_number(end->text, "worst.min_gap");
    end->violation = thud_json_find_number(end->text, "worst.violation");
    end->backward = thud_json_find_number(end->text, "worst.backward");
    end->forward = thud_json_find_number(end->text, "worst.forward");
    end->between = thud_json_find_number(end->text, "worst.between");
    end->checked = thud_json_find_number(end->text, "check.steps");
    end->held = thud_json_find_number(end->text, "check.held");
    const char *check = thud_json_find(end->text, "check");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        end->worst[i] = thud_json_find_number(check ? check : "",
                                              thud_certificate_title((thud_certificate_name)i));
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
