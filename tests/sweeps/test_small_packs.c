// Sweeps in small packs: the same answers as in doubles, judged by the exact rows, and the ways
// back to doubles.
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
        thud_row row = thud_rows_get(p->rows, i);
        for (int j = 0; j < row.count * row.width; j++)
        {
            int at = row.index[j / row.width] + j % row.width;
            u[at] += row.slope[j] * x[i] / p->mass[at];
        }
    }
    for (int i = 0; i < p->rows->count; i++)
    {
        thud_row row = thud_rows_get(p->rows, i);
        double v = (row.gap - row.shift) / p->h, norm = thudi_row_norm(p, i);
        for (int j = 0; j < row.count * row.width; j++)
            v += row.slope[j] * u[row.index[j / row.width] + j % row.width];
        worst = fmax(worst, fabs(fmin(norm * norm * x[i], v)) / (row.shift / 2 / p->h));
    }
    free(u);
    return worst;
}

typedef struct scene
{
    sweep_graph graph;
    thud_projection problem;
    thud_allocator allocator;
    thudi_packs packs;
    double *x;
} scene;

// A problem whose stops floats are good enough for, in small packs.
static scene begin(int bodies, double accuracy)
{
    test_random random = test_random_start(test_seed(31));
    scene s = {.allocator = thudi_allocator_or_default(NULL)};
    s.graph = sweep_graph_make(&random, 3, bodies, 0, true);
    s.problem = *sweep_graph_problem(&s.graph, &random);
    s.problem.accuracy = accuracy;
    int rows = s.problem.rows->count;
    s.x = calloc((size_t)rows, sizeof *s.x);
    CHECK(s.x && thudi_packs_begin(&s.problem, NULL, rows, &s.allocator, &s.packs) == THUD_OK);
    CHECK(!s.packs.is_small); // so few rows are none the faster for it
    CHECK(thudi_packs_narrow(&s.problem, &s.allocator, &s.packs) == THUD_OK);
    return s;
}

static void end(scene *s)
{
    thudi_packs_free(&s->packs, &s->allocator);
    sweep_graph_free(&s->graph);
    free(s->x);
}

// Plain sweeps until they are done; returns how many.
static int solve(scene *s)
{
    for (int k = 1; k <= MOST_SWEEPS; k++)
    {
        thudi_sweep seen = thudi_packs_sweep(&s->packs, 0);
        thudi_packs_watch(&s->problem, &s->packs, &seen);
        if (seen.worst <= 1.5 && thudi_packs_evaluate(&s->problem, &s->packs) <= 1)
        {
            thudi_packs_collect(&s->problem, &s->packs, NULL, s->x);
            return k;
        }
    }
    return MOST_SWEEPS + 1;
}

// Small packs and others take as many sweeps, and the exact rows agree that they are done.
static void agree(void)
{
    scene small = begin(900, 0), full = begin(900, 0);
    CHECK(small.packs.is_small);
    full.packs.is_small = false;
    int sweeps = solve(&small), others = solve(&full);
    printf("  %d sweeps in small packs, %d in others\n", sweeps, others);
    CHECK(others <= MOST_SWEEPS && abs(sweeps - others) <= 1 + others / 50);
    CHECK_AT_MOST(worst_of(&small.problem, small.x), 1 + 1e-6);
    CHECK_AT_MOST(worst_of(&full.problem, full.x), 1 + 1e-6);
    end(&small);
    end(&full);
}

// What small packs hold is rounded, and velocities keep to it.
static void rounded(void)
{
    scene s = begin(300, 0);
    for (int k = 0; k < 40; k++)
        (void)thudi_packs_sweep(&s.packs, k % 4 * 0.3);
    const thudi_packs *p = &s.packs;
    size_t numbers = 4 * (size_t)p->bodies;
    double *carried = malloc(numbers * sizeof *carried), apart = 0, largest = 0;
    REQUIRE(carried);
    memcpy(carried, p->velocity, numbers * sizeof *carried);
    CHECK(thudi_packs_evaluate(&s.problem, &s.packs) > 1 && p->is_small); // U anew
    for (size_t k = 0; k < numbers; k++)
    {
        apart = fmax(apart, fabs(carried[k] - p->velocity[k]));
        largest = fmax(largest, fabs(p->velocity[k]));
    }
    CHECK_AT_MOST(apart, 1e-13 * largest);
    free(carried);
    end(&s);
}

