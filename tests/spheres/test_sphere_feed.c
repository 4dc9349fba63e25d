// Bodies that come into a running world: what was there keeps its bits, the new ones alone make
// room, or they are refused by name.
#include "thud/spheres.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 400,
    FED_STEPS = 2000
};

static const double RADIUS = 0.0045, TOL = 1e-3;

typedef struct feed
{
    thud_world *world;
    thud_work *work;
    test_random random;
    // all bodies at some moment, by place
    int count, id[MOST];
    double q[2 * MOST], u[2 * MOST];
    // what the run has seen
    int added, removed, set, opened, refused, moved_in, prepared;
    double farthest, gap, new_gap; // in radii; the gaps in sigma
} feed;

static void remember(feed *f)
{
    thud_bodies bodies = thud_world_bodies(f->world);
    REQUIRE(bodies.count <= MOST);
    f->count = bodies.count;
    memcpy(f->id, bodies.id, (size_t)f->count * sizeof *f->id);
    memcpy(f->q, bodies.q, 2 * (size_t)f->count * sizeof *f->q);
    memcpy(f->u, bodies.u, 2 * (size_t)f->count * sizeof *f->u);
}

// Do all bodies with an id below first have the bits that were remembered?
static bool kept_bits(feed *f, int first, int changed)
{
    thud_bodies bodies = thud_world_bodies(f->world);
    bool same = true;
    for (int i = 0, k = 0; i < bodies.count; i++)
    {
        while (k < f->count && f->id[k] < bodies.id[i])
            k++;
        if (bodies.id[i] >= first || bodies.id[i] == changed)
            continue;
        double x = bodies.q[2 * i] - f->q[2 * k], y = bodies.q[2 * i + 1] - f->q[2 * k + 1];
        f->farthest = fmax(f->farthest, hypot(x, y) / RADIUS);
        same = same && k < f->count && f->id[k] == bodies.id[i] &&
               memcmp(bodies.q + 2 * i, f->q + 2 * k, 2 * sizeof(double)) == 0 &&
               memcmp(bodies.u + 2 * i, f->u + 2 * k, 2 * sizeof(double)) == 0;
    }
    return same;
}

static void open_hopper(feed *f, int disks, uint64_t seed)
{
    thud_world_def def = {.dim = 2, .h = 0.002, .gravity = {0, -9.81}, .tol = TOL, .tol_a = 3e-2};
    const double lines[18] = {-0.02, 0, 0, -0.06, 0.05, 0, -0.06, 0.05, 0,
                              0.02,  0, 0, 0.06,  0.05, 0, 0.06,  0.05, 0};
    const double low[3] = {-0.06, -INFINITY, -INFINITY}, high[3] = {0.06, INFINITY, INFINITY};
    thud_obstacle_def funnel = {
        .solid = {.kind = THUD_MESH, .triangles = lines, .triangle_count = 2}};
    *f = (feed){.random = test_random_start(seed), .gap = INFINITY, .new_gap = INFINITY};
    REQUIRE(thud_world_create(&def, &f->world) == THUD_OK);
    REQUIRE(thud_world_add_obstacle(f->world, &funnel, NULL) == THUD_OK);
    REQUIRE(thud_world_add_box(f->world, low, high, NULL) == THUD_OK);
    for (int i = 0; i < disks; i++)
    {
        double r = RADIUS * test_random_uniform(&f->random, 0.9, 1.1);
        div_t at = div(i, 10);
        thud_sphere disk = {.center = {-0.0495 + 0.011 * at.rem, 0.06 + 0.0105 * at.quot},
                            .radius = r,
                            .mass = r * r};
        REQUIRE(thud_world_add(f->world, &disk, 1, NULL) == THUD_OK);
    }
    REQUIRE(thud_world_prepare(f->world, THUD_REFUSE_OVERLAP, NULL) >= 0);
    thud_work_def work = thud_world_work(f->world);
    REQUIRE(thud_work_create(&work, &f->work) == THUD_OK);
}

static void close_feed(feed *f)
{
    thud_work_destroy(f->work);
    thud_world_destroy(f->world);
}

