// The event-driven reference as an object: made from its description, asked for its answer.
#include "verify/events/events_parts.h"

#include <math.h>
#include <string.h>

// What a def that says nothing gets: how close two events may follow, and how many there may be.
static const double CLOSEST = 1e-6;
enum
{
    EVENTS = 10000
};

static bool is_good(const double *values, size_t count, bool positive)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]) || (positive && values[i] <= 0))
            return false;
    return true;
}

static bool is_material(const int *material, int count, int materials)
{
    for (int i = 0; material && i < count; i++)
        if (material[i] < 0 || material[i] >= (materials > 0 ? materials : 1))
            return false;
    return true;
}

static bool is_table(const thud_events_def *def)
{
    size_t count = (size_t)def->material_count * (size_t)def->material_count;
    for (size_t i = 0; i < count; i++)
        if (!(def->restitution[i] >= 0 && def->restitution[i] <= 1))
            return false;
    return true;
}

static bool have_directions(const thud_events_def *def)
{
    for (int w = 0; w < def->wall_count; w++)
    {
        double square = 0;
        for (int k = 0; k < def->dim; k++)
            square += def->normal[w * def->dim + k] * def->normal[w * def->dim + k];
        if (!(square > 0))
            return false;
    }
    return true;
}

static bool is_valid(const thud_events_def *def)
{
    size_t length = (size_t)def->dim * (size_t)(def->count > 0 ? def->count : 0);
    bool sizes = def->dim >= 1 && def->dim <= 3 && def->count >= 1 && def->count <= 10000 &&
                 def->wall_count >= 0 && def->wall_count <= 10000 && def->q && def->u &&
                 def->radius && def->material_count >= 0 && def->material_count <= 1000 &&
                 (def->wall_count == 0 || (def->normal && def->offset)) &&
                 (def->material_count == 0 || def->restitution) && def->closest >= 0 &&
                 def->limit >= 0 && def->start < def->end;
    return sizes && is_good((double[]){def->start, def->end}, 2, false) &&
           is_good(def->q, length, false) && is_good(def->u, length, false) &&
           is_good(def->radius, (size_t)def->count, true) &&
           (!def->mass || is_good(def->mass, (size_t)def->count, true)) &&
           is_good(def->acceleration, 3, false) &&
           is_good(def->normal, (size_t)def->dim * (size_t)def->wall_count, false) &&
           is_good(def->offset, (size_t)def->wall_count, false) && have_directions(def) &&
           is_table(def) && is_material(def->material, def->count, def->material_count) &&
           is_material(def->wall_material, def->wall_count, def->material_count);
}

static void take_walls(thud_events *events, const thud_events_def *def)
{
    size_t dim = (size_t)events->dim;
    for (int w = 0; w < events->wall_count; w++)
    {
        double square = 0;
        for (size_t k = 0; k < dim; k++)
            square += def->normal[dim * (size_t)w + k] * def->normal[dim * (size_t)w + k];
        for (size_t k = 0; k < dim; k++)
            events->normal[dim * (size_t)w + k] = def->normal[dim * (size_t)w + k] / sqrt(square);
        events->offset[w] = def->offset[w] / sqrt(square);
        events->length_scale = fmax(events->length_scale, fabs(events->offset[w]));
    }
}

static void take_bodies(thud_events *events, const thud_events_def *def)
{
    int length = events->dim * events->count;
    for (int i = 0; i < events->count; i++)
    {
        events->radius[i] = def->radius[i];
        events->mass[i] = def->mass ? def->mass[i] : 1;
        events->material[i] = def->material ? def->material[i] : 0;
        events->length_scale = fmax(events->length_scale, def->radius[i]);
    }
    for (int w = 0; w < events->wall_count; w++)
        events->material[events->count + w] = def->wall_material ? def->wall_material[w] : 0;
    for (int k = 0; k < length; k++)
    {
        events->q[k] = def->q[k];
        events->u[k] = def->u[k];
        events->length_scale = fmax(events->length_scale, fabs(def->q[k]));
        events->speed_scale = fmax(events->speed_scale, fabs(def->u[k]));
    }
    for (int k = 0; k < events->dim; k++)
        events->speed_scale =
            fmax(events->speed_scale, fabs(def->acceleration[k]) * (def->end - def->start));
}

