// The present rate of some work, and how long the rest will take at that rate. No clock is read
// here: callers give the times.
#ifndef CLI_PACE_H
#define CLI_PACE_H

#include <stddef.h>

// Progress and time, both weighted by exp(-age / memory), so that the present counts.
typedef struct cli_pace
{
    double at, part;      // the last time given, and the part done then, 0 to 1
    double seconds, done; // weighted
} cli_pace;

cli_pace cli_pace_begin(double now, double part);
// Add the part done by now. If `part` is smaller than before, the pace begins again.
void cli_pace_add(cli_pace *pace, double now, double part);
// Parts of the whole in a second, at present; NAN if that is not known.
double cli_pace_rate(const cli_pace *pace);
// Seconds until all is done at that rate; NAN if that is not known.
double cli_pace_left(const cli_pace *pace);

// The line "PERCENT  TIME left  TEXT" in at most `columns` characters. Pieces of the text are two
// blanks apart; the last ones are left out until the rest fits. Returns its length.
int cli_pace_line(const cli_pace *pace, const char *text, int columns, char *line, size_t size);

#endif
