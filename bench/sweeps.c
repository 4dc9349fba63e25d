// Benchmark: sweeps to a tolerance, accelerated Gauss-Seidel against plain Gauss-Seidel and
// accelerated gradient, on projections taken from worlds in four states.
//
//     sweeps [--quick]
//
// The tolerance is eta = (h / r) max_c |min(A_cc mu_c, v_c)|, the worst residual as a fraction of
// the radius. Medians over five orders of the rows, cold. Every state is made by the program from a
// seed; the optimum of its projection, certified by an earlier solve, is stored here and compared.
#include "drop_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>

enum
{
    ORDERS = 5,
    SWEEP_LIMIT = 40000
};
static const double ETAS[] = {1e-3, 1e-5, 1e-8};

// A state of a world to take a projection from: lengths in units of a mean radius, g = 1.
typedef struct scene
{
    const char *name;
    int count;
    double aspect;         // height over width
    double least, largest; // radii
    int steps;             // taken before
    double drag;           // while they are taken
    double optimum;        // 1/2 |u - w|^2 of the projection, known before
} scene;

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(next_random(state) >> 11) * 0x1p-53;
}

// Spheres on a loose lattice above the floor of a box.
static thud_world *make_world(const scene *s)
{
    uint64_t seed = 7;
    double pitch = 2.1 * s->largest;
    int side = (int)ceil(cbrt(s->count / s->aspect));
    double box = side * pitch, low[3] = {0, 0, 0}, high[3] = {box, box, INFINITY};
    thud_world_def def = {
        .h = 0.1, .gravity = {0, 0, -1}, .tol = 1e-3, .tol_a = 3e-2, .drag = s->drag};
    thud_sphere *spheres = calloc((size_t)s->count, sizeof *spheres);
    thud_world *world = NULL;
    for (int i = 0; spheres && i < s->count; i++)
    {
        thud_sphere *b = &spheres[i];
        b->radius = uniform(&seed, s->least, s->largest);
        b->mass = b->radius * b->radius * b->radius;
        int column = i % side, row = i / side % side, layer = i / side / side;
        b->center[0] = (column + 0.5) * pitch + uniform(&seed, -0.04, 0.04);
        b->center[1] = (row + 0.5) * pitch + uniform(&seed, -0.04, 0.04);
        b->center[2] = (layer + 0.6) * pitch + uniform(&seed, -0.04, 0.04);
    }
    if (!spheres || thud_world_create(&def, &world) < 0 ||
        thud_world_add(world, spheres, s->count, NULL) < 0 ||
        thud_world_add_box(world, low, high, NULL) < 0 ||
        thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) < 0)
    {
        thud_world_destroy(world);
        world = NULL;
    }
    free(spheres);
    return world;
}

