// thud export: the frames of a run in the formats of other programs.
#include "commands.h"
#include "frame_range.h"
#include "progress.h"
#include "report.h"
#include "run_argument.h"

#include <string.h>
#include <thud/export.h>

static const char *const names[THUD_EXPORT_COUNT] = {
#define EXPORT_NAME(name, text, about) text,
    THUD_EXPORT_LIST(EXPORT_NAME)
#undef EXPORT_NAME
};

static void show(int64_t done, int64_t total, void *user)
{
    cli_progress *progress = user;
    double part = (double)done / (double)total;
    if (cli_progress_is_due(progress, part))
        cli_progress_show(progress, part, "exported");
}

static bool choose_folder(const char *run, const char *format, char *folder, size_t size)
{
    size_t length = strlen(run);
    while (length > 1 && run[length - 1] == '/')
        length--;
    if (length > 0 && run[length - 1] == '.') // "." and ".." have no name to add to
        run = "run", length = 3;
    if (length > 4 && strncmp(run + length - 4, ".run", 4) == 0)
        length -= 4;
    return snprintf(folder, size, "%.*s-%s", (int)length, run, format) < (int)size;
}

static int export_run(const cli_call *call, const cli_run *run)
{
    const char *format = cli_value(call, "format", names[0]);
    cli_frame_range range;
    char folder[1100], count[CLI_COUNT_SIZE];
    thud_fault fault = {0};
    cli_progress progress =
        cli_progress_begin(cli_has(call, "quiet") || cli_has(call, "no-progress"));
    int code = cli_frame_range_read(cli_value(call, "frames", NULL),
                                    thud_log_look(run->log).frame_count, &range);
    if (code != CLI_DONE)
        return code;
    if (!choose_folder(call->arguments[0], format, folder, sizeof folder))
        return cli_usage_error("go nearer to it", "the path of the run is too long");
    thud_export_def def = {.folder = cli_value(call, "out", folder),
                           .scene = run->scene,
                           .model = run->model,
                           .log = run->log,
                           .first = range.first,
                           .last = range.last,
                           .stride = range.stride,
                           .progress = show,
                           .user = &progress};
    while (strcmp(names[def.format], format) != 0)
        def.format++;
    thud_status status = thud_export(&def, &fault);
    cli_progress_end(&progress);
    if (status < 0)
        return cli_complain(status, &fault);
    if (!cli_has(call, "quiet"))
        (void)printf("%s as %s in %s\n",
                     cli_count(count, (def.last - def.first) / def.stride + 1, "frame"), format,
                     def.folder);
    return CLI_DONE;
}

int command_export(const cli_call *call)
{
    cli_run run;
    int code = cli_run_open(call->arguments[0], &run);
    if (code == CLI_DONE)
        code = export_run(call, &run);
    cli_run_close(&run);
    return code;
}
