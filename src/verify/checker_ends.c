// Where the bodies end if contacts bounce: q + h x, x = w + M^-1 G^T mu with the memories for mu.
//
// The rows are judged at x, the overlaps at q'. A bounce within the step moves a body by more than
// h x, so these are two places, and a triangle without a row must be kept clear of both.
#include "checker_obstacles.h"

// Add what the memory of one row makes of x to the ends.
static void add_row(const thudi_obstacles *all, const thud_row *row, double memory, double h)
{
    for (int e = 0; e < row->count * row->width; e++)
    {
        int k = row->index[e / row->width] + e % row->width;
        all->ends[k] += h * memory * row->slope[e] / (all->mass ? all->mass[k] : 1);
    }
}

void thudi_obstacles_find_ends(thudi_obstacles *all, const thud_moment *at, thud_rows *rows)
{
    const thud_state *after = all->after;
    if (!all->ends)
        return;
    for (int k = 0; k < after->dim; k++)
        all->ends[k] = at->q[k] + at->h * at->w[k];
    thud_rows_sort(rows);
    for (int i = 0, m = 0; i < thud_rows_count(rows); i++)
    {
        thud_row row = thud_rows_get(rows, i);
        while (m < after->multiplier_count && after->multipliers[m].key < row.key)
            m++;
        if (m < after->multiplier_count && after->multipliers[m].key == row.key)
            add_row(all, &row, after->multipliers[m].memory, at->h);
    }
}
