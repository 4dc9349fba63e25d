// A4 and convexity: the Hessian of every constraint, by differences of gradients.
//
// Coordinates that no row has in common get one colour and are moved together: one evaluation then
// gives a column of many Hessians, whatever their number. A pack of spheres needs some 50.
#include "theory/theory.h"

#include <string.h>

static const double PART_OF_LENGTH = 1e-5; // that coordinates are moved by
static const double ROUNDING = 1e-5;       // of the largest eigenvalue: not to be called concave
static const double STRAIGHT = 1e-9;       // of a slope: its change over the length, by rounding

typedef struct probe
{
    const thud_inclusion *problem;
    const thud_site *site;
    const thud_rows *rows; // at the site
    thud_allocator allocator;
    thud_rows *moved[2];
    THUDI_ARRAY(int) colour;        // of every coordinate; -1: in no row
    THUDI_ARRAY(int) first, member; // rows of every coordinate: member[first[k] .. first[k + 1])
    THUDI_ARRAY(int) seen;          // by colour: the coordinate that saw it last
    THUDI_ARRAY(size_t) start;      // of every row's Hessian; SIZE_MAX: too large
    THUDI_ARRAY(bool) is_whole;
    THUDI_ARRAY(double) hessian, q;
    int colours;
} probe;

static thud_status reserve(probe *p)
{
    size_t dim = (size_t)p->problem->dim, count = (size_t)p->rows->count, entries = 0, total = 0;
    const thud_allocator *from = &p->allocator;
    THUD_TRY(thudi_array_reserve(from, &p->start, count + 1));
    THUD_TRY(thudi_array_reserve(from, &p->is_whole, count + 1));
    for (size_t i = 0; i < count; i++)
    {
        size_t size = (size_t)thudi_row_size(&p->rows->heads.items[i]);
        p->is_whole.items[i] = size <= THUDI_DENSE_LIMIT;
        p->start.items[i] = total;
        entries += size;
        total += p->is_whole.items[i] ? size * size : 0;
    }
    THUD_TRY(thudi_array_reserve(from, &p->hessian, total + 1));
    memset(p->hessian.items, 0, total * sizeof *p->hessian.items);
    THUD_TRY(thudi_array_reserve(from, &p->colour, dim));
    THUD_TRY(thudi_array_reserve(from, &p->seen, dim + 1));
    THUD_TRY(thudi_array_reserve(from, &p->first, dim + 2));
    THUD_TRY(thudi_array_reserve(from, &p->member, entries + 1));
    THUD_TRY(thudi_array_reserve(from, &p->q, dim));
    THUD_TRY(thud_rows_create(p->problem->dim, from, &p->moved[0]));
    return thud_rows_create(p->problem->dim, from, &p->moved[1]);
}

static void list_members(probe *p)
{
    int dim = p->problem->dim, *first = p->first.items;
    memset(first, 0, ((size_t)dim + 2) * sizeof *first);
    for (int i = 0; i < p->rows->count; i++)
        for (int e = 0; e < thudi_row_size(&p->rows->heads.items[i]) && p->is_whole.items[i]; e++)
            first[thudi_row_coordinate(p->rows, &p->rows->heads.items[i], e) + 2]++;
    for (int k = 0; k < dim; k++)
        first[k + 2] += first[k + 1];
    for (int i = 0; i < p->rows->count; i++)
        for (int e = 0; e < thudi_row_size(&p->rows->heads.items[i]) && p->is_whole.items[i]; e++)
            p->member
                .items[first[thudi_row_coordinate(p->rows, &p->rows->heads.items[i], e) + 1]++] = i;
}

// The first colour that no coordinate has which shares a row with k.
static int free_colour(probe *p, int k)
{
    for (int m = p->first.items[k]; m < p->first.items[k + 1]; m++)
    {
        const thudi_row_head *row = &p->rows->heads.items[p->member.items[m]];
        for (int e = 0; e < thudi_row_size(row); e++)
        {
            int colour = p->colour.items[thudi_row_coordinate(p->rows, row, e)];
            if (colour >= 0)
                p->seen.items[colour] = k;
        }
    }
    int colour = 0;
    while (colour < p->colours && p->seen.items[colour] == k)
        colour++;
    return colour;
}

static void choose_colours(probe *p)
{
    int dim = p->problem->dim;
    for (int k = 0; k < dim; k++)
        p->colour.items[k] = p->seen.items[k] = -1;
    for (int k = 0; k < dim; k++)
    {
        if (p->first.items[k] == p->first.items[k + 1])
            continue;
        p->colour.items[k] = free_colour(p, k);
        p->colours = p->colour.items[k] >= p->colours ? p->colour.items[k] + 1 : p->colours;
    }
}

