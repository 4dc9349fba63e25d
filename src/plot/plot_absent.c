// In place of charts in a build without cairo: each function says so.
#include "core/fault.h"
#include "thud/show.h"

static thud_status refuse(thud_fault *fault)
{
    return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE,
                      "build it with -DTHUD_CAIRO=ON, or draw series.csv with another program",
                      "Thud was built without cairo, which draws charts");
}

thud_status thud_plot(const thud_plot_def *def, thud_fault *fault)
{
    (void)def;
    return refuse(fault);
}

thud_status thud_plot_convergence(const thud_converge_result *result, const char *folder,
                                  const char *name, const thud_allocator *allocator,
                                  thud_fault *fault)
{
    (void)result;
    (void)folder;
    (void)name;
    (void)allocator;
    return refuse(fault);
}

thud_status thud_plot_halving(const thud_halving_result *result, const char *label,
                              const char *folder, const char *name, const thud_allocator *allocator,
                              thud_fault *fault)
{
    (void)result;
    (void)label;
    (void)folder;
    (void)name;
    (void)allocator;
    return refuse(fault);
}
