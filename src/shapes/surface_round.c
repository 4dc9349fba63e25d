// Round shapes as triangles and lines: a profile turned about an axis.
#include "core/math/elementary.h"
#include "core/math/geometry.h"
#include "shapes/surface_maker.h"

#include <math.h>
#include <string.h>

enum
{
    ARC = 12,    // parts of a quarter of a profile
    PROFILE = 32 // points of a profile at most
};

// A point of a profile: where it is along the axis, and how far from the axis. is_rim: a circle of
// lines goes through it.
typedef struct profile_point
{
    double along, radius;
    bool is_rim;
} profile_point;

typedef struct profile
{
    profile_point points[PROFILE];
    int count;
    double origin[3], axes[3][3]; // along, and two at right angles
    int long_lines;               // lines along the profile, evenly spaced
} profile;

static void add_point(profile *p, double along, double radius, bool is_rim)
{
    p->points[p->count++] = (profile_point){along, radius, is_rim};
}

static void set_axes(profile *p, const double from[3], const double to[3], double *length)
{
    double *along = p->axes[0], *u = p->axes[1], helper[3] = {0, 0, 0};
    memcpy(p->origin, from, sizeof p->origin);
    for (int k = 0; k < 3; k++)
        along[k] = to[k] - from[k];
    *length = thudi_norm(along);
    if (!(*length > 0))
        along[2] = *length = 1; // a capsule without length is a ball
    for (int k = 0; k < 3; k++)
        along[k] /= *length;
    helper[fabs(along[0]) > 0.9 ? 1 : 0] = 1;
    thudi_cross(along, helper, u);
    double size = thudi_norm(u);
    for (int k = 0; k < 3; k++)
        u[k] /= size;
    thudi_cross(along, u, p->axes[2]);
}

static void place(const profile *p, const profile_point *at, int side, double x[3])
{
    double angle = 2 * THUDI_PI * (side % THUDI_SURFACE_SIDES) / THUDI_SURFACE_SIDES;
    double u = at->radius * thudi_cos(angle), v = at->radius * thudi_sin(angle);
    for (int k = 0; k < 3; k++)
        x[k] = p->origin[k] + at->along * p->axes[0][k] + u * p->axes[1][k] + v * p->axes[2][k];
}

// Turn the profile about the axis. It runs along the axis, and the free side is on its left.
static void revolve(thudi_surface_maker *m, const profile *p)
{
    for (int i = 0; i < p->count; i++)
        for (int s = 0; s < THUDI_SURFACE_SIDES; s++)
        {
            double a[3], b[3], c[3], d[3];
            place(p, &p->points[i], s, a);
            place(p, &p->points[i], s + 1, b);
            if (p->points[i].is_rim)
                thudi_surface_add_line(m, a, b);
            if (i + 1 == p->count)
                continue;
            place(p, &p->points[i + 1], s + 1, c);
            place(p, &p->points[i + 1], s, d);
            if (p->points[i].radius > 0)
                thudi_surface_add_triangle(m, a, b, c);
            if (p->points[i + 1].radius > 0)
                thudi_surface_add_triangle(m, a, c, d);
            // the ends have no such lines
            if (p->long_lines > 0 && s % (THUDI_SURFACE_SIDES / p->long_lines) == 0 &&
                p->points[i].along < p->points[i + 1].along)
                thudi_surface_add_line(m, a, d);
        }
}

// A quarter of a circle in the profile, from the axis or to it.
static void add_arc(profile *p, double middle, double radius, bool is_first)
{
    for (int i = is_first ? 0 : 1; i <= ARC; i++)
    {
        double angle = THUDI_PI / 2 * i / ARC, sine = thudi_sin(angle), cosine = thudi_cos(angle);
        if (is_first)
            add_point(p, middle - radius * cosine, i == 0 ? 0 : radius * sine, false);
        else
            add_point(p, middle + radius * sine, i == ARC ? 0 : radius * cosine, false);
    }
}

// Balls and capsules. The halves of a capsule are `length` apart.
static void draw_round_ends(profile *p, const thud_solid_def *solid, double length)
{
    bool is_inside = solid->kind == THUD_INSIDE_BALL;
    add_arc(p, 0, solid->radius, true);
    p->points[p->count - 1].is_rim = is_inside;
    add_point(p, length, solid->radius, false);
    add_arc(p, length, solid->radius, false);
    p->long_lines = is_inside ? 4 : 0;
}

// Cylinders, drums and cones.
static void draw_flat_ends(profile *p, const thud_solid_def *solid, double length)
{
    bool is_cone = solid->kind == THUD_INSIDE_CONE;
    if (is_cone || !solid->is_open)
        add_point(p, 0, 0, false);
    if (!is_cone)
        add_point(p, 0, solid->radius, true);
    add_point(p, length, solid->radius, true);
    if (!solid->is_open)
        add_point(p, length, 0, false);
    p->long_lines = is_cone || solid->kind == THUD_INSIDE_DRUM ? 8 : 0;
}

void thudi_surface_make_round(thudi_surface_maker *m)
{
    const thud_solid_def *solid = m->solid;
    const double *a = solid->points[0], *b = solid->points[1];
    profile p = {.count = 0};
    double length, up[3] = {a[0], a[1], a[2] + 1};
    bool is_ball = solid->kind == THUD_BALL || solid->kind == THUD_INSIDE_BALL;
    bool is_capsule = solid->kind == THUD_CAPSULE;
    set_axes(&p, a, is_ball ? up : b, &length);
    if (is_ball || (is_capsule && memcmp(a, b, sizeof up) == 0))
        draw_round_ends(&p, solid, 0);
    else if (is_capsule)
        draw_round_ends(&p, solid, length);
    else
        draw_flat_ends(&p, solid, length);
    revolve(m, &p);
}
