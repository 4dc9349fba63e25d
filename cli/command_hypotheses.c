// thud hypotheses: which conditions of the convergence theorem hold, and where they fail.
#include "commands.h"
#include "report.h"
#include "scene_argument.h"
#include "study/hypotheses.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    LOOKS = 20
};

static void print_text(const thudi_facts *facts, const thudi_finding *findings, int count)
{
    char rho[THUD_NUMBER_SIZE], looked[THUD_COUNT_SIZE], unit[THUD_COUNT_SIZE];
    cli_print_scene(facts->scene);
    (void)printf("\n  near means g <= rho = %s%s; examined: the start",
                 thud_words_short(rho, facts->rho),
                 thud_words_unit(unit, facts->scene->unit_length));
    if (facts->is_run)
        (void)printf(" and %s of %lld", thud_words_count(looked, facts->looks - 1, "step"),
                     (long long)facts->steps);
    (void)putchar('\n');
    for (int i = 0; i < count; i++)
    {
        (void)printf("  %-10s  %-8s", thudi_holding_name(findings[i].holding), findings[i].name);
        cli_print_safe(stdout, findings[i].text);
        if (findings[i].meaning[0] != '\0')
        {
            (void)printf("\n%22s", "");
            cli_print_safe(stdout, findings[i].meaning);
        }
        (void)putchar('\n');
    }
}

static void write_extreme(thud_json *json, const thudi_facts *facts, const char *name,
                          const thud_extreme *extreme)
{
    char where[200] = "";
    thud_json_open(json, name);
    thud_json_number(json, "value", extreme->value);
    if (extreme->value != 0 && isfinite(extreme->value))
        thud_model_describe(facts->model, extreme->key, where, sizeof where);
    thud_json_text(json, "where", where);
    thud_json_close(json);
}

static void write_gamma(thud_json *json, const thudi_facts *facts, const char *name,
                        const thudi_gamma *gamma)
{
    char where[200];
    thud_json_open(json, name);
    thud_json_number(json, "gamma", gamma->worst.gamma);
    thud_json_number(json, "at_least", gamma->worst.least);
    thud_json_flag(json, "self_stress", gamma->worst.is_stressed);
    thud_json_whole(json, "constraints", gamma->worst.rows);
    thud_json_whole(json, "clusters", gamma->worst.clusters);
    thud_json_whole(json, "setting", gamma->worst.setting);
    thud_json_number(json, "t", gamma->t);
    thud_json_list(json, "set_by");
    for (int i = 0; i < gamma->setter_count; i++)
    {
        thud_model_describe(facts->model, gamma->setter[i], where, sizeof where);
        thud_json_text(json, NULL, where);
    }
    thud_json_list_end(json);
    thud_json_close(json);
}

static void write_run(thud_json *json, const thudi_facts *facts)
{
    thud_json_whole(json, "first_step", facts->first);
    thud_json_whole(json, "steps", facts->steps);
    thud_json_whole(json, "frames", facts->frames);
    thud_json_whole(json, "looks", facts->looks);
    thud_json_number(json, "largest_speed", facts->largest_speed);
    thud_json_number(json, "variation", facts->variation);
    thud_json_flag(json, "all_steps", facts->frames == facts->steps + 1);
    thud_json_number(json, "mass", facts->total_mass);
    thud_json_number(json, "mass_over_bound", facts->worst_part);
    thud_json_whole(json, "loaded_steps", facts->loaded_steps);
    thud_json_whole(json, "held_steps", facts->held_steps);
    thud_json_whole(json, "steps_without_bound", facts->free_steps);
    thud_json_whole(json, "steps_not_judged", facts->unjudged_steps);
    thud_json_number(json, "support", facts->loaded_steps > 0 ? facts->support.value : NAN);
}

