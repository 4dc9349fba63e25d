// Measures how fast a piece of work goes now, and predicts how long the rest will take. The
// functions read no clock: callers give times in seconds.
#ifndef CLI_PACE_H
#define CLI_PACE_H

#include <stddef.h>

// Sums over the past. The weight exp(-age / 15 s) makes recent progress count most.
typedef struct cli_pace
{
    double at, part; // the last time given, in seconds, and the part done then, 0 to 1
    double weighted_seconds, weighted_part;
} cli_pace;

cli_pace cli_pace_begin(double now, double part);
// Tell that `part` of the work is done at time `now`. If it is less than before, the pace begins
// again.
void cli_pace_add(cli_pace *pace, double now, double part);
// Returns the part of the whole work that is done per second now, or NAN if no progress is known.
double cli_pace_rate(const cli_pace *pace);
// Returns the seconds until all is done at that rate, or NAN if no progress is known.
double cli_pace_seconds_left(const cli_pace *pace);

// Write "PERCENT  TIME left  TEXT" to `line`, in at most `columns` characters. size: bytes of
// `line`. Two spaces separate the pieces. If the line is too long, pieces are left out, the last
// one first. Returns the length of the line.
int cli_pace_line(const cli_pace *pace, const char *text, int columns, char *line, size_t size);

#endif
