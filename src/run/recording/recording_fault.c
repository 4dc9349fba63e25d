// A step that failed, in words and numbers.
#include "run/recording/recording.h"

#include "core/fault.h"
#include "run/step_hint.h"

#include <math.h>
#include <stdio.h>

// Name what cannot be used at the end of the step, or else at its start or in between; *t: when.
static bool find_fault(const thud_recording *r, double *t, char *what, size_t size)
{
    const thud_state *state = thud_model_state(r->model);
    for (int part = 64; part >= 0; part--)
    {
        *t = fma((double)state->n + part / 64.0, state->h, state->t0);
        if (thud_model_fault(r->model, *t, state->q, what, size))
            return true;
    }
    return false;
}

static thud_status fail_infeasible(const thud_recording *r, thud_fault *fault)
{
    char what[600] = "";
    const thud_state *state = thud_model_state(r->model);
    const thud_report *report = thud_work_report(r->work);
    thudi_name_conflict(r->model, report, what, sizeof what);
    if (what[0] != '\0')
        (void)thudi_fail(fault, THUD_ERR_INFEASIBLE, THUDI_NOWHERE, "",
                         "step %lld (from t = %.6g): %s; in conflict: %.400s",
                         (long long)state->n + 1, thud_state_time(state),
                         thud_status_text(THUD_ERR_INFEASIBLE), what);
    else
        (void)thudi_fail(fault, THUD_ERR_INFEASIBLE, THUDI_NOWHERE, "", "%.500s",
                         thud_work_message(r->work));
    thudi_hint_conflict(r->scene, r->model, report, fault);
    return THUD_ERR_INFEASIBLE;
}

static thud_status fail_step(const thud_recording *r, thud_status status, thud_fault *fault)
{
    char what[600] = "";
    double when = 0;
    if (find_fault(r, &when, what, sizeof what))
        // a callback that failed for a reason we could name is no bug
        return thudi_fail(fault, status == THUD_ERR_CALLBACK ? THUD_ERR_NOT_FINITE : status,
                          THUDI_NOWHERE,
                          "change the scene: expressions must be finite, and radii and normals "
                          "must not vanish, for the whole run",
                          "step %lld: %.400s at t = %.6g",
                          (long long)thud_model_state(r->model)->n + 1, what, when);
    (void)thudi_fail(
        fault, status, THUDI_NOWHERE,
        status == THUD_ERR_NOT_CONVERGED ? "try a smaller step, or a coarser solver.quality" : "",
        "%.500s", thud_work_message(r->work));
    const thud_fault *found = thud_work_fault(r->work);
    fault->row = found->row;
    fault->body = found->body;
    fault->wall = found->wall;
    if (status == THUD_ERR_STEP)
        thudi_hint_step(r->scene, fault);
    return status;
}

thud_status thudi_recording_step_fault(thud_recording *r, thud_status status, thud_fault *fault)
{
    thud_fault own;
    fault = fault ? fault : &own;
    status =
        status == THUD_ERR_INFEASIBLE ? fail_infeasible(r, fault) : fail_step(r, status, fault);
    fault->step = thud_model_state(r->model)->n + 1;
    (void)snprintf(r->error, sizeof r->error, "%s", fault->text);
    return status;
}

static void fail_check(const thudi_recorder *recorder, thud_fault *fault)
{
    if (recorder->concave_step > 0)
        (void)thudi_fail(
            fault, THUD_ERR_NOT_CONVERGED, THUDI_NOWHERE,
            "use a convex g, such as that of the outside of a disk; the scheme cannot keep others",
            "step %lld: %s no longer holds: it is not convex in the coordinates",
            recorder->failed_step, recorder->concave);
    else if (recorder->failed == THUD_CERT_NO_OVERLAP && recorder->smallest < INFINITY)
        (void)thudi_fail(fault, THUD_ERR_NOT_CONVERGED, THUDI_NOWHERE,
                         "use masses and forces that differ less: rounding moves the lighter "
                         "bodies; if they do not differ much, report it",
                         "step %lld: bodies overlap by %.3g, which is %.3g of the smallest radius",
                         recorder->failed_step, -recorder->tally.min_gap,
                         -recorder->tally.min_gap / recorder->smallest);
    else
        (void)thudi_fail(fault, THUD_ERR_NOT_CONVERGED, THUDI_NOWHERE,
                         "report this bug with the run directory, please",
                         "step %lld fails the certificate '%s' (%s)%s%s", recorder->failed_step,
                         thud_certificate_title(recorder->failed),
                         thud_certificate_text(recorder->failed),
                         recorder->failed_where[0] ? ": " : "", recorder->failed_where);
}

thud_status thudi_recording_check_fault(thud_recording *r, thud_fault *fault)
{
    thud_fault own;
    fault = fault ? fault : &own;
    fail_check(&r->recorder, fault);
    fault->step = r->recorder.failed_step;
    fault->row = r->recorder.concave_step > 0 ? r->recorder.concave_key : r->recorder.failed_key;
    (void)snprintf(r->error, sizeof r->error, "%s", fault->text);
    return THUD_ERR_NOT_CONVERGED;
}
