// Single projections: their memory, and the one that a step has made.
#include "export/instance.h"

#include "core/mass.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double *take(const thud_allocator *from, int count)
{
    return thudi_allocate_zeroed(from, ((size_t)count + 1) * sizeof(double));
}

static void drop(const thud_allocator *from, double *block, int count)
{
    thudi_free(from, block, ((size_t)count + 1) * sizeof(double));
}

thud_status thudi_instance_create(int dim, int contacts, bool has_solution,
                                  const thud_allocator *allocator, thud_instance **out)
{
    thud_allocator from = thudi_allocator_or_default(allocator);
    thud_instance *instance = thudi_allocate_zeroed(&from, sizeof *instance);
    if (!instance)
        return THUD_ERR_MEMORY;
    instance->allocator = from;
    instance->dim = dim;
    instance->contacts = contacts;
    instance->mass = take(&from, dim);
    instance->f = take(&from, dim);
    instance->w = take(&from, dim);
    bool is_whole = instance->mass && instance->f && instance->w &&
                    thud_rows_create(dim, &from, &instance->rows) >= 0;
    if (is_whole && has_solution)
    {
        instance->solution = take(&from, dim);
        instance->impulse = take(&from, contacts);
        is_whole = instance->solution && instance->impulse;
    }
    if (!is_whole)
    {
        thud_instance_destroy(instance);
        return THUD_ERR_MEMORY;
    }
    *out = instance;
    return THUD_OK;
}

void thud_instance_destroy(thud_instance *instance)
{
    if (!instance)
        return;
    thud_allocator from = instance->allocator;
    thud_rows_destroy(instance->rows);
    drop(&from, instance->mass, instance->dim);
    drop(&from, instance->f, instance->dim);
    drop(&from, instance->w, instance->dim);
    drop(&from, instance->solution, instance->dim);
    drop(&from, instance->impulse, instance->contacts);
    thudi_free(&from, instance, sizeof *instance);
}

thud_projection thud_instance_projection(const thud_instance *instance)
{
    return (thud_projection){.dim = instance->dim,
                             .h = 1,
                             .mass = instance->mass,
                             .w = instance->w,
                             .rows = instance->rows,
                             .shift_scale = 1};
}

// Add memory times slope of every row that has one: rows and multipliers are sorted by key.
static void add_memory(const thud_state *before, const thud_rows *rows, double *f)
{
    int i = 0, count = thud_rows_count(rows);
    for (int m = 0; m < before->multiplier_count; m++)
    {
        const thud_multiplier *kept = &before->multipliers[m];
        while (i < count && thud_key_before(thud_rows_get(rows, i, NULL).key, kept->key))
            i++;
        if (i == count || kept->memory == 0)
            continue;
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        int width = row.width > 1 ? row.width : 1;
        for (int k = 0; k < row.count * width && thud_key_same(row.key, kept->key); k++)
            f[row.index[k / width] + k % width] += kept->memory * row.slope[k];
    }
}

static thud_status copy_rows(const thud_report *report, double h, thud_instance *instance)
{
    for (int i = 0; i < instance->contacts; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(report->rows, i, &room);
        row.key = thud_key_number(i);
        row.gap = (row.gap - report->shift_scale * row.shift) / h;
        row.shift = 0;
        row.kind = THUD_CONVEX;
        row.numbers = NULL;
        instance->space = row.width == 3 ? 3 : instance->space;
        THUD_TRY(thud_rows_push(instance->rows, &row));
    }
    return THUD_OK;
}

thud_status thud_instance_of_step(const thud_inclusion *problem, const thud_state *before,
                                  const thud_report *report, const thud_allocator *allocator,
                                  thud_instance **out)
{
    thud_instance *instance = NULL;
    int count = thud_rows_count(report->rows);
    THUD_TRY(thudi_instance_create(problem->dim, count, true, allocator, &instance));
    instance->space = 2;
    for (int k = 0; k < problem->dim; k++)
    {
        instance->mass[k] = thudi_mass(problem->mass, k);
        instance->f[k] = instance->mass[k] * report->w[k];
        instance->solution[k] = report->answer.u[k];
    }
    if (thud_law_has((int)problem->law, THUD_TRAIT_PULLS))
        add_memory(before, report->rows, instance->f);
    for (int k = 0; k < problem->dim; k++)
        instance->w[k] = instance->f[k] / instance->mass[k];
    for (int i = 0; i < count; i++)
        instance->impulse[i] = report->answer.mu[i];
    thud_status status = copy_rows(report, before->h, instance);
    if (status < 0)
    {
        thud_instance_destroy(instance);
        return status;
    }
    *out = instance;
    return THUD_OK;
}
