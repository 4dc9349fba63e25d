// The kernels on packs, in plain C: the reference of the others.
#include "project/kernels/lanes_plain.h"

#include "project/kernels/pack_kernel.h"
