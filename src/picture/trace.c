// The ray caster: four rays for every pixel, light and sky once for each surface that a pixel sees.
//
// The light is a sun with a round disc, so that shadows are soft, and a sky that neighbours cover;
// both are sums over the spheres near a point in closed form, not samples: there is no noise. Every
// pixel depends on the stage alone, so the picture has the same bits for any number of threads.
#include "picture/stage.h"

#include <limits.h>
#include <stdlib.h>

enum
{
    SAMPLES = 4,
    BAND = 4, // rows that a thread takes at once
    CODES = 4096
};

static const double SUN_TANGENT = 0.07; // larger than the sun's, as on a hazy day
static const double SKY_REACH = 3.5;    // mean radii from which neighbours cover the sky
static const double NEAR = 1e-6;        // rays start this far above surfaces
static const double IN_FRONT = 1e-3;    // a line this far behind the face it lies on is seen

// What a ray meets: a body, a wall as -2 - wall, a line or a pane of an obstacle, or nothing: -1.
enum
{
    A_WIRE = INT_MIN,
    A_PANE = INT_MIN + 1
};

typedef struct hit
{
    int what, pane;
    thudi_ray ray;
    double t;
    double line; // how much of the pixel an edge of the wall covers
    double veil; // how much light the panes of containers before it keep,
    thudi_rgb veil_color;
} hit;

static thudi_ray ray_at(const thudi_stage *stage, double x, double y)
{
    const thudi_camera *camera = &stage->camera;
    double a = (2 * x / stage->width - 1) * camera->tan_x;
    double b = (1 - 2 * y / stage->height) * camera->tan_y;
    thudi_vec along = thudi_vec_scale(camera->axes.right, a);
    along = thudi_vec_along(along, camera->axes.up, b);
    along = thudi_vec_sub(along, camera->axes.back);
    return (thudi_ray){camera->eye, thudi_vec_unit(along)};
}

// The wall through which the ray leaves what the walls enclose, or -1.
static int leave(const thudi_stage *stage, const thudi_ray *ray, double *t)
{
    double enter = 0, best = INFINITY;
    int wall = -1;
    for (int i = 0; i < stage->wall_count; i++)
    {
        const thudi_wall *w = &stage->walls.items[i];
        double speed = thudi_vec_dot(w->normal, ray->along);
        double room = thudi_vec_dot(w->normal, ray->from) - w->offset;
        if (speed == 0 && room < 0)
            return -1;
        double at = -room / speed;
        if (speed > 0 && at > enter)
            enter = at;
        if (speed < 0 && at < best)
        {
            best = at;
            wall = i;
        }
    }
    *t = best;
    return wall >= 0 && best > enter && stage->walls.items[wall].is_drawn ? wall : -1;
}

// How much of a pixel the line where two walls meet covers. The room to the other wall changes over
// the picture as the point on the wall does; their quotient is a distance in pixels.
static double line_at(const thudi_stage *stage, int wall, const hit *s)
{
    const thudi_camera *camera = &stage->camera;
    const thudi_wall *w = &stage->walls.items[wall];
    thudi_vec p = thudi_vec_along(s->ray.from, s->ray.along, s->t);
    double speed = thudi_vec_dot(w->normal, s->ray.along), nearest = INFINITY;
    double step = 2 * s->t * camera->tan_y / stage->height, width = stage->height / 720.0;
    thudi_vec dx = thudi_vec_scale(camera->axes.right, step);
    thudi_vec dy = thudi_vec_scale(camera->axes.up, step);
    dx = thudi_vec_along(dx, s->ray.along, -thudi_vec_dot(w->normal, dx) / speed);
    dy = thudi_vec_along(dy, s->ray.along, -thudi_vec_dot(w->normal, dy) / speed);
    for (int i = 0; i < stage->wall_count; i++)
    {
        const thudi_wall *other = &stage->walls.items[i];
        if (i == wall || !other->is_drawn)
            continue;
        double room = thudi_vec_dot(other->normal, p) - other->offset;
        double x = thudi_vec_dot(other->normal, dx), y = thudi_vec_dot(other->normal, dy);
        double change = sqrt(x * x + y * y);
        double distance = change > 0 ? room / change : INFINITY;
        nearest = distance < nearest ? distance : nearest;
    }
    return 1 - thudi_smooth_step(0.4 * width, 1.2 * width, nearest);
}

static thudi_rgb scale(thudi_rgb c, double s)
{
    return (thudi_rgb){c.r * s, c.g * s, c.b * s};
}

