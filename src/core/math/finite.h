// Questions on all numbers of an array, four at a time.
#ifndef THUDI_FINITE_H
#define THUDI_FINITE_H

#include "thud/base.h"

static inline bool thudi_all_finite(const double *x, int count)
{
    double sum[4] = {0}; // NaN for all that is not finite
    int i = 0;
    for (; i < count - 3; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += x[i + k] * 0;
    for (; i < count; i++)
        sum[0] += x[i] * 0;
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

static inline bool thudi_all_positive(const double *x, int count)
{
    double others[4] = {0};
    int i = 0;
    for (; i < count - 3; i += 4)
        for (int k = 0; k < 4; k++)
            others[k] += x[i + k] > 0 ? 0 : 1;
    for (; i < count; i++)
        others[0] += x[i] > 0 ? 0 : 1;
    return others[0] + others[1] + others[2] + others[3] == 0;
}

#endif
