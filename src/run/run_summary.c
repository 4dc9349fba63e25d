// What a run says at its end.
#include "run/run_summary.h"

#include "core/whole.h"
#include "run/halve.h"
#include "run/run_accuracy.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The checker compares with this part of the sum of all terms; see thud_verify_def.
static const double CHECK_TOLERANCE = 8 * DBL_EPSILON;

// A violation by less than this is the rounding of an exact answer; see docs/theory.md. Large
// impulses round coarsely, so it must also be this small beside the position.
static const double FEW_ULPS = 16, TINY_PART = 1e-12;

// INFINITY for inclusions.
static double smallest_radius(const thud_scene *scene)
{
    double smallest = INFINITY;
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].sphere.radius < smallest)
            smallest = scene->bodies[i].sphere.radius;
    return smallest;
}

// "1.5e-07 m (3e-05 of the smallest radius)"
static const char *write_length(char text[200], const thud_scene *scene, double x)
{
    char number[THUD_NUMBER_SIZE], part[THUD_NUMBER_SIZE], unit[THUD_COUNT_SIZE];
    bool is_length = scene->kind == THUD_SCENE_SPHERES;
    int used = thud_format(text, 200, "%s%s", thud_words_short(number, x),
                           thud_words_unit(unit, is_length ? scene->unit_length : ""));
    if (scene->body_count > 0)
        (void)thud_format(text + used, 200 - (size_t)used, " (%s of the smallest radius)",
                          thud_words_short(part, x / smallest_radius(scene)));
    return text;
}

static bool is_rounding(const thudi_run_summary *summary)
{
    const thud_tally *tally = &summary->recorder->tally;
    const thud_state *state = summary->recorder->before;
    double size = 0;
    for (int k = 0; k < state->dim; k++)
        size = fmax(size, fabs(state->q[k]));
    for (int k = 0; k < summary->scene->coordinate_count; k++)
        size = fmax(size, fabs(summary->scene->coordinates[k].start));
    return tally->min_gap < 0 && tally->min_gap >= -TINY_PART * size && tally->defect == 0 &&
           tally->violation_ulps <= FEW_ULPS;
}

static void write_gap(const thudi_run_summary *summary, thud_writer *out)
{
    const thud_scene *scene = summary->scene;
    double gap = summary->recorder->tally.min_gap;
    char text[200];
    bool is_far = gap > THUDI_FAR_PART * smallest_radius(scene);
    thud_write_line(out, 4, "smallest gap of any %s at any step: %s%s",
                    scene->kind == THUD_SCENE_SPHERES ? "pair" : "constraint",
                    is_far ? "more than a hundredth of a radius" : write_length(text, scene, gap),
                    is_rounding(summary) ? " (rounding)" : "");
}

// "stopped at t = 0.5 of 2 s: ", so that it is not mistaken for a finished run.
static void write_head(const thudi_run_summary *summary, thud_writer *out)
{
    char steps[THUD_COUNT_SIZE], unit[THUD_COUNT_SIZE];
    const thud_scene *scene = summary->scene;
    if (strcmp(summary->ending, "done") != 0)
        thud_write(out, "%s at t = %.6g of %.6g%s: ", summary->ending, summary->reached, scene->end,
                   thud_words_unit(unit, scene->unit_time));
    thud_scene_write_head(scene, out);
    thud_write(out, ", %s, ", thud_words_count(steps, summary->recorder->tally.steps, "step"));
    thud_write(out, "%s\n", thud_words_count(steps, thud_threads(), "thread"));
}

enum
{
    MOST_MEASURES = 12, // lines of measures
    VALUE_WIDTH = 16
};

