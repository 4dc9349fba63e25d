// Chains of bodies on a line against isotonic regression, over one step and many.
//
// Body i keeps x_i+1 - x_i >= r_i + r_i+1 + sigma. With y_i = x_i less the sum of those distances
// the admissible y are the increasing ones, and while contacts never reopen the scheme stays on
// q^n = P_Q( q^0 + n h u^0 + n (n+1) h^2 / 2 a ): pool adjacent violators, weights m.
#include "thud/thud.h"
#include "thud_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct chain
{
    int dim, count;
    double tol, h, pull;       // pull: acceleration along the line
    bool floor;                // a wall that body 0 meets first
    double spread;             // largest distance between neighbours beyond contact
    double drift, sink, noise; // velocity: drift - sink i / count + noise
    thud_method method;
    uint64_t seed;
} chain;

typedef struct bodies
{
    double *x, *u, *m, *r, *offset, *fit; // offset: where body i is in the closed chain
    double *pool_value, *pool_weight;
    int *pool_size;
} bodies;

static bool bodies_make(int n, bodies *b)
{
    double *room = calloc(8 * (size_t)n, sizeof *room);
    *b = (bodies){.x = room,
                  .u = room + n,
                  .m = room + 2 * n,
                  .r = room + 3 * n,
                  .offset = room + 4 * n,
                  .fit = room + 5 * n,
                  .pool_value = room + 6 * n,
                  .pool_weight = room + 7 * n,
                  .pool_size = calloc((size_t)n, sizeof *b->pool_size)};
    return room && b->pool_size;
}

static void bodies_free(bodies *b)
{
    free(b->x);
    free(b->pool_size);
}

// Nearly touching: no gap is below sigma, so that the start need not be opened.
static void draw(const chain *c, bodies *b)
{
    test_random random = test_random_start(test_seed(c->seed));
    for (int i = 0; i < c->count; i++)
    {
        b->r[i] = test_random_uniform(&random, 0.8, 1);
        b->m[i] = test_random_uniform(&random, 0.5, 2);
        b->u[i] = c->drift - c->sink * i / c->count + c->noise * test_random_normal(&random);
        double sigma = 2 * c->tol * (i > 0 ? fmin(b->r[i - 1], b->r[i]) : b->r[i]);
        double contact = sigma + b->r[i] + (i > 0 ? b->r[i - 1] : 0);
        double open = c->spread * test_random_uniform(&random, 0, 1) + 1e-3 * sigma;
        b->offset[i] = (i > 0 ? b->offset[i - 1] : 0) + contact;
        b->x[i] = (i > 0 ? b->x[i - 1] : 0) + contact + open;
    }
}

// The regression of `fit` by pools, in place.
static void regress(bodies *b, int n, bool floor)
{
    int pools = 0;
    for (int i = 0; i < n; i++)
    {
        b->pool_value[pools] = b->fit[i];
        b->pool_weight[pools] = b->m[i];
        b->pool_size[pools++] = 1;
        while (pools > 1 && b->pool_value[pools - 2] > b->pool_value[pools - 1])
        {
            double w0 = b->pool_weight[pools - 2], w1 = b->pool_weight[pools - 1];
            double step = b->pool_value[pools - 1] - b->pool_value[pools - 2];
            b->pool_value[pools - 2] += step * (w1 / (w0 + w1));
            b->pool_weight[pools - 2] = w0 + w1;
            b->pool_size[pools - 2] += b->pool_size[pools - 1];
            pools--;
        }
    }
    for (int p = 0, i = 0; p < pools; p++)
        for (int k = 0; k < b->pool_size[p]; k++)
            b->fit[i++] = floor ? fmax(b->pool_value[p], 0) : b->pool_value[p];
}

static void predict(const chain *c, bodies *b, int n)
{
    double time = n * c->h, way = c->pull * c->h * c->h * n * (n + 1) / 2;
    for (int i = 0; i < c->count; i++)
        b->fit[i] = b->x[i] - b->offset[i] + time * b->u[i] + way;
    regress(b, c->count, c->floor);
}

static thud_status make_world(const chain *c, const bodies *b, thud_world **world)
{
    thud_world_def def = {.dim = c->dim, .h = c->h, .gravity = {c->pull}, .tol = c->tol};
    thud_wall_def floor = {.plane = {{1, 0, 0}, 0}};
    thud_status status = thud_world_create(&def, world);
    if (c->floor && status >= 0)
        status = thud_world_add_wall(*world, &floor, NULL);
    thud_sphere *spheres = calloc((size_t)c->count, sizeof *spheres);
    for (int i = 0; i < c->count && spheres; i++)
        spheres[i] = (thud_sphere){{b->x[i]}, {b->u[i]}, b->r[i], b->m[i]};
    if (status >= 0)
        status = spheres ? thud_world_add(*world, spheres, c->count, NULL) : THUD_ERR_MEMORY;
    free(spheres);
    return status < 0 ? status : thud_world_prepare(*world, THUD_REFUSE_OVERLAP, NULL);
}

typedef struct outcome
{
    double error, momentum, beside; // beside: motion across the line
    long sweeps;
    int contacts, rounds; // rounds: most projections of one step
} outcome;

