// Benchmark: work that can be counted, on the drop scene, for comparison with stored counts. The
// counts are the same on every machine; only instructions, which bench/work has callgrind count
// while one case runs, depend on the compiler and the processor.
//
//     counts                  a line "NAME COUNT" for every count of every case
//     counts --case NAME      of this case only
//     counts --where          compiler and processor, as instructions are stored with them
#include "bench_memory.h"
#include "drop_scene.h"

#include <stdio.h>
#include <string.h>
#include <thud/thud.h>

enum
{
    WARM_STEPS = 20 // the last ones, in which no memory should be asked for
};

static const double STEP = 0.005;

typedef struct count_case
{
    const char *name;
    const drop_quality *quality;
    int spheres;
    double box; // 0: a heap of 28 layers, not a drop
    int steps;
    bool only_named;
} count_case;

typedef struct counts
{
    long sweeps, evaluations, projections, rows, warm_asked;
    bench_memory memory;
} counts;

static thud_status take_steps(thud_world *world, thud_work *work, int steps, counts *c)
{
    thud_inclusion problem = thud_world_inclusion(world);
    thud_state *state = thud_world_state(world);
    thud_status status = THUD_OK;
    long asked = 0;
    for (int n = 0; n < steps && status >= 0; n++)
    {
        if (n == steps - WARM_STEPS)
            asked = c->memory.asked;
        status = thud_step(&problem, state, work);
        const thud_report *report = thud_work_report(work);
        c->sweeps += report->effort.sweeps;
        c->evaluations += report->effort.evaluations;
        c->projections += report->rounds;
        c->rows += thud_rows_count(report->rows);
    }
    c->warm_asked = c->memory.asked - asked;
    return status;
}

static void print_counts(const count_case *k, const counts *c)
{
    const struct
    {
        const char *name;
        long value;
    } all[] = {{"sweeps", c->sweeps},
               {"evaluations", c->evaluations},
               {"projections", c->projections},
               {"rows", c->rows},
               {"allocations", c->memory.asked},
               {"allocations-when-warm", c->warm_asked},
               {"bytes-per-sphere", (long)(c->memory.most / (size_t)k->spheres)}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        printf("%s.%s %ld\n", k->name, all[i].name, all[i].value);
}

static bool count(const count_case *k)
{
    counts c = {0};
    thud_allocator allocator = bench_allocator(&c.memory);
    int layers;
    thud_world *world = k->box > 0
                            ? drop_scene_in(k->spheres, k->box, STEP, k->quality, &allocator)
                            : drop_heap(k->spheres, 28, STEP, k->quality, &allocator, &layers);
    thud_work *work = NULL;
    thud_status status = THUD_ERR_MEMORY;
    if (world)
    {
        thud_work_def def = thud_world_work(world);
        def.allocator = def.projector.allocator = &allocator;
        status = thud_work_create(&def, &work);
    }
    if (status >= 0)
        status = take_steps(world, work, k->steps, &c);
    if (status < 0)
        (void)fprintf(stderr, "counts: %s: %s\n", k->name,
                      work ? thud_work_message(work) : "the world could not be made");
    else
        print_counts(k, &c);
    thud_work_destroy(work);
    thud_world_destroy(world);
    return status >= 0;
}

static void print_where(void)
{
#if defined(__clang__)
    printf("clang-%d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    printf("gcc-%d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#if defined(__x86_64__)
    printf(",avx2\n"); // the kernels need no more
#else
    printf(",other\n");
#endif
}

int main(int argc, char **argv)
{
    // The narrow boxes make piles of some layers from few spheres.
    const count_case cases[] = {
        {"drop-preview-1000", &DROP_PREVIEW, 1000, DROP_WIDTH, 100, false},
        {"drop-default-1000", &DROP_DEFAULT, 1000, DROP_WIDTH, 100, false},
        {"column-default-500", &DROP_DEFAULT, 500, 0.1, 100, false},
        {"drop-default-10000", &DROP_DEFAULT, 10000, DROP_WIDTH, 50, false},
        {"heap-preview-100000", &DROP_PREVIEW, 100000, 0, 36, false},
        {"column-preview-200", &DROP_PREVIEW, 200, 0.1, 60, true}, // for callgrind
        {"column-preview-48", &DROP_PREVIEW, 48, 0.1, 30, true},   // for the tests
    };
    const char *named = argc == 3 && strcmp(argv[1], "--case") == 0 ? argv[2] : NULL;
    bool fine = true, found = false;
    if (argc == 2 && strcmp(argv[1], "--where") == 0)
    {
        print_where();
        return 0;
    }
    if (argc > 1 && !named)
    {
        (void)fprintf(stderr, "usage: counts [--case NAME | --where]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (named ? strcmp(named, cases[i].name) == 0 : !cases[i].only_named)
        {
            found = true;
            fine = count(&cases[i]) && fine;
        }
    if (!found)
        (void)fprintf(stderr, "counts: no case is called '%s'\n", named);
    return found && fine ? 0 : 1;
}
