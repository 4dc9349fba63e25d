// The kernels on packs, in plain C: the reference of the others, and for processors without them.
#include "project/lanes_plain.h"

#include "project/pack_kernel.h"
