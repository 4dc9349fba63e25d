// The kernels on packs, by vectors of the compiler: for processors without AVX2. On x86-64 this
// file is always compiled for the oldest ones, so that it is tested on every machine.
#include "project/sweep/lanes_vector.h"

#include "project/sweep/pack_kernel.h"
