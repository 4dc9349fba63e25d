// A frame made ready to show: the end of a step of the log, as bodies in three dimensions and as
// contacts with forces.
#include "thud/snapshot.h"
#include "core/fault.h"
#include "core/math/geometry.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

struct thud_snapshot_reader
{
    thud_snapshot_def def;
    thud_allocator allocator;
    THUDI_ARRAY(double) numbers; // of the bodies and coordinates
    THUDI_ARRAY(int64_t) ids;    // of the bodies: numbers, materials
    THUDI_ARRAY(double) loads;   // of the contacts
    THUDI_ARRAY(int64_t) pairs;  // of the contacts
    THUDI_ARRAY(thud_touch) touch;
};

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

static void set_bodies(thud_snapshot_reader *reader, thud_snapshot *snapshot, double *room)
{
    const double *masses = thud_model_problem(reader->def.model)->mass;
    size_t count = (size_t)snapshot->count, dim = (size_t)reader->def.scene->dim;
    double *position = room, *velocity = room + 3 * count, *radius = room + 6 * count;
    double *mass = room + 7 * count, *energy = room + 8 * count, *seen = room + 9 * count;
    double *speed = room + 12 * count;
    int64_t *id = reader->ids.items, *material = id + count;
    memset(room, 0, 6 * count * sizeof *room);
    thud_model_radii(reader->def.model, snapshot->t, radius);
    for (size_t i = 0; i < count; i++)
    {
        memcpy(position + 3 * i, snapshot->q + dim * i, dim * sizeof *position);
        memcpy(velocity + 3 * i, snapshot->u + dim * i, dim * sizeof *velocity);
        const double *v = velocity + 3 * i;
        mass[i] = masses ? masses[dim * i] : 1;
        energy[i] = 0.5 * mass[i] * thudi_dot(v, v);
        speed[i] = thudi_norm(v);
        id[i] = (int64_t)i;
        material[i] = reader->def.scene->bodies[i].material;
    }
    memcpy(seen, position, 3 * count * sizeof *seen);
    thud_model_wrap(reader->def.model, snapshot->t, 3, seen);
    snapshot->id = id;
    snapshot->material = material;
    snapshot->position = position;
    snapshot->seen = seen;
    snapshot->velocity = velocity;
    snapshot->radius = radius;
    snapshot->mass = mass;
    snapshot->energy = energy;
    snapshot->speed = speed;
    snapshot->pressure = speed + count; // when the contacts are known
}

static void set_pressures(const thud_scene *scene, const thud_snapshot *snapshot, double *pressure)
{
    memset(pressure, 0, (size_t)snapshot->count * sizeof *pressure);
    for (int i = 0; i < snapshot->touch_count; i++)
    {
        pressure[snapshot->a[i]] += snapshot->force[i];
        if (snapshot->b[i] >= 0)
            pressure[snapshot->b[i]] += snapshot->force[i];
    }
    for (int i = 0; i < snapshot->count; i++)
    {
        double r = snapshot->radius[i];
        pressure[i] /= scene->dim == 3 ? 4 * THUDI_PI * r * r : 2 * THUDI_PI * r;
    }
}

static void set_touches(thud_snapshot_reader *reader, thud_snapshot *snapshot)
{
    thud_order order = reader->def.scene->order;
    size_t count = (size_t)snapshot->touch_count;
    double *ends = reader->loads.items, *normal = ends + 6 * count, *impulse = ends + 9 * count;
    double *force = ends + 10 * count;
    int64_t *a = reader->pairs.items, *b = a + count;
    for (size_t i = 0; i < count; i++)
    {
        const thud_touch *touch = &reader->touch.items[i];
        memcpy(ends + 6 * i, touch->from, sizeof touch->from);
        memcpy(ends + 6 * i + 3, touch->to, sizeof touch->to);
        memcpy(normal + 3 * i, touch->normal, sizeof touch->normal);
        impulse[i] = touch->impulse;
        // in first order a multiplier is a force already
        force[i] = order == THUD_FIRST_ORDER ? touch->impulse : touch->impulse / snapshot->h;
        a[i] = touch->a;
        b[i] = touch->b;
    }
    snapshot->ends = ends;
    snapshot->normal = normal;
    snapshot->impulse = impulse;
    snapshot->force = force;
    snapshot->a = a;
    snapshot->b = b;
}

