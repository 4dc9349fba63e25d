// The event-driven reference: from impact to impact, and why it may end early.
#include "verify/events/events_parts.h"

#include "core/door.h"

#include <math.h>
#include <string.h>

static const double TOUCH = 1e-12; // of the lengths, or speeds, of the problem
enum
{
    ROUNDS = 100 // impacts at one instant; with restitution one may close what another opened
};

// The contact of bodies i and j, or of body i and wall j - count, at positions q.
static double find_gap(const thud_events *events, const double *q, int i, int j, double n[3])
{
    size_t dim = (size_t)events->dim;
    const double *a = q + dim * (size_t)i;
    double square = 0, gap = 0;
    if (j >= events->count)
    {
        int wall = j - events->count;
        for (size_t k = 0; k < dim; k++)
        {
            n[k] = events->normal[dim * (size_t)wall + k];
            gap += n[k] * a[k];
        }
        return gap - events->offset[wall] - events->radius[i];
    }
    for (size_t k = 0; k < dim; k++)
    {
        n[k] = q[dim * (size_t)j + k] - a[k];
        square += n[k] * n[k];
    }
    double d = sqrt(square);
    for (size_t k = 0; k < dim; k++)
        n[k] = d > 0 ? n[k] / d : 0;
    return d - events->radius[i] - events->radius[j];
}

static double wall_pull(const thud_events *events, const double n[3])
{
    double sum = 0;
    for (int k = 0; k < events->dim; k++)
        sum += n[k] * events->def.acceleration[k];
    return sum;
}

// The first s > 0 where g + v s + a s^2/2 falls to 0; INFINITY if it does not.
static double wall_time(double g, double v, double a)
{
    double square = v * v - 2 * a * g;
    if (square < 0 || (a >= 0 && v >= 0))
        return INFINITY;
    double root = sqrt(square);
    double s = v > 0 ? (v + root) / -a : 2 * g / (root - v);
    return fmax(s, 0);
}

// The first s > 0 where |x + v s| falls to d.
static double pair_time(const thud_events *events, int i, int j, double gap)
{
    size_t dim = (size_t)events->dim;
    double a = 0, b = 0, d = events->radius[i] + events->radius[j];
    for (size_t k = 0; k < dim; k++)
    {
        double x = events->q[dim * (size_t)j + k] - events->q[dim * (size_t)i + k];
        double v = events->u[dim * (size_t)j + k] - events->u[dim * (size_t)i + k];
        a += v * v;
        b += x * v;
    }
    double c = gap * (gap + 2 * d), square = b * b - a * c;
    if (b >= 0 || square < 0)
        return INFINITY;
    return fmax(c / (sqrt(square) - b), 0);
}

// The smallest gap of a contact during the next s of flight.
static double lowest(const thud_events *events, int i, int j, double s)
{
    size_t dim = (size_t)events->dim;
    double n[3], least = find_gap(events, events->q, i, j, n), a = 0, b = 0;
    if (j >= events->count)
    {
        thudi_meeting meeting = {
            .a = i, .b = j, .n = {n[0], dim > 1 ? n[1] : 0, dim > 2 ? n[2] : 0}};
        double v = thudi_meeting_rate(events, &meeting), pull = wall_pull(events, n);
        double bottom = pull > 0 ? fmin(fmax(-v / pull, 0), s) : s;
        return fmin(least,
                    fmin(least + bottom * (v + pull * bottom / 2), least + s * (v + pull * s / 2)));
    }
    for (size_t k = 0; k < dim; k++)
    {
        double x = events->q[dim * (size_t)j + k] - events->q[dim * (size_t)i + k];
        double v = events->u[dim * (size_t)j + k] - events->u[dim * (size_t)i + k];
        a += v * v;
        b += x * v;
    }
    double bottom = a > 0 ? fmin(fmax(-b / a, 0), s) : 0, square = 0;
    for (size_t k = 0; k < dim; k++)
    {
        double x = events->q[dim * (size_t)j + k] - events->q[dim * (size_t)i + k];
        double v = events->u[dim * (size_t)j + k] - events->u[dim * (size_t)i + k];
        square += (x + bottom * v) * (x + bottom * v);
    }
    return fmin(least, sqrt(square) - events->radius[i] - events->radius[j]);
}