static void compare(const chain *c, bodies *b, const thud_state *state, int n, outcome *out)
{
    double now = 0, start = 0, scale = 0;
    predict(c, b, n);
    for (int i = 0; i < c->count; i++)
    {
        double x = state->q[c->dim * i];
        out->error = fmax(out->error, fabs(x - b->offset[i] - b->fit[i]));
        for (int k = 1; k < c->dim; k++)
            out->beside = fmax(out->beside, fabs(state->q[c->dim * i + k]));
        now += b->m[i] * state->u[c->dim * i];
        start += b->m[i] * (b->u[i] + n * c->h * c->pull);
        scale += b->m[i] * (fabs(b->u[i]) + n * c->h * fabs(c->pull));
    }
    if (!c->floor)
        out->momentum = fmax(out->momentum, fabs(now - start) / scale);
}

static void advance(const chain *c, bodies *b, thud_world *world, int steps, outcome *out)
{
    thud_work_def def = thud_world_work(world);
    thud_inclusion problem = thud_world_inclusion(world);
    thud_work *work = NULL;
    def.projector.method = c->method;
    REQUIRE(thud_work_create(&def, &work) >= 0);
    for (int n = 1; n <= steps && test_failures() == 0; n++)
    {
        thud_status status = thud_step(&problem, thud_world_state(world), work);
        if (status < 0)
            printf("step %d: %s\n", n, thud_work_message(work));
        CHECK(status >= 0);
        const thud_report *report = thud_work_report(work);
        CHECK(report->min_gap > 0);
        out->sweeps += report->effort.sweeps;
        if (report->rounds > out->rounds)
            out->rounds = report->rounds;
        out->contacts = thud_world_state(world)->multiplier_count;
        compare(c, b, thud_world_state(world), n, out);
    }
    thud_work_destroy(work);
}

static outcome run(const chain *c, int steps)
{
    bodies b;
    outcome out = {0};
    thud_world *world = NULL;
    bool made = bodies_make(c->count, &b);
    CHECK(made);
    if (made)
    {
        draw(c, &b);
        thud_status status = make_world(c, &b, &world);
        CHECK(status >= 0);
        if (status >= 0)
            advance(c, &b, world, steps, &out);
    }
    printf("%d bodies, %d steps: error %.2e (N tol r %.2e), momentum %.1e, %ld sweeps, "
           "%d contacts, %d rounds at most\n",
           c->count, steps, out.error, c->count * c->tol, out.momentum, out.sweeps, out.contacts,
           out.rounds);
    CHECK_AT_MOST(out.momentum, 1e-14);
    CHECK_AT_MOST(out.beside, 0);
    CHECK_AT_MOST(out.rounds, 20);
    thud_world_destroy(world);
    bodies_free(&b);
    return out;
}

static const chain rows_of_many = {.dim = 2,
                                   .count = 10000,
                                   .tol = 1e-5,
                                   .h = 0.1,
                                   .noise = 1,
                                   .method = THUD_METHOD_AGS,
                                   .seed = 1};

static void one_step(void)
{
    chain c = rows_of_many;
    outcome out = run(&c, 1);
    CHECK_AT_MOST(out.error, c.count * c.tol);
    c.dim = 3;
    c.pull = -1;
    out = run(&c, 1);
    CHECK_AT_MOST(out.error, c.count * c.tol);
}

static void many_steps(void)
{
    chain c = rows_of_many;
    outcome out = run(&c, 20);
    CHECK_AT_MOST(out.error, c.count * c.tol);
    c.spread = 0.5;
    c.sink = 1;
    out = run(&c, 20);
    CHECK_AT_MOST(out.error, c.count * c.tol);
}

static void exact(void)
{
    chain c = rows_of_many;
    c.count = 1000;
    c.method = THUD_METHOD_ACTIVE_SET;
    CHECK_AT_MOST(run(&c, 1).error, 1e-10);
    c.spread = 0.5;
    c.sink = 2;
    CHECK_AT_MOST(run(&c, 10).error, 1e-10);
}

static void exact_on_a_floor(void)
{
    chain c = rows_of_many;
    c.dim = 3;
    c.count = 100;
    c.method = THUD_METHOD_ACTIVE_SET;
    c.spread = 0.3;
    c.pull = -1;
    c.floor = true;
    CHECK_AT_MOST(run(&c, 150).error, 1e-10);
}

// Bodies that touch exactly must be opened by sigma each, the ends by N sigma / 2.
static void opened_start(void)
{
    enum
    {
        COUNT = 10000
    };
    thud_world *world = NULL;
    thud_world_def def = {.dim = 2, .h = 0.1, .tol = 1e-5};
    thud_start start = {0};
    static thud_sphere spheres[COUNT];
    for (int i = 0; i < COUNT; i++)
        spheres[i] = (thud_sphere){{2 * i}, {0}, 1, 1};
    REQUIRE(thud_world_create(&def, &world) >= 0);
    CHECK(thud_world_add(world, spheres, COUNT, NULL) >= 0);
    thud_status status = thud_world_prepare(world, THUD_REFUSE_OVERLAP, &start);
    printf("%d bodies that touch: %s, min gap %.3e, largest shift %.3e\n", COUNT,
           status < 0 ? thud_world_message(world) : "opened", start.min_gap, start.largest_shift);
    CHECK(status >= 0);
    CHECK(start.min_gap >= 2e-5 * (1 - 1e-9));
    thud_world_destroy(world);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        {"one-step", one_step},
        {"many-steps", many_steps},
        {"exact", exact},
        {"exact-on-a-floor", exact_on_a_floor},
        {"opened-start", opened_start},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
