// The verdict on a run: what was proved, what was taken from the run, and what is wrong.
#include "run/recorded/recorded.h"
#include "thud/estimate.h"
#include "thud/recording.h"

static bool is_whole(const thud_recorded_verdict *verdict)
{
    return verdict->verified == verdict->steps;
}

static bool is_bad(const thud_recorded_verdict *verdict)
{
    return verdict->damage.text[0] != '\0' || verdict->figures.text[0] != '\0' ||
           verdict->failed_step > 0;
}

// All steps were computed again, from the start of the scene on.
static bool is_rerun(const thud_recorded_verdict *verdict)
{
    return verdict->rerun >= 0 && verdict->rerun_from == 0;
}

static void json_enclosed(const thud_enclosed *found, thud_json *json)
{
    if (found->steps < 0)
        return;
    thud_json_open(json, "enclosed");
    thud_json_whole(json, "steps", found->held);
    thud_json_whole(json, "not_proved", found->steps - found->held);
    thud_json_number(json, "bound", found->bound);
    thud_json_number(json, "bound_shifted", found->shifted);
    thud_json_number(json, "weak", found->weak);
    thud_json_close(json);
}

void thud_recorded_verdict_json(const thud_recorded *recorded, const thud_recorded_verdict *verdict,
                                const char *scene, thud_json *json)
{
    char digest[THUD_DIGEST_TEXT];
    thud_json_open(json, NULL);
    thud_json_text(json, "verdict", thud_recorded_verdict_name(verdict));
    thud_json_text(json, "damage",
                   verdict->damage.text[0] ? verdict->damage.text : verdict->figures.text);
    thud_json_whole(json, "verified", verdict->verified);
    thud_json_whole(json, "steps", verdict->steps);
    thud_json_whole(json, "first_step", verdict->first);
    thud_json_flag(json, "is_complete", thud_recorded_is_complete(verdict));
    thud_json_flag(json, "is_over", verdict->is_over);
    thud_json_number(json, "reached", verdict->reached);
    thud_json_whole(json, "frames", verdict->frames);
    thud_json_whole(json, "judged", verdict->judged);
    thud_json_whole(json, "held", verdict->held);
    thud_json_whole(json, "not_proved", verdict->unproved);
    thud_json_whole(json, "rerun", verdict->rerun > 0 ? verdict->rerun : 0);
    thud_json_whole(json, "rerun_from", verdict->rerun_from);
    thud_json_text(json, "scene", scene ? scene : "as the run says");
    thud_json_text(json, "digest", thud_digest_text(&verdict->digest, digest));
    thud_json_open(json, "worst");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        thud_json_number(json, thud_certificate_title((thud_certificate_name)i),
                         verdict->worst[i].value);
    thud_json_close(json);
    thud_json_whole(json, "failed_step", verdict->failed_step);
    thud_json_text(json, "failed",
                   verdict->failed_step > 0 ? thud_certificate_title(verdict->failed) : "");
    thud_json_text(json, "failed_where", verdict->failed_where);
    json_enclosed(&verdict->enclosed, json);
    thud_step_write_json(recorded->scene, recorded->model, json);
    thud_json_close(json);
}

static void write_certificates(const thud_recorded *recorded, const thud_recorded_verdict *verdict,
                               thud_writer *writer)
{
    char value[THUD_NUMBER_SIZE];
    thud_write(writer, "  worst value of each certificate (allowed: at most 1):\n");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        thud_write(writer, "    %-16s %-9s %s\n", thud_certificate_title((thud_certificate_name)i),
                   thud_words_short(value, verdict->worst[i].value),
                   thud_certificate_text((thud_certificate_name)i));
    const thud_law_info *law = thud_law_find((int)recorded->scene->law);
    if (law->reading[0] != '\0')
        thud_write(writer, "  %s: %s\n", law->contacts, law->reading);
}

// What of the other files was compared with the log.
static void write_files(const thud_recorded_verdict *verdict, thud_writer *writer)
{
    char count[THUD_COUNT_SIZE];
    if (verdict->rerun >= 0)
        thud_write(writer, "  recomputed: %s after step %lld; %s\n",
                   thud_words_count(count, verdict->rerun, "step"), (long long)verdict->rerun_from,
                   "log, series and checkpoints compared byte by byte");
    if (!is_rerun(verdict))
        thud_write(writer,
                   "  series.csv, %scheckpoints: agree with the recorded steps and each other;\n"
                   "    rows, sweeps, bounds, counts and times of counts are taken from the run\n",
                   verdict->has_json ? "run.json, " : "");
    if (!verdict->has_json && verdict->is_over)
        thud_write(writer, "  run.json: of an earlier step; it was not compared\n");
    else if (!verdict->has_json)
        thud_write(writer,
                   "  run.json: its figures are not compared; they are written when the run ends "
                   "or stops\n");
    else if (!verdict->json_is_ours)
        thud_write(
            writer,
            "  run.json: written by another version of Thud; its figures are not verified\n");
    else if (verdict->has_halved)
        thud_write(writer,
                   "  run.json: the figures of the second run, at h/2, are taken from the run\n");
}

