// thud verify --enclose: the active set of every recorded step, proved.
//
// The step is taken once more from its recorded start, which gives the rows and the multipliers to
// begin with. It counts only if it ends in the recorded state, bit for bit. The proof itself is
// that of thud_enclose, and believes the solver nothing.
#include "core/checksum.h"
#include "core/fault.h"
#include "core/memory.h"
#include "record/log_parts.h"
#include "run/members/run_members.h"
#include "run/verify/verify_deal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sets to try, and numbers in a factor: 256 MiB.
static const thud_enclose_def HARD = {.round_limit = 60, .factor_limit = (size_t)1 << 25};

typedef struct encloser
{
    const thud_recorded *run;
    const thud_recorded_verify_def *def;
    thud_work *work;
    thudi_nodes nodes;
    thud_enclosed *found;
    uint32_t *sums; // of the frames of each member, as far as this one has read them; NULL: no team
} encloser;

// One projection, for K and for the gaps less their shifts. *held: both are proved.
static thud_status enclose(const thud_projection *projection, const thud_answer *answer,
                           bool is_impact, thud_enclosed *found, bool *held)
{
    thud_projection own = *projection;
    thud_enclosure shifted, whole = {.holds = true};
    own.shift_scale = 0;
    THUD_TRY(thud_enclose(projection, answer->u, answer->mu, &HARD, &shifted, NULL));
    if (!is_impact) // its gaps are made with their shifts: K is the shifted problem
        THUD_TRY(thud_enclose(&own, answer->u, answer->mu, &HARD, &whole, NULL));
    *held = *held && shifted.holds && whole.holds;
    found->bound = fmax(found->bound, whole.bound);
    found->shifted = fmax(found->shifted, shifted.bound);
    found->weak = fmax(found->weak, fmax(whole.weak, shifted.weak));
    return THUD_OK;
}

static thud_status enclose_step(const encloser *e, thud_enclosed *step, bool *held)
{
    const thud_inclusion *problem = thud_model_problem(e->run->model);
    const thud_report *report = thud_work_report(e->work);
    thud_projection projection = {.dim = problem->dim,
                                  .h = e->nodes.before->h,
                                  .mass = problem->mass,
                                  .w = report->target,
                                  .rows = report->rows,
                                  .origin = e->nodes.before->q,
                                  .shift_scale = report->shift_scale};
    THUD_TRY(enclose(&projection, &report->answer, false, step, held));
    if (!report->impact_rows)
        return THUD_OK;
    projection.w = report->w;
    projection.rows = report->impact_rows;
    projection.shift_scale = report->impact_scale;
    return enclose(&projection, &report->impact, true, step, held);
}

static bool is_same_state(const thud_state *a, const thud_state *b)
{
    size_t size = (size_t)a->dim * sizeof(double);
    return memcmp(a->q, b->q, size) == 0 && memcmp(a->u, b->u, size) == 0;
}

static thud_status repeat_step(const encloser *e)
{
    thud_state *state = thud_model_state(e->run->model);
    thud_enclosed step = {0};
    bool held = true;
    THUD_TRY(thud_state_copy(state, e->nodes.before));
    thud_status status = thud_step(thud_model_problem(e->run->model), state, e->work);
    e->found->steps++;
    if (status < 0 || !is_same_state(state, e->nodes.after))
    {
        e->found->others++;
        return status == THUD_ERR_MEMORY ? status : THUD_OK;
    }
    THUD_TRY(enclose_step(e, &step, &held));
    if (!held)
        return THUD_OK;
    e->found->held++;
    e->found->bound = fmax(e->found->bound, step.bound);
    e->found->shifted = fmax(e->found->shifted, step.shifted);
    e->found->weak = fmax(e->found->weak, step.weak);
    return THUD_OK;
}

// One more frame of a member was read.
static void note_frame(const encloser *e, int member)
{
    uint32_t sum = thudi_log_frame_sum(e->run->log);
    if (e->sums)
        e->sums[member] = thudi_checksum(e->sums[member], &sum, sizeof sum);
}

