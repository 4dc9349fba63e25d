// The projection in 113-bit arithmetic: Goldfarb and Idnani's method, written for clarity alone.
#include "quad.h"

#include <math.h>
#include <stdlib.h>

/// The active rows n_0, n_1, ... as  n_j = sum_l r[l][j] base_l,  base orthonormal, r triangular.
typedef struct face
{
    int dim, size;
    int *row;
    quad *base, *r; ///< r is stored by rows of length dim
    quad *z;        ///< multipliers of the active rows
} face;

quad quad_sqrt(quad square)
{
    if (!(square > 0))
        return 0;
    quad root = sqrt((double)square);
    for (int pass = 0; pass < 3; pass++)
        root = (root + square / root) / 2;
    return root;
}

static quad *quads(size_t count)
{
    quad *block = calloc(count + 1, sizeof *block);
    if (!block)
        abort();
    return block;
}

static void set_row(quad_problem *q, const problem *p, int i, quad gap)
{
    quad *a = q->a + (size_t)i * (size_t)q->dim, square = 0;
    for (int k = 0; k < q->dim; k++)
    {
        a[k] = problem_slope(p, i)[k] / q->root[k];
        square += a[k] * a[k];
    }
    q->norm[i] = quad_sqrt(square);
    for (int k = 0; k < q->dim && square > 0; k++)
        a[k] /= q->norm[i];
    q->b[i] = square > 0 ? gap / (p->h * q->norm[i]) : gap;
}

quad_problem *quad_problem_create(const problem *p, const quad *gap)
{
    size_t d = (size_t)p->dim, n = (size_t)p->count;
    quad_problem *q = calloc(1, sizeof *q);
    if (!q)
        abort();
    q->dim = p->dim;
    q->count = p->count;
    q->a = quads(n * d + 2 * n + 2 * d);
    q->b = q->a + n * d;
    q->norm = q->b + n;
    q->start = q->norm + n;
    q->root = q->start + d;
    for (int k = 0; k < p->dim; k++)
    {
        q->root[k] = quad_sqrt(p->mass[k]);
        q->start[k] = q->root[k] * p->w[k];
    }
    for (int i = 0; i < p->count; i++)
        set_row(q, p, i, gap[i]);
    return q;
}

void quad_problem_destroy(quad_problem *q)
{
    if (q)
        free(q->a);
    free(q);
}

quad quad_row(const quad_problem *q, int i, const quad *x)
{
    const quad *a = q->a + (size_t)i * (size_t)q->dim;
    quad sum = q->b[i];
    for (int k = 0; k < q->dim; k++)
        sum += a[k] * x[k];
    return sum;
}

static quad length(const quad *x, int n)
{
    quad square = 0;
    for (int k = 0; k < n; k++)
        square += x[k] * x[k];
    return quad_sqrt(square);
}

static face face_create(int dim)
{
    size_t d = (size_t)dim;
    face f = {.dim = dim, .row = calloc(d + 1, sizeof *f.row), .base = quads(2 * d * d + d)};
    if (!f.row)
        abort();
    f.r = f.base + d * d;
    f.z = f.r + d * d;
    return f;
}

static quad *face_base(const face *f, int l)
{
    return f->base + (size_t)l * (size_t)f->dim;
}

static void face_destroy(face *f)
{
    free(f->row);
    free(f->base);
}

// away = n less its part in the face, part[l] = base_l . n; twice, for full accuracy.
static void split(const face *f, const quad *n, quad *away, quad *part)
{
    for (int k = 0; k < f->dim; k++)
        away[k] = n[k];
    for (int l = 0; l < f->size; l++)
        part[l] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int l = 0; l < f->size; l++)
        {
            const quad *base = face_base(f, l);
            quad c = 0;
            for (int k = 0; k < f->dim; k++)
                c += base[k] * away[k];
            for (int k = 0; k < f->dim; k++)
                away[k] -= c * base[k];
            part[l] += c;
        }
}

static void back_substitute(const face *f, const quad *part, quad *c)
{
    for (int l = f->size - 1; l >= 0; l--)
    {
        quad sum = part[l];
        for (int j = l + 1; j < f->size; j++)
            sum -= f->r[l * f->dim + j] * c[j];
        c[l] = sum / f->r[l * f->dim + l];
    }
}

static void face_add(face *f, int row, quad z, const quad *away, const quad *part, quad size)
{
    int s = f->size++;
    for (int l = 0; l < s; l++)
        f->r[l * f->dim + s] = part[l];
    f->r[s * f->dim + s] = size;
    for (int k = 0; k < f->dim; k++)
        face_base(f, s)[k] = away[k] / size;
    f->row[s] = row;
    f->z[s] = z;
}

// Turn base vectors l and l + 1 so that r[l + 1][l] vanishes.
static void turn(face *f, int l)
{
    quad *top = f->r + (size_t)l * (size_t)f->dim, *low = top + f->dim;
    quad size = quad_sqrt(top[l] * top[l] + low[l] * low[l]), c = top[l] / size, s = low[l] / size;
    quad *p = face_base(f, l), *n = p + f->dim;
    for (int j = l; j < f->size; j++)
    {
        quad t = c * top[j] + s * low[j];
        low[j] = c * low[j] - s * top[j];
        top[j] = t;
    }
    for (int k = 0; k < f->dim; k++)
    {
        quad t = c * p[k] + s * n[k];
        n[k] = c * n[k] - s * p[k];
        p[k] = t;
    }
}

