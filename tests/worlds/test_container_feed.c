// A hopper that is kept full: disks that have left are put back on top of the heap. What leaves per
// second is then constant; without friction it is the head above the outlet that sets the rate, and
// here the head stays.
#include "thud/spheres.h"
#include "thud_test.h"

#include <math.h>
#include <string.h>

enum
{
    COLUMNS = 18,
    WINDOWS = 5,
    OF_WINDOW = 240 // disks that leave
};

static const double STEP = 0.002, RADIUS = 0.0045, HALF_WIDTH = 0.1;

typedef struct feed
{
    thud_world *world;
    thud_work *work;
    thud_inclusion problem;
    int count, out; // out: disks that have left so far
} feed;

static double column_at(int column)
{
    return -0.09 + 0.0105 * column;
}

static void add_walls(feed *f, double outlet)
{
    const double lines[18] = {-outlet, 0, 0, -HALF_WIDTH, 0.09, 0, -HALF_WIDTH, 0.09, 0,
                              outlet,  0, 0, HALF_WIDTH,  0.09, 0, HALF_WIDTH,  0.09, 0};
    thud_obstacle_def hopper = {
        .solid = {.kind = THUD_MESH, .triangles = lines, .triangle_count = 2}};
    const double low[3] = {-HALF_WIDTH, -INFINITY, -INFINITY},
                 high[3] = {HALF_WIDTH, INFINITY, INFINITY};
    REQUIRE(thud_world_add_obstacle(f->world, &hopper, NULL) == THUD_OK);
    REQUIRE(thud_world_add_box(f->world, low, high, NULL) == THUD_OK);
}

static void prepare(feed *f)
{
    REQUIRE(thud_world_prepare(f->world, THUD_REFUSE_OVERLAP, NULL) >= 0);
    f->problem = thud_world_inclusion(f->world);
}

static void open_feed(feed *f, double outlet, int rows, test_random *random)
{
    thud_world_def def = {.dim = 2, .h = STEP, .gravity = {0, -9.81}, .tol = 1e-3, .tol_a = 3e-2};
    *f = (feed){.count = COLUMNS * rows};
    REQUIRE(thud_world_create(&def, &f->world) == THUD_OK);
    add_walls(f, outlet);
    for (int i = 0; i < f->count; i++)
    {
        double r = RADIUS * test_random_uniform(random, 0.9, 1.1);
        thud_sphere disk = {
            .center = {column_at(i % COLUMNS), 0.1 + 0.0105 * floor((double)i / COLUMNS)},
            .radius = r,
            .mass = r * r};
        REQUIRE(thud_world_add(f->world, &disk, 1, NULL) == THUD_OK);
    }
    prepare(f);
    thud_work_def work = thud_world_work(f->world);
    REQUIRE(thud_work_create(&work, &f->work) == THUD_OK);
}

// How high disks reach that are in the way of one above a column.
static void find_tops(const feed *f, double tops[COLUMNS])
{
    thud_bodies bodies = thud_world_bodies(f->world);
    for (int c = 0; c < COLUMNS; c++)
        tops[c] = 0.1;
    for (int i = 0; i < bodies.count; i++)
        for (int c = 0; c < COLUMNS; c++)
            if (fabs(bodies.q[2 * i] - column_at(c)) < 2.3 * RADIUS)
                tops[c] = fmax(tops[c], bodies.q[2 * i + 1]);
}

// Put a disk back where the heap is lowest, at rest.
static void put_on_top(feed *f, const thud_bodies *bodies, int i)
{
    double tops[COLUMNS];
    int lowest = 0;
    find_tops(f, tops);
    for (int c = 1; c < COLUMNS; c++)
        lowest = tops[c] < tops[lowest] ? c : lowest;
    thud_sphere disk = {.center = {column_at(lowest), tops[lowest] + 2.3 * RADIUS},
                        .radius = bodies->radius[i],
                        .mass = bodies->mass[2 * i]};
    REQUIRE(thud_world_set(f->world, bodies->id[i], &disk) == THUD_OK);
    f->out++;
}

// Put back what is well below the outlet.
static void put_back(feed *f)
{
    thud_bodies bodies = thud_world_bodies(f->world);
    int before = f->out;
    for (int i = 0; i < bodies.count; i++)
        if (bodies.q[2 * i + 1] < -0.03)
        {
            put_on_top(f, &bodies, i);
            bodies = thud_world_bodies(f->world);
        }
    if (f->out > before)
        prepare(f);
}

// The rates of windows of OF_WINDOW disks, after as many that are not looked at.
static void measure(feed *f, double rates[WINDOWS])
{
    double begun = 0, t = 0, gap = INFINITY;
    for (int window = 0, n = 1; window <= WINDOWS && t < 60 && test_failures() == 0; n++)
    {
        CHECK(thud_step(&f->problem, thud_world_state(f->world), f->work) >= 0);
        gap = fmin(gap, thud_work_report(f->work)->min_gap);
        t += STEP;
        put_back(f);
        if (f->out < (window + 1) * OF_WINDOW)
            continue;
        if (window > 0)
            rates[window - 1] = OF_WINDOW / (t - begun);
        begun = t;
        window++;
    }
    CHECK(gap > 0);
}

// most: how far a window may be from their mean. Narrow outlets let disks through by fits and
// starts.
static double rate_of(double outlet, int rows, double most, test_random *random)
{
    feed f;
    double rates[WINDOWS] = {0}, mean = 0;
    open_feed(&f, outlet, rows, random);
    measure(&f, rates);
    printf("half width %g, disks per second:", outlet);
    for (int i = 0; i < WINDOWS; i++)
    {
        printf(" %.0f", rates[i]);
        mean += rates[i] / WINDOWS;
    }
    printf("\n");
    for (int i = 0; i < WINDOWS; i++)
        CHECK(fabs(rates[i] / mean - 1) <= most);
    thud_work_destroy(f.work);
    thud_world_destroy(f.world);
    return mean;
}

static void constant(void)
{
    test_random random = test_random_start(20261116);
    (void)rate_of(0.03, 40, 0.05, &random);
}

// As in Beverloo's law, like (D - d)^(3/2).
static void outlets(void)
{
    static const double half_widths[] = {0.02, 0.03, 0.045};
    test_random random = test_random_start(20261117);
    double law[3], mean = 0;
    for (int i = 0; i < 3; i++)
    {
        law[i] =
            rate_of(half_widths[i], 40, 0.1, &random) / pow(2 * (half_widths[i] - RADIUS), 1.5);
        mean += law[i] / 3;
    }
    for (int i = 0; i < 3; i++)
        CHECK(fabs(law[i] / mean - 1) < 0.1);
    printf("rate over (D - d)^1.5: %.3g, %.3g, %.3g\n", law[0], law[1], law[2]);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"constant", constant}, {"outlets", outlets}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
