// What a study of convergence says: a table and sentences, or JSON.
#include "thud/converge.h"

#include <math.h>

static const char *const norms[THUD_NORM_COUNT] = {"u", "q", "impulse"};
static const char *const references[] = {"exact", "events", "finest"};
static const char *const kinds[] = {"settles", "slow", "wanders"};
static const char *const verdicts[] = {"within", "slower", "agree", "several", "unknown"};

static void write_reference(const thud_converge_result *result, thud_writer *writer)
{
    static const char *const texts[] = {
        "errors against the exact solution that the scene gives",
        "errors against the impacts, followed one by one without a step",
        ("no solution is known: differences from the run with the smallest step, which are not "
         "errors")};
    thud_write(writer, "  %s", texts[result->reference]);
    if (result->reference == THUD_REFERENCE_FINEST)
        thud_write(writer, "\n    (%s)", result->why);
    thud_write(writer, "\n  tolerances shrink with the step: those of the scene times h / %.6g\n",
               result->runs[0].h);
}

static void write_table(const thud_converge_result *result, thud_writer *writer)
{
    bool has_near = false;
    thud_write(writer, "\n  %-8s%12s%11s%9s%11s%9s%11s%9s\n", "sequence", "h", "L1 u", "/h",
               "max q", "/h", "E", "/h");
    for (int i = 0; i < result->run_count; i++)
    {
        const thud_converge_run *run = &result->runs[i];
        bool first = i == 0 || run->sequence != run[-1].sequence;
        thud_write(writer, "  %-8s%12.6g", first ? result->sequences[run->sequence].name : "",
                   run->h);
        for (int k = 0; k < THUD_NORM_COUNT && !isnan(run->error[k]); k++)
            thud_write(writer, "%11.2e%9.3g", run->error[k], run->error[k] / run->h);
        bool is_near = thud_converge_is_near(result, i) && !isnan(run->error[0]);
        has_near = has_near || is_near;
        thud_write(writer, isnan(run->error[0]) ? "  the reference\n" : is_near ? " *\n" : "\n");
    }
    if (has_near)
        thud_write(writer,
                   "  * less than 4 times the reference's step: the difference shows too little "
                   "of the error,\n    and C, orders and chart leave it out\n");
    thud_write(writer, "\n");
}

static void write_fit(const thud_converge_result *result, thud_writer *writer)
{
    const char *what = result->reference == THUD_REFERENCE_FINEST ? "difference" : "error";
    if (result->verdict == THUD_CONVERGE_SEVERAL || result->verdict == THUD_CONVERGE_UNKNOWN)
        return; // nothing is fitted to errors that do not shrink
    thud_write(writer, "  largest %s / h, C:", what);
    for (int k = 0; k < THUD_NORM_COUNT; k++)
        thud_write(writer, " %s %.3g%s", norms[k], result->constant[k],
                   k + 1 < THUD_NORM_COUNT ? "," : "\n");
    thud_write(writer, "  fitted order:");
    for (int k = 0; k < THUD_NORM_COUNT; k++)
    {
        if (isnan(result->order[k]))
            thud_write(writer, " %s none, all is rounding", norms[k]);
        else
            thud_write(writer, " %s %.2f", norms[k], result->order[k]);
        thud_write(writer, k + 1 < THUD_NORM_COUNT ? "," : "\n");
    }
    thud_write(writer,
               "    (an impact's error depends on where in a step it falls: of a correct code "
               "orders\n    scatter from 0.65 to 1.25; what counts is that error / h does not "
               "grow)\n");
}

