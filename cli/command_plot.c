// thud plot: draws charts of a run.
#include "commands.h"
#include "report.h"
#include "run_argument.h"
#include "run_output.h"

#include <thud/show.h>

enum
{
    FOLDER_SIZE = 1100, // bytes; cli_output_name prints an error if the path is longer
    LEFT_OUT_SIZE = 120 // bytes, enough for every text of thud_recorded_left_out
};

// The charts that were written so far.
typedef struct charts
{
    bool quiet; // do not print their names
    int count;
} charts;

// Print the name of a chart that was just written: thud_plot_def.written.
static void print_chart(const char *name, void *user)
{
    charts *written = user;
    if (!written->quiet)
        (void)printf("%s%s", written->count > 0 ? ", " : "", name);
    written->count++;
}

// Warn if frames are damaged. The charts are correct even then: they need series.csv and the last
// frame only.
static void warn_of_damaged_frames(const thud_recorded *run)
{
    thud_fault fault = {0};
    if (thud_recorded_read_frames(run, thud_log_view(thud_recorded_log(run)).frame_count, NULL,
                                  &fault) < 0)
        cli_warn("%s: %s; the charts need series.csv and the last frame only", fault.file,
                 fault.text);
}

static int plot_run(const cli_call *call, const thud_recorded *run)
{
    char folder[FOLDER_SIZE], left_out[LEFT_OUT_SIZE];
    thud_fault fault = {0};
    charts written = {.quiet = cli_has(call, "quiet")};
    int code = cli_output_name(call->arguments[0], "-plots", folder, sizeof folder);
    if (code != CLI_DONE)
        return code;
    thud_plot_def def = {.scene = thud_recorded_scene(run),
                         .model = thud_recorded_model(run),
                         .log = thud_recorded_log(run),
                         .run = call->arguments[0],
                         .folder = cli_value(call, "out", folder),
                         .columns = cli_value(call, "columns", NULL),
                         .written = print_chart,
                         .user = &written};
    thud_status status = thud_plot(&def, &fault);
    if (!written.quiet && written.count > 0)
        (void)putchar('\n');
    if (status < 0)
        return cli_run_fail(thud_recorded_folder(run), status, &fault);
    warn_of_damaged_frames(run);
    cli_run_warn_of_changed_series(run);
    if (!written.quiet)
        (void)printf("  as SVG and PNG in %s%s\n", def.folder,
                     thud_recorded_left_out(run, left_out, sizeof left_out));
    return CLI_DONE;
}

int command_plot(const cli_call *call)
{
    thud_recorded *run;
    int code = cli_run_open_argument(call, &run);
    if (code == CLI_DONE)
        code = plot_run(call, run);
    thud_recorded_close(run);
    return code;
}
