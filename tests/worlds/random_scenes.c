// Scenes drawn at random: see random_scenes.h.
#include "random_scenes.h"

#include <stdarg.h>

static void add(random_scene *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(random_scene *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int wrote = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, arguments);
    va_end(arguments);
    s->used += wrote > 0 ? (size_t)wrote : 0;
    CHECK(s->used < sizeof s->text);
}

// [x, y, z], or [x, z] in two dimensions.
static void add_vector(random_scene *s, double x, double y, double z)
{
    if (s->dim == 3)
        add(s, "[%.6f, %.6f, %.6f]", x, y, z);
    else
        add(s, "[%.6f, %.6f]", x, z);
}

static double draw(test_random *random, double low, double high)
{
    return test_random_uniform(random, low, high);
}

static bool chance(test_random *random, int of)
{
    return test_random_int(random, 1, of) == 1;
}

static void add_head(random_scene *s, test_random *random)
{
    static const char *const qualities[] = {"preview", "default", "default", "study"};
    add(s, "thud: 1\nkind: spheres\ndim: %d\nsolver: {quality: %s}\ngravity: ", s->dim,
        qualities[test_random_int(random, 0, 3)]);
    add_vector(s, draw(random, -2, 2), draw(random, -2, 2), draw(random, -12, -6));
    add(s, "\ntime: {step: %g, end: 0.9}\n", chance(random, 2) ? 0.01 : 0.0075);
    add(s, "materials: {a: {density: 1}, b: {density: 3}, bare: {density: 1}}\n");
    if (s->law == 'd')
        return;
    add(s, "contacts:\n");
    for (int k = 0; k < 3; k++)
    {
        add(s, "  - {between: [%c, %c], ", k < 2 ? 'a' : 'b', k < 1 ? 'a' : 'b');
        if (s->law == 'e')
            add(s, "restitution: %.3f}\n", chance(random, 4) ? 1 : draw(random, 0, 1));
        else if (chance(random, 2))
            add(s, "glue: unlimited}\n");
        else
            add(s, "glue: %.5f}\n", draw(random, 0, 0.01));
    }
}

static const char *material_of(test_random *random)
{
    static const char *const names[] = {"a", "b", "bare"};
    return names[test_random_int(random, 0, 2)];
}

// Planes below, which lean; the first is the gate of the hopper, and may move.
static void add_planes(random_scene *s, test_random *random)
{
    int count = test_random_int(random, 1, 5);
    bool moves = chance(random, 4);
    add(s, "walls:\n  gate: {plane: {point: ");
    if (moves && s->dim == 3)
        add(s, "[0, 0, \"0.02*sin(15*t)\"]");
    else if (moves)
        add(s, "[0, \"0.02*sin(15*t)\"]");
    else
        add_vector(s, 0, 0, draw(random, -0.1, 0.02));
    add(s, ", normal: ");
    add_vector(s, 0, 0, 1);
    add(s, "}, material: %s}\n", material_of(random));
    for (int k = 1; k < count; k++)
    {
        add(s, "  plane%d: {plane: {point: ", k);
        add_vector(s, 0, 0, draw(random, -0.4, 0));
        add(s, ", normal: ");
        add_vector(s, draw(random, -0.4, 0.4), draw(random, -0.4, 0.4), 1);
        add(s, "}, material: %s}\n", material_of(random));
    }
}

// A funnel, or triangles; both are meshes, of which glue knows nothing.
static void add_meshes(random_scene *s, test_random *random)
{
    double outlet = draw(random, 0.15, 0.3);
    const char *material = s->law == 'g' ? "bare" : material_of(random);
    if (chance(random, 6))
        return;
    add(s, "  funnel: {hopper: {outlet: %.4f, top: %.4f, height: %.4f, bin: 1", outlet,
        draw(random, 0.7, 1), draw(random, 0.5, 1));
    if (s->dim == 3)
        add(s, ", sides: %d", test_random_int(random, 3, 9));
    add(s, "}, material: %s", material);
    if (s->law != 'e' && chance(random, 3)) // bounces on moving meshes are refused
        add(s, ", position: %s",
            s->dim == 3 ? "[0, 0, \"0.01*sin(20*t)\"]" : "[0, \"0.01*sin(20*t)\"]");
    add(s, "}\n");
}

static void add_solid(random_scene *s, test_random *random, int k)
{
    double x = draw(random, -0.2, 0.2), y = draw(random, -0.2, 0.2), z = draw(random, 0.2, 0.6);
    int kind = test_random_int(random, 0, s->dim == 3 ? 4 : 3);
    add(s, "  solid%d: {", k);
    if (kind == 0)
    {
        add(s, "ball: {radius: %.4f, center: ", draw(random, 0.03, 0.1));
        add_vector(s, x, y, z);
        add(s, "}");
    }
    else if (kind == 1)
    {
        add(s, "solid_box: [");
        add_vector(s, x - 0.08, y - 0.06, z - 0.05);
        add(s, ", ");
        add_vector(s, x + 0.08, y + 0.06, z + 0.05);
        add(s, "]");
    }
    else if (kind == 3)
    {
        add(s, "triangle: [");
        add_vector(s, x - 0.1, y - 0.1, z);
        add(s, ", ");
        add_vector(s, x + 0.1, y, z + 0.05);
        add(s, ", ");
        add_vector(s, x, y + 0.1, z - 0.1);
        add(s, "]");
    }
    else
    {
        add(s, "%s: {radius: 0.05, from: ", kind == 2 ? "capsule" : "cylinder");
        add_vector(s, x - 0.1, y, z);
        add(s, ", to: ");
        add_vector(s, x + 0.1, y + 0.1, z + 0.05);
        add(s, "}");
    }
    add(s, ", material: %s}\n", material_of(random));
}

