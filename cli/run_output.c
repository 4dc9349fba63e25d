// Which frames of a run a command takes, and where it writes.
#include "run_output.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

// One part of FIRST:LAST:STRIDE; empty leaves *value. Returns where the next one begins, or NULL.
static const char *read_part(const char *text, int64_t *value)
{
    size_t length = strspn(text, "0123456789");
    if (length > 15 || (text[length] != '\0' && text[length] != ':'))
        return NULL;
    if (length > 0)
        *value = strtoll(text, NULL, 10);
    return text + length + (text[length] == ':');
}

int cli_frames_read(const char *text, int64_t count, cli_frames *frames)
{
    int64_t parts[3] = {0, count - 1, 1};
    char have[THUD_COUNT_SIZE];
    const char *at = text;
    for (int i = 0; i < 3 && at && *at; i++)
        at = read_part(at, &parts[i]);
    if (!at || *at || parts[2] < 1)
        return cli_fail_usage("such as 0:100:10, or 10: or ::5",
                              "--frames is FIRST:LAST:STRIDE, not '%s'", text);
    if (count < 1)
        return cli_fail_usage("", "the run has no frames yet");
    if (parts[0] >= count)
        return cli_fail_usage("frames are counted from 0; --frames FIRST:LAST chooses some",
                              "the run has no frame %lld: it has %s, 0 to %lld",
                              (long long)parts[0], thud_words_count(have, count, "frame"),
                              (long long)count - 1);
    if (parts[0] > parts[1])
        return cli_fail_usage("such as 0:100:10", "--frames %s: the first comes after the last",
                              text);
    *frames = (cli_frames){parts[0], parts[1] < count ? parts[1] : count - 1, parts[2]};
    return CLI_DONE;
}

int cli_output_name(const char *run, const char *suffix, char *name, size_t size)
{
    size_t length = strlen(run);
    while (length > 1 && run[length - 1] == '/')
        length--;
    if (length > 0 && run[length - 1] == '.') // "." and ".." have no name to add to
    {
        run = "run";
        length = strlen(run);
    }
    if (length > 4 && strncmp(run + length - 4, ".run", 4) == 0)
        length -= 4;
    if (snprintf(name, size, "%.*s%s", (int)length, run, suffix) < (int)size)
        return CLI_DONE;
    return cli_fail_usage("run thud from a folder nearer to it", "the path of the run is too long");
}
