// How a run ended, as run.json and the lock say.
#include "run_ending.h"

#include <stdio.h>
#include <string.h>
#include <thud/record.h>

// The text from a section on, or "".
static const char *find_section(const char *json, const char *name)
{
    char key[80];
    (void)snprintf(key, sizeof key, "\"%s\": {", name);
    const char *at = strstr(json, key);
    return at ? at : "";
}

void cli_run_ending_read(const char *folder, cli_run_ending *end)
{
    cli_run_json_read(folder, end->text);
    cli_run_json_value(end->text, "ending", end->how, sizeof end->how);
    // what was killed could not say so
    if (strcmp(end->how, "running") == 0 && !thud_record_is_busy(folder))
        (void)snprintf(end->how, sizeof end->how, "interrupted");
    cli_run_json_value(end->text, "error", end->error, sizeof end->error);
    end->steps = cli_run_json_number(end->text, "steps");
    end->sweeps = cli_run_json_number(end->text, "sweeps");
    const char *worst = find_section(end->text, "worst");
    end->min_gap = cli_run_json_number(worst, "min_gap");
    end->violation = cli_run_json_number(worst, "violation");
    end->backward = cli_run_json_number(worst, "backward");
    end->forward = cli_run_json_number(worst, "forward");
    end->between = cli_run_json_number(worst, "between");
    const char *check = find_section(end->text, "check");
    end->checked = cli_run_json_number(check, "steps");
    end->held = cli_run_json_number(check, "held");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        end->worst[i] =
            cli_run_json_number(check, thud_certificate_title((thud_certificate_name)i));
}
