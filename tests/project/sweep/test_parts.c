// A projection by the parts of a team has the bits of the projection solved alone: projections that
// worlds pose, with random cuts into 1, 2, 3, 5 and 8 parts, some of them empty.
#include "model_rig.h"
#include "parts_rig.h"
#include "posed.h"
#include "sweep_graph.h"

#include <stdlib.h>
#include <string.h>
#include <thud/spheres.h>

// For each number of parts above one: equal parts, one member with all others idle, random cuts.
// The campaign takes more of them.
static int cuts = 6;

#define HEAD "thud: 1\nkind: spheres\nseed: 3\ntime: {step: 0.01, end: 9}\n"
#define STONE "gravity: [0, 0, -9.81]\nmaterials: {stone: {density: 1}}\n"

typedef struct setting
{
    const char *text;
    double diameter;
    int steps; // the projection of the last one is solved
    double shift_scale;
    bool is_cold; // without a first guess
} setting;

static void compare(const parts_task *task, const parts_answer *alone, const parts_answer *answers)
{
    size_t bytes = (size_t)task->problem->rows->count * sizeof *alone->mu;
    for (int r = 0; r < task->size; r++)
    {
        const parts_answer *own = &answers[r];
        CHECK(own->status == alone->status);
        CHECK(own->effort.sweeps == alone->effort.sweeps);
        CHECK(own->effort.evaluations == alone->effort.evaluations);
        CHECK(memcmp(own->mu, alone->mu, bytes) == 0);
        CHECK(memcmp(own->y, alone->y, bytes) == 0);
        CHECK(strcmp(own->message, "") == 0);
    }
}

static void solve_by_parts(parts_task *task, const parts_answer *alone)
{
    parts_answer answers[PARTS_MOST];
    parts_solve(task, answers);
    compare(task, alone, answers);
    parts_free(answers, task->size);
}

// By a team of one; then by about equal parts, by one member with all others idle, and by random
// cuts.
static void check_problem(const thud_projection *problem, int brick_limit, int cut_count,
                          test_random *random)
{
    static const int sizes[] = {1, 2, 3, 5, 8};
    int cut[PARTS_MOST + 1], bricks = parts_count_bricks(problem, brick_limit);
    parts_answer alone;
    parts_task task = {.problem = problem,
                       .def = {.brick_limit = brick_limit, .sweep_limit = 8000},
                       .threads = 1,
                       .failing = -1};
    parts_solve_alone(&task, &alone);
    printf("  %d rows, %d bricks: %s after %d sweeps, %d tests\n", problem->rows->count, bricks,
           thud_status_name(alone.status), alone.effort.sweeps, alone.effort.evaluations);
    CHECK(alone.effort.sweeps > 0);
    for (int s = 0; s < 5; s++)
        for (int k = 0; k < (sizes[s] == 1 ? 1 : cut_count); k++)
        {
            task.size = sizes[s];
            task.threads = 1 + k % 2;
            task.cut = k == 0 ? NULL : cut;
            parts_cut_at_random(random, bricks, task.size, cut);
            for (int r = 1; k == 1 && r <= task.size; r++)
                cut[r] = r <= task.size / 2 ? 0 : bricks;
            solve_by_parts(&task, &alone);
        }
    parts_free(&alone, 1);
}

static void check_world(const setting *s)
{
    model_rig rig;
    posed taken = {0};
    test_random random = test_random_begin(81);
    REQUIRE(model_open(&rig, s->text));
    thud_cell cell = thud_model_cell(rig.model);
    thud_bricks bricks = {.side = PARTS_BRICK_SIDE * s->diameter};
    for (int k = 0; k < 3; k++)
        bricks.period[k] = cell.period[k];
    thud_inclusion inclusion = *thud_model_problem(rig.model);
    thud_state *state = thud_model_state(rig.model);
    inclusion.bricks = &bricks;
    bool is_posed = true;
    for (int n = 0; n < s->steps && is_posed; n++)
    {
        bricks.shear = thud_model_shear(rig.model, thud_state_time(state) + state->h);
        is_posed = posed_take(&taken, &inclusion, state, rig.work);
    }
    CHECK(is_posed);
    taken.problem.shift_scale = s->shift_scale;
    taken.problem.warm = s->is_cold ? NULL : taken.problem.warm;
    if (is_posed)
        check_problem(&taken.problem, PARTS_BRICK_LIMIT, cuts, &random);
    posed_free(&taken);
    model_close(&rig);
}

// Five thousand spheres.
static void pile(void)
{
    check_world(&(setting){
        HEAD STONE "solver: {quality: preview}\n"
                   "bodies:\n  - lattice: {origin: [0.55, 0.55, 0.51], count: [17, 17, 17],\n"
                   "              spacing: 1.005, jitter: 0.002, radius: {uniform: [0.47, 0.5]},\n"
                   "              material: stone}\n"
                   "walls: {box: {box: [[0, 0, 0], [17.4, 17.4, 60]]}}\n",
        1, 60, 1, true});
}

