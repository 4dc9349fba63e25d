// The brute-force judge of a world of spheres.
#include "sphere_rig.h"

#include "sphere_rig_laws.h"

#include <stdlib.h>
#include <string.h>

bool rig_open(sphere_rig *rig, const thud_world_def *def)
{
    *rig = (sphere_rig){.def = *def, .min_gap = INFINITY, .cutoff = INFINITY};
    rig->def.dim = def->dim ? def->dim : 3;
    rig->def.tol = def->tol > 0 ? def->tol : 1e-5;
    rig->def.tol_a = def->tol_a > 0 ? def->tol_a : 1e-3;
    thud_status status = thud_world_create(def, &rig->world);
    CHECK(status == THUD_OK);
    return status == THUD_OK;
}

void rig_close(sphere_rig *rig)
{
    thud_work_destroy(rig->work);
    thud_state_destroy(rig->before);
    thud_world_destroy(rig->world);
}

void rig_wall(sphere_rig *rig, const thud_wall_def *def)
{
    int wall = -1;
    REQUIRE(rig->wall_count < RIG_WALLS);
    CHECK(thud_world_add_wall(rig->world, def, &wall) == THUD_OK);
    CHECK(wall == rig->wall_count);
    rig->walls[rig->wall_count++] = *def;
}

void rig_plane(sphere_rig *rig, double nx, double ny, double nz, double offset)
{
    rig_wall(rig, &(thud_wall_def){.plane = {{nx, ny, nz}, offset}});
}

void rig_box(sphere_rig *rig, double low, double high, double height)
{
    double lows[3] = {low, low, low}, highs[3] = {high, high, high};
    int first = -1, up = rig->def.dim - 1;
    lows[up] = 0;
    highs[up] = height;
    CHECK(thud_world_add_box(rig->world, lows, highs, &first) == THUD_OK);
    CHECK(first == rig->wall_count);
    for (int k = 0; k < rig->def.dim; k++)
        for (int side = 0; side < 2; side++)
        {
            double at = side ? highs[k] : lows[k];
            if (!isfinite(at))
                continue;
            thud_wall_def wall = {.plane.offset = side ? -at : at};
            wall.plane.normal[k] = side ? -1 : 1;
            rig->walls[rig->wall_count++] = wall;
        }
}

thud_status rig_prepare(sphere_rig *rig, thud_overlap_rule rule, thud_start *start)
{
    thud_status status = thud_world_prepare(rig->world, rule, start);
    if (status < 0)
        return status;
    const thud_state *state = thud_world_state(rig->world);
    thud_state_destroy(rig->before);
    rig->before = NULL;
    thud_state_def def = {.dim = state->dim, .h = state->h, .q = state->q};
    CHECK(thud_state_create(&def, &rig->before) == THUD_OK);
    thud_work_def work = thud_world_work(rig->world);
    work.projector.sweep_limit = rig->sweep_limit;
    if (!rig->work)
        CHECK(thud_work_create(&work, &rig->work) == THUD_OK);
    return status;
}

bool rig_same_state(const thud_state *a, const thud_state *b)
{
    size_t size = (size_t)a->dim * sizeof(double);
    size_t list = (size_t)a->multiplier_count * sizeof *a->multipliers;
    return a->dim == b->dim && a->n == b->n && a->t0 == b->t0 && a->h == b->h &&
           memcmp(a->q, b->q, size) == 0 && memcmp(a->u, b->u, size) == 0 &&
           a->multiplier_count == b->multiplier_count &&
           (list == 0 || memcmp(a->multipliers, b->multipliers, list) == 0);
}

// Every pair and wall, but for pairs that are too far apart to meet in this step.
static int all_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const sphere_rig *rig = user;
    thud_bodies bodies = thud_world_bodies(rig->world);
    double *radius = malloc(2 * (size_t)bodies.count * sizeof *radius), *far = radius;
    if (!radius)
        return -1;
    far += bodies.count;
    rig_radii(rig, at->t, radius);
    rig_radii(rig, rig->choice_time, far);
    for (int a = 0; a < bodies.count; a++)
        for (int b = a + 1; b < bodies.count; b++)
            if (rig_pair_gap(rig, rig->from, far, a, b, NULL) < rig->cutoff)
                rig_push_pair(rig, at->q, radius, a, b, rows);
    for (int w = 0; w < rig->wall_count; w++)
        for (int i = 0; i < bodies.count; i++)
            rig_push_wall(rig, at, radius, w, i, rows);
    free(radius);
    return 0;
}

static int own_force(double t, const double *q, double *f, void *user)
{
    const sphere_rig *rig = user;
    thud_bodies bodies = thud_world_bodies(rig->world);
    double gravity[3];
    rig_gravity(rig, t, gravity);
    for (int i = 0; i < bodies.count * bodies.dim; i++)
        f[i] = bodies.mass[i] * gravity[i % bodies.dim];
    return rig->def.force ? rig->def.force(t, bodies.count, bodies.id, q, f, rig->def.user) : 0;
}

