// Pieces of YAML and CSV, written so that they are read back as they were.
#ifndef THUDI_YAML_WRITE_H
#define THUDI_YAML_WRITE_H

#include "thud/words.h"

// The destination of text, and whether writing failed.
typedef struct thudi_out
{
    thud_sink_fn *sink;
    void *user;
    thud_status status; // once it is an error, nothing more is written
    size_t used;
    char buffer[4096];
} thudi_out;

void thudi_put(thudi_out *out, const char *text);
void thudi_put_bytes(thudi_out *out, const char *text, size_t length);
void thudi_put_number(thudi_out *out, double x);
void thudi_put_whole(thudi_out *out, double x);

// A text in one line, in quotes where YAML needs them.
void thudi_put_string(thudi_out *out, const char *text);
// A value in a block: a text of several lines becomes a literal block where that is possible.
void thudi_put_text(thudi_out *out, const char *text);
// [a, b, c]
void thudi_put_vector(thudi_out *out, const double *x, int dim);
// A formula as the user gave it: in quotes, unless it is a number.
void thudi_put_formula(thudi_out *out, const char *text);

// Send what is left; returns the status.
thud_status thudi_out_end(thudi_out *out);

#endif
