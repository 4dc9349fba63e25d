// The kernels on packs, for processors with AVX2 and FMA, the baseline.
#include "project/lanes_avx2.h"

#include "project/pack_kernel.h"
