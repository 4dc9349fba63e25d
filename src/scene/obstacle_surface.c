// Solids and containers as triangles and lines. What has an axis is a profile turned about it.
#include "scene/obstacle_surface.h"

#include "core/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum
{
    SIDES = 48,  // of what is round
    ARC = 12,    // parts of a quarter of a profile
    PROFILE = 32 // points of a profile at most
};

typedef struct maker
{
    const thud_solid_def *solid;
    const thud_allocator *allocator;
    thudi_surface *to;
    thud_status status;
    bool is_inside; // triangles are turned
} maker;

static void add_triangle(maker *m, const double a[3], const double b[3], const double c[3])
{
    size_t at = 9 * (size_t)m->to->triangle_count;
    if (m->status >= 0)
        m->status = thudi_array_reserve(m->allocator, &m->to->triangles, at + 9);
    if (m->status < 0)
        return;
    double *out = m->to->triangles.items + at;
    memcpy(out, a, 3 * sizeof *out);
    memcpy(out + 3, m->is_inside ? c : b, 3 * sizeof *out);
    memcpy(out + 6, m->is_inside ? b : c, 3 * sizeof *out);
    m->to->triangle_count++;
}

static void add_line(maker *m, const double a[3], const double b[3])
{
    size_t at = 6 * (size_t)m->to->line_count;
    if (m->status >= 0)
        m->status = thudi_array_reserve(m->allocator, &m->to->lines, at + 6);
    if (m->status < 0)
        return;
    memcpy(m->to->lines.items + at, a, 3 * sizeof *a);
    memcpy(m->to->lines.items + at + 3, b, 3 * sizeof *a);
    m->to->line_count++;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// A point of a profile: along the axis and away from it; with a circle of lines through it.
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
    *length = length_of(along);
    if (!(*length > 0))
        along[2] = *length = 1; // a capsule that is a ball
    for (int k = 0; k < 3; k++)
        along[k] /= *length;
    helper[fabs(along[0]) > 0.9 ? 1 : 0] = 1;
    cross(along, helper, u);
    double size = length_of(u);
    for (int k = 0; k < 3; k++)
        u[k] /= size;
    cross(along, u, p->axes[2]);
}

static void place(const profile *p, const profile_point *at, int side, double x[3])
{
    double angle = 2 * PI * (side % SIDES) / SIDES;
    double u = at->radius * thudi_cos(angle), v = at->radius * thudi_sin(angle);
    for (int k = 0; k < 3; k++)
        x[k] = p->origin[k] + at->along * p->axes[0][k] + u * p->axes[1][k] + v * p->axes[2][k];
}

// Turn the profile, which runs along the axis: its left side is free.
static void revolve(maker *m, const profile *p)
{
    for (int i = 0; i < p->count; i++)
        for (int s = 0; s < SIDES; s++)
        {
            double a[3], b[3], c[3], d[3];
            place(p, &p->points[i], s, a);
            place(p, &p->points[i], s + 1, b);
            if (p->points[i].is_rim)
                add_line(m, a, b);
            if (i + 1 == p->count)
                continue;
            place(p, &p->points[i + 1], s + 1, c);
            place(p, &p->points[i + 1], s, d);
            if (p->points[i].radius > 0)
                add_triangle(m, a, b, c);
            if (p->points[i + 1].radius > 0)
                add_triangle(m, a, c, d);
            // but not on the ends
            if (p->long_lines > 0 && s % (SIDES / p->long_lines) == 0 &&
                p->points[i].along < p->points[i + 1].along)
                add_line(m, a, d);
        }
}

// A quarter of a circle in the profile, from the axis or to it.
static void add_arc(profile *p, double middle, double radius, bool is_first)
{
    for (int i = is_first ? 0 : 1; i <= ARC; i++)
    {
        double angle = PI / 2 * i / ARC, sine = thudi_sin(angle), cosine = thudi_cos(angle);
        if (is_first)
            add_point(p, middle - radius * cosine, i == 0 ? 0 : radius * sine, false);
        else
            add_point(p, middle + radius * sine, i == ARC ? 0 : radius * cosine, false);
    }
}

