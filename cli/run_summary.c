// What a run says at its end.
#include "run_summary.h"
#include "measure_values.h"
#include "thread_count.h"

#include "build_info.h"
#include "scene_argument.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The checker compares with this part of the sum of all terms; see thud_check_def.
static const double CHECK_TOLERANCE = 8 * DBL_EPSILON;

// Pairs farther apart than this part of their radii are not looked at; see thud_start.
static const double FAR_PART = 0.01;

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
static void print_length(const thud_scene *scene, double x)
{
    char text[THUD_NUMBER_SIZE], part[THUD_NUMBER_SIZE], unit[CLI_COUNT_SIZE];
    bool is_length = scene->kind == THUD_SCENE_SPHERES;
    (void)printf("%s%s", cli_short(text, x), cli_unit(unit, is_length ? scene->unit_length : ""));
    if (scene->body_count > 0)
        (void)printf(" (%s of the smallest radius)", cli_short(part, x / smallest_radius(scene)));
}

static bool is_rounding(const cli_run_summary *summary)
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

static void print_gap(const cli_run_summary *summary)
{
    const thud_scene *scene = summary->scene;
    double gap = summary->recorder->tally.min_gap;
    if (gap > FAR_PART * smallest_radius(scene))
        (void)printf("more than a hundredth of a radius");
    else
        print_length(scene, gap);
    if (is_rounding(summary))
        (void)printf(" (rounding)");
}

static void print_head(const cli_run_summary *summary)
{
    char steps[CLI_COUNT_SIZE];
    cli_print_scene(summary->scene);
    (void)printf(", %s, ", cli_count(steps, summary->recorder->tally.steps, "step"));
    (void)printf("%s\n", cli_count(steps, cli_threads(), "thread"));
}

static const char *name_movers(const thud_scene *scene)
{
    if (scene->kind != THUD_SCENE_SPHERES)
        return "constraints";
    return scene->cell.shear ? "walls, radii or the cell" : "walls or radii";
}

static void print_certificates(const cli_run_summary *summary)
{
    const thud_scene *scene = summary->scene;
    const thud_tally *tally = &summary->recorder->tally;
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    if (tally->steps == 0 || (!is_world && scene->constraint_count == 0))
        return;
    (void)printf("  smallest gap of any %s at any step: ", is_world ? "pair" : "constraint");
    print_gap(summary);
    (void)printf("\n  every step is the exact projection for gaps off by at most ");
    print_length(scene, tally->backward);
    (void)printf("\n");
    cli_print_enclosed(tally->enclosed, tally->steps, "step",
                       (double[]){tally->enclosure, tally->shifted, tally->weak});
    if (!isfinite(tally->between))
    {
        (void)printf("  between the steps: not bounded, as %s move in ways not known in advance\n",
                     name_movers(scene));
        return;
    }
    (void)printf("  between the steps no gap is below the nodes' by more than ");
    if (tally->between > 0)
        print_length(scene, tally->between);
    else
        (void)printf("0");
    (void)printf("\n");
}

static void print_check(const cli_recorder *recorder)
{
    char checked[CLI_COUNT_SIZE], momentum[THUD_NUMBER_SIZE], energy[THUD_NUMBER_SIZE];
    if (!recorder->is_checking || recorder->checked == 0)
    {
        (void)printf("  not checked independently\n");
        return;
    }
    (void)printf("  momentum and energy identities hold to %s and %s of their terms\n",
                 cli_short(momentum, CHECK_TOLERANCE * recorder->worst[THUD_CERT_MOMENTUM]),
                 cli_short(energy, CHECK_TOLERANCE * recorder->worst[THUD_CERT_ENERGY]));
    if (recorder->failed_step == 0)
        (void)printf("  checked independently: OK (%s, nine certificates each)\n",
                     cli_count(checked, recorder->checked, "recorded step"));
    else
        (void)printf("  checked independently: FAILED in step %lld: %s%s%s\n",
                     recorder->failed_step, thud_certificate_title(recorder->failed),
                     recorder->failed_where[0] ? ", " : "", recorder->failed_where);
}

// Every kind of news: X(bit, text).
#define NEWS_LIST(X)                                                                               \
    X(THUD_NEWS_NOT_UNIQUE, "contact forces are not unique")                                       \
    X(THUD_NEWS_SELF_STRESS, "contacts hold each other in a self-stress")                          \
    X(THUD_NEWS_NO_ROOM, "no room for the gaps that are kept; smaller ones were")                  \
    X(THUD_NEWS_EXACT_FIT, "bodies fit exactly, to rounding")                                      \
    X(THUD_NEWS_START_INSIDE, "the start is inside a constraint; the first step leads out of it")

static void print_news(const cli_recorder *recorder)
{
    const thud_tally *tally = &recorder->tally;
    char count[CLI_COUNT_SIZE];
    if (recorder->concave_step > 0)
        (void)printf("  note: %s is not convex, first in step %lld: that it holds is not proved\n",
                     recorder->concave, (long long)recorder->concave_step);
#define PRINT_NEWS(bit, text)                                                                      \
    if (tally->news & (bit))                                                                       \
        (void)printf("  note: " text "\n");
    NEWS_LIST(PRINT_NEWS)
#undef PRINT_NEWS
    if (tally->news & ~(unsigned)THUD_NEWS_NOT_CONVEX)
        (void)printf("  note: in %s, first in step %lld\n",
                     cli_count(count, tally->news_steps, "step"), (long long)tally->first_news);
}

static void print_digest(const cli_run_summary *summary)
{
    char digits[THUD_DIGEST_TEXT];
    (void)printf("  digest %s\n", thud_digest_text(&summary->digest, digits));
}

