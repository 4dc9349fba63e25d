// thud export: writes frames or steps of a run in the formats of other programs.
#include "commands.h"
#include "progress.h"
#include "report.h"
#include "run_argument.h"
#include "run_output.h"

#include <string.h>
#include <thud/export.h>

static const char *const format_names[THUD_EXPORT_COUNT] = {
#define EXPORT_NAME(name, text, about) text,
    THUD_EXPORT_LIST(EXPORT_NAME)
#undef EXPORT_NAME
};

static void show_progress(int64_t done, int64_t total, void *user)
{
    cli_progress *progress = user;
    double part = (double)done / (double)total;
    if (cli_progress_is_due(progress, part))
        cli_progress_show(progress, "exported");
}

static void print_summary(const cli_call *call, const thud_recorded *run,
                          const thud_export_def *def, bool writes_steps)
{
    char count_text[THUD_COUNT_SIZE], left_out[120];
    int64_t count = (def->last - def->first) / def->stride + 1;
    if (writes_steps && def->first == 0)
        count--; // frame 0 is the start: no step leads to it
    if (!cli_has(call, "quiet"))
        (void)printf("%s as %s in %s%s\n",
                     thud_words_count(count_text, count, writes_steps ? "step" : "frame"),
                     cli_value(call, "format", format_names[0]), def->folder,
                     thud_recorded_left_out(run, left_out, sizeof left_out));
}

static int export_run(const cli_call *call, const thud_recorded *run)
{
    const char *format = cli_value(call, "format", format_names[0]);
    const char *frames = cli_value(call, "frames", NULL);
    char folder[1100], suffix[16];
    thud_fault fault = {0};
    cli_progress progress =
        cli_progress_begin(cli_has(call, "quiet") || cli_has(call, "no-progress"));
    cli_frames chosen = {0, thud_log_view(thud_recorded_log(run)).frame_count - 1, 1};
    int code = frames ? cli_frames_read(frames, chosen.last + 1, &chosen) : CLI_DONE;
    if (code != CLI_DONE)
        return code;
    (void)snprintf(suffix, sizeof suffix, "-%s", format);
    code = cli_output_name(call->arguments[0], suffix, folder, sizeof folder);
    if (code != CLI_DONE)
        return code;
    thud_export_def def = {.folder = cli_value(call, "out", folder),
                           .scene = thud_recorded_scene(run),
                           .model = thud_recorded_model(run),
                           .log = thud_recorded_log(run),
                           .run = call->arguments[0],
                           .first = chosen.first,
                           .last = chosen.last,
                           .stride = chosen.stride,
                           .progress = show_progress,
                           .user = &progress};
    while (def.format < THUD_EXPORT_COUNT && strcmp(format_names[def.format], format) != 0)
        def.format++;
    // The options admit one format that is not in the list: fclib. It holds steps, not frames.
    bool writes_steps = def.format == THUD_EXPORT_COUNT;
    thud_status status = writes_steps ? thud_export_steps(&def, &fault) : thud_export(&def, &fault);
    cli_progress_end(&progress);
    if (status < 0)
        return cli_run_fail(thud_recorded_folder(run), status, &fault);
    if (def.format == THUD_EXPORT_HDF5)
        cli_run_warn_of_changed_series(run);
    print_summary(call, run, &def, writes_steps);
    return CLI_DONE;
}

int command_export(const cli_call *call)
{
    thud_recorded *run;
    int code = cli_run_open_argument(call, &run);
    if (code == CLI_DONE)
        code = export_run(call, run);
    thud_recorded_close(run);
    return code;
}
