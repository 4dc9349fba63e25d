// How far planes are drawn: a box around what the frames to be exported show.
#include "core/fault.h"
#include "core/math/geometry.h"
#include "export/export_walls.h"

static const double NEAR = 3; // diagonals: planes farther away are not made room for

// Numbers that are not finite are left out.
static void widen(thudi_extent *extent, int axis, double x)
{
    if (isfinite(x) && x < extent->low[axis])
        extent->low[axis] = x;
    if (isfinite(x) && x > extent->high[axis])
        extent->high[axis] = x;
}

static void add_bodies(thudi_extent *extent, const thudi_shot *shot)
{
    for (size_t i = 0; i < (size_t)shot->count; i++)
        for (int k = 0; k < 3; k++)
        {
            widen(extent, k, shot->seen[3 * i + (size_t)k] - shot->radius[i]);
            widen(extent, k, shot->seen[3 * i + (size_t)k] + shot->radius[i]);
        }
}

static void add_solids(thudi_extent *extent, const thudi_walls *walls, const thudi_export *export,
                       double t)
{
    for (int i = 0; i < export->def->scene->obstacle_count; i++)
    {
        const thudi_surface *surface = &walls->surfaces[i];
        thud_pose pose;
        double x[3];
        thud_model_pose(export->def->model, i, t, &pose);
        thud_placement at = thud_pose_place(&pose);
        for (size_t p = 0; p < 3 * (size_t)surface->triangle_count; p++)
        {
            thudi_wall_point(&at, surface->triangles.items + 3 * p, x);
            for (int k = 0; k < 3; k++)
                widen(extent, k, x[k]);
        }
    }
}

// The planes across an axis at time t. `around`: bodies and solids.
static void add_planes(thudi_extent *extent, const thudi_extent *around, const thudi_export *export,
                       double t)
{
    double side[3];
    thudi_subtract(around->high, around->low, side);
    double far = NEAR * thudi_norm(side);
    for (int i = 0; i < export->def->scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(export->def->model, i, t, &plane);
        for (int k = 0; k < 3; k++)
        {
            double x = plane.offset * plane.normal[k];
            if (fabs(plane.normal[k]) == 1 && x >= around->low[k] - far &&
                x <= around->high[k] + far)
                widen(extent, k, x);
        }
    }
}

// Look at every frame, and note its time.
static thud_status look(const thudi_walls *walls, const thudi_export *export,
                        thudi_shooter *shooter, thudi_extent *around, double *times)
{
    int64_t stride = export->def->stride > 0 ? export->def->stride : 1;
    for (int64_t i = 0; i < export->total; i++)
    {
        THUD_TRY(thudi_shooter_aim(shooter, export, export->def->first + i * stride));
        times[i] = shooter->shot.t;
        add_bodies(around, &shooter->shot);
        if (i == 0 || walls->moves)
            add_solids(around, walls, export, times[i]);
    }
    if (export->def->scene->dim == 2) // radii reach out of the plane
        around->low[2] = around->high[2] = 0;
    return THUD_OK;
}

thud_status thudi_walls_measure(const thudi_walls *walls, const thudi_export *export,
                                thudi_extent *extent)
{
    thudi_shooter shooter = {0};
    THUDI_ARRAY(double) times = {0};
    thudi_extent around = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (thudi_array_reserve(&export->allocator, &times, (size_t) export->total) < 0)
        return thudi_fail_memory(export->fault);
    thud_status status = look(walls, export, &shooter, &around, times.items);
    *extent = around;
    bool has_box = status == THUD_OK && around.low[0] <= around.high[0];
    for (int64_t i = 0; has_box && i < (walls->moves ? export->total : 1); i++)
        add_planes(extent, &around, export, times.items[i]);
    thudi_shooter_free(&shooter, &export->allocator);
    thudi_array_free(&export->allocator, &times);
    return status;
}