void cli_run_summary_print(const cli_run_summary *summary)
{
    const cli_recorder *recorder = summary->recorder;
    char frames[CLI_COUNT_SIZE];
    print_head(summary);
    print_certificates(summary);
    print_check(recorder);
    print_news(recorder);
    print_digest(summary);
    (void)printf("  %s in %s; look: thud view %s, thud info %s\n",
                 cli_count(frames, summary->frames, "frame"), summary->folder, summary->folder,
                 summary->folder);
}

static void json_host(cli_json *json)
{
    char name[256] = "unknown", line[256], processor[200] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %199[^\n]", processor) == 1)
            break;
    if (file)
        (void)fclose(file);
    (void)gethostname(name, sizeof name - 1);
    cli_json_open(json, "host");
    cli_json_text(json, "name", name);
    cli_json_text(json, "processor", processor);
    cli_json_whole(json, "cores", sysconf(_SC_NPROCESSORS_ONLN));
    cli_json_close(json);
}

static void json_version(cli_json *json)
{
    cli_json_open(json, "thud");
    cli_json_text(json, "version", thud_version());
    cli_json_text(json, "commit", THUD_COMMIT);
    cli_json_text(json, "compiler", THUD_COMPILER);
    cli_json_text(json, "flags", THUD_FLAGS);
    cli_json_close(json);
}

static void json_scene(const thud_scene *scene, cli_json *json)
{
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    cli_json_open(json, "scene");
    cli_json_text(json, "title", scene->title);
    cli_json_text(json, "kind", is_world ? "spheres" : "inclusion");
    cli_json_whole(json, "dim", is_world ? scene->dim : scene->coordinate_count);
    cli_json_whole(json, "bodies", scene->body_count);
    cli_json_whole(json, "constraints", scene->constraint_count);
    cli_json_number(json, "start", scene->start);
    cli_json_number(json, "end", scene->end);
    cli_json_number(json, "step", scene->step);
    cli_json_close(json);
}

static void json_certificates(const cli_run_summary *summary, cli_json *json)
{
    const thud_tally *tally = &summary->recorder->tally;
    cli_json_open(json, "worst");
    cli_json_number(json, "min_gap", tally->min_gap);
    cli_json_number(json, "violation", tally->violation);
    cli_json_number(json, "backward", tally->backward);
    cli_json_number(json, "forward", tally->forward);
    cli_json_number(json, "kkt", tally->kkt);
    cli_json_number(json, "between", tally->between);
    cli_json_whole(json, "news", tally->news);
    cli_json_close(json);
    cli_json_open(json, "enclosed");
    cli_json_whole(json, "steps", tally->enclosed);
    cli_json_number(json, "bound", tally->enclosure);
    cli_json_number(json, "bound_shifted", tally->shifted);
    cli_json_number(json, "weak", tally->weak);
    cli_json_close(json);
}

// Of the states and of the records; none before the start is on record.
static void json_digest(const cli_run_summary *summary, cli_json *json)
{
    const cli_recorder *recorder = summary->recorder;
    char digits[THUD_DIGEST_TEXT] = "", hash[20] = "";
    if (summary->frames > 0)
    {
        (void)thud_digest_text(&summary->digest, digits);
        (void)snprintf(hash, sizeof hash, "%016" PRIx64, recorder->chain);
    }
    cli_json_text(json, "hash", hash);
    cli_json_text(json, "digest", digits);
}

static void json_check(const cli_recorder *recorder, cli_json *json)
{
    cli_json_open(json, "check");
    cli_json_whole(json, "steps", recorder->checked);
    cli_json_whole(json, "held", recorder->held);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        cli_json_number(json, thud_certificate_title((thud_certificate_name)i), recorder->worst[i]);
    cli_json_close(json);
}

static void json_seconds(const cli_run_summary *summary, cli_json *json)
{
    const thud_profile *profile = &summary->profile;
    cli_json_open(json, "seconds");
    cli_json_number(json, "all", summary->seconds);
    cli_json_number(json, "predict", profile->predict);
    cli_json_number(json, "linearise", profile->linearise);
    cli_json_number(json, "project", profile->project);
    cli_json_number(json, "check", profile->check);
    cli_json_number(json, "commit", profile->commit);
    cli_json_number(json, "certify", profile->certify);
    cli_json_number(json, "record", summary->recorder->seconds);
    cli_json_number(json, "checkpoint", summary->recorder->checkpoint_seconds);
    cli_json_close(json);
}

void cli_run_summary_json(const cli_run_summary *summary, cli_json *json)
{
    char now[40];
    time_t seconds = time(NULL);
    struct tm date;
    (void)strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &date));
    cli_json_open(json, NULL);
    cli_json_text(json, "ending", summary->ending);
    cli_json_text(json, "error", summary->error);
    cli_json_text(json, "written", now);
    cli_json_whole(json, "resumed", summary->resumed);
    json_scene(summary->scene, json);
    cli_json_number(json, "reached", summary->reached);
    cli_json_whole(json, "steps", summary->recorder->tally.steps);
    cli_json_whole(json, "sweeps", summary->recorder->tally.sweeps);
    cli_json_whole(json, "frames", summary->frames);
    json_digest(summary, json);
    cli_json_whole(json, "threads", cli_threads());
    json_certificates(summary, json);
    json_check(summary->recorder, json);
    json_seconds(summary, json);
    json_version(json);
    json_host(json);
    // last, so that no name of a measure is taken for one of the keys above
    cli_measures_json(summary->recorder->model, summary->recorder->values, json);
    cli_json_close(json);
}
