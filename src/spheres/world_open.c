// Gaps opened by moving bodies to the nearest positions (in the mass metric, linearised) that have
// room: one step of the first-order scheme with U = 0 that ends now, whose velocity is forgotten.
// Left to the scheme, bodies would keep the opening speed.
//
// Where contacts bounce, those that touch at the start must take part in impacts: they are kept
// within THUDI_CLOSED sigma as well, if that is possible (see core/touching.h).
//
// Bodies move only if they are new. In a world that has been stepped the others stand where a step
// has left them: they are part of the rows like walls.
#include "spheres/world.h"

#include "core/touching.h"
#include "rows/rows.h"

#include <math.h>
#include <string.h>

enum
{
    // That many, and those that touch are not kept together: they cannot all stay, or it takes too
    // long. Lattices of some thousands of bodies need fewer.
    CLOSE_SWEEPS = 3000
};

// Of every row the blocks of new bodies; rows without one go.
static void keep_new(const thud_world *world, thud_rows *rows)
{
    int kept = 0, ordered = 0;
    for (int i = 0; i < rows->count; i++)
    {
        thudi_row_head head = rows->heads.items[i];
        int count = thudi_row_count(&head);
        bool first = world->is_new.items[thudi_row_start(rows, &head, 0) / world->dim];
        bool last = world->is_new.items[thudi_row_start(rows, &head, count - 1) / world->dim];
        if (!first && !last)
            continue;
        if (first != last)
            thudi_rows_keep_block(rows, &head, first ? 0 : 1);
        ordered += i < rows->ordered;
        rows->heads.items[kept++] = head;
    }
    rows->count = kept;
    rows->ordered = ordered;
    rows->last_key = kept > 0 ? rows->heads.items[kept - 1].key : thud_key_number(0);
}

static int gaps_of_new(const thud_moment *at, thud_rows *rows, void *user)
{
    int code = thudi_world_gaps(at, rows, user);
    if (code == 0 && thud_rows_status(rows) >= 0)
        keep_new(user, rows);
    return code;
}

// A row that keeps two together which touch: their gap from the other side, CLOSED sigma - lin >=
// 0, with the same shift, so that it is solved as finely.
static thud_status push_closed(thud_rows *rows, int i)
{
    thudi_entries row;
    thudi_row_open(rows, i, &row);
    double slope[6], sigma = row.head->shift / THUDI_OPENED;
    int width = thudi_row_width(row.head), first[2] = {row.index[0], row.index[row.size - width]};
    for (int e = 0; e < row.size; e++)
        slope[e] = -row.slope[e];
    return thud_rows_push(rows,
                          &(thud_row){.key = row.head->key,
                                      .gap = THUDI_CLOSED * sigma + row.head->shift - row.head->gap,
                                      .shift = row.head->shift,
                                      .width = width,
                                      .count = thudi_row_count(row.head),
                                      .index = first,
                                      .slope = slope});
}

// The same, and those that touch stay together: in a lattice the nearest positions would open some
// contacts far more than they need.
static int gaps_that_close(const thud_moment *at, thud_rows *rows, void *user)
{
    int code = gaps_of_new(at, rows, user), count = rows->count;
    for (int i = 0; i < count && code == 0; i++)
        if (fabs(rows->heads.items[i].gap) < rows->heads.items[i].shift / THUDI_OPENED)
            code = push_closed(rows, i);
    return code;
}

// The step, with the world as it is while it opens.
static thud_status step_open(thud_world *world, const thud_inclusion *problem, thud_state *state,
                             thud_work *work)
{
    const thudi_shift shift = world->shift;
    const thud_law_info *law = world->law;
    world->law = thud_law_find(0);
    world->shift = thudi_shift_times(&shift, THUDI_OPENED);
    world->tolerance_share = THUDI_OPENED_SHARE;
    world->is_opening = true;
    thud_status status = thud_step(problem, state, work);
    world->is_opening = false;
    world->tolerance_share = THUDI_TOLERANCE_SHARE;
    world->shift = shift;
    world->law = law;
    return status;
}

// Open by a step with the given rows into q. *fits: with all of the shifts.
static thud_status open_by(thud_world *world, thud_gaps_fn *gaps, int sweep_limit, double *q,
                           bool *fits)
{
    const thud_state *state = world->state;
    thud_inclusion problem = thud_world_inclusion(world);
    thud_work_def work_def = thud_world_work(world);
    thud_state_def def = {.dim = state->dim,
                          .t0 = thud_state_time(state) - state->h,
                          .h = state->h,
                          .q = state->q,
                          .allocator = &world->allocator};
    thud_state *copy = NULL;
    thud_work *work = NULL;
    problem.order = THUD_FIRST_ORDER;
    problem.law = (thud_law)0;
    problem.force = NULL;
    problem.drag = problem.noise = 0;
    problem.gaps = gaps;
    work_def.allocator = &world->allocator;
    work_def.tolerance_share = THUDI_OPENED_SHARE;
    work_def.projector.sweep_limit = sweep_limit;
    thud_status status = thud_state_create(&def, &copy);
    if (status >= 0)
        status = thud_work_create(&work_def, &work);
    if (status >= 0)
        status = step_open(world, &problem, copy, work);
    *fits = status >= 0 && thud_work_report(work)->shift_scale == 1;
    if (status >= 0)
        memcpy(q, copy->q, (size_t)state->dim * sizeof *q);
    else if (work)
        thudi_world_fail(world, "the start cannot be opened: %s", thud_work_message(work));
    thud_work_destroy(work);
    thud_state_destroy(copy);
    return status;
}

thud_status thudi_world_open(thud_world *world, double *q)
{
    bool fits = false;
    thud_status status = THUD_OK;
    if (world->law->row_margin > 0) // what touches takes part in an impact
        status = open_by(world, gaps_that_close, CLOSE_SWEEPS, q, &fits);
    if (fits || status == THUD_ERR_MEMORY)
        return status;
    return open_by(world, gaps_of_new, 0, q, &fits);
}
