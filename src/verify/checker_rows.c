// What the rows of a step may be off by, and the two certificates that verify them one by one.
//
//     lin_i = gap_i + h slope_i . x                   x = u', or what the memories make of w
//     3 feasible          lin_i >= 0                  to rounding
//     4 complementarity   | min(h A_ii load_i, lin_i - s sigma_i) | <= tolerance_i, plus rounding
//     tolerance_i = min(sigma_i / 2, accuracy h^2 a),   a the largest |f| / m, |w| / h in first
//     order
//
// which is the solver's rule to stop; A_ii = slope_i . M^-1 slope_i. s = 1, but 1/16, 1/256 or 0
// where no velocity keeps all sigma_i, and that is tried here.
//
// Nothing that the record could choose widens a tolerance: sizes are those of masses, velocities
// and forces. Where impulses enter, as their rounding does, they count up to THUDI_IMPULSE_CAP
// times all the momentum that the step could have moved.
#include "verify/checker.h"

#include <float.h>

// Room for the rounding of a gap: g is known no better than to an ulp of |slope| |q|, and a K that
// is empty by rounding alone leaves a few of them.
static const double GAP_ULPS = 16 * DBL_EPSILON;

// A forged impulse must not widen its own tolerance: impulses widen it only by their rounding.
static const double IMPULSE_ULPS = 16 * DBL_EPSILON;

// Where rows depend on each other the velocity of one is solved with those of all.
static const double COUPLED_ULPS = 64 * DBL_EPSILON;

// Of the shift: no force, but the rounding of one. The solver then stops at half the shift.
static const double FAINT = 0x1p-36;

// The parts of the shift that a solver keeps where there is no room for more.
static const double SCALES[] = {1, 0x1p-4, 0x1p-8, 0};

double thudi_checker_speed_sum(const thudi_checker *checker, int k)
{
    return fabs(checker->prediction[k]) + fabs(checker->after->u[k]) + fabs(checker->before->u[k]);
}

void thudi_checker_find_width(thudi_checker *checker)
{
    // all rows that are made from keys have the same width
    int width = 1, pairs = checker->rows.pair_count;
    checker->width = 1;
    for (int i = pairs > 0 ? pairs - 1 : 0; i < checker->row_count; i++)
    {
        thud_row_room room;
        int of_row = thudi_checker_row(checker, i, &room).width;
        if (of_row > 1 && width > 1 && of_row != width)
            return;
        if (of_row > 1)
            width = of_row;
    }
    checker->width = width;
}

// The sum of the memories that are owed: they move bodies as velocities do. What cancels does not.
static void sum_memories(thudi_checker *checker)
{
    for (int k = 0; k < checker->dim; k++)
        checker->total[k] = (thudi_sum){0, 0};
    for (int i = 0; i < checker->row_count && checker->law->owes_memories; i++)
    {
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        double owed = thudi_checker_memory_before(checker, i);
        for (int e = 0; owed != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            checker->total[k] = thudi_sum_plus_product(checker->total[k], owed, row.slope[e]);
        }
    }
}

void thudi_checker_find_momentum_scale(thudi_checker *checker)
{
    bool first = checker->problem->order == THUD_FIRST_ORDER;
    sum_memories(checker);
    checker->impulse_cap = 0;
    for (int k = 0; k < checker->dim; k++)
    {
        double m = thudi_checker_mass(checker, k), f = checker->force_size[k];
        double scale = m * fabs(checker->after->u[k]);
        scale += first ? m * f : m * fabs(checker->before->u[k]) + checker->h * f;
        checker->coordinate_allowed[k] = scale;
        checker->impulse_cap +=
            THUDI_IMPULSE_CAP * (scale + fabs(thudi_sum_value(checker->total[k])));
    }
}

