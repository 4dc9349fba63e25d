// The public set of projections: small scenes, and the step of each that is kept.
#include "core/memory.h"
#include "thud/instance.h"

#include <stdio.h>
#include <string.h>
#include <thud/model.h>

typedef struct set_entry
{
    const char *name;
    int step; // counted from 1
    const char *scene;
} set_entry;

static const set_entry set[THUD_SET_COUNT] = {
    {"settled", 600,
     "thud: 1\n"
     "title: 'Settled: spheres at rest in a box'\n"
     "kind: spheres\n"
     "solver: {quality: study}\n"
     "time: {step: 0.01, end: 6}\n"
     "gravity: [0, 0, -1]\n"
     "materials: {glass: {density: 1}}\n"
     "bodies:\n"
     "  - fill: {region: {box: [[0, 0, 0], [4, 4, 8]]}, count: 40,\n"
     "           radius: {uniform: [0.4, 0.6]}, seed: 1, material: glass}\n"
     "walls:\n"
     "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
     "  sides: {box: [[0, 0, -1], [4, 4, 20]]}\n"},
    {"impact", 15,
     "thud: 1\n"
     "title: 'Impact: a disk meets a lattice of disks that touch'\n"
     "kind: spheres\n"
     "dim: 2\n"
     "solver: {quality: study}\n"
     "time: {step: 0.01, end: 0.5}\n"
     "materials: {glass: {density: 1}}\n"
     "bodies:\n"
     "  - lattice: {origin: [0.5, 0.5], count: [7, 7], spacing: 1, radius: 0.5, material: glass}\n"
     "  - {at: [3.3, 9], velocity: [0.5, -6], radius: 1.2, material: glass}\n"
     "walls:\n"
     "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"},
    {"jammed", 160,
     "thud: 1\n"
     "title: 'Jammed: grains that have grown until hardly any room is left'\n"
     "kind: spheres\n"
     "dim: 2\n"
     "solver: {quality: study}\n"
     "time: {step: 0.01, end: 5}\n"
     "drag: 5\n"
     "materials: {cell: {density: 1, growth: '1 + 0.375*t'}}\n"
     "bodies:\n"
     "  - fill: {region: {box: [[0, 0], [6, 6]]}, count: 30, radius: {uniform: [0.25, 0.4]},\n"
     "           seed: 3, material: cell}\n"
     "walls:\n"
     "  dish: {box: [[0, 0], [6, 6]]}\n"},
    {"glued", 800,
     "thud: 1\n"
     "title: 'Glued: disks that hang from each other'\n"
     "kind: spheres\n"
     "dim: 2\n"
     "solver: {quality: study}\n"
     "time: {step: 0.005, end: 5}\n"
     "gravity: [0, '-cos(pi*t/6)']\n"
     "materials: {paste: {density: 1}}\n"
     "contacts: [{between: [paste, paste], glue: 0.05}]\n"
     "bodies:\n"
     "  - lattice: {origin: [-0.9, 0.14], count: [8, 5], spacing: 0.257, jitter: 0.003,\n"
     "              radius: {uniform: [0.09, 0.125]}, seed: 5, material: paste}\n"
     "walls:\n"
     "  room: {box: [[-1.1, 0], [1.1, 3]]}\n"},
};

const char *thud_set_name(int which)
{
    return set[which].name;
}

// Steps up to the one that is kept; *before is the state that it starts from.
static thud_status take_steps(const set_entry *entry, thud_model *model, thud_work *work,
                              thud_state *before)
{
    const thud_inclusion *problem = thud_model_problem(model);
    thud_state *state = thud_model_state(model);
    for (int n = 0; n < entry->step; n++)
    {
        THUD_TRY(thud_state_copy(before, state));
        THUD_TRY(thud_step(problem, state, work));
    }
    return THUD_OK;
}

static void name_it(const set_entry *entry, const thud_scene *scene, thud_instance *instance)
{
    (void)snprintf(instance->title, sizeof instance->title, "%.200s", scene->title);
    (void)thud_format(instance->about, sizeof instance->about,
                      "Step %d of a run, h = %g, in velocities: gaps less their shifts, over h. "
                      "Without friction. Made by 'thud project --make-set'.",
                      entry->step, scene->step);
}

static thud_status make(const set_entry *entry, const thud_scene *scene, thud_model *model,
                        thud_instance **out)
{
    const thud_inclusion *problem = thud_model_problem(model);
    const thud_state *state = thud_model_state(model);
    thud_work_def def = thud_model_work(model);
    thud_state_def copy = {.dim = state->dim, .h = state->h, .q = state->q};
    thud_work *work = NULL;
    thud_state *before = NULL;
    thud_status status = thud_work_create(&def, &work);
    if (status >= 0)
        status = thud_state_create(&copy, &before);
    if (status >= 0)
        status = take_steps(entry, model, work, before);
    if (status >= 0)
        status = thud_instance_of_step(problem, before, thud_work_report(work), NULL, out);
    if (status >= 0)
        name_it(entry, scene, *out);
    thud_state_destroy(before);
    thud_work_destroy(work);
    return status;
}

thud_status thud_set_make(int which, thud_instance **out, thud_fault *fault)
{
    const set_entry *entry = &set[which];
    thud_scene *scene = NULL;
    thud_model *model = NULL;
    thud_scene_def def = {
        .text = entry->scene, .length = strlen(entry->scene), .name = entry->name};
    thud_status status = thud_scene_read(&def, &scene, fault);
    if (status >= 0)
        status = thud_model_create(scene, NULL, &model, fault);
    if (status >= 0)
        status = make(entry, scene, model, out);
    thud_model_destroy(model);
    thud_scene_destroy(scene);
    return status;
}
