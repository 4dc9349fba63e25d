// How far bodies reach in a step, e_i = h |u'_i| + margin, by all ways that they may go. In a
// periodic cell pairs count velocities beside the mean, so that e_i is shorter than a period.
#include "verify/spheres/checker_search.h"

#include <math.h>
#include <string.h>

// Pairs this near, in radii of the smaller, are looked at whatever their speed: to know the
// smallest gap.
static const double MARGIN = 1e-2;

// Three ways that a body may go in a step: h u', and if the law has a displacement of its own this
// one and h w, as x is between them.
static void travels_of(const thudi_search *s, int body, const thud_moment *at, double way[3][3])
{
    memset(way, 0, 9 * sizeof(double));
    for (int k = 0; k < s->def->dim && k < 3; k++)
    {
        size_t e = (size_t)s->def->dim * (size_t)body + (size_t)k;
        way[0][k] = at->h * s->after->u[e];
        if (!s->law->has_own_displacement)
            continue;
        way[1][k] = s->after->q[e] - s->before->q[e];
        way[2][k] = at->h * at->w[e];
    }
}

// The longest of them, beside what all have in common.
static double longest(double way[3][3], double common[3][3])
{
    double most = 0;
    for (int n = 0; n < 3; n++)
    {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += (way[n][k] - common[n][k]) * (way[n][k] - common[n][k]);
        most = sum > most * most || isnan(sum) ? sqrt(sum) : most;
    }
    return most;
}

static void average(thudi_search *s, const thudi_sight *sight, const thud_moment *at)
{
    double way[3][3];
    memset(s->mean, 0, sizeof s->mean);
    for (int i = 0; i < s->def->count && sight->cell_at.is_closed; i++)
    {
        travels_of(s, i, at, way);
        for (int n = 0; n < 9; n++)
            s->mean[n / 3][n % 3] += way[n / 3][n % 3] / s->def->count;
    }
}

bool thudi_search_find_reach(thudi_search *s, const thudi_sight *sight, const thud_moment *at)
{
    double none[3][3] = {{0}}, way[3][3];
    average(s, sight, at);
    for (int i = 0; i < s->def->count; i++)
    {
        double r = sight->radius[i] * (1 + MARGIN);
        travels_of(s, i, at, way);
        s->extent[i] = r + longest(way, none);
        s->apart[i] = r + longest(way, s->mean);
        if (!(sight->radius[i] > 0) || !isfinite(s->extent[i]) || !isfinite(s->apart[i]) ||
            !(s->apart[i] < sight->cell_at.shortest))
            return false;
    }
    return true;
}
