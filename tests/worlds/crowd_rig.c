// A crowd and its judge: see crowd_rig.h.
#include "crowd_rig.h"

#include <string.h>

static int shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const crowd_rig *rig = user;
    (void)t;
    for (int i = 0; i < rig->count; i++)
        radius[i] = rig->persons[i].radius;
    for (int w = 0; w < rig->wall_count; w++)
    {
        memcpy(normal + 3 * (size_t)w, rig->walls[w].normal, sizeof rig->walls[w].normal);
        offset[w] = rig->walls[w].offset;
    }
    return 0;
}

static int want(double t, int count, const int *id, const double *q, double *velocity, void *user)
{
    const crowd_rig *rig = user;
    (void)t, (void)q;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            velocity[2 * i + k] += rig->wish[2 * id[i] + k];
    return 0;
}

static bool make(crowd_rig *rig)
{
    bool made = thud_world_create(&rig->def, &rig->world) == THUD_OK &&
                thud_world_add(rig->world, rig->persons, rig->count, NULL) == THUD_OK;
    for (int w = 0; made && w < rig->wall_count; w++)
        made = thud_world_add_wall(rig->world, &(thud_wall_def){.plane = rig->walls[w]}, NULL) ==
               THUD_OK;
    for (int k = 0; made && k < rig->obstacle_count; k++)
        made = thud_world_add_obstacle(rig->world,
                                       &(thud_obstacle_def){.solid = rig->obstacles[k].solid,
                                                            .pose = rig->obstacles[k].pose},
                                       NULL) == THUD_OK;
    return made && thud_world_prepare(rig->world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK;
}

bool crowd_open(crowd_rig *rig)
{
    rig->def.dim = 2;
    rig->def.order = THUD_FIRST_ORDER;
    rig->def.user = rig;
    rig->def.force = rig->wish ? want : NULL;
    rig->def.force_is_steady = true;
    rig->min_gap = INFINITY;
    if (rig->def.tol == 0)
        rig->def.tol = 1e-5;
    if (!make(rig))
    {
        test_fail(__FILE__, __LINE__, "no world: %s",
                  rig->world ? thud_world_message(rig->world) : "");
        return false;
    }
    rig->problem = thud_world_inclusion(rig->world);
    rig->state = thud_world_state(rig->world);
    rig->judge = (thud_verify_spheres_def){.dim = 2,
                                           .count = rig->count,
                                           .wall_count = rig->wall_count,
                                           .shapes = shapes,
                                           .user = rig,
                                           .obstacles = rig->obstacles,
                                           .obstacle_count = rig->obstacle_count};
    thud_work_def work = thud_world_work(rig->world);
    thud_state_def copy = {
        .dim = rig->state->dim, .t0 = rig->state->t0, .h = rig->state->h, .q = rig->state->q};
    bool made = thud_work_create(&work, &rig->work) == THUD_OK &&
                thud_state_create(&copy, &rig->before) == THUD_OK;
    CHECK(made);
    return made;
}

void crowd_close(crowd_rig *rig)
{
    thud_work_destroy(rig->work);
    thud_state_destroy(rig->before);
    thud_world_destroy(rig->world);
}

static bool judge(crowd_rig *rig)
{
    thud_verdict verdict;
    double largest = 0;
    for (int i = 0; i < rig->count; i++)
        largest = fmax(largest, rig->persons[i].radius);
    rig->judge.cuts = thud_work_report(rig->work)->rows;
    thud_verify_def def = {.backward = 1.5 * 2 * rig->def.tol * largest, .strict = true};
    thud_status status =
        thud_verify_spheres(&rig->problem, &rig->judge, rig->before, rig->state, &def, &verdict);
    if (status != THUD_OK || !verdict.holds)
    {
        test_fail(__FILE__, __LINE__, "step %d is not certified (status %d)", (int)rig->state->n,
                  (int)status);
        for (int i = 0; i < THUD_CERT_COUNT && status == THUD_OK; i++)
            if (!verdict.checks[i].holds)
                printf("  %s: %g\n", thud_certificate_title((thud_certificate_name)i),
                       verdict.checks[i].value);
        return false;
    }
    rig->min_gap = fmin(rig->min_gap, verdict.min_gap);
    return true;
}

bool crowd_steps(crowd_rig *rig, int count)
{
    for (int n = 0; n < count; n++)
    {
        if (thud_state_copy(rig->before, rig->state) != THUD_OK ||
            thud_step(&rig->problem, rig->state, rig->work) < 0)
        {
            test_fail(__FILE__, __LINE__, "%s (%s)", thud_work_message(rig->work),
                      thud_world_message(rig->world));
            return false;
        }
        if (!judge(rig))
            return false;
    }
    return true;
}

double crowd_multiplier(const crowd_rig *rig, thud_key key)
{
    for (int i = 0; i < rig->state->multiplier_count; i++)
        if (thud_key_same(rig->state->multipliers[i].key, key))
            return rig->state->multipliers[i].impulse;
    return 0;
}