// Small packs that are wrong may claim to be done: the exact rows say no, and doubles go on.
static void claims(void)
{
    scene s = begin(300, 0);
    for (int i = 0; i < s.packs.pack_first[s.packs.groups]; i++)
        for (int k = 0; k < THUDI_PACK_WIDTH; k++) // by eight stops
            s.packs.small[i].level[k] +=
                s.packs.small[i].inverse_stop[k] > 0 ? 8 / s.packs.small[i].inverse_stop[k] : 0;
    double worst = INFINITY;
    int k = 0;
    for (; k < MOST_SWEEPS && s.packs.is_small; k++)
        if (thudi_packs_sweep(&s.packs, 0).worst <= 1)
            worst = thudi_packs_evaluate(&s.problem, &s.packs);
    printf("  done after %d sweeps, they claim; the largest residual is %g\n", k, worst);
    CHECK(!s.packs.is_small && worst > 2 && worst < 20);
    thudi_packs_collect(&s.problem, &s.packs, NULL, s.x);
    CHECK_NEAR(worst_of(&s.problem, s.x), worst, 1e-5 * worst);
    CHECK(solve(&s) <= MOST_SWEEPS);
    CHECK_AT_MOST(worst_of(&s.problem, s.x), 1 + 1e-6);
    end(&s);
}

// Multipliers that outgrow floats go on in doubles, from where they are.
static void outgrown(void)
{
    scene s = begin(300, 0);
    thudi_sweep seen = thudi_packs_sweep(&s.packs, 0);
    CHECK(seen.largest > 0);
    thudi_packs_watch(&s.problem, &s.packs, &seen);
    CHECK(s.packs.is_small);
    thudi_packs_collect(&s.problem, &s.packs, NULL, s.x);
    double most = 0, before = worst_of(&s.problem, s.x);
    for (int i = 0; i < s.packs.rows; i++)
        most = fmax(most, s.x[i] * s.packs.per_impulse / s.packs.scale.items[i]);
    CHECK_NEAR(seen.largest, most, 1e-12 * most);
    s.packs.largest = 0.999 * seen.largest;
    thudi_packs_watch(&s.problem, &s.packs, &seen);
    CHECK(!s.packs.is_small);
    thudi_packs_collect(&s.problem, &s.packs, NULL, s.x);
    CHECK(worst_of(&s.problem, s.x) == before);
    CHECK_NEAR(thudi_packs_evaluate(&s.problem, &s.packs), before, 1e-5 * before);
    CHECK(solve(&s) <= MOST_SWEEPS);
    CHECK_AT_MOST(worst_of(&s.problem, s.x), 1 + 1e-6);
    end(&s);
}

// Where the stops are too small beside the numbers, there are no small packs at all.
static void refused(void)
{
    scene s = begin(300, 1e-4);
    CHECK(!s.packs.is_small);
    s.problem.accuracy = 0;
    CHECK(thudi_packs_begin(&s.problem, NULL, s.packs.rows, &s.allocator, &s.packs) == THUD_OK);
    for (int i = 0; i < s.packs.rows; i++)
        s.graph.warm[i] = 1e4; // nor where the first guess is too large
    CHECK(thudi_packs_begin(&s.problem, NULL, s.packs.rows, &s.allocator, &s.packs) == THUD_OK);
    CHECK(thudi_packs_narrow(&s.problem, &s.allocator, &s.packs) == THUD_OK);
    CHECK(!s.packs.is_small);
    CHECK(solve(&s) <= MOST_SWEEPS);
    CHECK_AT_MOST(worst_of(&s.problem, s.x), 1 + 1e-6);
    end(&s);
}

// What the floats of a row change about its residual, over its stop: at most, over all rows.
static double rounded_away(const thudi_packs *p)
{
    double most = 0;
    for (int i = 0; i < p->pack_first[p->groups]; i++)
        for (int k = 0; k < THUDI_PACK_WIDTH; k++)
        {
            const thudi_pack *full = &p->packs[i];
            const thudi_small_pack *small = &p->small[i];
            double off = fabs(full->level[k] - (double)small->level[k]);
            for (int c = 0; c < 3; c++)
                off += fabs((full->normal[c][k] - (double)small->normal[c][k]) *
                            (p->velocity[full->b[k] + c] - p->velocity[full->a[k] + c]));
            double x = (double)small->x[p->parity][k];
            off += fabs((double)nextafterf((float)x, INFINITY) - x) / 2;
            most = fmax(most, off * (double)full->inverse_stop[k]);
        }
    return most;
}

