// A mesh of triangles, each thin and a facet of its own; the tree finds the near ones.
#include "solids/shape.h"

static const char *check(const thud_solid_def *def)
{
    if (!def->triangles || def->triangle_count < 1)
        return "the mesh has no triangles";
    return def->triangle_count <= THUD_SOLID_TRIANGLES ? NULL : "the mesh has too many triangles";
}

static void prepare(thud_solid *solid)
{
    solid->facets = solid->def.triangle_count;
    solid->size = thudi_mesh_tree_size(solid->tree);
    solid->depth = 0;
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    thudi_triangle_facing(thudi_mesh_tree_triangle(solid->tree, facing->facet), x, facing);
}

const thudi_shape thudi_shape_mesh = {
    .check = check, .prepare = prepare, .find_facing = find_facing};