// x is u', or w and the memories if the law has a displacement of its own.
static void find_x(thudi_checker *checker)
{
    if (!checker->law->has_own_displacement)
        return;
    for (int k = 0; k < checker->dim; k++)
        checker->total[k] = (thudi_sum){0, 0};
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        double kept = thudi_checker_memory_after(checker, i);
        for (int e = 0; kept != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            checker->total[k] = thudi_sum_plus_product(checker->total[k], kept, row.slope[e]);
        }
    }
    for (int k = 0; k < checker->dim; k++)
    {
        double push = thudi_sum_value(checker->total[k]) / thudi_checker_mass(checker, k);
        checker->own_x[k] = checker->prediction[k] + push;
    }
}

static void find_speed_bound(thudi_checker *checker)
{
    for (int k = 0; k < checker->dim; k++)
        checker->speed_bound[k] = 0;
    for (int i = 0; i < checker->row_count; i++)
    {
        double impulse = fabs(thudi_checker_impulse(checker, i));
        if (checker->law->owes_memories ||
            checker->law->has_own_displacement) // they move bodies too
            impulse =
                impulse + fabs(checker->load[i]) + fabs(thudi_checker_memory_before(checker, i));
        if (impulse == 0)
            continue;
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        for (int e = 0; e < thudi_row_length(&row); e++)
            checker->speed_bound[thudi_row_coordinate(&row, e)] += fabs(row.slope[e] * impulse);
    }
    for (int k = 0; k < checker->dim; k++)
        checker->speed_bound[k] =
            fabs(checker->prediction[k]) +
            fmin(checker->speed_bound[k], checker->impulse_cap) / thudi_checker_mass(checker, k);
}

double thudi_checker_acceleration(const thudi_checker *checker, int k, int width)
{
    bool first = checker->problem->order == THUD_FIRST_ORDER;
    double square = 0;
    for (int a = k; a < k + width && a < checker->dim; a++)
    {
        double pull = first ? checker->prediction[a] / checker->h
                            : checker->force[a] / thudi_checker_mass(checker, a);
        square += pull * pull;
    }
    return sqrt(square);
}

static double acceleration_of(const thudi_checker *checker, const thud_row *row)
{
    int width = row->width > 1 ? row->width : 1;
    double largest = 0;
    for (int j = 0; j < row->count; j++)
        largest = fmax(largest, thudi_checker_acceleration(checker, row->index[j], width));
    return largest;
}

// A cluster without a force stops at half the shift, and so may one that this row is part of if its
// own bodies are not drawn.
static void set_tolerances(thudi_checker *checker)
{
    bool spreads = checker->law->spreads_impulses;
    double accuracy = spreads && checker->def.accuracy > 0 ? INFINITY : checker->def.accuracy;
    double part = accuracy * checker->h * checker->h, most = 0;
    int width = checker->width;
    for (int k = 0; k < checker->dim && part > 0; k += width)
        most = fmax(most, thudi_checker_acceleration(checker, k, width));
    for (int i = 0; i < checker->row_count && part > 0; i++)
    {
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        double half = row.shift / 2;
        bool drawn = !spreads && part * acceleration_of(checker, &row) > FAINT * half;
        checker->row_tolerance[i] = drawn ? fmin(half, part * most) : half;
    }
}

// Small problems are solved exactly. A law that spreads impulses does so only if there is one
// answer: else the solver sweeps, to an accuracy that depends on what it remembers.
static thud_status find_tolerances(thudi_checker *checker)
{
    bool is_exact = checker->dim <= checker->def.exact_limit;
    if (is_exact && checker->law->spreads_impulses)
    {
        thud_status status = thudi_checker_is_unique(checker, &is_exact);
        if (status != THUD_OK)
            return status;
    }
    if (!is_exact)
        set_tolerances(checker);
    thudi_checker_clear_far_tolerances(checker);
    thudi_checker_raise_tolerances(checker);
    return THUD_OK;
}

// How far the fastest coordinate goes in the step.
static double longest_travel(const thudi_checker *checker)
{
    double longest = 0;
    for (int k = 0; k < checker->dim; k++)
        longest = fmax(longest, checker->h * checker->speed_bound[k]);
    return longest;
}

