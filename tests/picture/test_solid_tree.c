// The tree of solids against brute force: the same first solid, the same light and sky.
#include "picture/solid_tree.h"
#include "show_rig.h"

#include <stdlib.h>

enum
{
    MOST = 3000
};

static const thud_allocator *library(void)
{
    static thud_allocator allocator;
    allocator = thudi_allocator_or_default(NULL);
    return &allocator;
}

static thudi_vec some_point(test_random *random, double size)
{
    return (thudi_vec){test_random_uniform(random, -size, size),
                       test_random_uniform(random, -size, size),
                       test_random_uniform(random, -size, size)};
}

static thudi_ray some_ray(test_random *random, double size)
{
    thudi_vec from = some_point(random, 2 * size);
    return (thudi_ray){from, thudi_vec_unit(thudi_vec_sub(some_point(random, size), from))};
}

static int nearest_of_all(const thudi_solid *solids, int count, const thudi_ray *ray, double *t)
{
    int found = -1;
    *t = INFINITY;
    for (int i = 0; i < count; i++)
    {
        double enter = thudi_solid_enter(&solids[i], ray);
        if (enter < *t)
        {
            *t = enter;
            found = i;
        }
    }
    return found;
}

// Random scenes of all sizes, spheres or capsules; sizes of solids differ by a factor of 1,000.
static void compare_nearest(uint64_t standard, bool capsules)
{
    thudi_solid *solids = calloc(MOST, sizeof *solids);
    thudi_tree tree = {0};
    test_random random = test_random_begin(standard);
    int hits = 0;
    for (int scene = 0; scene < 40; scene++)
    {
        int count = scene < 20 ? scene : test_random_int(&random, 20, MOST);
        for (int i = 0; i < count; i++)
        {
            double size = pow(10, test_random_uniform(&random, -3.5, -0.7));
            thudi_vec a = some_point(&random, 1);
            solids[i] = (thudi_solid){a, a, size};
            if (capsules)
                solids[i].b = thudi_vec_add(a, some_point(&random, 3 * size));
        }
        CHECK(thudi_tree_build(&tree, library(), solids, count) == THUD_OK);
        for (int k = 0; k < 300; k++)
        {
            thudi_ray ray = some_ray(&random, 1);
            double t, wanted_t;
            int found = thudi_tree_nearest(&tree, &ray, INFINITY, &t);
            int wanted = nearest_of_all(solids, count, &ray, &wanted_t);
            CHECK(found == wanted && t == wanted_t);
            hits += found >= 0;
            if (found < 0)
                continue;
            CHECK(thudi_tree_nearest(&tree, &ray, t / 2, &wanted_t) == -1 && wanted_t == t / 2);
            // the point is on the solid
            thudi_vec p = thudi_vec_along(ray.from, ray.along, t);
            thudi_vec axis = thudi_vec_sub(solids[found].b, solids[found].a);
            thudi_vec off = thudi_vec_sub(p, solids[found].a);
            double aa = thudi_vec_dot(axis, axis), at = aa > 0 ? thudi_vec_dot(off, axis) / aa : 0;
            at = at < 0 ? 0 : (at > 1 ? 1 : at);
            CHECK_NEAR(thudi_vec_length(thudi_vec_along(off, axis, -at)), solids[found].radius,
                       1e-7);
        }
    }
    CHECK(hits > 2000);
    thudi_tree_free(&tree, library());
    free(solids);
}

static void nearest(void)
{
    compare_nearest(20260701, false);
}

static void capsules(void)
{
    compare_nearest(20260702, true);
}

// Bodies at one place, or all in a line, still make a tree; what is behind is not seen.
static void far_away(void)
{
    thudi_solid solids[100];
    thudi_tree tree = {0};
    double t;
    for (int i = 0; i < 100; i++)
        solids[i] = (thudi_solid){{0, 0, 0}, {0, 0, 0}, 0.5};
    CHECK(thudi_tree_build(&tree, library(), solids, 100) == THUD_OK);
    thudi_ray ray = {{0, -2, 0}, {0, 1, 0}};
    CHECK(thudi_tree_nearest(&tree, &ray, INFINITY, &t) == 0 && t == 1.5);
    ray.along.y = -1;
    CHECK(thudi_tree_nearest(&tree, &ray, INFINITY, &t) == -1);
    for (int i = 0; i < 100; i++)
        solids[i].a.y = solids[i].b.y = i;
    CHECK(thudi_tree_build(&tree, library(), solids, 100) == THUD_OK);
    ray = (thudi_ray){{0, 200, 0}, {0, -1, 0}};
    CHECK(thudi_tree_nearest(&tree, &ray, INFINITY, &t) == 99 && t == 100.5);
    CHECK(thudi_tree_build(&tree, library(), solids, 0) == THUD_OK);
    CHECK(thudi_tree_nearest(&tree, &ray, INFINITY, &t) == -1);
    thudi_tree_free(&tree, library());
}

