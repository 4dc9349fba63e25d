// What commands that make files of a run share: which frames, and where to.
#ifndef CLI_RUN_OUTPUT_H
#define CLI_RUN_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

typedef struct cli_frames
{
    int64_t first, last, stride;
} cli_frames;

// Read FIRST:LAST:STRIDE for a run of `count` frames; returns an exit code, having said what was
// wrong.
int cli_frames_read(const char *text, int64_t count, cli_frames *frames);

// The name of the run with an addition instead of .run: box.run and "-vtp" make box-vtp. Returns an
// exit code, having said what was wrong.
int cli_output_name(const char *run, const char *addition, char *name, size_t size);

#endif
