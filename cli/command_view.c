// thud view: a run as one HTML page.
#include "commands.h"
#include "progress.h"
#include "report.h"
#include "run/accuracy_read.h"
#include "run/run_argument.h"
#include "run/run_ending.h"
#include "run_output.h"
#include <thud/estimate.h>

#include <stdlib.h>
#include <string.h>
#include <thud/page.h>

static void show(int64_t done, int64_t total, void *user)
{
    cli_progress *progress = user;
    double part = (double)done / (double)total;
    if (cli_progress_is_due(progress, part))
        cli_progress_show(progress, "packed");
}

static int read_size(const char *text, int64_t *bytes)
{
    double megabytes = 0;
    if (!text)
        return CLI_DONE;
    if (!thud_number_read(text, strlen(text), &megabytes) || !(megabytes > 0) || megabytes > 1e4)
        return cli_usage_error("give a number such as 2.5",
                               "--max-size must be a number of megabytes, not '%s'", text);
    *bytes = (int64_t)(megabytes * 1e6) + 1;
    return CLI_DONE;
}

static thud_page_run page_run(const thudi_run_ending *end)
{
    thud_page_run run = {.ending = end->how,
                         .error = end->error,
                         .steps = end->steps,
                         .sweeps = end->sweeps,
                         .min_gap = end->min_gap,
                         .violation = end->violation,
                         .backward = end->backward,
                         .forward = end->forward,
                         .between = end->between,
                         .checked = end->checked,
                         .held = end->held};
    memcpy(run.worst, end->worst, sizeof run.worst);
    return run;
}

static void say(const thudi_run *run, const thud_page_def *def, const thud_page_size *size)
{
    char frames[THUD_COUNT_SIZE], bytes[THUD_NUMBER_SIZE], left_out[120];
    (void)printf("%s in %s, %s", thud_words_count(frames, size->frames, "frame"), def->path,
                 thud_words_bytes(bytes, (double)size->bytes));
    if (size->stride > def->stride)
        (void)printf(" (one frame in %lld, so that it fits)", (long long)size->stride);
    (void)printf("%s\n", thudi_run_left_out(run, left_out, sizeof left_out));
}

// The page says how a run ended, and whether frames are missing.
static void match_log(const thudi_run *run, thudi_run_ending *end)
{
    thud_log_summary log = thud_log_look(run->log);
    thud_frame frame;
    double last = run->scene->start;
    if (log.frame_count > 0 && thud_log_frame(run->log, log.frame_count - 1, &frame, NULL) >= 0)
        last = frame.t + frame.h;
    thudi_run_ending_match(end, &log, last);
}

// The page warns of a step that is too long. Where run.json does not tell, the scene does.
static bool read_accuracy(const thudi_run *run, const char *json, thud_accuracy *accuracy)
{
    if (!thudi_accuracy_read(json, accuracy))
        return false;
    thud_step_advice advice = thud_step_advise(run->scene, run->model);
    if (accuracy->suggested_step > 0)
        return true;
    accuracy->suggested_step = advice.suggested;
    accuracy->ratio = advice.ratio;
    return true;
}

static int write_page(const cli_call *call, const thudi_run *run, const thudi_run_ending *end)
{
    char path[1100];
    int64_t count = thud_log_look(run->log).frame_count;
    cli_frames range = {0, count - 1, 1};
    thud_fault fault = {0};
    thud_page_size size;
    thud_accuracy accuracy;
    int code = cli_output_name(call->arguments[0], ".html", path, sizeof path);
    if (code != CLI_DONE)
        return code;
    cli_progress progress =
        cli_progress_begin(cli_has(call, "quiet") || cli_has(call, "no-progress"));
    thud_page_def def = {.path = cli_value(call, "out", path),
                         .folder = call->arguments[0],
                         .scene = run->scene,
                         .model = run->model,
                         .log = run->log,
                         .run = page_run(end),
                         .progress = show,
                         .user = &progress};
    const char *frames = cli_value(call, "frames", NULL);
    code = frames ? cli_frames_read(frames, count, &range) : CLI_DONE;
    if (code == CLI_DONE)
        code = read_size(cli_value(call, "max-size", NULL), &def.max_bytes);
    if (code != CLI_DONE)
        return code;
    def.first = range.first;
    def.last = range.last;
    def.stride = range.stride;
    if (!read_accuracy(run, end->text, &accuracy))
        return cli_complain(THUD_ERR_MEMORY, &fault);
    def.run.accuracy = accuracy;
    thud_status status = thud_page_write(&def, &size, &fault);
    free(accuracy.halved);
    cli_progress_end(&progress);
    if (status < 0)
        return thudi_run_complain(run->folder, status, &fault);
    if (!cli_has(call, "quiet"))
        say(run, &def, &size);
    return CLI_DONE;
}

int command_view(const cli_call *call)
{
    thudi_run run;
    int code = thudi_run_open_call(call, &run);
    thudi_run_ending *end = code == CLI_DONE ? calloc(1, sizeof *end) : NULL;
    if (end)
    {
        thudi_run_ending_read(call->arguments[0], end);
        match_log(&run, end);
        code = write_page(call, &run, end);
        if (code == CLI_DONE)
            thudi_run_warn_of_series(&run);
    }
    else if (code == CLI_DONE)
        code = cli_complain(THUD_ERR_MEMORY, &(thud_fault){0});
    free(end);
    thudi_run_close(&run);
    return code;
}
