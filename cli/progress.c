// How far a run is.
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double REFRESH = 0.1; // seconds between two looks on a terminal,
static const double PATIENCE = 2;  // and at least between two lines elsewhere

double cli_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cli_progress cli_progress_begin(bool is_quiet)
{
    double now = cli_seconds();
    return (cli_progress){
        .is_on = !is_quiet, .is_terminal = isatty(STDERR_FILENO), .begun = now, .shown = now};
}

bool cli_progress_is_due(const cli_progress *progress, double part)
{
    if (!progress->is_on)
        return false;
    if (progress->is_terminal)
        return cli_seconds() - progress->shown >= REFRESH;
    return part >= (progress->tenths + 1) / 10.0 && part < 1 &&
           cli_seconds() - progress->shown >= PATIENCE;
}

static int terminal_width(void)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col : 80;
}

static void write_left(char *text, size_t size, double seconds)
{
    long whole = (long)(seconds + 0.5);
    if (whole < 60)
        (void)snprintf(text, size, "%ld s left", whole);
    else if (whole < 3600)
        (void)snprintf(text, size, "%ld min %ld s left", whole / 60, whole % 60);
    else
        (void)snprintf(text, size, "%ld h %ld min left", whole / 3600, whole % 3600 / 60);
}

void cli_progress_show(cli_progress *progress, double part, const char *text)
{
    char left[48] = "", line[400];
    double now = cli_seconds(), spent = now - progress->begun;
    if (part > progress->first)
        write_left(left, sizeof left, spent * (1 - part) / (part - progress->first));
    int width = snprintf(line, sizeof line, "%3.0f %%  %s  %s", 100 * part, left, text);
    int columns = progress->is_terminal ? terminal_width() : (int)sizeof line;
    if (width >= columns)
        line[width = columns - 1] = '\0'; // a line that wraps cannot be written over
    progress->shown = now;
    if (progress->is_terminal)
    {
        // blanks cover what is left of a longer line before
        (void)fprintf(stderr, "\r%s%*s", line,
                      progress->width > width ? progress->width - width : 0, "");
        progress->width = width;
    }
    else
    {
        progress->tenths = (int)(10 * part);
        (void)fprintf(stderr, "%s\n", line);
    }
    (void)fflush(stderr);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->is_on && progress->is_terminal && progress->width > 0)
        (void)fprintf(stderr, "\r%*s\r", progress->width, "");
}
