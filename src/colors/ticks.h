// Round numbers for axes.
#ifndef THUDI_TICKS_H
#define THUDI_TICKS_H

#include "thud/text.h"

enum
{
    THUDI_TICKS = 32,
    THUDI_TICK_LABEL = 64
};

// Of a length: a tick this close to the end of an axis is at its end apart from rounding.
static const double THUDI_TICK_SLACK = 1e-9;

typedef struct thudi_ticks
{
    double at[THUDI_TICKS];
    int multiple[THUDI_TICKS]; // of 10^exponent; for powers of ten: the exponent itself
    int count;
    int exponent;
    bool is_log;
} thudi_ticks;

// Multiples of 1, 2 or 5 times a power of ten in [low, high], at most about `most` of them. None
// when the numbers leave no room for that.
thudi_ticks thudi_ticks_linear(double low, double high, int most);

// The same for counts: where there is room every whole number has a tick, and nothing else.
thudi_ticks thudi_ticks_whole(double low, double high, int most);

// Powers of ten in [low, high], 0 < low < high, thinned to at most about `most`.
thudi_ticks thudi_ticks_log(double low, double high, int most);

// The label of a tick, in UTF-8 with a true minus sign and raised exponents.
const char *thudi_tick_label(char text[THUDI_TICK_LABEL], const thudi_ticks *ticks, int i);

#endif
