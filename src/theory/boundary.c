// Is a position in the interior of all constraints, and is the velocity admissible if it is not?
#include "theory/theory.h"

static const double TOUCH = 1e-9; // of the length

bool thud_row_touches(const thud_row *row, double length)
{
    double largest = 0;
    int size = row->count * (row->width > 1 ? row->width : 1);
    for (int k = 0; k < size; k++)
        largest = fabs(row->slope[k]) > largest ? fabs(row->slope[k]) : largest;
    return row->gap <= 2 * row->shift + TOUCH * length * largest;
}

// grad g . u
static double along(const thud_rows *rows, int i, const double *u)
{
    const thudi_row_head *row = &rows->heads.items[i];
    double sum = 0;
    for (int k = 0; k < thudi_row_size(row); k++)
        sum += thudi_row_slope(rows, row, k) * u[thudi_row_coordinate(rows, row, k)];
    return sum;
}

static void compare_rows(const thud_rows *now, const thud_rows *later, const thud_site *site,
                         const double *u, thud_boundary *boundary)
{
    int j = 0;
    *boundary = (thud_boundary){.gap = {.value = INFINITY}, .approach = {.value = -INFINITY}};
    for (int i = 0; i < now->count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(now, i, &room);
        if (!(row.gap >= boundary->gap.value))
            boundary->gap = (thud_extreme){row.gap, row.key};
        if (!thud_row_touches(&row, site->length))
            continue;
        while (j < later->count && thud_key_before(later->heads.items[j].key, row.key))
            j++;
        bool found = j < later->count && thud_key_same(later->heads.items[j].key, row.key);
        double moved = found ? (later->heads.items[j].gap - row.gap) / site->h : 0;
        boundary->touching++;
        thudi_raise(&boundary->approach, -(moved + along(now, i, u)), row.key);
    }
}

thud_status thud_boundary_measure(const thud_inclusion *problem, const thud_site *site,
                                  const double *u, thud_boundary *boundary)
{
    thud_rows *now = NULL, *later = NULL;
    thud_site after = *site;
    after.t = site->t + site->h;
    thud_status status = thud_rows_create(problem->dim, site->allocator, &now);
    if (status >= 0)
        status = thud_rows_create(problem->dim, site->allocator, &later);
    if (status >= 0)
        status = thud_site_rows(problem, site, now);
    if (status >= 0)
        status = thud_site_rows(problem, &after, later);
    if (status >= 0)
        compare_rows(now, later, site, u, boundary);
    thud_rows_destroy(now);
    thud_rows_destroy(later);
    return status;
}