// The smallest gap of a disk to all other bodies but one, in sigma.
static double least_gap(const feed *f, const thud_sphere *disk, int but)
{
    thud_bodies bodies = thud_world_bodies(f->world);
    double least = (0.06 - fabs(disk->center[0]) - disk->radius) / (2 * TOL * disk->radius);
    for (int i = 0; i < bodies.count; i++)
    {
        double x = bodies.q[2 * i] - disk->center[0], y = bodies.q[2 * i + 1] - disk->center[1];
        double gap = hypot(x, y) - bodies.radius[i] - disk->radius;
        double sigma = 2 * TOL * fmin(bodies.radius[i], disk->radius);
        if (bodies.id[i] != but)
            least = fmin(least, gap / sigma);
    }
    return least;
}

// A disk that touches one which is there, to rounding, above it; false if others are in the way.
static bool find_place(feed *f, double radius, thud_sphere *disk)
{
    thud_bodies bodies = thud_world_bodies(f->world);
    int i = test_random_int(&f->random, 0, bodies.count - 1);
    double angle = test_random_uniform(&f->random, 0.3, 2.84);
    double way = (bodies.radius[i] + radius) * (1 + 1e-15);
    *disk = (thud_sphere){
        .center = {bodies.q[2 * i] + way * cos(angle), bodies.q[2 * i + 1] + way * sin(angle)},
        .radius = radius,
        .mass = radius * radius};
    return disk->center[1] > 0.06 && least_gap(f, disk, -1) > -1e-12;
}

