// thud diff: the first difference between two runs.
#include "commands.h"
#include "run_argument.h"

static int compare(const thud_recorded *a, const thud_recorded *b)
{
    thud_fault fault = {0};
    thud_recorded_difference difference;
    thud_writer out = cli_writer(stdout);
    thud_status status = thud_recorded_compare(a, b, &difference, &fault);
    if (status < 0)
        return cli_fail(status, &fault);
    thud_recorded_difference_write(&difference, a, b, &out);
    return difference.is_same ? CLI_DONE : CLI_DIFFERENT;
}

int command_diff(const cli_call *call)
{
    thud_recorded *runs[2] = {NULL, NULL};
    int code = cli_run_open(call->arguments[0], &runs[0]);
    if (code == CLI_DONE)
        code = cli_run_open(call->arguments[1], &runs[1]);
    if (code == CLI_DONE)
        code = compare(runs[0], runs[1]);
    thud_recorded_close(runs[0]);
    thud_recorded_close(runs[1]);
    return code;
}
