// Random solids, and distances by search: nothing here knows a formula for a nearest point.
#include "solid_rig.h"

#include <string.h>

static const long double PI = 3.14159265358979323846264338327950288L;

static void random_point(test_random *random, double size, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = test_random_uniform(random, -size, size);
}

thud_solid_def solid_rig_def(test_random *random, thud_solid_kind kind)
{
    thud_solid_def def = {.kind = kind, .radius = test_random_uniform(random, 0.2, 1)};
    random_point(random, 1, def.points[0]);
    for (int k = 0; k < 3; k++)
        def.points[1][k] = def.points[0][k] + test_random_uniform(random, 0.2, 1.5);
    if (kind == THUD_TRIANGLE)
        random_point(random, 1, def.points[1]);
    random_point(random, 1, def.points[2]);
    return def;
}

thud_solid *solid_rig_make(const thud_solid_def *def)
{
    thud_solid *solid;
    const char *why = "";
    thud_status status = thud_solid_create(def, &solid, &why);
    if (status != THUD_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", thud_solid_name(def->kind), why);
    return solid;
}

typedef struct vec
{
    long double x[3];
} vec;

static vec vec_of(const double x[3])
{
    return (vec){{x[0], x[1], x[2]}};
}

static vec add(vec a, long double s, vec b)
{
    for (int k = 0; k < 3; k++)
        a.x[k] += s * b.x[k];
    return a;
}

static long double dot(vec a, vec b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static vec unit(vec a)
{
    return add((vec){{0, 0, 0}}, 1 / sqrtl(dot(a, a)), a);
}

static vec cross(vec a, vec b)
{
    return (vec){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                  a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

// The axis of a def and two directions at right angles to it.
typedef struct axes
{
    vec from, along, e, f;
    long double length;
} axes;

static axes axes_of(const thud_solid_def *def)
{
    axes a = {.from = vec_of(def->points[0])};
    vec way = add(vec_of(def->points[1]), -1, a.from);
    a.length = sqrtl(dot(way, way));
    a.along = unit(way);
    a.e = unit(cross(a.along, (vec){{0.3L, -0.5L, 0.8L}}));
    a.f = cross(a.along, a.e);
    return a;
}

// A point around the axis: at a height, a radius and an angle in turns.
static vec around(const axes *a, long double height, long double radius, long double turns)
{
    vec p = add(a->from, height, a->along);
    p = add(p, radius * cosl(2 * PI * turns), a->e);
    return add(p, radius * sinl(2 * PI * turns), a->f);
}

// Patch `patch` of the surface of a facet at s, t in [0, 1]; false when there is no such patch.
typedef struct patch
{
    const thud_solid_def *def;
    axes axes;
    int facet, number;
    bool is_round; // t may leave [0, 1]
} patch;

static bool box_patch(const patch *p, long double s, long double t, vec *out)
{
    int face = p->def->kind == THUD_BOX ? p->number : p->facet, axis = face / 2;
    int other = (axis + 1) % 3, third = (axis + 2) % 3;
    if (face > 5 || (p->def->kind != THUD_BOX && p->number > 0))
        return false;
    const double *low = p->def->points[0], *high = p->def->points[1];
    out->x[axis] = face % 2 ? high[axis] : low[axis];
    out->x[other] = low[other] + s * ((long double)high[other] - low[other]);
    out->x[third] = low[third] + t * ((long double)high[third] - low[third]);
    return true;
}

static bool ball_patch(const patch *p, long double s, long double t, vec *out)
{
    long double angle = PI * s;
    *out = around(&p->axes, p->def->radius * cosl(angle), p->def->radius * sinl(angle), t);
    return p->number == 0;
}

static bool capsule_patch(const patch *p, long double s, long double t, vec *out)
{
    long double r = p->def->radius, angle = PI / 2 * s, length = p->axes.length;
    if (p->number == 0)
        *out = around(&p->axes, length * s, r, t);
    else if (p->number == 1)
        *out = around(&p->axes, -r * cosl(angle), r * sinl(angle), t);
    else
        *out = around(&p->axes, length + r * cosl(angle), r * sinl(angle), t);
    return p->number < 3;
}

static bool cylinder_patch(const patch *p, long double s, long double t, vec *out)
{
    long double r = p->def->radius, length = p->axes.length;
    if (p->number == 0)
        *out = around(&p->axes, length * s, r, t);
    else
        *out = around(&p->axes, p->number == 1 ? 0 : length, r * s, t);
    return p->number < 3;
}

static bool container_patch(const patch *p, long double s, long double t, vec *out)
{
    long double r = p->def->radius, length = p->axes.length;
    bool is_cone = p->def->kind == THUD_INSIDE_CONE;
    if (p->facet == 0) // far beyond the ends: the lateral surface alone has none
        *out = is_cone ? around(&p->axes, 9 * length * s, 9 * r * s, t)
                       : around(&p->axes, length * (9 * s - 4), r, t);
    else
        *out = around(&p->axes, p->facet == 1 && !is_cone ? 0 : length, 9 * r * s, t);
    return p->number == 0;
}

static bool triangle_patch(const patch *p, long double s, long double t, vec *out)
{
    vec a = vec_of(p->def->points[0]), b = vec_of(p->def->points[1]);
    vec way = add(vec_of(p->def->points[2]), -1, b);
    vec edge = add(b, t, way);
    *out = add(a, s, add(edge, -1, a));
    return p->number == 0;
}

static bool point_of(const patch *p, long double s, long double t, vec *out)
{
    switch (p->def->kind)
    {
    case THUD_BOX:
    case THUD_INSIDE_BOX:
        return box_patch(p, s, t, out);
    case THUD_BALL:
    case THUD_INSIDE_BALL:
        return ball_patch(p, s, t, out);
    case THUD_CAPSULE:
        return capsule_patch(p, s, t, out);
    case THUD_CYLINDER:
        return cylinder_patch(p, s, t, out);
    case THUD_INSIDE_DRUM:
    case THUD_INSIDE_CONE:
        return container_patch(p, s, t, out);
    default:
        return triangle_patch(p, s, t, out);
    }
}

static long double clamp(long double s)
{
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

static long double square_at(const patch *p, vec x, long double s, long double t)
{
    vec point = {{0, 0, 0}};
    (void)point_of(p, clamp(s), p->is_round ? t : clamp(t), &point);
    vec way = add(x, -1, point);
    return dot(way, way);
}

// Go down from (s, t) by steps that halve when none of eight neighbours is nearer.
static long double descend(const patch *p, vec x, long double s, long double t, long double step)
{
    long double best = square_at(p, x, s, t);
    while (step > 1e-10L)
    {
        long double from_s = s, from_t = t;
        for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++)
            {
                long double value = square_at(p, x, from_s + i * step, from_t + j * step);
                if (value < best)
                {
                    best = value;
                    s = clamp(from_s + i * step); // from beyond there would be no way back
                    t = p->is_round ? from_t + j * step : clamp(from_t + j * step);
                }
            }
        if (s == from_s && t == from_t)
            step /= 2;
    }
    return best;
}

// From the best point of every fourth line of the net: a pole is in the way of a single search.
static long double patch_square(const patch *p, vec x)
{
    enum
    {
        NET = 16
    };
    long double best = INFINITY;
    for (int j = 0; j <= NET; j += 4)
    {
        long double least = INFINITY, s = 0;
        for (int i = 0; i <= NET; i++)
        {
            long double value = square_at(p, x, (long double)i / NET, (long double)j / NET);
            s = value < least ? (long double)i / NET : s;
            least = value < least ? value : least;
        }
        least = descend(p, x, s, (long double)j / NET, 1.0L / NET);
        best = least < best ? least : best;
    }
    return best;
}

// How far inside of a full capsule or cylinder, or of the half space of a plane: sign alone.
static bool is_free(const thud_solid_def *def, int facet, vec x)
{
    axes a = axes_of(def);
    vec from = add(x, -1, a.from);
    long double height = dot(from, a.along), r = def->radius, length = a.length;
    long double radius = sqrtl(fabsl(dot(from, from) - height * height));
    bool inside = true;
    switch (def->kind)
    {
    case THUD_BOX:
        for (int k = 0; k < 3; k++)
            inside = inside && x.x[k] >= def->points[0][k] && x.x[k] <= def->points[1][k];
        return !inside;
    case THUD_INSIDE_BOX:
        return facet % 2 ? x.x[facet / 2] < def->points[1][facet / 2]
                         : x.x[facet / 2] > def->points[0][facet / 2];
    case THUD_BALL:
        return dot(from, from) > r * r;
    case THUD_INSIDE_BALL:
        return dot(from, from) < r * r;
    case THUD_CAPSULE:
        height -= clamp(height / length) * length;
        return height * height + radius * radius > r * r;
    case THUD_CYLINDER:
        return height < 0 || height > length || radius > r;
    case THUD_INSIDE_DRUM:
        return facet == 0 ? radius < r : facet == 1 ? height > 0 : height < length;
    case THUD_INSIDE_CONE:
        return facet == 0 ? radius * length < height * r : height < length;
    default:
        return true;
    }
}

long double solid_rig_distance(const thud_solid_def *def, int facet, const long double x[3])
{
    vec at = {{x[0], x[1], x[2]}}, ignored;
    patch p = {.def = def, .axes = axes_of(def), .facet = facet};
    p.is_round =
        def->kind != THUD_BOX && def->kind != THUD_INSIDE_BOX && def->kind != THUD_TRIANGLE;
    long double best = INFINITY;
    for (; point_of(&p, 0, 0, &ignored); p.number++)
    {
        long double square = patch_square(&p, at);
        best = square < best ? square : best;
    }
    return is_free(def, facet, at) ? sqrtl(best) : -sqrtl(best);
}

// In a container: inside, as its planes and its cone go on only so far there.
void solid_rig_point(test_random *random, const thud_solid_def *def, double x[3])
{
    bool is_inside = false;
    while (!is_inside)
    {
        random_point(random, 1.2, x);
        for (int k = 0; k < 3; k++)
            x[k] += (def->points[0][k] + def->points[1][k]) / 2;
        vec at = vec_of(x);
        is_inside = true;
        if (def->kind == THUD_INSIDE_BOX)
            for (int facet = 0; facet < 6; facet++)
                is_inside = is_inside && is_free(def, facet, at);
        if (def->kind == THUD_INSIDE_CONE || def->kind == THUD_INSIDE_BALL)
            is_inside = is_free(def, 0, at);
    }
}

void solid_rig_triangles(test_random *random, int count, double size, double *triangles)
{
    for (int i = 0; i < count; i++)
    {
        double middle[3];
        random_point(random, 1, middle);
        for (int j = 0; j < 9; j++)
            triangles[9 * (size_t)i + (size_t)j] =
                middle[j % 3] + test_random_uniform(random, -size, size);
    }
}
