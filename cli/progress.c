// How far a run is.
#include "progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double REFRESH = 0.1; // seconds between two looks on a terminal,
static const double PATIENCE = 2;  // and at least between two lines elsewhere

enum
{
    LINE_COLUMNS = 80 // of a line where there is no terminal, or one whose width is not known
};

double cli_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cli_progress cli_progress_begin(bool is_quiet)
{
    double now = cli_seconds();
    return (cli_progress){.is_on = !is_quiet,
                          .is_terminal = isatty(STDERR_FILENO),
                          .begun = now,
                          .shown = now,
                          .pace = cli_pace_begin(now, 0)};
}

void cli_progress_go_on(cli_progress *progress, double part)
{
    progress->pace = cli_pace_begin(progress->begun, part);
}

bool cli_progress_is_due(cli_progress *progress, double part)
{
    if (!progress->is_on)
        return false;
    double now = cli_seconds(), patience = progress->is_terminal ? REFRESH : PATIENCE;
    if (now - progress->shown < patience ||
        (!progress->is_terminal && (part < (progress->tenths + 1) / 10.0 || part >= 1)))
        return false;
    progress->shown = now;
    cli_pace_add(&progress->pace, now, part);
    return true;
}

static int terminal_width(void)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col : LINE_COLUMNS;
}

void cli_progress_show(cli_progress *progress, const char *text)
{
    char line[400];
    // a line that wraps cannot be written over
    int columns = progress->is_terminal ? terminal_width() - 1 : LINE_COLUMNS;
    int width = cli_pace_line(&progress->pace, text, columns, line, sizeof line);
    if (progress->is_terminal)
    {
        // blanks cover what is left of a longer line before
        (void)fprintf(stderr, "\r%s%*s", line,
                      progress->width > width ? progress->width - width : 0, "");
        progress->width = width;
    }
    else
    {
        progress->tenths = (int)(10 * progress->pace.part);
        (void)fprintf(stderr, "%s\n", line);
    }
    (void)fflush(stderr);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->is_on && progress->is_terminal && progress->width > 0)
        (void)fprintf(stderr, "\r%*s\r", progress->width, "");
}
