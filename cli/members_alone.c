// A process alone. Many of them would all do the same work, and write the same files.
#include "members.h"
#include "report.h"

#include <stdlib.h>

// A launcher, and the variables in which it says how many processes there are, and which one this
// is.
typedef struct launcher
{
    const char *name, *size, *rank;
} launcher;

static const launcher launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"MPI", "PMI_SIZE", "PMI_RANK"}, // MPICH and its relatives
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
};

static long number_in(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

int cli_members_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    {
        const launcher *l = &launchers[i];
        long size = number_in(l->size);
        if (size < 2)
            continue;
        if (number_in(l->rank) > 0)
            return CLI_USAGE; // the first one says why
        return cli_fail_usage("start thud-mpi in its place; a build with -DTHUD_MPI=ON has it",
                              "%ld processes of thud were started together (%s=%ld), but thud is "
                              "for one process",
                              size, l->size, size);
    }
    return CLI_DONE;
}

int cli_members_end(int code)
{
    return code;
}

thud_team *cli_team(void)
{
    return NULL;
}
