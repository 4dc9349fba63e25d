// Whole steps by the processes of an MPI job have the bits of steps alone:
//
//     mpirun -n P mpi_worlds SEEDS [WORLD...]      the eight small ones if none is named
//
// Each world runs SEEDS times by the job: first with about as many rows for each process, then with
// random cuts, anew for every layout, some of them empty. The first process computes the world
// alone, and prints.
#include "brick_worlds.h"

#include "team/team.h"

#include <stdlib.h>
#include <string.h>
#include <thud/mpi.h>

// Is the result of every process that of the first one, computed alone? All get the answer.
static bool check(thud_team *team, const brick_world *w, const brick_world_result *alone,
                  const brick_world_result *own, int seed)
{
    brick_world_result wanted = *alone;
    thud_team_share(team, 0, &wanted, sizeof wanted);
    bool is_same = own->hash == wanted.hash && own->sweeps == wanted.sweeps;
    if (!is_same)
        printf("%s, cuts %d: process %d of %d has %016llx after %d sweeps, wanted %016llx, %d\n",
               w->name, seed, team->rank + 1, team->size, (unsigned long long)own->hash,
               own->sweeps, (unsigned long long)wanted.hash, wanted.sweeps);
    thud_status status = thud_team_meet(team, is_same ? THUD_OK : THUD_ERR_FLOAT, NULL);
    thud_team_begin(team);
    return status >= 0;
}

static bool run(thud_team *team, const brick_world *w, int seeds)
{
    brick_world_result alone = {0};
    bool is_fine = true;
    if (team->rank == 0)
    {
        alone = brick_world_run(w, 1, NULL);
        printf("%s: %016llx, %d sweeps\n", w->name, (unsigned long long)alone.hash, alone.sweeps);
    }
    for (int seed = 0; seed < seeds; seed++)
    {
        team->cut_seed = (uint64_t)seed;
        brick_world_result own = brick_world_run(w, 1, team);
        is_fine = check(team, w, &alone, &own, seed) && is_fine;
    }
    return is_fine;
}

int main(int argc, char **argv)
{
    thud_team *team;
    int count;
    bool is_fine = true;
    if (thud_mpi_begin(&argc, &argv, 0, &team) < 0 || argc < 2)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    const brick_world *worlds = brick_world_list(&count);
    int seeds = (int)strtol(argv[1], NULL, 10);
    count = argc > 2 ? argc - 2 : count;
    for (int i = 0; i < count; i++)
    {
        const brick_world *w = argc > 2 ? brick_world_find(argv[2 + i]) : &worlds[i];
        is_fine = w && run(team, w, seeds) && is_fine;
    }
    if (team->rank == 0)
        printf("%d worlds by %d processes of %s: %s\n", count, team->size, thud_mpi_library(),
               is_fine ? "equal bits" : "DIFFERENT BITS");
    thud_mpi_end(team);
    return !is_fine || test_failures() > 0;
}
