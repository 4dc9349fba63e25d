// Walls of a scene of spheres as triangles and lines: solids and containers by their surfaces,
// planes cut off at the box around everything that is shown.
#include "export/export_walls.h"

#include "core/fault.h"
#include "core/math/geometry.h"
#include "thud/surface.h"

#include <string.h>

// Of the lengths in play: a plane this close to a face of the box lies in it.
static const double IN_FACE = 1e-9;

enum
{
    CORNERS = 4 + 6 // of a square that six planes cut
};

typedef struct polygon
{
    double at[CORNERS][3];
    int count;
} polygon;

int64_t thudi_wall_material(const thud_scene *scene, int wall)
{
    return wall < scene->wall_count ? scene->walls[wall].material
                                    : scene->obstacles[wall - scene->wall_count].material;
}

void thudi_wall_point(const thud_placement *at, const double y[3], double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = at->origin[k] + thudi_dot(at->turn[k], y);
}

// Keep what is on the side sign * x_axis <= limit, up to a slack; the line between two corners is
// cut where it leaves.
static void cut(polygon *p, int axis, double sign, double limit, double slack)
{
    polygon kept = {.count = 0};
    for (int i = 0; i < p->count; i++)
    {
        const double *a = p->at[i], *b = p->at[(i + 1) % p->count];
        double out_a = sign * a[axis] - limit, out_b = sign * b[axis] - limit;
        if (out_a <= slack && kept.count < CORNERS)
            memcpy(kept.at[kept.count++], a, 3 * sizeof *a);
        if ((out_a <= slack) == (out_b <= slack) || kept.count == CORNERS)
            continue;
        double *corner = kept.at[kept.count++], part = out_a / (out_a - out_b);
        part = part < 0 ? 0 : (part > 1 ? 1 : part); // an end that is out by less than the slack
        for (int k = 0; k < 3; k++)
            corner[k] = a[k] + part * (b[k] - a[k]);
    }
    *p = kept;
}

// Two unit vectors along the plane, u x v = n; in two dimensions u lies in z = 0.
static void find_tangents(const double n[3], int dim, double u[3], double v[3])
{
    int least = 0;
    double axis[3] = {0, 0, 0};
    for (int k = 1; k < 3; k++)
        least = fabs(n[k]) < fabs(n[least]) ? k : least;
    axis[dim == 2 ? 2 : least] = 1;
    thudi_cross(axis, n, u);
    double size = thudi_norm(u);
    for (int k = 0; k < 3; k++)
        u[k] /= size;
    thudi_cross(n, u, v);
}

// The part of the plane that is in the box: a polygon, in two dimensions a line twice over.
static polygon clip(const thud_plane *plane, const thudi_extent *box, int dim)
{
    double center[3], side[3], u[3], v[3];
    polygon p = {.count = 4};
    thudi_subtract(box->high, box->low, side);
    double size = thudi_norm(side);
    thudi_along(box->low, 0.5, side, center);
    thudi_along(center, plane->offset - thudi_dot(plane->normal, center), plane->normal, center);
    find_tangents(plane->normal, dim, u, v);
    for (int i = 0; i < 4; i++)
    {
        static const int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        thudi_along(center, signs[i][0] * size, u, p.at[i]);
        thudi_along(p.at[i], dim == 2 ? 0 : signs[i][1] * size, v, p.at[i]);
    }
    for (int k = 0; k < dim; k++)
    {
        double slack = IN_FACE * (size + fabs(box->low[k]) + fabs(box->high[k]));
        cut(&p, k, -1, -box->low[k], slack);
        cut(&p, k, 1, box->high[k], slack);
    }
    return p;
}

static thud_status add(thudi_walls *walls, const thudi_export *export, int wall,
                       const double *points, int count)
{
    size_t cells = (size_t)(walls->line_count + walls->triangle_count);
    size_t used = 2 * (size_t)walls->line_count + 3 * (size_t)walls->triangle_count;
    if (thudi_array_reserve(&export->allocator, &walls->points, 3 * (used + (size_t)count)) < 0 ||
        thudi_array_reserve(&export->allocator, &walls->walls, cells + 1) < 0)
        return thudi_fail_memory(export->fault);
    memcpy(walls->points.items + 3 * used, points, 3 * (size_t)count * sizeof *points);
    walls->walls.items[cells] = wall;
    walls->line_count += count == 2;
    walls->triangle_count += count == 3;
    return THUD_OK;
}

