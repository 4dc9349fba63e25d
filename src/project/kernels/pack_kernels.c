// The table of kernels, fastest first.
#include "project/kernels/row_pack.h"

#include <string.h>

static const thudi_kernel *const KERNELS[] = {
#ifdef __x86_64__
    &thudi_kernel_avx2,
#endif
    &thudi_kernel_vector,
    &thudi_kernel_plain,
};

enum
{
    KERNEL_COUNT = sizeof KERNELS / sizeof *KERNELS
};

const thudi_kernel *thudi_kernel_choose(void)
{
    for (int k = 0; k < KERNEL_COUNT - 1; k++)
        if (KERNELS[k]->is_supported())
            return KERNELS[k];
    return KERNELS[KERNEL_COUNT - 1];
}

const thudi_kernel *thudi_kernel_find(const char *name)
{
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (strcmp(KERNELS[k]->name, name) == 0 && KERNELS[k]->is_supported())
            return KERNELS[k];
    return NULL;
}
