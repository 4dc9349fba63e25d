// The kernels on packs, in plain C: the reference of the others.
#include "project/sweep/lanes_plain.h"

#include "project/sweep/pack_kernel.h"
