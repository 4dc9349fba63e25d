// Solids: made, checked, and looked at, whatever their kind.
#include "solids/shape.h"

#include "core/door.h"

// Numbers beyond this would overflow when squared; nothing is that large.
static const double LARGEST = 1e150;

static const thudi_shape *const shapes[THUD_SOLID_KINDS] = {
    [THUD_BOX] = &thudi_shape_box,
    [THUD_BALL] = &thudi_shape_ball,
    [THUD_CAPSULE] = &thudi_shape_capsule,
    [THUD_CYLINDER] = &thudi_shape_cylinder,
    [THUD_TRIANGLE] = &thudi_shape_triangle,
    [THUD_MESH] = &thudi_shape_mesh,
    [THUD_INSIDE_BOX] = &thudi_shape_inside_box,
    [THUD_INSIDE_DRUM] = &thudi_shape_inside_drum,
    [THUD_INSIDE_CONE] = &thudi_shape_inside_cone,
    [THUD_INSIDE_BALL] = &thudi_shape_inside_ball,
};

const char *thud_solid_name(thud_solid_kind kind)
{
    static const char *const names[] = {
#define THUD_SOLID_TEXT(name, text) text,
        THUD_SOLID_LIST(THUD_SOLID_TEXT)
#undef THUD_SOLID_TEXT
    };
    return (int)kind >= 0 && kind < THUD_SOLID_KINDS ? names[kind] : "";
}

static bool is_tame(double x)
{
    return fabs(x) < LARGEST;
}

static bool has_tame_numbers(const thud_solid_def *def, const thudi_shape *shape)
{
    if (!is_tame(def->radius))
        return false;
    for (int i = 0; i < 9; i++)
    {
        double x = def->points[i / 3][i % 3];
        if (!is_tame(x) && !(shape->may_be_infinite && isinf(x)))
            return false;
    }
    for (size_t i = 0; def->kind == THUD_MESH && i < 9 * (size_t)def->triangle_count; i++)
        if (!is_tame(def->triangles[i]))
            return false;
    return true;
}

static thud_status check_def(const thud_solid_def *def, const char **why)
{
    *why = "there is no such kind of solid";
    if ((int)def->kind < 0 || def->kind >= THUD_SOLID_KINDS)
        return THUD_ERR_ARGUMENT;
    const thudi_shape *shape = shapes[def->kind];
    if (def->kind == THUD_MESH && (*why = shape->check(def)) != NULL)
        return THUD_ERR_ARGUMENT;
    *why = "a number is not finite, or is above 1e150 in size";
    if (!has_tame_numbers(def, shape))
        return THUD_ERR_NOT_FINITE;
    *why = shape->check(def);
    return *why ? THUD_ERR_ARGUMENT : THUD_OK;
}

THUDI_DOOR thud_status thud_solid_create(const thud_solid_def *def, thud_solid **out,
                                         const char **why)
{
    const char *own;
    *out = NULL;
    why = why ? why : &own;
    *why = thud_status_text(THUD_ERR_FLOAT);
    THUD_TRY(thud_float_check());
    THUD_TRY(check_def(def, why));
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_solid *solid = thudi_allocate_zeroed(&allocator, sizeof *solid);
    if (!solid)
        return THUD_ERR_MEMORY;
    solid->allocator = allocator;
    solid->def = *def;
    solid->def.triangles = NULL;
    solid->def.allocator = NULL;
    solid->shape = shapes[def->kind];
    thud_status status = THUD_OK;
    if (def->kind == THUD_MESH)
        status = thudi_mesh_tree_create(def->triangles, def->triangle_count, &solid->allocator,
                                        &solid->tree);
    if (status < 0)
    {
        thud_solid_destroy(solid);
        return status;
    }
    solid->shape->prepare(solid);
    *out = solid;
    return THUD_OK;
}

void thud_solid_destroy(thud_solid *solid)
{
    if (!solid)
        return;
    thud_allocator allocator = solid->allocator;
    thudi_mesh_tree_destroy(solid->tree);
    thudi_free(&allocator, solid, sizeof *solid);
}

thud_solid_kind thud_solid_kind_of(const thud_solid *solid)
{
    return solid->def.kind;
}

int thud_solid_facets(const thud_solid *solid)
{
    return solid->facets;
}

thud_row_kind thud_solid_curving(const thud_solid *solid, int facet)
{
    return facet < solid->shape->concave ? THUD_CONCAVE : THUD_CONVEX;
}

double thud_solid_size(const thud_solid *solid)
{
    return solid->size;
}

double thud_solid_depth(const thud_solid *solid)
{
    return solid->depth;
}

thud_facing thud_solid_facing(const thud_solid *solid, int facet, const double x[3])
{
    thud_facing facing = {.facet = facet};
    solid->shape->find_facing(solid, x, &facing);
    return facing;
}

thud_facing thud_solid_nearest(const thud_solid *solid, const double x[3])
{
    if (solid->tree)
        return thudi_mesh_tree_nearest(solid->tree, x, INFINITY);
    thud_facing nearest = thud_solid_facing(solid, 0, x);
    for (int i = 1; i < solid->facets; i++)
    {
        thud_facing facing = thud_solid_facing(solid, i, x);
        if (facing.distance < nearest.distance)
            nearest = facing;
    }
    return nearest;
}