static thud_status move(probe *p, int colour, double way, thud_rows *rows)
{
    thud_site there = *p->site;
    for (int k = 0; k < p->problem->dim; k++)
        p->q.items[k] = p->site->q[k] + (p->colour.items[k] == colour ? way : 0);
    there.q = p->q.items;
    return thud_site_rows(p->problem, &there, rows);
}

// Go to the row of this key, or behind it; rows are sorted.
static bool find(const thud_rows *rows, const thudi_row_head *like, int *at)
{
    while (*at < rows->count && thud_key_before(rows->heads.items[*at].key, like->key))
        ++*at;
    return *at < rows->count && thud_key_same(rows->heads.items[*at].key, like->key) &&
           thudi_row_size(&rows->heads.items[*at]) == thudi_row_size(like);
}

// From the slopes of row i at both places, where it has the numbers at[0] and at[1].
static void write_column(probe *p, int i, int column, const int at[2], double way)
{
    const thudi_row_head *row = &p->rows->heads.items[i];
    double *a = p->hessian.items + p->start.items[i];
    int c = thudi_row_coordinate(p->rows, row, column), size = thudi_row_size(row);
    thudi_entries low, high;
    thudi_row_open(p->moved[0], at[0], &low);
    thudi_row_open(p->moved[1], at[1], &high);
    for (int e = 0; e < size; e++)
    {
        int k = thudi_row_coordinate(p->rows, row, e);
        double scale = sqrt(thudi_mass(p->problem->mass, k) * thudi_mass(p->problem->mass, c));
        a[e * size + column] = (high.slope[e] - low.slope[e]) / (2 * way) / scale;
    }
}

static void read_columns(probe *p, int colour, double way)
{
    int at[2] = {0, 0};
    for (int i = 0; i < p->rows->count; i++)
    {
        const thudi_row_head *row = &p->rows->heads.items[i];
        int column = 0, size = thudi_row_size(row);
        while (column < size &&
               p->colour.items[thudi_row_coordinate(p->rows, row, column)] != colour)
            column++;
        if (!p->is_whole.items[i] || column == size)
            continue;
        bool found = find(p->moved[0], row, &at[0]) && find(p->moved[1], row, &at[1]);
        p->is_whole.items[i] = found;
        if (found)
            write_column(p, i, column, at, way);
    }
}

static void read_eigenvalues(probe *p, thud_bounds *bounds)
{
    for (int i = 0; i < p->rows->count; i++)
    {
        const thudi_row_head *row = &p->rows->heads.items[i];
        double *a = p->hessian.items + p->start.items[i], least, largest;
        int size = thudi_row_size(row);
        bounds->unknown += !p->is_whole.items[i];
        if (!p->is_whole.items[i] || size == 0)
            continue;
        for (int e = 0; e < size; e++)
            for (int c = 0; c < e; c++)
                a[e * size + c] = a[c * size + e] = (a[e * size + c] + a[c * size + e]) / 2;
        thudi_symmetric_range(a, size, &least, &largest);
        double most = -least > largest ? -least : largest;
        thudi_raise(&bounds->curvature, isnan(least) ? NAN : most, row->key);
        double slope = thudi_slope_norm(p->problem, p->rows, i);
        if (least < -ROUNDING * most && -least * p->site->length > STRAIGHT * slope &&
            least < bounds->concavity.value)
            bounds->concavity = (thud_extreme){least, row->key};
    }
}

static thud_status measure(probe *p, thud_bounds *bounds)
{
    double way = PART_OF_LENGTH * p->site->length;
    THUD_TRY(reserve(p));
    list_members(p);
    choose_colours(p);
    for (int colour = 0; colour < p->colours; colour++)
    {
        THUD_TRY(move(p, colour, -way, p->moved[0]));
        THUD_TRY(move(p, colour, way, p->moved[1]));
        read_columns(p, colour, way);
    }
    read_eigenvalues(p, bounds);
    return THUD_OK;
}

thud_status thudi_curvature_measure(const thud_inclusion *problem, const thud_site *site,
                                    const thud_rows *rows, thud_bounds *bounds)
{
    probe p = {.problem = problem, .site = site, .rows = rows};
    p.allocator = thudi_allocator_or_default(site->allocator);
    thud_status status = measure(&p, bounds);
    thudi_array_free(&p.allocator, &p.colour);
    thudi_array_free(&p.allocator, &p.first);
    thudi_array_free(&p.allocator, &p.member);
    thudi_array_free(&p.allocator, &p.seen);
    thudi_array_free(&p.allocator, &p.start);
    thudi_array_free(&p.allocator, &p.is_whole);
    thudi_array_free(&p.allocator, &p.hessian);
    thudi_array_free(&p.allocator, &p.q);
    thud_rows_destroy(p.moved[0]);
    thud_rows_destroy(p.moved[1]);
    return status;
}
