// The event-driven reference of a scene of spheres, where it applies.
#include "study/reference.h"

#include <string.h>

enum
{
    MOST_BODIES = 32
};

void thudi_reference_gravity(const thudi_reference *ref, double gravity[3])
{
    for (int k = 0; k < ref->scene->dim; k++)
        gravity[k] = thud_varying_at(&ref->scene->gravity[k], ref->start, ref->room.items);
}

// "", or why a scene cannot be followed from impact to impact.
static const char *obstacle_to(const thud_scene *scene)
{
    if (scene->kind != THUD_SCENE_SPHERES)
        return "the scene has no exact solution";
    if (scene->body_count > MOST_BODIES)
        return "there are too many bodies to compute impacts one by one";
    if (!thud_law_has((int)scene->law, THUD_TRAIT_IMPACTS) || scene->drag > 0 ||
        scene->gravity_moves)
        return "impacts are not computed one by one with glue, drag or changing gravity";
    if (scene->order == THUD_FIRST_ORDER)
        return "a scene of order 1 has no impacts";
    for (int k = 0; k < scene->dim; k++)
        if (scene->cell.is_periodic[k])
            return "impacts are not computed one by one with periodic axes";
    if (scene->obstacle_count > 0)
        return "impacts are not computed one by one with solids or containers";
    for (int i = 0; i < scene->wall_count; i++)
        if (scene->walls[i].moves)
            return "impacts are not computed one by one with moving walls";
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].growth)
            return "impacts are not computed one by one with growing bodies";
    return "";
}

// The description that the reference takes, in one block.
typedef struct description
{
    double *q, *u, *radius, *mass, *normal, *offset, *table;
    int *material, *wall_material;
    size_t size;
} description;

static thud_status take(const thudi_reference *ref, description *d, void **block)
{
    const thud_scene *s = ref->scene;
    size_t bodies = (size_t)s->body_count, walls = (size_t)s->wall_count, dim = (size_t)s->dim;
    size_t materials = (size_t)s->material_count + 1;
    size_t numbers = 2 * dim * bodies + 2 * bodies + (dim + 1) * walls + materials * materials;
    d->size = numbers * sizeof(double) + (bodies + walls) * sizeof(int);
    double *at = thudi_allocate_zeroed(ref->allocator, d->size);
    *block = at;
    if (!at)
        return THUD_ERR_MEMORY;
    d->q = at;
    d->u = d->q + dim * bodies;
    d->radius = d->u + dim * bodies;
    d->mass = d->radius + bodies;
    d->normal = d->mass + bodies;
    d->offset = d->normal + dim * walls;
    d->table = d->offset + walls;
    d->material = (int *)(void *)(d->table + materials * materials);
    d->wall_material = d->material + bodies;
    return THUD_OK;
}

static void describe(thudi_reference *ref, const description *d)
{
    const thud_scene *s = ref->scene;
    size_t dim = (size_t)s->dim;
    int none = s->material_count; // what has no material has inelastic contacts
    for (int i = 0; i < s->body_count; i++)
    {
        const thud_scene_body *body = &s->bodies[i];
        memcpy(d->q + dim * (size_t)i, body->sphere.center, dim * sizeof(double));
        memcpy(d->u + dim * (size_t)i, body->sphere.velocity, dim * sizeof(double));
        d->radius[i] = body->sphere.radius;
        d->mass[i] = body->sphere.mass;
        d->material[i] = body->material >= 0 ? body->material : none;
    }
    for (int w = 0; w < s->wall_count; w++)
    {
        const thud_scene_wall *wall = &s->walls[w];
        for (size_t k = 0; k < dim; k++)
        {
            double n = thud_varying_at(&wall->plane.normal[k], 0, ref->room.items);
            double p = thud_varying_at(&wall->plane.point[k], 0, ref->room.items);
            d->normal[dim * (size_t)w + k] = n;
            d->offset[w] += n * p;
        }
        d->wall_material[w] = wall->material >= 0 ? wall->material : none;
    }
    for (int i = 0; i < s->contact_count; i++)
    {
        const thud_scene_contact *c = &s->contacts[i];
        d->table[c->a * (none + 1) + c->b] = d->table[c->b * (none + 1) + c->a] =
            c->rule.numbers[0];
    }
}

static thud_status follow(thudi_reference *ref, const description *d)
{
    const thud_scene *s = ref->scene;
    thud_events_def def = {.dim = s->dim,
                           .count = s->body_count,
                           .wall_count = s->wall_count,
                           .start = ref->start,
                           .end = ref->end,
                           .q = d->q,
                           .u = d->u,
                           .radius = d->radius,
                           .mass = d->mass,
                           .normal = d->normal,
                           .offset = d->offset,
                           .material_count = s->material_count + 1,
                           .restitution = d->table,
                           .material = d->material,
                           .wall_material = d->wall_material,
                           .allocator = ref->allocator};
    thudi_reference_gravity(ref, def.acceleration);
    return thud_events_create(&def, &ref->events);
}

static thud_status take_splits(thudi_reference *ref)
{
    thud_events_result found = thud_events_view(ref->events);
    THUD_TRY(thudi_array_reserve(ref->allocator, &ref->splits, (size_t)found.event_count + 1));
    for (int i = 0; i < found.event_count; i++)
        ref->splits.items[ref->split_count++] = found.events[i].t;
    return THUD_OK;
}

static thud_status reserve_room(thudi_reference *ref)
{
    size_t room = (size_t)thud_scene_varying_room(ref->scene);
    return thudi_array_reserve(ref->allocator, &ref->room, room);
}

thud_status thudi_reference_use_events(thudi_reference *ref, const char **why)
{
    description d = {0};
    void *block;
    *why = obstacle_to(ref->scene);
    if (**why)
        return THUD_OK;
    THUD_TRY(reserve_room(ref));
    THUD_TRY(take(ref, &d, &block));
    describe(ref, &d);
    thud_status status = follow(ref, &d);
    thudi_free(ref->allocator, block, d.size);
    if (status == THUD_ERR_MEMORY)
        return status;
    if (status == THUD_OK)
    {
        ref->kind = THUD_REFERENCE_EVENTS;
        return take_splits(ref);
    }
    *why = status == THUD_NEWS ? thud_events_text(thud_events_view(ref->events).ending)
                               : "bodies overlap at the start";
    thud_events_destroy(ref->events);
    ref->events = NULL;
    return THUD_OK;
}
