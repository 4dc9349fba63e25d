// The steps of a recording, and how they end.
#include "run/recording/recording.h"

#include "core/clock.h"
#include "core/fault.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static void add_profile(thud_profile *sum, const thud_profile *step)
{
    sum->predict += step->predict;
    sum->linearise += step->linearise;
    sum->project += step->project;
    sum->check += step->check;
    sum->commit += step->commit;
    sum->certify += step->certify;
}

// A thud_observe_fn. The recorder comes first: others see what is on record.
static int observe(const thud_view *view, void *user)
{
    thud_recording *r = user;
    if (!view->report && r->has_observed) // steps go on from here
        return 0;
    r->has_observed = true;
    if (view->report)
        add_profile(&r->summary.profile, &view->report->profile);
    int stop = thudi_recorder_observe(view, &r->recorder);
    (void)thudi_halving_observe(view, &r->halving);
    if (!r->def.observe || r->recorder.status < 0)
        return stop;
    bool is_over = thud_run_is_over(view->state, r->scene->end); // there is nothing to stop
    return (r->def.observe(view, r->def.user) != 0 && !is_over) || stop;
}

static thud_status take_steps(thud_recording *r, double until, thud_fault *fault)
{
    const thudi_requests *requests = &r->recorder.requests;
    thud_observer observer = {observe, THUD_EVERY_STEP, r};
    double end = until < r->scene->end ? until : r->scene->end;
    thud_run_def def = {.end = end > r->scene->start ? end : r->scene->start,
                        .observers = &observer,
                        .observer_count = 1,
                        .stop = requests->stop,
                        .deadline = isfinite(requests->deadline) ? requests->deadline : 0};
    thud_state *state = thud_model_state(r->model);
    thud_status status = thud_run(thud_model_problem(r->model), state, r->work, &def, NULL);
    if (status == THUD_STOPPED) // in the midst of a step, which is dropped
        thudi_recorder_stop(&r->recorder, state);
    r->summary.seconds = thudi_seconds() - r->begun;
    r->summary.reached = thud_state_time(state);
    r->summary.frames = thud_record_frames(r->recorder.record); // while the record is open
    r->summary.digest = thud_record_digest(r->recorder.record);
    r->summary.ending = "failed";
    if (r->recorder.status < 0)
        return thudi_recording_fail(r, r->recorder.status, fault);
    if (r->recorder.failed_step > 0)
        return thudi_recording_check_fault(r, fault);
    if (status < 0)
        return thudi_recording_step_fault(r, status, fault);
    bool is_done = thud_run_is_over(state, r->scene->end);
    r->summary.ending = status == THUD_STOPPED ? "stopped" : is_done ? "done" : "running";
    return status;
}

// At half the step; the run itself is on the disk by now. Stopped, it leaves that as it is.
static thud_status take_second_run(thud_recording *r, thud_status status, thud_fault *fault)
{
    thud_status second = thudi_halving_run(&r->halving, r->scene);
    THUD_TRY(thudi_recording_write_json(r, fault));
    return second == THUD_STOPPED ? second : status;
}

thud_status thud_recording_run(thud_recording *recording, double until, thud_fault *fault)
{
    thud_fault writing = {0};
    if (isnan(until))
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "", "the time is no number");
    if (!recording->recorder.record)
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "the recording has failed before");
    if (strcmp(recording->summary.ending, "done") == 0) // its second run is not made twice
        return THUD_OK;
    THUD_TRY(thudi_recording_share(recording, fault));
    thud_status status = take_steps(recording, until, fault);
    bool is_done = strcmp(recording->summary.ending, "done") == 0;
    if (!recording->recorder.record || strcmp(recording->summary.ending, "running") == 0)
        return status;
    thudi_halving_confirm(&recording->halving, is_done, recording->recorder.chain);
    thud_status written = thudi_recording_write_json(recording, &writing);
    if (written < 0 && status < 0) // of two errors that of the step
        recording->late = writing;
    else if (written < 0 && fault)
        *fault = writing;
    if (written < 0 || status < 0)
        return status < 0 ? status : written;
    return is_done && recording->halving.recorder ? take_second_run(recording, status, fault)
                                                  : status;
}
