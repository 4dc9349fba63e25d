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

static void add_bodies(thudi_extent *extent, const thud_snapshot *snapshot)
{
    for (size_t i = 0; i < (size_t)snapshot->count; i++)
        for (int k = 0; k < 3; k++)
        {
            widen(extent, k, snapshot->seen[3 * i + (size_t)k] - snapshot->radius[i]);
            widen(extent, k, snapshot->seen[3 * i + (size_t)k] + snapshot->radius[i]);
        }
}

static void add_solids(thudi_extent *extent, const thudi_walls *walls, const thudi_export *export,
                       double t)
{
    for (int i = 0; i < export->def->scene->obstacle_count; i++)
    {
        const thud_surface *surface = &walls->surfaces[i];
        thud_pose pose;
        double x[3];
        thud_model_pose(export->def->model, i, t, &pose);
        thud_placement at = thud_pose_place(&pose);
        for (size_t p = 0; p < 3 * (size_t)surface->triangle_count; p++)
        {
            thudi_wall_point(&at, surface->triangles + 3 * p, x);
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
static thud_status read_frames(const thudi_walls *walls, const thudi_export *export,
                               thud_snapshot_reader *reader, thudi_extent *around, double *times)
{
    int64_t stride = export->def->stride > 0 ? export->def->stride : 1;
    for (int64_t i = 0; i < export->total; i++)
    {
        thud_snapshot snapshot;
        int64_t frame = export->def->first + i * stride;
        THUD_TRY(thud_snapshot_read(reader, frame, &snapshot, export->fault));
        times[i] = snapshot.t;
        add_bodies(around, &snapshot);
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
    thud_snapshot_reader *reader = NULL;
    THUDI_ARRAY(double) times = {0};
    thudi_extent around = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (thudi_array_reserve(&export->allocator, &times, (size_t) export->total) < 0)
        return thudi_fail_memory(export->fault);
    // its own reader: the snapshot of the export stays what it is
    thud_status status = thudi_export_reader(export, &reader);
    if (status == THUD_OK)
        status = read_frames(walls, export, reader, &around, times.items);
    *extent = around;
    bool has_box = status == THUD_OK && around.low[0] <= around.high[0];
    for (int64_t i = 0; has_box && i < (walls->moves ? export->total : 1); i++)
        add_planes(extent, &around, export, times.items[i]);
    thud_snapshot_close(reader);
    thudi_array_free(&export->allocator, &times);
    return status;
}
