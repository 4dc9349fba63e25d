// The option --frames: which frames of a run.
#ifndef CLI_FRAME_RANGE_H
#define CLI_FRAME_RANGE_H

#include <stdint.h>

typedef struct cli_frame_range
{
    int64_t first, last, stride;
} cli_frame_range;

// Read FIRST:LAST:STRIDE for a run of so many frames; NULL means all. Returns an exit code, having
// said what was wrong.
int cli_frame_range_read(const char *text, int64_t frame_count, cli_frame_range *range);

#endif