static double restitution_of(const thud_events *events, int i, int j)
{
    int materials = events->def.material_count;
    if (materials == 0)
        return 0;
    return events->restitution[events->material[i] * materials + events->material[j]];
}

static int contact_number(const thud_events *events, int i, int j)
{
    return i * (events->count + events->wall_count) + j;
}

// Every contact that is closed now; returns how many, or an error.
static thud_status gather(thud_events *events, int *count)
{
    *count = 0;
    for (int i = 0; i < events->count; i++)
        for (int j = i + 1; j < events->count + events->wall_count; j++)
        {
            thudi_meeting meeting = {.a = i, .b = j};
            if (find_gap(events, events->q, i, j, meeting.n) > TOUCH * events->length_scale)
                continue;
            THUD_TRY(
                thudi_array_reserve(&events->allocator, &events->meetings, (size_t)*count + 1));
            meeting.e = restitution_of(events, i, j);
            meeting.rate = thudi_meeting_rate(events, &meeting);
            events->meetings.items[(*count)++] = meeting;
        }
    return THUD_OK;
}

static bool is_approaching(const thud_events *events, int count)
{
    for (int i = 0; i < count; i++)
        if (events->meetings.items[i].rate < -TOUCH * events->speed_scale)
            return true;
    return false;
}

static int public_name(const thud_events *events, int j)
{
    return j < events->count ? j : -1 - (j - events->count);
}

static void end_early(thud_events *events, thud_events_ending ending, int i, int j)
{
    events->result.ending = ending;
    events->result.why_a = i;
    events->result.why_b = public_name(events, j);
}

// Write the impulses of one round down; false when a contact met itself too soon.
static thud_status note_contacts(thud_events *events, int count, thud_event *event)
{
    const double soon = events->def.closest * (events->def.end - events->def.start);
    for (int i = 0; i < count; i++)
    {
        const thudi_meeting *meeting = &events->meetings.items[i];
        if (meeting->impulse <= 0)
            continue;
        size_t at = (size_t)event->first + (size_t)event->count;
        THUD_TRY(thudi_array_reserve(&events->allocator, &events->contacts, at + 1));
        thud_event_contact *contact = &events->contacts.items[at];
        *contact = (thud_event_contact){meeting->a, public_name(events, meeting->b), {0}, 0};
        memcpy(contact->normal, meeting->n, sizeof contact->normal);
        contact->impulse = meeting->impulse;
        event->count++;
        double *last = &events->last[contact_number(events, meeting->a, meeting->b)];
        if (event->t - *last > 0 && event->t - *last < soon)
            end_early(events, THUD_EVENTS_ACCUMULATE, meeting->a, meeting->b);
        *last = event->t;
    }
    return THUD_OK;
}

static size_t piece_size(const thud_events *events)
{
    return 3 * (size_t)events->dim * (size_t)events->count;
}

// The state now begins piece `piece`, u before it being `before`.
static void store(thud_events *events, size_t piece, bool first)
{
    size_t length = (size_t)events->dim * (size_t)events->count;
    double *at = events->pieces.items + piece * piece_size(events);
    if (first)
        memcpy(at, events->u, length * sizeof *at);
    memcpy(at + length, events->q, length * sizeof *at);
    memcpy(at + 2 * length, events->u, length * sizeof *at);
}

static thud_status reserve_piece(thud_events *events, size_t piece)
{
    return thudi_array_reserve(&events->allocator, &events->pieces,
                               (piece + 1) * piece_size(events));
}

