// Steps as contact problems of FCLIB, a file each. A step is taken again, which gives its rows, and
// must come out as it was recorded.
#include "core/fault.h"
#include "core/memory.h"
#include "thud/export.h"
#include "thud/instance.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    PATH_SIZE = 1400
};

typedef struct stepper
{
    const thud_export_def *def;
    thud_fault *fault;
    thud_allocator allocator;
    thud_work *work;
    thud_state *state, *before;
    int64_t written;
} stepper;

static thud_status fail(const stepper *s, const char *hint, const char *text)
{
    return thudi_fail(s->fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, hint, "%s", text);
}

static thud_status check_def(const stepper *s)
{
    const thud_export_def *def = s->def;
    thud_log_summary log = thud_log_view(def->log);
    if (def->first < 0 || def->last < def->first || def->last >= log.frame_count || def->stride < 0)
        return fail(s, "", "there are no such frames");
    if (log.dim != thud_model_problem(def->model)->dim)
        return fail(s, "give the scene of this run",
                    "the log and the scene have different numbers of coordinates");
    return THUD_OK;
}

// A run directory must stay as it is.
static thud_status make_folder(const stepper *s)
{
    if (strlen(s->def->folder) >= PATH_SIZE - 48)
        return thudi_fail_io(s->fault, THUDI_IN(s->def->folder, NULL), "make the folder",
                             ENAMETOOLONG);
    if (mkdir(s->def->folder, 0777) != 0 && errno != EEXIST)
        return thudi_fail_io(s->fault, THUDI_IN(s->def->folder, NULL), "make the folder", errno);
    if (!thud_record_find_log(s->def->folder, NULL))
        return THUD_OK;
    return thudi_fail(s->fault, THUD_ERR_ARGUMENT, THUDI_IN(s->def->folder, NULL),
                      "choose another folder",
                      "the folder is a run directory; an export does not write into one");
}

static thud_status begin(stepper *s, const thud_frame *frame)
{
    thud_work_def def = thud_model_work(s->def->model);
    thud_state_def state = {.dim = frame->dim,
                            .t0 = s->def->scene->start,
                            .h = s->def->scene->step,
                            .q = frame->q,
                            .allocator = &s->allocator};
    def.allocator = &s->allocator;
    THUD_TRY(thud_work_create(&def, &s->work));
    THUD_TRY(thud_state_create(&state, &s->state));
    return thud_state_create(&state, &s->before);
}

static thud_status set_state(stepper *s, const thud_frame *frame)
{
    thud_state *state = s->before;
    size_t size = (size_t)frame->dim * sizeof(double);
    state->n = frame->n;
    memcpy(state->q, frame->q, size);
    memcpy(state->u, frame->u, size);
    THUD_TRY(thud_state_set_multipliers(state, frame->before, frame->before_more,
                                        frame->before_count, frame->more_width));
    return thud_state_copy(s->state, state);
}

static thud_status fail_step(const stepper *s, int64_t n, const char *what)
{
    return thudi_fail(s->fault, THUD_ERR_RECORD, THUDI_NOWHERE,
                      "use the version of Thud that wrote the run; else the run was changed",
                      "step %" PRId64 ", when recomputed, %s", n + 1, what);
}

static thud_status write_step(stepper *s, int64_t n)
{
    thud_instance *instance = NULL;
    char path[PATH_SIZE];
    THUD_TRY(thud_instance_of_step(thud_model_problem(s->def->model), s->before,
                                   thud_work_report(s->work), &s->allocator, &instance));
    (void)snprintf(instance->title, sizeof instance->title, "%.200s, step %" PRId64,
                   s->def->scene->title, n + 1);
    (void)thud_format(
        instance->about, sizeof instance->about,
        "The projection of one step, h = %.17g, in velocities: gaps less their shifts, "
        "over h. Without friction. Written by thud %s.",
        s->before->h, thud_version());
    (void)snprintf(path, sizeof path, "%.1300s/step-%06" PRId64 ".hdf5", s->def->folder, n + 1);
    thud_status status = thud_instance_write(instance, path, s->fault);
    thud_instance_destroy(instance);
    s->written += status >= 0;
    return status;
}

static thud_status take_step(stepper *s, int64_t i)
{
    thud_frame frame;
    THUD_TRY(thud_log_frame(s->def->log, i, &frame, s->fault));
    if (!s->work)
        THUD_TRY(begin(s, &frame));
    if (frame.h == 0)
        return THUD_OK; // the start
    THUD_TRY(set_state(s, &frame));
    thud_status status = thud_step(thud_model_problem(s->def->model), s->state, s->work);
    if (status == THUD_ERR_MEMORY)
        return status;
    if (status < 0)
        return fail_step(s, frame.n, "fails");
    if (memcmp(s->state->u, frame.u_next, (size_t)frame.dim * sizeof(double)) != 0)
        return fail_step(s, frame.n, "differs from the record");
    return write_step(s, frame.n);
}

static thud_status write_steps(stepper *s)
{
    const thud_export_def *def = s->def;
    int64_t stride = def->stride > 0 ? def->stride : 1,
            total = (def->last - def->first) / stride + 1;
    THUD_TRY(check_def(s));
    THUD_TRY(make_folder(s));
    for (int64_t done = 0; done < total; done++)
    {
        THUD_TRY(take_step(s, def->first + done * stride));
        if (def->progress)
            def->progress(done + 1, total, def->user);
    }
    return s->written > 0 ? THUD_OK
                          : fail(s, "choose other frames with --frames",
                                 "these frames hold no step: the start is not a step");
}

thud_status thud_export_steps(const thud_export_def *def, thud_fault *fault)
{
    stepper s = {.def = def, .fault = fault};
    s.allocator = thudi_allocator_or_default(def->allocator);
    thud_status status = write_steps(&s);
    if (status == THUD_ERR_MEMORY)
        (void)thudi_fail_memory(fault);
    thud_work_destroy(s.work);
    thud_state_destroy(s.state);
    thud_state_destroy(s.before);
    return status;
}
