// Steps as contact problems of FCLIB, a file each. A step is taken again, which gives its rows, and
// must come out as it was recorded.
#include "record/exporter.h"
#include "record/instance.h"
#include "record/record_fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct thudi_fclib
{
    thud_work *work;
    thud_state *state, *before;
    int64_t written;
};

static thud_status begin(thudi_export *export)
{
    const thud_inclusion *problem = thud_model_problem(export->def->model);
    thud_work_def def = thud_model_work(export->def->model);
    export->fclib = thudi_allocate_zeroed(&export->allocator, sizeof *export->fclib);
    if (!export->fclib)
        return thudi_record_memory(export->fault);
    thud_state_def state = {.dim = problem->dim,
                            .t0 = export->def->scene->start,
                            .h = export->def->scene->step,
                            .q = export->shot->q,
                            .allocator = &export->allocator};
    if (thud_work_create(&def, &export->fclib->work) < 0 ||
        thud_state_create(&state, &export->fclib->state) < 0 ||
        thud_state_create(&state, &export->fclib->before) < 0)
        return thudi_record_memory(export->fault);
    return THUD_OK;
}

static thud_status set_state(thudi_export *export, const thud_frame *frame)
{
    thud_state *state = export->fclib->before;
    size_t size = (size_t)frame->dim * sizeof(double);
    state->n = frame->n;
    memcpy(state->q, frame->q, size);
    memcpy(state->u, frame->u, size);
    THUD_TRY(thud_state_reserve(state, frame->before_count));
    state->multiplier_count = frame->before_count;
    if (frame->before_count > 0)
        memcpy(state->multipliers, frame->before,
               (size_t)frame->before_count * sizeof *frame->before);
    return thud_state_copy(export->fclib->state, state);
}

static thud_status say_step(thudi_export *export, int64_t n, const char *what)
{
    thudi_record_say(export->fault, export->def->folder, NULL,
                     "the run was altered, or is of another version",
                     "step %" PRId64 ", taken again, %s", n + 1, what);
    return THUD_ERR_RECORD;
}

static thud_status write_step(thudi_export *export, int64_t n)
{
    const thud_inclusion *problem = thud_model_problem(export->def->model);
    thud_instance *instance = NULL;
    char path[1400];
    if (thud_instance_of_step(problem, export->fclib->before, thud_work_report(export->fclib->work),
                              &export->allocator, &instance) < 0)
        return thudi_record_memory(export->fault);
    (void)snprintf(instance->title, sizeof instance->title, "%.200s, step %" PRId64,
                   export->def->scene->title ? export->def->scene->title : "", n + 1);
    (void)snprintf(instance->about, sizeof instance->about,
                   "The projection of one step, h = %.17g, in velocities: gaps less their shifts, "
                   "over h. Without friction. Written by thud %s.",
                   export->fclib->before->h, thud_version());
    (void)snprintf(path, sizeof path, "%.1300s/step-%06" PRId64 ".hdf5", export->def->folder,
                   n + 1);
    thud_status status = thud_instance_write(instance, path, export->fault);
    thud_instance_destroy(instance);
    export->fclib->written += status >= 0;
    return status;
}

static thud_status frame(thudi_export *export)
{
    thud_frame step;
    THUD_TRY(thud_log_frame(export->def->log, export->shot->frame, &step, export->fault));
    if (step.h == 0)
        return THUD_OK; // the start
    if (set_state(export, &step) < 0)
        return thudi_record_memory(export->fault);
    thud_status status = thud_step(thud_model_problem(export->def->model), export->fclib->state,
                                   export->fclib->work);
    if (status == THUD_ERR_MEMORY)
        return thudi_record_memory(export->fault);
    if (status < 0)
        return say_step(export, step.n, "fails");
    if (memcmp(export->fclib->state->u, step.u_next, (size_t)step.dim * sizeof(double)) != 0)
        return say_step(export, step.n, "does not come out as it was recorded");
    return write_step(export, step.n);
}

static thud_status end(thudi_export *export)
{
    if (export->fclib->written > 0)
        return THUD_OK;
    thudi_record_say(export->fault, "", NULL, "choose others by --frames",
                     "there is no step among these frames: the start has none");
    return THUD_ERR_ARGUMENT;
}

static void abandon(thudi_export *export)
{
    if (!export->fclib)
        return;
    thud_work_destroy(export->fclib->work);
    thud_state_destroy(export->fclib->state);
    thud_state_destroy(export->fclib->before);
    thudi_free(&export->allocator, export->fclib, sizeof *export->fclib);
    export->fclib = NULL;
}

const thudi_format thudi_format_fclib = {
    .inclusions = true, .begin = begin, .frame = frame, .end = end, .abandon = abandon};