// What obstacles put before or into what is seen.
static void trace_panes(const thudi_stage *stage, hit *s)
{
    double limit = s->what == -1 ? INFINITY : s->t, t;
    if (stage->panes.count == 0 && stage->wire_count == 0)
        return;
    thudi_pane_hit pane_hit = thudi_panes_trace(&stage->panes, &s->ray, limit, stage->sun);
    if (pane_hit.solid >= 0)
    {
        s->what = A_PANE;
        s->pane = pane_hit.solid;
        s->t = pane_hit.t;
    }
    if (stage->wire_count > 0 &&
        thudi_tree_nearest(&stage->wire_tree, &s->ray, pane_hit.t + IN_FRONT, &t) >= 0)
    {
        s->what = A_WIRE;
        s->t = t;
    }
    s->line = s->what == A_WIRE || s->what == A_PANE ? 0 : s->line;
    s->veil = pane_hit.veil;
    s->veil_color = scale(stage->theme.line, 0.55 + 0.6 * pane_hit.shade);
}

static hit trace_solids(const thudi_stage *stage, double x, double y)
{
    hit s = {.what = -1, .ray = ray_at(stage, x, y)};
    int body = thudi_tree_nearest(&stage->tree, &s.ray, INFINITY, &s.t);
    if (body >= 0)
    {
        s.what = body;
        return s;
    }
    int wall = leave(stage, &s.ray, &s.t);
    if (wall < 0)
        return s;
    s.what = -2 - wall;
    s.line = line_at(stage, wall, &s);
    return s;
}

static hit trace_ray(const thudi_stage *stage, double x, double y)
{
    hit s = trace_solids(stage, x, y);
    trace_panes(stage, &s);
    return s;
}

// Walls are not cut off where they are no longer drawn: they fade away from the bodies.
static double fade_at(const thudi_stage *stage, thudi_vec p)
{
    double x = p.x < stage->low.x ? stage->low.x - p.x : p.x - stage->high.x;
    double y = p.y < stage->low.y ? stage->low.y - p.y : p.y - stage->high.y;
    double z = p.z < stage->low.z ? stage->low.z - p.z : (p.z - stage->high.z) * 10;
    x = x > 0 ? x : 0;
    y = y > 0 ? y : 0;
    z = z > 0 ? z : 0;
    return 1 - thudi_smooth_step(0.1, 1.2, sqrt(x * x + y * y + z * z));
}

// A wall is only darker where bodies keep light away.
static thudi_rgb wall_color(const thudi_stage *stage, const hit *s)
{
    const thudi_wall *wall = &stage->walls.items[-2 - s->what];
    thudi_vec p = thudi_vec_along(s->ray.from, s->ray.along, s->t);
    double fade = fade_at(stage, p);
    if (fade <= 0 || wall->is_outline)
        return stage->theme.background;
    double sky = thudi_tree_sky(&stage->tree, p, wall->normal, SKY_REACH * stage->radius, -1);
    double light = 1;
    thudi_ray to_sun = {thudi_vec_along(p, wall->normal, NEAR), stage->sun};
    if (wall->is_floor && !stage->has_chains)
        light = thudi_tree_light(&stage->tree, &to_sun, SUN_TANGENT, -1);
    double bright =
        wall->is_floor ? 0.25 * sky + 0.30 * sky * light + 0.45 * light : 0.6 + 0.4 * sky;
    if (stage->has_chains)
        bright = 0.7 + 0.3 * bright;
    thudi_rgb color = scale(wall->is_floor ? stage->theme.floor : stage->theme.pane, bright);
    return thudi_rgb_mix(stage->theme.background, color, fade);
}

static double power(double x, int doublings)
{
    for (int i = 0; i < doublings; i++)
        x *= x;
    return x;
}

// Sky, sun, and a faint gloss that tells spheres from disks.
static thudi_rgb lit(const thudi_stage *stage, thudi_rgb color, const thudi_ray *ray,
                     thudi_vec normal, double sky, double light)
{
    double to_sun = thudi_vec_dot(normal, stage->sun);
    double sun = to_sun > 0 ? to_sun * light : 0;
    double ambient = sky * (0.56 + 0.22 * normal.z);
    thudi_vec half = thudi_vec_unit(thudi_vec_sub(stage->sun, ray->along));
    double gloss = thudi_vec_dot(half, normal);
    gloss = gloss > 0 && light > 0 ? 0.10 * light * power(gloss, 5) : 0;
    color = scale(color, ambient + 0.85 * sun);
    return (thudi_rgb){color.r + gloss, color.g + gloss, color.b + gloss};
}

