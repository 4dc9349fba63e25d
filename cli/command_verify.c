// thud verify: a run judged from what it has recorded.
#include "commands.h"
#include "jam_files.h"
#include "jam_verify.h"
#include "report.h"
#include "run/remedy.h"
#include "run/verify/audit.h"
#include "scene_argument.h"
#include "scene_text.h"
#include "verify_report.h"

#include <stdlib.h>
#include <string.h>

// Not all was verified that was asked for.
static int complain_incomplete(const cli_call *call, const thudi_audit *audit)
{
    thud_fault fault = {0};
    char verified[THUD_NUMBER_SIZE], steps[THUD_COUNT_SIZE];
    (void)snprintf(fault.file, sizeof fault.file, "%.255s", call->arguments[0]);
    if (audit->unproved > 0)
        (void)snprintf(fault.text, sizeof fault.text,
                       "the force cannot be integrated in %s, so these steps are not proved",
                       thud_words_count(steps, audit->unproved, "recorded step"));
    else if (audit->verified < audit->steps)
    {
        (void)snprintf(fault.text, sizeof fault.text, "verified %s of %s",
                       thud_words_grouped(verified, audit->verified),
                       thud_words_count(steps, audit->steps, "step"));
        (void)snprintf(
            fault.hint, sizeof fault.hint,
            audit->first > 0
                ? "use --rerun to compute all from the start: the run begins after step %lld"
                : "use --rerun to recompute the others, or 'record: all' to record every step",
            (long long)audit->first);
    }
    else if (!audit->is_over)
    {
        (void)snprintf(fault.text, sizeof fault.text, "the run is not finished");
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "use 'thud resume' to continue it, or wait for it to end");
    }
    else
    {
        (void)snprintf(fault.text, sizeof fault.text,
                       "run.json is of an earlier step: it was not compared");
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "use 'thud resume' to write it again, if the run was interrupted");
    }
    (void)cli_complain(THUD_ERR_NOT_CONVERGED, &fault);
    return CLI_INCOMPLETE;
}

static int complain_failed(const cli_call *call, const thudi_audit *audit)
{
    thud_fault fault = {.hint = THUDI_DO_NOT_RELY};
    (void)snprintf(fault.file, sizeof fault.file, "%.255s", call->arguments[0]);
    (void)snprintf(fault.text, sizeof fault.text, "step %lld fails the certificate '%s' (%s)%s%s",
                   (long long)audit->failed_step, thud_certificate_title(audit->failed),
                   thud_certificate_text(audit->failed), audit->failed_where[0] ? ": " : "",
                   audit->failed_where);
    return cli_complain(THUD_ERR_NOT_CONVERGED, &fault);
}

static int complain_damaged(const cli_call *call, thud_fault damage)
{
    thudi_remedy(call->arguments[0], THUDI_DAMAGE_FOUND, &damage);
    return cli_complain(THUD_ERR_RECORD, &damage);
}

static int complain(const cli_call *call, const thudi_audit *audit)
{
    if (audit->damage.text[0] != '\0')
        return complain_damaged(call, audit->damage);
    if (audit->failed_step > 0)
        return complain_failed(call, audit);
    if (audit->figures.text[0] != '\0')
        return complain_damaged(call, audit->figures);
    bool is_short = cli_has(call, "complete") && !thudi_audit_is_complete(audit);
    return audit->unproved > 0 || is_short ? complain_incomplete(call, audit) : CLI_DONE;
}

static int verify(const cli_call *call, const thudi_run *run, const cli_verify_scene *scene)
{
    thudi_audit audit;
    thudi_enclosed enclosed = {.steps = -1};
    thud_fault fault = {0};
    thud_status status = thudi_audit_log(call->arguments[0], run, &audit, &fault);
    if (status >= 0 && cli_has(call, "rerun"))
        status = thudi_audit_rerun(call->arguments[0], run, THUDI_RERUN_ALL, &audit, &fault);
    else if (status >= 0 && cli_has(call, "rerun-tail"))
        status = thudi_audit_rerun(call->arguments[0], run, THUDI_RERUN_TAIL, &audit, &fault);
    if (status >= 0 && cli_has(call, "enclose") && audit.damage.text[0] == '\0')
        status = thudi_audit_enclose(run, &enclosed, &fault);
    if (status < 0)
        return thudi_run_complain_damaged(call->arguments[0], status, &fault);
    int printed = CLI_DONE;
    if (cli_has(call, "json"))
        printed = cli_verify_print_json(run, &audit, scene, &enclosed);
    else
        cli_verify_print(run, &audit, scene, &enclosed);
    int code = complain(call, &audit);
    return code == CLI_DONE ? printed : code;
}

// The reader's own scene in place of the run's, and whether the run's says the same.
static int take_own_scene(const cli_call *call, thudi_run *run, cli_verify_scene *scene)
{
    char path[1100];
    const char *overrides[CLI_VALUES];
    thud_scene_def def = {
        .path = scene->path, .set = overrides, .set_count = cli_values(call, "set", overrides)};
    int code = thudi_run_open_by(call->arguments[0], &def, run);
    if (code != CLI_DONE)
        return code;
    cli_note_added(call, run->scene);
    thud_scene *theirs = NULL;
    thud_fault fault = {0};
    (void)snprintf(path, sizeof path, "%.1000s/scene.yaml", call->arguments[0]);
    scene->reason = "it cannot be read";
    if (thud_scene_read(&(thud_scene_def){.path = path, .resolved = true}, &theirs, &fault) >= 0)
    {
        scene->reason = "";
        // what was recorded and when is no part of what happened
        run->scene->frames = theirs->frames;
        run->scene->record_all = theirs->record_all;
        run->scene->checkpoints = theirs->checkpoints;
        thud_status status = cli_scene_compare(run->scene, theirs, &scene->is_same);
        code = status < 0 ? cli_complain(status, &(thud_fault){0}) : CLI_DONE;
    }
    thud_scene_destroy(theirs);
    return code;
}

int command_verify(const cli_call *call)
{
    thudi_run run = {0};
    cli_verify_scene scene = {.path = cli_value(call, "scene", NULL), .reason = ""};
    const char *overrides[CLI_VALUES];
    if (cli_is_jam(call->arguments[0]))
        return cli_jam_verify(call, call->arguments[0]);
    if (!scene.path && cli_values(call, "set", overrides) > 0)
        return cli_usage_error("give --scene FILE as well",
                               "--set changes your own scene, not the run's");
    int code =
        scene.path ? take_own_scene(call, &run, &scene) : thudi_run_open(call->arguments[0], &run);
    if (code == CLI_DONE)
        code = verify(call, &run, &scene);
    thudi_run_close(&run);
    return code;
}
