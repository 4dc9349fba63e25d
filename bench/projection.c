// Time and work of the projection against the number of coordinates and rows, cold and warm.
//
// Usage: projection [--quick]
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// One line of the table.
typedef struct sample
{
    const char *name;
    int size, rows; ///< coordinates and rows, or what the scene is made of
    bool is_quick;
} sample;

static const sample samples[] = {
    {"random", 10, 30, true},       {"random", 30, 90, true},      {"random", 100, 300, true},
    {"random", 300, 900, true},     {"random", 300, 3000, true},   {"random", 1000, 3000, false},
    {"random", 1000, 10000, false}, {"random", 2000, 6000, false}, {"random", 2000, 10000, false},
    {"chain", 10, 0, true},         {"chain", 100, 0, true},       {"chain", 300, 0, true},
    {"chain", 1000, 0, false},      {"chain", 2000, 0, false},     {"spheres", 10, 0, true},
    {"spheres", 30, 0, true},       {"spheres", 100, 0, true},     {"spheres", 200, 0, false},
    {"spheres", 333, 0, false},     {"spheres", 666, 0, false},    {"spheres", 666, 1, false},
    {"jammed", 100, 0, true},       {"jammed", 333, 0, false},     {"crystal", 4, 0, true},
    {"crystal", 7, 0, false},       {"boxes", 25, 0, true},        {"boxes", 100, 0, false},
};

static scene *build(const sample *s)
{
    if (strcmp(s->name, "random") == 0)
        return scene_random(s->size, s->rows, s->size < 20 ? s->size : 20, 1);
    if (strcmp(s->name, "chain") == 0)
        return scene_chain(s->size, 1);
    if (strcmp(s->name, "spheres") == 0)
        return scene_spheres(s->size, s->rows ? 1.6 : .2, 1, 1);
    if (strcmp(s->name, "jammed") == 0)
        return scene_spheres(s->size, .1, 0, 1);
    if (strcmp(s->name, "crystal") == 0)
        return scene_crystal(s->size, 1);
    return scene_boxes(s->size / 5, 5, 1);
}

// Processor time: what else the machine does must not count.
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what)
{
    printf("failed: %s\n", what);
    exit(1);
}

// The least time of several runs, as many as fit into a fifth of a second.
static double solve(const scene *s, const double *warm, thud_projector *projector,
                    thud_answer *answer)
{
    thud_projection projection = scene_projection(s, warm);
    double best = INFINITY, start = now();
    for (int run = 0; run < 100 && (run == 0 || now() - start < .2); run++)
    {
        double before = now();
        thud_status status = thud_project(&projection, projector, answer);
        best = fmin(best, now() - before);
        if (status != THUD_OK)
            fail(thud_status_name(status));
    }
    return best;
}

static int count_loaded(const thud_answer *answer, int rows)
{
    int loaded = 0;
    for (int i = 0; i < rows; i++)
        loaded += answer->mu[i] > 0;
    return loaded;
}

// Cold; then the prediction changes by some percent, as from step to step, and the old
// multipliers are the first guess.
static void measure(const sample *which)
{
    scene *s = build(which);
    int rows = thud_rows_count(s->rows);
    double *warm = calloc((size_t)rows + 1, sizeof *warm);
    thud_projector *projector = NULL;
    thud_answer answer;
    if (!warm || thud_projector_create(NULL, &projector) != THUD_OK)
        fail("memory");
    double cold = solve(s, NULL, projector, &answer);
    printf("%-8s %5d %6d %6d | %9.3f %6d %6d %3d %8.1e |", which->name, s->dim, rows,
           count_loaded(&answer, rows), 1e3 * cold, answer.effort.added, answer.effort.dropped,
           answer.effort.polished, answer.certificate.kkt);
    memcpy(warm, answer.mu, (size_t)rows * sizeof *warm);
    for (int k = 0; k < s->dim; k++)
        s->w[k] *= 1 + .02 * sin(k);
    double again = solve(s, warm, projector, &answer);
    printf(" %9.3f %6d %6d %6d %3d %8.1e\n", 1e3 * again, answer.effort.warmed, answer.effort.added,
           answer.effort.dropped, answer.effort.polished, answer.certificate.kkt);
    thud_projector_destroy(projector);
    free(warm);
    scene_destroy(s);
}

int main(int argc, char **argv)
{
    bool is_quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !is_quick)
    {
        printf("usage: projection [--quick]\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("Thud %s, compiled by %s: projections, one thread, processor time\n", thud_version(),
           __VERSION__);
    printf("cold from nothing; warm from the multipliers before w changed by 2 percent\n");
    printf("%-8s %5s %6s %6s | %9s %6s %6s %3s %8s | %9s %6s %6s %6s %3s %8s\n", "scene", "d", "p",
           "loaded", "cold ms", "added", "dropped", "pol", "kkt", "warm ms", "warmed", "added",
           "dropped", "pol", "kkt");
    for (size_t j = 0; j < sizeof samples / sizeof *samples; j++)
        if (!is_quick || samples[j].is_quick)
            measure(&samples[j]);
    return 0;
}