// Stops from large to small: small packs are used while what they round away is below 1 / 16, at
// the start and in the end, and not beyond.
static void threshold(void)
{
    int used = 0, left = 0;
    for (int k = 0; k < 20; k++)
    {
        scene s = begin(300, 0);
        for (int i = 0; i < s.packs.rows; i++)
            s.graph.rows->heads.items[i].shift *= ldexp(1, 6 - k);
        CHECK(thudi_packs_begin(&s.problem, NULL, s.packs.rows, &s.allocator, &s.packs) == THUD_OK);
        CHECK(thudi_packs_narrow(&s.problem, &s.allocator, &s.packs) == THUD_OK);
        bool is_small = s.packs.is_small;
        double first = is_small ? rounded_away(&s.packs) : 0;
        for (int n = 0; n < 60 && s.packs.is_small; n++)
        {
            thudi_sweep seen = thudi_packs_sweep(&s.packs, 0);
            thudi_packs_watch(&s.problem, &s.packs, &seen);
        }
        double last = s.packs.is_small ? rounded_away(&s.packs) : 0;
        printf("  shifts times 2^%d: %s, %g and %g of a stop\n", 6 - k,
               is_small ? "small" : "not small", first, last);
        CHECK(first <= 0.0625 && last <= 0.0625);
        used += is_small;
        left += !is_small;
        end(&s);
    }
    CHECK(used >= 4 && left >= 4);
}

// What is given back is what was judged: a first guess is rounded, so it is not given back itself.
static void guess(void)
{
    scene s = begin(300, 0);
    int changed = 0;
    thudi_packs_collect(&s.problem, &s.packs, NULL, s.x);
    for (int i = 0; i < s.packs.rows; i++)
    {
        double x = s.x[i] * s.packs.per_impulse / s.packs.scale.items[i];
        CHECK_NEAR(x, (double)(float)x, 1e-14 * x);
        changed += s.graph.warm[i] > 0 && s.x[i] != s.graph.warm[i];
    }
    CHECK(changed > 100);
    end(&s);
}

// Back to what was kept, without momentum, in small packs too; after `more` sweeps.
static void keep(int more)
{
    scene s = begin(300, 0);
    int moving = 0;
    (void)thudi_packs_sweep(&s.packs, 0);
    thudi_packs_save(&s.packs);
    thudi_packs_collect(&s.problem, &s.packs, NULL, s.x);
    double worst = worst_of(&s.problem, s.x);
    for (int k = 0; k < more; k++)
        (void)thudi_packs_sweep(&s.packs, 0.5);
    thudi_packs_restore(&s.problem, &s.packs);
    CHECK(s.packs.is_small);
    thudi_packs_collect(&s.problem, &s.packs, NULL, s.x);
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

// A projection so large that small packs are chosen: right, and the same for any number of threads.
static void large(void)
{
    test_random random = test_random_start(9);
    sweep_graph g = sweep_graph_make(&random, 3, 46000, 0, true);
    thud_projection problem = *sweep_graph_problem(&g, &random);
    problem.accuracy = 0;
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
        CHECK(projector->packs.small); // they were there
        if (threads == 1)
            memcpy(mu, answer.mu, (size_t)g.rows->count * sizeof *mu);
        CHECK(memcmp(mu, answer.mu, (size_t)g.rows->count * sizeof *mu) == 0);
        printf("  %d rows, %d sweeps, %d looks\n", g.rows->count, answer.effort.sweeps,
               answer.effort.evaluations);
        thud_projector_destroy(projector);
    }
    CHECK_AT_MOST(worst_of(&problem, mu), 1 + 1e-6);
    free(mu);
    sweep_graph_free(&g);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"agree", agree},       {"rounded", rounded},     {"claims", claims},
        {"outgrown", outgrown}, {"refused", refused},     {"kept", kept},
        {"large", large},       {"threshold", threshold}, {"guess", guess}};
    return test_main(argc, argv, cases, 9);
}
