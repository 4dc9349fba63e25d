// Steps of random worlds: no bound that is claimed is false.
//
// Dimensions 2 and 3, 2 to 10 bodies of sizes up to 1 : 3000, in a box that may be periodic and
// sheared, with walls that move, bodies that grow, and every law of contacts, in first order too;
// three qualities, solved exactly or swept.
#include "hunt.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST_BODIES = 10,
    STEPS = 40
};

// A world being made up.
typedef struct draft
{
    test_random random;
    uint64_t seed;
    hunt_quality quality;
    bool swept;
    int count;
    thud_sphere spheres[MOST_BODIES];
    double side; // of the box
    thud_world_def def;
    thud_wall_def lid;
    double table[1]; // e or gamma_min
    double growth, shear, speed;
} draft;

static double uniform(draft *d, double low, double high)
{
    return test_random_uniform(&d->random, low, high);
}

static bool chance(draft *d, double part)
{
    return uniform(d, 0, 1) < part;
}

static int grow(double t, int count, const int *id, double *radius, void *user)
{
    const draft *d = user;
    for (int i = 0; i < count; i++)
        radius[i] = d->spheres[id[i]].radius * (1 + d->growth * t);
    return 0;
}

static int move_lid(double t, thud_plane *plane, void *user)
{
    const draft *d = user;
    *plane = (thud_plane){.normal = {0, -1, 0}, .offset = -d->side + d->speed * t};
    return 0;
}

static int shear(double t, double *shear, void *user)
{
    *shear = ((const draft *)user)->shear * t;
    return 0;
}

static int wish(double t, int count, const int *id, const double *q, double *force, void *user)
{
    const draft *d = user;
    (void)t;
    (void)id;
    for (int k = 0; k < d->def.dim * count; k++)
        force[k] += 0.3 * d->side - q[k];
    return 0;
}

static bool has_room(const draft *d, const thud_sphere *one)
{
    for (int i = 0; i < d->count; i++)
    {
        double square = 0;
        for (int k = 0; k < d->def.dim; k++)
            square += pow(one->center[k] - d->spheres[i].center[k], 2);
        if (sqrt(square) < one->radius + d->spheres[i].radius)
            return false;
    }
    return true;
}

static void scatter(draft *d)
{
    int wanted = test_random_int(&d->random, 2, MOST_BODIES), dim = d->def.dim;
    bool sizes = chance(d, 0.4);
    d->side = 3.2 * pow(wanted, 1.0 / dim);
    for (int tries = 0; tries < 4000 && d->count < wanted; tries++)
    {
        thud_sphere one = {.radius = sizes ? pow(10, uniform(d, -3.47, 0)) : uniform(d, .6, 1)};
        one.mass = pow(one.radius, dim) * (chance(d, 0.2) ? pow(10, uniform(d, -3, 3)) : 1);
        for (int k = 0; k < dim; k++)
        {
            one.center[k] = uniform(d, one.radius * 1.001, d->side - one.radius * 1.001);
            one.velocity[k] =
                d->def.order == THUD_FIRST_ORDER ? 0 : 3 * test_random_normal(&d->random);
        }
        if (has_room(d, &one))
            d->spheres[d->count++] = one;
    }
}

static void choose_law(draft *d)
{
    int law = test_random_int(&d->random, 0, 4);
    d->def.material_count = 1;
    if (law == 1 || law == 2)
        d->def.law = THUD_LAW_RESTITUTION;
    else if (law == 3)
        d->def.law = THUD_LAW_GLUE;
    else if (law == 4)
        d->def.order = THUD_FIRST_ORDER;
    d->def.numbers = d->table;
    d->table[0] = law == 3 ? (chance(d, 0.5) ? -INFINITY : -uniform(d, 0, 3)) : uniform(d, 0, 1);
    if (d->def.order == THUD_FIRST_ORDER)
    {
        d->def.force = wish;
        d->def.noise = chance(d, 0.5) ? 0.3 : 0;
        d->def.seed = d->seed;
    }
    else
        d->def.gravity[d->def.dim - 1] = -9.81;
}

static void choose(draft *d)
{
    d->def.user = d;
    d->def.dim = test_random_int(&d->random, 2, 3);
    d->def.h = pow(10, uniform(d, -3.5, -1.3));
    d->quality = (hunt_quality)test_random_int(&d->random, HUNT_PREVIEW, HUNT_STUDY);
    d->swept = chance(d, 0.35);
    d->def.tol = hunt_tol(d->quality);
    d->def.tol_a = hunt_tol_a(d->quality);
    choose_law(d);
    scatter(d);
    if (chance(d, 0.25))
    {
        d->def.cell.period[0] = d->side;
        if (chance(d, 0.4) && d->def.dim == 3)
        {
            d->def.cell.period[1] = d->side;
            d->def.cell.shear = shear;
            d->def.cell.user = d;
            d->shear = uniform(d, -1, 1);
        }
    }
    if (chance(d, 0.2))
    {
        d->def.radii = grow;
        d->growth = uniform(d, -0.2, 0.1);
    }
    d->speed = chance(d, 0.3) ? uniform(d, -0.3, 0.1) : 0;
}

