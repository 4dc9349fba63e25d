// Numbers that may depend on time, written so that they are read back as they were.
#ifndef THUDI_VARYING_WRITE_H
#define THUDI_VARYING_WRITE_H

#include "text/yaml_write.h"
#include "thud/varying.h"

// A number, a formula in quotes or {table: [[t, value], ...]}.
void thudi_put_varying(thudi_out *out, const thud_varying *varying);
// [a, b, c]
void thudi_put_varyings(thudi_out *out, const thud_varying *varying, int dim);

#endif
