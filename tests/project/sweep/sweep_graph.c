// Random projections with pair rows, for the tests of sweeps.
#include "sweep_graph.h"

#include <stdlib.h>

static double *numbers(int count)
{
    return calloc((size_t)count, sizeof(double));
}

void sweep_graph_push(sweep_graph *g, test_random *random, int a, int b)
{
    double slope[6], sum = 0;
    int index[2] = {g->width * (a >= 0 ? a : b), g->width * b}, width = g->width;
    double *normal = a >= 0 ? slope + width : slope;
    for (int k = 0; k < width; k++)
    {
        normal[k] = test_random_normal(random);
        sum += normal[k] * normal[k];
    }
    for (int k = 0; k < width; k++)
    {
        normal[k] /= sqrt(sum);
        if (a >= 0)
            slope[k] = -normal[k];
    }
    thud_row row = {.key = thud_key_pair(a + 1, b, 0),
                    .gap = test_random_uniform(random, 0, 1e-3),
                    .shift = test_random_uniform(random, 1e-6, 3e-6),
                    .width = width,
                    .count = a >= 0 ? 2 : 1,
                    .index = index,
                    .slope = slope};
    CHECK(thud_rows_push(g->rows, &row) == THUD_OK);
}

static void fill_bodies(sweep_graph *g, test_random *random, int side)
{
    for (int i = 0; i < g->bodies; i++)
    {
        double mass = test_random_uniform(random, 0.5, 4);
        int place[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < g->width && k < 3; k++)
        {
            int at = g->width * i + k;
            g->mass[at] = mass;
            g->w[at] = test_random_normal(random);
            g->q[at] = place[k] + test_random_uniform(random, -0.2, 0.2);
            g->force[at] = k == g->width - 1 ? -mass : 0;
        }
    }
}

sweep_graph sweep_graph_make(test_random *random, int width, int bodies, int star, bool walls)
{
    sweep_graph g = {.width = width, .bodies = bodies};
    int dim = width * bodies, side = 1;
    while ((width == 3 ? side * side : side) * side < bodies)
        side++;
    g.bricks.side = SWEEP_GRAPH_BRICK_SIDE;
    g.mass = numbers(dim);
    g.w = numbers(dim);
    g.q = numbers(dim);
    g.force = numbers(dim);
    CHECK(g.mass && g.w && g.q && g.force && thud_rows_create(dim, NULL, &g.rows) == THUD_OK);
    fill_bodies(&g, random, side);
    for (int i = 0; i < bodies; i++)
    {
        int steps[3] = {1, side, side * side};
        for (int k = 0; k < width && k < 3; k++)
            if (i + steps[k] < bodies)
                sweep_graph_push(&g, random, i, i + steps[k]);
        if (walls && i % 10 == 0)
            sweep_graph_push(&g, random, -1, i);
    }
    for (int i = 0; i < star; i++)
        sweep_graph_push(&g, random, 0, bodies - 1 - i);
    thud_rows_sort(g.rows);
    return g;
}

const thud_projection *sweep_graph_problem(sweep_graph *g, test_random *random)
{
    free(g->warm);
    g->warm = numbers(g->rows->count + 1);
    for (int i = 0; g->warm && i < g->rows->count; i++)
        g->warm[i] = test_random_uniform(random, -0.5, 1);
    g->problem = (thud_projection){.dim = g->width * g->bodies,
                                   .h = 1e-2,
                                   .mass = g->mass,
                                   .w = g->w,
                                   .rows = g->rows,
                                   .origin = g->q,
                                   .bricks = &g->bricks,
                                   .warm = g->warm,
                                   .accuracy = 1e-3,
                                   .force = g->force,
                                   .shift_scale = 1};
    return &g->problem;
}

void sweep_graph_free(sweep_graph *g)
{
    free(g->mass);
    free(g->w);
    free(g->q);
    free(g->force);
    free(g->warm);
    thud_rows_destroy(g->rows);
}

thud_status sweep_graph_open(const thud_projection *problem, const thud_allocator *allocator,
                             thud_rooms *rooms, thudi_packing *packing)
{
    thud_allocator own = thudi_allocator_or_default(allocator);
    *packing = (thudi_packing){.problem = problem,
                               .count = problem->rows->count,
                               .rooms = rooms,
                               .brick_limit = SWEEP_GRAPH_BRICK_LIMIT};
    thudi_rooms_begin(rooms, &own);
    thudi_rooms_enter(rooms);
    THUD_TRY(thudi_room(rooms, &packing->marks, (size_t)problem->dim, "marks"));
    for (int k = 0; k < problem->dim; k++)
        packing->marks[k] = -1;
    return THUD_OK;
}

void sweep_graph_check_marks(const thudi_packing *packing)
{
    for (int k = 0; k < packing->problem->dim; k++)
        CHECK(packing->marks[k] == -1);
}

thud_status sweep_graph_pack(const thud_projection *problem, thud_rooms *rooms, thudi_packs *packs)
{
    thudi_packing packing;
    THUD_TRY(sweep_graph_open(problem, NULL, rooms, &packing));
    thud_status status = thudi_packs_begin(&packing, packs);
    sweep_graph_check_marks(&packing);
    return status;
}
