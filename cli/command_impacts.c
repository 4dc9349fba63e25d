// thud impacts: the impacts of a run, and the law of collision.
#include "commands.h"
#include "report.h"
#include "run_argument.h"

#include <math.h>
#include <string.h>
#include <thud/impacts.h>

static int list_impacts(const cli_call *call, const thud_recorded *run)
{
    thud_impacts *impacts = NULL;
    thud_fault fault = {0};
    const char *factor = cli_value(call, "factor", NULL);
    thud_impacts_def def = {.scene = thud_recorded_scene(run),
                            .model = thud_recorded_model(run),
                            .log = thud_recorded_log(run)};
    if (factor && !(thud_number_read(factor, strlen(factor), &def.factor) && def.factor > 0))
        return cli_fail_usage("give a number such as 4",
                              "--factor must be a number above 0, not '%s'", factor);
    thud_status status = thud_impacts_create(&def, &impacts, &fault);
    if (status < 0)
    {
        if (fault.file[0] == '\0' && status == THUD_ERR_ARGUMENT)
            (void)snprintf(fault.file, sizeof fault.file, "%.255s", call->arguments[0]);
        return cli_fail(status, &fault);
    }
    thud_impacts_result result = thud_impacts_view(impacts);
    int code = CLI_DONE;
    thud_json json = {0};
    thud_writer out = cli_writer(stdout);
    if (cli_has(call, "json"))
    {
        thud_impacts_json(run, &result, &json);
        code = cli_json_print(&json);
    }
    else if (cli_has(call, "csv"))
        thud_impacts_write_csv(run, &result, &out);
    else
        thud_impacts_write(run, &result, &out);
    thud_impacts_destroy(impacts);
    return code;
}

int command_impacts(const cli_call *call)
{
    thud_recorded *run;
    int code = cli_run_open(call->arguments[0], &run);
    if (code == CLI_DONE)
        code = list_impacts(call, run);
    thud_recorded_close(run);
    return code;
}