static thudi_rgb body_color(const thudi_stage *stage, const hit *s)
{
    const thudi_solid *body = &stage->bodies.items[s->what];
    if (s->what >= stage->sphere_count)
        return stage->colors.items[s->what];
    thudi_vec p = thudi_vec_along(s->ray.from, s->ray.along, s->t);
    thudi_vec normal = thudi_vec_scale(thudi_vec_sub(p, body->a), 1 / body->radius);
    double sky = thudi_tree_sky(&stage->tree, p, normal, SKY_REACH * stage->radius, s->what);
    double light = 0;
    thudi_ray to_sun = {thudi_vec_along(p, normal, NEAR), stage->sun};
    if (thudi_vec_dot(normal, stage->sun) > 0)
        light = thudi_tree_light(&stage->tree, &to_sun, SUN_TANGENT, s->what);
    return lit(stage, stage->colors.items[s->what], &s->ray, normal, 0.12 + 0.88 * sky, light);
}

// With chains, bodies are glass: faint, with a rim; less of it where a chain is behind.
static thudi_rgb glass_color(const thudi_stage *stage, const hit *s, double part, thudi_rgb behind)
{
    const thudi_solid *body = &stage->bodies.items[s->what];
    if (s->what >= stage->sphere_count)
        return stage->colors.items[s->what];
    thudi_vec p = thudi_vec_along(s->ray.from, s->ray.along, s->t);
    thudi_vec normal = thudi_vec_scale(thudi_vec_sub(p, body->a), 1 / body->radius);
    double rim = 1 + thudi_vec_dot(normal, s->ray.along);
    return thudi_rgb_mix(behind, stage->colors.items[s->what], part * (0.07 + 0.38 * rim * rim));
}

static thudi_rgb chain_color(const thudi_stage *stage, int chain, const thudi_ray *ray, double t)
{
    const thudi_solid *solid = &stage->chains.items[chain];
    thudi_vec p = thudi_vec_along(ray->from, ray->along, t);
    thudi_vec axis = thudi_vec_sub(solid->b, solid->a), from = thudi_vec_sub(p, solid->a);
    double at = thudi_vec_dot(from, axis) / thudi_vec_dot(axis, axis);
    at = at < 0 ? 0 : (at > 1 ? 1 : at);
    thudi_vec normal = thudi_vec_unit(thudi_vec_along(from, axis, -at));
    // what is weaker or farther away is paler
    double strength = sqrt(solid->radius / stage->thickest);
    thudi_rgb color = thudi_rgb_mix(stage->theme.line, stage->theme.chain, 0.4 + 0.6 * strength);
    color = lit(stage, color, ray, normal, 1, 1);
    double depth = thudi_vec_dot(p, stage->camera.axes.back);
    return thudi_rgb_mix(color, stage->theme.background, 0.30 - 0.30 * depth);
}

// Light above 0.7 is bent to stay below 1, without a kink.
static double tone(double x)
{
    const double knee = 0.7;
    double over = (x - knee) / (1 - knee);
    return over > 0 ? knee + (1 - knee) * over / (1 + over) : x;
}

static thudi_rgb pane_color(const thudi_stage *stage, const hit *s)
{
    thudi_vec normal = stage->panes.items.items[s->pane].normal;
    thudi_vec p = thudi_vec_along(s->ray.from, s->ray.along, s->t);
    if (thudi_vec_dot(normal, s->ray.along) > 0)
        normal = thudi_vec_scale(normal, -1);
    double sky = thudi_tree_sky(&stage->tree, p, normal, SKY_REACH * stage->radius, -1);
    thudi_rgb color =
        lit(stage, scale(stage->theme.line, 0.9), &s->ray, normal, 0.2 + 0.8 * sky, 1);
    return (thudi_rgb){tone(color.r), tone(color.g), tone(color.b)};
}

static thudi_rgb color_of(const thudi_stage *stage, const hit *s)
{
    if (s->what == -1)
        return stage->theme.background;
    if (s->what == A_WIRE)
        return thudi_rgb_mix(stage->theme.line, stage->theme.ink, 0.35);
    if (s->what == A_PANE)
        return pane_color(stage, s);
    return s->what < 0 ? wall_color(stage, s) : body_color(stage, s);
}

