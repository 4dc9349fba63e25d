// Chains on a line: columns at rest and falling, and hundreds of bodies against isotonic
// regression.
#include "catalogue.h"

#include <stdarg.h>

enum
{
    COLUMN = 10,
    LONGEST = 500,
    LAUNCH_TEXT = 300 * LONGEST
};

/// Bodies on a line in a uniform field. Constraint k is body k's contact with what is below it.
typedef struct cat_chain
{
    int count;
    double mass[LONGEST];
    double above[LONGEST]; ///< least height of body k when all touch: the diameters below it
    double fall;           ///< acceleration, downwards
    bool floor;
} cat_chain;

static int chain_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const cat_chain *chain = user;
    for (int k = chain->floor ? 0 : 1; k < chain->count; k++)
    {
        int index[2] = {k, k - 1};
        double slope[2] = {1, -1}, gap = at->q[k] - chain->above[k];
        if (k > 0)
            gap = at->q[k] - at->q[k - 1] - (chain->above[k] - chain->above[k - 1]);
        thud_rows_push(rows, &(thud_row){.key = thud_key_number(k),
                                         .gap = gap,
                                         .count = k > 0 ? 2 : 1,
                                         .index = index,
                                         .slope = slope});
    }
    return 0;
}

static int chain_force(double t, const double *q, double *f, void *user)
{
    const cat_chain *chain = user;
    (void)t, (void)q;
    for (int k = 0; k < chain->count; k++)
        f[k] = -chain->fall * chain->mass[k];
    return 0;
}

static thud_inclusion chain_problem(cat_chain *chain)
{
    static const thud_smoothness fixed = {0};
    return (thud_inclusion){.dim = chain->count,
                            .mass = chain->mass,
                            .force = chain_force,
                            .force_is_steady = true,
                            .gaps = chain_gaps,
                            .smooth = &fixed,
                            .user = chain};
}

/// Ten balls of radius 1/2 and masses 1, 1.1, ..., 1.9, the lowest resting at 1/2.
static cat_chain column(double fall)
{
    cat_chain chain = {.count = COLUMN, .fall = fall, .floor = true};
    for (int k = 0; k < COLUMN; k++)
    {
        chain.mass[k] = 1 + .1 * k;
        chain.above[k] = .5 + k;
    }
    return chain;
}

/// What contact k carries at rest: the weight of body k and of all above it.
static double weight_on(const cat_chain *chain, int k)
{
    double sum = 0;
    for (int i = chain->count - 1; i >= k; i--)
        sum += chain->mass[i];
    return chain->fall * sum;
}

// --- a column at rest, and one that falls as a block ---------------------------------------

static const double column_fall = 2, column_height = 1;

/// The block falls from height h0: it lands at sqrt(2 h0 / G) and rests; contact k then carries the
/// weight above it, and its atom is that weight times the time of the fall.
static void exact_column(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    const cat_chain *chain = scene->problem.user;
    bool falls = scene->event_count > 0 && t < scene->events[0];
    for (int k = 0; k < COLUMN; k++)
    {
        u[k] = falls ? -column_fall * t : 0;
        q[k] = chain->above[k] + (falls ? column_height - column_fall * t * t / 2 : 0);
        mass[k] = falls ? 0 : weight_on(chain, k) * t;
    }
}

static cat_scene column_scene(cat_chain *chain, double height)
{
    cat_scene scene = {
        .problem = chain_problem(chain), .rows = COLUMN, .end = 1.7, .exact = exact_column};
    for (int k = 0; k < COLUMN; k++)
        scene.q[k] = chain->above[k] + height;
    return scene;
}

static void column_at_rest(const cat_trial_step *step, void *user)
{
    const cat_chain *chain = user;
    for (int k = 0; k < COLUMN; k++)
    {
        double weight = weight_on(chain, k);
        CHECK_NEAR(trial_impulse(step, k) / step->h, weight, 1e-14 * weight);
        CHECK(step->after->q[k] == chain->above[k]); // frozen, not nearly
    }
}

void case_V19a(void)
{
    cat_chain chain = column(column_fall);
    cat_scene scene = column_scene(&chain, 0);
    scene.name = "V19a";
    scene.end = 1;
    scene_table(&scene, column_at_rest, &chain);
}

