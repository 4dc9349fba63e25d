// Benchmark: what unequal sizes cost. The search for near pairs alone, and steps, of worlds with
// one body that all others touch and with sizes over a wide range, beside equal spheres.
//
//     sizes [--quick] [--count N] [--ratio R] [--steps K] [--default] [--search] [--kind NAME]
//
// --search: the search alone, for counting instructions. Times are ratios to the first line. The
// hollow one takes hundreds of sweeps: with more than 20,001 bodies only if it is asked for.
#include "bench_memory.h"
#include "drop_scene.h"
#include "near/cells.h"
#include "sizes_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>
#include <time.h>

typedef struct options
{
    int count, steps;
    double ratio;
    bool only_search;
    const char *kind; // NULL: all
    drop_quality quality;
} options;

typedef struct result
{
    double ratio;
    double looked, pairs;              // of the search, per body
    double search_cpu, search_bytes;   // per body
    double rows, sweeps, cpu, bytes;   // of the steps, per body and step but for sweeps
    double most_rows;                  // of one body
    double min_gap, violation, rounds; // radii of the smallest
} result;

static double now(void)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The search twice, as memory is made in the first.
static thud_status measure_search(const sizes_scene *scene, result *r)
{
    bench_memory memory = {0};
    thudi_cells cells = {.allocator = bench_allocator(&memory)};
    thud_rooms rooms = {.allocator = cells.allocator};
    size_t count = (size_t)scene->count;
    double *q = calloc(4 * count, sizeof *q), *reach = q + 3 * count, start = 0;
    thud_status status = q ? THUD_OK : THUD_ERR_MEMORY;
    for (size_t i = 0; q && i < count; i++)
    {
        memcpy(q + 3 * i, scene->spheres[i].center, 3 * sizeof *q);
        reach[i] = 1.11 * scene->spheres[i].radius; // as the lists of a calm world
    }
    for (int n = 0; n < 2 && status >= 0; n++)
    {
        start = now();
        status = thudi_cells_find(&cells, &rooms, 3, scene->count, q, reach);
    }
    r->search_cpu = (now() - start) / scene->count;
    r->looked = (double)cells.tested / scene->count;
    r->pairs = (double)cells.pair_count / scene->count;
    r->search_bytes = (double)memory.most / scene->count;
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
    free(q);
    return status;
}

// The most rows that one body is in.
static int crowd(const thud_rows *rows, int bodies)
{
    int *count = calloc((size_t)bodies, sizeof *count), most = 0;
    for (int i = 0; count && i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        for (int k = 0; k < row.count; k++)
        {
            int *own = &count[row.index[k] / 3];
            most = ++*own > most ? *own : most;
        }
    }
    free(count);
    return most;
}

static thud_status take_steps(const options *o, const sizes_scene *scene, thud_world *world,
                              thud_work *work, result *r)
{
    thud_inclusion problem = thud_world_inclusion(world);
    thud_status status = THUD_OK;
    double start = now(), bodies = scene->count;
    r->min_gap = INFINITY;
    for (int n = 0; n < o->steps && status >= 0; n++)
    {
        status = thud_step(&problem, thud_world_state(world), work);
        const thud_report *report = thud_work_report(work);
        if (status < 0)
            break;
        r->rows += thud_rows_count(report->rows) / bodies / o->steps;
        r->sweeps += (double)report->effort.sweeps / o->steps;
        r->rounds += (double)report->rounds / o->steps;
        r->min_gap = fmin(r->min_gap, report->min_gap / scene->smallest);
        r->violation = fmax(r->violation, report->answer.certificate.violation / scene->smallest);
    }
    r->cpu = (now() - start) / bodies / o->steps;
    if (status >= 0)
        r->most_rows = crowd(thud_work_report(work)->rows, scene->count);
    return status;
}

