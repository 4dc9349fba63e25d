// In place of what needs HDF5 in a build without it: each function says so.
#include "core/fault.h"
#include "export/exporter.h"
#include "thud/instance.h"

#define ABSENT "Thud was built without HDF5"

const thudi_format thudi_format_hdf5 = {.inclusions = true, .absent = ABSENT};

static thud_status refuse(thud_fault *fault)
{
    return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "build it with -DTHUD_HDF5=ON",
                      ABSENT);
}

thud_status thud_export_steps(const thud_export_def *def, thud_fault *fault)
{
    (void)def;
    return refuse(fault);
}

thud_status thud_instance_read(const char *path, const thud_allocator *allocator,
                               thud_instance **out, thud_fault *fault)
{
    (void)path;
    (void)allocator;
    *out = NULL;
    return refuse(fault);
}

thud_status thud_instance_write(const thud_instance *instance, const char *path, thud_fault *fault)
{
    (void)instance;
    (void)path;
    return refuse(fault);
}