// The product over all spheres, by a tree of one sphere each: the search misses none that counts.
static void compare_parts(bool is_light, uint64_t standard)
{
    enum
    {
        COUNT = 400
    };
    thudi_solid solids[COUNT];
    thudi_tree tree = {0}, one = {0};
    test_random random = test_random_begin(standard);
    int partly = 0;
    for (int i = 0; i < COUNT; i++)
    {
        solids[i].a = solids[i].b = some_point(&random, 1);
        solids[i].radius = test_random_uniform(&random, 0.01, 0.08);
    }
    CHECK(thudi_tree_build(&tree, library(), solids, COUNT) == THUD_OK);
    for (int k = 0; k < 300; k++)
    {
        thudi_ray ray = some_ray(&random, 0.8);
        int skip = test_random_int(&random, -1, COUNT - 1);
        double wanted = 1;
        for (int i = 0; i < COUNT; i++)
        {
            CHECK(thudi_tree_build(&one, library(), &solids[i], 1) == THUD_OK);
            if (i != skip)
                wanted *= is_light ? thudi_tree_light(&one, &ray, 0.07, -1)
                                   : thudi_tree_sky(&one, ray.from, ray.along, 0.3, -1);
        }
        double found = is_light ? thudi_tree_light(&tree, &ray, 0.07, skip)
                                : thudi_tree_sky(&tree, ray.from, ray.along, 0.3, skip);
        CHECK_NEAR(found, wanted, 1e-12);
        partly += found > 0 && found < 1;
    }
    CHECK(partly > 20);
    thudi_tree_free(&tree, library());
    thudi_tree_free(&one, library());
}

static void light(void)
{
    thudi_solid ball = {{0, 0, 2}, {0, 0, 2}, 0.5};
    thudi_tree tree = {0};
    compare_parts(true, 20260703);
    CHECK(thudi_tree_build(&tree, library(), &ball, 1) == THUD_OK);
    // under the ball dark, beside it light, at its edge half of the disc is seen
    thudi_ray ray = {{0, 0, 0}, {0, 0, 1}};
    CHECK(thudi_tree_light(&tree, &ray, 0.07, -1) == 0);
    CHECK(thudi_tree_light(&tree, &ray, 0.07, 0) == 1);
    ray.from.x = 0.7;
    CHECK(thudi_tree_light(&tree, &ray, 0.07, -1) == 1);
    ray.from.x = 0.5;
    CHECK_NEAR(thudi_tree_light(&tree, &ray, 0.07, -1), 0.5, 1e-12);
    ray.from.z = 3;
    CHECK(thudi_tree_light(&tree, &ray, 0.07, -1) == 1);
    thudi_tree_free(&tree, library());
}

// A ball straight above covers (r / d)^2 of the sky, one below the horizon nothing.
static void sky(void)
{
    thudi_solid ball = {{0, 0, 2}, {0, 0, 2}, 0.5};
    thudi_tree tree = {0};
    compare_parts(false, 20260704);
    CHECK(thudi_tree_build(&tree, library(), &ball, 1) == THUD_OK);
    thudi_vec origin = {0, 0, 0}, up = {0, 0, 1}, down = {0, 0, -1};
    CHECK_NEAR(thudi_tree_sky(&tree, origin, up, 100, -1), 1 - 0.0625, 1e-12);
    CHECK(thudi_tree_sky(&tree, origin, down, 100, -1) == 1);
    CHECK(thudi_tree_sky(&tree, origin, up, 1.4, -1) == 1);
    CHECK(thudi_tree_sky(&tree, origin, up, 100, 0) == 1);
    CHECK(thudi_tree_sky(&tree, (thudi_vec){0, 0, 1.5}, up, 100, -1) == 0);
    thudi_tree_free(&tree, library());
}

static void failing_memory(void)
{
    thudi_solid solids[100] = {{{0, 0, 0}, {0, 0, 0}, 0}};
    long at = 1;
    for (thud_status status = THUD_ERR_MEMORY; status != THUD_OK; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thudi_tree tree = {0};
        status = thudi_tree_build(&tree, &allocator, solids, 100);
        CHECK(status == THUD_OK || status == THUD_ERR_MEMORY);
        thudi_tree_free(&tree, &allocator);
        CHECK(meter.blocks == 0);
    }
    CHECK(at > 4);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"nearest", nearest}, {"capsules", capsules}, {"far-away", far_away},
        {"light", light},     {"sky", sky},           {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
