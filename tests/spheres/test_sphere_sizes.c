// Sizes over four orders of magnitude: one body that thousands touch, and a mixture; every step
// judged by brute force, and what it costs counted.
#include "bench_memory.h"
#include "near/cells.h"
#include "sizes_scene.h"
#include "sphere_rig.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static bool open_rig(sphere_rig *rig, const sizes_scene *scene)
{
    thud_world_def def = sizes_def(scene, 1e-5, 1e-3);
    return rig_open(rig, &def) &&
           thud_world_add(rig->world, scene->spheres, scene->count, NULL) == THUD_OK &&
           rig_prepare(rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK;
}

// Small ones that fall onto a large one and rest there; all of them are pressed to it in the end.
static void planet(void)
{
    static const sizes_kind kinds[2] = {SIZES_SPREAD, SIZES_CAP};
    for (int k = 0; k < 2; k++)
    {
        sizes_scene scene;
        sphere_rig rig;
        thud_contacts contacts;
        int pressed = 0;
        REQUIRE(sizes_make(kinds[k], 2001, 1e4, &scene));
        REQUIRE(open_rig(&rig, &scene));
        CHECK(rig_steps(&rig, 8));
        REQUIRE(thud_world_contacts(rig.world, thud_work_report(rig.work), &contacts) == THUD_OK);
        for (int i = 0; i < contacts.count; i++)
            pressed += contacts.a[i] == 0 && contacts.impulse[i] > 0;
        CHECK(pressed == 2000);
        rig_say(&rig, sizes_name(kinds[k]));
        rig_close(&rig);
        sizes_free(&scene);
    }
}

// Radii over 1 : 10^4, evenly in the logarithm, around the largest and pulled to it.
static bool draw_mixture(sizes_scene *scene, uint64_t seed)
{
    test_random random = test_random_start(seed);
    *scene = (sizes_scene){.kind = SIZES_CAP, .count = 250, .h = 1e-3};
    scene->spheres = calloc((size_t)scene->count, sizeof *scene->spheres);
    for (int i = 0; scene->spheres && i < scene->count; i++)
    {
        thud_sphere *s = &scene->spheres[i];
        bool is_free = false;
        s->radius = i == 0 ? 1 : pow(10, -test_random_uniform(&random, 0, 4));
        s->mass = pow(s->radius, 3);
        for (int tries = 0; i > 0 && !is_free; tries++)
        {
            double length = 0, far = 1 + (1.01 + 0.01 * tries) * s->radius;
            is_free = true;
            for (int c = 0; c < 3; c++)
            {
                s->center[c] = test_random_normal(&random);
                s->velocity[c] = s->radius * test_random_normal(&random) * 100;
                length += s->center[c] * s->center[c];
            }
            for (int c = 0; c < 3; c++)
                s->center[c] *= far / sqrt(length);
            for (int j = 0; j < i && is_free; j++)
            {
                const double *x = scene->spheres[j].center;
                double d =
                    hypot(hypot(s->center[0] - x[0], s->center[1] - x[1]), s->center[2] - x[2]);
                is_free = d > 1.001 * (s->radius + scene->spheres[j].radius);
            }
        }
    }
    return scene->spheres != NULL;
}

static void mixture(void)
{
    uint64_t seed = test_seed(41);
    sizes_scene scene;
    sphere_rig rig;
    printf("  seed %llu\n", (unsigned long long)seed);
    REQUIRE(draw_mixture(&scene, seed));
    REQUIRE(open_rig(&rig, &scene));
    CHECK(rig_steps(&rig, 50));
    CHECK(rig.min_gap < 1e-6);
    rig_say(&rig, "1 : 10000");
    rig_close(&rig);
    sizes_free(&scene);
}

// Neither search nor memory grows with what a large body makes possible.
static void cost(void)
{
    for (sizes_kind kind = SIZES_SPREAD; kind <= SIZES_COVERED; kind++)
    {
        sizes_scene scene;
        bench_memory memory = {0};
        thud_allocator allocator = bench_allocator(&memory);
        thud_work *work = NULL;
        thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
        thud_rooms rooms = {.allocator = cells.allocator};
        REQUIRE(sizes_make(kind, 3001, 1e4, &scene));
        thud_world *world = sizes_world(&scene, 1e-3, 3e-2, &allocator);
        REQUIRE(world);
        thud_work_def def = thud_world_work(world);
        def.allocator = def.projector.allocator = &allocator;
        REQUIRE(thud_work_create(&def, &work) == THUD_OK);
        thud_inclusion problem = thud_world_inclusion(world);
        for (int n = 0; n < 3; n++)
            CHECK(thud_step(&problem, thud_world_state(world), work) >= 0);
        thud_bodies bodies = thud_world_bodies(world);
        REQUIRE(thudi_cells_find(&cells, &rooms, 3, bodies.count, bodies.q, bodies.radius) ==
                THUD_OK);
        int rows = thud_rows_count(thud_work_report(work)->rows);
        printf("  %s: %d rows, %zu bytes a body, %.1f tests a body\n", sizes_name(kind), rows,
               memory.most / 3001, (double)cells.tested / 3001);
        CHECK(rows < 1.1 * 3000);
        CHECK(memory.most < (size_t)3000 * 3001);
        CHECK(cells.tested < 20 * 3001);
        thudi_cells_free(&cells);
        thudi_rooms_free(&rooms);
        thud_work_destroy(work);
        thud_world_destroy(world);
        sizes_free(&scene);
    }
}

// A few steps with so many threads; q: where the bodies are afterwards.
static void run_with(const sizes_scene *scene, int threads, double *q)
{
    thud_work *work = NULL;
    size_t size = 3 * (size_t)scene->count * sizeof(double);
    omp_set_num_threads(threads);
    thud_world *world = sizes_world(scene, 1e-3, 3e-2, NULL);
    REQUIRE(world);
    thud_work_def def = thud_world_work(world);
    REQUIRE(thud_work_create(&def, &work) == THUD_OK);
    thud_inclusion problem = thud_world_inclusion(world);
    for (int n = 0; n < 5; n++)
        CHECK(thud_step(&problem, thud_world_state(world), work) >= 0);
    memcpy(q, thud_world_state(world)->q, size);
    thud_work_destroy(work);
    thud_world_destroy(world);
}

static void threads(void)
{
    static double one[3 * 6001], more[3 * 6001];
    sizes_scene scene;
    REQUIRE(sizes_make(SIZES_COVERED, 6001, 1e4, &scene));
    run_with(&scene, 1, one);
    for (int n = 2; n <= 3; n++)
    {
        run_with(&scene, n, more);
        CHECK(memcmp(one, more, sizeof one) == 0);
    }
    sizes_free(&scene);
}

static int write_radii(double t, double *radius, double *normal, double *offset, void *user)
{
    const sizes_scene *scene = user;
    (void)t;
    (void)normal;
    (void)offset;
    for (int i = 0; i < scene->count; i++)
        radius[i] = scene->spheres[i].radius;
    return 0;
}

// Steps of many small ones on a large one, each judged by the checker, which searches for itself.
static void judge_many(const sizes_scene *scene, int steps)
{
    thud_work *work = NULL;
    thud_state *before = NULL;
    thud_world *world = sizes_world(scene, 1e-5, 1e-3, NULL);
    REQUIRE(world);
    thud_work_def how = thud_world_work(world);
    thud_state *state = thud_world_state(world);
    thud_state_def copy = {.dim = state->dim, .t0 = state->t0, .h = state->h, .q = state->q};
    REQUIRE(thud_work_create(&how, &work) == THUD_OK);
    REQUIRE(thud_state_create(&copy, &before) == THUD_OK);
    thud_inclusion problem = thud_world_inclusion(world);
    thud_verify_spheres_def spheres = {
        .dim = 3, .count = scene->count, .shapes = write_radii, .user = (void *)(uintptr_t)scene};
    thud_verify_def def = {.backward = 4e-5 * scene->largest, .strict = true};
    for (int n = 0; n < steps; n++)
    {
        thud_verdict verdict = {.holds = false};
        REQUIRE(thud_state_copy(before, state) == THUD_OK);
        REQUIRE(thud_step(&problem, state, work) >= 0);
        REQUIRE(thud_verify_spheres(&problem, &spheres, before, state, &def, &verdict) == THUD_OK);
        CHECK(verdict.holds);
        CHECK(verdict.rows >= scene->count - 1);
        printf("  %s: step %d, %d rows, %d pressed, smallest gap %g\n", sizes_name(scene->kind),
               n + 1, verdict.rows, state->multiplier_count, verdict.min_gap);
    }
    CHECK(state->multiplier_count >= scene->count - 1);
    thud_state_destroy(before);
    thud_work_destroy(work);
    thud_world_destroy(world);
}

// One body that a hundred thousand touch.
static void hundred_thousand(void)
{
    for (sizes_kind kind = SIZES_SPREAD; kind <= SIZES_COVERED; kind++)
    {
        sizes_scene scene;
        REQUIRE(sizes_make(kind, 100001, 1e4, &scene));
        judge_many(&scene, 4);
        sizes_free(&scene);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"planet", planet},
                                      {"mixture", mixture},
                                      {"cost", cost},
                                      {"threads", threads},
                                      {"hundred-thousand", hundred_thousand}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
