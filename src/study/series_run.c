// A scene run at another step, its series handed on and not recorded; sums of a column.
#include "thud/measured.h"

#include "core/fault.h"
#include "core/memory.h"

#include <math.h>

typedef struct seeing
{
    const thud_series_run_def *def;
    thud_model *model;
    double *values;
} seeing;

static int observe(const thud_view *view, void *user)
{
    seeing *s = user;
    thud_model_measure(s->model, view, s->values);
    return s->def->observe(s->model, s->values, s->def->user);
}

static thud_status take_steps(seeing *s, int64_t *steps, thud_fault *fault)
{
    const thud_series_run_def *def = s->def;
    thud_work *work = NULL;
    thud_work_def work_def = thud_model_work(s->model);
    thud_observer observer = {.observe = observe, .user = s};
    THUD_TRY(thud_work_create(&work_def, &work));
    thud_status status = thud_run(thud_model_problem(s->model), thud_model_state(s->model), work,
                                  &(thud_run_def){.end = def->scene->end,
                                                  .observers = &observer,
                                                  .observer_count = 1,
                                                  .stop = def->stop,
                                                  .deadline = def->deadline},
                                  NULL);
    *steps = thud_model_state(s->model)->n;
    if (status < 0)
        (void)thudi_fail(fault, status, THUDI_NOWHERE, "", "with step %g: %.400s", def->h,
                         thud_work_message(work));
    thud_work_destroy(work);
    return status;
}

static thud_status run(seeing *s, int64_t *steps, thud_fault *fault)
{
    const char *const *names;
    const thud_series_run_def *def = s->def;
    THUD_TRY(thud_model_create(def->scene, def->allocator, &s->model, fault));
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    size_t size = (size_t)thud_model_series(s->model, &names) * sizeof(double);
    s->values = thudi_allocate_zeroed(&allocator, size);
    thud_status status = s->values ? take_steps(s, steps, fault) : THUD_ERR_MEMORY;
    thudi_free(&allocator, s->values, size);
    return status;
}

thud_status thud_series_run(const thud_series_run_def *def, int64_t *steps, thud_fault *fault)
{
    seeing s = {.def = def};
    double step = def->scene->step;
    thud_fault own;
    fault = thudi_fault_begin(fault, &own);
    *steps = 0;
    if (!(def->h > 0) || !isfinite(def->h))
        return thudi_fault_end(fault, THUD_ERR_ARGUMENT);
    def->scene->step = def->h;
    thud_status status = run(&s, steps, fault);
    thud_model_destroy(s.model);
    def->scene->step = step;
    return thudi_fault_end(fault, status);
}

void thud_series_sum_add(thud_series_sum *sum, double t, double value)
{
    if (sum->count == 0)
        sum->largest = NAN;
    else if (isfinite(value) && isfinite(sum->end))
    {
        sum->integral += (t - sum->last) * (0.5 * sum->end + 0.5 * value);
        sum->size += (t - sum->last) * (0.5 * fabs(sum->end) + 0.5 * fabs(value));
        sum->time += t - sum->last;
    }
    if (isfinite(value) && !(fabs(value) <= fabs(sum->largest)))
        sum->largest = value;
    sum->end = value;
    sum->last = t;
    sum->count++;
}

double thud_series_sum_mean(const thud_series_sum *sum)
{
    return sum->time > 0 ? sum->integral / sum->time : NAN;
}
