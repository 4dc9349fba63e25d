// The time left and the line of progress, with a made clock.
#include "thud_test.h"

#include "pace.h"
#include "thud/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A run whose first half takes 10 seconds and whose second half takes 1000: looked at every `every`
// seconds until time `until`.
static cli_pace watch(double every, double until)
{
    cli_pace pace = cli_pace_begin(0, 0);
    for (int i = 1; i <= (int)(until / every + 0.5); i++)
    {
        double now = every * i;
        cli_pace_add(&pace, now, now <= 10 ? now / 20 : 0.5 + (now - 10) / 2000);
    }
    return pace;
}

static void steady(void)
{
    cli_pace pace = cli_pace_begin(100, 0.2);
    CHECK(isnan(cli_pace_rate(&pace)) && isnan(cli_pace_seconds_left(&pace)));
    cli_pace_add(&pace, 110, 0.3);
    CHECK(fabs(cli_pace_rate(&pace) - 0.01) < 1e-12);
    cli_pace_add(&pace, 150, 0.7);
    CHECK(fabs(cli_pace_rate(&pace) - 0.01) < 1e-12);
    CHECK(fabs(cli_pace_seconds_left(&pace) - 30) < 1e-9);
    cli_pace_add(&pace, 180, 1);
    CHECK(cli_pace_seconds_left(&pace) == 0);
}

// The mean since the start says 109 s when 900 s are left.
static void slower(void)
{
    static const double looks[] = {0.1, 1, 5};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
    {
        cli_pace pace = watch(looks[i], 110);
        double mean = (1 - pace.part) / (pace.part / pace.at);
        printf("every %g s: %.1f s left, 900 are; by the mean %.1f\n", looks[i],
               cli_pace_seconds_left(&pace), mean);
        CHECK(fabs(pace.part - 0.55) < 1e-9 && mean < 100);
        CHECK(fabs(cli_pace_seconds_left(&pace) / 900 - 1) < 0.1);
    }
}

// Looking more often does not change what is seen.
static void looks(void)
{
    cli_pace often = watch(0.1, 50), seldom = watch(10, 50);
    CHECK(fabs(cli_pace_rate(&often) / cli_pace_rate(&seldom) - 1) < 1e-9);
}

// A clock that stands still, progress that stands still or goes back: no number that is not sound.
static void odd(void)
{
    cli_pace pace = cli_pace_begin(5, 0.5);
    cli_pace_add(&pace, 5, 0.6);
    CHECK(isnan(cli_pace_seconds_left(&pace)));
    cli_pace_add(&pace, 6, 0.5);
    CHECK(isnan(cli_pace_seconds_left(&pace)));
    cli_pace_add(&pace, 7, 0.1); // begins again
    CHECK(pace.part == 0.1 && isnan(cli_pace_seconds_left(&pace)));
    cli_pace_add(&pace, 8, 0.2);
    CHECK(fabs(cli_pace_seconds_left(&pace) - 8) < 1e-9);
}

// As long as numbers of a run get.
static const char LONG_TEXT[] =
    "t 1.234e+05 of 2.345e+06 min  gaps off by <= 1.2e-07  1,234,567 contacts  0.0123 steps/s";

static void widths(void)
{
    char whole[400], line[400];
    cli_pace pace = cli_pace_begin(0, 0);
    cli_pace_add(&pace, 100, 0.01);
    int full = cli_pace_line(&pace, LONG_TEXT, 1000, whole, sizeof whole);
    CHECK(strstr(whole, "  1 %  2 h 45 min left  t 1.234e+05") == whole);
    for (int columns = 0; columns <= full + 1; columns++)
    {
        int width = cli_pace_line(&pace, LONG_TEXT, columns, line, sizeof line);
        CHECK(width <= columns && (int)strlen(line) == width);
        CHECK(strncmp(whole, line, (size_t)width) == 0);
        // nothing is cut in the middle: what follows is two blanks, or nothing at all
        CHECK(width == 0 || width == full || strncmp(whole + width, "  ", 2) == 0);
        CHECK(width > 0 || columns < 5);
    }
    int width = cli_pace_line(&pace, LONG_TEXT, 80, line, sizeof line);
    CHECK(width <= 80 && strstr(line, "gaps off by <= 1.2e-07"));
}

static void durations(void)
{
    static const struct
    {
        double seconds;
        const char *text;
    } known[] = {
        {0, "0 s"},          {59.4, "59 s"},     {59.6, "1 min 0 s"}, {3599, "59 min 59 s"},
        {3600, "1 h 0 min"}, {90000, "1 d 1 h"}, {NAN, "unknown"},    {INFINITY, "unknown"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    {
        char text[THUD_NUMBER_SIZE];
        CHECK(strcmp(thud_words_duration(text, known[i].seconds), known[i].text) == 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"steady", steady}, {"slower", slower},
                                      {"looks", looks},   {"odd", odd},
                                      {"widths", widths}, {"durations", durations}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