void case_V19b(void)
{
    cat_chain chain = column(column_fall);
    cat_scene scene = column_scene(&chain, column_height);
    scene.name = "V19b";
    scene.events[scene.event_count++] = sqrt(2 * column_height / column_fall);
    scene.c_u = 6.9;
    scene.c_q = 3.15;
    scene.c_mass = 14.5;
    scene_table(&scene, NULL, NULL);
}

// --- isotonic regression -------------------------------------------------------------------

/// Replace x by the nearest increasing sequence in the metric of the masses, and with a floor by
/// the nearest one that is not negative: pool adjacent violators.
static void pool(const cat_chain *chain, double *x)
{
    double mean[LONGEST], mass[LONGEST];
    int size[LONGEST], blocks = 0;
    for (int k = 0; k < chain->count; k++)
    {
        mean[blocks] = x[k];
        mass[blocks] = chain->mass[k];
        size[blocks++] = 1;
        for (; blocks > 1 && mean[blocks - 2] > mean[blocks - 1]; blocks--)
        {
            int b = blocks - 2;
            double sum = mass[b] + mass[b + 1];
            mean[b] += mass[b + 1] / sum * (mean[b + 1] - mean[b]);
            mass[b] = sum;
            size[b] += size[b + 1];
        }
    }
    for (int b = 0, k = 0; b < blocks; b++)
        for (int end = k + size[b]; k < end; k++)
            x[k] = chain->floor ? fmax(mean[b], 0) : mean[b];
}

/// A chain that has been thrown, and how far its nodes are from two exact references.
typedef struct cat_launch
{
    cat_chain chain;
    double q[LONGEST], u[LONGEST];
    double discrete; ///< largest distance from the projected discrete flight, relative
    double late;     ///< largest distance from the projected true flight over G h t / 2
} cat_launch;

/// The positions that the projection of free flight gives: the discrete one, in which bodies have
/// fallen G t (t + h) / 2, or the true one with h = 0. Contacts that never reopen have impulses
/// that add up to a normal at the present position, whence the exactness.
static void projected_flight(const cat_launch *launch, double t, double h, double *x)
{
    const cat_chain *chain = &launch->chain;
    for (int k = 0; k < chain->count; k++)
        x[k] = launch->q[k] - chain->above[k] + t * launch->u[k] - chain->fall * t * (t + h) / 2;
    pool(chain, x);
    for (int k = 0; k < chain->count; k++)
        x[k] += chain->above[k];
}

static double largest_difference(const double *a, const double *b, int n, double *size)
{
    double worst = 0;
    for (int k = 0; k < n; k++)
    {
        worst = fmax(worst, fabs(a[k] - b[k]));
        *size = fmax(*size, fabs(b[k]));
    }
    return worst;
}

static void look_at_chain(const cat_trial_step *step, void *user)
{
    cat_launch *launch = user;
    double x[LONGEST], size = 0, t = thud_state_time(step->after);
    int count = launch->chain.count;
    projected_flight(launch, t, step->h, x);
    double error = largest_difference(step->after->q, x, count, &size);
    launch->discrete = fmax(launch->discrete, error / size);
    projected_flight(launch, t, 0, x);
    error = largest_difference(step->after->q, x, count, &size);
    launch->late = fmax(launch->late, error / (fabs(launch->chain.fall) * step->h * t / 2));
}

/// At the end everything lies on the floor and contact k carries the weight above it.
static void look_at_end(const cat_trial_step *step, void *user)
{
    const cat_chain *chain = &((cat_launch *)user)->chain;
    look_at_chain(step, user);
    if (thud_state_time(step->after) < 3.4)
        return;
    for (int k = 0; k < chain->count; k++)
    {
        double weight = weight_on(chain, k);
        CHECK_NEAR(trial_impulse(step, k) / step->h, weight, 1e-11 * weight);
    }
}

static cat_trial launch_trial(cat_launch *launch, double end, int steps, look_fn *look)
{
    return (cat_trial){.problem = chain_problem(&launch->chain),
                       .q = launch->q,
                       .u = launch->u,
                       .h = end / steps,
                       .steps = steps,
                       .look = look,
                       .user = launch};
}

