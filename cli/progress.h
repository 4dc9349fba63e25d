// How far a run is, to standard error: one line that is written over on a terminal, a line at every
// tenth of the run elsewhere.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "pace.h"

#include <stdbool.h>

typedef struct cli_progress
{
    bool is_on, is_terminal;
    double begun, shown; // seconds of the monotonic clock
    cli_pace pace;
    int tenths; // lines written, when not on a terminal
    int width;  // of the line on the terminal
} cli_progress;

// Seconds of the monotonic clock.
double cli_seconds(void);

cli_progress cli_progress_begin(bool is_quiet);
// This part was done before it began.
void cli_progress_go_on(cli_progress *progress, double part);
// part: of the run that is done, 0 to 1. Cheap when nothing is due; when it is, the pace is known,
// and the line is to be shown. text: what else to say, pieces two blanks apart, the last ones of
// which are left out where there is no room.
bool cli_progress_is_due(cli_progress *progress, double part);
void cli_progress_show(cli_progress *progress, const char *text);
void cli_progress_end(cli_progress *progress); // leaves a clean line behind

#endif
