// thud hash: the chained hash of a run's states.
#include "commands.h"
#include "report.h"
#include "run_argument.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int print_hash(const cli_call *call, const thud_recorded *run)
{
    thud_log_summary log = thud_log_view(thud_recorded_log(run));
    int64_t first = log.first_node, count = log.step_count, n = count - 1;
    const char *text = cli_value(call, "step", NULL);
    double wanted = 0;
    if (count <= first)
    {
        thud_fault fault = {.text = "the log holds no hashes"};
        (void)snprintf(fault.file, sizeof fault.file, "%.255s", call->arguments[0]);
        return cli_fail(THUD_ERR_RECORD, &fault);
    }
    if (text && (!thud_number_read(text, strlen(text), &wanted) || wanted != floor(wanted) ||
                 !(wanted >= (double)first && wanted < (double)count)))
    {
        char hint[80];
        (void)snprintf(hint, sizeof hint,
                       first > 0 ? "this run begins after step %lld and goes to %lld"
                                 : "choose a step from %lld, the start, to %lld",
                       (long long)first, (long long)n);
        return cli_fail_usage(hint, "the run has no step '%s'", text);
    }
    n = text ? (int64_t)wanted : n;
    char digits[THUD_DIGEST_TEXT];
    thud_fault fault = {0};
    thud_digest digest;
    // a digest of damaged records must not pass for that of the run
    thud_status status =
        thud_recorded_read_frames(run, thud_recorded_count_frames(run, n), NULL, &fault);
    if (status >= 0)
        status = thud_log_digest(thud_recorded_log(run), &n, 1, &digest, &fault);
    if (status < 0)
        return cli_run_fail_without_skip(call->arguments[0], status, &fault);
    (void)printf("%016" PRIx64 "  step %lld\n", thud_log_chain(thud_recorded_log(run), n),
                 (long long)n);
    (void)printf("%s  digest of the records up to this step\n", thud_digest_text(&digest, digits));
    return CLI_DONE;
}

int command_hash(const cli_call *call)
{
    thud_recorded *run;
    int code = cli_run_open(call->arguments[0], &run);
    if (code == CLI_DONE)
        code = print_hash(call, run);
    thud_recorded_close(run);
    return code;
}
