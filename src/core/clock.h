// Seconds of the monotonic clock, for profiles. Never part of a result.
#ifndef THUDI_CLOCK_H
#define THUDI_CLOCK_H

#include <time.h>

static inline double thudi_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
