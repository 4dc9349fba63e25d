// What the Gauss-Seidel methods work on: packs where the rows suit them, else the rows as they are.
#include "project/sweep/sweeper.h"

#include "project/sweep/part.h"

#include <string.h>

// May missing rows be looked for while this task is solved?
static bool may_look(const thudi_task *task)
{
    return task->projector->look && task->is_last;
}

static thud_status begin_packs(const thudi_task *task, thudi_sweeper *s)
{
    int count = thudi_task_rows(task);
    const thudi_packing packing = {
        .problem = task->problem,
        .which = task->which,
        .count = count,
        .marks = task->marks,
        .rooms = task->projector->rooms,
        .brick_limit = task->projector->brick_limit,
        .late_rows = may_look(task) ? (int)THUDI_LATE_ROWS(count) : 0,
        .team = task->team,
        .cut = task->cut,
    };
    if (packing.count == 0)
        return THUD_NEWS;
    s->packed = true;
    return thudi_packs_begin(&packing, &s->packs);
}

thud_status thudi_sweeper_begin(const thudi_task *task, thudi_sweeper *s)
{
    thud_rooms *rooms = task->projector->rooms;
    int open = thud_rooms_count(rooms);
    s->task = task;
    s->packed = false;
    s->mark = NULL;
    thud_status status = begin_packs(task, s);
    if (status != THUD_NEWS)
        return status;
    s->packed = false;
    thud_rooms_close(rooms, open);
    return task->which ? THUD_NEWS : thudi_iteration_begin(task, &s->it);
}

thud_status thudi_sweeper_sweep(thudi_sweeper *s, double beta, thudi_sweep *seen)
{
    thudi_packs *packs = &s->packs;
    thud_status stopped = thudi_stop_status(s->task->projector->stop);
    THUD_TRY(s->packed ? thudi_part_hold(packs->part, stopped) : stopped);
    s->task->effort->sweeps++;
    *seen = s->packed ? thudi_packs_sweep(packs, beta) : thudi_iteration_sweep(&s->it, beta);
    THUD_TRY(s->task->team->status);
    return s->packed ? thudi_packs_widen_if_needed(s->task->problem, packs, seen) : THUD_OK;
}

double thudi_sweeper_evaluate(thudi_sweeper *s)
{
    s->task->effort->evaluations++;
    return s->packed ? thudi_packs_evaluate(s->task->problem, &s->packs)
                     : thudi_iteration_evaluate(&s->it);
}

// The velocity of all coordinates. All rows that are not swept are solved.
static thud_status write_velocity(const thudi_sweeper *s, double *velocity)
{
    const thud_projection *problem = s->task->problem;
    const double *mu = s->task->mu;
    memcpy(velocity, problem->w, (size_t)problem->dim * sizeof *velocity);
    for (int i = 0; i < problem->rows->count && s->task->which; i++)
    {
        thudi_entries row;
        if (mu[i] == 0)
            continue;
        thudi_row_open(problem->rows, i, &row);
        for (int k = 0; k < row.size; k++)
            velocity[row.index[k]] +=
                mu[i] * row.slope[k] / thudi_mass(problem->mass, row.index[k]);
    }
    return thudi_packs_velocity(&s->packs, velocity);
}

thud_status thudi_sweeper_look(thudi_sweeper *s, int *added)
{
    const thudi_task *task = s->task;
    const thudi_look *look = task->projector->look;
    thudi_packs *packs = &s->packs;
    thudi_joining joining;
    double *velocity = task->projector->u.items;
    *added = 0;
    if (!s->packed || !may_look(task))
        return THUD_OK;
    THUD_TRY(write_velocity(s, velocity));
    thudi_packs_begin_joining(task->problem, packs, &joining);
    // all members find the same rows, unless one of them fails
    thud_status found = look->find(look->user, velocity, &joining.fits, added);
    THUD_TRY(thudi_part_agree(packs->part, found, NULL, 0));
    return thudi_packs_join(task->problem, packs, &joining, *added);
}

void thudi_sweeper_save(thudi_sweeper *s)
{
    if (s->packed)
        thudi_packs_save(&s->packs);
    else
        thudi_iteration_save(&s->it);
}

void thudi_sweeper_restore(thudi_sweeper *s)
{
    if (s->packed)
        thudi_packs_restore(s->task->problem, &s->packs);
    else
        thudi_iteration_restore(&s->it);
}

static double length_of(const thudi_sweeper *s)
{
    return s->packed ? thudi_packs_length(&s->packs)
                     : thudi_length(s->task->problem, s->it.velocity);
}

static thud_status open_mark(thudi_sweeper *s, size_t rows)
{
    thud_rooms *rooms = s->task->projector->rooms;
    THUD_TRY(thudi_room(rooms, &s->mark, rows, "sweeps: marked multipliers"));
    memset(s->mark, 0, rows * sizeof *s->mark);
    return THUD_OK;
}

// Compare task->mu with the mark, then mark it.
static thud_status compare_with_mark(thudi_sweeper *s, bool *grown)
{
    const thudi_task *task = s->task;
    size_t rows = (size_t)task->problem->rows->count;
    if (s->mark)
        THUD_TRY(thudi_has_grown(task, task->mu, s->mark, length_of(s), grown));
    else
        THUD_TRY(open_mark(s, rows + (may_look(task) ? THUDI_LATE_ROWS(rows) : 0)));
    memcpy(s->mark, task->mu, rows * sizeof *s->mark);
    return THUD_OK;
}

thud_status thudi_sweeper_find_growth(thudi_sweeper *s, bool *grown)
{
    *grown = false;
    thudi_sweeper_end(s);
    thud_status status = compare_with_mark(s, grown);
    return s->packed ? thudi_part_agree(s->packs.part, status, NULL, 0) : status;
}

void thudi_sweeper_end(thudi_sweeper *s)
{
    const thudi_task *task = s->task;
    *task->exact = false;
    if (s->packed)
        thudi_packs_collect(task->problem, &s->packs, task->mu);
    else
        memcpy(task->mu, s->it.x, (size_t)s->it.rows * sizeof *task->mu);
}
