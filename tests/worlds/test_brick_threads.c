// The same bits for 1, 2, 3, 4, 8, 16 and 64 threads: whole steps of eight worlds, in which
// clusters of more than 200 bodies are cut into bricks of 4 diameters, so that small worlds have
// many.
#include "model_rig.h"

#include <omp.h>
#include <thud/fields.h>

#include <string.h>

enum
{
    BRICK_LIMIT = 200, // bodies
    DIAMETERS = 4      // edge of a brick
};

typedef struct world
{
    const char *name, *text;
    double diameter;
    int steps;
} world;

#define HEAD "thud: 1\nkind: spheres\nseed: 3\ntime: {step: 0.01, end: 9}\n"
#define PILE(more)                                                                                 \
    "bodies:\n  - lattice: {origin: [0.55, 0.55, 0.51], count: [9, 9, 9], spacing: 1.005,\n"       \
    "              jitter: 0.002, radius: {uniform: [0.47, 0.5]}, material: stone" more "}\n"      \
    "walls: {box: {box: [[0, 0, 0], [9.3, 9.3, 30]]}}\n"

static const world worlds[] = {
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

// A run of a world with so many threads: its last hash, over all states. *cut: steps in which a
// cluster was large enough to be cut.
static uint64_t run(const world *w, int threads, int *cut)
{
    model_rig rig;
    omp_set_num_threads(threads);
    *cut = 0;
    if (!model_open(&rig, w->text))
        return 0;
    thud_cell cell = thud_model_cell(rig.model);
    thud_bricks bricks = {.side = DIAMETERS * w->diameter};
    for (int k = 0; k < 3; k++)
        bricks.period[k] = cell.period[k];
    thud_inclusion problem = *thud_model_problem(rig.model);
    thud_work_def def = thud_model_work(rig.model);
    thud_work *work = NULL;
    problem.bricks = &bricks;
    def.projector.brick_limit = BRICK_LIMIT;
    CHECK(thud_work_create(&def, &work) == THUD_OK);
    thud_state *state = thud_model_state(rig.model);
    uint64_t hash = thud_state_hash(state, 0);
    for (int n = 0; n < w->steps && work; n++)
    {
        bricks.shear = thud_model_shear(rig.model, thud_state_time(state) + state->h);
        thud_status status = thud_step(&problem, state, work);
        if (status < 0)
            test_fail(__FILE__, __LINE__, "%s, step %d: %s", w->name, n, thud_work_message(work));
        *cut += thud_work_report(work)->effort.sweeps > 0;
        hash = thud_state_hash(state, hash);
    }
    thud_work_destroy(work);
    model_close(&rig);
    return hash;
}

static void check(const char *name)
{
    static const int threads[] = {2, 3, 4, 8, 16, 64};
    const world *w = worlds;
    int cut, again;
    while (strcmp(w->name, name) != 0)
        w++;
    uint64_t alone = run(w, 1, &cut);
    printf("  %s: %016llx, swept in %d of %d steps\n", name, (unsigned long long)alone, cut,
           w->steps);
    CHECK(cut > w->steps / 4);
    for (int k = 0; k < 6; k++)
        if (run(w, threads[k], &again) != alone)
            test_fail(__FILE__, __LINE__, "%s: other bits with %d threads", name, threads[k]);
}

#define CASE(name)                                                                                 \
    static void name(void)                                                                         \
    {                                                                                              \
        check(#name);                                                                              \
    }
CASE(pile)
CASE(drum)
CASE(sheared)
CASE(sizes)
CASE(gas)
CASE(restitution)
CASE(glue)
CASE(crowd)

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"pile", pile},       {"drum", drum},
                                      {"sheared", sheared}, {"sizes", sizes},
                                      {"gas", gas},         {"restitution", restitution},
                                      {"glue", glue},       {"crowd", crowd}};
    return test_main(argc, argv, cases, 8);
}
