// The processes that run together: one, or those of an MPI job.
//
// members_alone.c is that of `thud`, members_mpi.c that of `thud-mpi`.
#ifndef CLI_MEMBERS_H
#define CLI_MEMBERS_H

#include <stdbool.h>
#include <thud/team.h>

// Begin, before anything is printed. Returns an exit code.
int cli_members_begin(int *argc, char ***argv);

// The last that the program does. All processes end with the code of the first one.
int cli_members_end(int code);

// NULL: this program cannot have one.
thud_team *cli_team(void);

// The first process prints and writes files; the others are silent.
static inline bool cli_is_first(void)
{
    return thud_team_rank(cli_team()) == 0;
}

#endif
