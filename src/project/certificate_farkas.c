// The proof that K is empty, or empty within reach:
//
//     sum y_i slope_i = e, sum y_i gap_i = -c < 0:  no |v|_M < c / (h |e|) in K
#include "project/certificate.h"

#include <string.h>

void thudi_certify_farkas(const thud_projection *problem, const double *y, double shift_scale,
                          thud_projector *projector, thud_farkas *farkas)
{
    thudi_dd total = {0, 0};
    double size = 0, sum = 0;
    const thud_rows *rows = problem->rows;
    *farkas = (thud_farkas){.y = y, .residual = INFINITY}; // proves nothing
    if (thudi_array_reserve(&projector->allocator, &projector->push, (size_t)problem->dim) < 0)
    {
        projector->lacks_memory = true;
        return;
    }
    thudi_coordinate_sum *e = projector->push.items;
    memset(e, 0, (size_t)problem->dim * sizeof *e);
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6];
        const int *index = thudi_row_index(rows, row, room);
        const double *slope = rows->slope.items + row->first;
        if (y[i] == 0)
            continue;
        total = thudi_dd_add_product(total, y[i], row->gap);
        total = thudi_dd_add_product(total, -y[i], row->shift * shift_scale);
        size += y[i] * (fabs(row->gap) + row->shift * shift_scale);
        for (int k = 0; k < row->size; k++)
        {
            thudi_coordinate_sum *at = &e[index[k]];
            at->push = thudi_dd_add_product(at->push, y[i], slope[k]);
            at->terms += fabs(y[i] * slope[k]);
        }
    }
    for (int k = 0; k < problem->dim; k++)
    {
        double length = fabs(thudi_dd_value(e[k].push)) * THUDI_OUTWARDS + THUDI_TINY * e[k].terms;
        sum += length * (length / thudi_mass(problem, k));
    }
    farkas->residual = sqrt(sum) * (1 + problem->dim * DBL_EPSILON) * THUDI_OUTWARDS;
    farkas->sum = thudi_dd_value(total);
    double depth = -farkas->sum / THUDI_OUTWARDS - THUDI_TINY * size;
    farkas->radius = depth > 0 ? depth / (problem->h * farkas->residual) / THUDI_OUTWARDS : 0;
}
