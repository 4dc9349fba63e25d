// Sweeps in small packs: the same answers as in doubles, judged by the problem's own rows, and the
// ways back to doubles.
#include "sweep_graph.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_SWEEPS = 20000
};

// The largest residual over stop by the problem's own rows, in plain arithmetic; accuracy 0.
static double worst_of(const thud_projection *p, const double *x)
{
    double worst = 0, *u = malloc((size_t)p->dim * sizeof *u);
    if (!u)
        return INFINITY;
    memcpy(u, p->w, (size_t)p->dim * sizeof *u);
    for (int i = 0; i < p->rows->count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(p->rows, i, &room);
        for (int j = 0; j < row.count * row.width; j++)
        {
            int at = row.index[j / row.width] + j % row.width;
            u[at] += row.slope[j] * x[i] / p->mass[at];
        }
    }
    for (int i = 0; i < p->rows->count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(p->rows, i, &room);
        double shift = row.shift * p->shift_scale, v = (row.gap - shift) / p->h;
        double norm = thudi_row_norm(p, i);
        for (int j = 0; j < row.count * row.width; j++)
            v += row.slope[j] * u[row.index[j / row.width] + j % row.width];
        worst = fmax(worst, fabs(fmin(norm * norm * x[i], v)) / (shift / 2 / p->h));
    }
    free(u);
    return worst;
}

typedef struct scene
{
    sweep_graph graph;
    thud_projection problem;
    thud_rooms rooms;
    thudi_packs packs;
    double *x;
} scene;

// A problem whose stops floats are good enough for, in small packs.
static void begin(scene *s, int bodies, double accuracy)
{
    test_random random = test_random_start(test_seed(31));
    *s = (scene){.x = NULL};
    s->graph = sweep_graph_make(&random, 3, bodies, 0, true);
    s->problem = *sweep_graph_problem(&s->graph, &random);
    s->problem.accuracy = accuracy;
    s->problem.shift_scale = 8;
    int rows = s->problem.rows->count;
    s->x = calloc((size_t)rows, sizeof *s->x);
    CHECK(s->x && sweep_graph_pack(&s->problem, &s->rooms, &s->packs) == THUD_OK);
}

// The same from the problem as it is now.
static void again(scene *s)
{
    thudi_rooms_free(&s->rooms);
    CHECK(sweep_graph_pack(&s->problem, &s->rooms, &s->packs) == THUD_OK);
}

static void end(scene *s)
{
    thudi_rooms_free(&s->rooms);
    sweep_graph_free(&s->graph);
    free(s->x);
}

// Plain sweeps until they are done; returns how many.
static int solve(scene *s)
{
    for (int k = 1; k <= MOST_SWEEPS; k++)
    {
        thudi_sweep seen = thudi_packs_sweep(&s->packs, 0);
        CHECK(thudi_packs_widen_if_needed(&s->problem, &s->packs, &seen) == THUD_OK);
        if (seen.worst <= 1.5 && thudi_packs_evaluate(&s->problem, &s->packs) <= 1)
        {
            thudi_packs_collect(&s->problem, &s->packs, s->x);
            return k;
        }
    }
    return MOST_SWEEPS + 1;
}

// Small packs and others take as many sweeps, and the problem's rows agree that they are done.
static void agree(void)
{
    scene small, full;
    begin(&small, 900, 0);
    begin(&full, 900, 0);
    CHECK(small.packs.is_small && thudi_packs_lost(&small.packs) > 0);
    CHECK(thudi_packs_widen(&full.problem, &full.packs) == THUD_OK);
    CHECK(!full.packs.is_small);
    int sweeps = solve(&small), others = solve(&full);
    printf("  %d sweeps in small packs, %d in others\n", sweeps, others);
    CHECK(small.packs.is_small && small.packs.small_sweeps == sweeps);
    CHECK(others <= MOST_SWEEPS && abs(sweeps - others) <= 3 + others / 20);
    CHECK_AT_MOST(worst_of(&small.problem, small.x), 1);
    CHECK_AT_MOST(worst_of(&full.problem, full.x), 1 + 1e-6);
    end(&small);
    end(&full);
}

// Velocities that sweeps carry along in floats drift, and an evaluation makes them anew.
static void drift(void)
{
    scene s;
    begin(&s, 300, 0);
    for (int k = 0; k < 40; k++)
        (void)thudi_packs_sweep(&s.packs, k % 4 * 0.3);
    const thudi_packs *p = &s.packs;
    size_t numbers = 4 * (size_t)p->bodies;
    float *carried = malloc(numbers * sizeof *carried);
    double apart = 0, largest = 0;
    REQUIRE(carried);
    memcpy(carried, p->small_velocity, numbers * sizeof *carried);
    CHECK(thudi_packs_evaluate(&s.problem, &s.packs) > 1 && p->is_small); // U anew
    for (size_t k = 0; k < numbers; k++)
    {
        apart = fmax(apart, fabs((double)carried[k] - (double)p->small_velocity[k]));
        largest = fmax(largest, fabs((double)p->small_velocity[k]));
    }
    printf("  drift %g of %g\n", apart, largest);
    CHECK(apart > 0);
    CHECK_AT_MOST(apart, 1e-4 * largest);
    memcpy(carried, p->small_velocity, numbers * sizeof *carried);
    thudi_packs_recompute(&s.problem, &s.packs);
    CHECK(memcmp(carried, p->small_velocity, numbers * sizeof *carried) == 0);
    free(carried);
    end(&s);
}

