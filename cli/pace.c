// The present pace: a mean rate, in which recent progress counts most. Let T = TIME_CONSTANT and
// d = exp(-dt / T). An interval dt in which the part dp of the work was done changes the sums to
//
//     seconds' = d seconds + T (1 - d),   part' = d part + (dp / dt) T (1 - d)
//
// The rate is part / seconds. At first this is the mean rate since the beginning, later that of
// about the last T seconds. It does not depend on how often intervals are added.
#include "pace.h"

#include "thud/words.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const double TIME_CONSTANT = 15; // seconds

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
    double weight = -TIME_CONSTANT * expm1(-dt / TIME_CONSTANT), decay = exp(-dt / TIME_CONSTANT);
    pace->weighted_seconds = decay * pace->weighted_seconds + weight;
    pace->weighted_part = decay * pace->weighted_part + (part - pace->part) / dt * weight;
    pace->at = now;
    pace->part = part;
}

double cli_pace_rate(const cli_pace *pace)
{
    bool is_known = pace->weighted_seconds > 0 && pace->weighted_part > 0;
    return is_known ? pace->weighted_part / pace->weighted_seconds : NAN;
}

double cli_pace_seconds_left(const cli_pace *pace)
{
    return pace->part < 1 ? (1 - pace->part) / cli_pace_rate(pace) : 0;
}

// Find the last two spaces that separate pieces; NULL if the line has one piece only.
static char *last_separator(char *line)
{
    char *found = NULL;
    for (char *at = line; (at = strstr(at, "  ")) != NULL; at += strspn(at, " "))
        if (at != line) // the percentage may begin with spaces
            found = at;
    return found;
}

int cli_pace_line(const cli_pace *pace, const char *text, int columns, char *line, size_t size)
{
    char left[60] = "", time[48];
    double seconds = cli_pace_seconds_left(pace);
    if (!isnan(seconds))
        (void)snprintf(left, sizeof left, "  %s left", thud_words_duration(time, seconds));
    // floor: "100 %" must not appear before all is done
    (void)snprintf(line, size, "%3.0f %%%s  %s", floor(100 * pace->part), left, text);
    while ((int)strlen(line) > columns)
    {
        char *separator = last_separator(line);
        *(separator ? separator : line) = '\0';
    }
    return (int)strlen(line);
}