/// A column with gaps falls on the floor. Pooling and cutting at 0 are monotone and commute with
/// shifts, so they do not enlarge distances in the largest norm: as the discrete flight is below
/// the true one by G h t / 2, no node can be further off than that. The bound is C = G T / 2.
void case_V19d(void)
{
    static const int steps[] = {61, 64, 97, 128, 201, 333, 512};
    static cat_launch launch;
    const double end = 3.5;
    printf("   N  from the discrete reference  nodes off the continuous one / (G h t / 2)\n");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    {
        launch.chain = column(1.5);
        launch.discrete = launch.late = 0;
        for (int k = 0; k < COLUMN; k++)
        {
            launch.q[k] = launch.chain.above[k] + .3 + .21 * k;
            launch.u[k] = k % 3 == 0 ? .4 : -.15 * k;
        }
        cat_trial trial = launch_trial(&launch, end, steps[i], look_at_end);
        trial.file = "V19d";
        CHECK(trial_run(&trial, NULL) == steps[i]);
        printf("%4d  %.2e  %.6f\n", steps[i], launch.discrete, launch.late);
        CHECK_AT_MOST(launch.discrete, 1e-12);
        CHECK_AT_MOST(launch.late, 1 + 1e-9);
    }
}

/// 500 bodies with masses over three decades, gaps of which some are 0, and random velocities.
static void random_launch(cat_launch *launch, test_random *random, bool floor)
{
    double height = 0;
    *launch = (cat_launch){.chain = {.count = LONGEST, .floor = floor}};
    launch->chain.fall = floor ? 1.3 : test_random_uniform(random, -1, 1);
    for (int k = 0; k < LONGEST; k++)
    {
        double gap = test_random_int(random, 0, 4) == 0 ? 0 : test_random_uniform(random, 0, .02);
        launch->chain.mass[k] = pow(10, test_random_uniform(random, -1.5, 1.5));
        launch->chain.above[k] = height;
        launch->q[k] = (k > 0 ? launch->q[k - 1] + height - launch->chain.above[k - 1] : 0) + gap;
        launch->u[k] = .3 * test_random_normal(random);
        height += test_random_uniform(random, .01, .05);
    }
}

typedef struct cat_text
{
    char bytes[LAUNCH_TEXT];
    size_t length;
} cat_text;

__attribute__((format(printf, 2, 3))) static void add_text(cat_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length,
                                      format, arguments);
    va_end(arguments);
}

/// The launch as a scene: coordinates z0, z1 ..., contacts c0, c1 ...
static void write_launch(const cat_launch *launch, cat_text *text)
{
    const cat_chain *chain = &launch->chain;
    text->length = 0;
    add_text(text, "thud: 1\nkind: inclusion\ntime: {step: 1, end: 1}\ncoordinates:\n");
    for (int k = 0; k < chain->count; k++)
        add_text(text, "  z%d: {start: %.17g, velocity: %.17g, mass: %.17g}\n", k, launch->q[k],
                 launch->u[k], chain->mass[k]);
    add_text(text, "force:\n");
    for (int k = 0; k < chain->count; k++)
        add_text(text, "  z%d: %.17g\n", k, -chain->fall * chain->mass[k]);
    add_text(text, "constraints:\n");
    if (chain->floor)
        add_text(text, "  c0: z0 - %.17g\n", chain->above[0]);
    for (int k = 1; k < chain->count; k++)
        add_text(text, "  c%d: z%d - z%d - %.17g\n", k, k, k - 1,
                 chain->above[k] - chain->above[k - 1]);
}

void case_P2(void)
{
    static cat_launch launch;
    static cat_text text;
    uint64_t seed = test_seed(20100);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < 4; round++)
    {
        bool floor = round % 2 == 1;
        random_launch(&launch, &random, floor);
        cat_trial trial = launch_trial(&launch, 1.1, 31 + 6 * round, look_at_chain);
        write_launch(&launch, &text);
        REQUIRE(text.length < sizeof text.bytes);
        trial.text = text.bytes;
        CHECK(trial_run(&trial, NULL) == trial.steps);
        printf("%d bodies, %s, %d steps: nodes off the projected flight by %.2e, relative\n",
               LONGEST, floor ? "floor" : "no floor", trial.steps, launch.discrete);
        CHECK_AT_MOST(launch.discrete, 1e-11);
    }
}
