// What run.json says of a run.
#include "run/measure_values.h"
#include "run/run_accuracy.h"
#include "run/run_summary.h"
#include "thud/estimate.h"
#include "thud/recording.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void json_host(thud_json *json)
{
    char name[256] = "unknown", line[256], processor[200] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %199[^\n]", processor) == 1)
            break;
    if (file)
        (void)fclose(file);
    (void)gethostname(name, sizeof name - 1);
    thud_json_open(json, "host");
    thud_json_text(json, "name", name);
    thud_json_text(json, "processor", processor);
    thud_json_whole(json, "cores", sysconf(_SC_NPROCESSORS_ONLN));
    thud_json_close(json);
}

static void json_version(thud_json *json)
{
    thud_build build = thud_build_info();
    thud_json_open(json, "thud");
    thud_json_text(json, "version", thud_version());
    thud_json_text(json, "commit", build.commit);
    thud_json_text(json, "compiler", build.compiler);
    thud_json_text(json, "flags", build.flags);
    thud_json_close(json);
}

static void json_scene(const thud_scene *scene, const thud_model *model, thud_json *json)
{
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    thud_json_open(json, "scene");
    thud_json_text(json, "title", scene->title);
    thud_json_text(json, "kind", is_world ? "spheres" : "inclusion");
    thud_json_whole(json, "dim", is_world ? scene->dim : scene->coordinate_count);
    thud_json_whole(json, "bodies", scene->body_count);
    thud_json_whole(json, "constraints", scene->constraint_count);
    thud_json_number(json, "start", scene->start);
    thud_json_number(json, "end", scene->end);
    thud_json_number(json, "step", scene->step);
    thud_tolerances_write_json(scene, model, json);
    thud_json_close(json);
}

// Figures of the tally whose keys are in a section of run.json; "" for those in none.
static void json_figures(const thud_tally *tally, const char *section, thud_json *json)
{
    const thud_figure *figures = thud_tally_figures();
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
    {
        const char *dot = strchr(figures[i].key, '.');
        size_t length = dot ? (size_t)(dot - figures[i].key) : 0;
        const char *key = dot ? dot + 1 : figures[i].key;
        double value = thud_tally_value(tally, i);
        if (length != strlen(section) || memcmp(figures[i].key, section, length) != 0 || !key[0])
            continue;
        if (figures[i].type == THUD_FIGURE_REAL)
            thud_json_number(json, key, value);
        else
            thud_json_whole(json, key, (long long)value);
    }
}

// The length of the section in the key of a figure; 0 for none.
static size_t section_length(const thud_figure *figure)
{
    const char *dot = strchr(figure->key, '.');
    return dot ? (size_t)(dot - figure->key) : 0;
}

// All sections, in the order in which the list of figures first names them.
static void json_sections(const thud_tally *tally, thud_json *json)
{
    const thud_figure *figures = thud_tally_figures();
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
    {
        char section[40];
        size_t length = section_length(&figures[i]);
        int first = 0;
        while (section_length(&figures[first]) != length ||
               memcmp(figures[first].key, figures[i].key, length) != 0)
            first++;
        if (length == 0 || first < i)
            continue;
        (void)snprintf(section, sizeof section, "%.*s", (int)length, figures[i].key);
        thud_json_open(json, section);
        json_figures(tally, section, json);
        thud_json_close(json);
    }
}

// Of the states and of the records; none before the start is on record.
static void json_digest(const thudi_run_summary *summary, thud_json *json)
{
    const thudi_recorder *recorder = summary->recorder;
    char digits[THUD_DIGEST_TEXT] = "", hash[20] = "";
    if (summary->frames > 0)
    {
        (void)thud_digest_text(&summary->digest, digits);
        (void)snprintf(hash, sizeof hash, "%016" PRIx64, recorder->chain);
    }
    thud_json_text(json, "hash", hash);
    thud_json_text(json, "digest", digits);
}

static void json_check(const thudi_recorder *recorder, thud_json *json)
{
    thud_json_open(json, "check");
    thud_json_whole(json, "steps", recorder->checked);
    thud_json_whole(json, "held", recorder->held);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        thud_json_number(json, thud_certificate_title((thud_certificate_name)i),
                         recorder->worst[i]);
    thud_json_close(json);
}

static void json_seconds(const thudi_run_summary *summary, thud_json *json)
{
    const thud_profile *profile = &summary->profile;
    thud_json_open(json, "seconds");
    thud_json_number(json, "all", summary->seconds);
    thud_json_number(json, "predict", profile->predict);
    thud_json_number(json, "linearise", profile->linearise);
    thud_json_number(json, "project", profile->project);
    thud_json_number(json, "check", profile->check);
    thud_json_number(json, "commit", profile->commit);
    thud_json_number(json, "certify", profile->certify);
    thud_json_number(json, "record", summary->recorder->seconds);
    thud_json_number(json, "checkpoint", summary->recorder->checkpoint_seconds);
    thud_json_close(json);
}

// Where the steps before the first one are.
static void json_origin(const thudi_run_summary *summary, thud_json *json)
{
    const thud_scene *scene = summary->scene;
    int64_t first = summary->recorder->first;
    if (first == 0)
        return;
    thud_json_open(json, "continues");
    thud_json_text(json, "run", summary->origin);
    thud_json_whole(json, "after_step", first);
    thud_json_number(json, "after_t", fma((double)first, scene->step, scene->start));
    thud_json_close(json);
}

void thudi_run_summary_json(const thudi_run_summary *summary, thud_json *json)
{
    char now[40];
    time_t seconds = time(NULL);
    struct tm date;
    (void)strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &date));
    thud_json_open(json, NULL);
    thud_json_text(json, "ending", summary->ending);
    thud_json_text(json, "error", summary->error);
    thud_json_text(json, "written", now);
    thud_json_whole(json, "resumed", summary->resumed);
    json_origin(summary, json);
    json_scene(summary->scene, summary->recorder->model, json);
    thud_json_number(json, "reached", summary->reached);
    json_figures(&summary->recorder->tally, "", json);
    thud_json_whole(json, "frames", summary->frames);
    json_digest(summary, json);
    thud_json_whole(json, "threads", thud_threads());
    json_sections(&summary->recorder->tally, json);
    json_check(summary->recorder, json);
    json_seconds(summary, json);
    json_version(json);
    json_host(json);
    // last, so that no name of a measure is taken for one of the keys above
    thudi_measures_json(summary->recorder->model, summary->recorder->values, json);
    thudi_accuracy_json(summary, json);
    thud_json_close(json);
}