static thud_status add_plane(thudi_walls *walls, const thudi_export *export, int wall, double t)
{
    int dim = export->def->scene->dim;
    thud_plane plane;
    if (!(walls->extent.low[0] <= walls->extent.high[0]))
        return THUD_OK;
    thud_model_wall(export->def->model, wall, t, &plane);
    polygon p = clip(&plane, &walls->extent, dim);
    double line[2][3];
    // the first and the second corner of a square without height are the ends of its line
    for (int i = 0; i < 2 && dim == 2 && p.count >= 2; i++)
        memcpy(line[i], p.at[i], sizeof line[i]);
    if (dim == 2)
        return p.count >= 2 ? add(walls, export, wall, line[0], 2) : THUD_OK;
    for (int i = 2; i < p.count; i++)
    {
        double triangle[9];
        memcpy(triangle, p.at[0], 3 * sizeof *triangle);
        memcpy(triangle + 3, p.at[i - 1], 3 * sizeof *triangle);
        memcpy(triangle + 6, p.at[i], 3 * sizeof *triangle);
        THUD_TRY(add(walls, export, wall, triangle, 3));
    }
    return THUD_OK;
}

// In two dimensions a solid is filled and a container is its outline. The triangles of a sheet have
// no width there: the first two corners are the line.
static thud_status add_solid(thudi_walls *walls, const thudi_export *export, int obstacle, double t,
                             bool wants_lines)
{
    const thud_surface *surface = &walls->surfaces[obstacle];
    const thud_scene *scene = export->def->scene;
    bool is_lines = scene->dim == 2 && surface->kind != THUD_SURFACE_SOLID;
    bool is_outline = is_lines && surface->kind == THUD_SURFACE_CONTAINER;
    size_t count = (size_t)(is_outline ? surface->line_count : surface->triangle_count);
    const double *from = is_outline ? surface->lines : surface->triangles;
    size_t stride = is_outline ? 6 : 9, corners = is_lines ? 2 : 3;
    thud_pose pose;
    if (is_lines != wants_lines)
        return THUD_OK;
    thud_model_pose(export->def->model, obstacle, t, &pose);
    thud_placement at = thud_pose_place(&pose);
    for (size_t i = 0; i < count; i++)
    {
        double points[9];
        for (size_t k = 0; k < 3 * corners; k += 3)
            thudi_wall_point(&at, from + stride * i + k, points + k);
        THUD_TRY(add(walls, export, scene->wall_count + obstacle, points, (int)corners));
    }
    return THUD_OK;
}

thud_status thudi_walls_place(thudi_walls *walls, const thudi_export *export, double t)
{
    const thud_scene *scene = export->def->scene;
    walls->line_count = walls->triangle_count = 0;
    for (int i = 0; i < scene->wall_count; i++)
        THUD_TRY(add_plane(walls, export, i, t));
    for (int i = 0; i < 2 * scene->obstacle_count; i++) // lines come before triangles
        THUD_TRY(add_solid(walls, export, i % scene->obstacle_count, t, i < scene->obstacle_count));
    return THUD_OK;
}

thud_status thudi_walls_begin(thudi_walls *walls, const thudi_export *export)
{
    const thud_scene *scene = export->def->scene;
    walls->has_any = scene->wall_count + scene->obstacle_count > 0;
    for (int i = 0; i < scene->wall_count; i++)
        walls->moves = walls->moves || scene->walls[i].moves;
    for (int i = 0; i < scene->obstacle_count; i++)
        walls->moves = walls->moves || scene->obstacles[i].moves;
    if (thud_surfaces_make(scene, &export->allocator, &walls->surfaces) < 0)
        return thudi_fail_memory(export->fault);
    return scene->wall_count > 0 ? thudi_walls_measure(walls, export, &walls->extent) : THUD_OK;
}

void thudi_walls_free(thudi_walls *walls, const thudi_export *export)
{
    thud_surfaces_free(export->def->scene, &export->allocator, walls->surfaces);
    thudi_array_free(&export->allocator, &walls->points);
    thudi_array_free(&export->allocator, &walls->walls);
}