static void make_round(maker *m)
{
    const thud_solid_def *solid = m->solid;
    profile p = {.count = 0};
    double length, up[3] = {solid->points[0][0], solid->points[0][1], solid->points[0][2] + 1};
    bool is_ball = solid->kind == THUD_BALL || solid->kind == THUD_INSIDE_BALL;
    set_axes(&p, solid->points[0], is_ball ? up : solid->points[1], &length);
    double end = is_ball || (solid->kind == THUD_CAPSULE &&
                             memcmp(solid->points[0], solid->points[1], sizeof up) == 0)
                     ? 0
                     : length;
    if (is_ball || solid->kind == THUD_CAPSULE)
    {
        add_arc(&p, 0, solid->radius, true);
        p.points[p.count - 1].is_rim = solid->kind == THUD_INSIDE_BALL;
        add_point(&p, end, solid->radius, false);
        add_arc(&p, end, solid->radius, false);
        p.long_lines = solid->kind == THUD_INSIDE_BALL ? 4 : 0;
    }
    else
    {
        bool is_cone = solid->kind == THUD_INSIDE_CONE;
        if (is_cone || !solid->is_open)
            add_point(&p, 0, 0, false);
        if (!is_cone)
            add_point(&p, 0, solid->radius, true);
        add_point(&p, length, solid->radius, true);
        if (!solid->is_open)
            add_point(&p, length, 0, false);
        p.long_lines = is_cone || solid->kind == THUD_INSIDE_DRUM ? 8 : 0;
    }
    revolve(m, &p);
}

static void make_box(maker *m)
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
        add_triangle(m, corners[f[0]], corners[f[1]], corners[f[2]]);
        add_triangle(m, corners[f[0]], corners[f[2]], corners[f[3]]);
    }
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            if (!(i >> k & 1))
                add_line(m, corners[i], corners[i | 1 << k]);
}

static int compare_numbers(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

// An edge of a triangle, its smaller end first.
typedef struct edge
{
    double ends[6], normal[3];
} edge;

static int compare_edges(const void *a, const void *b)
{
    return compare_numbers(((const edge *)a)->ends, ((const edge *)b)->ends, 6);
}

static void fill_edges(const double *c, edge *out)
{
    double a[3], b[3], normal[3];
    for (int k = 0; k < 3; k++)
    {
        a[k] = c[3 + k] - c[k];
        b[k] = c[6 + k] - c[k];
    }
    cross(a, b, normal);
    double size = length_of(normal);
    for (int i = 0; i < 3; i++)
    {
        const double *p = c + 3 * (size_t)i, *q = c + 3 * (size_t)((i + 1) % 3);
        bool is_turned = compare_numbers(p, q, 3) > 0;
        memcpy(out[i].ends, is_turned ? q : p, 3 * sizeof *p);
        memcpy(out[i].ends + 3, is_turned ? p : q, 3 * sizeof *p);
        for (int k = 0; k < 3; k++)
            out[i].normal[k] = size > 0 ? normal[k] / size : 0;
    }
}

// Lines of a mesh: edges that no two triangles share, and those with a bend of more than 30
// degrees.
static void add_edges(maker *m, edge *edges, int count)
{
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int i = 0, next; i < count; i = next)
    {
        const edge *e = &edges[i];
        for (next = i + 1; next < count && compare_edges(e, &edges[next]) == 0;)
            next++;
        double cosine = 0;
        for (int k = 0; k < 3; k++)
            cosine += e->normal[k] * edges[next - 1].normal[k];
        if (next - i != 2 || fabs(cosine) < 0.866)
            add_line(m, e->ends, e->ends + 3);
    }
}

