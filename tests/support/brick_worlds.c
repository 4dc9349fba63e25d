// Worlds whose clusters are cut into bricks: eight small ones, and three of the campaign.
#include "brick_worlds.h"

#include "model_rig.h"

#include <omp.h>
#include <string.h>
#include <thud/fields.h>

enum
{
    BRICK_LIMIT = 200, // bodies
    DIAMETERS = 4,     // edge of a brick
    WORLDS = 8,
    LARGE_WORLDS = 3
};

#define HEAD "thud: 1\nkind: spheres\nseed: 3\ntime: {step: 0.01, end: 9}\n"
#define PILE(more)                                                                                 \
    "bodies:\n  - lattice: {origin: [0.55, 0.55, 0.51], count: [9, 9, 9], spacing: 1.005,\n"       \
    "              jitter: 0.002, radius: {uniform: [0.47, 0.5]}, material: stone" more "}\n"      \
    "walls: {box: {box: [[0, 0, 0], [9.3, 9.3, 30]]}}\n"

static const brick_world worlds[WORLDS] = {
    {"pile",
     HEAD "gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 1}}\n"
          "solver: {quality: preview}\n" PILE(""),
     1, 60},
    {"drum",
     HEAD "gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 1}}\n"
          "bodies:\n"
          "  - lattice: {origin: [-3, -2, -5.7], count: [7, 5, 9], spacing: 1.01, jitter: 0.001, "
          "radius: 0.5,\n"
          "              material: stone}\n"
          "walls:\n"
          "  drum: {drum: {from: [0, -3, 0], to: [0, 3, 0], radius: 7}, rotation: [0, t, 0]}\n"
          "  wedge: {triangle: [[4.2, -3, -3], [4.2, 3, -3], [5.2, 0, 2]]}\n",
     1, 40},
    {"sheared",
     HEAD "dim: 2\ncell: {x: [0, 30], y: [0, 30], shear: '8*t'}\n"
          "materials: {stone: {density: 1, growth: '1 + 0.3*tanh(4*t)'}}\n"
          "bodies:\n"
          "  - lattice: {origin: [0.6, 0.6], count: [25, 25], spacing: 1.2, jitter: 0.08,\n"
          "              radius: {uniform: [0.42, 0.5]}, material: stone}\n",
     1, 60},
    {"sizes",
     HEAD "gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 1}}\n"
          "bodies:\n"
          "  - {at: [0, 0, 1000], radius: 1000, material: stone}\n"
          "  - lattice: {origin: [-12, -12, 2001.01], count: [16, 16, 2], spacing: 2.02, jitter: "
          "0.005, radius: 1,\n"
          "              material: stone}\n"
          "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
     2, 30},
    {"gas",
     HEAD "materials: {stone: {density: 1}}\n"
          "bodies:\n"
          "  - lattice: {origin: [0.6, 0.6, 0.6], count: [8, 8, 4], spacing: 1.03, radius: 0.5,\n"
          "              velocity: [0, 0, 3], material: stone}\n"
          "  - lattice: {origin: [0.6, 0.6, 5.2], count: [8, 8, 4], spacing: 1.03, jitter: 0.01,\n"
          "              radius: 0.5, velocity: [0.4, 0.2, -4], material: stone}\n"
          "walls: {box: {box: [[0, 0, 0], [8.6, 8.6, 10]]}}\n",
     1, 40},
    {"restitution",
     HEAD
     "gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 1}}\n"
     "contacts: [{between: [stone, stone], restitution: 0.6}]\n" PILE(", velocity: [0, 0, -2]"),
     1, 30},
    {"glue",
     HEAD "gravity: [0, 0, '-9.81*cos(3*t)']\nmaterials: {stone: {density: 1}}\n"
          "contacts: [{between: [stone, stone], glue: 0.5}]\n" PILE(""),
     1, 60},
    {"crowd",
     "thud: 1\nkind: spheres\nseed: 3\norder: 1\ndim: 2\nnoise: 0.3\n"
     "time: {step: 0.02, end: 9}\nmaterials: {person: {}}\n"
     "crowd: [{material: person, velocity: ['-x', '-y']}]\n"
     "bodies:\n"
     "  - lattice: {origin: [-12, -12], count: [24, 24], spacing: 1.04, jitter: 0.01, radius: "
     "0.5,\n"
     "              material: person}\n",
     1, 30},
};

