// Every row of every phase of every step of worlds drawn at random, with planes, solids, meshes and
// containers at once, against a search over all pairs, walls and facets by formulas of its own:
// none is missing that the step promises to look at, none is there twice or should not be there,
// gap, slope, shift and law are right. It caught that the recall of wall k took the keys of surface
// k, and that glue lost rows of bodies which graze each other fast.
#include "rows_world.h"

static void run(rows_world *w, int steps, uint64_t seed, int number)
{
    thud_inclusion problem = rows_world_spy(w);
    thud_state *state = thud_world_state(w->world);
    thud_work_def def = thud_world_work(w->world);
    thud_work *work = NULL;
    CHECK(thud_work_create(&def, &work) == THUD_OK);
    for (int n = 0; n < steps && work && test_failures() == 0; n++)
    {
        if (thud_step(&problem, state, work) < 0)
            test_fail(__FILE__, __LINE__, "%s", thud_work_message(work));
        else
            rows_brute_step(w, state, thud_work_report(work)->rows);
    }
    if (test_failures() > 0)
        printf("  seed %llu, world %d\n", (unsigned long long)seed, number);
    thud_work_destroy(work);
}

static void worlds(thud_law law, bool periodic, uint64_t standard, int count)
{
    static rows_world w;
    uint64_t seed = test_seed(standard);
    test_random random = test_random_start(seed);
    long asked = 0, rows = 0, far_held = 0, kinds[3] = {0};
    for (int n = 0; n < count && test_failures() == 0; n++)
    {
        if (!rows_world_draw(&w, &random, n % 2 ? 3 : 2, law, periodic))
            break;
        run(&w, 40, seed, n);
        asked += w.asked;
        rows += w.rows;
        far_held += w.far_held;
        kinds[0] += w.of_pairs;
        kinds[1] += w.of_walls - w.of_pairs;
        kinds[2] += w.of_surfaces - w.of_walls;
        rows_world_drop(&w);
    }
    printf(
        "  seed %llu, %d worlds, %ld lists of rows, %ld rows (%ld of pairs, %ld of walls, %ld of "
        "surfaces), %ld held far apart\n",
        (unsigned long long)seed, count, asked, rows, kinds[0], kinds[1], kinds[2], far_held);
    CHECK(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100);
    CHECK(law != THUD_LAW_GLUE || periodic || far_held > 0);
}

static void inelastic(void)
{
    worlds(THUD_LAW_INELASTIC, false, 3001, 12);
}

static void restitution(void)
{
    worlds(THUD_LAW_RESTITUTION, false, 3002, 12);
}

static void glue(void)
{
    worlds(THUD_LAW_GLUE, false, 3003, 12);
}

static void periodic(void)
{
    worlds(THUD_LAW_INELASTIC, true, 3004, 4);
    worlds(THUD_LAW_RESTITUTION, true, 3005, 4);
    worlds(THUD_LAW_GLUE, true, 3006, 4);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"inelastic", inelastic},
                                      {"restitution", restitution},
                                      {"glue", glue},
                                      {"periodic", periodic}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
