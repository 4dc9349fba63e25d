// For commands that write files from a run: which frames to write, and how to name the output.
#ifndef CLI_RUN_OUTPUT_H
#define CLI_RUN_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

// The frames first, first + stride, ... up to and including `last`. Frames are counted from 0.
typedef struct cli_frames
{
    int64_t first, last, stride;
} cli_frames;

// Read FIRST:LAST:STRIDE for a run of `count` frames. A part that is left out is 0, count - 1 or 1.
// Returns an exit code; if it is not CLI_DONE, the error has been printed.
int cli_frames_read(const char *text, int64_t count, cli_frames *frames);

// Write the run's path to `name`, with `suffix` in place of ".run". For example, box.run and "-vtp"
// make box-vtp. size: bytes of `name`. Returns an exit code; if it is not CLI_DONE, the error has
// been printed.
int cli_output_name(const char *run, const char *suffix, char *name, size_t size);

#endif
