// Benchmark: what the members of a team send and compute twice, counted on a projection that the
// drop scene poses. Every team must find the bits of the projection solved alone.
//
//     parts [--quick | N STEPS]      default: 100000 spheres in 28 layers, the projection of step
//                                    70
//     parts --count                  lines "NAME COUNT" of four members, for bench/work
//
// Numbers are those of one sweep, of all members together, tests of residuals and all that comes
// before the first sweep included. In brackets: of the member that sends most. Megabytes are those
// of packs and lists: held during the sweeps by all members (by the one that holds most), and the
// most that one of them has during its layout. ms: the longest layout of a member, on its
// processor.
#include "drop_posed.h"
#include "parts_rig.h"

#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>

enum
{
    BRICK_LIMIT = 4096, // bodies, as projections have it
    CUTS = 4            // at random, for each number of members
};

// The work of a team.
typedef struct tally
{
    double exchanges, reductions, messages, bytes; // of one sweep
    double most_messages, most_bytes;              // of a member
    int ghosts, twice;                             // rows that members sweep for others
    double held, most_held, most;                  // bytes of all members; of one; in its layout
    double seconds;                                // the longest layout of a member
} tally;

static const double MEGABYTE = 1e6;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static tally count_work(const parts_task *task, const parts_answer *answers)
{
    parts_size sizes[PARTS_MOST];
    tally t = {0};
    double sweeps = answers[0].effort.sweeps;
    parts_measure(task, sizes);
    for (int r = 0; r < task->size; r++)
    {
        const thud_team_counts *c = &answers[r].counts;
        double messages = (double)c->messages / sweeps, bytes = (double)c->bytes / sweeps;
        t.messages += messages;
        t.bytes += bytes;
        t.most_messages = larger(messages, t.most_messages);
        t.most_bytes = larger(bytes, t.most_bytes);
        t.ghosts += sizes[r].ghosts;
        t.twice += sizes[r].rows - sizes[r].own_rows;
        t.held += (double)sizes[r].held;
        t.most_held = larger((double)sizes[r].held, t.most_held);
        t.most = larger((double)sizes[r].most, t.most);
        t.seconds = larger(sizes[r].seconds, t.seconds);
    }
    t.exchanges = (double)answers[0].counts.exchanges / sweeps;
    t.reductions = (double)answers[0].counts.reductions / sweeps;
    return t;
}

static bool is_same(const parts_answer *a, const parts_answer *b, int rows)
{
    return a->status == b->status && a->effort.sweeps == b->effort.sweeps &&
           a->effort.evaluations == b->effort.evaluations &&
           memcmp(a->mu, b->mu, (size_t)rows * sizeof *a->mu) == 0;
}

// One team, and a line about it. False if its bits are others.
static bool try_team(const parts_task *task, const parts_answer *alone)
{
    parts_answer answers[PARTS_MOST];
    int rows = thud_rows_count(task->problem->rows);
    bool fine = true;
    parts_solve(task, answers);
    for (int r = 0; r < task->size; r++)
        fine = fine && is_same(&answers[r], alone, rows);
    tally t = count_work(task, answers);
    printf("%7d %-6s %5.2f %5.2f %6.1f (%4.1f) %9.0f (%8.0f) %7d %7d %5.2f %% %6.1f (%5.1f) %6.1f "
           "%6.1f  %s\n",
           task->size, task->cut ? "random" : "equal", t.exchanges, t.reductions, t.messages,
           t.most_messages, t.bytes, t.most_bytes, t.ghosts, t.twice, 100.0 * t.twice / rows,
           t.held / MEGABYTE, t.most_held / MEGABYTE, t.most / MEGABYTE, 1e3 * t.seconds,
           fine ? "same bits" : "OTHER BITS");
    parts_free(answers, task->size);
    return fine;
}

// Of a team of four, in whole numbers.
static bool print_counts(const thud_projection *problem)
{
    parts_task task = {
        .problem = problem, .size = 4, .threads = 1, .failing = -1, .def.brick_limit = BRICK_LIMIT};
    parts_answer alone, answers[PARTS_MOST];
    parts_solve_alone(&task, &alone);
    parts_solve(&task, answers);
    tally t = count_work(&task, answers);
    const struct
    {
        const char *name;
        double value;
    } all[] = {{"exchanges-in-100-sweeps", 100 * t.exchanges},
               {"reductions-in-100-sweeps", 100 * t.reductions},
               {"messages-in-100-sweeps", 100 * t.messages},
               {"bytes-per-sweep", t.bytes},
               {"ghosts", t.ghosts},
               {"rows-twice", t.twice},
               {"bytes-held-by-one", t.most_held}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        printf("parts-100000-by-4.%s %.0f\n", all[i].name, all[i].value);
    bool fine = is_same(&answers[0], &alone, thud_rows_count(problem->rows));
    parts_free(answers, task.size);
    parts_free(&alone, 1);
    return fine;
}

static bool try_teams(const thud_projection *problem)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 8};
    int cut[PARTS_MOST + 1], bricks = parts_count_bricks(problem, BRICK_LIMIT);
    test_random random = test_random_begin(7);
    parts_task task = {.problem = problem, .threads = 1, .failing = -1};
    task.def.brick_limit = BRICK_LIMIT;
    parts_answer alone;
    parts_solve_alone(&task, &alone);
    printf("%d rows, %d bricks: %s after %d sweeps and %d tests\n", thud_rows_count(problem->rows),
           bricks, thud_status_name(alone.status), alone.effort.sweeps, alone.effort.evaluations);
    printf("%7s %-6s %5s %5s %13s %20s %7s %15s %14s %6s %6s\n", "members", "cut", "exch.", "red.",
           "messages", "bytes", "ghosts", "rows twice", "MB held", "most", "ms");
    bool fine = alone.effort.sweeps > 0;
    for (int s = 0; s < 6; s++)
        for (int k = 0; k <= (s == 0 ? 0 : CUTS); k++)
        {
            task.size = sizes[s];
            task.cut = k == 0 ? NULL : cut;
            parts_cut_at_random(&random, bricks, task.size, cut);
            fine = try_team(&task, &alone) && fine;
        }
    parts_free(&alone, 1);
    return fine;
}

static bool measure(int count, int steps, bool only_counts)
{
    drop_posed drop = {0};
    bool fine = drop_posed_take(&drop, count, steps);
    if (!only_counts)
        printf("%d spheres, step %d\n", count, steps);
    fine =
        fine && (only_counts ? print_counts(&drop.taken.problem) : try_teams(&drop.taken.problem));
    drop_posed_free(&drop);
    return fine;
}

int main(int argc, char **argv)
{
    bool is_quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    bool only_counts = argc == 2 && strcmp(argv[1], "--count") == 0;
    int count = is_quick ? 6000 : 100000, steps = is_quick ? 30 : 70;
    if (argc == 3)
    {
        count = (int)strtol(argv[1], NULL, 10);
        steps = (int)strtol(argv[2], NULL, 10);
    }
    if ((argc > 1 && !is_quick && !only_counts && argc != 3) || count < 1 || steps < 1)
    {
        (void)fprintf(stderr, "usage: parts [--quick | --count | N STEPS]\n");
        return 2;
    }
    bool fine = measure(count, steps, only_counts);
    return !(fine && test_failures() == 0);
}
