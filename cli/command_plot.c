// thud plot: charts of a run.
#include "commands.h"
#include "report.h"
#include "run_argument.h"
#include "run_output.h"

#include <thud/show.h>

typedef struct written
{
    bool quiet;
    int count;
} written;

static void note(const char *name, void *user)
{
    written *all = user;
    if (!all->quiet)
        (void)printf("%s%s", all->count > 0 ? ", " : "", name);
    all->count++;
}

// Charts need the series and the last frame only. Warn if the log is damaged elsewhere.
static void warn_of_frames(const thud_recorded *run)
{
    thud_fault fault = {0};
    if (thud_recorded_read_frames(run, thud_log_view(thud_recorded_log(run)).frame_count, NULL,
                                  &fault) < 0)
        cli_warn("%s: %s; the charts need series.csv and the last frame only", fault.file,
                 fault.text);
}

static int plot_run(const cli_call *call, const thud_recorded *run)
{
    char folder[1100], left_out[120];
    thud_fault fault = {0};
    written all = {.quiet = cli_has(call, "quiet")};
    int code = cli_output_name(call->arguments[0], "-plots", folder, sizeof folder);
    if (code != CLI_DONE)
        return code;
    thud_plot_def def = {.scene = thud_recorded_scene(run),
                         .model = thud_recorded_model(run),
                         .log = thud_recorded_log(run),
                         .run = call->arguments[0],
                         .folder = cli_value(call, "out", folder),
                         .columns = cli_value(call, "columns", NULL),
                         .written = note,
                         .user = &all};
    thud_status status = thud_plot(&def, &fault);
    if (!all.quiet && all.count > 0)
        (void)putchar('\n');
    if (status < 0)
        return cli_run_fail(thud_recorded_folder(run), status, &fault);
    warn_of_frames(run);
    cli_run_warn_of_changed_series(run);
    if (!all.quiet)
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
