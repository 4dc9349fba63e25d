// How far a run is, to standard error: one line that is written over on a terminal, a line at every
// tenth of the run elsewhere.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cli_progress
{
    bool is_on, is_terminal;
    double begun, shown; // seconds of the monotonic clock
    double from;         // simulated time at that time,
    double first;        // and the part of the run that was done
    int tenths;          // lines written, when not on a terminal
    int width;           // of the line on the terminal
} cli_progress;

// Seconds of the monotonic clock.
double cli_seconds(void);

cli_progress cli_progress_begin(bool is_quiet);
// part: of the run that is done, 0 to 1; text: what else to say of it. Cheap when nothing is due.
bool cli_progress_is_due(const cli_progress *progress, double part);
void cli_progress_show(cli_progress *progress, double part, const char *text);
void cli_progress_end(cli_progress *progress); // leaves a clean line behind

#endif
