// What the Gauss-Seidel methods work on: packs where the rows suit them, else the rows as they are.
#include "project/sweep/sweeper.h"

#include <string.h>

static thud_status begin_packs(const thudi_task *task, thudi_sweeper *s)
{
    thud_projector *projector = task->projector;
    int count = thudi_task_rows(task);
    if (count == 0)
        return THUD_NEWS;
    s->packed = true;
    return thudi_packs_begin(task->problem, task->which, count, &projector->allocator,
                             &projector->packs);
}

thud_status thudi_sweeper_begin(const thudi_task *task, thudi_sweeper *s)
{
    *s = (thudi_sweeper){.task = task};
    thud_status status = begin_packs(task, s);
    task->projector->is_marked = false;
    if (status != THUD_NEWS)
        return status;
    s->packed = false;
    return task->which ? THUD_NEWS : thudi_iteration_begin(task, &s->it);
}

thud_status thudi_sweeper_sweep(thudi_sweeper *s, double beta, thudi_sweep *seen)
{
    thudi_packs *packs = &s->task->projector->packs;
    s->task->effort->sweeps++;
    *seen = s->packed ? thudi_packs_sweep(packs, beta) : thudi_iteration_sweep(&s->it, beta);
    return s->packed ? thudi_packs_watch(s->task->problem, packs, seen) : THUD_OK;
}

double thudi_sweeper_evaluate(thudi_sweeper *s)
{
    s->task->effort->evaluations++;
    return s->packed ? thudi_packs_evaluate(s->task->problem, &s->task->projector->packs)
                     : thudi_iteration_evaluate(&s->it);
}

void thudi_sweeper_save(thudi_sweeper *s)
{
    if (s->packed)
        thudi_packs_save(&s->task->projector->packs);
    else
        thudi_iteration_save(&s->it);
}

void thudi_sweeper_restore(thudi_sweeper *s)
{
    if (s->packed)
        thudi_packs_restore(s->task->problem, &s->task->projector->packs);
    else
        thudi_iteration_restore(&s->it);
}

static double length_of(const thudi_sweeper *s)
{
    return s->packed ? thudi_packs_length(&s->task->projector->packs)
                     : thudi_length(s->task->problem, s->it.velocity);
}

thud_status thudi_sweeper_look_for_growth(thudi_sweeper *s, bool *grown)
{
    thud_projector *projector = s->task->projector;
    size_t rows = (size_t)s->task->problem->rows->count;
    thudi_sweeper_end(s);
    *grown = projector->is_marked &&
             thudi_has_grown(s->task, s->task->mu, projector->mark.items, length_of(s));
    THUD_TRY(thudi_array_reserve(&projector->allocator, &projector->mark, rows));
    memcpy(projector->mark.items, s->task->mu, rows * sizeof(double));
    projector->is_marked = true;
    return THUD_OK;
}

void thudi_sweeper_end(thudi_sweeper *s)
{
    const thudi_task *task = s->task;
    *task->exact = false;
    if (s->packed)
        thudi_packs_collect(task->problem, &task->projector->packs, task->mu);
    else
        memcpy(task->mu, s->it.x, (size_t)s->it.rows * sizeof *task->mu);
}
