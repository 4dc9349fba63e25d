// Distances from solids by simple formulas: see brute_shapes.h.
#include "brute_shapes.h"

#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

// The rotation by a vector v, |v| the angle: v cos + (axis x v) sin + axis (axis . v) (1 - cos).
static void rotate(const double by[3], double sign, const double v[3], double out[3])
{
    double angle = sqrt(dot(by, by)), c = cos(angle), s = sign * sin(angle);
    double axis[3] = {0, 0, 1};
    for (int k = 0; k < 3 && angle > 0; k++)
        axis[k] = by[k] / angle;
    for (int k = 0; k < 3; k++)
    {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        double across = axis[a] * v[b] - axis[b] * v[a];
        out[k] = v[k] * c + across * s + axis[k] * dot(axis, v) * (1 - c);
    }
}

void brute_enter(const thud_pose *pose, const double x[3], double y[3])
{
    double from[3];
    minus(x, pose->position, from);
    rotate(pose->rotation, -1, from, y);
}

void brute_turn(const thud_pose *pose, const double n[3], double out[3])
{
    rotate(pose->rotation, 1, n, out);
}

// A view of the point p from y; what is round has its surface `radius` before p.
static brute_view from_point(const double p[3], double radius, const double y[3])
{
    brute_view view;
    minus(y, p, view.normal);
    double length = sqrt(dot(view.normal, view.normal));
    for (int k = 0; k < 3; k++)
        view.normal[k] /= length;
    view.distance = length - radius;
    return view;
}

static void nearest_on_segment(const double a[3], const double b[3], const double y[3],
                               double out[3])
{
    double along[3], from[3];
    minus(b, a, along);
    minus(y, a, from);
    double square = dot(along, along), t = square > 0 ? dot(from, along) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + t * along[k];
}

// The foot on the plane of the triangle, if it is inside of all edges; else the nearest of edges.
static brute_view look_at_triangle(const double *corners, const double y[3])
{
    double e[2][3], n[3], from[3], inside = 1, p[3];
    minus(corners + 3, corners, e[0]);
    minus(corners + 6, corners, e[1]);
    for (int k = 0; k < 3; k++)
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    for (int i = 0; i < 3; i++)
    {
        const double *a = corners + 3 * i, *b = corners + 3 * ((i + 1) % 3);
        double along[3], out[3];
        minus(b, a, along);
        minus(y, a, from);
        for (int k = 0; k < 3; k++)
            out[k] = along[(k + 1) % 3] * n[(k + 2) % 3] - along[(k + 2) % 3] * n[(k + 1) % 3];
        inside = dot(out, from) > 0 ? 0 : inside;
    }
    minus(y, corners, from);
    double square = dot(n, n), height = square > 0 ? dot(n, from) / square : 0;
    for (int k = 0; k < 3; k++)
        p[k] = y[k] - height * n[k];
    brute_view best = {.distance = INFINITY};
    if (inside > 0 && square > 0)
        return from_point(p, 0, y);
    for (int i = 0; i < 3; i++)
    {
        nearest_on_segment(corners + 3 * i, corners + 3 * ((i + 1) % 3), y, p);
        brute_view view = from_point(p, 0, y);
        best = view.distance < best.distance ? view : best;
    }
    return best;
}

static brute_view look_at_box(const thud_solid_def *solid, const double y[3])
{
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = fmin(fmax(y[k], solid->points[0][k]), solid->points[1][k]);
    return from_point(p, 0, y);
}

// Unit vector along the axis of the solid, its length, and y along and beside it.
typedef struct axial
{
    double axis[3], length, along, beside, out[3]; // out: unit vector away from the axis
} axial;

static axial measure_axis(const thud_solid_def *solid, const double y[3])
{
    axial a;
    double from[3];
    minus(solid->points[1], solid->points[0], a.axis);
    a.length = sqrt(dot(a.axis, a.axis));
    minus(y, solid->points[0], from);
    for (int k = 0; k < 3; k++)
        a.axis[k] /= a.length;
    a.along = dot(a.axis, from);
    for (int k = 0; k < 3; k++)
        a.out[k] = from[k] - a.along * a.axis[k];
    a.beside = sqrt(dot(a.out, a.out));
    for (int k = 0; k < 3; k++)
        a.out[k] = a.beside > 0 ? a.out[k] / a.beside : 0;
    return a;
}

static brute_view look_at_cylinder(const thud_solid_def *solid, const double y[3])
{
    axial a = measure_axis(solid, y);
    double along = fmin(fmax(a.along, 0), a.length), beside = fmin(a.beside, solid->radius), p[3];
    for (int k = 0; k < 3; k++)
        p[k] = solid->points[0][k] + along * a.axis[k] + beside * a.out[k];
    return from_point(p, 0, y);
}