static bool measure(const options *o, sizes_kind kind, result *r)
{
    bench_memory memory = {0};
    thud_allocator allocator = bench_allocator(&memory);
    sizes_scene scene = {0};
    thud_work *work = NULL;
    thud_world *world = NULL;
    thud_status status = THUD_ERR_MEMORY;
    *r = (result){0};
    if (sizes_make(kind, o->count, o->ratio, &scene))
        status = measure_search(&scene, r);
    r->ratio = scene.largest / scene.smallest;
    if (status >= 0 && !o->only_search)
    {
        world = sizes_world(&scene, o->quality.tol, o->quality.tol_a, &allocator);
        status = world ? THUD_OK : THUD_ERR_ARGUMENT;
        thud_work_def def = {0};
        if (world)
            def = thud_world_work(world);
        def.allocator = def.projector.allocator = &allocator;
        if (world)
            status = thud_work_create(&def, &work);
        if (status >= 0)
            status = take_steps(o, &scene, world, work, r);
    }
    if (status < 0)
        (void)fprintf(stderr, "sizes: %s: %s\n", sizes_name(kind),
                      work ? thud_work_message(work) : "the world could not be made");
    r->bytes = (double)memory.most / o->count;
    thud_work_destroy(work);
    thud_world_destroy(world);
    sizes_free(&scene);
    return status >= 0;
}

static void print_header(const options *o)
{
    printf("thud %s: %d spheres, %d steps at %s\n", thud_version(), o->count, o->steps,
           o->quality.name);
    printf("%-8s %6s | %7s %6s %6s %6s | %6s %8s %6s %6s %6s %6s %9s %8s\n", "", "size", "looked",
           "pairs/", "bytes/", "time,", "rows/", "most of", "sweeps", "rounds", "bytes/", "time,",
           "least gap", "violated");
    printf("%-8s %6s | %7s %6s %6s %6s | %6s %8s %6s %6s %6s %6s %9s %8s\n", "", "ratio", "/pair",
           "body", "body", "even=1", "body", "a body", "/step", "/step", "body", "even=1", "radii",
           "radii");
}

static void print_result(sizes_kind kind, const result *r, const result *even)
{
    printf("%-8s %6.0f | %7.2f %6.2f %6.0f %6.2f | %6.2f %8.0f %6.1f %6.1f %6.0f %6.2f %9.1e "
           "%8.1e\n",
           sizes_name(kind), r->ratio, r->looked / r->pairs, r->pairs, r->search_bytes,
           r->search_cpu / even->search_cpu, r->rows, r->most_rows, r->sweeps, r->rounds, r->bytes,
           r->cpu / even->cpu, r->min_gap, r->violation);
    (void)fflush(stdout);
}

static bool parse(int argc, char **argv, options *o)
{
    *o = (options){.count = 100001, .steps = 5, .ratio = 1e4, .quality = DROP_PREVIEW};
    for (int i = 1; i < argc; i++)
    {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--quick") == 0)
            o->count = 2001;
        else if (strcmp(argv[i], "--default") == 0)
            o->quality = DROP_DEFAULT;
        else if (strcmp(argv[i], "--search") == 0)
            o->only_search = true;
        else if (more && strcmp(argv[i], "--kind") == 0)
            o->kind = argv[++i];
        else if (more && strcmp(argv[i], "--count") == 0)
            o->count = (int)strtod(argv[++i], NULL);
        else if (more && strcmp(argv[i], "--steps") == 0)
            o->steps = (int)strtod(argv[++i], NULL);
        else if (more && strcmp(argv[i], "--ratio") == 0)
            o->ratio = strtod(argv[++i], NULL);
        else
            return false;
    }
    return o->count >= 10 && o->steps > 0 && o->ratio >= 10 && o->ratio <= 1e6;
}

int main(int argc, char **argv)
{
    options o;
    result r, even = {0};
    bool fine = true;
    if (!parse(argc, argv, &o))
    {
        (void)fprintf(stderr, "usage: sizes [--quick] [--count N] [--ratio R] [--steps K] "
                              "[--default] [--search] [--kind NAME]\n");
        return 2;
    }
    print_header(&o);
    for (sizes_kind kind = SIZES_EVEN; kind < SIZES_KINDS && fine; kind++)
    {
        if (o.kind ? strcmp(o.kind, sizes_name(kind)) != 0
                   : kind == SIZES_HOLLOW && o.count > 20001)
            continue;
        fine = measure(&o, kind, &r);
        if (even.search_cpu == 0)
            even = r;
        if (fine)
            print_result(kind, &r, &even);
    }
    return !fine;
}