// Large spheres on small ones, 1 : 3.
static void sizes(void)
{
    check_world(&(setting){
        HEAD STONE "solver: {quality: preview}\n"
                   "bodies:\n"
                   "  - lattice: {origin: [0.55, 0.55, 1.5], count: [16, 16, 3], spacing: 1.005,\n"
                   "              jitter: 0.002, radius: 0.5, material: stone}\n"
                   "  - lattice: {origin: [1.6, 1.6, 5.6], count: [5, 5, 4], spacing: 3.02,\n"
                   "              jitter: 0.01, radius: 1.5, material: stone}\n"
                   "walls: {box: {box: [[0, 0, 0], [16.4, 16.4, 60]]}}\n",
        1, 60, 1, true});
}

// Packs of doubles: shifts that floats are not good enough for.
static void doubles(void)
{
    check_world(&(setting){
        HEAD STONE "bodies:\n  - lattice: {origin: [0.55, 0.55, 0.51], count: [9, 9, 9],\n"
                   "              spacing: 1.005, jitter: 0.002, radius: {uniform: [0.47, 0.5]},\n"
                   "              material: stone}\n"
                   "walls: {box: {box: [[0, 0, 0], [9.3, 9.3, 30]]}}\n",
        1, 60, 0x1p-8, true});
}

static void gas(void)
{
    check_world(&(setting){
        HEAD
        "materials: {stone: {density: 1}}\n"
        "bodies:\n"
        "  - lattice: {origin: [0.6, 0.6, 0.6], count: [8, 8, 5], spacing: 1.02, radius: 0.5,\n"
        "              velocity: [0, 0, 3], material: stone}\n"
        "  - lattice: {origin: [0.6, 0.6, 6.2], count: [8, 8, 3], spacing: 1.03, jitter: 0.01,\n"
        "              radius: 0.5, velocity: [0.4, 0.2, -4], material: stone}\n"
        "walls: {box: {box: [[0, 0, 0], [8.6, 8.6, 10]]}}\n",
        1, 30, 1, true});
}

#define CELL(shape)                                                                                \
    "thud: 1\nkind: spheres\nseed: 3\ntime: {step: 0.01, end: 9}\ndim: 2\ncell: {" shape "}\n"     \
    "materials: {stone: {density: 1, growth: '1 + 0.3*tanh(4*t)'}}\n"                              \
    "bodies:\n"                                                                                    \
    "  - lattice: {origin: [0.6, 0.6], count: [25, 25], spacing: 1.2, jitter: 0.08,\n"             \
    "              radius: {uniform: [0.42, 0.5]}, material: stone}\n"

// Seven bricks a period, then two: rows pass from one to the other on both sides.
static void periodic(void)
{
    check_world(&(setting){CELL("x: [0, 30], y: [0, 30]"), 1, 60, 1, true});
    check_world(&(setting){CELL("x: [0, 30], y: [0, 30]"), 3, 60, 1, true});
}

static void sheared(void)
{
    check_world(&(setting){CELL("x: [0, 30], y: [0, 30], shear: '8*t'"), 1, 60, 1, true});
    check_world(&(setting){CELL("x: [0, 30], y: [0, 30], shear: '8*t'"), 3, 60, 1, true});
}

// One body larger than the bricks: its rows are irregular, and one member owns them.
static void hub(void)
{
    check_world(&(setting){
        HEAD STONE "bodies:\n"
                   "  - {at: [0, 0, 1000], radius: 1000, material: stone}\n"
                   "  - lattice: {origin: [-12, -12, 2001.01], count: [16, 16, 2], spacing: 2.02,\n"
                   "              jitter: 0.005, radius: 1, material: stone}\n"
                   "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n",
        2, 30, 1, true});
}

// One group: a cluster that is not cut into bricks belongs to one member, all others are idle.
static void uncut(void)
{
    test_random random = test_random_begin(82);
    sweep_graph g = sweep_graph_make(&random, 3, 300, 0, true);
    check_problem(sweep_graph_problem(&g, &random), 4096, cuts, &random);
    sweep_graph_free(&g);
}

// Do sweeps begin in small packs, and end with multipliers that these cannot hold?
static bool outgrows_floats(const thud_projection *problem, const double *mu)
{
    thud_rooms rooms = {0};
    thudi_packs p = {0};
    CHECK(sweep_graph_pack(problem, &rooms, &p) == THUD_OK);
    bool begins_small = p.is_small;
    for (int i = 0; i < p.rows; i++)
        p.largest = fmax(p.largest, mu[p.placed[i].row] * p.per_impulse / p.scale[i]);
    bool outgrown = thudi_packs_lost(&p) > THUDI_MOST_LOST;
    thudi_rooms_free(&rooms);
    return begins_small && outgrown;
}

