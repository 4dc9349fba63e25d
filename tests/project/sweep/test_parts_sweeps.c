// Single sweeps by the parts of a team: all members see the sums, residuals and lengths that a
// sweep over all rows sees, bit for bit, also where they decide nothing.
#include "parts_rig.h"
#include "sweep_graph.h"

#include "project/sweep/part.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SWEEPS = 40,
    LOOKS = SWEEPS / 4 // sweeps after which residuals are tested
};

// What is seen of the sweeps, and the multipliers at the end.
typedef struct sight
{
    thudi_sweep sweep[SWEEPS];
    double residual[LOOKS], length[LOOKS];
    double *x;
} sight;

typedef struct task
{
    const thud_projection *problem;
    bool widens; // to doubles, half way
    sight alone, seen[PARTS_MOST];
} task;

static void sweep_packs(const thud_projection *problem, bool widens, thudi_packs *p, sight *seen)
{
    thudi_packs_save(p);
    for (int k = 0; k < SWEEPS; k++)
    {
        seen->sweep[k] = thudi_packs_sweep(p, k % 7 * 0.15);
        if (k % 4 == 3)
        {
            seen->residual[k / 4] = thudi_packs_evaluate(problem, p);
            seen->length[k / 4] = thudi_packs_length(p);
        }
        if (k == SWEEPS / 2 && widens)
            CHECK(thudi_packs_widen(problem, p) == THUD_OK);
        if (k == 3 * SWEEPS / 4)
            thudi_packs_restore(problem, p);
        if (k % 10 == 9)
            thudi_packs_save(p);
    }
    thudi_packs_collect(problem, p, seen->x);
}

static void sweep_as(thud_team *team, const task *t, sight *seen)
{
    thud_rooms rooms = {0};
    thudi_packs packs = {0};
    thudi_packing packing;
    seen->x = calloc((size_t)t->problem->rows->count, sizeof *seen->x);
    CHECK(seen->x && sweep_graph_open(t->problem, NULL, &rooms, &packing) == THUD_OK);
    packing.brick_limit = PARTS_BRICK_LIMIT;
    packing.team = team;
    CHECK(thudi_packs_begin(&packing, &packs) == THUD_OK);
    CHECK(packs.is_small == t->widens);
    sweep_packs(t->problem, t->widens, &packs, seen);
    thudi_rooms_free(&rooms);
}

static void sweep_as_member(thud_team *team, void *user)
{
    task *t = user;
    sweep_as(team, t, &t->seen[team->rank]);
}

static void compare(const task *t, const sight *seen)
{
    const sight *alone = &t->alone;
    size_t bytes = (size_t)t->problem->rows->count * sizeof *alone->x;
    for (int k = 0; k < SWEEPS; k++)
    {
        CHECK(seen->sweep[k].energy == alone->sweep[k].energy);
        CHECK(seen->sweep[k].turn == alone->sweep[k].turn);
        CHECK(seen->sweep[k].decrease == alone->sweep[k].decrease);
        CHECK(seen->sweep[k].worst == alone->sweep[k].worst);
        CHECK(seen->sweep[k].largest == alone->sweep[k].largest);
    }
    CHECK(memcmp(seen->residual, alone->residual, sizeof alone->residual) == 0);
    CHECK(memcmp(seen->length, alone->length, sizeof alone->length) == 0);
    CHECK(memcmp(seen->x, alone->x, bytes) == 0);
}

static void check(uint64_t seed, double accuracy, double shift_scale)
{
    test_random random = test_random_begin(seed);
    sweep_graph g = sweep_graph_make(&random, 3, 1200, 30, true);
    thud_projection problem = *sweep_graph_problem(&g, &random);
    g.bricks.side = PARTS_BRICK_SIDE;
    problem.accuracy = accuracy;
    problem.shift_scale = shift_scale;
    task t = {.problem = &problem, .widens = accuracy == 0};
    sweep_as(NULL, &t, &t.alone);
    for (int size = 2; size <= PARTS_MOST; size++)
    {
        CHECK(team_threads_run(size, 1, sweep_as_member, &t));
        for (int r = 0; r < size; r++)
        {
            compare(&t, &t.seen[r]);
            free(t.seen[r].x);
        }
    }
    printf("  turn %g, residual %g at the end\n", t.alone.sweep[SWEEPS - 1].turn,
           t.alone.residual[LOOKS - 1]);
    free(t.alone.x);
    sweep_graph_free(&g);
}

static void small(void)
{
    check(91, 0, 8);
}

static void doubles(void)
{
    check(92, 1e-4, 8);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"small", small}, {"doubles", doubles}};
    return test_main(argc, argv, cases, 2);
}
