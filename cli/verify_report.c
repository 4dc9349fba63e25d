// The verdict on a run: what was proved, what is as the run says, and what is wrong.
#include "verify_report.h"

#include "report.h"
#include "scene_argument.h"
#include <thud/estimate.h>

static bool is_whole(const thudi_audit *audit)
{
    return audit->verified == audit->steps;
}

static bool is_bad(const thudi_audit *audit)
{
    return audit->damage.text[0] != '\0' || audit->figures.text[0] != '\0' ||
           audit->failed_step > 0;
}

// All steps were computed again, from the start of the scene on.
static bool is_rerun(const thudi_audit *audit)
{
    return audit->rerun >= 0 && audit->rerun_from == 0;
}

static const char *verdict_of(const thudi_audit *audit)
{
    if (audit->damage.text[0] != '\0')
        return "DAMAGED";
    if (audit->failed_step > 0)
        return "FAILED";
    if (audit->figures.text[0] != '\0')
        return "DAMAGED";
    if (audit->unproved > 0)
        return "NOT PROVED";
    if (!audit->is_over)
        return "NOT OVER";
    return is_whole(audit) && audit->has_json ? "OK" : "IN PART";
}

int cli_verify_print_json(const thudi_run *run, const thudi_audit *audit,
                          const cli_verify_scene *scene, const thudi_enclosed *enclosed)
{
    thud_json json = {0};
    char digest[THUD_DIGEST_TEXT];
    thud_json_open(&json, NULL);
    thud_json_text(&json, "verdict", verdict_of(audit));
    thud_json_text(&json, "damage",
                   audit->damage.text[0] ? audit->damage.text : audit->figures.text);
    thud_json_whole(&json, "verified", audit->verified);
    thud_json_whole(&json, "steps", audit->steps);
    thud_json_whole(&json, "first_step", audit->first);
    thud_json_flag(&json, "is_complete", thudi_audit_is_complete(audit));
    thud_json_flag(&json, "is_over", audit->is_over);
    thud_json_number(&json, "reached", audit->reached);
    thud_json_whole(&json, "frames", audit->frames);
    thud_json_whole(&json, "judged", audit->judged);
    thud_json_whole(&json, "held", audit->held);
    thud_json_whole(&json, "not_proved", audit->unproved);
    thud_json_whole(&json, "rerun", audit->rerun > 0 ? audit->rerun : 0);
    thud_json_whole(&json, "rerun_from", audit->rerun_from);
    thud_json_text(&json, "scene", scene->path ? scene->path : "as the run says");
    thud_json_text(&json, "digest", thud_digest_text(&audit->digest, digest));
    thud_json_open(&json, "worst");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        thud_json_number(&json, thud_certificate_title((thud_certificate_name)i),
                         audit->worst[i].value);
    thud_json_close(&json);
    thud_json_whole(&json, "failed_step", audit->failed_step);
    thud_json_text(&json, "failed",
                   audit->failed_step > 0 ? thud_certificate_title(audit->failed) : "");
    thud_json_text(&json, "failed_where", audit->failed_where);
    thudi_enclosed_json(enclosed, &json);
    thud_step_write_json(run->scene, run->model, &json);
    thud_json_close(&json);
    return cli_json_print(&json);
}

static void print_scene_source(const cli_verify_scene *scene)
{
    (void)printf("  scene: ");
    if (!scene->path)
    {
        (void)printf("the run's own copy; --scene FILE verifies against yours\n");
        return;
    }
    cli_print_safe(stdout, scene->path);
    (void)printf("; the run's own copy %s\n", scene->reason[0] ? "cannot be read"
                                              : scene->is_same ? "is the same"
                                                               : "is DIFFERENT");
}

static void print_certificates(const thudi_run *run, const thudi_audit *audit)
{
    char value[THUD_NUMBER_SIZE];
    (void)printf("  worst value of each certificate (allowed: at most 1):\n");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        (void)printf("    %-16s %-9s %s\n", thud_certificate_title((thud_certificate_name)i),
                     thud_words_short(value, audit->worst[i].value),
                     thud_certificate_text((thud_certificate_name)i));
    if (run->scene->law == THUD_LAW_RESTITUTION)
        (void)printf("  contacts bounce: u' in feasible, complementarity and motion is the "
                     "velocity\n    of the displacement\n");
    if (run->scene->law == THUD_LAW_GLUE)
        (void)printf("  contacts are glued: sign means mu_i >= gamma_i, the memory of the glue\n");
}

