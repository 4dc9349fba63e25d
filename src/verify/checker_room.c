// Is there a velocity that keeps every shift? A solver that kept less than its shifts where there
// is one did so without need.
//
// From x every row that is violated is projected onto, in the metric of M, in turn: to more than
// its shift, as what is approached only would never be reached. Between these sweeps v goes on in
// its direction (Nesterov), until violations grow: a push travels through a pile of n layers in
// about n sweeps instead of n^2. However v was found, it counts if all rows keep their shifts at v.
#include "verify/checker.h"

enum
{
    SWEEPS = 1000 // for each aim
};

// What rows are pushed to, in shifts. Where there is little room, the second may be in reach.
static const double AIMS[] = {2, 1 + 1e-3};

// Kept by this much more, so that no rounding makes room where there is none.
static const double MORE = 1 + 1e-6;

// lin_i at v, and the square of the slope in the metric of M.
static double lin_at(const thudi_checker *checker, const thud_row *row, const double *v,
                     double *square)
{
    double lin = row->gap;
    *square = 0;
    for (int e = 0; e < thudi_row_length(row); e++)
    {
        int k = thudi_row_coordinate(row, e);
        lin += checker->h * row->slope[e] * v[k];
        *square += row->slope[e] * row->slope[e] / thudi_checker_mass(checker, k);
    }
    return lin;
}

// Move v to where row i keeps `aim` shifts, if it does not. Adds to *missed the square of what was
// missing, as a length in the metric of M; infinite if no velocity would do.
static void push_row(const thudi_checker *checker, int i, double aim, double *v, double *missed)
{
    thud_row_room room;
    thud_row row = thudi_checker_row(checker, i, &room);
    double square, missing = aim * row.shift - lin_at(checker, &row, v, &square);
    if (missing <= 0)
        return;
    *missed += square > 0 ? missing * missing / square : INFINITY;
    if (!(square > 0))
        return;
    double push = missing / (checker->h * square);
    for (int e = 0; e < thudi_row_length(&row); e++)
    {
        int k = thudi_row_coordinate(&row, e);
        v[k] += push * row.slope[e] / thudi_checker_mass(checker, k);
    }
}

static bool keeps_all(const thudi_checker *checker, const double *v)
{
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        double square;
        if (!(lin_at(checker, &row, v, &square) >= MORE * row.shift))
            return false;
    }
    return true;
}

// v + beta (v - before), and before becomes v.
static void extrapolate(const thudi_checker *checker, double beta, double *v, double *before)
{
    for (int k = 0; k < checker->dim; k++)
    {
        double change = v[k] - before[k];
        before[k] = v[k];
        v[k] += beta * change;
    }
}

static bool reaches(const thudi_checker *checker, double aim, double *v, double *before)
{
    double theta = 1, least = INFINITY;
    for (int k = 0; k < checker->dim; k++)
        v[k] = before[k] = checker->x[k];
    for (int sweep = 0; sweep < SWEEPS; sweep++)
    {
        double missed = 0, next = (1 + sqrt(1 + 4 * theta * theta)) / 2;
        extrapolate(checker, (theta - 1) / next, v, before);
        for (int i = 0; i < checker->row_count; i++)
            push_row(checker, i, aim, v, &missed);
        if (keeps_all(checker, v))
            return true;
        if (!(missed < INFINITY))
            return false;
        theta = missed > least ? 1 : next;
        least = missed;
    }
    return false;
}

bool thudi_checker_has_room(thudi_checker *checker)
{
    double *v = (double *)checker->total, *before = v + checker->dim; // a sum is two numbers
    for (size_t i = 0; i < sizeof AIMS / sizeof *AIMS; i++)
        if (reaches(checker, AIMS[i], v, before))
            return true;
    return false;
}