// "    load.y    -7.13 N     force on wall 'hopper', y"
static void write_value(const thudi_recorder *recorder, int number, int width, thud_writer *out)
{
    thud_series_column column;
    char text[THUD_NUMBER_SIZE], value[THUD_NUMBER_SIZE + 48];
    double x = recorder->values[number];
    thud_model_series_column(recorder->model, number, &column);
    bool is_missing = column.measure >= 0 && isnan(x) &&
                      recorder->scene->measures[column.measure].kind == THUD_MEASURE_TIME_WHEN;
    const char *unit = is_missing ? "" : column.unit;
    if (is_missing)
        (void)thud_format(text, sizeof text, "not reached");
    else if (column.is_whole && fabs(x) < THUDI_MOST_COUNT)
        (void)thud_words_grouped(text, (long long)x);
    else
        (void)thud_format(text, sizeof text, "%.4g", x);
    (void)thud_format(value, sizeof value, "%s%s%s", text, unit[0] ? " " : "", unit);
    thud_write(out, "    ");
    thud_write_safe(out, column.name);
    thud_write(out, "%*s  %s", thud_words_filling(width, column.name), "", value);
    if (strcmp(column.label, column.name) != 0)
    {
        thud_write(out, "%*s  ", thud_words_filling(VALUE_WIDTH, value), "");
        thud_write_safe(out, column.label);
    }
    thud_write(out, "\n");
}

// What the scene measures, as it was at the last step.
static void write_measures(const thudi_run_summary *summary, thud_writer *out)
{
    const thudi_recorder *recorder = summary->recorder;
    const char *const *names;
    char unit[THUD_COUNT_SIZE];
    int *columns = calloc((size_t)thud_model_series(recorder->model, &names), sizeof *columns);
    int count = columns ? thudi_measured_columns(summary->scene, recorder->model, columns) : 0;
    int shown = count > MOST_MEASURES ? MOST_MEASURES - 1 : count;
    if (count == 0 || !isfinite(recorder->values[1]))
    {
        free(columns);
        return;
    }
    int width = thudi_name_width(recorder->model, columns, shown);
    thud_write(out, "  at t = %.6g%s:\n", recorder->values[1],
               thud_words_unit(unit, summary->scene->unit_time));
    for (int i = 0; i < shown; i++)
        write_value(recorder, columns[i], width, out);
    if (shown < count)
        thud_write(out, "    and %d more columns in series.csv\n", count - shown);
    free(columns);
}

static const char *name_movers(const thud_scene *scene)
{
    if (scene->kind != THUD_SCENE_SPHERES)
        return "constraints";
    return thud_varying_is_given(&scene->cell.shear) ? "walls, radii or the cell"
                                                     : "walls or radii";
}

// Two bodies may pass each other within a step, so a gap may be smaller there than at both ends:
// what is bounded is the overlap.
static void write_between(const thudi_run_summary *summary, thud_writer *out)
{
    double between = summary->recorder->tally.between;
    if (!isfinite(between))
    {
        thud_write_line(out, 4,
                        "between the steps: no bound, because the scene does not limit how %s "
                        "accelerate",
                        name_movers(summary->scene));
        return;
    }
    bool is_inside = summary->recorder->tally.min_gap < 0 && !is_rounding(summary);
    bool is_world = summary->scene->kind == THUD_SCENE_SPHERES;
    const char *fact = is_inside  ? "no overlap is deeper than at the ends of steps"
                       : is_world ? "no overlap"
                                  : "no constraint is violated";
    char text[200];
    const char *than = is_world && !is_inside ? " is deeper than " : " by more than ";
    thud_write_line(out, 4, "between the steps: %s%s%s", fact, between > 0 ? than : "",
                    between > 0 ? write_length(text, summary->scene, between) : "");
}

static void write_certificates(const thudi_run_summary *summary, thud_writer *out)
{
    const thud_scene *scene = summary->scene;
    const thud_tally *tally = &summary->recorder->tally;
    char text[200];
    if (scene->kind != THUD_SCENE_SPHERES && scene->constraint_count == 0)
        return;
    write_gap(summary, out);
    thud_write_line(out, 4, "largest change of a gap that makes every step exact: %s",
                    write_length(text, scene, tally->backward));
    thud_write_enclosed(out, 4, tally->enclosed, tally->steps, "step",
                        (double[]){tally->enclosure, tally->shifted, tally->weak});
    write_between(summary, out);
}

