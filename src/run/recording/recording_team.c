// A run whose steps are taken by a team. The first member records; the others follow it.
//
// The members meet when the recording was made, before its first step, in every step, and when the
// recording is closed. Before the first step all of them get the state of the first one.
#include "run/recording/recording.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/recorded/recorded.h"

#include <string.h>

// The state of the first member, apart from its arrays.
typedef struct head
{
    double t0, h;
    int64_t n;
    int dim, multipliers, more_width;
} head;

static thud_status fit(thud_state *state, const head *from)
{
    if (from->dim != state->dim)
        return THUD_ERR_ARGUMENT;
    THUD_TRY(thud_state_widen(state, from->more_width));
    return thud_state_reserve(state, from->multipliers);
}

// The caller has met the others before, so that all of them are here.
static thud_status share_state(thud_team *team, thud_state *state)
{
    head h = {.t0 = state->t0,
              .h = state->h,
              .n = state->n,
              .dim = state->dim,
              .multipliers = state->multiplier_count,
              .more_width = state->more_width};
    thud_team_share(team, 0, &h, sizeof h);
    THUD_TRY(thud_team_meet(team, fit(state, &h), NULL));
    state->t0 = h.t0;
    state->h = h.h;
    state->n = h.n;
    state->multiplier_count = h.multipliers;
    size_t dim = (size_t)h.dim, count = (size_t)h.multipliers;
    thud_team_share(team, 0, state->q, dim * sizeof *state->q);
    thud_team_share(team, 0, state->u, dim * sizeof *state->u);
    thud_team_share(team, 0, state->multipliers, count * sizeof *state->multipliers);
    thud_team_share(team, 0, state->more, count * (size_t)h.more_width * sizeof *state->more);
    return THUD_OK;
}

thud_status thudi_meet_members(thud_team *team, thud_status status, thud_fault *fault)
{
    if (thud_team_size(team) == 1)
        return status;
    thud_status met = thud_team_meet(team, status, fault && fault->text[0] ? fault->text : NULL);
    if (status < 0 || met >= 0)
        return status;
    return thudi_fail(fault, met, THUDI_NOWHERE, "", "%s", thud_team_message(team));
}

thud_status thudi_recording_share(thud_recording *r, thud_fault *fault)
{
    thud_team *team = r->def.team;
    if (thud_team_size(team) == 1 || r->has_shared)
        return THUD_OK;
    r->has_shared = true;
    THUD_TRY(thudi_meet_members(team, THUD_OK, fault));
    return thudi_meet_members(team, share_state(team, thud_model_state(r->model)), fault);
}

void thudi_recording_part(thud_recording *r)
{
    if (thud_team_size(r->def.team) > 1)
        (void)thud_team_meet(r->def.team, THUD_ERR_STOPPED, "the run has ended");
}

// Take every step that the first member takes.
static thud_status follow(thud_team *team, thud_model *model, thud_work *work, thud_fault *fault)
{
    thud_state *state = thud_model_state(model);
    THUD_TRY(thudi_meet_members(team, THUD_OK, fault)); // the first member begins, or ends
    THUD_TRY(thudi_meet_members(team, share_state(team, state), fault));
    thud_status status;
    do
        status = thud_step(thud_model_problem(model), state, work);
    while (status >= 0);
    return thudi_fail(fault, status, THUDI_NOWHERE, "", "%s", thud_work_message(work));
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
