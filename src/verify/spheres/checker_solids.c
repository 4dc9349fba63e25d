// Distances to solids, written apart from the library's.
#include "verify/spheres/checker_solids.h"

#include "verify/checker_functions.h"

#include <math.h>

// A triangle whose doubled area, squared, is below this part of its longest side to the fourth has
// no inside: it is a line within rounding.
static const double LINE = 1e-28;

static double inner(const double a[3], const double b[3])
{
    return fma(a[0], b[0], fma(a[1], b[1], a[2] * b[2]));
}

static void outer(const double a[3], const double b[3], double out[3])
{
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    for (int k = 0; k < 3; k++)
        out[k] = c[k];
}

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double norm(const double a[3])
{
    return thudi_checker_length3(a[0], a[1], a[2]);
}

thudi_frame thudi_frame_of(const thud_pose *pose)
{
    thudi_frame frame;
    double angle = norm(pose->rotation);
    frame.turn[0] = thudi_checker_cos(angle / 2);
    for (int k = 0; k < 3; k++)
    {
        frame.origin[k] = pose->position[k];
        frame.turn[k + 1] =
            angle > 0 ? thudi_checker_sin(angle / 2) * (pose->rotation[k] / angle) : 0;
    }
    return frame;
}

// v + 2 w (r x v) + 2 r x (r x v), w and r the parts of the quaternion; r turned round for inwards.
static void turn_by(const double turn[4], double sign, const double v[3], double out[3])
{
    double r[3] = {sign * turn[1], sign * turn[2], sign * turn[3]}, once[3], twice[3];
    outer(r, v, once);
    outer(r, once, twice);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * (turn[0] * once[k] + twice[k]);
}

void thudi_frame_turn_in(const thudi_frame *frame, const double v[3], double y[3])
{
    turn_by(frame->turn, -1, v, y);
}

void thudi_frame_turn_out(const thudi_frame *frame, const double y[3], double v[3])
{
    turn_by(frame->turn, 1, y, v);
}

void thudi_frame_in(const thudi_frame *frame, const double x[3], double y[3])
{
    double from[3];
    minus(x, frame->origin, from);
    turn_by(frame->turn, -1, from, y);
}

int thudi_facet_count(const thud_solid_def *solid)
{
    switch (solid->kind)
    {
    case THUD_MESH:
        return solid->triangle_count;
    case THUD_INSIDE_BOX:
        return 6;
    case THUD_INSIDE_DRUM:
        return solid->is_open ? 1 : 3;
    case THUD_INSIDE_CONE:
        return solid->is_open ? 1 : 2;
    default:
        return 1;
    }
}

bool thudi_facet_is_concave(const thud_solid_def *solid, int facet)
{
    return facet == 0 && (solid->kind == THUD_INSIDE_DRUM || solid->kind == THUD_INSIDE_CONE ||
                          solid->kind == THUD_INSIDE_BALL);
}

int thudi_facet_keys(const thud_solid_def *solid)
{
    return thudi_facet_is_concave(solid, 0) ? 8 : 1;
}

// From a point outwards: distance and direction.
static thudi_facet_view from_point(const double point[3], const double y[3])
{
    thudi_facet_view view;
    minus(y, point, view.normal);
    view.distance = norm(view.normal);
    for (int k = 0; k < 3; k++)
        view.normal[k] = view.distance > 0 ? view.normal[k] / view.distance : 0;
    return view;
}

static thudi_facet_view from_segment(const double a[3], const double b[3], const double y[3])
{
    double way[3], from[3], nearest[3];
    minus(b, a, way);
    minus(y, a, from);
    double square = inner(way, way), part = square > 0 ? inner(from, way) / square : 0;
    part = fmin(1, fmax(0, part));
    for (int k = 0; k < 3; k++)
        nearest[k] = part == 1 ? b[k] : fma(part, way[k], a[k]);
    return from_point(nearest, y);
}

// Barycentric coordinates of the foot of y say whether a triangle is seen from above.
static thudi_facet_view from_triangle(const double *c, const double y[3])
{
    double e[3], f[3], from[3], n[3], cross[3];
    minus(c + 3, c, e);
    minus(c + 6, c, f);
    minus(y, c, from);
    outer(e, f, n);
    double square = inner(n, n), longest = fmax(inner(e, e), inner(f, f));
    outer(from, f, cross);
    double u = inner(cross, n);
    outer(e, from, cross);
    double v = inner(cross, n);
    if (square > LINE * longest * longest && u >= 0 && v >= 0 && u + v <= square)
    {
        double height = inner(from, n) / sqrt(square), side = height > 0 ? 1 : height < 0 ? -1 : 0;
        thudi_facet_view view = {.distance = fabs(height)};
        for (int k = 0; k < 3; k++)
            view.normal[k] = side * n[k] / sqrt(square);
        return view;
    }
    thudi_facet_view best = from_segment(c, c + 3, y), other = from_segment(c + 3, c + 6, y);
    best = other.distance < best.distance ? other : best;
    other = from_segment(c + 6, c, y);
    return other.distance < best.distance ? other : best;
}

static thudi_facet_view from_box(const thud_solid_def *solid, const double y[3])
{
    thudi_facet_view view = {.distance = -INFINITY};
    double over[3], sum = 0;
    int worst = 0;
    for (int k = 0; k < 3; k++)
    {
        double below = solid->points[0][k] - y[k], above = y[k] - solid->points[1][k];
        over[k] = fmax(below, above);
        view.normal[k] = below > above ? -1 : 1;
        sum = thudi_checker_length(sum, fmax(over[k], 0));
        worst = over[k] > over[worst] ? k : worst;
    }
    view.distance = over[worst] > 0 ? sum : over[worst];
    for (int k = 0; k < 3; k++)
        view.normal[k] *= over[worst] > 0 ? fmax(over[k], 0) / sum : k == worst;
    return view;
}

