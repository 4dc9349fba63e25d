// The proof that K is empty, or empty within reach:
//
//     sum y_i slope_i = e, sum y_i gap_i = -c < 0:  no |v|_M < c / (h |e|) in K
#include "certify/certificate.h"
#include "certify/certify.h"

#include <string.h>

thud_status thudi_certify_farkas(const thud_projection *problem, const double *y,
                                 double shift_scale, thud_rooms *rooms, thud_farkas *farkas)
{
    thudi_dd total = {0, 0};
    double sum_rounding = thudi_sum_rounding(2.0 * problem->rows->count), size = 0, sum = 0;
    const thud_rows *rows = problem->rows;
    thudi_coordinate_sum *e;
    int open = thud_rooms_count(rooms);
    *farkas = (thud_farkas){.y = y, .residual = INFINITY}; // proves nothing
    THUD_TRY(thudi_room(rooms, &e, (size_t)problem->dim, "Farkas vector: sums"));
    memset(e, 0, (size_t)problem->dim * sizeof *e);
    for (int i = 0; i < rows->count; i++)
    {
        thudi_entries row;
        if (y[i] == 0)
            continue;
        thudi_row_open(rows, i, &row);
        double gap = row.head->gap, shift = row.head->shift * shift_scale;
        total = thudi_dd_add_product(total, y[i], gap);
        total = thudi_dd_add_product(total, -y[i], shift);
        size += y[i] * (fabs(gap) + shift);
        for (int k = 0; k < row.size; k++)
        {
            thudi_coordinate_sum *at = &e[row.index[k]];
            at->impulse = thudi_dd_add_product(at->impulse, y[i], row.slope[k]);
            at->terms += fabs(y[i] * row.slope[k]);
            sum = row.slope[k] != 0 ? problem->dim * THUDI_UNDERFLOW_LIMIT
                                    : sum; // if the squares underflow
        }
    }
    for (int k = 0; k < problem->dim; k++)
    {
        double length =
            fabs(thudi_dd_value(e[k].impulse)) * THUDI_OUTWARDS + sum_rounding * e[k].terms;
        sum += length * (length / thudi_mass(problem->mass, k));
    }
    farkas->residual = sqrt(sum) * (1 + problem->dim * DBL_EPSILON) * THUDI_OUTWARDS;
    farkas->sum = thudi_dd_value(total);
    double depth = -farkas->sum / THUDI_OUTWARDS - sum_rounding * size;
    farkas->radius = depth > 0 ? depth / (problem->h * farkas->residual) / THUDI_OUTWARDS : 0;
    thud_rooms_close(rooms, open);
    return THUD_OK;
}
