// Random worlds in periodic cells, every step judged: invariances, threads, restarts, laws.
#include "cell_rig.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

typedef struct drive
{
    double speed, height;
} drive;

static int drive_at(double t, double *shear, void *user)
{
    *shear = ((const drive *)user)->speed * t;
    return 0;
}

static int swing(double t, double *shear, void *user)
{
    (void)user;
    *shear = 0.2 * sin(3 * t);
    return 0;
}

static uint64_t seed_of(const char *name, uint64_t standard)
{
    uint64_t seed = test_seed(standard);
    printf("%s: seed %llu\n", name, (unsigned long long)seed);
    return seed;
}

// Bodies are pulled towards the corners of the cell, so that many touch through the border.
static int pull(double t, int count, const int *id, const double *q, double *force, void *user)
{
    const thud_world_def *def = user;
    (void)t, (void)id;
    for (int i = 0; i < count * def->dim; i++)
    {
        double period = def->cell.period[i % def->dim];
        double x = period > 0 ? q[i] - period * round(q[i] / period) : q[i] - 0.5;
        force[i] -= 0.2 * x;
    }
    return 0;
}

static void crowd(const char *name, thud_world_def def, int count, double low, double high,
                  int steps)
{
    test_random random = test_random_start(seed_of(name, 11));
    cell_rig rig;
    def.user = &def;
    REQUIRE(cell_open(&rig, &def));
    for (int k = 0; k < def.dim; k++)
        for (int side = 0; side < 2 && !(def.cell.period[k] > 0); side++)
            cell_wall(&rig, (k == 0) * (1 - 2 * side), (k == 1) * (1 - 2 * side),
                      (k == 2) * (1 - 2 * side), -side);
    cell_scatter(&rig, &random, count, low, high, 0.4);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) >= 0);
    CHECK(cell_steps(&rig, steps));
    printf("%d bodies: %d contacts, %d across\n", rig.state->dim / def.dim, rig.contacts,
           rig.across);
    CHECK(rig.contacts > 0 && rig.across > 0);
    cell_close(&rig);
}

static void flat(void)
{
    crowd("flat", (thud_world_def){.dim = 2, .h = 0.01, .cell.period = {1, 1, 0}, .force = pull},
          40, 0.03, 0.1, 60);
    crowd("channel",
          (thud_world_def){.dim = 2, .h = 0.01, .cell.period = {1, 0, 0}, .gravity = {0.3, -1, 0}},
          40, 0.03, 0.1, 60);
}

static void deep(void)
{
    crowd("deep", (thud_world_def){.dim = 3, .h = 0.01, .cell.period = {1, 1, 1}, .force = pull},
          35, 0.08, 0.2, 25);
    crowd("floor",
          (thud_world_def){.dim = 3, .h = 0.01, .cell.period = {1, 1, 0}, .gravity = {0, 0, -1}},
          40, 0.06, 0.17, 25);
}

static void tiny(void)
{
    crowd("tiny", (thud_world_def){.dim = 2, .h = 0.005, .cell.period = {1, 1, 0}, .force = pull},
          3, 0.21, 0.24, 200);
    crowd("tiny deep",
          (thud_world_def){.dim = 3, .h = 0.005, .cell.period = {1, 1, 1}, .force = pull}, 4, 0.25,
          0.3, 100);
}

static void sheared(void)
{
    static drive law = {.speed = 0.5};
    const thud_cell cell = {.period = {1, 1, 0}, .shear = drive_at, .shear_t = 0.5, .user = &law};
    thud_cell box = cell;
    crowd("sheared", (thud_world_def){.dim = 2, .h = 0.005, .cell = cell, .force = pull}, 40, 0.04,
          0.1, 120);
    box.period[2] = 1;
    crowd("sheared deep", (thud_world_def){.dim = 3, .h = 0.005, .cell = box, .force = pull}, 30,
          0.1, 0.2, 40);
    box = (thud_cell){.period = {1, 1, 0}, .shear = swing, .shear_t = 0.6, .shear_tt = 1.8};
    crowd("swinging", (thud_world_def){.dim = 3, .h = 0.005, .cell = box, .gravity = {0, 0, -0.5}},
          40, 0.08, 0.17, 60);
}

