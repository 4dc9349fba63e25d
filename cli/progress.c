// The progress line of a command on standard error.
#include "progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double TERMINAL_INTERVAL = 0.1; // seconds, shortest time between two updates
static const double FILE_INTERVAL = 2;       // seconds, shortest time between two lines

enum
{
    // The longest line in a file, and on a terminal that does not report its width.
    DEFAULT_COLUMNS = 80
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
    double now = cli_seconds();
    double interval = progress->is_terminal ? TERMINAL_INTERVAL : FILE_INTERVAL;
    if (now - progress->shown < interval ||
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
    return known ? size.ws_col : DEFAULT_COLUMNS;
}

void cli_progress_show(cli_progress *progress, const char *text)
{
    char line[400];
    // One column stays free: a line that wraps cannot be overwritten.
    int columns = progress->is_terminal ? terminal_width() - 1 : DEFAULT_COLUMNS;
    int width = cli_pace_line(&progress->pace, text, columns, line, sizeof line);
    if (progress->is_terminal)
    {
        // Spaces overwrite the rest of a longer previous line.
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
