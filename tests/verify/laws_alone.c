// The checker is linked without the solver here, and so without its contact laws. Rows ask only how
// many numbers a law has, and for their ranges: one number of any value for every law but law 0.
#include <thud/law.h>

#include <math.h>

const thud_law_info *thud_law_find(int law)
{
    static const thud_law_number any = {.key = "any", .low = -INFINITY, .high = INFINITY};
    static const thud_law_info plain = {.name = "plain"};
    static const thud_law_info numbered = {.name = "numbered", .numbers = &any, .number_count = 1};
    return law == 0 ? &plain : law > 0 ? &numbered : NULL;
}
