// The chart of a convergence study: three errors over the step, one curve for each sequence.
#include "core/fault.h"
#include "plot/chart.h"
#include "thud/show.h"

#include <stdio.h>
#include <string.h>

static const char *const errors[THUD_NORM_COUNT] = {"error of u (L1)", "error of q (max)",
                                                    "error of impulses (E)"};
static const char *const differences[THUD_NORM_COUNT] = {
    "difference of u (L1)", "difference of q (max)", "difference of impulses (E)"};

// C h over the steps of the longest sequence.
typedef struct bound
{
    double x[2], y[THUD_NORM_COUNT][2];
} bound;

static void find_bound(const thud_converge_result *result, bound *b)
{
    double low = result->runs[0].h, high = low;
    for (int i = 1; i < result->run_count; i++)
    {
        if (thud_converge_is_near(result, i))
            continue;
        low = result->runs[i].h < low ? result->runs[i].h : low;
        high = result->runs[i].h > high ? result->runs[i].h : high;
    }
    b->x[0] = low;
    b->x[1] = high;
    for (int norm = 0; norm < THUD_NORM_COUNT; norm++)
        for (int i = 0; i < 2; i++)
            b->y[norm][i] = result->constant[norm] * b->x[i];
}

static void name_curve(thudi_curve *curve, const char *name)
{
    (void)snprintf(curve->name, sizeof curve->name, "%s", name);
}

// Runs too near to the reference, the last ones of a sequence, are not shown.
static int count_shown(const thud_converge_result *result, const thud_converge_sequence *s)
{
    int count = s->count;
    while (count > 0 && thud_converge_is_near(result, s->first + count - 1))
        count--;
    return count;
}

static void fill_panel(const thud_converge_result *result, const bound *b, int norm,
                       thudi_panel *panel)
{
    size_t stride = sizeof(thud_converge_run) / sizeof(double);
    bool is_error = result->reference != THUD_REFERENCE_FINEST;
    (void)snprintf(panel->label, sizeof panel->label, "%s",
                   is_error ? errors[norm] : differences[norm]);
    panel->is_log = panel->has_points = true;
    for (int i = 0; i < result->sequence_count; i++)
    {
        const thud_converge_sequence *s = &result->sequences[i];
        const thud_converge_run *first = &result->runs[s->first];
        thudi_curve *curve = &panel->curves[panel->count++];
        *curve = (thudi_curve){.x = &first->h,
                               .y = &first->error[norm],
                               .count = (size_t)count_shown(result, s),
                               .x_stride = stride,
                               .y_stride = stride};
        name_curve(curve, s->name);
    }
    thudi_curve *line = &panel->curves[panel->count++];
    *line = (thudi_curve){.x = b->x, .y = b->y[norm], .count = 2, .x_stride = 1, .y_stride = 1};
    name_curve(line, "C h");
}

thud_status thud_plot_convergence(const thud_converge_result *result, const char *folder,
                                  const char *name, const thud_allocator *allocator,
                                  thud_fault *fault)
{
    _Static_assert(sizeof(thud_converge_run) % sizeof(double) == 0, "a stride in numbers");
    thud_allocator own = thudi_allocator_or_default(allocator);
    thudi_picture_folder output = {.folder = -1, .allocator = &own, .fault = fault};
    thudi_chart chart = {.is_path = true, .has_log_steps = true};
    bound b;
    if (!folder || !folder[0] || result->run_count == 0)
    {
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "a chart needs a result and a folder");
    }
    find_bound(result, &b);
    (void)snprintf(chart.label, sizeof chart.label, "%s",
                   result->reference == THUD_REFERENCE_FINEST
                       ? "step h (differences are from the finest run, at least 4 times finer)"
                       : "step h");
    for (int norm = 0; norm < THUD_NORM_COUNT; norm++)
        if (result->constant[norm] > 0)
            fill_panel(result, &b, norm, &chart.panels[chart.count++]);
    if (chart.count == 0)
        return THUD_OK;
    thud_status status = thudi_picture_folder_open(&output, folder);
    if (status == THUD_OK)
        status = thudi_chart_write(&chart, &output, name);
    thudi_picture_folder_close(&output);
    return status;
}
