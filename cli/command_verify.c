// thud verify: a run judged from what it has recorded.
#include "audit.h"
#include "commands.h"
#include "report.h"
#include "scene_argument.h"

static const char *verdict_of(const cli_audit *audit)
{
    if (audit->damage.text[0] != '\0')
        return "DAMAGED";
    return audit->failed_step > 0 ? "FAILED" : "OK";
}

static int print_json(const cli_audit *audit, const cli_enclosed *enclosed)
{
    cli_json json = {0};
    cli_json_open(&json, NULL);
    cli_json_text(&json, "verdict", verdict_of(audit));
    cli_json_text(&json, "damage", audit->damage.text);
    cli_json_whole(&json, "frames", audit->frames);
    cli_json_whole(&json, "steps", audit->steps);
    cli_json_number(&json, "reached", audit->reached);
    cli_json_flag(&json, "is_over", audit->is_over);
    cli_json_whole(&json, "judged", audit->judged);
    cli_json_whole(&json, "held", audit->held);
    cli_json_whole(&json, "judged_with_own_force", audit->own_force);
    cli_json_whole(&json, "rerun", audit->rerun > 0 ? audit->rerun : 0);
    cli_json_whole(&json, "rerun_from", audit->rerun_from);
    cli_json_open(&json, "worst");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        cli_json_number(&json, thud_certificate_title((thud_certificate_name)i),
                        audit->worst[i].value);
    cli_json_close(&json);
    cli_json_whole(&json, "failed_step", audit->failed_step);
    cli_json_text(&json, "failed",
                  audit->failed_step > 0 ? thud_certificate_title(audit->failed) : "");
    cli_json_text(&json, "failed_where", audit->failed_where);
    cli_enclosed_json(enclosed, &json);
    cli_json_close(&json);
    return cli_json_print(&json);
}

static void print_text(const cli_run *run, const cli_audit *audit, const cli_enclosed *enclosed)
{
    char count[CLI_COUNT_SIZE], value[THUD_NUMBER_SIZE];
    cli_print_scene(run->scene);
    (void)printf("\n  %s and the start, ", cli_count(count, audit->judged, "recorded step"));
    (void)printf("a chain of %s to t = %g%s\n", cli_count(count, audit->steps, "step"),
                 audit->reached, audit->is_over ? ", the end" : "; the run is not over");
    (void)printf("  the worst of every certificate, where 1 is allowed:\n");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        (void)printf("    %-16s %-9s %s\n", thud_certificate_title((thud_certificate_name)i),
                     cli_short(value, audit->worst[i].value),
                     thud_certificate_text((thud_certificate_name)i));
    if (run->scene->law == THUD_LAW_RESTITUTION)
        (void)printf(
            "  contacts bounce: u' is that of the displacement in feasible, complementarity "
            "and motion\n");
    if (run->scene->law == THUD_LAW_GLUE)
        (void)printf(
            "  contacts are gluey: sign is mu_i >= gamma_i, what the glue has remembered\n");
    if (audit->own_force < audit->judged)
        (void)printf("  the force of %s is taken as recorded\n",
                     cli_count(count, audit->judged - audit->own_force, "step"));
    if (audit->rerun >= 0)
        (void)printf("  computed again: %s after step %lld\n",
                     cli_count(count, audit->rerun, "step"), (long long)audit->rerun_from);
    cli_enclosed_print(enclosed);
    (void)printf("verdict: %s\n", verdict_of(audit));
}

static int complain(const cli_call *call, const cli_audit *audit)
{
    thud_fault fault = {.hint = "the run was altered after it was written, or by another program"};
    if (audit->damage.text[0] != '\0')
    {
        fault = audit->damage;
        return cli_complain(THUD_ERR_RECORD, &fault);
    }
    if (audit->failed_step == 0)
        return CLI_DONE;
    (void)snprintf(fault.file, sizeof fault.file, "%.255s", call->arguments[0]);
    (void)snprintf(fault.text, sizeof fault.text, "step %lld does not pass the check '%s' (%s)%s%s",
                   (long long)audit->failed_step, thud_certificate_title(audit->failed),
                   thud_certificate_text(audit->failed), audit->failed_where[0] ? ": " : "",
                   audit->failed_where);
    return cli_complain(THUD_ERR_NOT_CONVERGED, &fault);
}

static int verify(const cli_call *call, const cli_run *run)
{
    cli_audit audit;
    cli_enclosed enclosed = {.steps = -1};
    thud_fault fault = {0};
    thud_status status = cli_audit_log(call->arguments[0], run, &audit, &fault);
    if (status >= 0 && cli_has(call, "rerun"))
        status = cli_audit_rerun(call->arguments[0], run, CLI_RERUN_ALL, &audit, &fault);
    else if (status >= 0 && cli_has(call, "rerun-tail"))
        status = cli_audit_rerun(call->arguments[0], run, CLI_RERUN_TAIL, &audit, &fault);
    if (status >= 0 && cli_has(call, "enclose") && audit.damage.text[0] == '\0')
        status = cli_audit_enclose(run, &enclosed, &fault);
    if (status < 0)
        return cli_complain(status, &fault);
    int printed = CLI_DONE;
    if (cli_has(call, "json"))
        printed = print_json(&audit, &enclosed);
    else
        print_text(run, &audit, &enclosed);
    int code = complain(call, &audit);
    return code == CLI_DONE ? printed : code;
}

int command_verify(const cli_call *call)
{
    cli_run run;
    int code = cli_run_open(call->arguments[0], &run);
    if (code == CLI_DONE)
        code = verify(call, &run);
    cli_run_close(&run);
    return code;
}
