// How a run ended, as run.json says. Thud writes one value a line, so that lines are all there is
// to read.
#include "run_ending.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <thud/text.h>
#include <unistd.h>

// The value of "name" as it is written, without quotes and comma; "" if there is none.
static void find_value(const char *json, const char *name, char *value, size_t size)
{
    char key[80];
    (void)snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(json, key);
    at = at ? at + strlen(key) : "";
    at += *at == '"';
    size_t length = strcspn(at, "\n");
    while (length > 0 && (at[length - 1] == ',' || at[length - 1] == '"'))
        length--;
    (void)snprintf(value, size, "%.*s", (int)length, at);
}

static double find_number(const char *json, const char *name)
{
    char value[80];
    double x = NAN;
    find_value(json, name, value, sizeof value);
    (void)thud_number_read(value, strlen(value), &x);
    return x;
}

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
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/run.json", folder);
    // neither a pipe nor a link of that name is ours
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    struct stat what;
    ssize_t length = 0;
    if (file >= 0 && fstat(file, &what) == 0 && S_ISREG(what.st_mode))
        length = read(file, end->text, CLI_RUN_JSON_SIZE - 1);
    end->text[length > 0 ? length : 0] = '\0';
    if (file >= 0)
        (void)close(file);
    find_value(end->text, "ending", end->how, sizeof end->how);
    find_value(end->text, "error", end->error, sizeof end->error);
    end->steps = find_number(end->text, "steps");
    end->sweeps = find_number(end->text, "sweeps");
    const char *worst = find_section(end->text, "worst");
    end->min_gap = find_number(worst, "min_gap");
    end->violation = find_number(worst, "violation");
    end->backward = find_number(worst, "backward");
    end->forward = find_number(worst, "forward");
    end->between = find_number(worst, "between");
    const char *check = find_section(end->text, "check");
    end->checked = find_number(check, "steps");
    end->held = find_number(check, "held");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        end->worst[i] = find_number(check, thud_certificate_title((thud_certificate_name)i));
}
