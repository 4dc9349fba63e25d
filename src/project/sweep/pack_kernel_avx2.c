// The kernels on packs, for processors with AVX2 and FMA, the baseline.
#include "project/sweep/lanes_avx2.h"

#include "project/sweep/pack_kernel.h"