// The largest coordinate and radius, and how far a pair can be apart and still meet.
static void measure(sphere_rig *rig)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    double way = 0;
    rig->size = 0;
    for (int i = 0; i < bodies.count; i++)
    {
        double sum = 0;
        for (int k = 0; k < bodies.dim; k++)
        {
            int at = bodies.dim * i + k;
            rig->size = fmax(rig->size, fabs(bodies.q[at]) + bodies.radius[i]);
            sum += pow(bodies.q[at] - rig->before->q[at], 2);
        }
        way = fmax(way, sqrt(sum));
    }
    rig->from = rig->before->q;
    rig->choice_time = thud_state_time(thud_world_state(rig->world));
    rig->cutoff = bodies.count <= RIG_ALL_PAIRS ? INFINITY : 4 * way + 1e-6 * rig->size;
}

static double largest_radius(const sphere_rig *rig)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    double largest = 0;
    for (int i = 0; i < bodies.count; i++)
        largest = fmax(largest, bodies.radius[i]);
    return largest;
}

// The nine certificates; what must not be negative is not so by a single ulp.
static void check_certificates(sphere_rig *rig)
{
    thud_inclusion problem = thud_world_inclusion(rig->world);
    thud_verdict verdict;
    problem.gaps = all_gaps;
    problem.force = problem.force ? own_force : NULL;
    problem.user = rig;
    thud_verify_def def = {.backward = 1.5 * 2 * rig->def.tol * largest_radius(rig)};
    thud_status status =
        thud_verify_step(&problem, rig->before, thud_world_state(rig->world), &def, &verdict);
    CHECK(status == THUD_OK);
    if (status < 0)
        return;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        const thud_check *check = &verdict.checks[i];
        rig->values[i] = fmax(rig->values[i], check->value);
        if (!check->holds)
            test_fail(__FILE__, __LINE__, "step %d: %s: %.3g of its tolerance, key %llx",
                      rig->steps, thud_certificate_title((thud_certificate_name)i), check->value,
                      (unsigned long long)thud_key_read(check->key, THUD_KEYS_NUMBERED).a);
    }
    CHECK(verdict.checks[THUD_CERT_FEASIBLE].residual == 0);
    CHECK(verdict.checks[THUD_CERT_NO_OVERLAP].residual == 0);
    CHECK(verdict.min_gap > 0);
}

// The smallest gap, and that the report tells it.
static void check_gaps(sphere_rig *rig)
{
    const thud_report *report = thud_work_report(rig->work);
    const thud_state *state = thud_world_state(rig->world);
    double gap = rig_smallest_gap(rig, thud_state_time(state), state->q);
    double rounding = 0x1p-50 * rig->size;
    CHECK(gap > 0);
    CHECK(!(report->min_gap < gap - rounding)); // NAN when nothing was near
    if (gap < 2 * 2 * rig->def.tol * largest_radius(rig))
        CHECK_NEAR(report->min_gap, gap, rounding);
    rig->min_gap = fmin(rig->min_gap, gap);
    rig->most_rounds = report->rounds > rig->most_rounds ? report->rounds : rig->most_rounds;
    rig->again += report->rounds > 1;
}

thud_status rig_step(sphere_rig *rig)
{
    thud_inclusion problem = thud_world_inclusion(rig->world);
    thud_state *state = thud_world_state(rig->world);
    if (thud_state_copy(rig->before, state) < 0)
        return THUD_ERR_MEMORY;
    thud_status status = thud_step(&problem, state, rig->work);
    if (status < 0)
    {
        CHECK(rig_same_state(rig->before, state));
        CHECK(thud_work_message(rig->work)[0] != '\0');
        return status;
    }
    rig->steps++;
    check_news(rig->work, rig->may_lack_room);
    measure(rig);
    check_certificates(rig);
    check_gaps(rig);
    rig_check_contacts(rig);
    return status;
}

bool rig_steps(sphere_rig *rig, int count)
{
    for (int n = 0; n < count; n++)
    {
        thud_status status = rig_step(rig);
        if (!went_on(status, rig->steps + 1, rig->work))
            return false;
    }
    return true;
}

void rig_say(const sphere_rig *rig, const char *name)
{
    printf("  %s: %d steps, %d solved again (%d rounds at most), smallest gap %.3g, ", name,
           rig->steps, rig->again, rig->most_rounds, rig->min_gap);
    printf("balance %.2g W, lin / sigma %.3g, certificates", rig->balance, rig->slack);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        printf(" %.2g", rig->values[i]);
    printf("\n");
}
