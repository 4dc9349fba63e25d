// Recorded steps dealt out to the members of a team, some for each at a time.
//
// A member that fails says so with its judgement, and brings its error when the members meet again.
// Until then the first member may find, in a frame before that one, what ends the verification.
//
// Every member opens scene and log for itself, maybe on a disk of its own. So a judgement counts
// only with the sum of its frame: it must be that of the frame which the first member has looked
// at.
#include "run/verify/verify_deal.h"

#include "core/fault.h"
#include "core/memory.h"
#include "record/log_parts.h"
#include "run/members/run_members.h"
#include "thud/model_verify.h"

#include <stdlib.h>
#include <string.h>

enum
{
    AT_ONCE = 16 // frames of one member
};

void thudi_judge(const thud_recorded *run, const thudi_nodes *nodes, const thud_frame *frame,
                 thudi_judgement *found)
{
    *found = (thudi_judgement){.integrated = THUD_OK};
    found->recorded =
        thud_model_verify_recorded(run->model, nodes->before, nodes->after, frame->force,
                                   frame->directions, frame->direction_count, &found->by_recorded);
    if (found->recorded >= 0)
        found->integrated = thud_model_verify_recorded(
            run->model, nodes->before, nodes->after, NULL, frame->directions,
            frame->direction_count, &found->by_integrated);
}

thud_status thudi_deal_open(thudi_deal *deal, thud_team *team)
{
    *deal = (thudi_deal){.team = team};
    if (thud_team_size(team) == 1)
        return THUD_OK;
    deal->judged = calloc((size_t)thud_team_size(team) * AT_ONCE, sizeof *deal->judged);
    return deal->judged ? THUD_OK : THUD_ERR_MEMORY;
}

thud_status thudi_deal_compare(const thudi_deal *deal, const thud_recorded *run, thud_fault *fault)
{
    thud_log_summary log = thud_log_view(run->log);
    thudi_order order = {.name = THUDI_ORDER_COMPARE, .node = log.step_count - 1};
    if (!deal->judged)
        return THUD_OK;
    if (order.node >= log.first_node)
        order.chain = thud_log_chain(run->log, order.node);
    THUD_TRY(thudi_scene_digest(run->scene, &order.scene));
    return thudi_order_members(deal->team, &order, fault);
}

void thudi_deal_close(thudi_deal *deal)
{
    free(deal->judged);
    deal->judged = NULL;
}

// Does the status speak of the scene or of the step, and not of the member?
static bool is_of_step(thud_status status)
{
    return status >= 0 || status == THUD_ERR_CALLBACK || status == THUD_ERR_NOT_FINITE ||
           status == THUD_ERR_QUADRATURE;
}

static thud_status judge_frame(const thud_recorded *run, thudi_nodes *nodes, int64_t i,
                               thudi_judgement *found, thud_fault *fault)
{
    thud_frame frame;
    THUD_TRY(thud_log_frame(run->log, i, &frame, fault));
    THUD_TRY(thudi_nodes_fill(nodes, run->scene, &frame));
    if (frame.h > 0)
        thudi_judge(run, nodes, &frame, found);
    found->sum = thudi_log_frame_sum(run->log);
    if (!is_of_step(found->recorded))
        return found->recorded;
    return is_of_step(found->integrated) ? THUD_OK : found->integrated;
}

thud_status thudi_deal_judge(thudi_deal *deal, const thud_recorded *run, thudi_nodes *nodes,
                             thud_fault *fault)
{
    int size = thud_team_size(deal->team), rank = thud_team_rank(deal->team);
    thudi_judgement *own = deal->judged + (size_t)rank * AT_ONCE;
    thud_status status = THUD_OK;
    memset(own, 0, AT_ONCE * sizeof *own);
    for (int64_t i = deal->first + rank; i < deal->behind && status >= 0; i += size, own++)
        own->failed = status = judge_frame(run, nodes, i, own, fault);
    for (int r = 0; r < size; r++)
        thud_team_share(deal->team, r, deal->judged + (size_t)r * AT_ONCE,
                        AT_ONCE * sizeof *deal->judged);
    return status;
}

thud_status thudi_deal_round(thudi_deal *deal, const thud_recorded *run, thudi_nodes *nodes,
                             int64_t frame, thud_fault *fault)
{
    if (!deal->judged || frame < deal->behind)
        return THUD_OK;
    int64_t frames = thud_log_view(run->log).frame_count;
    int64_t behind = frame + (int64_t)AT_ONCE * thud_team_size(deal->team);
    deal->first = frame;
    deal->behind = behind < frames ? behind : frames;
    thudi_order order = {.name = THUDI_ORDER_JUDGE, .first = deal->first, .behind = deal->behind};
    THUD_TRY(thudi_order_members(deal->team, &order, fault));
    thud_fault later; // the judgement says that it failed: frames before that one come first
    (void)thudi_deal_judge(deal, run, nodes, &later);
    return THUD_OK;
}

// The frame of a judgement is not the one that the first member has read since.
static thud_status is_another(const thudi_deal *deal, const thud_recorded *run, int64_t frame,
                              thud_fault *fault)
{
    int size = thud_team_size(deal->team), member = (int)((frame - deal->first) % size);
    thudi_at at = THUDI_IN(run->folder, thud_log_form_file(thud_log_view(run->log).form));
    if (member == 0)
        return thudi_fail(fault, THUD_ERR_RECORD, at, "",
                          "frame %lld has changed while it was verified", (long long)frame);
    return thudi_fail(fault, THUD_ERR_RECORD, at, "",
                      "member %d of %d sees another frame %lld than the first member", member + 1,
                      size, (long long)frame);
}

thud_status thudi_deal_find(const thudi_deal *deal, const thud_recorded *run, int64_t frame,
                            const thudi_judgement **found, thud_fault *fault)
{
    *found = NULL;
    if (!deal->judged)
        return THUD_OK;
    int64_t size = thud_team_size(deal->team), at = frame - deal->first;
    *found = &deal->judged[at % size * AT_ONCE + at / size];
    if ((*found)->failed >= 0)
        return (*found)->sum == thudi_log_frame_sum(run->log) ? THUD_OK
                                                              : is_another(deal, run, frame, fault);
    if (at % size == 0)
        return (*found)->failed;
    return thudi_meet_members(deal->team, THUD_OK, fault); // it brings its error
}
