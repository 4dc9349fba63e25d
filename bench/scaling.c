// Benchmark: work, time and memory per step against the number of spheres, and what is proved of
// the steps, at preview.
//
//     scaling [--quick] [--max N] [--steps K] [--layers L] [--json FILE]
//
// Spheres on a loose jittered lattice that stands on the floor of a box and falls together: 100,
// 1,000 and so on up to N (default 100,000, at most 10,000,000). The heap is as high as it is
// wide, so that its depth grows with it, or has L layers. The
// exponent is fitted to all sizes.
#include "bench_memory.h"
#include "drop_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <thud/thud.h>
#include <time.h>

enum
{
    MOST_SIZES = 6 // 100 to 10,000,000
};

static const double STEP = 0.005;

typedef struct options
{
    bool quick;
    int most, steps, layers;
    const char *json;
} options;

// What the steps of one size took, and the worst of what is proved of them.
typedef struct result
{
    int count, steps, layers, resolved;
    double rows, sweeps; // per step; sweeps of its last projection, over all clusters
    int most_rows;       // of a step
    long most_sweeps;
    double cpu, wall;                    // seconds per step
    double bytes, resident;              // most, by our allocator; of the process so far
    double min_gap, violation, backward; // over the radius
    double forward;                      // rms error of velocities over gravity times the step
} result;