thud_status thudi_checker_measure_rows(thudi_checker *checker)
{
    // mu is the load and what was owed, and rounded as these are
    bool counts = !checker->def.strict || checker->law->owes_memories;
    bool has_own = checker->law->has_own_displacement;
    find_speed_bound(checker);
    find_x(checker);
    checker->coupled_allowed = COUPLED_ULPS * longest_travel(checker);
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        thudi_sum speed = {0, 0}, way = {0, 0};
        double size = fabs(row.gap), rounding = 0, impulses = 0;
        double row_error = 0; // of the gap
        if (checker->known)
            (void)checker->known->row_error(&row, &row_error, checker->known->user);
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            speed = thudi_sum_plus_product(speed, row.slope[e], checker->after->u[k]);
            if (has_own)
                way = thudi_sum_plus_product(way, row.slope[e], checker->x[k]);
            size += checker->h * fabs(row.slope[e]) * thudi_checker_speed_sum(checker, k);
            impulses += checker->h * fabs(row.slope[e]) * checker->speed_bound[k];
            rounding += fabs(row.slope[e] * checker->before->q[k]);
        }
        checker->lin[i] = thudi_sum_plus(thudi_sum_times(speed, checker->h), row.gap);
        if (has_own)
            checker->lin_x[i] = thudi_sum_plus(thudi_sum_times(way, checker->h), row.gap);
        checker->allowed[i] = checker->def.tolerance * size + GAP_ULPS * rounding + row_error +
                              (counts ? IMPULSE_ULPS * impulses : 0);
    }
    return find_tolerances(checker);
}

void thudi_checker_verify_feasible(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_FEASIBLE];
    for (int i = 0; i < checker->row_count; i++)
    {
        double lin = thudi_sum_value(checker->lin_x[i]);
        double allowed = fmax(checker->allowed[i], checker->def.feasibility);
        thudi_checker_keep_worst(check, lin >= 0 ? 0 : -lin, allowed, i,
                                 thudi_list_key(&checker->rows, i));
    }
}

// | min(h A load, lin - sigma) |: 0 where the row is open and free, or keeps its sigma. A row that
// hardly pushes may be open, as the rule to stop allows; without one it may not, however little.
static double natural_residual(const thudi_checker *checker, int i, double scale)
{
    thud_row_room room;
    thud_row row = thudi_checker_row(checker, i, &room);
    double off = thudi_sum_value(thudi_sum_plus(checker->lin_x[i], -scale * row.shift)), square = 0;
    if (off <= 0 || checker->load[i] == 0)
        return off < 0 ? -off : 0;
    if (checker->row_tolerance[i] == 0)
        return off;
    for (int e = 0; e < thudi_row_length(&row); e++)
        square += row.slope[e] * row.slope[e] /
                  thudi_checker_mass(checker, thudi_row_coordinate(&row, e));
    return square > 0 ? fmin(off, checker->h * square * fabs(checker->load[i])) : off;
}

static thud_check verify_complementarity(const thudi_checker *checker, double scale)
{
    thud_check check = {.where = -1};
    for (int i = 0; i < checker->row_count; i++)
    {
        double allowed =
            fmax(checker->allowed[i] + checker->coupled_allowed + checker->row_tolerance[i],
                 checker->def.backward);
        thudi_checker_keep_worst(&check, natural_residual(checker, i, scale), allowed, i,
                                 thudi_list_key(&checker->rows, i));
    }
    return check;
}

// A smaller part of the shifts is believed only where all of them cannot be kept.
void thudi_checker_verify_complementarity(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_COMPLEMENTARITY];
    *check = verify_complementarity(checker, SCALES[0]);
    for (int s = 1; s < 4 && !(check->value <= 1); s++)
    {
        thud_check other = verify_complementarity(checker, SCALES[s]);
        if (other.value <= 1 && !thudi_checker_has_room(checker))
            *check = other;
    }
}
