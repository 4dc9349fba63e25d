// The frame at hand: the end of a step of the log, as bodies in three dimensions and as contacts
// with forces.
#include "core/fault.h"
#include "core/math/geometry.h"
#include "export/exporter.h"

#include <math.h>
#include <string.h>

// The time of the node n + 1, rounded once as the state does; t + h if the run's segments have
// moved on from its start.
static double end_of(const thud_scene *scene, const thud_frame *frame)
{
    if (frame->h == 0)
        return frame->t;
    if (fma((double)frame->n, frame->h, scene->start) == frame->t)
        return fma((double)(frame->n + 1), frame->h, scene->start);
    return frame->t + frame->h;
}

static void set_bodies(thudi_shooter *shooter, const thudi_export *export, double *room)
{
    thudi_shot *shot = &shooter->shot;
    const double *masses = thud_model_problem(export->def->model)->mass;
    size_t count = (size_t)shot->count, dim = (size_t) export->def->scene->dim;
    double *position = room, *velocity = room + 3 * count, *radius = room + 6 * count;
    double *mass = room + 7 * count, *energy = room + 8 * count, *seen = room + 9 * count;
    double *speed = room + 12 * count;
    int64_t *id = shooter->ids.items, *material = id + count;
    memset(room, 0, 6 * count * sizeof *room);
    thud_model_radii(export->def->model, shot->t, radius);
    for (size_t i = 0; i < count; i++)
    {
        memcpy(position + 3 * i, shot->q + dim * i, dim * sizeof *position);
        memcpy(velocity + 3 * i, shot->u + dim * i, dim * sizeof *velocity);
        const double *v = velocity + 3 * i;
        mass[i] = masses ? masses[dim * i] : 1;
        energy[i] = 0.5 * mass[i] * thudi_dot(v, v);
        speed[i] = thudi_norm(v);
        id[i] = (int64_t)i;
        material[i] = export->def->scene->bodies[i].material;
    }
    memcpy(seen, position, 3 * count * sizeof *seen);
    thud_model_wrap(export->def->model, shot->t, 3, seen);
    shot->id = id;
    shot->material = material;
    shot->position = position;
    shot->seen = seen;
    shot->velocity = velocity;
    shot->radius = radius;
    shot->mass = mass;
    shot->energy = energy;
    shot->speed = speed;
    shot->pressure = speed + count; // when the contacts are known
}

static void set_pressures(const thud_scene *scene, const thudi_shot *shot, double *pressure)
{
    memset(pressure, 0, (size_t)shot->count * sizeof *pressure);
    for (int i = 0; i < shot->touch_count; i++)
    {
        pressure[shot->a[i]] += shot->force[i];
        if (shot->b[i] >= 0)
            pressure[shot->b[i]] += shot->force[i];
    }
    for (int i = 0; i < shot->count; i++)
    {
        double r = shot->radius[i];
        pressure[i] /= scene->dim == 3 ? 4 * THUDI_PI * r * r : 2 * THUDI_PI * r;
    }
}

static void set_touches(thudi_shooter *shooter, thud_order order)
{
    thudi_shot *shot = &shooter->shot;
    size_t count = (size_t)shot->touch_count;
    double *ends = shooter->loads.items, *normal = ends + 6 * count, *impulse = ends + 9 * count;
    double *force = ends + 10 * count;
    int64_t *a = shooter->pairs.items, *b = a + count;
    for (size_t i = 0; i < count; i++)
    {
        const thud_touch *touch = &shooter->touch.items[i];
        memcpy(ends + 6 * i, touch->from, sizeof touch->from);
        memcpy(ends + 6 * i + 3, touch->to, sizeof touch->to);
        memcpy(normal + 3 * i, touch->normal, sizeof touch->normal);
        impulse[i] = touch->impulse;
        // in first order a multiplier is a force already
        force[i] = order == THUD_FIRST_ORDER ? touch->impulse : touch->impulse / shot->h;
        a[i] = touch->a;
        b[i] = touch->b;
    }
    shot->ends = ends;
    shot->normal = normal;
    shot->impulse = impulse;
    shot->force = force;
    shot->a = a;
    shot->b = b;
}

static thud_status reserve(thudi_shooter *shooter, const thud_allocator *allocator, size_t dim,
                           size_t bodies, size_t contacts)
{
    THUD_TRY(thudi_array_reserve(allocator, &shooter->numbers, 2 * dim + 14 * bodies));
    THUD_TRY(thudi_array_reserve(allocator, &shooter->ids, 2 * bodies + 1));
    THUD_TRY(thudi_array_reserve(allocator, &shooter->touch, contacts + 1));
    THUD_TRY(thudi_array_reserve(allocator, &shooter->loads, 11 * contacts + 1));
    return thudi_array_reserve(allocator, &shooter->pairs, 2 * contacts + 1);
}

thud_status thudi_shooter_aim(thudi_shooter *shooter, const thudi_export *export, int64_t i)
{
    const thud_export_def *def = export->def;
    thud_frame frame;
    thudi_shot *shot = &shooter->shot;
    THUD_TRY(thud_log_frame(def->log, i, &frame, export->fault));
    size_t dim = (size_t)frame.dim;
    bool spheres = def->scene->kind == THUD_SCENE_SPHERES;
    size_t bodies = spheres ? (size_t)def->scene->body_count : 0;
    if (reserve(shooter, &export->allocator, dim, bodies, (size_t)frame.after_count) < 0)
        return thudi_fail_memory(export->fault);
    double *q = shooter->numbers.items, *u = q + dim;
    bool step = frame.h != 0;
    memcpy(u, step ? frame.u_next : frame.u, dim * sizeof *u);
    thud_frame_end(&frame, q);
    *shot = (thudi_shot){.frame = thud_log_number(def->log, i),
                         .t = end_of(def->scene, &frame),
                         .h = frame.h,
                         .q = q,
                         .u = u,
                         .multipliers = frame.after,
                         .multiplier_count = step ? frame.after_count : 0,
                         .count = (int)bodies};
    if (!spheres)
        return THUD_OK;
    set_bodies(shooter, export, u + dim);
    shot->touch_count = thud_model_touches(def->model, shot->t, q, shot->multipliers,
                                           shot->multiplier_count, shooter->touch.items);
    set_touches(shooter, def->scene->order);
    set_pressures(def->scene, shot, u + dim + 13 * bodies);
    return THUD_OK;
}

void thudi_shooter_free(thudi_shooter *shooter, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &shooter->numbers);
    thudi_array_free(allocator, &shooter->ids);
    thudi_array_free(allocator, &shooter->loads);
    thudi_array_free(allocator, &shooter->pairs);
    thudi_array_free(allocator, &shooter->touch);
}
