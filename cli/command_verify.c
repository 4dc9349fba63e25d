// thud verify: a run verified from what it has recorded.
#include "commands.h"
#include "members.h"
#include "run_argument.h"
#include "scene_argument.h"

#include <thud/packing.h>

static int print(const cli_call *call, const thud_recorded *run,
                 const thud_recorded_verdict *verdict)
{
    thud_json json = {0};
    thud_writer out = cli_writer(stdout);
    const char *scene = cli_value(call, "scene", NULL);
    if (!cli_has(call, "json"))
    {
        thud_recorded_verdict_write(run, verdict, scene, &out);
        return CLI_DONE;
    }
    thud_recorded_verdict_json(run, verdict, scene, &json);
    return cli_json_print(&json);
}

static int verify(const cli_call *call, const thud_recorded *run)
{
    thud_recorded_verdict verdict;
    thud_fault fault = {0};
    thud_recorded_verify_def def = {.rerun = cli_has(call, "rerun")        ? THUD_RERUN_ALL
                                             : cli_has(call, "rerun-tail") ? THUD_RERUN_TAIL
                                                                           : THUD_RERUN_NONE,
                                    .enclose = cli_has(call, "enclose"),
                                    .team = cli_team()};
    thud_status status = thud_recorded_verify(run, &def, &verdict, &fault);
    if (status < 0)
        return cli_run_fail_without_skip(call->arguments[0], status, &fault);
    if (!cli_is_first())
        return CLI_DONE;
    int printed = print(call, run, &verdict);
    status = thud_recorded_verdict_fault(run, &verdict, cli_has(call, "complete"), &fault);
    if (status >= 0)
        return printed;
    bool is_short = status == THUD_ERR_NOT_CONVERGED && verdict.failed_step == 0;
    int code = cli_fail(status, &fault);
    return is_short ? CLI_INCOMPLETE : code;
}

// Open a run with a scene that the user gives, in place of the run's.
static int open_by(const cli_call *call, const char *path, thud_recorded **run)
{
    const char *overrides[CLI_VALUES];
    thud_fault fault = {0};
    thud_scene_def scene = {
        .path = path, .set = overrides, .set_count = cli_values(call, "set", overrides)};
    thud_recorded_def def = {.scene = &scene};
    thud_status status = thud_recorded_open(call->arguments[0], &def, run, &fault);
    if (status < 0)
        return cli_run_fail_without_skip(call->arguments[0], status, &fault);
    cli_note_added_keys(call, thud_recorded_scene(*run));
    return CLI_DONE;
}

// Verify a folder of 'thud jam'. There are no steps to share.
static int verify_packing(const cli_call *call)
{
    if (!cli_is_first())
        return CLI_DONE;
    thud_packing_found found;
    thud_fault fault = {0};
    thud_json json = {0};
    thud_writer out = cli_writer(stdout);
    thud_status status = thud_packing_files_verify(call->arguments[0], &found, &fault);
    if (status < 0)
        return cli_fail(status, &fault);
    int code = CLI_DONE;
    if (cli_has(call, "json"))
    {
        thud_packing_found_json(&found, &json);
        code = cli_json_print(&json);
    }
    else
        thud_packing_found_write(&found, &out);
    if (found.damage.text[0] != '\0')
        return cli_fail(THUD_ERR_RECORD, &found.damage);
    return found.failure.text[0] != '\0' ? cli_fail(THUD_ERR_NOT_CONVERGED, &found.failure) : code;
}

// The first process opens the run before the others. Of a run that is being written they see no
// less.
static int open_in_turn(const cli_call *call, thud_recorded **run)
{
    const char *scene = cli_value(call, "scene", NULL);
    thud_team *team = thud_team_size(cli_team()) > 1 ? cli_team() : NULL;
    if (!cli_is_first() && thud_team_meet(team, THUD_OK, NULL) < 0)
        return CLI_RECORD; // the first one says why
    int code = scene ? open_by(call, scene, run) : cli_run_open(call->arguments[0], run);
    if (!team || !cli_is_first() || code != CLI_DONE)
        return code;
    thud_fault fault = {0};
    thud_status status = thud_team_meet(team, THUD_OK, NULL);
    (void)snprintf(fault.text, sizeof fault.text, "%s", thud_team_message(team));
    return status < 0 ? cli_fail(status, &fault) : CLI_DONE;
}

int command_verify(const cli_call *call)
{
    thud_recorded *run = NULL;
    const char *scene = cli_value(call, "scene", NULL), *overrides[CLI_VALUES];
    if (thud_packing_is_there(call->arguments[0]))
        return verify_packing(call);
    if (!scene && cli_values(call, "set", overrides) > 0)
        return cli_fail_usage("give --scene FILE as well",
                              "--set changes your own scene, not the run's");
    int code = open_in_turn(call, &run);
    if (code == CLI_DONE)
        code = verify(call, run);
    thud_recorded_close(run);
    return code;
}
