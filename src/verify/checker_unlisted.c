// Rows that the solver never had. It lists what could touch by the prediction w,
//
//     g < 2 sigma + h (2 p + |w_b - w_a|) at least,      p the largest |w - u|, in first order |w|,
//                                                        up to a radius beyond 2 sigma
//
// and solves with these. Bodies that others have brought together are listed then if they end with
//
//     lin < sigma - min(sigma / 2, accuracy h p)         p = 0: sigma / 2
//
// and else let pass, however exactly the rest was solved. Such a row carries nothing and holds
// nothing. Where contacts bounce, and with obstacles, none is let pass.
#include "verify/checker.h"

#include <float.h>

// Both sides compare rounded numbers.
static const double ALMOST = 1 - 0x1p-20;

// What w - u is rounded by, in ulps of the velocities.
static const double ULPS = 4 * DBL_EPSILON;

// A row that pushes has a gap below this many times what its bodies and its wall could go in a
// step.
static const double FAR = 4;

// |x_b - x_a| of the two bodies of a row, or |x| of its one, x a velocity.
static double speed_between(const thud_row *row, const double *x)
{
    double square = 0;
    int width = row->width > 1 ? row->width : 1;
    for (int k = 0; k < width; k++)
    {
        double v = x[row->index[0] + k] - (row->count == 2 ? x[row->index[1] + k] : 0);
        square += v * v;
    }
    return sqrt(square);
}

// Was the row among those that the solver began with? False is not certain.
static bool was_listed(const thudi_checker *checker, int i, double change)
{
    thud_row_room row_room;
    thud_row row = thudi_checker_row(checker, i, &row_room);
    double together = row.count == 2 ? speed_between(&row, checker->prediction) : 0;
    double way = checker->h * (2 * change + together);
    double limit =
        2 * row.shift + fmin(way, checker->known->listing_range(&row, checker->known->user));
    return thudi_checker_memory_before(checker, i) != 0 ||
           row.gap + checker->allowed[i] < ALMOST * limit;
}

void thudi_checker_clear_far_tolerances(thudi_checker *checker)
{
    int width = checker->width;
    double change = 0;
    for (int k = 0; k < checker->dim; k += width)
        change = fmax(change, checker->h * thudi_checker_acceleration(checker, k, width));
    for (int i = 0; checker->known && i < checker->row_count; i++)
    {
        thud_row_room row_room;
        thud_row row = thudi_checker_row(checker, i, &row_room);
        if (row.count < 1 || row.count > 2)
            continue;
        double speeds = 2 * change + speed_between(&row, checker->prediction) +
                        speed_between(&row, checker->before->u) +
                        speed_between(&row, checker->after->u);
        if (checker->load[i] != 0 && row.gap > FAR * (row.shift + checker->h * speeds))
            checker->row_tolerance[i] = 0;
    }
}

void thudi_checker_raise_tolerances(thudi_checker *checker)
{
    int width = checker->width;
    double change = 0, rounding = 0;
    if (!checker->known || !(checker->def.accuracy > 0) || checker->law->needs_all_touching)
        return;
    for (int k = 0; k < checker->dim; k += width)
        change = fmax(change, checker->h * thudi_checker_acceleration(checker, k, width));
    for (int k = 0; k < checker->dim && checker->problem->order == THUD_SECOND_ORDER; k++)
        rounding =
            fmax(rounding, ULPS * (fabs(checker->prediction[k]) + fabs(checker->before->u[k])));
    double room = checker->def.accuracy * checker->h * (change + rounding);
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row_room row_room;
        thud_row row = thudi_checker_row(checker, i, &row_room);
        bool is_empty = checker->load[i] == 0 && thudi_checker_impulse(checker, i) == 0 &&
                        thudi_checker_memory_after(checker, i) == 0;
        double half = row.shift / 2, most = change <= rounding ? half : fmin(half, room);
        if (is_empty && !isinf(checker->known->listing_range(&row, checker->known->user)) &&
            !was_listed(checker, i, change))
            checker->row_tolerance[i] = fmax(checker->row_tolerance[i], most);
    }
}
