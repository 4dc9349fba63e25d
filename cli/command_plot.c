// thud plot: charts of a run.
#include "commands.h"
#include "report.h"
#include "run/run_argument.h"
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

// Charts need the series and the last frame alone; a log that is damaged elsewhere is worth
// knowing.
static void warn_of_frames(const thudi_run *run)
{
    thud_fault fault = {0};
    if (thudi_run_read_frames(run, thud_log_look(run->log).frame_count, NULL, &fault) < 0)
        cli_warn("%s: %s; the charts need series.csv and the last frame only", fault.file,
                 fault.text);
}

static int plot_run(const cli_call *call, const thudi_run *run)
{
    char folder[1100], left_out[120];
    thud_fault fault = {0};
    written all = {.quiet = cli_has(call, "quiet")};
    int code = cli_output_name(call->arguments[0], "-plots", folder, sizeof folder);
    if (code != CLI_DONE)
        return code;
    thud_plot_def def = {.scene = run->scene,
                         .model = run->model,
                         .log = run->log,
                         .run = call->arguments[0],
                         .folder = cli_value(call, "out", folder),
                         .columns = cli_value(call, "columns", NULL),
                         .written = note,
                         .user = &all};
    thud_status status = thud_plot(&def, &fault);
    if (!all.quiet && all.count > 0)
        (void)putchar('\n');
    if (status < 0)
        return thudi_run_complain(run->folder, status, &fault);
    warn_of_frames(run);
    thudi_run_warn_of_series(run);
    if (!all.quiet)
        (void)printf("  as SVG and PNG in %s%s\n", def.folder,
                     thudi_run_left_out(run, left_out, sizeof left_out));
    return CLI_DONE;
}

int command_plot(const cli_call *call)
{
    thudi_run run;
    int code = thudi_run_open_call(call, &run);
    if (code == CLI_DONE)
        code = plot_run(call, &run);
    thudi_run_close(&run);
    return code;
}
