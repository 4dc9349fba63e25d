// The processes of an MPI job.
#include "members.h"
#include "report.h"

#include <stdlib.h>
#include <thud/mpi.h>

static thud_team *the_team;

// Tests deal bricks to processes at random: the seed is in this variable.
static const char CUT_SEED[] = "THUD_CUT_SEED";

// The others read and write nothing that the user sees.
static bool be_silent(void)
{
    return freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr) &&
           freopen("/dev/null", "r", stdin);
}

int cli_members_begin(int *argc, char ***argv)
{
    const char *seed = getenv(CUT_SEED);
    if (thud_float_check() != THUD_OK)
        return CLI_DONE; // the command says why it cannot run
    thud_status status = thud_mpi_begin(argc, argv, seed ? strtoull(seed, NULL, 10) : 0, &the_team);
    if (status < 0)
        return cli_fail(status, &(thud_fault){.text = "MPI did not begin"});
    if (thud_team_rank(the_team) > 0 && !be_silent())
        return CLI_IO;
    return CLI_DONE;
}

// A process that has met no error with the others may bring its own.
int cli_members_end(int code)
{
    bool has_failed = code != CLI_DONE && code != CLI_STOPPED;
    if (!the_team)
        return code;
    if (thud_team_size(the_team) > 1)
    {
        (void)thud_team_meet(the_team, has_failed ? THUD_ERR_ARGUMENT : THUD_OK, cli_last_error());
        thud_team_begin(the_team);
        thud_team_share(the_team, 0, &code, sizeof code);
    }
    thud_mpi_end(the_team);
    the_team = NULL;
    return code;
}

thud_team *cli_team(void)
{
    return the_team;
}
