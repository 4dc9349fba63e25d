// Lawson and Hanson's method for the multipliers of a projection onto a cone: exact after finitely
// many rounds.
#include "thud/events.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double DEPENDENT = 1e-12; // a pivot below this part of its diagonal
static const double ACTIVE = 1e-13;    // a rate this far below 0, of the largest, is approaching

size_t thud_cone_room(int count)
{
    size_t m = (size_t)count;
    return 2 * m * m + 5 * m + 1;
}

thud_cone thud_cone_open(int count, double *room)
{
    size_t m = (size_t)count;
    memset(room, 0, thud_cone_room(count) * sizeof *room);
    thud_cone s = {.count = count, .matrix = room, .factor = room + m * m};
    s.rate = room + 2 * m * m;
    s.mu = s.rate + m;
    s.z = s.mu + m;
    s.slack = s.z + m;
    s.passive = s.slack + m;
    return s;
}

// Cholesky of the passive part, in place; dependent contacts are given no impulse.
static void solve_passive(thud_cone *s)
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
static int most_violated(thud_cone *s, double scale)
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
static bool step_back(thud_cone *s)
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

void thud_cone_project(thud_cone *s)
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