// What of the other files was compared with the log.
static void print_files(const thudi_audit *audit)
{
    char count[THUD_COUNT_SIZE];
    if (audit->rerun >= 0)
        (void)printf("  recomputed: %s after step %lld; %s\n",
                     thud_words_count(count, audit->rerun, "step"), (long long)audit->rerun_from,
                     "log, series and checkpoints compared byte by byte");
    if (!is_rerun(audit))
        (void)printf(
            "  series.csv, %scheckpoints: agree with the recorded steps and each other;\n"
            "    rows, sweeps, bounds, counts and times of counts are taken from the run\n",
            audit->has_json ? "run.json, " : "");
    if (!audit->has_json && audit->is_over)
        (void)printf("  run.json: of an earlier step; it was not compared\n");
    else if (!audit->has_json)
        (void)printf("  run.json: its figures are not compared; they are written when the run ends "
                     "or stops\n");
    else if (!audit->json_is_ours)
        (void)printf(
            "  run.json: written by another version of Thud; its figures are not verified\n");
    else if (audit->has_halved)
        (void)printf("  run.json: the figures of the second run, at h/2, are taken from the run\n");
}

static void print_verdict(const thudi_audit *audit)
{
    char verified[THUD_NUMBER_SIZE], steps[THUD_NUMBER_SIZE], count[THUD_COUNT_SIZE];
    const char *verdict = verdict_of(audit);
    (void)printf("verdict: ");
    if (is_bad(audit))
    {
        (void)printf("%s\n", verdict);
        return;
    }
    (void)thud_words_grouped(verified, audit->verified);
    (void)thud_words_grouped(steps, audit->steps);
    if (audit->unproved > 0)
        (void)printf("NOT PROVED, the force cannot be integrated in %s; ",
                     thud_words_count(count, audit->unproved, "step"));
    else if (audit->is_over && !audit->has_json)
        (void)printf("IN PART, run.json is of an earlier step: it was not compared; ");
    else if (is_whole(audit) && audit->is_over)
        (void)printf("OK, ");
    (void)printf("verified %s of %s steps", verified, steps);
    if (audit->first > 0 && !is_rerun(audit))
        (void)printf(", steps 1 to %lld are not in this run", (long long)audit->first);
    if (!is_whole(audit) && audit->verified < audit->steps - audit->first)
        (void)printf("; the others are not verified");
    (void)printf("%s\n", audit->is_over ? "" : "; the run is not finished");
}

void cli_verify_print(const thudi_run *run, const thudi_audit *audit, const cli_verify_scene *scene,
                      const thudi_enclosed *enclosed)
{
    char count[THUD_COUNT_SIZE], digest[THUD_DIGEST_TEXT];
    cli_print_scene(run->scene);
    (void)printf("\n");
    print_scene_source(scene);
    (void)printf("  %s and the start, ", thud_words_count(count, audit->judged, "recorded step"));
    (void)printf("hashes of %s to t = %g%s\n",
                 thud_words_count(count, audit->steps - audit->first, "step"), audit->reached,
                 audit->is_over ? ", the end" : "; the run is not finished");
    if (audit->first > 0)
        (void)printf(is_rerun(audit)
                         ? "  continues another run after step %lld; the steps before it were "
                           "computed, too\n"
                         : "  continues another run after step %lld; the state there and its hash "
                           "are as the run says\n    (--rerun computes the steps before it, too)\n",
                     (long long)audit->first);
    print_certificates(run, audit);
    if (!is_bad(audit))
        print_files(audit);
    thudi_enclosed_print(enclosed);
    thud_writer out = cli_writer(stdout);
    thud_step_write_far("  what is proved is each step, not that it is short enough:\n    ",
                        run->scene, run->model, &out);
    (void)printf("  digest %s\n", thud_digest_text(&audit->digest, digest));
    print_verdict(audit);
}
