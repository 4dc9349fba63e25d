// A thin orthogonal factorisation  N = Q R  of a set of columns that come and go: classical
// Gram-Schmidt with one repetition to append, Givens rotations to drop.
#include "project/exact/orthogonal.h"

#include <math.h>
#include <string.h>

// Sums in eight interleaved lanes, so that the compiler may use vectors and every processor of the
// baseline still adds in the same order.
enum
{
    LANES = 8,
    FIRST_COLUMNS = 16 // that there is room for at first
};

static double dot(int n, const double *a, const double *b)
{
    double lane[LANES] = {0};
    int k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += a[k + l] * b[k + l];
    for (int l = 0; k < n; k++, l++)
        lane[l] += a[k] * b[k];
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
           ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

static void add_multiple(int n, double factor, const double *a, double *b)
{
    for (int k = 0; k < n; k++)
        b[k] += factor * a[k];
}

static double *column(const thudi_orthogonal *o, int j)
{
    return o->q + (size_t)j * (size_t)o->dim;
}

static double *triangle(const thudi_orthogonal *o, int j)
{
    return o->r + (size_t)j * ((size_t)j + 1) / 2;
}

thud_status thudi_orthogonal_begin(thudi_orthogonal *o, thud_rooms *rooms, int dim)
{
    *o = (thudi_orthogonal){.rooms = rooms, .dim = dim};
    return thudi_room(rooms, &o->rest, (size_t)dim, "basis: rest");
}

// A larger room for what an array holds. The old one stays open until the caller closes all.
static thud_status enlarge(thud_rooms *rooms, double **array, size_t held, size_t wanted,
                           const char *name)
{
    const double *old = *array;
    THUD_TRY(thudi_room(rooms, array, wanted, name));
    if (held > 0)
        memcpy(*array, old, held * sizeof **array);
    return THUD_OK;
}

thud_status thudi_orthogonal_reserve(thudi_orthogonal *o)
{
    if (o->count < o->room)
        return THUD_OK;
    size_t dim = (size_t)o->dim, held = (size_t)o->count,
           room = 2 * held > FIRST_COLUMNS ? 2 * held : FIRST_COLUMNS;
    if (room > dim)
        room = held < dim ? dim : held + 1;
    THUD_TRY(enlarge(o->rooms, &o->q, held * dim, room * dim, "basis: orthogonal"));
    THUD_TRY(
        enlarge(o->rooms, &o->r, held * (held + 1) / 2, room * (room + 1) / 2, "basis: triangle"));
    THUD_TRY(enlarge(o->rooms, &o->coefficient, held, room, "basis: coefficients"));
    THUD_TRY(enlarge(o->rooms, &o->correction, 0, room, "basis: corrections"));
    o->room = (int)room;
    return THUD_OK;
}

double thudi_orthogonal_split(thudi_orthogonal *o, int size, const int *index, const double *value)
{
    double *coefficient = o->coefficient, *correction = o->correction;
    double *rest = o->rest;
    int dim = o->dim;
    memset(rest, 0, (size_t)dim * sizeof *rest);
    for (int k = 0; k < size; k++)
        rest[index[k]] = value[k];
    double before = sqrt(dot(dim, rest, rest));
    for (int j = 0; j < o->count; j++)
    {
        const double *q = column(o, j);
        double sum = 0;
        for (int k = 0; k < size; k++)
            sum += q[index[k]] * value[k];
        coefficient[j] = sum;
    }
    for (int j = 0; j < o->count; j++)
        add_multiple(dim, -coefficient[j], column(o, j), rest);
    double norm = sqrt(dot(dim, rest, rest));
    // "twice is enough": repeat until little is removed, which keeps Q orthogonal to rounding
    for (int pass = 0; pass < 3 && norm < 0.7 * before && norm > 0; pass++)
    {
        for (int j = 0; j < o->count; j++)
            correction[j] = dot(dim, column(o, j), rest);
        for (int j = 0; j < o->count; j++)
        {
            add_multiple(dim, -correction[j], column(o, j), rest);
            coefficient[j] += correction[j];
        }
        before = norm;
        norm = sqrt(dot(dim, rest, rest));
    }
    return norm;
}

void thudi_orthogonal_append(thudi_orthogonal *o, double norm)
{
    double *q = column(o, o->count), *r = triangle(o, o->count);
    for (int k = 0; k < o->dim; k++)
        q[k] = o->rest[k] / norm;
    if (o->count > 0)
        memcpy(r, o->coefficient, (size_t)o->count * sizeof *r);
    r[o->count] = norm;
    o->count++;
}

// Rotate the columns a and b of Q by (c, s).
static void rotate(int n, double c, double s, double *a, double *b)
{
    for (int k = 0; k < n; k++)
    {
        double x = a[k], y = b[k];
        a[k] = c * x + s * y;
        b[k] = c * y - s * x;
    }
}

void thudi_orthogonal_drop(thudi_orthogonal *o, int j)
{
    double *cosine = o->coefficient, *sine = o->correction; // split's scratch is free
    for (int l = j + 1; l < o->count; l++)
    {
        double *r = triangle(o, l);
        for (int i = j; i < l - 1; i++) // the rotations made for earlier columns
        {
            double x = r[i], y = r[i + 1];
            r[i] = cosine[i] * x + sine[i] * y;
            r[i + 1] = cosine[i] * y - sine[i] * x;
        }
        double x = r[l - 1], y = r[l], length = sqrt(x * x + y * y);
        cosine[l - 1] = length > 0 ? x / length : 1;
        sine[l - 1] = length > 0 ? y / length : 0;
        r[l - 1] = length;
        rotate(o->dim, cosine[l - 1], sine[l - 1], column(o, l - 1), column(o, l));
        memmove(triangle(o, l - 1), r, (size_t)l * sizeof *r);
    }
    o->count--;
}

void thudi_orthogonal_solve(const thudi_orthogonal *o, double *x)
{
    for (int j = o->count - 1; j >= 0; j--)
    {
        const double *r = triangle(o, j);
        x[j] /= r[j];
        add_multiple(j, -x[j], r, x);
    }
}

void thudi_orthogonal_solve_transposed(const thudi_orthogonal *o, double *x)
{
    for (int j = 0; j < o->count; j++)
    {
        const double *r = triangle(o, j);
        x[j] = (x[j] - dot(j, r, x)) / r[j];
    }
}

void thudi_orthogonal_expand(const thudi_orthogonal *o, const double *x, double *y)
{
    memset(y, 0, (size_t)o->dim * sizeof *y);
    for (int j = 0; j < o->count; j++)
        add_multiple(o->dim, x[j], column(o, j), y);
}
