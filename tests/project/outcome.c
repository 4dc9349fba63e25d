// A copy of what thud_project answered.
#include "outcome.h"

#include <stdlib.h>
#include <string.h>

static void keep(outcome *o, const thud_answer *answer, const int *order)
{
    memcpy(o->u, answer->u, (size_t)o->dim * sizeof *o->u);
    for (int n = 0; n < o->count; n++)
    {
        o->mu[order ? order[n] : n] = answer->mu[n];
        o->lin[order ? order[n] : n] = answer->lin[n];
    }
}

outcome *outcome_solve(const problem *p, const int *order, thud_projector *projector)
{
    outcome *o = calloc(1, sizeof *o);
    double *block = calloc((size_t)p->dim + 2 * (size_t)p->count, sizeof *block);
    thud_projector *fresh = NULL;
    thud_rows *rows = problem_rows(p, order);
    thud_projection projection = problem_projection(p, rows);
    if (!o || !block || (!projector && thud_projector_create(NULL, &fresh) != THUD_OK))
        abort();
    o->dim = p->dim;
    o->count = p->count;
    o->u = block;
    o->mu = o->u + p->dim;
    o->lin = o->mu + p->count;
    o->status = thud_project(&projection, projector ? projector : fresh, &o->answer);
    if (o->status == THUD_OK)
        keep(o, &o->answer, order);
    o->answer.u = o->u;
    o->answer.mu = o->mu;
    o->answer.lin = o->lin;
    o->answer.farkas.y = NULL;
    thud_rows_destroy(rows);
    thud_projector_destroy(fresh);
    return o;
}

void outcome_destroy(outcome *o)
{
    if (o)
        free(o->u);
    free(o);
}
