// The kernels on packs, by vectors of the compiler: for processors without AVX2. On x86-64 this
// file is always compiled for the oldest ones, so that it is tested on every machine.
#include "project/kernels/lanes_vector.h"

#include "project/kernels/pack_kernel.h"
