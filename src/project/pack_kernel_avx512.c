// The kernels on packs, for processors with AVX-512.
#include "project/lanes_avx512.h"

#include "project/pack_kernel.h"
