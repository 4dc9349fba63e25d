// thud converge: runs a scene at many steps and measures its errors.
#include "commands.h"
#include "converge_measure.h"
#include "progress.h"
#include "report.h"
#include "scene_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thud/show.h>

static int show_progress(int run, int count, void *user)
{
    cli_progress *progress = user;
    double part = (double)run / count;
    if (cli_progress_is_due(progress, part))
        cli_progress_show(progress, "of the runs");
    return 0;
}

static int print_result(const cli_call *call, const thud_scene *scene,
                        const thud_converge_result *result)
{
    int code = CLI_DONE;
    thud_json json = {0};
    thud_writer out = cli_writer(stdout);
    if (cli_has(call, "json"))
    {
        thud_converge_json(scene, result, &json);
        code = cli_json_print(&json);
    }
    else
        thud_converge_write(scene, result, &out);
    if (code == CLI_DONE && result->verdict == THUD_CONVERGE_SEVERAL)
        return CLI_DIFFERENT;
    return code == CLI_DONE && result->verdict == THUD_CONVERGE_UNKNOWN ? CLI_UNDECIDED : code;
}

static int read_numbers(const cli_call *call, thud_converge_def *def)
{
    const char *step = cli_value(call, "step", NULL), *levels = cli_value(call, "levels", NULL);
    if (step && !(thud_number_read(step, strlen(step), &def->h) && def->h > 0))
        return cli_fail_usage("such as 0.01", "--step is a number above 0, not '%s'", step);
    if (levels)
    {
        size_t digits = strspn(levels, "0123456789");
        def->levels =
            digits > 0 && digits < 4 && !levels[digits] ? (int)strtol(levels, NULL, 10) : 0;
        if (def->levels < 3 || def->levels > 16)
            return cli_fail_usage("of fewer than three steps nothing can be said",
                                  "--levels is a number from 3 to 16, not '%s'", levels);
    }
    return CLI_DONE;
}

// --reference must name the reference that was found: no other is used instead.
static int check_reference(const cli_call *call, const thud_converge_result *result)
{
    const char *found = thud_reference_name(result->reference);
    const char *wanted = cli_value(call, "reference", found);
    if (strcmp(wanted, found) == 0)
        return CLI_DONE;
    return cli_fail_usage("leave --reference out", "this scene has no reference '%s'%s%s", wanted,
                          *result->why ? ": " : "", result->why);
}

static int converge(const cli_call *call, thud_scene *scene)
{
    thud_converge *study = NULL;
    thud_fault fault = {0};
    const char *wanted = cli_value(call, "reference", ""), *out = cli_value(call, "out", NULL);
    cli_progress progress =
        cli_progress_begin(cli_has(call, "no-progress") || cli_has(call, "json"));
    thud_converge_def def = {.scene = scene,
                             .no_exact = *wanted && strcmp(wanted, "exact") != 0,
                             .no_events = strcmp(wanted, "finest") == 0,
                             .progress = show_progress,
                             .user = &progress};
    int code = read_numbers(call, &def);
    if (code != CLI_DONE)
        return code;
    thud_status status = thud_converge_create(&def, &study, &fault);
    cli_progress_end(&progress);
    if (status < 0)
        return cli_fail(status, &fault);
    thud_converge_result result = thud_converge_view(study);
    code = check_reference(call, &result);
    if (code == CLI_DONE && out)
        status = thud_plot_convergence(&result, out, "converge", NULL, &fault);
    if (status < 0)
        code = cli_fail(status, &fault);
    else if (code == CLI_DONE)
        code = print_result(call, scene, &result);
    thud_converge_destroy(study);
    return code;
}

int command_converge(const cli_call *call)
{
    thud_scene *scene = NULL;
    bool asks_measure;
    int code = cli_converge_asks_measure(call, &asks_measure);
    if (code == CLI_DONE)
        code = cli_read_scene(call, &scene);
    if (code == CLI_DONE)
        code = asks_measure ? cli_converge_measure(call, scene) : converge(call, scene);
    thud_scene_destroy(scene);
    return code;
}
