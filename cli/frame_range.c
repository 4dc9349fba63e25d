// The option --frames: which frames of a run.
#include "frame_range.h"

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

int cli_frame_range_read(const char *text, int64_t frame_count, cli_frame_range *range)
{
    int64_t parts[3] = {0, frame_count - 1, 1};
    const char *at = text;
    for (int i = 0; i < 3 && at && *at; i++)
        at = read_part(at, &parts[i]);
    if (!text || (at && !*at && parts[2] >= 1 && parts[0] <= parts[1] && parts[0] < frame_count))
    {
        int64_t last = parts[1] < frame_count ? parts[1] : frame_count - 1;
        *range = (cli_frame_range){parts[0], last, parts[2]};
        return CLI_DONE;
    }
    if (at && !*at && parts[0] >= frame_count)
        return cli_usage_error("frames are counted from 0", "the run has no frame %lld",
                               (long long)parts[0]);
    if (at && !*at && parts[0] > parts[1])
        return cli_usage_error("such as 0:100:10", "--frames %s: the first comes after the last",
                               text);
    return cli_usage_error("such as 0:100:10, or 10: or ::5",
                           "--frames is FIRST:LAST:STRIDE, not '%s'", text);
}
