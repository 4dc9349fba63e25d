// In place of pictures in a build without cairo: the function says so.
#include "core/fault.h"
#include "thud/show.h"

thud_status thud_render(const thud_render_def *def, thud_fault *fault)
{
    (void)def;
    return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE,
                      "build it with -DTHUD_CAIRO=ON, or use 'thud view'",
                      "Thud was built without cairo, which draws pictures");
}
