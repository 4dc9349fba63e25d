// The table of projection methods: one line each.
#include "project/projector.h"

static const struct
{
    thud_method method;
    thudi_method_fn *solve;
} methods[] = {
    {THUD_METHOD_AUTO, thudi_project_by_clusters},
    {THUD_METHOD_ACTIVE_SET, thudi_project_by_active_set},
    {THUD_METHOD_AGS, thudi_project_by_accelerated_gauss_seidel},
    {THUD_METHOD_PGS, thudi_project_by_gauss_seidel},
    {THUD_METHOD_APGD, thudi_project_by_accelerated_gradient},
};

thudi_method_fn *thudi_method_find(thud_method method)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (methods[i].method == method)
            return methods[i].solve;
    return NULL;
}
