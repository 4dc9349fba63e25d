// The same bits for 1, 2, 3, 4, 8, 16 and 64 threads: five worlds, large enough that threads have
// work, and the hash of all states they go through. A pinned hash changes only with a reason.
#include "thud_test.h"

#include <omp.h>
#include <stdlib.h>
#include <thud/fields.h>
#include <thud/thud.h>

typedef struct setting
{
    int dim, count, across, steps; // bodies on a lattice, so many across
    double least, most;            // radii
    double growth;                 // of the radii, per unit of time
    double tol, tol_a;
    uint64_t hash;
} setting;

static int grow(double t, int count, const int *id, double *radius, void *user)
{
    const setting *s = user;
    for (int i = 0; i < count; i++)
    {
        double start = s->least + (s->most - s->least) * (id[i] % 7) / 6;
        radius[i] = start * (1 + s->growth * t);
    }
    return 0;
}

static void fill(const setting *s, thud_sphere *spheres)
{
    test_random random = test_random_start(77);
    for (int i = 0; i < s->count; i++)
    {
        int layer = s->dim == 3 ? i / s->across / s->across : i / s->across;
        double place[3] = {i % s->across, i / s->across % s->across, layer};
        if (s->dim == 2)
            place[1] = layer;
        thud_sphere *b = &spheres[i];
        *b = (thud_sphere){.radius = s->least + (s->most - s->least) * (i % 7) / 6};
        b->mass = b->radius * b->radius * b->radius;
        for (int k = 0; k < s->dim && k < 3; k++)
        {
            b->center[k] = 1.1 + 2.15 * place[k] + test_random_uniform(&random, -0.07, 0.07);
            b->velocity[k] = test_random_normal(&random);
        }
    }
}

static thud_world *make_world(setting *s)
{
    thud_world_def def = {.dim = s->dim,
                          .h = 0.15,
                          .tol = s->tol,
                          .tol_a = s->tol_a,
                          .radii = s->growth > 0 ? grow : NULL,
                          .user = s};
    def.gravity[s->dim - 1] = -1;
    thud_sphere *spheres = calloc((size_t)s->count, sizeof *spheres);
    thud_world *world = NULL;
    double side = 2.15 * s->across + 0.2;
    double low[3] = {0, 0, 0}, high[3] = {side, s->dim == 3 ? side : INFINITY, INFINITY};
    CHECK(spheres && thud_world_create(&def, &world) == THUD_OK);
    if (spheres && world)
    {
        fill(s, spheres);
        CHECK(thud_world_add(world, spheres, s->count, NULL) == THUD_OK);
        CHECK(thud_world_add_box(world, low, high, NULL) == THUD_OK);
        CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    }
    free(spheres);
    return world;
}

static uint64_t run(setting *s, int threads)
{
    omp_set_num_threads(threads);
    thud_world *world = make_world(s);
    thud_inclusion problem = thud_world_inclusion(world);
    thud_state *state = thud_world_state(world);
    thud_work_def def = thud_world_work(world);
    thud_work *work = NULL;
    uint64_t hash = thud_state_hash(state, 0);
    long sweeps = 0;
    CHECK(thud_work_create(&def, &work) == THUD_OK);
    for (int k = 0; k < s->steps; k++)
    {
        thud_status status = thud_step(&problem, state, work);
        CHECK(status >= 0);
        const thud_report *report = thud_work_report(work);
        CHECK(report->answer.certificate.violation == 0);
        sweeps += report->effort.sweeps;
        hash = thud_state_hash(state, hash);
    }
    printf("  %d threads: %016llx, %ld sweeps\n", threads, (unsigned long long)hash, sweeps);
    CHECK(sweeps > s->steps); // the large cluster was there
    thud_work_destroy(work);
    thud_world_destroy(world);
    return hash;
}

static void check(setting s)
{
    static const int threads[] = {1, 2, 3, 4, 8, 16, 64};
    for (int k = 0; k < 7; k++)
        CHECK(run(&s, threads[k]) == s.hash);
}

static void drop(void)
{
    check((setting){3, 6000, 18, 8, 1, 1, 0, 1e-3, 3e-2, 0xa04eeaea2455c35cu});
}

static void column(void)
{
    check((setting){3, 5000, 8, 8, 1, 1, 0, 1e-3, 3e-2, 0xfcad3334ea03872bu});
}

static void disks(void)
{
    check((setting){2, 6000, 60, 8, 0.8, 1, 0, 1e-3, 3e-2, 0x49572f7b1e96b6d1u});
}

// To a tolerance that floats are not good enough for: packs of doubles.
static void mixture(void)
{
    check((setting){3, 6000, 17, 4, 0.3, 1, 0, 1e-6, 1e-3, 0x0ad6738c52f08ea3u});
}

static void squeezed(void)
{
    check((setting){3, 6000, 18, 8, 0.9, 1, 0.02, 1e-3, 3e-2, 0x1b2887b5cbde00e3u});
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"drop", drop},
                                      {"column", column},
                                      {"disks", disks},
                                      {"mixture", mixture},
                                      {"squeezed", squeezed}};
    return test_main(argc, argv, cases, 5);
}
