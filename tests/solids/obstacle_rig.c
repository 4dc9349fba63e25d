// A world with obstacles, and a judge that knows nothing of the world's search.
#include "obstacle_rig.h"

#include <string.h>

bool obstacle_rig_open(obstacle_rig *rig, const thud_world_def *def)
{
    thud_world_def filled = *def;
    *rig = (obstacle_rig){.min_gap = INFINITY};
    if (filled.tol == 0)
        filled.tol = 1e-8;
    rig->tol = filled.tol;
    rig->def = *def;
    if (filled.tol_a == 0)
        filled.tol_a = 1e-6;
    CHECK(thud_world_create(&filled, &rig->world) == THUD_OK);
    return rig->world != NULL;
}

void obstacle_rig_close(obstacle_rig *rig)
{
    for (int k = 0; k < rig->obstacle_count; k++)
        thud_solid_destroy(rig->solids[k]);
    thud_state_destroy(rig->before);
    thud_work_destroy(rig->work);
    thud_world_destroy(rig->world);
}

void obstacle_rig_ball(obstacle_rig *rig, double radius, double x, double y, double z, double vx,
                       double vy, double vz)
{
    thud_sphere sphere = {
        .center = {x, y, z}, .velocity = {vx, vy, vz}, .radius = radius, .mass = 1};
    CHECK(thud_world_add(rig->world, &sphere, 1, NULL) == THUD_OK);
}

void obstacle_rig_add(obstacle_rig *rig, const thud_obstacle_def *def)
{
    int k = -1;
    if (thud_world_add_obstacle(rig->world, def, &k) != THUD_OK)
        test_fail(__FILE__, __LINE__, "%s", thud_world_message(rig->world));
    CHECK(k == rig->obstacle_count);
    rig->defs[rig->obstacle_count] = *def;
    CHECK(thud_solid_create(&def->solid, &rig->solids[rig->obstacle_count], NULL) == THUD_OK);
    rig->obstacle_count++;
}

thud_status obstacle_rig_prepare(obstacle_rig *rig)
{
    thud_status status = thud_world_prepare(rig->world, THUD_REFUSE_OVERLAP, NULL);
    if (status != THUD_OK)
        printf("prepare: %s\n", thud_world_message(rig->world));
    thud_work_def def = thud_world_work(rig->world);
    thud_work_destroy(rig->work);
    if (thud_work_create(&def, &rig->work) < 0)
        return THUD_ERR_MEMORY;
    rig->problem = thud_world_inclusion(rig->world);
    rig->state = thud_world_state(rig->world);
    thud_state_def copy = {
        .dim = rig->state->dim, .t0 = rig->state->t0, .h = rig->state->h, .q = rig->state->q};
    thud_state_destroy(rig->before);
    return thud_state_create(&copy, &rig->before) < 0 ? THUD_ERR_MEMORY : status;
}

// The smallest gap of body i to obstacle k at the present time.
static double gap_of(const obstacle_rig *rig, int k, const thud_bodies *bodies, int i)
{
    thud_pose pose = rig->defs[k].pose;
    double x[3] = {0, 0, 0}, y[3];
    if (rig->defs[k].motion)
        CHECK(rig->defs[k].motion(thud_state_time(rig->state), &pose, rig->defs[k].user) == 0);
    thud_placement placement = thud_pose_place(&pose);
    memcpy(x, bodies->q + (size_t)bodies->dim * (size_t)i, (size_t)bodies->dim * sizeof *x);
    thud_placement_enter(&placement, x, y);
    double smallest = INFINITY;
    for (int facet = 0; facet < thud_solid_facets(rig->solids[k]); facet++)
    {
        double distance = thud_solid_facing(rig->solids[k], facet, y).distance;
        smallest = distance < smallest ? distance : smallest;
    }
    return smallest - bodies->radius[i];
}

static int write_shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    thud_bodies bodies = thud_world_bodies(((obstacle_rig *)user)->world);
    (void)t;
    (void)normal;
    (void)offset;
    memcpy(radius, bodies.radius, (size_t)bodies.count * sizeof *radius);
    return 0;
}