static thud_status repeat_steps(encloser *e, thud_fault *fault)
{
    thud_log_summary log = thud_log_view(e->run->log);
    for (int64_t i = 0; i < log.frame_count; i++)
    {
        thud_frame frame;
        int member = (int)(i % thud_team_size(e->def->team));
        bool is_own = member == thud_team_rank(e->def->team);
        if (!is_own && thud_team_rank(e->def->team) > 0)
            continue; // another member's
        if (thudi_verify_ends(e->def, (double)i / (double)log.frame_count))
            return THUD_STOPPED;
        THUD_TRY(thud_log_frame(e->run->log, i, &frame, fault));
        note_frame(e, member);
        if (!is_own)
            continue; // the first member has looked what its frame is
        THUD_TRY(thudi_nodes_fill(&e->nodes, e->run->scene, &frame));
        if (frame.h > 0)
            THUD_TRY(repeat_step(e));
    }
    return THUD_OK;
}

// What one member tells the others.
typedef struct portion
{
    thud_enclosed found;
    uint32_t sum; // of its frames
} portion;

// What member r has found. For the first member it must have seen the frames that that one sees.
static thud_status join_portion(const encloser *e, int r, const portion *other, thud_fault *fault)
{
    thud_team *team = e->def->team;
    if (thud_team_rank(team) == 0 && other->sum != e->sums[r])
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(e->run->folder, NULL), "",
                          "member %d of %d sees other frames than the first member", r + 1,
                          thud_team_size(team));
    e->found->steps += other->found.steps;
    e->found->held += other->found.held;
    e->found->others += other->found.others;
    e->found->bound = fmax(e->found->bound, other->found.bound);
    e->found->shifted = fmax(e->found->shifted, other->found.shifted);
    e->found->weak = fmax(e->found->weak, other->found.weak);
    return THUD_OK;
}

// What all members have found. A member that fails, or is stopped, ends it for all.
static thud_status join_members(const encloser *e, thud_status status, thud_fault *fault)
{
    thud_team *team = e->def->team;
    if (thud_team_size(team) == 1)
        return status;
    thud_status met = status == THUD_STOPPED ? THUD_ERR_STOPPED : status;
    met = thudi_meet_members(team, met, fault);
    if (status != THUD_OK || met < 0)
        return status != THUD_OK ? status : met;
    portion own = {.found = *e->found, .sum = e->sums[thud_team_rank(team)]};
    for (int r = 0; r < thud_team_size(team); r++)
    {
        portion other = own;
        thud_team_share(team, r, &other, sizeof other);
        if (r != thud_team_rank(team) && status >= 0) // all are shared, whatever one has seen
            status = join_portion(e, r, &other, fault);
    }
    return status;
}

// By the first member of a team: the others do it too, each for its frames.
static thud_status begin_together(const thud_recorded_verify_def *def, thud_fault *fault)
{
    if (thud_team_size(def->team) == 1 || thud_team_rank(def->team) > 0)
        return THUD_OK;
    return thudi_order_members(def->team, &(thudi_order){.name = THUDI_ORDER_ENCLOSE}, fault);
}

static thud_status open_sums(encloser *e)
{
    size_t size = (size_t)thud_team_size(e->def->team);
    if (size == 1)
        return THUD_OK;
    e->sums = calloc(size, sizeof *e->sums);
    return e->sums ? THUD_OK : THUD_ERR_MEMORY;
}

thud_status thudi_verify_enclose(const thud_recorded *run, const thud_recorded_verify_def *def,
                                 thud_enclosed *found, thud_fault *fault)
{
    encloser e = {.run = run, .def = def, .found = found};
    thud_work_def work = thud_model_work(run->model);
    work.projector.skip_enclosure = true; // harder here
    *found = (thud_enclosed){0};
    THUD_TRY(begin_together(def, fault));
    thudi_nodes kept = {0};
    thud_status status = thudi_nodes_make(&e.nodes, thud_log_view(run->log).dim);
    if (status >= 0)
        status = thudi_nodes_make(&kept, thud_log_view(run->log).dim);
    if (status >= 0)
        status = thud_state_copy(kept.before, thud_model_state(run->model));
    bool has_start = status >= 0;
    if (status >= 0)
        status = open_sums(&e);
    if (status >= 0)
        status = thud_work_create(&work, &e.work);
    if (status >= 0)
        status = repeat_steps(&e, fault);
    status = join_members(&e, status, fault);
    // whatever ended it: the next look at the run begins at the model's start
    thud_status restored =
        has_start ? thud_state_copy(thud_model_state(run->model), kept.before) : THUD_OK;
    thud_work_destroy(e.work);
    free(e.sums);
    thudi_nodes_free(&e.nodes);
    thudi_nodes_free(&kept);
    return status == THUD_OK ? restored : status;
}
