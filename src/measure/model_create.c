// Creates and destroys a model: its problem, then its series, which are made apart.
#include "measure/model_measures.h"

#include "core/fault.h"

thud_status thud_model_create(const thud_scene *scene, const thud_allocator *allocator,
                              thud_model **out, thud_fault *fault)
{
    thud_model *model;
    if (fault)
        *fault = thudi_fault_none();
    thud_status status = thudi_model_build(scene, allocator, &model, fault);
    thud_status named = status >= 0 ? thudi_series_make(model, fault) : status;
    if (named >= 0)
    {
        *out = model;
        return status; // may be the news of its start
    }
    thud_model_destroy(model);
    return thudi_fault_end(fault, named);
}

void thud_model_destroy(thud_model *model)
{
    if (!model)
        return;
    thudi_series_discard(model);
    thudi_model_free(model);
}
