// The table of projection methods: one line each.
#include "project/projector.h"

static const struct
{
    thud_method method;
    thudi_method_fn *solve;
} methods[] = {
    {THUD_METHOD_AUTO, thudi_project_by_active_set},
    {THUD_METHOD_ACTIVE_SET, thudi_project_by_active_set},
};

thudi_method_fn *thudi_method_find(thud_method method)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (methods[i].method == method)
            return methods[i].solve;
    return NULL;
}
