// The projection that a step solved, and where the step began.
#include "posed.h"

#include "step/work.h"

#include <stdlib.h>
#include <string.h>

bool posed_take(posed *p, const thud_inclusion *inclusion, thud_state *state, thud_work *work)
{
    size_t size = (size_t)state->dim * sizeof *p->origin;
    posed_free(p);
    p->origin = malloc(size);
    if (!p->origin)
        return false;
    memcpy(p->origin, state->q, size);
    p->status = thud_step(inclusion, state, work);
    bool is_second = inclusion->order == THUD_SECOND_ORDER;
    p->problem = (thud_projection){
        .dim = state->dim,
        .h = state->h,
        .mass = inclusion->mass,
        .w = work->w.items,
        .rows = work->rows,
        .origin = p->origin,
        .warm = work->warm.items,
        .accuracy = work->def.accuracy,
        .tolerance_share = work->def.tolerance_share,
        .force = is_second ? work->mean_force.items : work->pull.items,
        .shift_scale = 1,
        .bricks = inclusion->bricks,
    };
    return p->status >= 0 || p->status == THUD_ERR_INFEASIBLE;
}

void posed_free(posed *p)
{
    free(p->origin);
    p->origin = NULL;
}
