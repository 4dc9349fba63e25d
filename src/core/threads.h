// How many threads a loop may have. All loops use the same number, so that the team stays the same.
// A build without OpenMP (THUD_NO_OPENMP) has one thread, and gives the same bits.
#ifndef THUDI_THREADS_H
#define THUDI_THREADS_H

#ifdef THUD_NO_OPENMP
static inline int omp_get_max_threads(void)
{
    return 1;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline int omp_get_level(void)
{
    return 0;
}
#else
#include <omp.h>
#endif

static inline int thudi_threads(void)
{
    return omp_get_max_threads();
}

#endif
