// thud converge: a scene at many steps, and what its errors do.
#include "commands.h"
#include "converge_measure.h"
#include "progress.h"
#include "report.h"
#include "scene_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thud/show.h>

static const char *const norms[THUD_NORM_COUNT] = {"u", "q", "impulse"};
static const char *const references[] = {"exact", "events", "finest"};
static const char *const kinds[] = {"settles", "slow", "wanders"};
static const char *const verdicts[] = {"within", "slower", "agree", "several", "unknown"};

static int show_progress(int run, int count, void *user)
{
    cli_progress *progress = user;
    double part = (double)run / count;
    if (cli_progress_is_due(progress, part))
        cli_progress_show(progress, "of the runs");
    return 0;
}

static void print_reference(const thud_converge_result *result)
{
    static const char *const texts[] = {
        "errors against the exact solution that the scene gives",
        "errors against the impacts, followed one by one without a step",
        ("no solution is known: differences from the run with the smallest step, which are not "
         "errors")};
    (void)printf("  %s", texts[result->reference]);
    if (result->reference == THUD_REFERENCE_FINEST)
        (void)printf("\n    (%s)", result->why);
    (void)printf("\n  tolerances shrink with the step: those of the scene times h / %.6g\n",
                 result->runs[0].h);
}

static void print_table(const thud_converge_result *result)
{
    bool has_near = false;
    (void)printf("\n  %-8s%12s%11s%9s%11s%9s%11s%9s\n", "sequence", "h", "L1 u", "/h", "max q",
                 "/h", "E", "/h");
    for (int i = 0; i < result->run_count; i++)
    {
        const thud_converge_run *run = &result->runs[i];
        bool first = i == 0 || run->sequence != run[-1].sequence;
        (void)printf("  %-8s%12.6g", first ? result->sequences[run->sequence].name : "", run->h);
        for (int k = 0; k < THUD_NORM_COUNT && !isnan(run->error[k]); k++)
            (void)printf("%11.2e%9.3g", run->error[k], run->error[k] / run->h);
        bool is_near = thud_converge_is_near(result, i) && !isnan(run->error[0]);
        has_near = has_near || is_near;
        (void)printf(isnan(run->error[0]) ? "  the reference\n" : is_near ? " *\n" : "\n");
    }
    if (has_near)
        (void)printf("  * less than 4 times the reference's step: the difference shows too little "
                     "of the error,\n    and C, orders and chart leave it out\n");
    (void)putchar('\n');
}

static void print_fit(const thud_converge_result *result)
{
    const char *what = result->reference == THUD_REFERENCE_FINEST ? "difference" : "error";
    if (result->verdict == THUD_CONVERGE_SEVERAL || result->verdict == THUD_CONVERGE_UNKNOWN)
        return; // nothing is fitted to errors that do not shrink
    (void)printf("  largest %s / h, C:", what);
    for (int k = 0; k < THUD_NORM_COUNT; k++)
        (void)printf(" %s %.3g%s", norms[k], result->constant[k],
                     k + 1 < THUD_NORM_COUNT ? "," : "\n");
    (void)printf("  fitted order:");
    for (int k = 0; k < THUD_NORM_COUNT; k++)
    {
        if (isnan(result->order[k]))
            (void)printf(" %s none, all is rounding", norms[k]);
        else
            (void)printf(" %s %.2f", norms[k], result->order[k]);
        (void)printf(k + 1 < THUD_NORM_COUNT ? "," : "\n");
    }
    (void)printf("    (an impact's error depends on where in a step it falls: of a correct code "
                 "orders\n    scatter from 0.65 to 1.25; what counts is that error / h does not "
                 "grow)\n");
}

static void print_sequences(const thud_converge_result *result)
{
    for (int i = 0; i < result->sequence_count; i++)
    {
        const thud_converge_sequence *s = &result->sequences[i];
        char change[THUD_NUMBER_SIZE];
        (void)printf("  %s: ", s->name);
        if (result->verdict == THUD_CONVERGE_UNKNOWN)
            (void)printf("its last two runs differ by %s in q\n",
                         thud_words_short(change, s->change));
        else if (s->kind == THUD_SEQUENCE_WANDERS)
            (void)printf("no limit, its last two runs differ by %s in q\n",
                         thud_words_short(change, s->change));
        else
            (void)printf("limit %d, its last two runs differ by %s in q%s\n", s->limit + 1,
                         thud_words_short(change, s->change),
                         s->kind == THUD_SEQUENCE_SLOW ? ", and differences shrink slower than h"
                                                       : "");
    }
}

