// What the members of a team tell each other beside the steps that they take: errors, and the state
// of the first one.
#include "run/members/run_members.h"

#include "core/fault.h"
#include "core/memory.h"

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

thud_status thudi_meet_members(thud_team *team, thud_status status, thud_fault *fault)
{
    if (thud_team_size(team) == 1)
        return status;
    thud_status met = thud_team_meet(team, status, fault && fault->text[0] ? fault->text : NULL);
    if (status < 0 || met >= 0)
        return status;
    return thudi_fail(fault, met, THUDI_NOWHERE, "", "%s", thud_team_message(team));
}

thud_status thudi_share_state(thud_team *team, thud_state *state, thud_fault *fault)
{
    head h = {.t0 = state->t0,
              .h = state->h,
              .n = state->n,
              .dim = state->dim,
              .multipliers = state->multiplier_count,
              .more_width = state->more_width};
    thud_team_share(team, 0, &h, sizeof h);
    THUD_TRY(thudi_meet_members(team, fit(state, &h), fault));
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

thud_status thudi_follow_steps(thud_model *model, thud_work *work, thud_fault *fault)
{
    thud_status status;
    do
        status = thud_step(thud_model_problem(model), thud_model_state(model), work);
    while (status >= 0);
    return thudi_fail(fault, status, THUDI_NOWHERE, "", "%s", thud_work_message(work));
}

void thudi_part_from_members(thud_team *team)
{
    if (thud_team_size(team) > 1)
        (void)thud_team_meet(team, THUD_ERR_STOPPED, "the run has ended");
}