static void make_mesh(maker *m)
{
    int count = m->solid->triangle_count;
    const double *triangles = m->solid->triangles;
    double single[9];
    if (m->solid->kind == THUD_TRIANGLE)
    {
        memcpy(single, m->solid->points, sizeof single);
        triangles = single;
        count = 1;
    }
    size_t size = 3 * (size_t)count * sizeof(edge);
    edge *edges = thudi_allocate_zeroed(m->allocator, size);
    if (!edges)
    {
        m->status = THUD_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < count; i++)
    {
        const double *c = triangles + 9 * (size_t)i;
        add_triangle(m, c, c + 3, c + 6);
        fill_edges(c, edges + 3 * (size_t)i);
    }
    add_edges(m, edges, 3 * count);
    thudi_free(m->allocator, edges, size);
}

// The outline of what is round in the plane: half a circle about either end, or all of it.
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
    for (int i = 0; i < SIDES; i++)
    {
        double angle = 2 * PI * (i + 0.5) / SIDES - PI / 2;
        double u = solid->radius * thudi_cos(angle), v = solid->radius * thudi_sin(angle);
        const double *from = size > 0 && i < SIDES / 2 ? b : a;
        out[i][0] = from[0] + u * dx - v * dy;
        out[i][1] = from[1] + u * dy + v * dx;
        out[i][2] = 0;
    }
    return SIDES;
}

// A convex polygon in the plane.
static void make_flat(maker *m)
{
    const thud_solid_def *solid = m->solid;
    double points[SIDES][3] = {{0}};
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
        add_line(m, points[i], points[(i + 1) % count]);
        if (i > 1)
            add_triangle(m, points[0], points[i - 1], points[i]);
    }
}

thud_status thudi_surface_make(const thud_solid_def *solid, int dim,
                               const thud_allocator *allocator, thudi_surface *surface)
{
    bool is_inside = solid->kind >= THUD_INSIDE_BOX;
    bool is_mesh = solid->kind == THUD_MESH || solid->kind == THUD_TRIANGLE;
    maker m = {.solid = solid, .allocator = allocator, .to = surface, .is_inside = is_inside};
    surface->kind = is_mesh     ? THUDI_SURFACE_SHEET
                    : is_inside ? THUDI_SURFACE_CONTAINER
                                : THUDI_SURFACE_SOLID;
    if (is_mesh)
        make_mesh(&m);
    else if (dim == 2)
        make_flat(&m);
    else if (solid->kind == THUD_BOX || solid->kind == THUD_INSIDE_BOX)
        make_box(&m);
    else
        make_round(&m);
    return m.status;
}

void thudi_surface_free(thudi_surface *surface, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &surface->triangles);
    thudi_array_free(allocator, &surface->lines);
    surface->triangle_count = surface->line_count = 0;
}

static void widen(double low[3], double high[3], const double x[3], const double by[3])
{
    for (int k = 0; k < 3; k++)
    {
        if (!isfinite(x[k])) // a box in the plane
            low[k] = high[k] = 0;
        low[k] = x[k] - by[k] < low[k] && isfinite(x[k]) ? x[k] - by[k] : low[k];
        high[k] = x[k] + by[k] > high[k] && isfinite(x[k]) ? x[k] + by[k] : high[k];
    }
}

// How far it reaches around its points: a disc at right angles to the axis, or a ball.
static void reach_of(const thud_solid_def *solid, double by[3])
{
    bool is_disc = solid->kind == THUD_CYLINDER || solid->kind == THUD_INSIDE_DRUM ||
                   solid->kind == THUD_INSIDE_CONE;
    double axis[3] = {0, 0, 0};
    for (int k = 0; k < 3 && is_disc; k++)
        axis[k] = solid->points[1][k] - solid->points[0][k];
    double size = length_of(axis);
    for (int k = 0; k < 3; k++)
    {
        double part = size > 0 ? axis[k] / size : 0, rest = 1 - part * part;
        by[k] = solid->radius * sqrt(rest > 0 ? rest : 0);
    }
}

void thudi_surface_bounds(const thud_solid_def *solid, double low[3], double high[3])
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
