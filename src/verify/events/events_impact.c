// Impacts of the event-driven reference: P_C(u-) by nonnegative least squares over the closed
// contacts, in the metric of the masses, then the restitution of every cluster.
#include "thud/events.h"
#include "verify/events/events_parts.h"

#include <math.h>
#include <string.h>

double thudi_meeting_rate(const thud_events *events, const thudi_meeting *meeting)
{
    const double *a = events->u + (size_t)events->dim * (size_t)meeting->a;
    double rate = 0;
    if (meeting->b >= events->count)
    {
        for (int k = 0; k < events->dim; k++)
            rate += meeting->n[k] * a[k];
        return rate;
    }
    const double *b = events->u + (size_t)events->dim * (size_t)meeting->b;
    for (int k = 0; k < events->dim; k++)
        rate += meeting->n[k] * (b[k] - a[k]);
    return rate;
}

// +1 where a meeting pushes body i along n, -1 where against it, 0 where not at all.
static double side(const thud_events *events, const thudi_meeting *meeting, int i)
{
    if (meeting->b >= events->count)
        return meeting->a == i ? 1 : 0;
    return meeting->b == i ? 1 : meeting->a == i ? -1 : 0;
}

static double coupling(const thud_events *events, const thudi_meeting *x, const thudi_meeting *y)
{
    double along = 0, sum = 0;
    for (int k = 0; k < events->dim; k++)
        along += x->n[k] * y->n[k];
    sum += side(events, x, x->a) * side(events, y, x->a) / events->mass[x->a];
    if (x->b < events->count)
        sum += side(events, x, x->b) * side(events, y, x->b) / events->mass[x->b];
    return along * sum;
}

// One e per cluster of bodies that closed contacts join; walls do not join.
static double cluster_e(const thud_cone *s, const thudi_meeting *meetings, int leader)
{
    double weight = 0, weighted = 0;
    for (int i = 0; i < s->count; i++)
        if (meetings[i].leader == leader && s->rate[i] < 0)
        {
            double size = s->matrix[(size_t)i * (size_t)s->count + (size_t)i];
            weight += s->rate[i] * s->rate[i] / size;
            weighted += meetings[i].e * s->rate[i] * s->rate[i] / size;
        }
    return weight > 0 ? weighted / weight : 0;
}

static void find_clusters(const thud_events *events, thudi_meeting *meetings, int count)
{
    for (int i = 0; i < count; i++)
        meetings[i].leader = meetings[i].a;
    for (bool changed = true; changed;)
    {
        changed = false;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
            {
                bool joined = meetings[i].a == meetings[j].a || meetings[i].a == meetings[j].b ||
                              (meetings[i].b < events->count &&
                               (meetings[i].b == meetings[j].a || meetings[i].b == meetings[j].b));
                if (joined && meetings[j].leader < meetings[i].leader)
                {
                    meetings[i].leader = meetings[j].leader;
                    changed = true;
                }
            }
    }
}

static void push(thud_events *events, const thudi_meeting *meeting)
{
    size_t dim = (size_t)events->dim;
    for (size_t k = 0; k < dim; k++)
    {
        double p = meeting->impulse * meeting->n[k];
        if (meeting->b >= events->count)
            events->u[dim * (size_t)meeting->a + k] += p / events->mass[meeting->a];
        else
        {
            events->u[dim * (size_t)meeting->a + k] -= p / events->mass[meeting->a];
            events->u[dim * (size_t)meeting->b + k] += p / events->mass[meeting->b];
        }
    }
}

thud_status thudi_events_impact(thud_events *events, int count)
{
    size_t m = (size_t)count;
    thudi_meeting *meetings = events->meetings.items;
    THUD_TRY(thudi_array_reserve(&events->allocator, &events->square, thud_cone_room(count)));
    thud_cone s = thud_cone_open(count, events->square.items);
    for (int i = 0; i < count; i++)
    {
        s.rate[i] = meetings[i].rate;
        for (int j = 0; j < count; j++)
            s.matrix[(size_t)i * m + (size_t)j] = coupling(events, &meetings[i], &meetings[j]);
    }
    thud_cone_project(&s);
    find_clusters(events, meetings, count);
    for (int i = 0; i < count; i++)
    {
        meetings[i].impulse = s.mu[i] * (1 + cluster_e(&s, meetings, meetings[i].leader));
        push(events, &meetings[i]);
    }
    return THUD_OK;
}