// Small packs become packs of doubles in the midst, because multipliers grow.
static void widened(void)
{
    test_random random = test_random_begin(83);
    sweep_graph g = sweep_graph_make(&random, 3, 500, 0, true);
    thud_projection problem = *sweep_graph_problem(&g, &random);
    parts_outgrow_floats(&problem);
    g.bricks.side = PARTS_BRICK_SIDE;
    parts_task task = {.problem = &problem,
                       .def = {.brick_limit = PARTS_BRICK_LIMIT},
                       .threads = 1,
                       .failing = -1};
    parts_answer alone;
    parts_solve_alone(&task, &alone);
    CHECK(outgrows_floats(&problem, alone.mu));
    parts_free(&alone, 1);
    check_problem(&problem, PARTS_BRICK_LIMIT, cuts, &random);
    sweep_graph_free(&g);
}

static int closing(double t, thud_plane *plane, void *user)
{
    (void)user;
    *plane = (thud_plane){{-1, 0, 0}, -(120.02 - t)};
    return 0;
}

// Sixty spheres in a row, and two walls that close on them.
static thud_world *closed_row(void)
{
    thud_world *world = NULL;
    thud_world_def def = {.dim = 3, .h = 0.1};
    thud_wall_def low = {.plane = {{1, 0, 0}, 0}}, high = {.motion = closing};
    CHECK(thud_world_create(&def, &world) == THUD_OK);
    CHECK(thud_world_add_wall(world, &low, NULL) == THUD_OK);
    CHECK(thud_world_add_wall(world, &high, NULL) == THUD_OK);
    for (int i = 0; i < 60; i++)
    {
        thud_sphere s = {{1.001 + 2.0003 * i, 0, 0}, {0.1, 0, 0}, 1, 1 + i % 3};
        CHECK(thud_world_add(world, &s, 1, NULL) == THUD_OK);
    }
    CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    return world;
}

// The projection of the first step of a world, in bricks of this side.
static void check_first_step(thud_world *world, double side, int brick_limit, int cut_count,
                             thud_status wanted)
{
    thud_inclusion inclusion = thud_world_inclusion(world);
    thud_work_def def = thud_world_work(world);
    thud_bricks bricks = {.side = side};
    thud_work *work = NULL;
    posed taken = {0};
    test_random random = test_random_begin(84);
    CHECK(thud_work_create(&def, &work) == THUD_OK);
    CHECK(posed_take(&taken, &inclusion, thud_world_state(world), work));
    CHECK(taken.status == wanted);
    taken.problem.bricks = &bricks;
    check_problem(&taken.problem, brick_limit, cut_count, &random);
    posed_free(&taken);
    thud_work_destroy(work);
    thud_world_destroy(world);
}

// All members find that there is no solution, by the same Farkas vector.
static void infeasible(void)
{
    check_first_step(closed_row(), 8, 10, 3, THUD_ERR_INFEASIBLE);
}

// Small spheres around a large one, which all fly to it.
static thud_world *crowded_ball(int count)
{
    thud_world *world = NULL;
    thud_world_def def = {.dim = 3, .h = 0.05};
    double small = 8.0 / sqrt(count), golden = acos(-1) * (3 - sqrt(5));
    thud_sphere ball = {.radius = 10, .mass = 100};
    CHECK(thud_world_create(&def, &world) == THUD_OK);
    CHECK(thud_world_add(world, &ball, 1, NULL) == THUD_OK);
    for (int i = 1; i <= count; i++)
    {
        double z = 1 - (2 * i - 1.0) / count, r = sqrt(1 - z * z), distance = 10 + 1.02 * small;
        double toward[3] = {r * cos(golden * i), r * sin(golden * i), z};
        thud_sphere s = {.radius = small, .mass = 1};
        for (int k = 0; k < 3; k++)
        {
            s.center[k] = distance * toward[k];
            s.velocity[k] = -toward[k] * (1 + 0.2 * z);
        }
        CHECK(thud_world_add(world, &s, 1, NULL) == THUD_OK);
    }
    CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    return world;
}

// Momentum fails on many rows of one body: the safeguard goes back to what it kept.
static void crowd(void)
{
    check_first_step(crowded_ball(2000), 4, PARTS_BRICK_LIMIT, 3, THUD_OK);
}

// Of the campaign: a hundred random cuts of each.
static void hundred_cuts(void)
{
    cuts = 2 + 25; // for each of four numbers of parts
    pile();
    sizes();
    gas();
    hub();
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"pile", pile},       {"sizes", sizes},           {"doubles", doubles},
        {"gas", gas},         {"periodic", periodic},     {"sheared", sheared},
        {"hub", hub},         {"uncut", uncut},           {"crowd", crowd},
        {"widened", widened}, {"infeasible", infeasible}, {"hundred-cuts", hundred_cuts}};
    return test_main(argc, argv, cases, 12);
}
