/// Lists of rows, and gamma of them.
#ifndef INDEPENDENCE_RIG_H
#define INDEPENDENCE_RIG_H

#include "row_push.h"
#include "thud/hypotheses.h"
#include "thud_test.h"

/// gamma and its bound, which must be no more than gamma.
thud_independence measure_rows(const thud_rows *rows, const thud_independence_def *def);

#endif
