// thud info: what is in a run directory.
#include "commands.h"
#include "report.h"
#include "run/measure_values.h"
#include "run/remedy.h"
#include "run/run_argument.h"
#include "run/run_now.h"
#include "scene_argument.h"
#include <thud/estimate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_SHOWN = 8 // groups of damaged frames
};

// All there is to say of a run.
typedef struct info
{
    thudi_run_ending end;
    thudi_run_now now; // of one that is being written
    double times[2];   // of the first and the last frame
    bool is_damaged;   // checksums of the log are wrong: damaged frames were left out
} info;

static bool is_running(const info *all)
{
    return strcmp(all->end.how, "running") == 0;
}

// What to do next.
static const char *next_command(const char *how)
{
    if (strcmp(how, "interrupted") == 0 || strcmp(how, "stopped") == 0)
        return "; 'thud resume' continues it";
    return strcmp(how, "incomplete") == 0 ? "; 'thud verify' says what to do" : "";
}

static void print_ending(const info *all, const char *folder)
{
    const thudi_run_ending *end = &all->end;
    // the lock, the log or the files tell these
    bool is_known = strcmp(end->how, "interrupted") == 0 || is_running(all) ||
                    strcmp(end->how, "incomplete") == 0;
    const char *wrong = thudi_run_json_trouble(folder, end->text);
    (void)printf(is_known || wrong ? "  ending: " : "  ending, as recorded: ");
    cli_print_safe(stdout, wrong ? "unknown" : end->how);
    (void)printf("%s", end->error[0] ? ": " : "");
    cli_print_safe(stdout, end->error);
    (void)printf("%s\n", all->is_damaged ? "" : next_command(wrong ? "incomplete" : end->how));
    if (wrong)
        (void)printf("  run.json: %s\n", wrong);
}

// "; damaged: frames 3 to 5, 9": the numbers that are not among those of the frames read.
static void print_damaged(const thud_log *log)
{
    thud_log_summary summary = thud_log_look(log);
    int64_t next = 0, left = summary.damaged_count;
    (void)printf("; damaged: %s", left > 1 ? "frames" : "frame");
    for (int64_t i = 0, shown = 0; left > 0; i++)
    {
        bool is_end = i >= summary.frame_count;
        int64_t number = is_end ? next + left : thud_log_number(log, i);
        int64_t lost = number - next;
        if (lost > 0 && shown == MOST_SHOWN)
        {
            (void)printf(" and %lld more", (long long)left);
            return;
        }
        if (lost > 0)
            (void)printf(shown++ > 0 ? ", %lld" : " %lld", (long long)next);
        if (lost > 1)
            (void)printf(" to %lld", (long long)number - 1);
        left -= lost;
        next = number + 1;
    }
}

// What of the log could be read.
static void print_log(const thudi_run *run, const info *all)
{
    thud_log_summary log = thud_log_look(run->log);
    char count[THUD_COUNT_SIZE], bytes[THUD_NUMBER_SIZE];
    bool is_empty = log.frame_count == 0;
    (void)printf("  %s%s from t = %g to %g, %s", thud_words_count(count, log.frame_count, "frame"),
                 all->is_damaged ? " intact" : "", is_empty ? run->scene->start : all->times[0],
                 is_empty ? run->scene->start : all->times[1],
                 thud_words_bytes(bytes, (double)log.bytes));
    if (!all->is_damaged)
        (void)printf(", all checksums of the log match%s\n",
                     log.is_cut ? "; the last frame was cut off and is left out" : "");
    else
    {
        if (log.damaged_count > 0)
            print_damaged(run->log);
        (void)printf("%s\n", log.is_cut ? "; the end of the log cannot be read" : "");
        (void)printf("  hashes of steps are intact up to step %lld\n",
                     (long long)log.step_count - 1);
    }
}

// What the run says of its steps, unless that was written when it began.
static void print_figures(const info *all)
{
    const thudi_run_ending *end = &all->end;
    char count[THUD_COUNT_SIZE], gap[THUD_NUMBER_SIZE];
    if (is_running(all) || strcmp(end->how, "interrupted") == 0 ||
        !(end->steps >= 0 && end->steps < 1e15))
        return;
    (void)printf("  as recorded: %s, smallest gap %s, ",
                 thud_words_count(count, (long long)end->steps, "step"),
                 isnan(end->min_gap) ? "unknown (none was near)"
                                     : thud_words_short(gap, end->min_gap));
    (void)printf("largest change of a gap that makes every step exact: %s\n",
                 thud_words_short(gap, end->backward));
    (void)printf("  as recorded: %.0f of %.0f recorded steps hold; 'thud verify' verifies them\n",
                 end->held, end->checked);
}

static void print_text(const thudi_run *run, const info *all, const char *folder)
{
    const thud_scene *scene = run->scene;
    thud_log_summary log = thud_log_look(run->log);
    cli_print_scene(scene);
    (void)putchar('\n');
    print_log(run, all);
    if (log.first_node > 0)
    {
        (void)printf("  continues ");
        cli_print_safe(stdout, all->end.origin[0] ? all->end.origin : "another run");
        (void)printf(" after step %lld; steps before it are not in this run\n",
                     (long long)log.first_node);
    }
    thud_writer out = cli_writer(stdout);
    thud_step_write_far("  ", scene, run->model, &out);
    print_ending(all, folder);
    if (is_running(all))
        thudi_run_now_print(&all->now, scene);
    print_figures(all);
}

