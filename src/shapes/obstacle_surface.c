// Solids and containers as triangles and lines. Boxes, shapes in the plane and bounding boxes are
// here; round shapes and meshes are in other files.
#include "core/math/elementary.h"
#include "core/math/geometry.h"
#include "shapes/surface_maker.h"

#include <math.h>
#include <string.h>

void thudi_surface_add_triangle(thudi_surface_maker *m, const double a[3], const double b[3],
                                const double c[3])
{
    size_t at = 9 * (size_t)m->to->triangle_count;
    if (m->status >= 0)
        m->status = thudi_grow(m->allocator, &m->to->triangles, sizeof *m->to->triangles, at + 9,
                               &m->to->triangle_room);
    if (m->status < 0)
        return;
    double *out = m->to->triangles + at;
    memcpy(out, a, 3 * sizeof *out);
    memcpy(out + 3, m->is_inside ? c : b, 3 * sizeof *out);
    memcpy(out + 6, m->is_inside ? b : c, 3 * sizeof *out);
    m->to->triangle_count++;
}

void thudi_surface_add_line(thudi_surface_maker *m, const double a[3], const double b[3])
{
    size_t at = 6 * (size_t)m->to->line_count;
    if (m->status >= 0)
        m->status = thudi_grow(m->allocator, &m->to->lines, sizeof *m->to->lines, at + 6,
                               &m->to->line_room);
    if (m->status < 0)
        return;
    memcpy(m->to->lines + at, a, 3 * sizeof *a);
    memcpy(m->to->lines + at + 3, b, 3 * sizeof *a);
    m->to->line_count++;
}

static void make_box(thudi_surface_maker *m)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double corners[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = m->solid->points[i >> k & 1][k];
    for (int i = 0; i < 6; i++)
    {
        const int *f = faces[i];
        thudi_surface_add_triangle(m, corners[f[0]], corners[f[1]], corners[f[2]]);
        thudi_surface_add_triangle(m, corners[f[0]], corners[f[2]], corners[f[3]]);
    }
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            if (!(i >> k & 1))
                thudi_surface_add_line(m, corners[i], corners[i | 1 << k]);
}

// The outline of a round shape in the plane: half a circle about each end, or a whole circle.
static int outline(const thud_solid_def *solid, double (*out)[3])
{
    const double *a = solid->points[0], *b = solid->points[1];
    double dx = 0, dy = 0, size = 0;
    if (solid->kind == THUD_CAPSULE)
    {
        dx = b[0] - a[0];
        dy = b[1] - a[1];
        size = sqrt(dx * dx + dy * dy);
    }
    dx = size > 0 ? dx / size : 1;
    dy = size > 0 ? dy / size : 0;
    for (int i = 0; i < THUDI_SURFACE_SIDES; i++)
    {
        double angle = 2 * THUDI_PI * (i + 0.5) / THUDI_SURFACE_SIDES - THUDI_PI / 2;
        double u = solid->radius * thudi_cos(angle), v = solid->radius * thudi_sin(angle);
        const double *from = size > 0 && i < THUDI_SURFACE_SIDES / 2 ? b : a;
        out[i][0] = from[0] + u * dx - v * dy;
        out[i][1] = from[1] + u * dy + v * dx;
        out[i][2] = 0;
    }
    return THUDI_SURFACE_SIDES;
}

// A convex polygon in the plane.
static void make_flat(thudi_surface_maker *m)
{
    const thud_solid_def *solid = m->solid;
    double points[THUDI_SURFACE_SIDES][3] = {{0}};
    int count = 4;
    if (solid->kind == THUD_BOX || solid->kind == THUD_INSIDE_BOX)
        for (int i = 0; i < 4; i++)
        {
            points[i][0] = solid->points[i == 1 || i == 2][0];
            points[i][1] = solid->points[i >= 2][1];
        }
    else
        count = outline(solid, points);
    for (int i = 0; i < count; i++)
    {
        thudi_surface_add_line(m, points[i], points[(i + 1) % count]);
        if (i > 1)
            thudi_surface_add_triangle(m, points[0], points[i - 1], points[i]);
    }
}

