// What the members of a team do for the first one, which verifies a run.
#include "core/fault.h"
#include "core/memory.h"
#include "run/members/run_members.h"
#include "run/verify/verify_deal.h"

#include <string.h>

thud_status thudi_order_members(thud_team *team, const thudi_order *order, thud_fault *fault)
{
    thudi_order own = *order;
    THUD_TRY(thudi_meet_members(team, THUD_OK, fault));
    thud_team_share(team, 0, &own, sizeof own);
    return THUD_OK;
}

// The chain of hashes tells whether this member sees the states that the first one sees.
static bool is_same_log(const thudi_order *order, const thud_recorded *run)
{
    thud_log_summary log = thud_log_view(run->log);
    if (order->node < log.first_node)
        return order->chain == 0; // the first one has no hash either
    return order->node < log.step_count && thud_log_chain(run->log, order->node) == order->chain;
}

// Does this member see what the first one sees? Hashes of states do not tell what judges them: the
// scene may be another file, or the same file as it was before.
static thud_status compare(const thudi_order *order, const thud_recorded *run, thud_fault *fault)
{
    thud_digest scene;
    if (!is_same_log(order, run))
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(run->folder, "frames.thud"), "",
                          "it does not see the same run as the first member");
    THUD_TRY(thudi_scene_digest(run->scene, &scene));
    if (memcmp(&scene, &order->scene, sizeof scene) == 0)
        return THUD_OK;
    return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(run->folder, NULL), "",
                      "it does not see the same scene as the first member");
}

// Take the steps that the first member takes again, until it parts.
static thud_status follow_rerun(const thud_recorded *run, thud_team *team, thud_fault *fault)
{
    thud_model *model = NULL;
    thud_work *work = NULL;
    thud_status status = thud_model_create(run->scene, NULL, &model, fault);
    if (status >= 0)
    {
        thud_work_def how = thud_model_work(model);
        status = thud_work_create(&how, &work);
    }
    if (status >= 0)
        thud_work_set_team(work, team);
    status = thudi_meet_members(team, status, fault);
    if (status >= 0)
        status = thudi_share_state(team, thud_model_state(model), fault);
    if (status >= 0)
    {
        thud_fault ending; // the first member has met it too, and says so
        (void)thudi_follow_steps(model, work, &ending);
    }
    thud_work_destroy(work);
    thud_model_destroy(model);
    thud_team_begin(team);
    return status;
}

static thud_status obey(const thudi_order *order, const thud_recorded *run,
                        const thud_recorded_verify_def *def, thudi_deal *deal, thudi_nodes *nodes,
                        thud_fault *fault)
{
    thud_enclosed found;
    switch (order->name)
    {
    case THUDI_ORDER_JUDGE:
        deal->first = order->first;
        deal->behind = order->behind;
        return thudi_deal_judge(deal, run, nodes, fault);
    case THUDI_ORDER_COMPARE:
        return compare(order, run, fault);
    case THUDI_ORDER_RERUN:
        return follow_rerun(run, def->team, fault);
    case THUDI_ORDER_ENCLOSE:
        return thudi_verify_enclose(run, def, &found, fault);
    default:
        return THUD_OK;
    }
}

thud_status thudi_verify_follow(const thud_recorded *run, const thud_recorded_verify_def *def,
                                thud_fault *fault)
{
    thud_recorded_verify_def own = *def;
    thudi_order order = {.name = THUDI_ORDER_JUDGE};
    thudi_deal deal = {0};
    thudi_nodes nodes = {0};
    own.progress = NULL; // the first member tells, and may end it
    thud_status status = thudi_nodes_make(&nodes, thud_log_view(run->log).dim);
    if (status >= 0)
        status = thudi_deal_open(&deal, def->team);
    while (order.name != THUDI_ORDER_END)
    {
        status = thudi_meet_members(def->team, status, fault);
        if (status < 0)
            break;
        thud_team_share(def->team, 0, &order, sizeof order);
        status = obey(&order, run, &own, &deal, &nodes, fault);
    }
    thudi_deal_close(&deal);
    thudi_nodes_free(&nodes);
    return status == THUD_ERR_STOPPED ? THUD_STOPPED : status;
}

thud_status thudi_verify_part(const thud_recorded_verify_def *def, thud_status status,
                              thud_fault *fault)
{
    if (thud_team_size(def->team) == 1)
        return status;
    if (status == THUD_OK)
        return thudi_order_members(def->team, &(thudi_order){.name = THUDI_ORDER_END}, fault);
    (void)thudi_meet_members(def->team, status < 0 ? status : THUD_ERR_STOPPED, fault);
    return status;
}