// Of the campaign.
#define BOX_OF(count, edge)                                                                        \
    HEAD "gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 1}}\n"                              \
         "solver: {quality: preview}\n"                                                            \
         "bodies:\n  - lattice: {origin: [0.55, 0.55, 0.51], count: " count ",\n"                  \
         "              spacing: 1.002, jitter: 0.0008, radius: 0.5, material: stone}\n"           \
         "walls: {box: {box: [[0, 0, 0], [" edge ", " edge ", 60]]}}\n"
static const brick_world large_worlds[LARGE_WORLDS] = {
    {"pile-10000", BOX_OF("[22, 22, 21]", "22.2"), 1, 20},
    {"pile-100000", BOX_OF("[60, 60, 28]", "60.3"), 1, 12},
    {"hub-10000",
     HEAD "gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 1}}\n"
          "bodies:\n"
          "  - {at: [0, 0, 10000], radius: 10000, material: stone}\n"
          "  - lattice: {origin: [-58, -58, 20001.1], count: [58, 58, 3], spacing: 2.01,\n"
          "              jitter: 0.002, radius: 1, material: stone}\n"
          "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
     2, 30},
};

const brick_world *brick_world_find(const char *name)
{
    for (int i = 0; i < WORLDS; i++)
        if (strcmp(worlds[i].name, name) == 0)
            return &worlds[i];
    for (int i = 0; i < LARGE_WORLDS; i++)
        if (strcmp(large_worlds[i].name, name) == 0)
            return &large_worlds[i];
    test_fail(__FILE__, __LINE__, "there is no world '%s'", name);
    return NULL;
}

const brick_world *brick_world_list(int *count)
{
    *count = WORLDS;
    return worlds;
}

// A model and how its steps are taken.
typedef struct setting
{
    model_rig rig;
    thud_bricks bricks;
    thud_inclusion problem;
    thud_work *work;
} setting;

static bool begin(setting *s, const brick_world *w, thud_team *team)
{
    if (!model_open(&s->rig, w->text))
        return false;
    thud_cell cell = thud_model_cell(s->rig.model);
    s->bricks = (thud_bricks){.side = DIAMETERS * w->diameter};
    for (int k = 0; k < 3; k++)
        s->bricks.period[k] = cell.period[k];
    s->problem = *thud_model_problem(s->rig.model);
    s->problem.bricks = &s->bricks;
    thud_work_def def = thud_model_work(s->rig.model);
    def.projector.brick_limit = BRICK_LIMIT;
    CHECK(thud_work_create(&def, &s->work) == THUD_OK);
    if (s->work)
        thud_work_set_team(s->work, team);
    return s->work;
}

brick_world_result brick_world_run(const brick_world *w, int threads, thud_team *team)
{
    setting s = {0};
    brick_world_result result = {0};
    omp_set_num_threads(threads);
    if (!begin(&s, w, team))
        return result;
    thud_state *state = thud_model_state(s.rig.model);
    result.hash = thud_state_hash(state, 0);
    for (int n = 0; n < w->steps && result.status >= 0; n++)
    {
        s.bricks.shear = thud_model_shear(s.rig.model, thud_state_time(state) + state->h);
        result.status = thud_step(&s.problem, state, s.work);
        if (result.status < 0)
            test_fail(__FILE__, __LINE__, "%s, step %d: %s", w->name, n, thud_work_message(s.work));
        const thud_report *report = thud_work_report(s.work);
        result.swept += report->effort.sweeps > 0;
        result.sweeps += report->effort.sweeps;
        result.joined += report->rows_missed > 0 && report->rounds == 1;
        result.hash = thud_state_hash(state, result.hash);
    }
    thud_work_destroy(s.work);
    model_close(&s.rig);
    return result;
}
