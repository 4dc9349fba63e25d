// thud info: what is in a run directory.
#include "commands.h"
#include "run_argument.h"

#include <string.h>

static int print_info(const cli_call *call, const thud_recorded *run, const thud_recorded_info *all)
{
    thud_json json = {0};
    thud_writer out = cli_writer(stdout);
    if (!cli_has(call, "json"))
    {
        thud_recorded_info_write(run, all, &out);
        return CLI_DONE;
    }
    thud_recorded_info_json(run, all, &json);
    return cli_json_print(&json);
}

static thud_status read(const char *folder, bool skip_damaged, thud_recorded **run,
                        thud_recorded_info *all, thud_fault *fault)
{
    thud_recorded_def def = {.skip_damaged = skip_damaged};
    thud_status status = thud_recorded_open(folder, &def, run, fault);
    return status < 0 ? status : thud_recorded_read_info(*run, all, fault);
}

// The log is damaged: print what can be read of it, then what is wrong.
static int print_rest(const cli_call *call, thud_fault *fault)
{
    const char *folder = call->arguments[0];
    thud_fault second = {0};
    thud_recorded *run = NULL;
    thud_recorded_info all;
    if (fault->hint[0] == '\0' && read(folder, true, &run, &all, &second) >= 0)
    {
        (void)print_info(call, run, &all);
        thud_recorded_advise(folder, fault);
        size_t length = strlen(fault->hint);
        (void)snprintf(fault->hint + length, sizeof fault->hint - length,
                       "; 'thud view --skip-damaged' shows the intact frames");
    }
    thud_recorded_close(run);
    return cli_run_fail_without_skip(folder, THUD_ERR_RECORD, fault);
}

int command_info(const cli_call *call)
{
    thud_fault fault = {0};
    thud_recorded *run = NULL;
    thud_recorded_info all;
    int code;
    thud_status status = read(call->arguments[0], false, &run, &all, &fault);
    if (status == THUD_ERR_RECORD)
        code = print_rest(call, &fault);
    else
        code = status < 0 ? cli_fail(status, &fault) : print_info(call, run, &all);
    if (status >= 0 && strcmp(all.end.how, "incomplete") != 0)
        cli_run_warn_of_changed_series(run);
    thud_recorded_close(run);
    return code;
}
