// Surfaces as triangles: closed, turned to the free side, within their boxes.
#include "thud/surface.h"
#include "thud_test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static thud_solid_def solid_of(thud_solid_kind kind)
{
    thud_solid_def solid = {.kind = kind, .radius = 0.5};
    memcpy(solid.points[1], (double[]){1, 2, 3}, 3 * sizeof(double));
    if (kind == THUD_BOX || kind == THUD_INSIDE_BOX)
        solid.radius = 0;
    return solid;
}

// The volume that the triangles enclose: > 0 where they turn counter-clockwise seen from outside.
static double volume_of(const thud_surface *surface)
{
    double six = 0;
    for (int i = 0; i < surface->triangle_count; i++)
    {
        const double *a = surface->triangles + 9 * (size_t)i, *b = a + 3, *c = a + 6;
        six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return six / 6;
}

static void check_bounds(const thud_solid_def *solid, const thud_surface *surface)
{
    double low[3], high[3];
    thud_surface_bounds(solid, low, high);
    for (int i = 0; i < 9 * surface->triangle_count; i++)
        CHECK(surface->triangles[i] >= low[i % 3] - 1e-12 &&
              surface->triangles[i] <= high[i % 3] + 1e-12);
    for (int i = 0; i < 6 * surface->line_count; i++)
        CHECK(surface->lines[i] >= low[i % 3] - 1e-12 && surface->lines[i] <= high[i % 3] + 1e-12);
}

// Circles become polygons of 48 sides, so the volume of a surface is slightly too small.
static void volumes(void)
{
    double axis = sqrt(14), disc = pi * 0.25, ball = pi / 6;
    const struct
    {
        thud_solid_kind kind;
        thud_surface_kind surface;
        double volume, part;
    } cases[] = {{THUD_BOX, THUD_SURFACE_SOLID, 6, 1e-12},
                 {THUD_INSIDE_BOX, THUD_SURFACE_CONTAINER, -6, 1e-12},
                 {THUD_BALL, THUD_SURFACE_SOLID, ball, 0.02},
                 {THUD_INSIDE_BALL, THUD_SURFACE_CONTAINER, -ball, 0.02},
                 {THUD_CYLINDER, THUD_SURFACE_SOLID, disc * axis, 0.005},
                 {THUD_CAPSULE, THUD_SURFACE_SOLID, disc * axis + ball, 0.01}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        thud_surface surface = {0};
        thud_solid_def solid = solid_of(cases[i].kind);
        REQUIRE(thud_surface_make(&solid, 3, NULL, &surface) == THUD_OK);
        bool has_rims = cases[i].kind != THUD_BALL && cases[i].kind != THUD_CAPSULE;
        CHECK(surface.kind == cases[i].surface && (surface.line_count > 0) == has_rims);
        double volume = volume_of(&surface);
        if (fabs(volume - cases[i].volume) > cases[i].part * fabs(cases[i].volume))
            test_fail(__FILE__, __LINE__, "kind %d: volume %g", (int)cases[i].kind, volume);
        check_bounds(&solid, &surface);
        thud_surface_free(&surface, NULL);
        CHECK(!surface.triangles && !surface.lines && surface.triangle_count == 0);
    }
}

// In the plane: an outline of lines, filled by triangles with z = 0.
static void flat(void)
{
    thud_surface surface = {0};
    thud_solid_def solid = solid_of(THUD_BOX);
    double area = 0;
    solid.points[0][2] = -INFINITY;
    solid.points[1][2] = INFINITY;
    REQUIRE(thud_surface_make(&solid, 2, NULL, &surface) == THUD_OK);
    CHECK(surface.line_count == 4 && surface.triangle_count == 2);
    for (int i = 0; i < surface.triangle_count; i++)
    {
        const double *a = surface.triangles + 9 * (size_t)i, *b = a + 3, *c = a + 6;
        area += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
        CHECK(a[2] == 0 && b[2] == 0 && c[2] == 0);
    }
    CHECK(area == 2);
    thud_surface_free(&surface, NULL);
}

static void failing_memory(void)
{
    long at = 1;
    for (thud_status status = THUD_ERR_MEMORY; status != THUD_OK; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_surface surface = {0};
        thud_solid_def solid = solid_of(THUD_CAPSULE);
        status = thud_surface_make(&solid, 3, &allocator, &surface);
        CHECK(status == THUD_OK || status == THUD_ERR_MEMORY);
        thud_surface_free(&surface, &allocator);
        CHECK(meter.blocks == 0);
    }
    CHECK(at > 4);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"volumes", volumes},
        {"flat", flat},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
