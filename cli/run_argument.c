// Opens the run directory of a command, and adds hints to its errors.
#include "run_argument.h"

int cli_run_fail_without_skip(const char *folder, thud_status status, thud_fault *fault)
{
    fault->status = status;
    thud_recorded_advise(folder, fault);
    return cli_fail(status, fault);
}

int cli_run_fail(const char *folder, thud_status status, thud_fault *fault)
{
    if (status == THUD_ERR_RECORD && fault->hint[0] == '\0' && fault->is_record)
        (void)snprintf(fault->hint, sizeof fault->hint,
                       "use --skip-damaged to leave damaged frames out");
    return cli_run_fail_without_skip(folder, status, fault);
}

void cli_run_warn_of_changed_series(const thud_recorded *run)
{
    thud_fault fault = {0};
    if (thud_recorded_check_series(run, &fault) == THUD_ERR_RECORD)
        cli_warn("%s: %s; 'thud verify' says what to do", fault.file, fault.text);
}

int cli_run_open(const char *folder, thud_recorded **run)
{
    thud_fault fault = {0};
    thud_status status = thud_recorded_open(folder, NULL, run, &fault);
    return status < 0 ? cli_run_fail_without_skip(folder, status, &fault) : CLI_DONE;
}

int cli_run_open_argument(const cli_call *call, thud_recorded **run)
{
    thud_fault fault = {0};
    thud_recorded_def def = {.skip_damaged = cli_has(call, "skip-damaged")};
    thud_status status = thud_recorded_open(call->arguments[0], &def, run, &fault);
    return status < 0 ? cli_run_fail(call->arguments[0], status, &fault) : CLI_DONE;
}
