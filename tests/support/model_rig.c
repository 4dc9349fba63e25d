// The rig of the tests of models: see model_rig.h.
#include "model_rig.h"

#include <string.h>

bool model_try(model_rig *rig, const char *text, const thud_allocator *allocator)
{
    *rig = (model_rig){0};
    thud_scene_def def = {.text = text, .length = strlen(text), .name = "text.yaml"};
    if (thud_scene_read(&def, &rig->scene, &rig->fault) != THUD_OK)
    {
        test_fail(__FILE__, __LINE__, "%d:%d: %s", rig->fault.line, rig->fault.column,
                  rig->fault.text);
        return false;
    }
    rig->status = thud_model_create(rig->scene, allocator, &rig->model, &rig->fault);
    return rig->status >= 0;
}

bool model_open(model_rig *rig, const char *text)
{
    if (model_try(rig, text, NULL))
    {
        thud_work_def def = thud_model_work(rig->model);
        CHECK(thud_work_create(&def, &rig->work) == THUD_OK);
    }
    else if (rig->scene)
        test_fail(__FILE__, __LINE__, "%s: %s", thud_status_name(rig->status), rig->fault.text);
    if (rig->work)
        return true;
    model_close(rig);
    return false;
}

void model_close(model_rig *rig)
{
    thud_work_destroy(rig->work);
    thud_model_destroy(rig->model);
    thud_scene_destroy(rig->scene);
    *rig = (model_rig){0};
}

void model_look(model_rig *rig, const thud_report *report)
{
    const thud_state *state = thud_model_state(rig->model);
    const char *const *names;
    REQUIRE(thud_model_series(rig->model, &names) <= RIG_SERIES);
    thud_model_measure(rig->model,
                       &(thud_view){.t = thud_state_time(state),
                                    .q = state->q,
                                    .u = state->u,
                                    .state = state,
                                    .report = report,
                                    .problem = thud_model_problem(rig->model)},
                       rig->values);
}

void model_steps(model_rig *rig, int steps)
{
    for (int i = 0; i < steps; i++)
    {
        thud_status status =
            thud_step(thud_model_problem(rig->model), thud_model_state(rig->model), rig->work);
        if (status < 0)
        {
            test_fail(__FILE__, __LINE__, "step %d: %s", i + 1, thud_work_message(rig->work));
            return;
        }
        model_look(rig, thud_work_report(rig->work));
    }
}

double model_value(const model_rig *rig, const char *name)
{
    const char *const *names;
    int count = thud_model_series(rig->model, &names);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return rig->values[i];
    test_fail(__FILE__, __LINE__, "there is no series '%s'", name);
    return NAN;
}

thud_state *model_state_twin(const model_rig *rig)
{
    const thud_state *state = thud_model_state(rig->model);
    thud_state *twin = NULL;
    thud_state_def def = {
        .dim = state->dim, .t0 = state->t0, .h = state->h, .q = state->q, .u = state->u};
    CHECK(thud_state_create(&def, &twin) == THUD_OK);
    if (twin)
        CHECK(thud_state_copy(twin, state) == THUD_OK);
    return twin;
}