// The impact of all that is closed and approaches now, if there is any.
static thud_status meet(thud_events *events)
{
    int count = 0, made = events->result.event_count;
    size_t piece = (size_t)made + 1;
    thud_event event = {.t = events->now, .first = events->result.contact_count};
    THUD_TRY(gather(events, &count));
    if (!is_approaching(events, count))
        return THUD_OK;
    THUD_TRY(reserve_piece(events, piece));
    THUD_TRY(thudi_array_reserve(&events->allocator, &events->list, (size_t)made + 1));
    store(events, piece, true);
    for (int round = 0; is_approaching(events, count); round++)
    {
        if (round == ROUNDS)
        {
            end_early(events, THUD_EVENTS_ACCUMULATE, events->meetings.items[0].a,
                      events->meetings.items[0].b);
            return THUD_OK;
        }
        THUD_TRY(thudi_events_impact(events, count));
        THUD_TRY(note_contacts(events, count, &event));
        THUD_TRY(gather(events, &count));
    }
    store(events, piece, false);
    events->list.items[made] = event;
    events->result.event_count = made + 1;
    events->result.contact_count = event.first + event.count;
    if (made > 0)
        events->result.separation =
            fmin(events->result.separation, event.t - events->list.items[made - 1].t);
    if (made + 1 >= events->def.limit)
        end_early(events, THUD_EVENTS_LIMIT, 0, 0);
    return THUD_OK;
}

// The time to the next impact, at most `left`. A contact that is closed and does not approach
// cannot close again by itself, unless gravity draws it to a wall.
static double next_impact(thud_events *events, double left)
{
    double slow = TOUCH * events->speed_scale;
    for (int i = 0; i < events->count; i++)
        for (int j = i + 1; j < events->count + events->wall_count; j++)
        {
            thudi_meeting meeting = {.a = i, .b = j};
            double gap = find_gap(events, events->q, i, j, meeting.n), s = INFINITY;
            double rate = thudi_meeting_rate(events, &meeting);
            bool closed = gap <= TOUCH * events->length_scale;
            if (j < events->count)
                s = closed ? INFINITY : pair_time(events, i, j, gap);
            else if (!closed)
                s = wall_time(gap, rate, wall_pull(events, meeting.n));
            else if (wall_pull(events, meeting.n) < 0)
            {
                if (rate <= slow)
                    end_early(events, THUD_EVENTS_SUSTAINED, i, j);
                s = wall_time(0, fmax(rate, 0), wall_pull(events, meeting.n));
            }
            left = fmin(left, s);
        }
    return left;
}

static void fly(thud_events *events, double s)
{
    for (int i = 0; i < events->count; i++)
        for (int j = i + 1; j < events->count + events->wall_count; j++)
            events->result.min_gap = fmin(events->result.min_gap, lowest(events, i, j, s));
    for (int k = 0; k < events->dim * events->count; k++)
    {
        double a = events->def.acceleration[k % events->dim];
        events->q[k] += s * (events->u[k] + a * s / 2);
        events->u[k] += a * s;
        events->speed_scale = fmax(events->speed_scale, fabs(events->u[k]));
    }
}

static thud_status follow(thud_events *events)
{
    double end = events->def.end;
    THUD_TRY(reserve_piece(events, 0));
    store(events, 0, true);
    while (true)
    {
        THUD_TRY(meet(events));
        events->result.reached = events->now;
        if (events->result.ending != THUD_EVENTS_DONE || events->now >= end)
            return THUD_OK;
        double left = end - events->now, s = next_impact(events, left);
        if (events->result.ending != THUD_EVENTS_DONE)
            return THUD_OK;
        fly(events, s);
        events->now = s < left ? events->now + s : end;
        for (int k = 0; k < events->dim * events->count; k++)
            if (!isfinite(events->q[k]) || !isfinite(events->u[k]))
                return THUD_ERR_NOT_FINITE;
    }
}

THUDI_DOOR thud_status thud_events_create(const thud_events_def *def, thud_events **out)
{
    thud_events *events = NULL;
    *out = NULL;
    THUD_TRY(thud_float_check());
    THUD_TRY(thudi_events_begin(def, &events));
    thud_status status = THUD_OK;
    double n[3];
    for (int i = 0; i < events->count; i++)
        for (int j = i + 1; j < events->count + events->wall_count; j++)
            if (!(find_gap(events, events->q, i, j, n) >= -TOUCH * events->length_scale))
                status = THUD_ERR_OVERLAP;
    if (status == THUD_OK)
        status = follow(events);
    if (status < 0)
    {
        thud_events_destroy(events);
        return status;
    }
    thudi_events_finish(events);
    *out = events;
    return events->result.ending == THUD_EVENTS_DONE ? THUD_OK : THUD_NEWS;
}
