// thud view: a run as one HTML page.
#include "commands.h"
#include "progress.h"
#include "run_argument.h"
#include "run_output.h"

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
        return cli_fail_usage("give a number such as 2.5",
                              "--max-size must be a number of megabytes, not '%s'", text);
    *bytes = (int64_t)(megabytes * 1e6) + 1;
    return CLI_DONE;
}

static thud_page_run page_run(const thud_recorded_ending *end)
{
    thud_page_run run = {
        .ending = end->how, .error = end->error, .checked = end->checked, .held = end->held};
    memcpy(run.figures, end->figures, sizeof run.figures);
    memcpy(run.worst, end->worst, sizeof run.worst);
    return run;
}

static void print_size(const thud_recorded *run, const thud_page_def *def,
                       const thud_page_size *size)
{
    char frames[THUD_COUNT_SIZE], bytes[THUD_NUMBER_SIZE], left_out[120];
    (void)printf("%s in %s, %s", thud_words_count(frames, size->frames, "frame"), def->path,
                 thud_words_bytes(bytes, (double)size->bytes));
    if (size->stride > def->stride)
        (void)printf(" (one frame in %lld, so that it fits)", (long long)size->stride);
    (void)printf("%s\n", thud_recorded_left_out(run, left_out, sizeof left_out));
}

static int write_page(const cli_call *call, const thud_recorded *run,
                      const thud_recorded_ending *end)
{
    char path[1100];
    int64_t count = thud_log_view(thud_recorded_log(run)).frame_count;
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
                         .scene = thud_recorded_scene(run),
                         .model = thud_recorded_model(run),
                         .log = thud_recorded_log(run),
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
    // the page warns of a step that is too long
    thud_status status = thud_recorded_accuracy(run, &accuracy);
    if (status < 0)
        return cli_fail(status, &fault);
    def.run.accuracy = accuracy;
    status = thud_page_write(&def, &size, &fault);
    free(accuracy.halved);
    cli_progress_end(&progress);
    if (status < 0)
        return cli_run_fail(thud_recorded_folder(run), status, &fault);
    if (!cli_has(call, "quiet"))
        print_size(run, &def, &size);
    return CLI_DONE;
}

// The page says how a run ended, and whether frames are missing.
static thud_status read_ending(const thud_recorded *run, thud_recorded_ending *end)
{
    thud_log *log = thud_recorded_log(run);
    int64_t count = thud_log_view(log).frame_count;
    thud_frame frame;
    double last = thud_recorded_scene(run)->start;
    if (count > 0 && thud_log_frame(log, count - 1, &frame, NULL) >= 0)
        last = frame.t + frame.h;
    return thud_recorded_end(run, last, end);
}

int command_view(const cli_call *call)
{
    thud_recorded *run = NULL;
    thud_recorded_ending end;
    int code = cli_run_open_argument(call, &run);
    if (code == CLI_DONE && read_ending(run, &end) < 0)
        code = cli_fail(THUD_ERR_MEMORY, &(thud_fault){0});
    if (code == CLI_DONE)
        code = write_page(call, run, &end);
    if (code == CLI_DONE)
        cli_run_warn_of_changed_series(run);
    thud_recorded_close(run);
    return code;
}