static thud_status make_room(thud_events *events, const thud_events_def *def)
{
    size_t length = (size_t)def->dim * (size_t)def->count, bodies = (size_t)def->count;
    size_t walls = (size_t)def->wall_count, contacts = bodies * (bodies + walls);
    size_t table = (size_t)def->material_count * (size_t)def->material_count;
    size_t count = 2 * length + 2 * bodies + ((size_t)def->dim + 1) * walls + table + contacts;
    events->numbers = thudi_allocate_zeroed(&events->allocator, count * sizeof(double));
    if (!events->numbers)
        return THUD_ERR_MEMORY;
    events->number_count = count;
    events->material = thudi_allocate_zeroed(&events->allocator, (bodies + walls) * sizeof(int));
    if (!events->material)
        return THUD_ERR_MEMORY;
    events->material_length = bodies + walls;
    events->q = events->numbers;
    events->u = events->q + length;
    events->radius = events->u + length;
    events->mass = events->radius + bodies;
    events->normal = events->mass + bodies;
    events->offset = events->normal + (size_t)def->dim * walls;
    events->restitution = events->offset + walls;
    events->last = events->restitution + table;
    if (table > 0)
        memcpy(events->restitution, def->restitution, table * sizeof *def->restitution);
    for (size_t i = 0; i < contacts; i++)
        events->last[i] = -INFINITY;
    return THUD_OK;
}

thud_status thudi_events_begin(const thud_events_def *def, thud_events **out)
{
    if (!is_valid(def))
        return THUD_ERR_ARGUMENT;
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_events *events = thudi_allocate_zeroed(&allocator, sizeof *events);
    if (!events)
        return THUD_ERR_MEMORY;
    events->allocator = allocator;
    events->def = *def;
    events->def.closest = def->closest > 0 ? def->closest : CLOSEST;
    events->def.limit = def->limit > 0 ? def->limit : EVENTS;
    events->dim = def->dim;
    events->count = def->count;
    events->wall_count = def->wall_count;
    events->now = def->start;
    events->result.min_gap = events->result.separation = INFINITY;
    if (make_room(events, def) < 0)
    {
        thud_events_destroy(events);
        return THUD_ERR_MEMORY;
    }
    take_walls(events, def);
    take_bodies(events, def);
    *out = events;
    return THUD_OK;
}

void thud_events_destroy(thud_events *events)
{
    if (!events)
        return;
    thud_allocator allocator = events->allocator;
    thudi_free(&allocator, events->numbers, events->number_count * sizeof(double));
    thudi_free(&allocator, events->material, events->material_length * sizeof(int));
    thudi_array_free(&allocator, &events->meetings);
    thudi_array_free(&allocator, &events->square);
    thudi_array_free(&allocator, &events->pieces);
    thudi_array_free(&allocator, &events->list);
    thudi_array_free(&allocator, &events->contacts);
    thudi_free(&allocator, events, sizeof *events);
}

void thudi_events_finish(thud_events *events)
{
    size_t length = (size_t)events->dim * (size_t)events->count;
    for (int i = 0; i < events->result.event_count; i++)
    {
        const double *piece = events->pieces.items + 3 * length * ((size_t)i + 1);
        events->list.items[i].before = piece;
        events->list.items[i].after = piece + 2 * length;
    }
    events->result.events = events->list.items;
    events->result.contacts = events->contacts.items;
}

thud_events_result thud_events_view(const thud_events *events)
{
    return events->result;
}

void thud_events_at(const thud_events *events, double t, double *q, double *u)
{
    size_t length = (size_t)events->dim * (size_t)events->count, piece = 0;
    for (int i = 0; i < events->result.event_count && events->list.items[i].t <= t; i++)
        piece = (size_t)i + 1;
    const double *at = events->pieces.items + 3 * length * piece;
    double s = t - (piece > 0 ? events->list.items[piece - 1].t : events->def.start);
    for (size_t k = 0; k < length; k++)
    {
        double a = events->def.acceleration[k % (size_t)events->dim];
        if (q)
            q[k] = at[length + k] + s * (at[2 * length + k] + a * s / 2);
        if (u)
            u[k] = at[2 * length + k] + a * s;
    }
}

double thud_events_mass(const thud_events *events, int a, int b, double t)
{
    double sum = 0;
    for (int i = 0; i < events->result.event_count && events->list.items[i].t <= t; i++)
    {
        const thud_event *event = &events->list.items[i];
        for (int k = event->first; k < event->first + event->count; k++)
            if (events->contacts.items[k].a == a && events->contacts.items[k].b == b)
                sum += events->contacts.items[k].impulse;
    }
    return sum;
}

const char *thud_events_text(thud_events_ending ending)
{
    switch (ending)
    {
    case THUD_EVENTS_SUSTAINED:
        return "a body rests on a wall that gravity presses it to";
    case THUD_EVENTS_ACCUMULATE:
        return "impacts accumulate";
    case THUD_EVENTS_LIMIT:
        return "there are too many impacts";
    case THUD_EVENTS_DONE:
    default:
        return "";
    }
}
