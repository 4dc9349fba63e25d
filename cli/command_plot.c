// thud plot: charts of a run.
#include "commands.h"
#include "report.h"

int command_plot(const cli_call *call)
{
    (void)call;
    return CLI_BUG;
}