// What has an axis: height of y over the first point, distance from the axis, both directions.
typedef struct axis_view
{
    double length, height, radius, axis[3], away[3];
} axis_view;

static axis_view from_axis(const thud_solid_def *solid, const double y[3])
{
    axis_view at;
    double from[3], across[3];
    minus(solid->points[1], solid->points[0], at.axis);
    at.length = norm(at.axis);
    for (int k = 0; k < 3; k++)
        at.axis[k] /= at.length;
    minus(y, solid->points[0], from);
    at.height = inner(at.axis, from);
    outer(at.axis, from, across);
    at.radius = norm(across);
    outer(across, at.axis, at.away);
    for (int k = 0; k < 3; k++)
        at.away[k] = at.radius > 0 ? at.away[k] / at.radius : 0;
    return at;
}

static thudi_facet_view from_cylinder(const thud_solid_def *solid, const double y[3])
{
    axis_view at = from_axis(solid, y);
    double side = 2 * at.height > at.length ? 1 : -1;
    double end = fmax(-at.height, at.height - at.length), rim = at.radius - solid->radius;
    double distance = end > 0 && rim > 0 ? thudi_checker_length(end, rim) : fmax(end, rim);
    thudi_facet_view view = {.distance = distance};
    double along = end > 0 && rim > 0 ? end / distance : end > rim;
    double beside = end > 0 && rim > 0 ? rim / distance : !(end > rim);
    for (int k = 0; k < 3; k++)
        view.normal[k] = along * side * at.axis[k] + beside * at.away[k];
    return view;
}

// Planes of drums and cones, and their lateral surfaces.
static thudi_facet_view from_within(const thud_solid_def *solid, int facet, const double y[3])
{
    axis_view at = from_axis(solid, y);
    bool is_drum = solid->kind == THUD_INSIDE_DRUM, is_base = is_drum && facet == 1;
    double slant = thudi_checker_length(at.length, solid->radius);
    double rise = is_drum ? 0 : solid->radius / slant, run = is_drum ? 1 : at.length / slant;
    thudi_facet_view view;
    view.distance = is_base ? at.height : at.length - at.height;
    if (facet == 0)
        view.distance = is_drum ? solid->radius - at.radius : at.height * rise - at.radius * run;
    for (int k = 0; k < 3; k++)
        view.normal[k] = facet == 0 ? rise * at.axis[k] - run * at.away[k]
                         : is_base  ? at.axis[k]
                                    : -at.axis[k];
    return view;
}

static thudi_facet_view from_bound(const thud_solid_def *solid, int facet, const double y[3])
{
    int axis = facet / 2;
    thudi_facet_view view = {.normal = {0, 0, 0}};
    view.normal[axis] = facet % 2 ? -1 : 1;
    view.distance = view.normal[axis] * (y[axis] - solid->points[facet % 2][axis]);
    return view;
}

// All that is within the radius of what is viewed, and that from inside.
static thudi_facet_view thickened(thudi_facet_view view, double radius)
{
    view.distance -= radius;
    return view;
}

static thudi_facet_view from_inside(thudi_facet_view view)
{
    return (thudi_facet_view){.distance = -view.distance,
                              .normal = {-view.normal[0], -view.normal[1], -view.normal[2]}};
}

// Every kind is named: one that is new fails to compile here, and is not taken for another.
thudi_facet_view thudi_facet_view_from(const thud_solid_def *solid, int facet, const double y[3])
{
    switch (solid->kind)
    {
    case THUD_BOX:
        return from_box(solid, y);
    case THUD_BALL:
        return thickened(from_point(solid->points[0], y), solid->radius);
    case THUD_CAPSULE:
        return thickened(from_segment(solid->points[0], solid->points[1], y), solid->radius);
    case THUD_CYLINDER:
        return from_cylinder(solid, y);
    case THUD_TRIANGLE:
        return from_triangle(&solid->points[0][0], y);
    case THUD_MESH:
        return from_triangle(solid->triangles + 9 * (size_t)facet, y);
    case THUD_INSIDE_BOX:
        return from_bound(solid, facet, y);
    case THUD_INSIDE_DRUM:
    case THUD_INSIDE_CONE:
        return from_within(solid, facet, y);
    case THUD_INSIDE_BALL:
        return from_inside(thickened(from_point(solid->points[0], y), solid->radius));
    case THUD_SOLID_KINDS:
        break;
    }
    return (thudi_facet_view){.distance = NAN}; // no kind: every certificate fails
}

bool thudi_facet_tangent(const thud_solid_def *solid, const double normal[3], const double y[3],
                         double *distance)
{
    static const double close = 1e-12;
    axis_view at = {.length = 0};
    double from[3], wanted = 0;
    minus(y, solid->points[0], from);
    if (solid->kind != THUD_INSIDE_BALL)
        at = from_axis(solid, y);
    if (solid->kind == THUD_INSIDE_CONE)
        wanted = solid->radius / thudi_checker_length(at.length, solid->radius);
    *distance = inner(normal, from) + (solid->kind == THUD_INSIDE_CONE ? 0 : solid->radius);
    return fabs(inner(normal, normal) - 1) < close &&
           (solid->kind == THUD_INSIDE_BALL || fabs(inner(normal, at.axis) - wanted) < close);
}
