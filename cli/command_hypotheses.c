// thud hypotheses: which conditions of the convergence theorem hold, and where they fail.
#include "commands.h"
#include "run_argument.h"
#include "scene_argument.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <thud/findings.h>

enum
{
    LOOKS = 20
};

static int print(const cli_call *call, const thud_facts *facts)
{
    thud_json json = {0};
    thud_writer out = cli_writer(stdout);
    if (!cli_has(call, "json"))
    {
        thud_facts_write(facts, &out);
        return CLI_DONE;
    }
    thud_facts_json(facts, &json);
    return cli_json_print(&json);
}

static int measure_scene(const cli_call *call, const thud_facts_def *def)
{
    thud_facts facts;
    thud_scene *scene = NULL;
    thud_model *model = NULL;
    thud_fault fault = {0};
    int code = cli_read_scene(call, &scene);
    if (code == CLI_DONE)
    {
        thud_status status = thud_model_create(scene, NULL, &model, &fault);
        if (status >= 0)
            status = thud_facts_of_scene(scene, model, def, &facts);
        code = status < 0 ? cli_fail(status, &fault) : print(call, &facts);
    }
    thud_model_destroy(model);
    thud_scene_destroy(scene);
    return code;
}

static int measure_run(const cli_call *call, const thud_facts_def *def)
{
    thud_recorded *run = NULL;
    thud_facts facts;
    thud_fault fault = {0};
    if (cli_has(call, "set"))
        return cli_fail_usage("give the scene instead of the run, or leave out --set",
                              "--set changes scenes, not runs");
    int code = cli_run_open(call->arguments[0], &run);
    if (code == CLI_DONE)
    {
        thud_status status = thud_facts_of_run(run, def, &facts, &fault);
        code = status < 0 ? cli_fail(status, &fault) : print(call, &facts);
    }
    thud_recorded_close(run);
    return code;
}

static bool read_positive(const char *text, double most, double *value)
{
    return thud_number_read(text, strlen(text), value) && *value > 0 && *value <= most;
}

int command_hypotheses(const cli_call *call)
{
    thud_facts_def def = {.looks = LOOKS};
    double looks = LOOKS;
    struct stat about;
    const char *rho = cli_value(call, "rho", NULL), *count = cli_value(call, "looks", NULL);
    if (rho && !read_positive(rho, 1e300, &def.rho))
        return cli_fail_usage("give a length such as 0.001",
                              "--rho must be a length above 0, not '%s'", rho);
    if (count && strcmp(count, "all") != 0 &&
        (!read_positive(count, 1e15, &looks) || looks != floor(looks)))
        return cli_fail_usage("give a number such as 100, or 'all'",
                              "--looks must be 'all' or a whole number from 1, not '%s'", count);
    def.looks = count && strcmp(count, "all") == 0 ? 0 : (int64_t)looks;
    bool is_folder = stat(call->arguments[0], &about) == 0 && S_ISDIR(about.st_mode);
    return is_folder ? measure_run(call, &def) : measure_scene(call, &def);
}
