// The same projection by packs and by rows of any shape; units, extremes, and rows that only look
// like pairs.
#include "sweep_graph.h"

#include <stdlib.h>
#include <string.h>

static thud_status project(const thud_projection *problem, thud_projector *projector,
                           thud_answer *answer)
{
    thud_status status = thud_project(problem, projector, answer);
    CHECK(status == THUD_OK);
    CHECK(answer->certificate.violation == 0);
    return status;
}

static thud_projector *make_projector(void)
{
    thud_projector *projector = NULL;
    CHECK(thud_projector_create(&(thud_projector_def){.method = THUD_METHOD_AGS}, &projector) ==
          THUD_OK);
    return projector;
}

// The same rows, coordinate by coordinate.
static thud_rows *as_general(const thud_rows *rows, int dim)
{
    thud_rows *general = NULL;
    CHECK(thud_rows_create(dim, NULL, &general) == THUD_OK);
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        int index[6], width = row.width;
        for (int j = 0; j < row.count * width; j++)
            index[j] = row.index[j / width] + j % width;
        row.count *= width;
        row.width = 0;
        row.index = index;
        CHECK(thud_rows_push(general, &row) == THUD_OK);
    }
    return general;
}

static double distance(const thud_projection *p, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < p->dim; k++)
        sum += p->mass[k] * (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static void compare(sweep_graph *g, test_random *random)
{
    thud_projection problem = *sweep_graph_problem(g, random), other = problem;
    thud_projector *first = make_projector(), *second = make_projector();
    thud_rows *general = as_general(g->rows, problem.dim);
    thud_answer packed, plain;
    other.rows = general;
    project(&problem, first, &packed);
    project(&other, second, &plain);
    // both are within their bounds of the same point
    CHECK_AT_MOST(distance(&problem, packed.u, plain.u),
                  packed.certificate.forward + plain.certificate.forward);
    printf("  %d rows: %d sweeps in packs, %d by rows\n", g->rows->count, packed.effort.sweeps,
           plain.effort.sweeps);
    CHECK(packed.effort.sweeps > 0 && packed.effort.sweeps < 3 * plain.effort.sweeps + 50);
    thud_rows_destroy(general);
    thud_projector_destroy(first);
    thud_projector_destroy(second);
}

static void packs_and_rows(void)
{
    test_random random = test_random_begin(11);
    for (int trial = 0; trial < 8; trial++)
    {
        sweep_graph g = sweep_graph_make(&random, 2 + trial % 2, trial == 7 ? 5000 : 300 + trial,
                                         trial == 3 ? 100 : 0, trial % 2 == 0);
        compare(&g, &random);
        sweep_graph_free(&g);
    }
}

// Other units, by powers of two, change no bit.
static void units(void)
{
    test_random random = test_random_start(5);
    sweep_graph g = sweep_graph_make(&random, 3, 400, 0, true);
    thud_projection problem = *sweep_graph_problem(&g, &random);
    thud_projector *projector = make_projector();
    thud_answer answer;
    project(&problem, projector, &answer);
    size_t size = (size_t)problem.dim * sizeof(double);
    double *u = malloc(size);
    REQUIRE(u);
    memcpy(u, answer.u, size);
    int sweeps = answer.effort.sweeps;
    for (int k = 0; k < problem.dim; k++)
    {
        g.mass[k] = ldexp(g.mass[k], 90); // more than a float can hold beside the first ones
        g.force[k] = ldexp(g.force[k], 90);
    }
    for (int i = 0; i < g.rows->count; i++)
        g.warm[i] = ldexp(g.warm[i], 90);
    project(&problem, projector, &answer);
    CHECK(memcmp(u, answer.u, size) == 0 && answer.effort.sweeps == sweeps);
    free(u);
    thud_projector_destroy(projector);
    sweep_graph_free(&g);
}

// Masses too far apart for the floats of a pack: solved all the same, by rows.
static void far_apart(void)
{
    test_random random = test_random_start(6);
    sweep_graph g = sweep_graph_make(&random, 3, 60, 0, true);
    for (int k = 0; k < 3; k++)
    {
        g.mass[k] = 0x1p70;
        g.force[k] = -0x1p70;
    }
    thud_rooms rooms = {0};
    thudi_packs packs = {0};
    const thud_projection *problem = sweep_graph_problem(&g, &random);
    CHECK(sweep_graph_pack(problem, &rooms, &packs) == THUD_NEWS);
    thudi_rooms_free(&rooms);
    thud_projector *projector = make_projector();
    thud_answer answer;
    memset(g.warm, 0, (size_t)g.rows->count * sizeof *g.warm);
    project(problem, projector, &answer);
    CHECK(answer.effort.sweeps > 0);
    thud_projector_destroy(projector);
    sweep_graph_free(&g);
}

// Blocks that overlap are no bodies.
static void shared_coordinates(void)
{
    test_random random = test_random_start(8);
    sweep_graph g = sweep_graph_make(&random, 3, 60, 0, true);
    double slope[3] = {0, 0, 1};
    int index[1] = {4};
    for (int k = 0; k < 9; k++) // one mass for the two bodies that this row touches
        g.mass[k] = 1;
    CHECK(thud_rows_push(g.rows, &(thud_row){.key = THUD_NO_KEY,
                                             .gap = 0.1,
                                             .shift = 1e-5,
                                             .width = 3,
                                             .count = 1,
                                             .index = index,
                                             .slope = slope}) == THUD_OK);
    thud_rooms rooms = {0};
    thudi_packs packs = {0};
    const thud_projection *problem = sweep_graph_problem(&g, &random);
    CHECK(sweep_graph_pack(problem, &rooms, &packs) == THUD_NEWS);
    thudi_rooms_free(&rooms);
    compare(&g, &random);
    sweep_graph_free(&g);
}

// Velocities that overflow in the units of the packs: whatever it says, it must not be done while
// bodies approach each other by 1e100.
static void overflow(void)
{
    test_random random = test_random_start(9);
    sweep_graph g = sweep_graph_make(&random, 3, 60, 0, false);
    thud_projection problem = *sweep_graph_problem(&g, &random);
    thud_answer answer;
    problem.accuracy = 0;
    problem.warm = NULL;
    for (int k = 0; k < problem.dim; k++)
        g.w[k] = 1e100 * (9 + g.w[k]);
    for (int exponent = -300; exponent <= -200; exponent += 10)
    {
        thud_projector *projector = NULL;
        thud_projector_def def = {.method = THUD_METHOD_AGS, .sweep_limit = 50};
        CHECK(thud_projector_create(&def, &projector) == THUD_OK);
        for (int i = 0; i < g.rows->count; i++)
            g.rows->heads.items[i].shift = pow(10, exponent);
        thud_status status = thud_project(&problem, projector, &answer);
        CHECK(status != THUD_OK || answer.certificate.violation_ulps < 1e6);
        thud_projector_destroy(projector);
    }
    sweep_graph_free(&g);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"packs-and-rows", packs_and_rows},
                                      {"units", units},
                                      {"far-apart", far_apart},
                                      {"shared-coordinates", shared_coordinates},
                                      {"overflow", overflow}};
    return test_main(argc, argv, cases, 5);
}