thud_verdict obstacle_rig_check(obstacle_rig *rig, const thud_state *after, bool with_cuts)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    thud_verify_obstacle obstacles[RIG_OBSTACLES];
    double largest = 0;
    for (int i = 0; i < bodies.count; i++)
        largest = bodies.radius[i] > largest ? bodies.radius[i] : largest;
    for (int k = 0; k < rig->obstacle_count; k++)
        obstacles[k] = (thud_verify_obstacle){.solid = rig->defs[k].solid,
                                              .pose = rig->defs[k].pose,
                                              .motion = rig->defs[k].motion,
                                              .material = rig->defs[k].material,
                                              .user = rig->defs[k].user};
    thud_verify_spheres_def def = {.dim = bodies.dim,
                                   .count = bodies.count,
                                   .shapes = write_shapes,
                                   .user = rig,
                                   .obstacles = obstacles,
                                   .obstacle_count = rig->obstacle_count,
                                   .shift = 2 * rig->tol,
                                   .material_count = rig->def.material_count,
                                   .numbers = rig->def.numbers,
                                   .cuts = with_cuts ? thud_work_report(rig->work)->rows : NULL};
    thud_verify_def how = {.backward = 1.5 * 2 * rig->tol * largest, .strict = true};
    thud_verdict verdict = {.holds = false};
    CHECK(thud_verify_spheres(&rig->problem, &def, rig->before, after, &how, &verdict) == THUD_OK);
    return verdict;
}

static void certify(obstacle_rig *rig)
{
    thud_verdict verdict = obstacle_rig_check(rig, rig->state, true);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        const thud_check *check = &verdict.checks[i];
        rig->values[i] = fmax(rig->values[i], check->value);
        if (!check->holds)
            test_fail(__FILE__, __LINE__, "step %lld: %s: %g (residual %g, key %llx)",
                      (long long)rig->state->n, thud_certificate_title((thud_certificate_name)i),
                      check->value, check->residual,
                      (unsigned long long)thud_key_read(check->key, THUD_KEYS_NUMBERED).a);
    }
}

static void judge(obstacle_rig *rig)
{
    const thud_report *report = thud_work_report(rig->work);
    thud_bodies bodies = thud_world_bodies(rig->world);
    double smallest = INFINITY;
    for (int k = 0; k < rig->obstacle_count; k++)
        for (int i = 0; i < bodies.count; i++)
        {
            double gap = gap_of(rig, k, &bodies, i);
            smallest = gap < smallest ? gap : smallest;
        }
    // what the step tells is what is so
    if (bodies.count == 1 && isfinite(report->min_gap))
        CHECK_NEAR(report->min_gap, smallest, 1e-13 * (1 + fabs(smallest)));
    rig->min_gap = smallest < rig->min_gap ? smallest : rig->min_gap;
    rig->most_rounds = report->rounds > rig->most_rounds ? report->rounds : rig->most_rounds;
    for (int i = 0; i < thud_rows_count(report->rows); i++)
        rig->impulse += report->answer.mu[i];
    CHECK(smallest >= 0);
    certify(rig);
}

thud_status obstacle_rig_step(obstacle_rig *rig)
{
    CHECK(thud_state_copy(rig->before, rig->state) == THUD_OK);
    thud_status status = thud_step(&rig->problem, rig->state, rig->work);
    if (status >= 0)
        judge(rig);
    return status;
}

bool obstacle_rig_steps(obstacle_rig *rig, int count)
{
    for (int i = 0; i < count; i++)
        if (obstacle_rig_step(rig) < 0)
        {
            test_fail(__FILE__, __LINE__, "step %d: %s", i, thud_work_message(rig->work));
            return false;
        }
    return true;
}

int obstacle_rig_turn(double t, thud_pose *pose, void *user)
{
    double speed = *(double *)user;
    *pose = (thud_pose){.rotation = {0, 0, speed * t}, .turning = {0, 0, speed}};
    return 0;
}