// What an evaluation of small packs says is the largest residual of the problem, with what floats
// may have rounded away on top: never too little.
static void judged(void)
{
    scene s;
    begin(&s, 500, 0);
    for (int k = 0; k < 60; k++)
    {
        thudi_sweep seen = thudi_packs_sweep(&s.packs, k % 5 * 0.2);
        CHECK(thudi_packs_widen_if_needed(&s.problem, &s.packs, &seen) == THUD_OK);
        double told = thudi_packs_evaluate(&s.problem, &s.packs);
        thudi_packs_collect(&s.problem, &s.packs, s.x);
        double worst = worst_of(&s.problem, s.x);
        CHECK(told >= worst);
        CHECK_AT_MOST(told, worst * (1 + 1e-5) + 2 * thudi_packs_lost(&s.packs));
    }
    CHECK(s.packs.is_small);
    end(&s);
}

// Sweeps without end go on in doubles at last: in floats, roundings gather.
static void endless(void)
{
    scene s;
    begin(&s, 100, 0);
    int k = 0;
    for (; k < MOST_SWEEPS && s.packs.is_small; k++)
    {
        thudi_sweep seen = thudi_packs_sweep(&s.packs, 0);
        CHECK(thudi_packs_widen_if_needed(&s.problem, &s.packs, &seen) == THUD_OK);
    }
    printf("  in doubles after %d sweeps\n", k);
    CHECK(k >= 1000 && k < 10000);
    CHECK(solve(&s) == 1);
    end(&s);
}

// A guess that is right comes back as it was, though floats could not hold it.
static void guessed(void)
{
    scene s;
    begin(&s, 300, 0);
    CHECK(thudi_packs_widen(&s.problem, &s.packs) == THUD_OK);
    for (int k = 0; k < 5000; k++) // far beyond the stops
        (void)thudi_packs_sweep(&s.packs, 0);
    thudi_packs_collect(&s.problem, &s.packs, s.graph.warm);
    again(&s);
    CHECK(s.packs.is_small && thudi_packs_evaluate(&s.problem, &s.packs) <= 1);
    thudi_packs_collect(&s.problem, &s.packs, s.x);
    CHECK(memcmp(s.x, s.graph.warm, (size_t)s.packs.rows * sizeof *s.x) == 0);
    end(&s);
}

// Multipliers that outgrow floats go on in doubles, from where they are.
static void outgrown(void)
{
    scene s;
    begin(&s, 300, 0);
    thudi_sweep seen = thudi_packs_sweep(&s.packs, 0);
    CHECK(seen.largest > 0);
    CHECK(thudi_packs_widen_if_needed(&s.problem, &s.packs, &seen) == THUD_OK);
    CHECK(s.packs.is_small);
    thudi_packs_collect(&s.problem, &s.packs, s.x);
    double most = 0, before = worst_of(&s.problem, s.x);
    for (int i = 0; i < s.packs.rows; i++)
        most = fmax(most, s.x[s.packs.placed[i].row] * s.packs.per_impulse / s.packs.scale[i]);
    CHECK_NEAR(seen.largest, most, 1e-12 * most);
    s.packs.lost_by_push *= 1.001 * THUDI_MOST_LOST / (thudi_packs_lost(&s.packs) - s.packs.lost);
    CHECK(thudi_packs_widen_if_needed(&s.problem, &s.packs, &seen) == THUD_OK);
    CHECK(!s.packs.is_small);
    thudi_packs_collect(&s.problem, &s.packs, s.x);
    CHECK(worst_of(&s.problem, s.x) == before);
    CHECK_NEAR(thudi_packs_evaluate(&s.problem, &s.packs), before, 1e-5 * before);
    CHECK(solve(&s) <= MOST_SWEEPS);
    CHECK_AT_MOST(worst_of(&s.problem, s.x), 1 + 1e-6);
    end(&s);
}

// Where the stops are too small beside the numbers, there are no small packs at all.
static void refused(void)
{
    scene s;
    begin(&s, 300, 1e-4);
    CHECK(!s.packs.is_small);
    s.problem.accuracy = 0;
    again(&s);
    CHECK(s.packs.is_small);
    for (int i = 0; i < s.packs.rows; i++)
        s.graph.warm[i] = 1e4; // nor where the first guess is too large
    again(&s);
    CHECK(!s.packs.is_small);
    CHECK(solve(&s) <= MOST_SWEEPS);
    CHECK_AT_MOST(worst_of(&s.problem, s.x), 1 + 1e-6);
    end(&s);
}