static void write_verdict(const thud_recorded_verdict *verdict, thud_writer *writer)
{
    char verified[THUD_NUMBER_SIZE], steps[THUD_NUMBER_SIZE], count[THUD_COUNT_SIZE];
    thud_write(writer, "verdict: ");
    if (is_bad(verdict))
    {
        thud_write(writer, "%s\n", thud_recorded_verdict_name(verdict));
        return;
    }
    (void)thud_words_grouped(verified, verdict->verified);
    (void)thud_words_grouped(steps, verdict->steps);
    if (verdict->unproved > 0)
        thud_write(writer, "NOT PROVED, the force cannot be integrated in %s; ",
                   thud_words_count(count, verdict->unproved, "step"));
    else if (verdict->is_over && !verdict->has_json)
        thud_write(writer, "IN PART, run.json is of an earlier step: it was not compared; ");
    else if (is_whole(verdict) && verdict->is_over)
        thud_write(writer, "OK, ");
    thud_write(writer, "verified %s of %s steps", verified, steps);
    if (verdict->first > 0 && !is_rerun(verdict))
        thud_write(writer, ", steps 1 to %lld are not in this run", (long long)verdict->first);
    if (!is_whole(verdict) && verdict->verified < verdict->steps - verdict->first)
        thud_write(writer, "; the others are not verified");
    thud_write(writer, "%s\n", verdict->is_over ? "" : "; the run is not finished");
}

static void write_source(const thud_recorded_verdict *verdict, const char *scene,
                         thud_writer *writer)
{
    thud_write(writer, "  scene: ");
    if (verdict->source == THUD_SCENE_OWN)
    {
        thud_write(writer, "the run's own copy; --scene FILE verifies against yours\n");
        return;
    }
    thud_write_safe(writer, scene ? scene : "another one");
    thud_write(writer, "; the run's own copy %s\n",
               verdict->source == THUD_SCENE_UNREADABLE ? "cannot be read"
               : verdict->source == THUD_SCENE_SAME     ? "is the same"
                                                        : "is DIFFERENT");
}

static void write_enclosed(const thud_enclosed *found, thud_writer *writer)
{
    char count[THUD_COUNT_SIZE];
    if (found->steps < 0)
        return;
    thud_write_enclosed(writer, 2, found->held, found->steps, "recorded step",
                        (double[]){found->bound, found->shifted, found->weak});
    if (found->held < found->steps)
        thud_write(writer, "  which contacts push is not proved in %s\n",
                   thud_words_count(count, found->steps - found->held, "recorded step"));
}

static void write_extent(const thud_recorded_verdict *verdict, thud_writer *writer)
{
    char count[THUD_COUNT_SIZE];
    thud_write(writer, "  %s and the start, ",
               thud_words_count(count, verdict->judged, "recorded step"));
    thud_write(writer, "hashes of %s to t = %g%s\n",
               thud_words_count(count, verdict->steps - verdict->first, "step"), verdict->reached,
               verdict->is_over ? ", the end" : "; the run is not finished");
    if (verdict->first > 0 && is_rerun(verdict))
        thud_write(writer,
                   "  continues another run after step %lld; the steps before it were computed, "
                   "too\n",
                   (long long)verdict->first);
    else if (verdict->first > 0)
        thud_write(writer,
                   "  continues another run after step %lld; the state there and its hash "
                   "are as the run says\n    (--rerun computes the steps before it, too)\n",
                   (long long)verdict->first);
}

void thud_recorded_verdict_write(const thud_recorded *recorded,
                                 const thud_recorded_verdict *verdict, const char *scene,
                                 thud_writer *writer)
{
    char digest[THUD_DIGEST_TEXT];
    thud_scene_write_head(recorded->scene, writer);
    thud_write(writer, "\n");
    write_source(verdict, scene, writer);
    write_extent(verdict, writer);
    write_certificates(recorded, verdict, writer);
    if (!is_bad(verdict))
        write_files(verdict, writer);
    write_enclosed(&verdict->enclosed, writer);
    thud_step_write_far("  what is proved is each step, not that it is short enough:\n    ",
                        recorded->scene, recorded->model, writer);
    thud_write(writer, "  digest %s\n", thud_digest_text(&verdict->digest, digest));
    write_verdict(verdict, writer);
}