static void print_verdict(const thud_converge_result *result)
{
    char spread[THUD_NUMBER_SIZE], left[THUD_NUMBER_SIZE], motion[THUD_NUMBER_SIZE];
    thud_words_short(spread, result->spread);
    switch (result->verdict)
    {
    case THUD_CONVERGE_WITHIN:
        (void)printf("one limit; errors stay below C h over all %d runs, as convergence of order 1 "
                     "would have\nit (no finite number of steps proves it)\n",
                     result->run_count);
        break;
    case THUD_CONVERGE_SLOWER:
        (void)printf("one limit; but error / h grows as the step shrinks: errors are not shown to "
                     "be below C h\n");
        break;
    case THUD_CONVERGE_AGREE:
        (void)printf("the sequences agree to %s in q; that they agree with the solution cannot be "
                     "told from them\n",
                     spread);
        break;
    case THUD_CONVERGE_UNKNOWN:
        (void)printf("it cannot be told whether there is one limit: the runs are up to %s apart in "
                     "q at the end of\nsequences, and may be %s from a limit, of a motion of %s; "
                     "take more levels or smaller steps\n",
                     spread, thud_words_short(left, result->left),
                     thud_words_short(motion, result->motion));
        break;
    case THUD_CONVERGE_SEVERAL:
    default:
        (void)printf("NOT one limit: the ends of sequences are up to %s apart in q; the limit "
                     "depends on how\nthe step goes to 0\n",
                     spread);
        break;
    }
}

static void json_runs(thud_json *json, const thud_converge_result *result)
{
    thud_json_list(json, "runs");
    for (int i = 0; i < result->run_count; i++)
    {
        const thud_converge_run *run = &result->runs[i];
        thud_json_open(json, NULL);
        thud_json_text(json, "sequence", result->sequences[run->sequence].name);
        thud_json_number(json, "h", run->h);
        thud_json_whole(json, "steps", run->steps);
        thud_json_number(json, "tolerance_part", run->part);
        thud_json_flag(json, "near_reference", thud_converge_is_near(result, i));
        for (int k = 0; k < THUD_NORM_COUNT; k++)
            thud_json_number(json, norms[k], run->error[k]);
        thud_json_close(json);
    }
    thud_json_list_end(json);
}

static int print_json(const thud_scene *scene, const thud_converge_result *result)
{
    thud_json json = {0};
    thud_json_open(&json, NULL);
    thud_json_text(&json, "title", scene->title);
    thud_json_text(&json, "reference", references[result->reference]);
    thud_json_text(&json, "verdict", verdicts[result->verdict]);
    thud_json_whole(&json, "limits", result->limit_count);
    thud_json_number(&json, "spread", result->spread);
    thud_json_number(&json, "motion", result->motion);
    thud_json_number(&json, "left", result->left);
    thud_json_open(&json, "constant");
    for (int k = 0; k < THUD_NORM_COUNT; k++)
        thud_json_number(&json, norms[k], result->constant[k]);
    thud_json_close(&json);
    thud_json_open(&json, "order");
    for (int k = 0; k < THUD_NORM_COUNT; k++)
        thud_json_number(&json, norms[k], result->order[k]);
    thud_json_close(&json);
    thud_json_list(&json, "sequences");
    for (int i = 0; i < result->sequence_count; i++)
    {
        const thud_converge_sequence *s = &result->sequences[i];
        thud_json_open(&json, NULL);
        thud_json_text(&json, "name", s->name);
        thud_json_text(&json, "kind", kinds[s->kind]);
        thud_json_whole(&json, "limit", s->limit);
        thud_json_number(&json, "change", s->change);
        thud_json_close(&json);
    }
    thud_json_list_end(&json);
    json_runs(&json, result);
    thud_json_close(&json);
    return cli_json_print(&json);
}

static int print_result(const cli_call *call, const thud_scene *scene,
                        const thud_converge_result *result)
{
    int code = CLI_DONE;
    if (cli_has(call, "json"))
        code = print_json(scene, result);
    else
    {
        cli_print_safe(stdout, scene->title);
        (void)putchar('\n');
        print_reference(result);
        print_table(result);
        print_fit(result);
        print_sequences(result);
        print_verdict(result);
    }
    if (code == CLI_DONE && result->verdict == THUD_CONVERGE_SEVERAL)
        return CLI_DIFFERENT;
    return code == CLI_DONE && result->verdict == THUD_CONVERGE_UNKNOWN ? CLI_UNDECIDED : code;
}

static int read_numbers(const cli_call *call, thud_converge_def *def)
{
    const char *step = cli_value(call, "step", NULL), *levels = cli_value(call, "levels", NULL);
    if (step && !(thud_number_read(step, strlen(step), &def->h) && def->h > 0))
        return cli_usage_error("such as 0.01", "--step is a number above 0, not '%s'", step);
    if (levels)
    {
        size_t digits = strspn(levels, "0123456789");
        def->levels =
            digits > 0 && digits < 4 && !levels[digits] ? (int)strtol(levels, NULL, 10) : 0;
        if (def->levels < 3 || def->levels > 16)
            return cli_usage_error("of fewer than three steps nothing can be said",
                                   "--levels is a number from 3 to 16, not '%s'", levels);
    }
    return CLI_DONE;
}

// --reference must be what there is: no other is taken instead.
static int check_reference(const cli_call *call, const thud_converge_result *result)
{
    const char *wanted = cli_value(call, "reference", references[result->reference]);
    if (strcmp(wanted, references[result->reference]) == 0)
        return CLI_DONE;
    return cli_usage_error("leave --reference out", "this scene has no reference '%s'%s%s", wanted,
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
        return cli_complain(status, &fault);
    thud_converge_result result = thud_converge_look(study);
    code = check_reference(call, &result);
    if (code == CLI_DONE && out)
        status = thud_plot_convergence(&result, out, "converge", NULL, &fault);
    if (status < 0)
        code = cli_complain(status, &fault);
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