// Every kind is named, so the order of the list does not matter here.
static bool is_container(thud_solid_kind kind)
{
    switch (kind)
    {
    case THUD_INSIDE_BOX:
    case THUD_INSIDE_DRUM:
    case THUD_INSIDE_CONE:
    case THUD_INSIDE_BALL:
        return true;
    case THUD_BOX:
    case THUD_BALL:
    case THUD_CAPSULE:
    case THUD_CYLINDER:
    case THUD_TRIANGLE:
    case THUD_MESH:
    case THUD_SOLID_KINDS:
        break;
    }
    return false;
}

thud_status thud_surface_make(const thud_solid_def *solid, int dim, const thud_allocator *allocator,
                              thud_surface *surface)
{
    bool is_inside = is_container(solid->kind);
    bool is_mesh = solid->kind == THUD_MESH || solid->kind == THUD_TRIANGLE;
    thud_allocator memory = thudi_allocator_or_default(allocator);
    thudi_surface_maker m = {
        .solid = solid, .allocator = &memory, .to = surface, .is_inside = is_inside};
    surface->kind = is_mesh     ? THUD_SURFACE_SHEET
                    : is_inside ? THUD_SURFACE_CONTAINER
                                : THUD_SURFACE_SOLID;
    if (is_mesh)
        thudi_surface_make_mesh(&m);
    else if (dim == 2)
        make_flat(&m);
    else if (solid->kind == THUD_BOX || solid->kind == THUD_INSIDE_BOX)
        make_box(&m);
    else
        thudi_surface_make_round(&m);
    return m.status;
}

void thud_surface_free(thud_surface *surface, const thud_allocator *allocator)
{
    thud_allocator memory = thudi_allocator_or_default(allocator);
    thudi_free(&memory, surface->triangles, surface->triangle_room * sizeof *surface->triangles);
    thudi_free(&memory, surface->lines, surface->line_room * sizeof *surface->lines);
    *surface = (thud_surface){.kind = surface->kind};
}

static void widen(double low[3], double high[3], const double x[3], const double by[3])
{
    for (int k = 0; k < 3; k++)
    {
        if (!isfinite(x[k])) // the third axis of a box in the plane
            low[k] = high[k] = 0;
        low[k] = x[k] - by[k] < low[k] && isfinite(x[k]) ? x[k] - by[k] : low[k];
        high[k] = x[k] + by[k] > high[k] && isfinite(x[k]) ? x[k] + by[k] : high[k];
    }
}

// How far the solid reaches beyond its points: like a disc at right angles to the axis, or a ball.
static void reach_of(const thud_solid_def *solid, double by[3])
{
    bool is_disc = solid->kind == THUD_CYLINDER || solid->kind == THUD_INSIDE_DRUM ||
                   solid->kind == THUD_INSIDE_CONE;
    double axis[3] = {0, 0, 0};
    for (int k = 0; k < 3 && is_disc; k++)
        axis[k] = solid->points[1][k] - solid->points[0][k];
    double size = thudi_norm(axis);
    for (int k = 0; k < 3; k++)
    {
        double part = size > 0 ? axis[k] / size : 0, rest = 1 - part * part;
        by[k] = solid->radius * sqrt(rest > 0 ? rest : 0);
    }
}

void thud_surface_bounds(const thud_solid_def *solid, double low[3], double high[3])
{
    int points = solid->kind == THUD_BALL || solid->kind == THUD_INSIDE_BALL ? 1
                 : solid->kind == THUD_TRIANGLE                              ? 3
                                                                             : 2;
    double by[3], none[3] = {0, 0, 0};
    reach_of(solid, by);
    for (int k = 0; k < 3; k++)
    {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < points && solid->kind != THUD_MESH; i++)
        widen(low, high, solid->points[i], i == 0 && solid->kind == THUD_INSIDE_CONE ? none : by);
    for (int i = 0; i < 3 * solid->triangle_count; i++)
        widen(low, high, solid->triangles + 3 * (size_t)i, none);
}
