// How many threads a loop may have. All loops use the same number, so that the team stays the same.
#ifndef THUDI_THREADS_H
#define THUDI_THREADS_H

#include <omp.h>

static inline int thudi_threads(void)
{
    return omp_get_max_threads();
}

#endif