static void write_facts(thud_json *json, const thudi_facts *facts)
{
    const thud_bounds *bounds = &facts->bounds;
    thud_json_text(json, "title", facts->scene->title);
    thud_json_number(json, "rho", facts->rho);
    thud_json_number(json, "length", facts->length);
    write_extreme(json, facts, "alpha", &bounds->alpha);
    write_extreme(json, facts, "beta", &bounds->beta);
    write_extreme(json, facts, "gap_t", &bounds->gap_t);
    write_extreme(json, facts, "slope_t", &bounds->slope_t);
    write_extreme(json, facts, "gap_tt", &bounds->gap_tt);
    write_extreme(json, facts, "curvature", &bounds->curvature);
    write_extreme(json, facts, "concavity", &bounds->concavity);
    write_gamma(json, facts, "active", &facts->active);
    write_gamma(json, facts, "near", &facts->near);
    thud_json_number(json, "force", facts->force_size);
    thud_json_number(json, "lipschitz", facts->lipschitz);
    thud_json_number(json, "force_integral", facts->force_integral);
    thud_json_whole(json, "kinks", facts->kinks);
    thud_json_number(json, "start_gap", facts->start.gap.value);
    thud_json_whole(json, "start_touching", facts->start.touching);
    thud_json_number(json, "step", facts->scene->step);
    thud_json_number(json, "safe_step", facts->safe_step);
    if (facts->is_run)
        write_run(json, facts);
}

static int print_json(const thudi_facts *facts, const thudi_finding *findings, int count)
{
    thud_json json = {0};
    thud_json_open(&json, NULL);
    write_facts(&json, facts);
    thud_json_list(&json, "findings");
    for (int i = 0; i < count; i++)
    {
        thud_json_open(&json, NULL);
        thud_json_text(&json, "name", findings[i].name);
        thud_json_text(&json, "verdict", thudi_holding_name(findings[i].holding));
        thud_json_text(&json, "text", findings[i].text);
        thud_json_text(&json, "meaning", findings[i].meaning);
        thud_json_close(&json);
    }
    thud_json_list_end(&json);
    thud_json_close(&json);
    return cli_json_print(&json);
}

static int print(const cli_call *call, const thudi_facts *facts)
{
    thudi_finding findings[THUDI_FINDINGS];
    int count = thudi_judge(facts, findings);
    if (cli_has(call, "json"))
        return print_json(facts, findings, count);
    print_text(facts, findings, count);
    return CLI_DONE;
}

static int look_at_scene(const cli_call *call, const thudi_facts_def *def)
{
    thudi_facts facts;
    thud_scene *scene = NULL;
    thud_model *model = NULL;
    thud_fault fault = {0};
    int code = cli_read_scene(call, &scene);
    if (code == CLI_DONE)
    {
        thud_status status = thud_model_create(scene, NULL, &model, &fault);
        code = status < 0 ? cli_complain(status, &fault) : CLI_DONE;
    }
    if (code == CLI_DONE)
        code = thudi_gather_scene(scene, model, def, &facts);
    if (code == CLI_DONE)
        code = print(call, &facts);
    thud_model_destroy(model);
    thud_scene_destroy(scene);
    return code;
}

static int look_at_run(const cli_call *call, const thudi_facts_def *def)
{
    thudi_run run;
    thudi_facts facts;
    if (cli_has(call, "set"))
        return cli_usage_error("give the scene instead of the run, or leave out --set",
                               "--set changes scenes, not runs");
    int code = thudi_run_open(call->arguments[0], &run);
    if (code == CLI_DONE)
        code = thudi_gather_run(&run, def, &facts);
    if (code == CLI_DONE)
        code = print(call, &facts);
    thudi_run_close(&run);
    return code;
}

static bool read_positive(const char *text, double most, double *value)
{
    return thud_number_read(text, strlen(text), value) && *value > 0 && *value <= most;
}

int command_hypotheses(const cli_call *call)
{
    thudi_facts_def def = {.looks = LOOKS};
    double looks = LOOKS;
    struct stat about;
    const char *rho = cli_value(call, "rho", NULL), *count = cli_value(call, "looks", NULL);
    if (rho && !read_positive(rho, 1e300, &def.rho))
        return cli_usage_error("give a length such as 0.001",
                               "--rho must be a length above 0, not '%s'", rho);
    if (count && strcmp(count, "all") != 0 &&
        (!read_positive(count, 1e15, &looks) || looks != floor(looks)))
        return cli_usage_error("give a number such as 100, or 'all'",
                               "--looks must be 'all' or a whole number from 1, not '%s'", count);
    def.looks = count && strcmp(count, "all") == 0 ? 0 : (int64_t)looks;
    bool is_folder = stat(call->arguments[0], &about) == 0 && S_ISDIR(about.st_mode);
    return is_folder ? look_at_run(call, &def) : look_at_scene(call, &def);
}