static void write_check(const thudi_recorder *recorder, thud_writer *out)
{
    char checked[THUD_COUNT_SIZE], momentum[THUD_NUMBER_SIZE], energy[THUD_NUMBER_SIZE];
    if (!recorder->is_checking || recorder->checked == 0)
    {
        thud_write(out, "    not verified independently\n");
        return;
    }
    thud_write_line(
        out, 4, "momentum and energy balance, error as a part of the sum of all terms: %s and %s",
        thud_words_short(momentum, CHECK_TOLERANCE * recorder->worst[THUD_CERT_MOMENTUM]),
        thud_words_short(energy, CHECK_TOLERANCE * recorder->worst[THUD_CERT_ENERGY]));
    if (recorder->failed_step == 0)
        thud_write(out, "    verified independently: OK (%s, nine certificates each)\n",
                   thud_words_count(checked, recorder->checked, "recorded step"));
    else
        thud_write(out, "    verified independently: FAILED in step %lld: %s%s%s\n",
                   recorder->failed_step, thud_certificate_title(recorder->failed),
                   recorder->failed_where[0] ? ", " : "", recorder->failed_where);
}

// Every kind of news: X(bit, text).
#define NEWS_LIST(X)                                                                               \
    X(THUD_NEWS_NOT_UNIQUE, "contact forces are not unique")                                       \
    X(THUD_NEWS_SELF_STRESS, "contacts hold each other in a self-stress")                          \
    X(THUD_NEWS_NO_ROOM, "there was no room to keep all gaps open; they were kept smaller")        \
    X(THUD_NEWS_EXACT_FIT, "bodies fit exactly, to rounding")                                      \
    X(THUD_NEWS_START_INSIDE, "the start is inside a constraint; the first step leads out of it")

static void write_news(const thudi_recorder *recorder, thud_writer *out)
{
    const thud_tally *tally = &recorder->tally;
    int64_t first = tally->first_news + recorder->first;
    char count[THUD_COUNT_SIZE];
    if (recorder->concave_step > 0)
        thud_write(out,
                   "    note: %s is not convex, first in step %lld: that it holds is not "
                   "proved\n",
                   recorder->concave, (long long)recorder->concave_step);
#define WRITE_NEWS(bit, text)                                                                      \
    if (tally->news & (bit))                                                                       \
        thud_write(out, "    note: " text "\n");
    NEWS_LIST(WRITE_NEWS)
#undef WRITE_NEWS
    if (tally->news & ~(unsigned)THUD_NEWS_NOT_CONVEX)
        thud_write(out, "    note: this concerns %s, the first is step %lld\n",
                   thud_words_count(count, tally->news_steps, "step"), (long long)first);
}

// The proof is of the steps; what their length costs is another matter, said after it.
static void write_proof(const thudi_run_summary *summary, thud_writer *out)
{
    const thudi_recorder *recorder = summary->recorder;
    bool is_whole = recorder->concave_step == 0 && recorder->failed_step == 0;
    if (recorder->tally.steps == 0)
        return;
    thud_write(out, is_whole ? "  every step is proved:\n" : "  not every step is proved:\n");
    write_certificates(summary, out);
    write_check(recorder, out);
    write_news(recorder, out);
}

static void write_digest(const thudi_run_summary *summary, thud_writer *out)
{
    char digits[THUD_DIGEST_TEXT];
    thud_write(out, "  digest %s\n", thud_digest_text(&summary->digest, digits));
}

void thudi_run_summary_write(const thudi_run_summary *summary, thud_writer *out)
{
    char frames[THUD_COUNT_SIZE];
    write_head(summary, out);
    if (summary->recorder->first > 0)
        thud_write(out, "  continues %s after step %lld; steps before it are not in this run\n",
                   summary->origin, (long long)summary->recorder->first);
    thud_tolerances_write(summary->scene, summary->recorder->model, 2, out);
    write_measures(summary, out);
    write_proof(summary, out);
    if (summary->recorder->tally.steps > 0)
        thudi_accuracy_write(summary, out);
    write_digest(summary, out);
    thud_write(out, "  %s in %s; next: thud view %s, thud info %s\n",
               thud_words_count(frames, summary->frames, "frame"), summary->folder, summary->folder,
               summary->folder);
}
