// Fuzz target: the reader of STL files. What is read is finite and makes a mesh; what is refused
// has a reason.
#include "shapes/stl_file.h"
#include "thud/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static void check_mesh(const thudi_stl *stl)
{
    thud_solid *solid;
    thud_solid_def def = {
        .kind = THUD_MESH, .triangles = stl->triangles, .triangle_count = stl->count};
    demand(stl->count > 0);
    for (int i = 0; i < 9 * stl->count; i++)
        demand(isfinite(stl->triangles[i]));
    if (thud_solid_create(&def, &solid, NULL) == THUD_OK) // refused when beyond 1e150
        demand(thud_solid_nearest(solid, (double[]){0, 0, 0}).distance >= 0);
    thud_solid_destroy(solid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    thudi_stl stl;
    thud_fault fault = {.line = 0};
    thud_status status = thudi_stl_read((const char *)data, size, NULL, &stl, &fault);
    if (status >= 0)
        check_mesh(&stl);
    else
        demand(fault.text[0] != '\0' && !strpbrk(fault.text, "\r\n\t"));
    thudi_stl_free(NULL, &stl);
    return 0;
}