// Stops from large to small: small packs are used while what they lose is below a quarter, and what
// they say of the residual is never too little, nor too much by more than that.
static void threshold(void)
{
    int used = 0, left = 0;
    for (int k = 0; k < 20; k++)
    {
        scene s;
        begin(&s, 300, 0);
        s.problem.shift_scale = ldexp(1, 10 - k);
        again(&s);
        bool is_small = s.packs.is_small;
        double lost = thudi_packs_lost(&s.packs), off = 0;
        for (int n = 0; n < 60 && s.packs.is_small; n++)
        {
            thudi_sweep seen = thudi_packs_sweep(&s.packs, 0);
            CHECK(thudi_packs_widen_if_needed(&s.problem, &s.packs, &seen) == THUD_OK);
            double told = thudi_packs_evaluate(&s.problem, &s.packs);
            thudi_packs_collect(&s.problem, &s.packs, s.x);
            double worst = worst_of(&s.problem, s.x);
            CHECK(told >= worst * (1 - 1e-9));
            off = fmax(off, told - worst * (1 + 1e-6));
        }
        printf("  shifts times 2^%d: %s, may lose %g of a stop; off by %g\n", 10 - k,
               is_small ? "small" : "not small", is_small ? lost : NAN, off);
        CHECK(!is_small || lost <= THUDI_MOST_LOST);
        CHECK_AT_MOST(off, 1.5 * THUDI_MOST_LOST);
        used += is_small;
        left += !is_small;
        end(&s);
    }
    CHECK(used >= 4 && left >= 4);
}

// Back to what was kept, without momentum, in small packs too; after `more` sweeps.
static void keep(int more)
{
    scene s;
    int moving = 0;
    begin(&s, 300, 0);
    (void)thudi_packs_sweep(&s.packs, 0);
    thudi_packs_save(&s.packs);
    thudi_packs_collect(&s.problem, &s.packs, s.x);
    double worst = worst_of(&s.problem, s.x);
    for (int k = 0; k < more; k++)
        (void)thudi_packs_sweep(&s.packs, 0.5);
    thudi_packs_restore(&s.problem, &s.packs);
    CHECK(s.packs.is_small);
    thudi_packs_collect(&s.problem, &s.packs, s.x);
    CHECK(worst_of(&s.problem, s.x) == worst);
    CHECK_NEAR(thudi_packs_evaluate(&s.problem, &s.packs), worst, 1e-3 * worst);
    for (int i = 0; i < s.packs.pack_first[s.packs.groups]; i++)
        for (int k = 0; k < THUDI_PACK_WIDTH; k++)
            moving += s.packs.small[i].x[0][k] != s.packs.small[i].x[1][k];
    CHECK(moving == 0);
    end(&s);
}

static void kept(void)
{
    keep(3);
    keep(4);
}

// A large projection in small packs: right, and the same for any number of threads.
static void large(void)
{
    test_random random = test_random_start(9);
    sweep_graph g = sweep_graph_make(&random, 3, 46000, 0, true);
    thud_projection problem = *sweep_graph_problem(&g, &random);
    problem.accuracy = 0;
    problem.shift_scale = 32;
    thud_projector *projector = NULL;
    double *mu = calloc((size_t)g.rows->count, sizeof *mu);
    REQUIRE(mu);
    for (int threads = 1; threads <= 3; threads += 2)
    {
        thud_answer answer;
        omp_set_num_threads(threads);
        CHECK(thud_projector_create(&(thud_projector_def){.method = THUD_METHOD_AGS}, &projector) ==
              THUD_OK);
        CHECK(thud_project(&problem, projector, &answer) == THUD_OK);
        CHECK(answer.certificate.violation == 0);
        double per_row = (double)projector->own_rooms.peak / g.rows->count;
        CHECK_AT_MOST(per_row, 105); // with packs of doubles it would be more than 150
        printf("  %.1f bytes a row\n", per_row);
        if (threads == 1)
            memcpy(mu, answer.mu, (size_t)g.rows->count * sizeof *mu);
        CHECK(memcmp(mu, answer.mu, (size_t)g.rows->count * sizeof *mu) == 0);
        printf("  %d rows, %d sweeps, %d looks\n", g.rows->count, answer.effort.sweeps,
               answer.effort.evaluations);
        thud_projector_destroy(projector);
    }
    CHECK_AT_MOST(worst_of(&problem, mu), 1);
    free(mu);
    sweep_graph_free(&g);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"agree", agree},     {"drift", drift},        {"judged", judged},   {"endless", endless},
        {"guessed", guessed}, {"outgrown", outgrown},  {"refused", refused}, {"kept", kept},
        {"large", large},     {"threshold", threshold}};
    return test_main(argc, argv, cases, 10);
}
