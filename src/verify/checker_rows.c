// What the rows of a step may be off by, and the two certificates that judge them one by one.
//
//     lin_i = gap_i + h slope_i . x                   x = u', or what the memories make of w
//     3 feasible          lin_i >= 0                  to rounding
//     4 complementarity   | min(h A_ii load_i, lin_i - s sigma_i) | <= stop_i     and rounding
//     stop_i = min(sigma_i / 2, accuracy h^2 a),      a the largest |f| / m, |w| / h in first order
//
// which is the solver's rule to stop; A_ii = slope_i . M^-1 slope_i. s = 1, but 1/16, 1/256 or 0
// where no velocity keeps all sigma_i, and that is tried here.
//
// Nothing that the record could choose widens a tolerance: sizes are those of masses, velocities
// and forces. Where impulses enter, as their rounding does, they count up to THUDI_MOST_STRESS
// times all the momentum that the step could have moved.
#include "verify/checker.h"

#include <float.h>

// Room for the rounding of a gap: g is known no better than to an ulp of |slope| |q|, and a K that
// is empty by rounding alone leaves a few of them.
static const double GAP_ULPS = 16 * DBL_EPSILON;

// Impulses must not vouch for themselves: they widen a tolerance by their rounding, not by more.
static const double IMPULSE_ULPS = 16 * DBL_EPSILON;

// Where rows depend on each other the velocity of one is solved with those of all.
static const double COUPLED_ULPS = 64 * DBL_EPSILON;

// Of the shift: no force, but the rounding of one. The solver then stops at half the shift.
static const double FAINT = 0x1p-36;

// The parts of the shift that a solver keeps where there is no room for more.
static const double SCALES[] = {1, 0x1p-4, 0x1p-8, 0};

double thudi_exam_speeds(const thudi_exam *exam, int k)
{
    return fabs(exam->prediction[k]) + fabs(exam->after->u[k]) + fabs(exam->before->u[k]);
}

int thudi_exam_axes(const thudi_exam *exam)
{
    int width = 1;
    for (int i = 0; i < exam->row_count; i++)
    {
        int of_row = thud_rows_get(exam->rows, i).width;
        if (of_row > 1 && width > 1 && of_row != width)
            return 1;
        if (of_row > 1)
            width = of_row;
    }
    return width;
}

// The sum of the memories that are owed: they move bodies as velocities do. What cancels does not.
static void sum_owed(thudi_exam *exam)
{
    for (int k = 0; k < exam->dim; k++)
        exam->total[k] = (thudi_sum){0, 0};
    for (int i = 0; i < exam->row_count && exam->law->owes_memories; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        double owed = thudi_exam_memory_before(exam, i);
        for (int e = 0; owed != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->total[k] = thudi_sum_plus_product(exam->total[k], owed, row.slope[e]);
        }
    }
}

void thudi_exam_weigh(thudi_exam *exam)
{
    bool first = exam->problem->order == THUD_FIRST_ORDER;
    sum_owed(exam);
    exam->most = 0;
    for (int k = 0; k < exam->dim; k++)
    {
        double m = thudi_exam_mass(exam, k), f = exam->force_size[k];
        exam->size[k] = m * fabs(exam->after->u[k]);
        exam->size[k] += first ? m * f : m * fabs(exam->before->u[k]) + exam->h * f;
        exam->most += THUDI_MOST_STRESS * (exam->size[k] + fabs(thudi_sum_value(exam->total[k])));
    }
}

// x is u', or w and the memories if the law has a displacement of its own.
static void find_x(thudi_exam *exam)
{
    if (!exam->law->has_own_displacement)
    {
        for (int k = 0; k < exam->dim; k++)
            exam->x[k] = exam->after->u[k];
        return;
    }
    for (int k = 0; k < exam->dim; k++)
        exam->total[k] = (thudi_sum){0, 0};
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        double kept = thudi_exam_memory_after(exam, i);
        for (int e = 0; kept != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->total[k] = thudi_sum_plus_product(exam->total[k], kept, row.slope[e]);
        }
    }
    for (int k = 0; k < exam->dim; k++)
    {
        double push = thudi_sum_value(exam->total[k]) / thudi_exam_mass(exam, k);
        exam->x[k] = exam->prediction[k] + push;
    }
}

static void find_reach(thudi_exam *exam)
{
    for (int k = 0; k < exam->dim; k++)
        exam->reach[k] = 0;
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        double impulse = fabs(exam->mu[i]);
        if (exam->law->owes_memories || exam->law->has_own_displacement) // they move bodies too
            impulse = impulse + fabs(exam->load[i]) + fabs(thudi_exam_memory_before(exam, i));
        for (int e = 0; impulse != 0 && e < thudi_row_length(&row); e++)
            exam->reach[thudi_row_coordinate(&row, e)] += fabs(row.slope[e] * impulse);
    }
    for (int k = 0; k < exam->dim; k++)
        exam->reach[k] =
            fabs(exam->prediction[k]) + fmin(exam->reach[k], exam->most) / thudi_exam_mass(exam, k);
}

double thudi_exam_pull(const thudi_exam *exam, int k, int width)
{
    bool first = exam->problem->order == THUD_FIRST_ORDER;
    double square = 0;
    for (int a = k; a < k + width && a < exam->dim; a++)
    {
        double pull =
            first ? exam->prediction[a] / exam->h : exam->force[a] / thudi_exam_mass(exam, a);
        square += pull * pull;
    }
    return sqrt(square);
}