static void face_drop(face *f, int out)
{
    for (int j = out; j + 1 < f->size; j++)
    {
        f->row[j] = f->row[j + 1];
        f->z[j] = f->z[j + 1];
        for (int l = 0; l <= j + 1; l++)
            f->r[l * f->dim + j] = f->r[l * f->dim + j + 1];
    }
    f->size--;
    for (int l = out; l < f->size; l++)
        turn(f, l);
}

static bool is_active(const face *f, int i)
{
    for (int j = 0; j < f->size; j++)
        if (f->row[j] == i)
            return true;
    return false;
}

// The row most violated beyond rounding, or -1.
static int worst_row(const quad_problem *q, const face *f, const quad *x)
{
    quad worst = 0, size = length(x, q->dim) + length(q->start, q->dim);
    int found = -1;
    for (int i = 0; i < q->count; i++)
    {
        quad s = quad_row(q, i, x);
        if (s < worst && s < -1e-30 * (size + quad_abs(q->b[i])) && !is_active(f, i))
        {
            worst = s;
            found = i;
        }
    }
    return found;
}

// One row enters, others may leave. False: no step is possible, or there is no end to it.
static bool enter(const quad_problem *q, face *f, int row, quad *x, quad *work, int *budget)
{
    quad *away = work, *part = work + q->dim, *c = part + q->dim, z = 0;
    while ((*budget)-- > 0)
    {
        split(f, q->a + (size_t)row * (size_t)q->dim, away, part);
        back_substitute(f, part, c);
        quad size = length(away, q->dim), s = quad_row(q, row, x), step = -1;
        bool is_free = size > 1e-29;
        int out = -1;
        if (is_free)
            step = -s / (size * size);
        for (int j = 0; j < f->size; j++)
            if (c[j] > 0 && (step < 0 || f->z[j] / c[j] < step))
            {
                step = f->z[j] / c[j];
                out = j;
            }
        if (step < 0)
            return false;
        for (int k = 0; is_free && k < q->dim; k++)
            x[k] += step * away[k];
        for (int j = 0; j < f->size; j++)
            f->z[j] = f->z[j] > step * c[j] ? f->z[j] - step * c[j] : 0;
        z += step;
        if (out < 0)
        {
            face_add(f, row, z, away, part, size);
            return true;
        }
        face_drop(f, out);
    }
    return false;
}

// x from z alone, then the violations and the bound |x - P x0| <= sqrt(sum z_i |s_i|) they give.
static void judge(const quad_problem *q, const face *f, quad_solution *s)
{
    quad sum = 0;
    for (int k = 0; k < q->dim; k++)
        s->x[k] = q->start[k];
    for (int j = 0; j < f->size; j++)
    {
        s->z[f->row[j]] = f->z[j];
        for (int k = 0; k < q->dim; k++)
            s->x[k] += f->z[j] * q->a[(size_t)f->row[j] * (size_t)q->dim + (size_t)k];
    }
    for (int i = 0; i < q->count; i++)
    {
        quad lin = quad_row(q, i, s->x);
        s->violation[i] = lin < 0 ? -lin : 0;
        sum += s->z[i] * quad_abs(lin);
    }
    s->bound = quad_sqrt(sum);
}

// How far x is from the face: n_j . d = lin_j with d = sum_l c_l base_l, by substitution. Where a
// row outside the face is violated by more than rounding the face is not known to be the right one.
static quad doubt_of(const quad_problem *q, const face *f, const quad_solution *s)
{
    quad *c = quads((size_t)f->size), size = length(s->x, q->dim) + length(q->start, q->dim);
    for (int j = 0; j < f->size; j++)
    {
        c[j] = quad_row(q, f->row[j], s->x);
        for (int l = 0; l < j; l++)
            c[j] -= f->r[l * f->dim + j] * c[l];
        c[j] /= f->r[j * f->dim + j];
    }
    quad doubt = length(c, f->size);
    for (int i = 0; i < q->count; i++)
        if (!is_active(f, i) && s->violation[i] > 1e-32 * (size + quad_abs(q->b[i])))
            doubt = s->bound;
    free(c);
    return doubt;
}

quad_solution *quad_solve(const quad_problem *q)
{
    quad_solution *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->x = quads((size_t)q->dim + 2 * (size_t)q->count);
    s->z = s->x + q->dim;
    s->violation = s->z + q->count;
    face f = face_create(q->dim);
    quad *work = quads(3 * (size_t)q->dim);
    int budget = 50 * (q->dim + q->count), row;
    for (int k = 0; k < q->dim; k++)
        s->x[k] = q->start[k];
    s->is_solved = true;
    while (s->is_solved && (row = worst_row(q, &f, s->x)) >= 0)
        s->is_solved = q->norm[row] > 0 && enter(q, &f, row, s->x, work, &budget);
    judge(q, &f, s);
    s->doubt = doubt_of(q, &f, s);
    free(work);
    face_destroy(&f);
    return s;
}

void quad_solution_destroy(quad_solution *s)
{
    if (s)
        free(s->x);
    free(s);
}
