// Limits of whole numbers that are kept as doubles.
#ifndef THUDI_WHOLE_H
#define THUDI_WHOLE_H

// Every whole number up to this is a double.
#define THUDI_MOST_WHOLE 0x1p53

// Counts of steps stay below this, and numbers that are written digit by digit: nine times less
// than THUDI_MOST_WHOLE, so that sums of them are exact too.
#define THUDI_MOST_COUNT 1e15

// A set of flags as a number is below this: unsigned has them all.
#define THUDI_MOST_FLAGS 0x1p31

#endif