// Something that is around all: flat sides, or a curved one.
static void add_container(random_scene *s, test_random *random)
{
    int kind = test_random_int(random, 0, s->dim == 3 ? 4 : 3);
    if (kind == 0)
        return;
    add(s, "  around: {");
    if (kind == 1 || kind == 2)
    {
        add(s, "box: [");
        add_vector(s, -1.1, -1.1, -0.3);
        add(s, ", ");
        add_vector(s, 1.1, 1.1, 3);
        add(s, "], material: %s", material_of(random));
        if (kind == 2) // one wall that is seen as a whole
            add(s, s->dim == 3 ? ", rotation: [0, 0, 0.1]" : ", rotation: 0.05");
    }
    else if (kind == 3)
    {
        add(s, "shell: {radius: 2.4, center: ");
        add_vector(s, 0, 0, 1.2);
        add(s, "}, material: bare");
    }
    else
        add(s, "drum: {from: [0, 0, -0.5], to: [0, 0, 4], radius: 1.4}, material: bare");
    add(s, "}\n");
}

static void add_bodies(random_scene *s, test_random *random, uint64_t seed)
{
    double r = s->dim == 2 ? draw(random, 0.04, 0.08) : draw(random, 0.07, 0.11);
    double wide = s->dim == 2 ? 0.6 : 0.45; // fits into the bin of any funnel
    int count = s->dim == 2 ? test_random_int(random, 5, 25) : test_random_int(random, 5, 16);
    add(s, "bodies:\n");
    for (int k = 0; k < 2; k++)
    {
        add(s, "  - fill: {region: {box: [");
        add_vector(s, -wide, -wide, 1.05 + 0.6 * k);
        add(s, ", ");
        add_vector(s, wide, wide, 1.6 + 0.6 * k);
        add(s, "]}, count: %d, radius: {uniform: [%.4f, %.4f]}, seed: %llu, material: %c}\n",
            1 + count / 2, r * (chance(random, 3) ? 0.1 : 0.6), r,
            (unsigned long long)(seed % 1000000), "ab"[k]);
    }
}

void random_scene_draw(random_scene *scene, uint64_t seed, int n)
{
    test_random random = test_random_start(seed + 7919 * (uint64_t)n);
    *scene = (random_scene){.dim = n % 2 ? 3 : 2, .law = "deg"[n / 2 % 3]};
    for (int k = 0; k < 10; k++)
        (void)test_random_bits(&random);
    add_head(scene, &random);
    add_planes(scene, &random);
    add_meshes(scene, &random);
    int solids = test_random_int(&random, 0, 3);
    for (int k = 0; k < solids; k++)
        add_solid(scene, &random, k);
    add_container(scene, &random);
    add_bodies(scene, &random, seed + (uint64_t)n);
}

void random_scene_graze(random_scene *scene, uint64_t seed, int n)
{
    test_random random = test_random_start(seed + 7919 * (uint64_t)n);
    *scene = (random_scene){.dim = n % 2 ? 3 : 2, .law = 'g'};
    for (int k = 0; k < 10; k++)
        (void)test_random_bits(&random);
    add(scene, "thud: 1\nkind: spheres\ndim: %d\ntime: {step: 0.01, end: 0.3}\n", scene->dim);
    add(scene, "materials: {gum: {density: 1}}\ncontacts: [{between: [gum, gum], glue: ");
    add(scene, "%s}]\n", chance(&random, 2) ? "unlimited" : "0.01");
    add(scene, "walls:\n  hall: {box: [");
    add_vector(scene, -2, -2, -2);
    add(scene, ", ");
    add_vector(scene, 2, 2, 2);
    add(scene, "]}\nbodies:\n");
    for (int i = 0; i < 27; i++)
    {
        double r = 0.3 * pow(3000, -draw(&random, 0, 1)), v = draw(&random, 1, 60);
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = -1.3 +
                    1.3 * (k == 0   ? i % 3
                           : k == 1 ? i / 9
                                    : i / 3 % 3) +
                    draw(&random, -1, 1) * (0.6 - r);
        if (scene->dim == 2 && i >= 9)
            break;
        add(scene, "  - {radius: %.9f, at: ", r);
        add_vector(scene, at[0], at[1], at[2]);
        add(scene, ", velocity: ");
        add_vector(scene, draw(&random, -v, v), draw(&random, -v, v), draw(&random, -v, v));
        add(scene, "}\n");
    }
}