static void write_sequences(const thud_converge_result *result, thud_writer *writer)
{
    for (int i = 0; i < result->sequence_count; i++)
    {
        const thud_converge_sequence *s = &result->sequences[i];
        char change[THUD_NUMBER_SIZE];
        thud_write(writer, "  %s: ", s->name);
        if (result->verdict == THUD_CONVERGE_UNKNOWN)
            thud_write(writer, "its last two runs differ by %s in q\n",
                       thud_words_short(change, s->change));
        else if (s->kind == THUD_SEQUENCE_WANDERS)
            thud_write(writer, "no limit, its last two runs differ by %s in q\n",
                       thud_words_short(change, s->change));
        else
            thud_write(writer, "limit %d, its last two runs differ by %s in q%s\n", s->limit + 1,
                       thud_words_short(change, s->change),
                       s->kind == THUD_SEQUENCE_SLOW ? ", and differences shrink slower than h"
                                                     : "");
    }
}

static void write_verdict(const thud_converge_result *result, thud_writer *writer)
{
    char spread[THUD_NUMBER_SIZE], left[THUD_NUMBER_SIZE], motion[THUD_NUMBER_SIZE];
    thud_words_short(spread, result->spread);
    switch (result->verdict)
    {
    case THUD_CONVERGE_WITHIN:
        thud_write(writer,
                   "one limit; errors stay below C h over all %d runs, as convergence of order 1 "
                   "would have\nit (no finite number of steps proves it)\n",
                   result->run_count);
        break;
    case THUD_CONVERGE_SLOWER:
        thud_write(writer,
                   "one limit; but error / h grows as the step shrinks: errors are not shown to "
                   "be below C h\n");
        break;
    case THUD_CONVERGE_AGREE:
        thud_write(writer,
                   "the sequences agree to %s in q; that they agree with the solution cannot be "
                   "told from them\n",
                   spread);
        break;
    case THUD_CONVERGE_UNKNOWN:
        thud_write(writer,
                   "it cannot be told whether there is one limit: the runs are up to %s apart in "
                   "q at the end of\nsequences, and may be %s from a limit, of a motion of %s; "
                   "take more levels or smaller steps\n",
                   spread, thud_words_short(left, result->left),
                   thud_words_short(motion, result->motion));
        break;
    case THUD_CONVERGE_SEVERAL:
    default:
        thud_write(writer,
                   "NOT one limit: the ends of sequences are up to %s apart in q; the limit "
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

void thud_converge_json(const thud_scene *scene, const thud_converge_result *result,
                        thud_json *json)
{
    thud_json_open(json, NULL);
    thud_json_text(json, "title", scene->title);
    thud_json_text(json, "reference", references[result->reference]);
    thud_json_text(json, "verdict", verdicts[result->verdict]);
    thud_json_whole(json, "limits", result->limit_count);
    thud_json_number(json, "spread", result->spread);
    thud_json_number(json, "motion", result->motion);
    thud_json_number(json, "left", result->left);
    thud_json_open(json, "constant");
    for (int k = 0; k < THUD_NORM_COUNT; k++)
        thud_json_number(json, norms[k], result->constant[k]);
    thud_json_close(json);
    thud_json_open(json, "order");
    for (int k = 0; k < THUD_NORM_COUNT; k++)
        thud_json_number(json, norms[k], result->order[k]);
    thud_json_close(json);
    thud_json_list(json, "sequences");
    for (int i = 0; i < result->sequence_count; i++)
    {
        const thud_converge_sequence *s = &result->sequences[i];
        thud_json_open(json, NULL);
        thud_json_text(json, "name", s->name);
        thud_json_text(json, "kind", kinds[s->kind]);
        thud_json_whole(json, "limit", s->limit);
        thud_json_number(json, "change", s->change);
        thud_json_close(json);
    }
    thud_json_list_end(json);
    json_runs(json, result);
    thud_json_close(json);
}

const char *thud_reference_name(thud_reference reference)
{
    return references[reference];
}

void thud_converge_write(const thud_scene *scene, const thud_converge_result *result,
                         thud_writer *writer)
{
    thud_write_safe(writer, scene->title);
    thud_write(writer, "\n");
    write_reference(result, writer);
    write_table(result, writer);
    write_fit(result, writer);
    write_sequences(result, writer);
    write_verdict(result, writer);
}
