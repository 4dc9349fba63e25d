// The times within a step where the force is not smooth, one after the other.
#ifndef THUDI_KINKS_H
#define THUDI_KINKS_H

#include "thud/inclusion.h"

typedef struct thudi_kink_search
{
    const thud_kinks *kinks; // NULL: none
    const double *q;         // frozen position
    int looks;               // out: ranges and values asked for; at most THUDI_KINK_LOOKS
    int lost;                // out: the function that took too many; -1 if all is well
} thudi_kink_search;

enum
{
    THUDI_KINK_LOOKS = 200000
};

// The first time in (start, end) where a function changes its sign, else `end`. That time is the
// first number with the new sign. THUD_ERR_CALLBACK, or THUD_ERR_QUADRATURE after too many looks.
thud_status thudi_kinks_next(thudi_kink_search *search, double start, double end, double *next);

#endif
