// The present pace. With d = exp(-dt / MEMORY) an interval dt in which dp was done adds
//
//     seconds' = d seconds + MEMORY (1 - d),   done' = d done + (dp / dt) MEMORY (1 - d)
//
// At first done / seconds is the mean rate since the beginning. Later it is the rate of about the
// last MEMORY seconds, however often intervals are added.
#include "pace.h"

#include "thud/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MEMORY = 15; // seconds

cli_pace cli_pace_begin(double now, double part)
{
    return (cli_pace){.at = now, .part = part};
}

void cli_pace_add(cli_pace *pace, double now, double part)
{
    double dt = now - pace->at;
    if (part < pace->part)
    {
        *pace = cli_pace_begin(now, part);
        return;
    }
    if (!(dt > 0))
        return;
    double weight = -MEMORY * expm1(-dt / MEMORY), old = exp(-dt / MEMORY);
    pace->seconds = old * pace->seconds + weight;
    pace->done = old * pace->done + (part - pace->part) / dt * weight;
    pace->at = now;
    pace->part = part;
}

double cli_pace_rate(const cli_pace *pace)
{
    return pace->seconds > 0 && pace->done > 0 ? pace->done / pace->seconds : NAN;
}

double cli_pace_left(const cli_pace *pace)
{
    return pace->part < 1 ? (1 - pace->part) / cli_pace_rate(pace) : 0;
}

// The place of the last two blanks between pieces; NULL if there is one piece only.
static char *last_joint(char *line)
{
    char *found = NULL;
    for (char *at = line; (at = strstr(at, "  ")) != NULL; at += strspn(at, " "))
        if (at != line) // a percentage may begin with blanks
            found = at;
    return found;
}

int cli_pace_line(const cli_pace *pace, const char *text, int columns, char *line, size_t size)
{
    char left[60] = "", time[48];
    double seconds = cli_pace_left(pace);
    if (!isnan(seconds))
        (void)snprintf(left, sizeof left, "  %s left", thud_words_duration(time, seconds));
    // rounded down: 99.6 is not yet 100
    (void)snprintf(line, size, "%3.0f %%%s  %s", floor(100 * pace->part), left, text);
    while ((int)strlen(line) > columns)
    {
        char *joint = last_joint(line);
        *(joint ? joint : line) = '\0';
    }
    return (int)strlen(line);
}