static double now(clockid_t clock)
{
    struct timespec t = {0, 0};
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double resident_bytes(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? 1024.0 * (double)used.ru_maxrss : NAN;
}

static void add_step(result *r, const thud_report *report)
{
    const thud_certificate *certificate = &report->answer.certificate;
    r->steps++;
    r->resolved += report->rounds > 1;
    r->rows += thud_rows_count(report->rows);
    if (thud_rows_count(report->rows) > r->most_rows)
        r->most_rows = thud_rows_count(report->rows);
    r->sweeps += report->effort.sweeps;
    if (report->effort.sweeps > r->most_sweeps)
        r->most_sweeps = report->effort.sweeps;
    r->min_gap = fmin(r->min_gap, report->min_gap / DROP_RADIUS);
    r->violation = fmax(r->violation, certificate->violation / DROP_RADIUS);
    r->backward = fmax(r->backward, certificate->backward / DROP_RADIUS);
    r->forward = fmax(r->forward,
                      certificate->forward / sqrt(r->count * drop_mass()) / (DROP_GRAVITY * STEP));
}

static thud_status take_steps(thud_world *world, thud_work *work, int steps, result *r)
{
    thud_inclusion problem = thud_world_inclusion(world);
    thud_status status = THUD_OK;
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    for (int n = 0; n < steps && status >= 0; n++)
    {
        status = thud_step(&problem, thud_world_state(world), work);
        if (status >= 0)
            add_step(r, thud_work_report(work));
    }
    r->cpu = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / steps;
    r->wall = (now(CLOCK_MONOTONIC) - wall) / steps;
    r->rows /= steps;
    r->sweeps /= steps;
    return status;
}

static bool measure(const options *o, int count, result *r)
{
    bench_memory memory = {0};
    thud_allocator allocator = bench_allocator(&memory);
    thud_work *work = NULL;
    thud_status status = THUD_ERR_MEMORY;
    *r = (result){.count = count, .min_gap = INFINITY};
    thud_world *world = drop_heap(count, o->layers, STEP, &DROP_PREVIEW, &allocator, &r->layers);
    if (world)
    {
        thud_work_def def = thud_world_work(world);
        def.allocator = def.projector.allocator = &allocator;
        status = thud_work_create(&def, &work);
    }
    if (status >= 0)
        status = take_steps(world, work, o->steps, r);
    if (status < 0)
        (void)fprintf(stderr, "scaling: N = %d: %s\n", count,
                      work ? thud_work_message(work) : "the world could not be made");
    thud_work_destroy(work);
    thud_world_destroy(world);
    r->bytes = (double)memory.most;
    r->resident = resident_bytes();
    return status >= 0;
}

static void print_header(const options *o)
{
    printf("thud %s: %d steps at preview, h = 5 ms, of heaps ", thud_version(), o->steps);
    if (o->layers > 0)
        printf("of %d layers\n", o->layers);
    else
        printf("as high as wide\n");
    printf("sweeps: of all projections of a step; gap, violation, backward bound: worst, in "
           "radii; forward bound: rms velocity over g h\n");
    printf("%8s %6s %6s %5s %6s %5s %-6s %8s %8s %7s %6s %8s %9s %8s %8s\n", "", "", "rows/", "",
           "sweeps", "", "solved", "cpu ms/", "wall ms/", "bytes/", "peak", "least", "viola-",
           "back-", "");
    printf("%8s %6s %6s %5s %6s %5s %-6s %8s %8s %7s %6s %8s %9s %8s %8s\n", "N", "layers",
           "sphere", "most", "/step", "most", "again", "step", "step", "sphere", "MiB", "gap",
           "tion", "ward", "forward");
}

static void print_result(const result *r)
{
    printf("%8d %6d %6.2f %5.2f %6.1f %5ld %3d/%-2d %8.4g %8.4g %7.0f %6.0f %8.1e %9.1e %8.1e "
           "%8.1e\n",
           r->count, r->layers, r->rows / r->count, (double)r->most_rows / r->count, r->sweeps,
           r->most_sweeps, r->resolved, r->steps, 1e3 * r->cpu, 1e3 * r->wall, r->bytes / r->count,
           r->resident / 1048576, r->min_gap, r->violation, r->backward, r->forward);
    (void)fflush(stdout);
}

// The slope of log(processor time) over log(N) by least squares.
static double exponent(const result *results, int count)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++)
    {
        double lx = log(results[i].count), ly = log(results[i].cpu);
        n++;
        sx += lx;
        sy += ly;
        sxx += lx * lx;
        sxy += lx * ly;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static bool write_json(const char *path, const options *o, const result *results, int count)
{
    FILE *file = fopen(path, "w");
    if (!file)
    {
        perror(path);
        return false;
    }
    (void)fprintf(file, "{\"version\": \"%s\", \"steps\": %d, \"layers\": %d, \"sizes\": [",
                  thud_version(), o->steps, o->layers);
    for (int i = 0; i < count; i++)
    {
        const result *r = &results[i];
        (void)fprintf(file,
                      "%s\n  {\"spheres\": %d, \"layers\": %d, \"rows\": %.9g, \"most_rows\": %d, "
                      "\"sweeps\": %.9g, "
                      "\"most_sweeps\": %ld, \"resolved\": %d, \"cpu\": %.6g, "
                      "\"wall\": %.6g, \"bytes\": %.0f, \"resident\": %.0f, \"min_gap\": %.6g, "
                      "\"violation\": %.6g, \"backward\": %.6g, \"forward\": %.6g}",
                      i > 0 ? "," : "", r->count, r->layers, r->rows, r->most_rows, r->sweeps,
                      r->most_sweeps, r->resolved, r->cpu, r->wall, r->bytes, r->resident,
                      r->min_gap, r->violation, r->backward, r->forward);
    }
    (void)fprintf(file, "]");
    if (count > 1)
        (void)fprintf(file, ", \"exponent\": %.4g", exponent(results, count));
    (void)fprintf(file, "}\n");
    return fclose(file) == 0;
}

static bool parse(int argc, char **argv, options *o)
{
    *o = (options){.most = 100000, .steps = 50};
    for (int i = 1; i < argc; i++)
    {
        const struct
        {
            const char *name;
            int *number;
        } all[] = {{"--max", &o->most}, {"--steps", &o->steps}, {"--layers", &o->layers}};
        int *number = NULL;
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (strcmp(argv[i], all[k].name) == 0)
                number = all[k].number;
        if (strcmp(argv[i], "--quick") == 0)
            o->most = 1000;
        else if (i + 1 < argc && number)
            *number = (int)strtod(argv[++i], NULL);
        else if (i + 1 < argc && strcmp(argv[i], "--json") == 0)
            o->json = argv[++i];
        else
            return false;
    }
    return o->most >= 100 && o->most <= 10000000 && o->steps > 0 && o->layers >= 0;
}

int main(int argc, char **argv)
{
    options o;
    result results[MOST_SIZES];
    int count = 0;
    bool fine = true;
    if (!parse(argc, argv, &o))
    {
        (void)fprintf(stderr, "usage: scaling [--quick] [--max N] [--steps K] [--layers L] "
                              "[--json FILE]\n");
        return 2;
    }
    print_header(&o);
    for (int n = 100; n <= o.most && count < MOST_SIZES && fine; n *= 10)
    {
        fine = measure(&o, n, &results[count]);
        if (fine)
            print_result(&results[count++]);
    }
    if (count > 1)
        printf("fitted: cpu ~ N^%.2f\n", exponent(results, count));
    return !(fine && (!o.json || write_json(o.json, &o, results, count)));
}
