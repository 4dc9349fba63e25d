// Impacts of the event-driven reference: P_C(u-) by nonnegative least squares over the closed
// contacts, in the metric of the masses, then the restitution of every cluster.
#include "events_parts.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-12; // a pivot below this part of its diagonal
static const double ACTIVE = 1e-13;    // a rate this far below 0, of the largest, is approaching

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

// The system of the passive contacts: A z = -rate on the passive set, z = 0 elsewhere.
typedef struct solver
{
    int count;
    double *matrix, *factor, *rate, *mu, *z, *slack; // matrix and factor are count by count
    double *passive;                                 // 1 or 0
} solver;

// Cholesky of the passive part, in place; dependent contacts are given no impulse.
static void solve_passive(solver *s)
{
    int m = s->count;
    for (int i = 0; i < m; i++)
    {
        double *row = s->factor + (size_t)i * (size_t)m;
        double sum = 0;
        for (int j = 0; j <= i; j++)
        {
            const double *other = s->factor + (size_t)j * (size_t)m;
            sum = s->matrix[(size_t)i * (size_t)m + (size_t)j] * s->passive[i] * s->passive[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = other[j] > 0 ? sum / other[j] : 0;
        }
        double whole = s->matrix[(size_t)i * (size_t)m + (size_t)i];
        row[i] = sum > DEPENDENT * whole ? sqrt(sum) : 0;
        double right = -s->rate[i];
        for (int k = 0; k < i; k++)
            right -= row[k] * s->z[k];
        s->z[i] = row[i] > 0 ? right / row[i] : 0;
    }
    for (int i = m - 1; i >= 0; i--)
    {
        double pivot = s->factor[(size_t)i * (size_t)m + (size_t)i], right = s->z[i];
        for (int k = i + 1; k < m; k++)
            right -= s->factor[(size_t)k * (size_t)m + (size_t)i] * s->z[k];
        s->z[i] = pivot > 0 ? right / pivot : 0;
    }
}

// The contact that approaches most after the impulses mu, -1 if none does.
static int most_violated(solver *s, double scale)
{
    int m = s->count, worst = -1;
    double least = -ACTIVE * scale;
    for (int i = 0; i < m; i++)
    {
        s->slack[i] = s->rate[i];
        for (int k = 0; k < m; k++)
            s->slack[i] += s->matrix[(size_t)i * (size_t)m + (size_t)k] * s->mu[k];
        if (s->passive[i] == 0 && s->slack[i] < least)
        {
            least = s->slack[i];
            worst = i;
        }
    }
    return worst;
}

// Go from mu towards z as far as no impulse turns negative; false when z was reached.
static bool step_back(solver *s)
{
    double part = 1;
    int blocked = -1;
    for (int i = 0; i < s->count; i++)
        if (s->passive[i] != 0 && s->z[i] <= 0 && s->mu[i] <= part * (s->mu[i] - s->z[i]))
        {
            part = s->mu[i] > 0 ? s->mu[i] / (s->mu[i] - s->z[i]) : 0;
            blocked = i;
        }
    for (int i = 0; i < s->count; i++)
        s->mu[i] = s->passive[i] != 0 ? s->mu[i] + part * (s->z[i] - s->mu[i]) : 0;
    if (blocked >= 0)
        s->mu[blocked] = s->passive[blocked] = 0;
    return blocked >= 0;
}

// The multipliers of the projection: Lawson and Hanson's method, exact after finitely many rounds.
static void project(solver *s)
{
    double scale = 0;
    for (int i = 0; i < s->count; i++)
        scale = fmax(scale, fabs(s->rate[i]));
    for (int round = 0; round < 10 * s->count + 10; round++)
    {
        int enter = most_violated(s, scale);
        if (enter < 0)
            return;
        s->passive[enter] = 1;
        do
            solve_passive(s);
        while (step_back(s));
    }
}

// One e per cluster of bodies that closed contacts join; walls do not join.
static double cluster_e(const solver *s, const thudi_meeting *meetings, int leader)
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
    size_t m = (size_t)count, room = 2 * m * m + 5 * m;
    thudi_meeting *meetings = events->meetings.items;
    THUD_TRY(thudi_array_reserve(&events->allocator, &events->square, room + 1));
    double *at = events->square.items;
    memset(at, 0, room * sizeof *at);
    solver s = {.count = count, .matrix = at, .factor = at + m * m, .rate = at + 2 * m * m};
    s.mu = s.rate + m;
    s.z = s.mu + m;
    s.slack = s.z + m;
    s.passive = s.slack + m;
    for (int i = 0; i < count; i++)
    {
        s.rate[i] = meetings[i].rate;
        for (int j = 0; j < count; j++)
            s.matrix[(size_t)i * m + (size_t)j] = coupling(events, &meetings[i], &meetings[j]);
    }
    project(&s);
    find_clusters(events, meetings, count);
    for (int i = 0; i < count; i++)
    {
        meetings[i].impulse = s.mu[i] * (1 + cluster_e(&s, meetings, meetings[i].leader));
        push(events, &meetings[i]);
    }
    return THUD_OK;
}