static int print_json(const thudi_run *run, const info *all)
{
    thud_json json = {0};
    const thudi_run_ending *end = &all->end;
    thud_log_summary log = thud_log_look(run->log);
    thud_json_open(&json, NULL);
    thud_json_text(&json, "title", run->scene->title);
    thud_json_text(&json, "kind", run->scene->kind == THUD_SCENE_SPHERES ? "spheres" : "inclusion");
    thud_json_whole(&json, "bodies", run->scene->body_count);
    thud_json_whole(&json, "coordinates", log.dim);
    thud_json_number(&json, "step", run->scene->step);
    thud_step_write_json(run->scene, run->model, &json);
    thud_json_whole(&json, "first_step", log.first_node);
    thud_json_whole(&json, "frames", log.frame_count);
    thud_json_number(&json, "missing_frames", end->missing_frames);
    thud_json_number(&json, "missing_steps", end->missing_steps);
    thud_json_whole(&json, "damaged_frames", log.damaged_count);
    thud_json_number(&json, "first", all->times[0]);
    thud_json_number(&json, "last", all->times[1]);
    thud_json_whole(&json, "bytes", log.bytes);
    thud_json_flag(&json, "is_cut", log.is_cut);
    thud_json_text(&json, "ending", end->how);
    thud_json_text(&json, "error", end->error);
    thud_json_number(&json, "steps", end->steps);
    thud_json_number(&json, "min_gap", end->min_gap);
    thud_json_number(&json, "backward", end->backward);
    thud_json_number(&json, "forward", end->forward);
    thud_json_number(&json, "checked", end->checked);
    thud_json_number(&json, "held", end->held);
    if (is_running(all))
        thudi_run_now_json(&all->now, &json);
    thudi_measures_of_run(run, &json);
    thud_json_close(&json);
    return cli_json_print(&json);
}

// How the run ended, by run.json, the log and the files that are there.
static void find_ending(const thudi_run *run, const char *folder, info *all)
{
    thud_log_summary log = thud_log_look(run->log);
    thudi_run_ending_read(folder, &all->end);
    thudi_run_ending_match(&all->end, &log,
                           log.frame_count > 0 ? all->times[1] : run->scene->start);
    if (all->is_damaged)
    {
        (void)snprintf(all->end.how, sizeof all->end.how, "incomplete");
        (void)snprintf(all->end.error, sizeof all->end.error, "the log is damaged");
    }
    thudi_run_ending_files(folder, &all->end);
    if (is_running(all))
        thudi_run_now_read(folder, run, &all->end, &all->now);
}

static int print_info(const cli_call *call, const thudi_run *run, info *all)
{
    find_ending(run, call->arguments[0], all);
    if (cli_has(call, "json"))
        return print_json(run, all);
    print_text(run, all, call->arguments[0]);
    return CLI_DONE;
}

// Open the log, and read all of it: only then is it known whether its checksums match.
static thud_status read_log(const char *folder, bool skips_damaged, thudi_run *run, info *all,
                            thud_fault *fault)
{
    all->times[0] = all->times[1] = NAN;
    all->is_damaged = skips_damaged;
    thud_status status = thudi_run_try(folder, skips_damaged, run, fault);
    return status < 0
               ? status
               : thudi_run_read_frames(run, thud_log_look(run->log).frame_count, all->times, fault);
}

// The log is damaged: print what can be read of it, then what is wrong.
static int print_rest(const cli_call *call, thudi_run *run, info *all, thud_fault *fault)
{
    const char *folder = call->arguments[0];
    thud_fault second = {0};
    thudi_run_close(run);
    *run = (thudi_run){0};
    if (fault->hint[0] == '\0' && read_log(folder, true, run, all, &second) >= 0)
    {
        (void)print_info(call, run, all);
        thudi_remedy(folder, THUDI_DAMAGE_READ, fault);
        size_t length = strlen(fault->hint);
        (void)snprintf(fault->hint + length, sizeof fault->hint - length,
                       "; 'thud view --skip-damaged' shows the intact frames");
    }
    return thudi_run_complain_damaged(folder, THUD_ERR_RECORD, fault);
}

int command_info(const cli_call *call)
{
    thudi_run run;
    thud_fault fault = {0};
    const char *folder = call->arguments[0];
    info *all = calloc(1, sizeof *all);
    if (!all)
        return cli_complain(THUD_ERR_MEMORY, &fault);
    thud_status status = read_log(folder, false, &run, all, &fault);
    int code;
    if (status == THUD_ERR_RECORD)
        code = print_rest(call, &run, all, &fault);
    else
        code = status < 0 ? cli_complain(status, &fault) : print_info(call, &run, all);
    if (status >= 0 && strcmp(all->end.how, "incomplete") != 0)
        thudi_run_warn_of_series(&run);
    free(all);
    thudi_run_close(&run);
    return code;
}
