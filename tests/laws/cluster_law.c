// The law of an impact by a dense active set (Lawson and Hanson's for least squares with signs):
//
//     P_C u = u + M^-1 G^T nu,   nu = argmin over nu >= 0 of nu . A nu / 2 + nu . G u,   A = G M^-1
//     G^T
//
// It knows nothing of the library.
#include "cluster_rig.h"

#include <stdlib.h>
#include <string.h>

typedef struct dual
{
    const cluster *c;
    int contacts, count;             // rows, and those that push
    double *a;                       // A, dense
    double *factor;                  // lower, of A on the rows that push
    double r[CLUSTER_CONTACTS_MOST]; // G u-
    double nu[CLUSTER_CONTACTS_MOST];
    int pushes[CLUSTER_CONTACTS_MOST]; // which
    bool is_in[CLUSTER_CONTACTS_MOST];
} dual;

static double *entry(double *matrix, int i, int j)
{
    return matrix + (size_t)i * CLUSTER_CONTACTS_MOST + (size_t)j;
}

static void normal_of(const cluster *c, int i, double n[3])
{
    const double *a = c->at[c->pair[i][0]], *b = c->at[c->pair[i][1]];
    double length = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
                         (b[2] - a[2]) * (b[2] - a[2]));
    for (int k = 0; k < 3; k++)
        n[k] = (b[k] - a[k]) / length;
}

static void fill(dual *d)
{
    const cluster *c = d->c;
    double n[CLUSTER_CONTACTS_MOST][3];
    for (int i = 0; i < c->contacts; i++)
    {
        normal_of(c, i, n[i]);
        d->r[i] = 0;
        for (int k = 0; k < 3 && c->pair[i][1] == c->count - 1; k++)
            d->r[i] += n[i][k] * c->coming[k];
    }
    for (int i = 0; i < c->contacts; i++)
        for (int j = 0; j < c->contacts; j++)
        {
            double along = n[i][0] * n[j][0] + n[i][1] * n[j][1] + n[i][2] * n[j][2], sum = 0;
            for (int s = 0; s < 2; s++)
                for (int t = 0; t < 2; t++)
                    if (c->pair[i][s] == c->pair[j][t])
                        sum += (s == t ? along : -along) / c->mass[c->pair[i][s]];
            *entry(d->a, i, j) = sum;
        }
}

// Row `at` of the Cholesky factor, from those before.
static void extend_factor(dual *d, int at)
{
    for (int j = 0; j <= at; j++)
    {
        double sum = *entry(d->a, d->pushes[at], d->pushes[j]);
        for (int k = 0; k < j; k++)
            sum -= *entry(d->factor, at, k) * *entry(d->factor, j, k);
        *entry(d->factor, at, j) = j < at ? sum / *entry(d->factor, j, j) : sqrt(sum);
    }
}

// The multipliers of the rows that push, were there no signs, into z.
static void solve_factor(dual *d, double *z)
{
    for (int i = 0; i < d->count; i++)
    {
        z[i] = -d->r[d->pushes[i]];
        for (int k = 0; k < i; k++)
            z[i] -= *entry(d->factor, i, k) * z[k];
        z[i] /= *entry(d->factor, i, i);
    }
    for (int i = d->count - 1; i >= 0; i--)
    {
        for (int k = i + 1; k < d->count; k++)
            z[i] -= *entry(d->factor, k, i) * z[k];
        z[i] /= *entry(d->factor, i, i);
    }
}

static double gradient(const dual *d, int i)
{
    double sum = d->r[i];
    for (int k = 0; k < d->count; k++)
        sum += *entry(d->a, i, d->pushes[k]) * d->nu[d->pushes[k]];
    return sum;
}

// Let go of the rows whose multipliers have come to zero.
static void drop(dual *d)
{
    int kept = 0;
    for (int k = 0; k < d->count; k++)
        if (d->nu[d->pushes[k]] > 0)
            d->pushes[kept++] = d->pushes[k];
        else
        {
            d->nu[d->pushes[k]] = 0;
            d->is_in[d->pushes[k]] = false;
        }
    d->count = kept;
    for (int k = 0; k < kept; k++)
        extend_factor(d, k);
}

// Go to the answer of the rows that push, but no farther than signs allow.
static void settle(dual *d)
{
    for (;;)
    {
        double z[CLUSTER_CONTACTS_MOST], part = 1;
        int first = -1;
        solve_factor(d, z);
        for (int k = 0; k < d->count; k++)
        {
            double nu = d->nu[d->pushes[k]];
            if (z[k] <= 0 && nu / (nu - z[k]) < part)
            {
                part = nu / (nu - z[k]);
                first = d->pushes[k];
            }
        }
        for (int k = 0; k < d->count; k++)
            d->nu[d->pushes[k]] += part * (z[k] - d->nu[d->pushes[k]]);
        if (first < 0)
            return;
        d->nu[first] = 0;
        drop(d);
    }
}

// The row that is violated most, -1 if none is by more than rounding.
static int worst_row(const dual *d, double scale)
{
    int worst = -1;
    double least = -1e-13 * scale;
    for (int i = 0; i < d->contacts; i++)
    {
        double g = d->is_in[i] ? 0 : gradient(d, i);
        if (g < least)
        {
            least = g;
            worst = i;
        }
    }
    return worst;
}

static void write_answer(const dual *d, cluster *c, double e)
{
    memset(c->after, 0, sizeof c->after);
    memcpy(c->after[c->count - 1], c->coming, sizeof c->coming);
    for (int i = 0; i < c->contacts; i++)
    {
        double n[3];
        normal_of(c, i, n);
        for (int k = 0; k < 3; k++)
        {
            c->after[c->pair[i][0]][k] -= (1 + e) * d->nu[i] * n[k] / c->mass[c->pair[i][0]];
            c->after[c->pair[i][1]][k] += (1 + e) * d->nu[i] * n[k] / c->mass[c->pair[i][1]];
        }
    }
    c->residual = 0;
    for (int i = 0; i < c->contacts; i++)
    {
        double g = gradient(d, i);
        c->residual = fmax(c->residual, d->nu[i] > 0 ? fabs(g) : -g);
    }
}

void cluster_solve(cluster *c, double e)
{
    size_t size = (size_t)CLUSTER_CONTACTS_MOST * CLUSTER_CONTACTS_MOST * sizeof(double);
    dual d = {.c = c, .contacts = c->contacts, .a = malloc(size), .factor = malloc(size)};
    double scale = sqrt(c->coming[0] * c->coming[0] + c->coming[1] * c->coming[1] +
                        c->coming[2] * c->coming[2]);
    c->residual = INFINITY;
    if (d.a && d.factor)
    {
        fill(&d);
        for (int i, n = 0; (i = worst_row(&d, scale)) >= 0 && n < 10 * c->contacts; n++)
        {
            d.is_in[i] = true;
            d.pushes[d.count++] = i;
            extend_factor(&d, d.count - 1);
            settle(&d);
        }
        write_answer(&d, c, e);
    }
    free(d.a);
    free(d.factor);
}
