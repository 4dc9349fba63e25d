// thud info: what is in a run directory.
#include "commands.h"
#include "measure_values.h"
#include "report.h"
#include "run_argument.h"
#include "run_now.h"
#include "scene_argument.h"
#include "step_advice.h"

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

// All there is to say of a run.
typedef struct info
{
    cli_run_ending end;
    cli_run_now now;    // of one that is being written
    double first, last; // times of frames
} info;

static bool is_running(const info *all)
{
    return strcmp(all->end.how, "running") == 0;
}

static void print_ending(const info *all, const char *folder)
{
    const cli_run_ending *end = &all->end;
    bool is_interrupted = strcmp(end->how, "interrupted") == 0;
    // the lock or the log tell these
    bool is_known = is_interrupted || is_running(all) || strcmp(end->how, "incomplete") == 0;
    const char *wrong = cli_run_json_trouble(folder, end->text);
    (void)printf(is_known || wrong ? "  ending: " : "  ending, as recorded: ");
    cli_print_safe(stdout, wrong ? "unknown" : end->how);
    (void)printf("%s", end->error[0] ? ": " : "");
    cli_print_safe(stdout, end->error);
    (void)printf("%s\n", is_interrupted ? "; 'thud resume' continues it" : "");
    if (wrong)
        (void)printf("  run.json: %s\n", wrong);
}

// What the run says of its steps, unless that was written when it began.
static void print_figures(const info *all)
{
    const cli_run_ending *end = &all->end;
    char count[CLI_COUNT_SIZE], gap[THUD_NUMBER_SIZE];
    if (is_running(all) || strcmp(end->how, "interrupted") == 0 ||
        !(end->steps >= 0 && end->steps < 1e15))
        return;
    (void)printf("  as recorded: %s, smallest gap %s, ",
                 cli_count(count, (long long)end->steps, "step"),
                 isnan(end->min_gap) ? "unknown (none was near)" : cli_short(gap, end->min_gap));
    (void)printf("largest change of a gap that makes every step exact: %s\n",
                 cli_short(gap, end->backward));
    (void)printf("  as recorded: %.0f of %.0f recorded steps hold; 'thud verify' verifies them\n",
                 end->held, end->checked);
}

static void print_text(const cli_run *run, const info *all, const char *folder)
{
    const thud_scene *scene = run->scene;
    thud_log_summary log = thud_log_look(run->log);
    char count[CLI_COUNT_SIZE], bytes[THUD_NUMBER_SIZE];
    bool is_empty = log.frame_count == 0;
    cli_print_scene(scene);
    (void)putchar('\n');
    (void)printf("  %s from t = %g to %g, %s, all checksums match%s\n",
                 cli_count(count, log.frame_count, "frame"), is_empty ? scene->start : all->first,
                 is_empty ? scene->start : all->last, cli_bytes(bytes, (double)log.bytes),
                 log.is_cut ? "; the last one was cut off and is left out" : "");
    if (log.first_node > 0)
    {
        (void)printf("  continues ");
        cli_print_safe(stdout, all->end.origin[0] ? all->end.origin : "another run");
        (void)printf(" after step %lld; steps before it are not in this run\n",
                     (long long)log.first_node);
    }
    cli_print_far_step("  ", scene, run->model);
    print_ending(all, folder);
    if (is_running(all))
        cli_run_now_print(&all->now, scene);
    print_figures(all);
}

static int print_json(const cli_run *run, const info *all)
{
    cli_json json = {0};
    const cli_run_ending *end = &all->end;
    thud_log_summary log = thud_log_look(run->log);
    cli_json_open(&json, NULL);
    cli_json_text(&json, "title", run->scene->title);
    cli_json_text(&json, "kind", run->scene->kind == THUD_SCENE_SPHERES ? "spheres" : "inclusion");
    cli_json_whole(&json, "bodies", run->scene->body_count);
    cli_json_whole(&json, "coordinates", log.dim);
    cli_json_number(&json, "step", run->scene->step);
    cli_step_json(run->scene, run->model, &json);
    cli_json_whole(&json, "first_step", log.first_node);
    cli_json_whole(&json, "frames", log.frame_count);
    cli_json_number(&json, "missing_frames", end->missing_frames);
    cli_json_number(&json, "missing_steps", end->missing_steps);
    cli_json_number(&json, "first", all->first);
    cli_json_number(&json, "last", all->last);
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
    if (is_running(all))
        cli_run_now_json(&all->now, &json);
    cli_measures_of_run(run, &json);
    cli_json_close(&json);
    return cli_json_print(&json);
}

static int print_info(const cli_call *call, const cli_run *run)
{
    const char *folder = call->arguments[0];
    thud_fault fault = {0};
    info *all = calloc(1, sizeof *all);
    if (!all)
        return cli_complain(THUD_ERR_MEMORY, &fault);
    all->first = all->last = NAN;
    thud_status status = look_at_frames(run->log, &all->first, &all->last, &fault);
    int code = status < 0 ? cli_run_complain(status, &fault) : CLI_DONE;
    if (code == CLI_DONE)
    {
        thud_log_summary log = thud_log_look(run->log);
        cli_run_ending_read(folder, &all->end);
        cli_run_ending_match(&all->end, &log, log.frame_count > 0 ? all->last : run->scene->start);
        if (is_running(all))
            cli_run_now_read(folder, run, &all->end, &all->now);
        if (cli_has(call, "json"))
            code = print_json(run, all);
        else
            print_text(run, all, folder);
    }
    free(all);
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