static thud_status reserve(thud_snapshot_reader *reader, size_t dim, size_t bodies, size_t contacts)
{
    const thud_allocator *allocator = &reader->allocator;
    THUD_TRY(thudi_array_reserve(allocator, &reader->numbers, 2 * dim + 14 * bodies));
    THUD_TRY(thudi_array_reserve(allocator, &reader->ids, 2 * bodies + 1));
    THUD_TRY(thudi_array_reserve(allocator, &reader->touch, contacts + 1));
    THUD_TRY(thudi_array_reserve(allocator, &reader->loads, 11 * contacts + 1));
    return thudi_array_reserve(allocator, &reader->pairs, 2 * contacts + 1);
}

thud_status thud_snapshot_read(thud_snapshot_reader *reader, int64_t i, thud_snapshot *snapshot,
                               thud_fault *fault)
{
    const thud_snapshot_def *def = &reader->def;
    thud_frame frame;
    THUD_TRY(thud_log_frame(def->log, i, &frame, fault));
    size_t dim = (size_t)frame.dim;
    bool spheres = def->scene->kind == THUD_SCENE_SPHERES;
    size_t bodies = spheres ? (size_t)def->scene->body_count : 0;
    if (reserve(reader, dim, bodies, (size_t)frame.after_count) < 0)
        return thudi_fail_memory(fault);
    double *q = reader->numbers.items, *u = q + dim;
    bool step = frame.h != 0;
    memcpy(u, step ? frame.u_next : frame.u, dim * sizeof *u);
    thud_frame_end(&frame, q);
    *snapshot = (thud_snapshot){.frame = thud_log_number(def->log, i),
                                .t = end_of(def->scene, &frame),
                                .h = frame.h,
                                .q = q,
                                .u = u,
                                .multipliers = frame.after,
                                .multiplier_count = step ? frame.after_count : 0,
                                .count = (int)bodies};
    if (!spheres)
        return THUD_OK;
    set_bodies(reader, snapshot, u + dim);
    snapshot->touch_count = thud_model_touches(def->model, snapshot->t, q, snapshot->multipliers,
                                               snapshot->multiplier_count, reader->touch.items);
    set_touches(reader, snapshot);
    set_pressures(def->scene, snapshot, u + dim + 13 * bodies);
    return THUD_OK;
}

thud_status thud_snapshot_open(const thud_snapshot_def *def, thud_snapshot_reader **out,
                               thud_fault *fault)
{
    *out = NULL;
    if (!def->scene || !def->model || !def->log)
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "a snapshot needs a scene, its model and a log");
    if (thud_log_view(def->log).dim != thud_model_problem(def->model)->dim)
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "give the scene of this run",
                          "the log and the scene have different numbers of coordinates");
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_snapshot_reader *reader = thudi_allocate_zeroed(&allocator, sizeof *reader);
    if (!reader)
        return thudi_fail_memory(fault);
    reader->def = *def;
    reader->allocator = allocator;
    *out = reader;
    return THUD_OK;
}

void thud_snapshot_close(thud_snapshot_reader *reader)
{
    if (!reader)
        return;
    thud_allocator allocator = reader->allocator;
    thudi_array_free(&allocator, &reader->numbers);
    thudi_array_free(&allocator, &reader->ids);
    thudi_array_free(&allocator, &reader->loads);
    thudi_array_free(&allocator, &reader->pairs);
    thudi_array_free(&allocator, &reader->touch);
    thudi_free(&allocator, reader, sizeof *reader);
}
