// A run whose steps are taken by a team. The first member records; the others follow it.
//
// The members meet when the recording was made, before its first step, in every step, and when the
// recording is closed. Before the first step all of them get the state of the first one.
#include "run/recording/recording.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/recorded/recorded.h"

thud_status thudi_recording_share(thud_recording *r, thud_fault *fault)
{
    thud_team *team = r->def.team;
    if (thud_team_size(team) == 1 || r->has_shared)
        return THUD_OK;
    r->has_shared = true;
    THUD_TRY(thudi_meet_members(team, THUD_OK, fault));
    return thudi_share_state(team, thud_model_state(r->model), fault);
}

// Take every step that the first member takes.
static thud_status follow(thud_team *team, thud_model *model, thud_work *work, thud_fault *fault)
{
    THUD_TRY(thudi_meet_members(team, THUD_OK, fault)); // the first member begins, or ends
    THUD_TRY(thudi_share_state(team, thud_model_state(model), fault));
    return thudi_follow_steps(model, work, fault);
}

static thud_status make_work(const thud_recording_def *def, thud_model *model, thud_work **work)
{
    thud_work_def how = thud_model_work(model);
    THUD_TRY(thud_work_create(&how, work));
    thud_work_set_stop(*work, def->stop, 0);
    thud_work_set_team(*work, def->team);
    return THUD_OK;
}

thud_status thud_recording_follow(const thud_recording_def *def, thud_fault *fault)
{
    thud_scene *scene = NULL;
    thud_model *own = NULL;
    thud_work *work = NULL;
    thud_fault kept;
    fault = thudi_fault_begin(fault, &kept);
    if (thud_team_rank(def->team) == 0)
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "the first member of a team records");
    thud_status status = THUD_OK;
    if (!def->model && def->scene)
        status = thud_model_create(def->scene, NULL, &own, fault);
    else if (!def->model)
        status = thudi_run_read_model(def->folder, &scene, &own, fault);
    thud_model *model = def->model ? def->model : own;
    if (status >= 0)
        status = make_work(def, model, &work);
    status = thudi_meet_members(def->team, status < 0 ? status : THUD_OK, fault);
    if (status >= 0)
        status = follow(def->team, model, work, fault);
    thud_work_destroy(work);
    thud_model_destroy(own);
    thud_scene_destroy(scene);
    if (status == THUD_ERR_STOPPED)
        return THUD_STOPPED;
    return thudi_fault_end(fault, status);
}
