// The kernels on packs, for processors with AVX2 and FMA. On x86-64 this file is always
// compiled for them, and not built elsewhere.
#include "project/kernels/lanes_avx2.h"

#include "project/kernels/pack_kernel.h"