// The rows of a step in another order, for a tolerance: gap - shift stays, shift / 2 is eta r.
static thud_rows *reorder(const thud_rows *from, double eta, uint64_t seed)
{
    int count = thud_rows_count(from), *order = calloc((size_t)count + 1, sizeof *order);
    thud_rows *to = NULL;
    if (!order || thud_rows_create(thud_rows_dim(from), NULL, &to) < 0)
    {
        free(order);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0 && seed > 0; i--)
    {
        int k = (int)(next_random(&seed) % (uint64_t)(i + 1)), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    for (int i = 0; i < count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(from, order[i], &room);
        row.gap += 2 * eta - row.shift;
        row.shift = 2 * eta;
        thud_rows_push(to, &row);
    }
    free(order);
    return to;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// The median of sweeps over the orders; -1 when one of them did not converge. *optimum: the last.
static int median_sweeps(const thud_projection *problem, const thud_rows *rows, thud_method method,
                         double eta, int orders, double *optimum)
{
    int sweeps[ORDERS], result = 0;
    for (int k = 0; k < orders && result >= 0; k++)
    {
        thud_projection copy = *problem;
        thud_projector_def def = {.method = method, .sweep_limit = SWEEP_LIMIT};
        thud_projector *projector = NULL;
        thud_rows *shuffled = reorder(rows, eta, (uint64_t)k);
        thud_answer answer;
        copy.rows = shuffled;
        thud_status status = shuffled ? thud_projector_create(&def, &projector) : THUD_ERR_MEMORY;
        if (status >= 0)
            status = thud_project(&copy, projector, &answer);
        if (status < 0)
            result = -1;
        else
        {
            sweeps[k] = answer.effort.sweeps;
            *optimum = 0;
            for (int i = 0; i < problem->dim; i++)
                *optimum += 0.5 * problem->mass[i] * (answer.u[i] - problem->w[i]) *
                            (answer.u[i] - problem->w[i]);
        }
        thud_projector_destroy(projector);
        thud_rows_destroy(shuffled);
    }
    if (result < 0)
        return result;
    qsort(sweeps, (size_t)orders, sizeof *sweeps, compare);
    return sweeps[orders / 2];
}

// The three methods on one projection; false when the finest answer is not the stored optimum.
static bool compare_methods(const thud_projection *problem, const thud_rows *rows, int orders,
                            double stored)
{
    static const struct
    {
        const char *name;
        thud_method method;
    } methods[] = {{"AGS", THUD_METHOD_AGS}, {"APGD", THUD_METHOD_APGD}, {"PGS", THUD_METHOD_PGS}};
    double optimum = 0;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    {
        printf("    %-5s", methods[m].name);
        for (size_t e = 0; e < sizeof ETAS / sizeof *ETAS; e++)
        {
            double found = 0;
            // plain Gauss-Seidel is given one order: it is slow and hardly depends on it
            int sweeps = median_sweeps(problem, rows, methods[m].method, ETAS[e],
                                       methods[m].method == THUD_METHOD_PGS ? 1 : orders, &found);
            if (sweeps < 0)
                printf(" >%7d", SWEEP_LIMIT);
            else
                printf("  %7d", sweeps);
            if (methods[m].method == THUD_METHOD_AGS && sweeps >= 0)
                optimum = found;
            fflush(stdout);
        }
        printf("\n");
    }
    bool same = fabs(optimum - stored) <= 1e-6 * stored;
    printf("    optimum 1/2 |u - w|^2 = %.8g, stored %.8g: %s\n", optimum, stored,
           same ? "same" : "DIFFERENT");
    return same;
}

static bool measure(const scene *s, int orders)
{
    thud_world *world = make_world(s);
    thud_work *work = NULL;
    if (!world)
        return false;
    thud_inclusion problem = thud_world_inclusion(world);
    thud_state *state = thud_world_state(world);
    thud_work_def def = thud_world_work(world);
    thud_status status = thud_work_create(&def, &work);
    bool same = false;
    for (int n = 0; n < s->steps && status >= 0; n++)
        status = thud_step(&problem, state, work);
    if (status >= 0)
    {
        const thud_report *report = thud_work_report(work);
        thud_projection projection = {.dim = problem.dim,
                                      .h = state->h,
                                      .mass = problem.mass,
                                      .w = report->w,
                                      .shift_scale = 1};
        int loaded = 0;
        for (int i = 0; i < thud_rows_count(report->rows); i++)
            loaded += report->answer.mu[i] > 0;
        printf("%s: %d spheres, %d rows, %d loaded\n", s->name, s->count,
               thud_rows_count(report->rows), loaded);
        same = compare_methods(&projection, report->rows, orders, s->optimum);
    }
    else
        fprintf(stderr, "sweeps: %s\n", thud_work_message(work));
    thud_work_destroy(work);
    thud_world_destroy(world);
    return status >= 0 && same;
}

int main(int argc, char **argv)
{
    static const scene scenes[] = {
        {"impact", 1000, 1, 0.8, 1.2, 55, 0, 64.430023},
        {"settled", 1000, 1, 0.8, 1.2, 320, 0, 5.2100983},
        {"polydisperse", 5000, 1, 0.2, 1.2, 200, 0.2, 12.86527},
        {"tall", 5000, 30, 0.8, 1.2, 400, 0.2, 145.68434},
    };
    static const scene quick[] = {{"impact", 150, 1, 0.8, 1.2, 30, 0, 1.6839824},
                                  {"settled", 150, 1, 0.8, 1.2, 150, 0, 0.88035554}};
    bool is_quick = argc == 2 && strcmp(argv[1], "--quick") == 0, fine = true;
    if (argc > 1 && !is_quick)
    {
        fprintf(stderr, "usage: sweeps [--quick]\n");
        return 2;
    }
    printf("thud %s: sweeps to eta = 1e-3, 1e-5, 1e-8 of a radius, cold, median of %d orders\n",
           thud_version(), ORDERS);
    for (size_t i = 0; i < (is_quick ? 2 : sizeof scenes / sizeof *scenes); i++)
        fine = measure(is_quick ? &quick[i] : &scenes[i], ORDERS) && fine;
    return !fine;
}
