// A run verified from what it has recorded: the verdict, and what is wrong.
#include "run/verify/verify_deal.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/recorded/remedy.h"

#include <stdio.h>

bool thudi_verify_ends(const thud_recorded_verify_def *def, double part)
{
    return def->progress && def->progress(part, def->user) != 0;
}

// By one alone, or by the first member of a team.
static thud_status verify(const thud_recorded *recorded, const thud_recorded_verify_def *def,
                          thud_recorded_verdict *verdict, thud_fault *fault)
{
    thud_status status = thudi_verify_log(recorded, def, verdict, fault);
    if (status == THUD_OK)
        thudi_verify_shown(recorded, verdict);
    verdict->source = recorded->source;
    verdict->enclosed.steps = -1;
    if (status == THUD_OK && def->rerun != THUD_RERUN_NONE)
        status = thudi_verify_rerun(recorded, def, verdict, fault);
    if (status == THUD_OK && def->enclose && verdict->damage.text[0] == '\0')
        status = thudi_verify_enclose(recorded, def, &verdict->enclosed, fault);
    return status;
}

thud_status thud_recorded_verify(const thud_recorded *recorded, const thud_recorded_verify_def *def,
                                 thud_recorded_verdict *verdict, thud_fault *fault)
{
    static const thud_recorded_verify_def plain = {0};
    thud_fault own;
    thud_status status;
    fault = thudi_fault_begin(fault, &own);
    def = def ? def : &plain;
    if (thud_team_rank(def->team) == 0)
        status = thudi_verify_part(def, verify(recorded, def, verdict, fault), fault);
    else
        status = thudi_verify_follow(recorded, def, fault);
    if (status == THUD_OK && thud_team_size(def->team) > 1)
        thud_team_share(def->team, 0, verdict, sizeof *verdict);
    fault->status = status;
    return thudi_fault_end(fault, status);
}

bool thud_recorded_is_complete(const thud_recorded_verdict *verdict)
{
    return verdict->verified == verdict->steps && verdict->unproved == 0 && verdict->is_over &&
           verdict->has_json;
}

const char *thud_recorded_verdict_name(const thud_recorded_verdict *verdict)
{
    if (verdict->damage.text[0] != '\0')
        return "DAMAGED";
    if (verdict->failed_step > 0)
        return "FAILED";
    if (verdict->figures.text[0] != '\0')
        return "DAMAGED";
    if (verdict->unproved > 0)
        return "NOT PROVED";
    if (!verdict->is_over)
        return "NOT OVER";
    return verdict->verified == verdict->steps && verdict->has_json ? "OK" : "IN PART";
}

// Not all was verified that was asked for.
static thud_status is_incomplete(const char *folder, const thud_recorded_verdict *verdict,
                                 thud_fault *fault)
{
    char verified[THUD_NUMBER_SIZE], steps[THUD_COUNT_SIZE], hint[200];
    const thudi_at at = THUDI_IN(folder, NULL);
    if (verdict->unproved > 0)
        return thudi_fail(fault, THUD_ERR_NOT_CONVERGED, at, "",
                          "the force cannot be integrated in %s, so these steps are not proved",
                          thud_words_count(steps, verdict->unproved, "recorded step"));
    if (verdict->verified < verdict->steps)
    {
        (void)snprintf(
            hint, sizeof hint,
            verdict->first > 0
                ? "use --rerun to compute all from the start: the run begins after step %lld"
                : "use --rerun to recompute the others, or 'record: all' to record every step",
            (long long)verdict->first);
        return thudi_fail(fault, THUD_ERR_NOT_CONVERGED, at, hint, "verified %s of %s",
                          thud_words_grouped(verified, verdict->verified),
                          thud_words_count(steps, verdict->steps, "step"));
    }
    if (!verdict->is_over)
        return thudi_fail(fault, THUD_ERR_NOT_CONVERGED, at,
                          "use 'thud resume' to continue it, or wait for it to end",
                          "the run is not finished");
    return thudi_fail(fault, THUD_ERR_NOT_CONVERGED, at,
                      "use 'thud resume' to write it again, if the run was interrupted",
                      "run.json is of an earlier step: it was not compared");
}

static thud_status has_failed(const char *folder, const thud_recorded_verdict *verdict,
                              thud_fault *fault)
{
    (void)thudi_fail(fault, THUD_ERR_NOT_CONVERGED, THUDI_IN(folder, NULL), THUDI_DO_NOT_RELY,
                     "step %lld fails the certificate '%s' (%s)%s%s",
                     (long long)verdict->failed_step, thud_certificate_title(verdict->failed),
                     thud_certificate_text(verdict->failed), verdict->failed_where[0] ? ": " : "",
                     verdict->failed_where);
    if (fault)
        fault->step = verdict->failed_step;
    return THUD_ERR_NOT_CONVERGED;
}

static thud_status is_damaged(const char *folder, const thud_fault *damage, thud_fault *fault)
{
    thud_fault found = *damage;
    found.status = THUD_ERR_RECORD;
    thudi_remedy(folder, THUDI_DAMAGE_FOUND, &found);
    if (fault)
        *fault = found;
    return THUD_ERR_RECORD;
}

thud_status thud_recorded_verdict_fault(const thud_recorded *recorded,
                                        const thud_recorded_verdict *verdict, bool complete,
                                        thud_fault *fault)
{
    if (verdict->damage.text[0] != '\0')
        return is_damaged(recorded->folder, &verdict->damage, fault);
    if (verdict->failed_step > 0)
        return has_failed(recorded->folder, verdict, fault);
    if (verdict->figures.text[0] != '\0')
        return is_damaged(recorded->folder, &verdict->figures, fault);
    if (verdict->unproved > 0 || (complete && !thud_recorded_is_complete(verdict)))
        return is_incomplete(recorded->folder, verdict, fault);
    return THUD_OK;
}
