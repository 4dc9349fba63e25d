/// Teams of processes, by MPI. (library thud_mpi, where it was built: -DTHUD_MPI=ON)
///
///     thud_team *team;
///     if (thud_mpi_begin(&argc, &argv, &team) < 0) ...
///     thud_work_set_team(work, team);
///     ...
///     thud_mpi_end(team);
///
/// MPI's own errors end the job: there is no way to go on without a process that is gone.
#ifndef THUD_MPI_H
#define THUD_MPI_H

#include "thud/team.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Begin MPI, and make a team of all processes of the job. Nothing else may have begun it.
/// cut_seed: as in thud_team_def. THUD_ERR_LIMIT: MPI may not be called where threads are in use.
THUD_API thud_status thud_mpi_begin(int *argc, char ***argv, uint64_t cut_seed, thud_team **team);

/// All members call it, and wait for each other. NULL is allowed.
THUD_API void thud_mpi_end(thud_team *team);

/// Such as "Open MPI v4.1.4, package: Debian OpenMPI, ...": what the library says of itself, the
/// first line of it.
THUD_API const char *thud_mpi_library(void);

#ifdef __cplusplus
}
#endif

#endif
