// What the laws of contacts share: rows they can use, velocities from impulses, what is kept.
#include "step/law.h"

#include "core/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void thudi_work_fail_row(thud_work *work, const thud_state *state, thud_key key, const char *what)
{
    char t[THUDI_TEXT_NUMBER_SIZE], name[THUDI_NAME_SIZE];
    thudi_work_fail(work, "step %lld (t = %s): %s: %s", (long long)state->n + 1,
                    thudi_text_number(t, fma((double)state->n + 1, state->h, state->t0)),
                    thudi_work_name(work, key, name), what);
}

double thudi_row_rounding(const thud_state *state, const thud_work *work, int i)
{
    const thudi_row_head *row = &work->rows->heads.items[i];
    double sum = fabs(row->gap);
    for (int e = 0; e < thudi_row_size(row); e++)
    {
        int k = thudi_row_coordinate(work->rows, row, e);
        double speed = fabs(work->w.items[k]) + fabs(work->report.answer.u[k]);
        sum += fabs(thudi_row_slope(work->rows, row, e)) * (fabs(state->q[k]) + state->h * speed);
    }
    return 64 * DBL_EPSILON * sum;
}

enum
{
    FAULT_SIZE = 120
};

// Why the law cannot use a row, or NULL; text is room for it.
static const char *find_fault(const thudi_law *law, const thud_rows *rows,
                              const thudi_row_head *row, char text[FAULT_SIZE])
{
    int number = thudi_row_law_number(row);
    thud_law own = thudi_row_law_of(rows, row);
    const char *fault = NULL;
    if (number > 0 && own != law->info.law)
        (void)snprintf(text, FAULT_SIZE, "it has %s, but the problem has another contact law",
                       thud_law_find((int)own)->name);
    else if (number > 0 && thudi_row_kind_of(row) != THUD_CONVEX &&
             law->info.traits & THUD_TRAIT_CONVEX)
        (void)snprintf(text, FAULT_SIZE, "%s needs constraints that are convex", law->info.name);
    else
        fault = law->row_fault ? law->row_fault(rows, row) : NULL;
    return text[0] != '\0' ? text : fault;
}

thud_status thudi_law_check_rows(const thudi_stage *stage)
{
    thud_work *work = stage->work;
    const thudi_law *law = work->law;
    const thudi_row_head *heads = work->rows->heads.items;
    bool unique = law->info.traits & THUD_TRAIT_UNIQUE_KEYS;
    if (!unique && !law->row_fault && work->rows->laws_used == 0)
        return THUD_OK;
    for (int i = 0; i < work->rows->count; i++)
    {
        char text[FAULT_SIZE] = "";
        const char *fault = find_fault(law, work->rows, &heads[i], text);
        if (unique && i > 0 && thud_key_same(heads[i].key, heads[i - 1].key))
            fault = "two rows have this key; the contact law needs different keys";
        if (!fault)
            continue;
        thudi_work_fail_row(work, stage->state, heads[i].key, fault);
        return THUD_ERR_ARGUMENT;
    }
    return THUD_OK;
}

thud_status thudi_law_reserve(thud_work *work)
{
    const thud_allocator *allocator = &work->allocator;
    size_t dim = (size_t)work->dim, rows = (size_t)work->rows->count;
    THUD_TRY(thudi_array_reserve(allocator, &work->velocity, dim));
    THUD_TRY(thudi_array_reserve(allocator, &work->move, dim));
    THUD_TRY(thudi_array_reserve(allocator, &work->exact, dim));
    THUD_TRY(thudi_array_reserve(allocator, &work->impulse, rows));
    return thudi_array_reserve(allocator, &work->lin, rows);
}

void thudi_law_velocity(const thud_inclusion *problem, thud_work *work, const double *impulse,
                        double *velocity)
{
    const thud_rows *rows = work->rows;
    thudi_dd *sum = work->exact.items;
    memset(sum, 0, (size_t)problem->dim * sizeof *sum);
    for (int i = 0; i < rows->count; i++)
    {
        thudi_entries row;
        thudi_row_open(rows, i, &row);
        for (int e = 0; e < row.size && impulse[i] != 0; e++)
            sum[row.index[e]] = thudi_dd_add_product(sum[row.index[e]], row.slope[e], impulse[i]);
    }
    for (int k = 0; k < problem->dim; k++)
    {
        thudi_dd change = thudi_dd_divide(sum[k], problem->mass ? problem->mass[k] : 1);
        velocity[k] = thudi_dd_value(thudi_dd_add(change, (thudi_dd){work->w.items[k], 0}));
    }
}

double thudi_law_lin(const thud_work *work, double h, int i, const double *v)
{
    thudi_entries row;
    thudi_row_open(work->rows, i, &row);
    thudi_dd speed = {0, 0};
    for (int e = 0; e < row.size; e++)
        speed = thudi_dd_add_product(speed, row.slope[e], v[row.index[e]]);
    return thudi_dd_value(thudi_dd_add(thudi_dd_scale(speed, h), (thudi_dd){row.head->gap, 0}));
}