static thud_status add_walls(draft *d, thud_world *world)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++)
    {
        bool closed = k < d->def.dim && d->def.cell.period[k] == 0;
        low[k] = closed ? 0 : -INFINITY;
        high[k] = closed && k != 1 ? d->side : INFINITY;
    }
    thud_status status = thud_world_add_box(world, low, high, NULL);
    if (status < 0 || d->def.cell.period[1] > 0)
        return status;
    d->lid = (thud_wall_def){.motion = move_lid, .user = d};
    return thud_world_add_wall(world, &d->lid, NULL);
}

// What glue projects: w + M^-1 G^T gamma, rounded once.
static void add_glue(const thud_report *report, const thud_state *before, const double *mass,
                     double *w)
{
    int dim = before->dim, count = thud_rows_count(report->rows);
    quad *push = calloc((size_t)dim, sizeof *push);
    if (!push)
        abort();
    for (int i = 0, m = 0; i < count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(report->rows, i, &room);
        int width = row.width > 1 ? row.width : 1;
        while (m < before->multiplier_count && thud_key_before(before->multipliers[m].key, row.key))
            m++;
        if (m == before->multiplier_count || !thud_key_same(before->multipliers[m].key, row.key))
            continue;
        for (int e = 0; e < row.count * width; e++)
            push[row.index[e / width] + e % width] +=
                (quad)row.slope[e] * before->multipliers[m].memory;
    }
    for (int k = 0; k < dim; k++)
        w[k] = (double)(report->w[k] + push[k] / mass[k]);
    free(push);
}

// The projections of a step that was taken from `before`.
static void judge_step(draft *d, const thud_inclusion *posed, const thud_report *report,
                       const thud_state *before, double *w, hunt *h)
{
    thud_projection projection = {.dim = posed->dim,
                                  .h = before->h,
                                  .mass = posed->mass,
                                  .w = w,
                                  .rows = report->rows,
                                  .origin = before->q,
                                  .shift_scale = report->shift_scale};
    memcpy(w, report->w, (size_t)posed->dim * sizeof *w);
    if (posed->law == THUD_LAW_GLUE)
        add_glue(report, before, posed->mass, w);
    CHECK(memcmp(w, report->target, (size_t)posed->dim * sizeof *w) == 0);
    bool swept = d->swept || (posed->law == THUD_LAW_GLUE && report->answer.effort.sweeps > 0);
    hunt_judge(h, d->quality, &projection, swept, &report->answer, d->seed);
    if (!report->impact_rows)
        return;
    projection.rows = report->impact_rows;
    projection.shift_scale = report->impact_scale;
    hunt_judge(h, d->quality, &projection, d->swept, &report->impact, d->seed);
}

static int take_steps(draft *d, thud_world *world, hunt *h)
{
    thud_work_def def = thud_world_work(world);
    thud_inclusion posed = thud_world_inclusion(world);
    thud_state *state = thud_world_state(world), *before = NULL;
    thud_work *work = NULL;
    double w[3 * MOST_BODIES];
    int taken = 0;
    def.projector.method = d->swept ? THUD_METHOD_AGS : THUD_METHOD_AUTO;
    CHECK(thud_work_create(&def, &work) == THUD_OK);
    CHECK(thud_state_create(&(thud_state_def){.dim = posed.dim, .h = state->h, .q = state->q},
                            &before) == THUD_OK);
    for (int n = 0; n < STEPS; n++)
    {
        CHECK(thud_state_copy(before, state) == THUD_OK);
        if (thud_step(&posed, state, work) < 0)
        {
            h->others++;
            break;
        }
        const thud_report *report = thud_work_report(work);
        if (thud_rows_count(report->rows) == 0)
            continue;
        judge_step(d, &posed, report, before, w, h);
        taken++;
    }
    thud_state_destroy(before);
    thud_work_destroy(work);
    return taken;
}

// Steps with rows that were judged.
static int hunt_one(uint64_t seed, hunt *h)
{
    draft *d = calloc(1, sizeof *d);
    thud_world *world = NULL;
    int taken = 0;
    if (!d)
        abort();
    d->seed = seed;
    d->random = test_random_start(seed);
    choose(d);
    CHECK(thud_world_create(&d->def, &world) == THUD_OK);
    if (add_walls(d, world) >= 0 && thud_world_add(world, d->spheres, d->count, NULL) >= 0 &&
        thud_world_prepare(world, THUD_PROJECT_OVERLAP, &(thud_start){0}) >= 0)
        taken = take_steps(d, world, h);
    else
        h->others++;
    thud_world_destroy(world);
    free(d);
    return taken;
}

static void hunt_many(uint64_t first, int count)
{
    hunt h = {0};
    int taken = 0;
    uint64_t seed = first;
    while (taken < count && test_failures() < 20)
        taken += hunt_one(seed++, &h);
    printf("  %d steps with rows, of %llu worlds from seed %llu on\n", taken,
           (unsigned long long)(seed - first), (unsigned long long)first);
    hunt_report(&h);
}

static void slice(void)
{
    hunt_many(test_seed(3000000), HUNT_SLICE);
}

static void campaign(void)
{
    hunt_many(test_seed(4000000), 40000);
}

// One world alone: THUD_SEED=... test_enclosure_worlds one
static void one(void)
{
    hunt_many(test_seed(1), 1);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {{"slice", slice}, {"campaign", campaign}, {"one", one}};
    return test_main(argc, argv, cases, 3);
}
