// Whole steps of eight worlds by a team have the bits of steps alone: 2, 3 and 5 members of 1 or 2
// threads, with about as many rows for each, and with random cuts, anew for every layout, some of
// them empty.
#include "brick_worlds.h"
#include "team_threads.h"

typedef struct common
{
    const brick_world *world;
    int threads;
    uint64_t seed; // of the cuts
    brick_world_result results[8];
    thud_team_counts counts[8];
} common;

static void run_as_member(thud_team *team, void *user)
{
    common *c = user;
    team->cut_seed = c->seed;
    c->results[team->rank] = brick_world_run(c->world, c->threads, team);
    c->counts[team->rank] = team->counts;
}

static void check_team(common *c, int size, const brick_world_result *alone)
{
    CHECK(team_threads_run(size, c->threads, run_as_member, c));
    for (int r = 0; r < size; r++)
    {
        const brick_world_result *own = &c->results[r];
        if (own->hash != alone->hash || own->sweeps != alone->sweeps)
            test_fail(__FILE__, __LINE__, "%s: member %d of %d with cuts %llu: %016llx, %d sweeps",
                      c->world->name, r + 1, size, (unsigned long long)c->seed,
                      (unsigned long long)own->hash, own->sweeps);
        CHECK(c->counts[r].reductions >= own->sweeps / 2);
    }
}

static void check(const char *name)
{
    static const int sizes[] = {2, 3, 5};
    common c = {.world = brick_world_find(name)};
    brick_world_result alone = brick_world_run(c.world, 1, NULL);
    printf("  %s: %016llx, %d sweeps in %d of %d steps, rows joined in %d\n", name,
           (unsigned long long)alone.hash, alone.sweeps, alone.swept, c.world->steps, alone.joined);
    CHECK(alone.swept > c.world->steps / 4);
    for (int k = 0; k < 3; k++)
        for (c.seed = 0; c.seed < 2; c.seed++)
        {
            c.threads = 1 + k % 2;
            check_team(&c, sizes[k], &alone);
        }
}

#define CASE(name)                                                                                 \
    static void name(void)                                                                         \
    {                                                                                              \
        check(#name);                                                                              \
    }
CASE(pile)
CASE(drum)
CASE(sheared)
CASE(sizes)
CASE(gas)
CASE(restitution)
CASE(glue)
CASE(crowd)

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"pile", pile},       {"drum", drum},
                                      {"sheared", sheared}, {"sizes", sizes},
                                      {"gas", gas},         {"restitution", restitution},
                                      {"glue", glue},       {"crowd", crowd}};
    return test_main(argc, argv, cases, 8);
}
