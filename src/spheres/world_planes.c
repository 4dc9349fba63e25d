// Walls come to a world of spheres, and all that moves by itself is put where it is at a time.
#include "spheres/cell.h"
#include "spheres/materials.h"
#include "spheres/obstacles.h"

#include "core/math/finite.h"

#include <math.h>
#include <string.h>

// A unit normal, the offset scaled with it; false for a zero or infinite one.
static bool normalise(int dim, thud_plane *plane)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += plane->normal[k] * plane->normal[k];
    double length = sqrt(sum);
    if (!(length > 0) || !isfinite(length) || !isfinite(plane->offset))
        return false;
    for (int k = 0; k < 3; k++)
        plane->normal[k] = k < dim ? plane->normal[k] / length : 0;
    plane->offset /= length;
    return isfinite(plane->offset);
}

thud_status thud_world_add_wall(thud_world *world, const thud_wall_def *def, int *wall)
{
    thud_wall_def copy = *def;
    if (!copy.motion && !normalise(world->dim, &copy.plane))
    {
        thudi_world_fail(world, "wall %d: the normal is zero or a number is not finite",
                         world->wall_count);
        return THUD_ERR_ARGUMENT;
    }
    if (!thudi_world_has_material(world, copy.material))
    {
        thudi_world_fail(world, "wall %d: there is no material %d", world->wall_count,
                         copy.material);
        return THUD_ERR_ARGUMENT;
    }
    size_t wanted = (size_t)world->wall_count + 1;
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->walls, wanted));
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->planes, wanted));
    if (wall)
        *wall = world->wall_count;
    world->planes.items[world->wall_count] = copy.plane;
    world->walls.items[world->wall_count++] = copy;
    world->is_ready = false;
    return THUD_OK;
}

thud_status thud_world_add_box(thud_world *world, const double low[3], const double high[3],
                               int *first)
{
    int start = world->wall_count;
    for (int k = 0; k < world->dim; k++)
        for (int side = 0; side < 2; side++)
        {
            double at = side ? high[k] : low[k];
            thud_wall_def def = {.plane.offset = side ? -at : at};
            def.plane.normal[k] = side ? -1 : 1;
            thud_status status = isnan(at) ? THUD_ERR_NOT_FINITE : THUD_OK;
            if (status >= 0 && isfinite(at))
                status = thud_world_add_wall(world, &def, NULL);
            if (status < 0)
            {
                world->wall_count = start; // all or nothing
                return status;
            }
        }
    if (first)
        *first = start;
    return THUD_OK;
}

thud_status thudi_world_place_at(thud_world *world, double t)
{
    double *radius = world->radius.items;
    if (!world->def.radii)
        memcpy(radius, world->rest_radius.items, (size_t)world->count * sizeof *radius);
    else if (world->def.radii(t, world->count, world->id.items, radius, world->def.user) != 0)
        return THUD_ERR_CALLBACK;
    if (!thudi_all_positive(radius, world->count) || !thudi_all_finite(radius, world->count))
        return THUD_ERR_NOT_FINITE;
    for (int w = 0; w < world->wall_count; w++)
    {
        const thud_wall_def *wall = &world->walls.items[w];
        if (!wall->motion)
            continue;
        if (wall->motion(t, &world->planes.items[w], wall->user) != 0)
            return THUD_ERR_CALLBACK;
        if (!normalise(world->dim, &world->planes.items[w]))
            return THUD_ERR_NOT_FINITE;
    }
    THUD_TRY(thudi_world_shear_at(world, t));
    THUD_TRY(thudi_world_check_cell(world));
    return thudi_world_place_obstacles(world, t);
}
