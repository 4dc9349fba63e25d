// The progress line of a command on standard error. On a terminal, one line is overwritten. In a
// file, a new line follows at most once for each tenth of the work.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "pace.h"

#include <stdbool.h>

typedef struct cli_progress
{
    bool is_on;
    bool is_terminal;    // standard error is a terminal
    double begun, shown; // when the work began, and the last update; as cli_seconds()
    cli_pace pace;
    int tenths; // without a terminal: whole tenths of the work done at the last line, 0 to 10
    int width;  // on a terminal: characters in the line that is shown
} cli_progress;

// The monotonic clock, in seconds. Only differences have a meaning.
double cli_seconds(void);

cli_progress cli_progress_begin(bool is_quiet);
// Count the pace from `part` on, 0 to 1. Call it before the first update of a resumed run: an
// earlier session did the work up to `part`.
void cli_progress_go_on(cli_progress *progress, double part);
// Is it time for an update? part: fraction of the work that is done, 0 to 1. If true, the pace is
// updated, and the caller must call cli_progress_show. If false, the call costs one clock read.
bool cli_progress_is_due(cli_progress *progress, double part);
// Write the percentage, the time left and `text`. Two spaces separate the pieces of `text`. If the
// line is too long, pieces are left out, the last one first.
void cli_progress_show(cli_progress *progress, const char *text);
// Clear the line on a terminal.
void cli_progress_end(cli_progress *progress);

#endif
