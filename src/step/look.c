// The search for missing rows while sweeps go on: see thudi_look.
#include "step/look.h"

#include "core/clock.h"
#include "core/math/finite.h"

#include <math.h>
#include <string.h>

// Replace the velocity u by the trial position q + h u. False if that is not finite: then there is
// no search.
static bool write_trial(const thudi_stage *stage, double *u)
{
    const thud_state *state = stage->state;
    for (int k = 0; k < state->dim; k++)
        u[k] = fma(state->h, u[k], state->q[k]);
    return thudi_all_finite(u, state->dim);
}

// Ask the problem, and add what it finds. Guesses of new rows are 0.
static thud_status add_missing(const thudi_stage *stage, const double *trial,
                               const thudi_row_filter *filter, int *added)
{
    thud_work *work = stage->work;
    thud_moment moment = thudi_moment_of(stage->state, work, THUD_FIND_MISSING);
    moment.trial = trial;
    THUD_TRY(thudi_call_gaps(stage->problem, stage->state, &moment, work->missing, work));
    THUD_TRY(thudi_rows_add(work->rows, work->missing, filter, added));
    for (int i = work->rows->count - *added; i < work->rows->count; i++)
        work->warm.items[i] = 0;
    work->report.rows_missed += *added;
    return THUD_OK;
}

static thud_status find(void *user, double *u, const thudi_row_filter *filter, int *added)
{
    const thudi_stage *stage = user;
    double start = thudi_seconds();
    *added = 0;
    thud_status status = write_trial(stage, u) ? add_missing(stage, u, filter, added) : THUD_OK;
    stage->work->look_seconds += thudi_seconds() - start;
    stage->work->look_failed = status < 0;
    return status;
}

// The numbers of the rows behind the ordered ones, in the order of their keys: an insertion sort,
// as they come in order, search by search.
static void order_late_rows(const thud_rows *rows, int *late)
{
    const thudi_row_head *heads = rows->heads.items;
    for (int i = rows->ordered; i < rows->count; i++)
    {
        int k = i - rows->ordered;
        for (; k > 0 && thud_key_before(heads[i].key, heads[late[k - 1]].key); k--)
            late[k] = late[k - 1];
        late[k] = i;
    }
}

static thud_status sort(void *user, int *from)
{
    const thudi_stage *stage = user;
    thud_work *work = stage->work;
    thud_rows *rows = work->rows;
    int *late, count = rows->count, ordered = rows->ordered, open = thud_rooms_count(&work->rooms);
    double *guess, *warm = work->warm.items;
    THUD_TRY(thudi_room(&work->rooms, &late, (size_t)(count - ordered), "late rows"));
    THUD_TRY(thudi_room(&work->rooms, &guess, (size_t)count, "first guess"));
    memcpy(guess, warm, (size_t)count * sizeof *guess);
    order_late_rows(rows, late);
    thudi_rows_sort_from(rows, from);
    for (int k = 0; k < count; k++)
    {
        from[k] = from[k] < ordered ? from[k] : late[from[k] - ordered];
        warm[k] = guess[from[k]];
    }
    thud_rooms_close(&work->rooms, open);
    thud_status status = thudi_law_check_rows(stage);
    work->look_failed = work->look_failed || status < 0; // a failed search may have come before
    return status;
}

thudi_look thudi_look_of(thudi_stage *stage)
{
    return (thudi_look){find, sort, stage};
}
