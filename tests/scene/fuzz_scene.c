// Any bytes as a scene: reading must survive them, and what is read must survive being written. A
// small one becomes a model, which takes three steps, each measured and checked.
#include "thud/model_verify.h"
#include "thud/step.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct text
{
    char bytes[1 << 18];
    size_t length;
} text;

static int keep(const char *bytes, size_t length, void *user)
{
    text *to = user;
    if (length > sizeof to->bytes - to->length)
        return 1;
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    return 0;
}

static thud_status read_text(const char *bytes, size_t length, thud_scene **scene)
{
    thud_fault fault;
    thud_scene_def def = {.text = bytes, .length = length, .body_limit = 2000};
    thud_status status = thud_scene_read(&def, scene, &fault);
    // a failure always says what it is, in one line
    if (status < 0 && (fault.text[0] == '\0' || strchr(fault.text, '\n') || *scene))
        abort();
    return status;
}

// Write a scene; false when it has more text than there is room for.
static bool write_text(const thud_scene *scene, text *to)
{
    to->length = 0;
    return thud_scene_write(scene, NULL, keep, to) >= 0;
}

enum
{
    MOST_BODIES = 40,
    MOST_TRIANGLES = 200,
    MOST_ROOM = 2000, // numbers that an expression needs
    MOST_SERIES = 4000
};

// Steps of a small scene take milliseconds. Ways to doors are found on a grid of any size.
static bool is_small(const thud_scene *scene)
{
    int triangles = 0;
    bool small = scene->body_count <= MOST_BODIES && scene->coordinate_count <= MOST_BODIES &&
                 scene->constraint_count <= MOST_BODIES && scene->wall_count <= MOST_BODIES &&
                 scene->obstacle_count <= MOST_BODIES && scene->measure_count <= MOST_BODIES;
    for (int i = 0; i < scene->obstacle_count; i++)
        triangles += scene->obstacles[i].solid.triangle_count;
    for (int i = 0; i < scene->group_count; i++)
        small = small && scene->groups[i].door_count == 0;
    return small && thud_scene_varying_room(scene) <= MOST_ROOM && triangles <= MOST_TRIANGLES;
}

static void look(thud_model *model, const thud_report *report)
{
    static double values[MOST_SERIES];
    char said[200];
    const char *const *names;
    const thud_state *state = thud_model_state(model);
    if (thud_model_series(model, &names) <= MOST_SERIES)
        thud_model_measure(model,
                           &(thud_view){.t = thud_state_time(state),
                                        .q = state->q,
                                        .u = state->u,
                                        .state = state,
                                        .report = report,
                                        .problem = thud_model_problem(model)},
                           values);
    for (int i = 0; i < thud_model_series(model, &names); i++)
        thud_model_series_column(model, i, &(thud_series_column){0});
    for (int i = 0; i < state->multiplier_count; i++)
        thud_model_describe(model, state->multipliers[i].key, said, sizeof said);
    (void)thud_model_fault(model, thud_state_time(state), state->q, said, sizeof said);
}

static void take_steps(thud_model *model, thud_work *work)
{
    thud_state *state = thud_model_state(model), *before = NULL;
    thud_state_def twin = {
        .dim = state->dim, .t0 = state->t0, .h = state->h, .q = state->q, .u = state->u};
    if (thud_state_create(&twin, &before) < 0)
        return;
    for (int n = 0; n < 3; n++)
    {
        thud_verdict verdict;
        if (thud_state_copy(before, state) < 0 ||
            thud_step(thud_model_problem(model), state, work) < 0)
            break;
        const thud_report *report = thud_work_report(work);
        look(model, report);
        (void)thud_model_verify(model, before, state, report->mean_force, &verdict);
        (void)thud_model_verify(model, before, state, NULL, &verdict);
    }
    thud_state_destroy(before);
}

static void try_model(const thud_scene *scene)
{
    thud_model *model = NULL;
    thud_work *work = NULL;
    thud_fault fault = {0};
    thud_status status = thud_model_create(scene, NULL, &model, &fault);
    if (status < 0)
    {
        if (fault.text[0] == '\0' || model)
            abort();
        return;
    }
    thud_work_def def = thud_model_work(model);
    def.quadrature_limit = 5000;
    look(model, NULL);
    if (thud_work_create(&def, &work) >= 0)
        take_steps(model, work);
    thud_work_destroy(work);
    thud_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static text first, second;
    thud_scene *scene, *again;
    if (read_text((const char *)data, size, &scene) < 0)
        return 0;
    scene->step_is_auto = false; // the step is a number from now on
    if (write_text(scene, &first))
    {
        if (read_text(first.bytes, first.length, &again) < 0 || !write_text(again, &second) ||
            first.length != second.length || again->body_count != scene->body_count ||
            memcmp(first.bytes, second.bytes, first.length) != 0)
            abort();
        for (int i = 0; i < scene->body_count; i++)
            if (memcmp(&scene->bodies[i].sphere, &again->bodies[i].sphere, sizeof(thud_sphere)) !=
                0)
                abort();
        thud_scene_destroy(again);
    }
    if (is_small(scene))
        try_model(scene);
    thud_scene_destroy(scene);
    return 0;
}