static void laws(void)
{
    static const double bouncing[1] = {0.6}, sticky[1] = {-INFINITY};
    thud_world_def def = {.dim = 2, .h = 0.01, .cell.period = {1, 1, 0}, .material_count = 1};
    def.law = THUD_LAW_RESTITUTION;
    def.numbers = bouncing;
    def.gravity[0] = 0; // free: what bounces needs no pull
    crowd("bouncing", def, 40, 0.04, 0.1, 60);
    def.law = THUD_LAW_GLUE;
    def.numbers = sticky;
    crowd("sticky", def, 40, 0.04, 0.1, 40);
}

// One world, once as it is and once changed: how far apart are they?
typedef struct altered
{
    double shift[2], speed[2];
    bool around; // some bodies some periods away
} altered;

static double difference(const cell_rig *a, const cell_rig *b, const altered *change)
{
    thud_bodies left = thud_world_bodies(a->world), right = thud_world_bodies(b->world);
    double most = 0, t = thud_state_time(a->state);
    for (int i = 0; i < left.count * left.dim; i++)
    {
        int k = i % left.dim;
        double period = a->def.cell.period[k];
        double d = right.q[i] - left.q[i] - change->shift[k] - t * change->speed[k];
        d -= period > 0 ? period * round(d / period) : 0;
        most = fmax(most, fmax(fabs(d), fabs(right.u[i] - left.u[i] - change->speed[k])));
    }
    return most;
}

static void change_bodies(cell_rig *rig, const altered *change)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    for (int i = 0; i < bodies.count; i++)
    {
        thud_sphere s = {.radius = bodies.radius[i], .mass = bodies.mass[2 * i]};
        for (int k = 0; k < 2; k++)
        {
            double turns = change->around ? (i * (k + 2)) % 7 - 3 : 0;
            s.center[k] = bodies.q[2 * i + k] + change->shift[k] + turns * rig->def.cell.period[k];
            s.velocity[k] = bodies.u[2 * i + k] + change->speed[k];
        }
        CHECK(thud_world_set(rig->world, bodies.id[i], &s) == THUD_OK);
    }
}

static void invariant(void)
{
    static const altered changes[] = {
        {.around = true},   {.shift = {0.5, 0.5}},
        {.shift = {1, 0}},  {.shift = {0.37, -11.2}},
        {.speed = {3, -2}}, {.shift = {0.1, 0.2}, .speed = {-1, 20}, .around = true}};
    uint64_t seed = seed_of("invariant", 5);
    for (size_t n = 0; n < sizeof changes / sizeof *changes; n++)
    {
        thud_world_def def = {.dim = 2, .h = 0.01, .cell.period = {1, 1, 0}};
        cell_rig rigs[2];
        for (int which = 0; which < 2; which++)
        {
            test_random random = test_random_start(seed);
            REQUIRE(cell_open(&rigs[which], &def));
            cell_scatter(&rigs[which], &random, 40, 0.05, 0.09, 0.3);
            if (which)
                change_bodies(&rigs[which], &changes[n]);
            CHECK(cell_start(&rigs[which], THUD_REFUSE_OVERLAP) >= 0);
        }
        double first[3], last[3];
        cell_momentum(&rigs[0], first);
        for (int i = 0; i < 8; i++)
        {
            CHECK(cell_steps(&rigs[0], 1) && cell_steps(&rigs[1], 1));
            CHECK_AT_MOST(difference(&rigs[0], &rigs[1], &changes[n]), 1e-10);
        }
        cell_momentum(&rigs[0], last);
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(last[k], first[k], 1e-15);
        CHECK(rigs[0].contacts > 10 && rigs[1].across > 0);
        cell_close(&rigs[0]);
        cell_close(&rigs[1]);
    }
}

// Bodies on a grid with some disorder, for worlds that are too large to try all.
static void grid(cell_rig *rig, test_random *random, int side, double speed)
{
    double spacing = rig->def.cell.period[0] / side;
    thud_sphere *all = calloc((size_t)(side * side), sizeof *all);
    REQUIRE(all);
    for (int i = 0; i < side * side; i++)
    {
        all[i] =
            (thud_sphere){.radius = spacing * test_random_uniform(random, 0.35, 0.45), .mass = 1};
        for (int k = 0; k < 2; k++)
        {
            int at = k ? i / side : i % side;
            all[i].center[k] = spacing * (at + test_random_uniform(random, -0.04, 0.04));
            all[i].velocity[k] = speed * test_random_normal(random);
        }
    }
    CHECK(thud_world_add(rig->world, all, side * side, NULL) == THUD_OK);
    free(all);
}

