// Is there a velocity that keeps every shift? From x every row that is violated is projected onto,
// in the metric of M, in turn: what ends without a violation is one. A solver that kept less than
// its shifts there did so without need.
#include "verify/checker.h"

enum
{
    MOST_SWEEPS = 2000
};

// Kept by this much more, so that no rounding makes room where there is none.
static const double MORE = 1 + 1e-6;

// A push goes a little too far, so that no rounding leaves a row violated for ever.
static const double BEYOND = 1 + 1e-9;

// Move v to where row i keeps its shift; false if it cannot.
static bool keep_row(thudi_checker *checker, int i, double *v, bool *moved)
{
    thud_row_room room;
    thud_row row = thudi_checker_row(checker, i, &room);
    double lin = row.gap, square = 0;
    for (int e = 0; e < thudi_row_length(&row); e++)
    {
        int k = thudi_row_coordinate(&row, e);
        lin += checker->h * row.slope[e] * v[k];
        square += row.slope[e] * row.slope[e] / thudi_checker_mass(checker, k);
    }
    double missing = row.shift * MORE - lin;
    if (missing <= 0)
        return true;
    if (!(square > 0))
        return false;
    *moved = true;
    double push = missing * BEYOND / (checker->h * square);
    for (int e = 0; e < thudi_row_length(&row); e++)
    {
        int k = thudi_row_coordinate(&row, e);
        v[k] += push * row.slope[e] / thudi_checker_mass(checker, k);
    }
    return true;
}

bool thudi_checker_has_room(thudi_checker *checker)
{
    double *v = (double *)checker->total;
    bool moved = true;
    for (int k = 0; k < checker->dim; k++)
        v[k] = checker->x[k];
    for (int sweep = 0; sweep < MOST_SWEEPS && moved; sweep++)
    {
        moved = false;
        for (int i = 0; i < checker->row_count; i++)
            if (!keep_row(checker, i, v, &moved))
                return false;
    }
    return !moved;
}