// Facet 0 of a drum or cone, then the planes at its ends (of a cone its lid alone).
static brute_view look_in_round(const thud_solid_def *solid, int facet, const double y[3])
{
    axial a = measure_axis(solid, y);
    bool is_cone = solid->kind == THUD_INSIDE_CONE, is_high = is_cone || facet == 2;
    double slant = hypot(solid->radius, a.length);
    double sine = is_cone ? solid->radius / slant : 0, cosine = is_cone ? a.length / slant : 1;
    brute_view view = {.distance = is_high ? a.length - a.along : a.along};
    for (int k = 0; k < 3; k++)
        view.normal[k] =
            facet > 0 ? (is_high ? -1 : 1) * a.axis[k] : sine * a.axis[k] - cosine * a.out[k];
    if (facet == 0)
        view.distance = is_cone ? sine * a.along - cosine * a.beside : solid->radius - a.beside;
    return view;
}

int brute_facets(const thud_solid_def *solid)
{
    int round = solid->is_open ? 1 : solid->kind == THUD_INSIDE_DRUM ? 3 : 2;
    return solid->kind == THUD_MESH         ? solid->triangle_count
           : solid->kind == THUD_INSIDE_BOX ? 6
           : solid->kind == THUD_INSIDE_DRUM || solid->kind == THUD_INSIDE_CONE ? round
                                                                                : 1;
}

bool brute_is_concave(const thud_solid_def *solid, int facet)
{
    return facet == 0 && (solid->kind == THUD_INSIDE_DRUM || solid->kind == THUD_INSIDE_CONE ||
                          solid->kind == THUD_INSIDE_BALL);
}

static brute_view look_in_box(const thud_solid_def *solid, int facet, const double y[3])
{
    int k = facet / 2;
    bool is_high = facet % 2;
    brute_view view = {.distance =
                           is_high ? solid->points[1][k] - y[k] : y[k] - solid->points[0][k]};
    view.normal[k] = is_high ? -1 : 1;
    return view;
}

static brute_view look_inside_frame(const thud_solid_def *solid, int facet, const double y[3])
{
    double p[3];
    brute_view view;
    switch (solid->kind)
    {
    case THUD_BOX:
        return look_at_box(solid, y);
    case THUD_CAPSULE:
        nearest_on_segment(solid->points[0], solid->points[1], y, p);
        return from_point(p, solid->radius, y);
    case THUD_CYLINDER:
        return look_at_cylinder(solid, y);
    case THUD_TRIANGLE:
        return look_at_triangle(solid->points[0], y);
    case THUD_MESH:
        return look_at_triangle(solid->triangles + 9 * (size_t)facet, y);
    case THUD_INSIDE_BOX:
        return look_in_box(solid, facet, y);
    case THUD_INSIDE_DRUM:
    case THUD_INSIDE_CONE:
        return look_in_round(solid, facet, y);
    default: // balls
        view = from_point(solid->points[0], solid->radius, y);
        for (int k = 0; k < 3 && solid->kind == THUD_INSIDE_BALL; k++)
            view.normal[k] = -view.normal[k];
        view.distance *= solid->kind == THUD_INSIDE_BALL ? -1 : 1;
        return view;
    }
}

brute_view brute_look(const thud_solid_def *solid, const thud_pose *pose, int facet,
                      const double x[3])
{
    double y[3], n[3];
    brute_enter(pose, x, y);
    brute_view view = look_inside_frame(solid, facet, y);
    memcpy(n, view.normal, sizeof n);
    brute_turn(pose, n, view.normal);
    return view;
}

double brute_tangent(const thud_solid_def *solid, const thud_pose *pose, int facet,
                     const double n[3], const double x[3])
{
    double y[3], inner[3], from[3], least = INFINITY;
    rotate(pose->rotation, -1, n, inner);
    brute_enter(pose, x, y);
    minus(y, solid->points[0], from);
    for (int i = 0; i < 3 && solid->kind == THUD_MESH; i++)
    {
        minus(y, solid->triangles + 9 * (size_t)facet + 3 * (size_t)i, from);
        least = fmin(least, dot(inner, from));
    }
    if (solid->kind == THUD_MESH)
        return least;
    if (solid->kind == THUD_INSIDE_BALL)
        return solid->radius + dot(inner, from);
    axial a = measure_axis(solid, y);
    bool is_cone = solid->kind == THUD_INSIDE_CONE;
    double sine = is_cone ? solid->radius / hypot(solid->radius, a.length) : 0;
    if (fabs(dot(inner, a.axis) - sine) > 1e-12)
        return NAN;
    return (is_cone ? 0 : solid->radius) + dot(inner, from);
}