static uint64_t run_grid(bool is_sheared, int threads)
{
    static drive law = {.speed = 2};
    thud_world_def def = {.dim = 2, .h = 0.01, .cell.period = {70, 70, 0}};
    test_random random = test_random_start(test_seed(9));
    cell_rig rig;
    omp_set_num_threads(threads);
    if (is_sheared)
        def.cell =
            (thud_cell){.period = {70, 70, 0}, .shear = drive_at, .shear_t = 2, .user = &law};
    if (!cell_open(&rig, &def))
        return 0;
    grid(&rig, &random, 70, 2);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) >= 0);
    for (int n = 0; n < 12; n++)
        CHECK(thud_step(&rig.problem, rig.state, rig.work) >= 0);
    CHECK(rig.state->multiplier_count > 100);
    uint64_t hash = cell_hash(&rig);
    cell_close(&rig);
    return hash;
}

static void threads(void)
{
    static const int counts[] = {1, 2, 3, 4, 8};
    (void)seed_of("threads", 9);
    for (int which = 0; which < 2; which++)
    {
        uint64_t wanted = run_grid(which, 1);
        for (size_t n = 1; n < sizeof counts / sizeof *counts; n++)
            CHECK(run_grid(which, counts[n]) == wanted);
    }
}

// A world made before every step from the state alone moves in the same way, bit for bit.
static void restart(void)
{
    static drive law = {.speed = 0.3};
    test_random random = test_random_start(seed_of("restart", 3));
    thud_world_def def = {
        .dim = 2,
        .h = 0.01,
        .cell = {.period = {1, 1, 0}, .shear = drive_at, .shear_t = 0.3, .user = &law}};
    cell_rig rig;
    REQUIRE(cell_open(&rig, &def));
    cell_scatter(&rig, &random, 40, 0.05, 0.1, 0.1);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) >= 0);
    for (int n = 0; n < 80; n++)
    {
        cell_rig fresh;
        thud_bodies bodies = thud_world_bodies(rig.world);
        REQUIRE(cell_open(&fresh, &def));
        for (int i = 0; i < bodies.count; i++) // anywhere: its state is copied
            CHECK(thud_world_add(fresh.world,
                                 &(thud_sphere){.center = {bodies.q[2 * i], bodies.q[2 * i + 1]},
                                                .radius = bodies.radius[i],
                                                .mass = bodies.mass[2 * i]},
                                 1, NULL) == THUD_OK);
        fresh.state = thud_world_state(fresh.world);
        CHECK(thud_state_copy(fresh.state, rig.state) == THUD_OK);
        CHECK(cell_start(&fresh, THUD_REFUSE_OVERLAP) == THUD_OK);
        REQUIRE(cell_steps(&rig, 1));
        CHECK(thud_step(&fresh.problem, fresh.state, fresh.work) >= 0);
        CHECK(cell_hash(&fresh) == cell_hash(&rig));
        cell_close(&fresh);
    }
    CHECK(rig.across > 5);
    cell_close(&rig);
}

// A body pulled through the ring again and again, and one that is carried through many cells.
static void around(void)
{
    thud_world_def def = {
        .dim = 2, .h = 0.01, .cell.period = {1, 0.5, 0}, .gravity = {0.5, 0.3, 0}};
    cell_rig rig;
    REQUIRE(cell_open(&rig, &def));
    cell_add(&rig, 0.2, 0.1, 0, 0.1, 3, 0, 0);
    cell_add(&rig, 0.6, 0.2, 0, 0.1, 0, 5, 0);
    cell_add(&rig, 0.9, 0.3, 0, 0.1, -1, 0, 0);
    CHECK(cell_start(&rig, THUD_REFUSE_OVERLAP) == THUD_OK);
    CHECK(cell_steps(&rig, 600));
    CHECK(rig.state->q[0] > 4 && rig.state->q[1] > 2 && rig.across > 3);
    cell_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"flat", flat},       {"deep", deep},       {"tiny", tiny},
        {"sheared", sheared}, {"laws", laws},       {"invariant", invariant},
        {"threads", threads}, {"restart", restart}, {"around", around}};
    return test_main(argc, argv, cases, 9);
}
