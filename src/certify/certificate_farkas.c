// The proof that K is empty, or empty within reach:
//
//     sum y_i slope_i = e, sum y_i gap_i = -c < 0:  no |v|_M < c / (h |e|) in K
#include "certify/certificate.h"
#include "certify/certify.h"

#include <string.h>

thud_status thudi_certify_farkas(const thud_projection *problem, const double *y,
                                 double shift_scale, thud_rooms *rooms, thud_farkas *farkas)
{
    thudi_exact_four sums; // of y_i gap_i, and of e_k^2 / m_k
    double sum_rounding = thudi_sum_rounding(problem->rows->count), underflow = 0, values[4];
    const thud_rows *rows = problem->rows;
    thudi_coordinate_sum *e;
    int open = thud_rooms_count(rooms);
    *farkas = (thud_farkas){.y = y, .residual = INFINITY}; // proves nothing
    THUD_TRY(thudi_room(rooms, &e, (size_t)problem->dim, "Farkas vector: sums"));
    memset(e, 0, (size_t)problem->dim * sizeof *e);
    thudi_exact_four_clear(&sums);
    for (int i = 0; i < rows->count; i++)
    {
        thudi_entries row;
        if (y[i] == 0)
            continue;
        thudi_row_open(rows, i, &row);
        double gap = row.head->gap, shift = row.head->shift * shift_scale;
        thudi_dd open_part = thudi_two_product(y[i], gap), kept = thudi_two_product(-y[i], shift);
        thudi_exact_four_add(&sums, (four){open_part.hi, 0, 0, 0});
        thudi_exact_four_add(&sums, (four){open_part.lo, 0, 0, 0});
        thudi_exact_four_add(&sums, (four){kept.hi, 0, 0, 0});
        thudi_exact_four_add(&sums, (four){kept.lo, 0, 0, 0});
        for (int k = 0; k < row.size; k++)
        {
            thudi_coordinate_sum *at = &e[row.index[k]];
            at->impulse = thudi_dd_add_product(at->impulse, y[i], row.slope[k]);
            at->terms += fabs(y[i] * row.slope[k]);
            if (row.slope[k] != 0)
                underflow = problem->dim * THUDI_UNDERFLOW_LIMIT; // if the squares underflow
        }
    }
    for (int k = 0; k < problem->dim; k++)
    {
        double length =
            fabs(thudi_dd_value(e[k].impulse)) * THUDI_OUTWARDS + sum_rounding * e[k].terms;
        double square = length * (length / thudi_mass(problem->mass, k));
        thudi_exact_four_add(&sums, (four){0, square, 0, 0});
    }
    thudi_exact_four_values(&sums, values);
    farkas->residual = sqrt(values[1] + underflow) * THUDI_OUTWARDS;
    farkas->sum = values[0];
    double depth = -farkas->sum / THUDI_OUTWARDS - rows->count * THUDI_UNDERFLOWN;
    farkas->radius = depth > 0 ? depth / (problem->h * farkas->residual) / THUDI_OUTWARDS : 0;
    thud_rooms_close(rooms, open);
    return THUD_OK;
}
