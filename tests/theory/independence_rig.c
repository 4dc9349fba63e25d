// Lists of rows, and gamma of them.
#include "independence_rig.h"

#include "thud_test.h"

thud_independence measure_rows(const thud_rows *rows, const thud_independence_def *def)
{
    thud_independence found = {.gamma = NAN};
    CHECK(thud_independence_measure(rows, def, &found, NULL, NULL) == THUD_OK);
    CHECK_AT_MOST(found.least, found.gamma);
    return found;
}
