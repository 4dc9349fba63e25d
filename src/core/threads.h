// How many threads a loop may have. All loops use the same number, so that the team stays the same.
#ifndef THUDI_THREADS_H
#define THUDI_THREADS_H

#include <omp.h>

enum
{
    THUDI_MOST_THREADS = 16 // the sweeps have no work for more
};

static inline int thudi_threads(void)
{
    int wanted = omp_get_max_threads();
    return wanted < THUDI_MOST_THREADS ? wanted : THUDI_MOST_THREADS;
}

#endif