static double pull_of(const thudi_exam *exam, const thud_row *row)
{
    int width = row->width > 1 ? row->width : 1;
    double largest = 0;
    for (int j = 0; j < row->count; j++)
        largest = fmax(largest, thudi_exam_pull(exam, row->index[j], width));
    return largest;
}

// A cluster without a force stops at half the shift, and so may one that this row is part of if its
// own bodies are not drawn.
static void take_stops(thudi_exam *exam)
{
    bool spreads = exam->law->spreads_impulses;
    double accuracy = spreads && exam->def.accuracy > 0 ? INFINITY : exam->def.accuracy;
    double part = accuracy * exam->h * exam->h, most = 0;
    int width = thudi_exam_axes(exam);
    for (int k = 0; k < exam->dim && part > 0; k += width)
        most = fmax(most, thudi_exam_pull(exam, k, width));
    for (int i = 0; i < exam->row_count && part > 0; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        double half = row.shift / 2;
        bool drawn = !spreads && part * pull_of(exam, &row) > FAINT * half;
        exam->stop[i] = drawn ? fmin(half, part * most) : half;
    }
}

// Small problems are solved exactly. A law that spreads impulses does so only if there is one
// answer: else the solver sweeps, to an accuracy that depends on what it remembers.
static thud_status find_stops(thudi_exam *exam)
{
    bool is_exact = exam->dim <= exam->def.exact_limit;
    if (is_exact && exam->law->spreads_impulses)
    {
        thud_status status = thudi_exam_is_unique(exam, &is_exact);
        if (status != THUD_OK)
            return status;
    }
    if (!is_exact)
        take_stops(exam);
    thudi_exam_stop_far(exam);
    thudi_exam_let_pass(exam);
    return THUD_OK;
}

// How far the fastest coordinate goes in the step.
static double longest_way(const thudi_exam *exam)
{
    double longest = 0;
    for (int k = 0; k < exam->dim; k++)
        longest = fmax(longest, exam->h * exam->reach[k]);
    return longest;
}

thud_status thudi_exam_measure(thudi_exam *exam)
{
    // mu is the load and what was owed, and rounded as these are
    bool counts = !exam->def.strict || exam->law->owes_memories;
    find_reach(exam);
    find_x(exam);
    exam->coupled = COUPLED_ULPS * longest_way(exam);
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        thudi_sum speed = {0, 0}, way = {0, 0};
        double size = fabs(row.gap), rounding = 0, impulses = 0;
        double blur = 0; // of the gap
        if (exam->known)
            (void)exam->known->blur(&row, &blur, exam->known->user);
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            speed = thudi_sum_plus_product(speed, row.slope[e], exam->after->u[k]);
            way = thudi_sum_plus_product(way, row.slope[e], exam->x[k]);
            size += exam->h * fabs(row.slope[e]) * thudi_exam_speeds(exam, k);
            impulses += exam->h * fabs(row.slope[e]) * exam->reach[k];
            rounding += fabs(row.slope[e] * exam->before->q[k]);
        }
        exam->lin[i] = thudi_sum_plus(thudi_sum_times(speed, exam->h), row.gap);
        exam->slack[i] = thudi_sum_plus(thudi_sum_times(way, exam->h), row.gap);
        exam->allowed[i] = exam->def.tolerance * size + GAP_ULPS * rounding + blur +
                           (counts ? IMPULSE_ULPS * impulses : 0);
    }
    return find_stops(exam);
}

void thudi_exam_feasible(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_FEASIBLE];
    for (int i = 0; i < exam->row_count; i++)
    {
        double lin = thudi_sum_value(exam->slack[i]);
        double allowed = fmax(exam->allowed[i], exam->def.feasibility);
        thudi_exam_note(check, lin >= 0 ? 0 : -lin, allowed, i, thud_rows_get(exam->rows, i).key);
    }
}

// | min(h A load, lin - sigma) |: 0 where the row is open and free, or keeps its sigma. A row that
// hardly pushes may be open, as the rule to stop allows; without one it may not, however little.
static double natural_residual(const thudi_exam *exam, int i, double scale)
{
    thud_row row = thud_rows_get(exam->rows, i);
    double off = thudi_sum_value(thudi_sum_plus(exam->slack[i], -scale * row.shift)), square = 0;
    if (off <= 0 || exam->load[i] == 0)
        return off < 0 ? -off : 0;
    if (exam->stop[i] == 0)
        return off;
    for (int e = 0; e < thudi_row_length(&row); e++)
        square +=
            row.slope[e] * row.slope[e] / thudi_exam_mass(exam, thudi_row_coordinate(&row, e));
    return square > 0 ? fmin(off, exam->h * square * fabs(exam->load[i])) : off;
}

static thud_check judge_complementarity(const thudi_exam *exam, double scale)
{
    thud_check check = {.where = -1};
    for (int i = 0; i < exam->row_count; i++)
    {
        double allowed = fmax(exam->allowed[i] + exam->coupled + exam->stop[i], exam->def.backward);
        thudi_exam_note(&check, natural_residual(exam, i, scale), allowed, i,
                        thud_rows_get(exam->rows, i).key);
    }
    return check;
}

// A smaller part of the shifts is believed only where all of them cannot be kept.
void thudi_exam_complementarity(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_COMPLEMENTARITY];
    *check = judge_complementarity(exam, SCALES[0]);
    for (int s = 1; s < 4 && !(check->value <= 1); s++)
    {
        thud_check other = judge_complementarity(exam, SCALES[s]);
        if (other.value <= 1 && !thudi_exam_has_room(exam))
            *check = other;
    }
}
