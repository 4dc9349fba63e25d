// thud info: what is in a run directory.
#include "commands.h"
#include "measure_values.h"
#include "report.h"
#include "run_argument.h"
#include "run_ending.h"
#include "scene_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Times of the first and last frame, and that every sum is right.
static thud_status look_at_frames(thud_log *log, double *first, double *last, thud_fault *fault)
{
    thud_frame frame;
    int64_t count = thud_log_look(log).frame_count;
    for (int64_t i = 0; i < count; i++)
    {
        thud_status status = thud_log_frame(log, i, &frame, fault);
        if (status < 0)
            return status;
        *last = frame.t + frame.h;
        if (i == 0)
            *first = frame.t;
    }
    return THUD_OK;
}

static void print_text(const cli_run *run, const cli_run_ending *end, double first, double last)
{
    const thud_scene *scene = run->scene;
    thud_log_summary log = thud_log_look(run->log);
    char count[CLI_COUNT_SIZE], bytes[THUD_NUMBER_SIZE], gap[THUD_NUMBER_SIZE];
    cli_print_scene(scene);
    (void)putchar('\n');
    if (log.frame_count == 0)
        first = last = run->scene->start;
    (void)printf("  %s from t = %g to %g, %s, all sums right%s\n",
                 cli_count(count, log.frame_count, "frame"), first, last,
                 cli_bytes(bytes, (double)log.bytes),
                 log.is_cut ? "; the last one was cut off and is left out" : "");
    bool is_interrupted = strcmp(end->how, "interrupted") == 0;
    bool is_known = is_interrupted || strcmp(end->how, "running") == 0; // by the lock
    (void)printf(is_known ? "  ending: " : "  ending, as the run says: ");
    cli_print_safe(stdout, end->how[0] ? end->how : "unknown");
    (void)printf("%s", end->error[0] ? ": " : "");
    cli_print_safe(stdout, end->error);
    (void)printf("%s\n", is_interrupted ? "; 'thud resume' goes on with it" : "");
    // what run.json says was written when the run began
    if (is_known || !(end->steps >= 0 && end->steps < 1e15))
        return;
    (void)printf("  as the run says: %s, smallest gap %s, ",
                 cli_count(count, (long long)end->steps, "step"),
                 isnan(end->min_gap) ? "unknown (none was near)" : cli_short(gap, end->min_gap));
    (void)printf("gaps off by at most %s\n", cli_short(gap, end->backward));
    (void)printf("  as the run says: %.0f of %.0f recorded steps hold; 'thud verify' proves it\n",
                 end->held, end->checked);
}

static int print_json(const cli_run *run, const cli_run_ending *end, double first, double last)
{
    cli_json json = {0};
    thud_log_summary log = thud_log_look(run->log);
    cli_json_open(&json, NULL);
    cli_json_text(&json, "title", run->scene->title);
    cli_json_text(&json, "kind", run->scene->kind == THUD_SCENE_SPHERES ? "spheres" : "inclusion");
    cli_json_whole(&json, "bodies", run->scene->body_count);
    cli_json_whole(&json, "coordinates", log.dim);
    cli_json_number(&json, "step", run->scene->step);
    cli_json_whole(&json, "frames", log.frame_count);
    cli_json_number(&json, "first", first);
    cli_json_number(&json, "last", last);
    cli_json_whole(&json, "bytes", log.bytes);
    cli_json_flag(&json, "is_cut", log.is_cut);
    cli_json_text(&json, "ending", end->how);
    cli_json_text(&json, "error", end->error);
    cli_json_number(&json, "steps", end->steps);
    cli_json_number(&json, "min_gap", end->min_gap);
    cli_json_number(&json, "backward", end->backward);
    cli_json_number(&json, "forward", end->forward);
    cli_json_number(&json, "checked", end->checked);
    cli_json_number(&json, "held", end->held);
    cli_measures_of_run(run, &json);
    cli_json_close(&json);
    return cli_json_print(&json);
}

static int print_info(const cli_call *call, const cli_run *run)
{
    double first = NAN, last = NAN;
    thud_fault fault = {0};
    thud_status status = look_at_frames(run->log, &first, &last, &fault);
    if (status < 0)
        return cli_complain(status, &fault);
    cli_run_ending *end = calloc(1, sizeof *end);
    if (!end)
        return cli_complain(THUD_ERR_MEMORY, &fault);
    cli_run_ending_read(call->arguments[0], end);
    int code = CLI_DONE;
    if (cli_has(call, "json"))
        code = print_json(run, end, first, last);
    else
        print_text(run, end, first, last);
    free(end);
    return code;
}

int command_info(const cli_call *call)
{
    cli_run run;
    int code = cli_run_open(call->arguments[0], &run);
    if (code == CLI_DONE)
        code = print_info(call, &run);
    cli_run_close(&run);
    return code;
}
