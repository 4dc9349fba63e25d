// How many threads steps use.
#include "thud/step.h"

#include "core/threads.h"

int thud_threads(void)
{
    return omp_get_max_threads();
}