// What is seen through the glass: the first chain, or the wall behind all bodies.
static thudi_rgb chains_color(const thudi_stage *stage, hit *s)
{
    hit behind = {.what = -1, .ray = s->ray};
    double t;
    int chain = thudi_tree_nearest(&stage->chain_tree, &s->ray, INFINITY, &t);
    int wall = leave(stage, &s->ray, &behind.t);
    if (wall >= 0)
    {
        behind.what = -2 - wall;
        s->line = line_at(stage, wall, &behind);
    }
    thudi_rgb color = color_of(stage, &behind);
    if (wall >= 0)
    {
        thudi_vec p = thudi_vec_along(behind.ray.from, behind.ray.along, behind.t);
        color = thudi_rgb_mix(color, stage->theme.line, s->line * fade_at(stage, p));
    }
    if (chain >= 0)
        color = chain_color(stage, chain, &s->ray, t);
    if (s->what < 0 || (chain >= 0 && s->t > t))
        return color;
    return glass_color(stage, s, chain < 0 ? 1 : 0.4, color);
}

static thudi_rgb add(thudi_rgb a, thudi_rgb b, double s)
{
    return (thudi_rgb){a.r + s * b.r, a.g + s * b.g, a.b + s * b.b};
}

static thudi_rgb toned(thudi_rgb c, int what)
{
    return what < 0 ? c : (thudi_rgb){tone(c.r), tone(c.g), tone(c.b)};
}

// The mean of the four samples; surfaces that several of them meet are lit once.
static thudi_rgb pixel_color(const thudi_stage *stage, int x, int y, bool *has_wall)
{
    static const double places[SAMPLES][2] = {
        {0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};
    int met[SAMPLES];
    thudi_rgb colors[SAMPLES], sum = {0, 0, 0};
    for (int k = 0; k < SAMPLES; k++)
    {
        hit s = trace_ray(stage, x + places[k][0], y + places[k][1]);
        int same = 0;
        while (same < k && met[same] != s.what)
            same++;
        met[k] = s.what;
        *has_wall = *has_wall || s.what < -1;
        if (stage->has_chains && s.what != A_WIRE && s.what != A_PANE)
            colors[k] = chains_color(stage, &s);
        else
            colors[k] = same < k ? colors[same] : toned(color_of(stage, &s), s.what);
        thudi_rgb color = colors[k];
        if (s.line > 0 && !stage->has_chains)
        {
            double fade = fade_at(stage, thudi_vec_along(s.ray.from, s.ray.along, s.t));
            color = thudi_rgb_mix(color, stage->theme.line, s.line * fade);
        }
        sum = add(sum, thudi_rgb_mix(color, s.veil_color, s.veil), 1.0 / SAMPLES);
    }
    return sum;
}

// A number in [0, 1) that looks random and depends on the pixel alone.
static float noise_at(int x, int y)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 13) * 0x297a2d39u;
    return (float)((h ^ h >> 16) >> 8) / (1 << 24);
}

// code[i] is the sRGB of (i / CODES)^2, up to 255: fine where it is dark. `round` is added before
// the fraction is dropped: 0.5, or noise, where a slow change would be seen in steps.
static uint32_t encode(const float code[CODES + 1], thudi_rgb c, float round)
{
    double parts[3] = {c.r, c.g, c.b};
    uint32_t pixel = 0;
    for (int k = 0; k < 3; k++)
    {
        double x = parts[k] > 0 ? sqrt(parts[k]) : 0;
        pixel = pixel << 8 | (uint32_t)(code[x < 1 ? (int)(x * CODES + 0.5) : CODES] + round);
    }
    return pixel;
}

static uint32_t pixel_at(const thudi_stage *stage, const float code[CODES + 1], int x, int y)
{
    bool has_wall = false;
    thudi_rgb color = pixel_color(stage, x, y, &has_wall);
    return encode(code, color, has_wall ? noise_at(x, y) : 0.5f);
}

void thudi_stage_trace(const thudi_stage *stage, uint32_t *pixels)
{
    float code[CODES + 1];
    int bands = (stage->height + BAND - 1) / BAND;
    for (int i = 0; i <= CODES; i++)
    {
        double root = (double)i / CODES;
        code[i] = (float)(255 * thudi_rgb_encode(root * root));
    }
#pragma omp parallel for schedule(dynamic)
    for (int band = 0; band < bands; band++)
        for (int y = band * BAND; y < (band + 1) * BAND && y < stage->height; y++)
            for (int x = 0; x < stage->width; x++)
                pixels[(size_t)y * (size_t)stage->width + (size_t)x] = pixel_at(stage, code, x, y);
}
