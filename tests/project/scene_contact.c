// Contact problems with geometry: packs of spheres, crystals, stacks of boxes.
#include "scene.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

static void push_pair(scene *s, int a, int b, const double normal[3], double gap)
{
    int index[2] = {3 * a, 3 * b};
    double slope[6];
    for (int c = 0; c < 3; c++)
    {
        slope[c] = -normal[c];
        slope[3 + c] = normal[c];
    }
    thud_row row = {.key = thud_key_number(thud_rows_count(s->rows) + 1),
                    .gap = gap,
                    .width = 3,
                    .count = 2,
                    .index = index,
                    .slope = slope};
    thud_rows_push(s->rows, &row);
}

static void push_wall(scene *s, int a, int axis, double sign, double gap)
{
    int index = 3 * a + axis;
    thud_row row = {.key = thud_key_number(thud_rows_count(s->rows) + 1),
                    .gap = gap,
                    .count = 1,
                    .index = &index,
                    .slope = &sign};
    thud_rows_push(s->rows, &row);
}

// The distance of points a and b of x, and the direction from a to b.
static double apart(const double *x, int a, int b, double normal[3])
{
    double square = 0;
    for (int c = 0; c < 3; c++)
    {
        normal[c] = x[3 * b + c] - x[3 * a + c];
        square += normal[c] * normal[c];
    }
    for (int c = 0; c < 3; c++)
        normal[c] /= sqrt(square);
    return sqrt(square);
}

// Push overlapping spheres apart a little, again and again: dense and disordered.
static void relax(double *x, int count, double side, double radius)
{
    for (int pass = 0; pass < 60; pass++)
        for (int a = 0; a < count; a++)
        {
            for (int b = 0; b < a; b++)
            {
                double normal[3], reach = x[3 * a + 0] - x[3 * b + 0];
                if (fabs(reach) > 2 * radius)
                    continue;
                double overlap = 2 * radius - apart(x, a, b, normal);
                for (int c = 0; c < 3 && overlap > 0; c++)
                {
                    x[3 * a + c] -= .5 * overlap * normal[c];
                    x[3 * b + c] += .5 * overlap * normal[c];
                }
            }
            for (int c = 0; c < 3; c++)
                x[3 * a + c] = fmin(fmax(x[3 * a + c], radius), side - radius);
        }
}

// What overlap the relaxation has left is taken for contact: gap 0.
static void push_contacts(scene *s, const double *x, int count, double side, double radius,
                          double reach, double squeeze)
{
    for (int a = 0; a < count; a++)
    {
        for (int b = 0; b < a; b++)
        {
            double normal[3], gap = apart(x, a, b, normal) - 2 * radius;
            if (gap < reach * radius)
                push_pair(s, a, b, normal, fmax(0, gap) * squeeze);
        }
        for (int c = 0; c < 3; c++)
        {
            double low = x[3 * a + c] - radius, high = side - x[3 * a + c] - radius;
            if (low < reach * radius)
                push_wall(s, a, c, 1, fmax(0, low) * squeeze);
            if (high < reach * radius)
                push_wall(s, a, c, -1, fmax(0, high) * squeeze);
        }
    }
}

static void set_speeds(scene *s, test_random *random)
{
    for (int k = 0; k < s->dim; k++)
        s->w[k] = test_random_normal(random) - (k % 3 == 2 ? 3 : 0);
}

scene *scene_spheres(int count, double reach, double squeeze, uint64_t seed)
{
    test_random random = test_random_start(seed);
    scene *s = scene_create(3 * count);
    double radius = 1, side = cbrt(count * 4.18879 / .58), *x = calloc((size_t)count * 3, 8);
    if (!x)
        abort();
    for (int k = 0; k < 3 * count; k++)
        x[k] = test_random_uniform(&random, radius, side - radius);
    relax(x, count, side, radius);
    s->h = .05;
    set_speeds(s, &random);
    for (int k = 0; k < 3 * count; k++)
        s->mass[k] = k % 3 ? s->mass[k - k % 3] : test_random_uniform(&random, .5, 1.7);
    push_contacts(s, x, count, side, radius, reach, squeeze);
    free(x);
    return s;
}

scene *scene_crystal(int side, uint64_t seed)
{
    test_random random = test_random_start(seed);
    int count = side * side * side;
    scene *s = scene_create(3 * count);
    double *x = calloc((size_t)count * 3, sizeof *x);
    if (!x)
        abort();
    for (int a = 0; a < count; a++)
    {
        int row = a / side % side, layer = a / side / side;
        x[3 * a + 0] = 1 + 2 * (a % side);
        x[3 * a + 1] = 1 + 2 * row;
        x[3 * a + 2] = 1 + 2 * layer;
    }
    s->h = .05;
    set_speeds(s, &random);
    push_contacts(s, x, count, 2 * side, 1, .1, 1);
    free(x);
    return s;
}

// A corner below box `upper`, above box `lower` (the floor when < 0): normal z, arm x normal.
static void push_corner(scene *s, int lower, int upper, double x, double y, double gap)
{
    int index[6] = {6 * upper + 2, 6 * upper + 3, 6 * upper + 4};
    double slope[6] = {1, y, -x, -1, -y, x};
    for (int j = 0; j < 3; j++)
        index[3 + j] = 6 * lower + 2 + j;
    thud_row row = {.key = thud_key_number(thud_rows_count(s->rows) + 1),
                    .gap = gap,
                    .count = lower < 0 ? 3 : 6,
                    .index = index,
                    .slope = slope};
    thud_rows_push(s->rows, &row);
}

scene *scene_boxes(int columns, int levels, uint64_t seed)
{
    test_random random = test_random_start(seed);
    scene *s = scene_create(6 * columns * levels);
    s->h = .005;
    for (int k = 0; k < s->dim; k++)
    {
        s->mass[k] = k % 6 < 3 ? 1 : 1.0 / 6; // cubes of edge 1
        s->w[k] = .01 * test_random_normal(&random) - (k % 6 == 2 ? 9.81 * s->h : 0);
    }
    for (int box = 0; box < columns * levels; box++)
        for (int corner = 0; corner < 4; corner++)
            push_corner(s, box % levels == 0 ? -1 : box - 1, box, corner % 2 ? .5 : -.5,
                        corner / 2 ? .5 : -.5, 1e-6 * test_random_int(&random, 0, 1));
    return s;
}