// Prepare after a change; what is below `first` and not `changed` keeps its bits.
static void prepare(feed *f, int first, int changed)
{
    thud_start start;
    thud_status status = thud_world_prepare(f->world, THUD_REFUSE_OVERLAP, &start);
    bool kept = kept_bits(f, first, changed);
    f->prepared++;
    f->moved_in += !kept;
    f->refused += status == THUD_ERR_OVERLAP;
    f->opened += status == THUD_OK && start.largest_shift > 0;
    CHECK(status == THUD_OK || status == THUD_ERR_OVERLAP);
    if (status == THUD_ERR_OVERLAP) // no room for it: it goes again
    {
        char name[32];
        (void)snprintf(name, sizeof name, "body %d", first);
        CHECK(strstr(thud_world_message(f->world), name));
        CHECK(thud_world_remove(f->world, &first, 1) == THUD_OK);
        CHECK(thud_world_prepare(f->world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
        CHECK(kept_bits(f, first, -1));
    }
}

static void add_one(feed *f)
{
    thud_sphere disk;
    int first;
    double radius = RADIUS * test_random_uniform(&f->random, 0.9, 1.1);
    for (int tries = 0; tries < 200; tries++)
        if (find_place(f, radius, &disk))
        {
            remember(f);
            REQUIRE(thud_world_add(f->world, &disk, 1, &first) == THUD_OK);
            prepare(f, first, -1);
            thud_bodies bodies = thud_world_bodies(f->world);
            if (bodies.id[bodies.count - 1] != first)
                return; // refused
            memcpy(disk.center, bodies.q + 2 * (bodies.count - 1), 2 * sizeof(double));
            f->new_gap = fmin(f->new_gap, least_gap(f, &disk, first));
            f->added++;
            return;
        }
}

// What has left goes, or is put back on top.
static void take_out(feed *f)
{
    thud_bodies bodies = thud_world_bodies(f->world);
    for (int i = 0; i < bodies.count; i++)
        if (bodies.q[2 * i + 1] < -0.02)
        {
            thud_sphere disk;
            int id = bodies.id[i];
            remember(f);
            if ((id & 1) || !find_place(f, bodies.radius[i], &disk))
            {
                REQUIRE(thud_world_remove(f->world, &id, 1) == THUD_OK);
                f->removed++;
            }
            else
            {
                disk.center[1] += 0.001; // it need not touch
                if (least_gap(f, &disk, id) < 1)
                    continue;
                REQUIRE(thud_world_set(f->world, id, &disk) == THUD_OK);
                f->set++;
            }
            prepare(f, INT32_MAX, id);
            bodies = thud_world_bodies(f->world);
        }
}

static void step(feed *f)
{
    thud_inclusion problem = thud_world_inclusion(f->world);
    thud_status status = thud_step(&problem, thud_world_state(f->world), f->work);
    if (status < 0)
        test_fail(__FILE__, __LINE__, "%s", thud_work_message(f->work));
    f->gap = fmin(f->gap, thud_work_report(f->work)->min_gap / (2 * TOL * RADIUS));
}

// A hopper that is fed for many steps.
static void fed(void)
{
    feed f;
    uint64_t seed = test_seed(30);
    open_hopper(&f, 120, seed);
    for (int n = 0; n < FED_STEPS && test_failures() == 0; n++)
    {
        step(&f);
        take_out(&f);
        if (thud_world_bodies(f.world).count < 140)
            add_one(&f);
    }
    printf("  %d steps: %d disks added, %d removed, %d put back, %d of them opened, %d refused\n",
           FED_STEPS, f.added, f.removed, f.set, f.opened, f.refused);
    printf("  bodies that were there moved in %d of %d changes, by up to %.3g r (seed %llu)\n",
           f.moved_in, f.prepared, f.farthest, (unsigned long long)seed);
    printf("  smallest gap: of steps %.3g sigma, of new disks %.3g sigma\n", f.gap, f.new_gap);
    CHECK(f.moved_in == 0 && f.farthest == 0);
    CHECK(f.added > 50 && f.removed > 20 && f.set > 20 && f.opened > 50);
    CHECK(f.gap > 0 && f.new_gap >= 1 - 1e-9);
    close_feed(&f);
}

// Four balls in a box without gravity, touching at the start.
static thud_world *quiet(thud_work *work, int steps)
{
    thud_world *world = NULL;
    thud_world_def def = {.h = 0.01};
    thud_sphere balls[4] = {{{0, 0, 1}, {0}, 0.5, 1},
                            {{1, 0, 1}, {0}, 0.5, 1},
                            {{3, 0, 1}, {0}, 0.5, 1},
                            {{5, 0, 1}, {0.25, 0, 0.125}, 0.5, 1}};
    bool made = thud_world_create(&def, &world) == THUD_OK &&
                thud_world_add_wall(world, &(thud_wall_def){.plane = {{0, 0, 1}, 0}}, NULL) >= 0 &&
                thud_world_add(world, balls, 4, NULL) == THUD_OK &&
                thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK;
    for (int n = 0; n < steps && made; n++)
    {
        thud_inclusion problem = thud_world_inclusion(world);
        made = thud_step(&problem, thud_world_state(world), work) == THUD_OK;
    }
    CHECK(made);
    return world;
}

static bool same_worlds(thud_world *a, thud_world *b)
{
    const thud_state *x = thud_world_state(a), *y = thud_world_state(b);
    size_t size = (size_t)x->dim * sizeof *x->q;
    return x->dim == y->dim && x->n == y->n && memcmp(x->q, y->q, size) == 0 &&
           memcmp(x->u, y->u, size) == 0;
}

typedef struct refusal
{
    thud_sphere ball;
    thud_overlap_rule rule;
    const char *with;
} refusal;

// What is refused leaves no trace: after it has gone the world goes on as one that never knew it.
static void refuse(const refusal *trial, thud_work *work)
{
    thud_world *world = quiet(work, 50), *twin = quiet(work, 50);
    thud_sphere ball = trial->ball;
    double q[12];
    memcpy(q, thud_world_bodies(world).q, sizeof q);
    if (ball.radius == 0.25)
        memcpy(ball.center, q, sizeof ball.center);
    CHECK(thud_world_add(world, &ball, 1, NULL) == THUD_OK);
    CHECK(thud_world_prepare(world, trial->rule, NULL) == THUD_ERR_OVERLAP);
    const char *message = thud_world_message(world);
    printf("  %s\n", message);
    CHECK(strstr(message, trial->with) && strstr(message, " 4"));
    CHECK(memcmp(thud_world_bodies(world).q, q, sizeof q) == 0);
    CHECK(memcmp(thud_world_bodies(world).q + 12, ball.center, sizeof ball.center) == 0);
    CHECK(thud_world_remove(world, (int[]){4}, 1) == THUD_OK);
    CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    for (int n = 0; n < 50; n++)
    {
        thud_inclusion problem = thud_world_inclusion(world), other = thud_world_inclusion(twin);
        CHECK(thud_step(&problem, thud_world_state(world), work) == THUD_OK);
        CHECK(thud_step(&other, thud_world_state(twin), work) == THUD_OK);
    }
    CHECK(same_worlds(world, twin));
    thud_world_destroy(world);
    thud_world_destroy(twin);
}

static void refused(void)
{
    static const refusal trials[] = {
        // between 1 and 2: it fits, with a tenth of sigma on either side
        {{{2.0000035, 0, 1}, {0}, 0.499996, 1}, THUD_REFUSE_OVERLAP, "of body 2"},
        {{{2, 0, 1}, {0}, 0.5, 1}, THUD_PROJECT_OVERLAP, "of body 1"},
        {{{0, 0.75, 1}, {0}, 0.5, 1}, THUD_REFUSE_OVERLAP, "of body 0"},
        {{{8, 0, 0.25}, {0}, 0.5, 1}, THUD_REFUSE_OVERLAP, "with wall 0"},
        {{{0, 0, 1}, {0}, 0.25, 1}, THUD_PROJECT_OVERLAP, "bodies 0 and 4"}, // the same centre
    };
    thud_work *work;
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        refuse(&trials[i], work);
    thud_work_destroy(work);
}

// A ball that touches others at rest makes room by itself, and no speed is left in any of them.
static void quiet_room(void)
{
    thud_work *work;
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    for (int rule = 0; rule < 2; rule++)
    {
        thud_world *world = quiet(work, 50);
        thud_sphere ball = {{0.5, sqrt(0.75) * (rule ? 0.5 : 1), 1}, {0}, 0.5, 1};
        double q[12];
        memcpy(q, thud_world_bodies(world).q, sizeof q);
        CHECK(thud_world_add(world, &ball, 1, NULL) == THUD_OK);
        thud_start start;
        CHECK(thud_world_prepare(world, (thud_overlap_rule)rule, &start) == THUD_OK);
        CHECK(memcmp(thud_world_bodies(world).q, q, sizeof q) == 0);
        CHECK(start.largest_shift > 0 && start.min_gap >= 1e-5 * (1 - 1e-9));
        printf("  made room by %.3g, smallest gap %.3g\n", start.largest_shift, start.min_gap);
        thud_inclusion problem = thud_world_inclusion(world);
        CHECK(thud_step(&problem, thud_world_state(world), work) == THUD_OK);
        thud_bodies bodies = thud_world_bodies(world);
        for (int k = 0; k < 15; k++)
            CHECK(bodies.u[k] == (k == 9 ? 0.25 : k == 11 ? 0.125 : 0));
        thud_world_destroy(world);
    }
    thud_work_destroy(work);
}

// A wall that comes moves nothing: it is refused where a body is closer than steps leave it.
static void walls(void)
{
    thud_work *work;
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    for (int k = 0; k < 2; k++)
    {
        thud_world *world = quiet(work, 50);
        double q[12], height = thud_world_bodies(world).q[2];
        memcpy(q, thud_world_bodies(world).q, sizeof q);
        // below, at 0.4 or 0.6 of sigma
        thud_wall_def wall = {.plane = {{0, 0, 1}, height - 0.5 - (k ? 0.6e-5 : 0.4e-5)}};
        CHECK(thud_world_add_wall(world, &wall, NULL) == THUD_OK);
        thud_status status = thud_world_prepare(world, THUD_PROJECT_OVERLAP, NULL);
        CHECK(status == (k ? THUD_OK : THUD_ERR_OVERLAP));
        CHECK(k || strstr(thud_world_message(world), "wall 1"));
        CHECK(memcmp(thud_world_bodies(world).q, q, sizeof q) == 0);
        thud_world_destroy(world);
    }
    thud_work_destroy(work);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"fed", fed}, {"refused", refused}, {"quiet-room", quiet_room}, {"walls", walls}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
