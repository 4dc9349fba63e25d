// Benchmark: the processor time of whole steps of the drop scene by the members of a team, and what
// of a step they do not share.
//
//     members [--quick | N STEPS]      default: 100000 spheres in 28 layers, 50 steps
//
// The last ten steps are measured. T is the time of one member alone, and S the part of it that is
// not shared. Each of P members then takes S + (T - S) / P. The table gives S. A member is a thread
// that shares no memory with the others. It sleeps while it waits.
#include "drop_scene.h"
#include "team_threads.h"
#include "thud_test.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>
#include <time.h>

enum
{
    MEASURED = 10, // steps
    MOST_MEMBERS = 4
};

typedef struct common
{
    int count, steps;
    double seconds[MOST_MEMBERS]; // of a step
    int sweeps[MOST_MEMBERS];     // of the steps that are measured
    uint64_t hash[MOST_MEMBERS];
} common;

static double thread_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void run(thud_team *team, void *user)
{
    common *c = user;
    int rank = thud_team_rank(team);
    double start = 0;
    thud_world *world = drop_scene(c->count, drop_box_of(c->count), 0.005, &DROP_PREVIEW, 0);
    thud_work *work = NULL;
    REQUIRE(world);
    thud_work_def def = thud_world_work(world);
    REQUIRE(thud_work_create(&def, &work) == THUD_OK);
    thud_work_set_team(work, team);
    c->sweeps[rank] = 0;
    for (int n = 0; n < c->steps; n++)
    {
        thud_inclusion inclusion = thud_world_inclusion(world);
        if (n == c->steps - MEASURED)
            start = thread_seconds();
        CHECK(thud_step(&inclusion, thud_world_state(world), work) >= 0);
        if (n >= c->steps - MEASURED)
            c->sweeps[rank] += thud_work_report(work)->effort.sweeps;
    }
    c->seconds[rank] = (thread_seconds() - start) / MEASURED;
    c->hash[rank] = thud_state_hash(thud_world_state(world), 0);
    thud_work_destroy(work);
    thud_world_destroy(world);
}

static bool try_team(common *c, int size, double alone, uint64_t hash)
{
    double mean = 0, most = 0;
    bool fine = team_threads_run(size, 1, run, c);
    for (int r = 0; r < size; r++)
    {
        fine = fine && c->hash[r] == hash;
        mean += c->seconds[r] / size;
        most = fmax(most, c->seconds[r]);
    }
    double apart = (size * mean - alone) / (size - 1);
    printf("%7d %9.1f %9.1f %8.2f %10.1f %6.0f %%  %s\n", size, 1e3 * mean, 1e3 * most,
           alone / mean, 1e3 * apart, 100 * apart / alone, fine ? "same bits" : "OTHER BITS");
    return fine;
}

int main(int argc, char **argv)
{
    bool is_quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    common c = {.count = is_quick ? 6000 : 100000, .steps = is_quick ? 30 : 50};
    if (argc == 3)
    {
        c.count = (int)strtol(argv[1], NULL, 10);
        c.steps = (int)strtol(argv[2], NULL, 10);
    }
    if ((argc > 1 && !is_quick && argc != 3) || c.count < 1 || c.steps < MEASURED)
    {
        (void)fprintf(stderr, "usage: members [--quick | N STEPS], at least %d steps\n", MEASURED);
        return 2;
    }
    omp_set_num_threads(1);
    run(NULL, &c);
    double alone = c.seconds[0];
    uint64_t hash = c.hash[0];
    printf("%d spheres, the last %d of %d steps: %d sweeps, %.1f ms a step alone\n", c.count,
           MEASURED, c.steps, c.sweeps[0], 1e3 * alone);
    printf("%7s %9s %9s %8s %17s\n", "members", "mean, ms", "most, ms", "ratio", "not shared, ms");
    bool fine = try_team(&c, 2, alone, hash);
    fine = try_team(&c, 4, alone, hash) && fine;
    return !(fine && test_failures() == 0);
}
