// A verified active set: a bound of |u - P w| that is linear in the residual, apart from every
// solver, from the problem and (u, mu) alone.
//
//     lin_i(v) = gap_i - s_i + h slope_i . v,   s_i any shift: that of the problem solved, or 0
//     S        = { i : mu_i > 0 },  A = B B^T of its rows of unit length, lambda_min(A) >= theta
//     nu       = mu on S, improved by the factor of A until its residual is rounding
//     v        = w + M^-1 G_S^T nu,   rho_i = -lin_i(v) / (h D_i) on S         doubled precision
//
// The point v* of M^-1 G_S^T R^S + w with lin = 0 on S has multipliers nu* with
// |D (nu* - nu)| <= |rho| / theta and |v* - v| <= |rho| / sqrt(theta). If nu* >= 0 is proved so,
// and lin_i(v*) >= 0 off S, then v* = P w, and
//
//     |u - P w| <= |u - v| + |rho| / sqrt(theta)
//
// A row whose nu is not proved to be >= 0 is to leave S, one off S that is violated by more than
// rounding is to enter it, and all is tried again. A row off S that is not proved to hold, by
// rounding, is weak: the statement holds for its gap enlarged by as much, as `forward` does for
// violated rows.
#include "certify/certificate.h"
#include "certify/enclosure.h"

#include <limits.h>

// Sizes whose squares and products are far from the ends of the range.
static const double SMALL = 0x1p-400, LARGE = 0x1p400;

// Of the size of its terms, a row may be violated by so much and count as rounding.
static const double WEAK = 64 * DBL_EPSILON;

// Of lin and the shift, the rounding of lin as it is given: four ulps. Of the terms of lin, what
// was lost before: they were added in doubled precision.
static const double LIN_ROUNDING = 0x1p-50, TERMS_ROUNDING = 0x1p-60;

// A norm is not larger than its double times this; the second for a test that spares work only.
static const double NORM_OUTWARDS = 1 + 0x1p-20, NORM_FAR = 1.0625;

// Of a value that was rounded to a double twice.
static const double VALUE_ROUNDING = 4 * DBL_EPSILON;

// More than products that underflow may lose of a sum; nothing beside a number in use.
static const double UNDERFLOWN = 0x1p-900;

// A residual so many times what is not known of it is not worth another solution.
static const double NEAR_ENOUGH = 64;

enum
{
    REFINEMENTS = 4,
    PATIENCE = 3 // sets that may have no fewer rows that are wrong
};

// Of the terms of a sum of products in doubled precision: its rounding. more: terms of its own.
static double tiny_of(const thud_projection *problem, int more)
{
    return 8 * thudi_sum_rounding(2.0 * problem->rows->count + more);
}

static bool is_plain(double x)
{
    return x > SMALL && x < LARGE;
}

static void list_coordinate(thudi_enclosing *e, int k)
{
    if (e->slot[k] >= 0)
        return;
    e->slot[k] = e->slots;
    e->listed[e->slots++] = k;
}

// What does not depend on the shifts.
static void prepare_coordinates(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    const thud_projection *problem = task->problem;
    e->slots = 0;
    e->has_factor = e->has_changed = false;
    for (int k = 0; k < problem->dim; k++)
    {
        double m = thudi_mass(problem->mass, k), w = problem->w[k], u = task->u[k];
        e->is_plain = e->is_plain && is_plain(m);
        e->reached[k] = (thudi_reached){{w, 0}, fabs(w)};
        e->slot[k] = -1;
        if (u != w)
            list_coordinate(e, k);
    }
    e->length = thudi_length(problem, task->u) * THUDI_OUTWARDS;
}

thud_status thudi_enclose_begin(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    const thud_projection *problem = task->problem;
    size_t rows = (size_t)problem->rows->count, dim = (size_t)problem->dim;
    *e = (thudi_enclosing){0};
    THUD_TRY(thudi_room(task->rooms, &e->claims, rows, "enclosure: claims"));
    THUD_TRY(thudi_room(task->rooms, &e->members, rows, "enclosure: members"));
    THUD_TRY(thudi_room(task->rooms, &e->reached, dim, "enclosure: velocity"));
    THUD_TRY(thudi_room(task->rooms, &e->slot, dim, "enclosure: slots"));
    THUD_TRY(thudi_room(task->rooms, &e->listed, dim, "enclosure: coordinates"));
    THUD_TRY(thudi_enclose_open_rooms(task));
    e->is_plain = is_plain(problem->h);
    prepare_coordinates(task);
    for (int i = 0; i < problem->rows->count; i++)
    {
        double norm = thudi_row_norm(problem, i);
        e->claims[i] = (thudi_claim){.norm = norm};
        e->is_plain = e->is_plain && (norm == 0 || is_plain(norm));
    }
    return THUD_OK;
}

// The claims as the solver makes them.
static void read_claims(const thudi_enclose_task *task)
{
    for (int i = 0; i < task->problem->rows->count; i++)
    {
        thudi_claim *claim = &task->memory->claims[i];
        claim->is_member = task->mu[i] > 0 && claim->norm > 0;
        claim->base = claim->is_member ? task->mu[i] : 0;
        claim->more = 0;
    }
}

// List the set again; false if it is the one that is listed.
static bool list_members(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    int count = 0;
    bool same = e->has_factor;
    for (int i = 0; i < task->problem->rows->count; i++)
    {
        if (!e->claims[i].is_member)
            continue;
        same = same && count < e->count && e->members[count] == i;
        e->members[count++] = i;
    }
    same = same && count == e->count;
    e->count = count;
    for (int s = 0; s < count && !same; s++)
    {
        thudi_entries row;
        thudi_row_open(task->problem->rows, e->members[s], &row);
        for (int k = 0; k < row.size; k++)
            list_coordinate(e, row.index[k]);
    }
    return !same;
}

// The factor of the set as it is, less what depends on others. THUD_NEWS: too large.
static thud_status find_factor(const thudi_enclose_task *task, int *changed)
{
    int left = 0;
    do
    {
        if (!list_members(task))
            return THUD_OK;
        thud_status status = thudi_enclose_factor(task, &left);
        if (status != THUD_OK)
            return status;
        task->memory->has_changed = task->memory->has_changed || left > 0;
        *changed += left;
    } while (left > 0);
    return THUD_OK;
}

// v = w + M^-1 G^T (base + more).
static void reach_out(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    const thud_projection *problem = task->problem;
    thudi_reached *reached = e->reached;
    for (int c = 0; c < e->slots; c++)
        reached[e->listed[c]] = (thudi_reached){{0, 0}, 0};
    for (int s = 0; s < e->count; s++)
    {
        thudi_entries row;
        const thudi_claim *claim = &e->claims[e->members[s]];
        thudi_row_open(problem->rows, e->members[s], &row);
        for (int k = 0; k < row.size; k++)
        {
            thudi_reached *at = &reached[row.index[k]];
            at->v = thudi_dd_add_product(at->v, row.slope[k], claim->base);
            at->v = thudi_dd_add_product(at->v, row.slope[k], claim->more);
            at->reach += fabs(row.slope[k]) * (fabs(claim->base) + fabs(claim->more));
        }
    }
    for (int c = 0; c < e->slots; c++)
    {
        int k = e->listed[c];
        double m = thudi_mass(problem->mass, k), w = problem->w[k];
        bool touched = reached[k].reach > 0;
        reached[k].v = touched ? thudi_dd_add(thudi_dd_divide(reached[k].v, m), (thudi_dd){w, 0})
                               : (thudi_dd){w, 0};
        // what underflowed on the way is covered as well
        reached[k].reach = fabs(w) + (touched ? (reached[k].reach + UNDERFLOWN) / m : 0);
    }
}

// lin_i(v), the size of its terms, and what is not known of it.
typedef struct measured
{
    thudi_dd lin;
    double size, error;
} measured;

static measured measure(const thudi_enclose_task *task, int i)
{
    const thud_projection *problem = task->problem;
    const thudi_reached *reached = task->memory->reached;
    thudi_entries row;
    thudi_row_open(problem->rows, i, &row);
    double gap = row.head->gap, shift = row.head->shift * task->scale;
    measured m = {.lin = thudi_two_sum(gap, -shift), .size = fabs(gap) + shift};
    for (int k = 0; k < row.size; k++)
    {
        const thudi_reached *at = &reached[row.index[k]];
        thudi_dd step = thudi_two_product(problem->h, row.slope[k]);
        thudi_dd move = thudi_two_product(step.hi, at->v.hi);
        move.lo += step.hi * at->v.lo + step.lo * at->v.hi;
        m.lin = thudi_dd_add(m.lin, move);
        m.size += fabs(step.hi) * at->reach;
    }
    m.error = m.size > 0 ? tiny_of(problem, row.size) * m.size + DBL_MIN : 0;
    return m;
}

// rho of every place; a bound of its length. *floor: what is not known of it.
static double find_residual(const thudi_enclose_task *task, double *floor)
{
    thudi_enclosing *e = task->memory;
    thudi_exact_four sums; // of the squares of rho, and of what is not known of it
    double squares[4];
    thudi_exact_four_clear(&sums);
    for (int at = 0; at < e->count; at++)
    {
        thudi_place *place = &e->places[at];
        measured m = measure(task, place->row);
        double unit = task->problem->h * e->claims[place->row].norm;
        double value = thudi_dd_value(m.lin);
        double most = (fabs(value) * THUDI_OUTWARDS + m.error) / unit;
        place->rho = -value / unit;
        double unknown = m.error / unit;
        thudi_exact_four_add(&sums, (four){most * most, unknown * unknown, 0, 0});
    }
    thudi_exact_four_values(&sums, squares);
    *floor = sqrt(squares[1]);
    return sqrt(squares[0]) * THUDI_OUTWARDS;
}

// Improve the multipliers of the set; v and rho are then theirs. A bound of |rho|.
static double refine(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    double length = INFINITY, floor;
    for (int pass = 0;; pass++)
    {
        reach_out(task);
        double now = find_residual(task, &floor);
        bool better = now < length / 4 && now > NEAR_ENOUGH * floor;
        length = now;
        if (pass == REFINEMENTS || !better)
            return length;
        thudi_enclose_solve(e);
        for (int at = 0; at < e->count; at++)
        {
            thudi_claim *claim = &e->claims[e->places[at].row];
            thudi_dd sum = thudi_dd_add((thudi_dd){claim->base, claim->more},
                                        (thudi_dd){e->places[at].x / claim->norm, 0});
            claim->base = sum.hi;
            claim->more = sum.lo;
        }
    }
}

// Members whose multiplier is not proved to be >= 0 are wrong. How many.
static int test_members(const thudi_enclose_task *task, double length)
{
    thudi_enclosing *e = task->memory;
    int wrong = 0;
    for (int at = 0; at < e->count; at++)
    {
        thudi_claim *claim = &e->claims[e->places[at].row];
        double margin = length / e->theta / claim->norm * THUDI_OUTWARDS;
        claim->is_wrong = !(claim->base + claim->more >= margin * THUDI_OUTWARDS);
        wrong += claim->is_wrong;
    }
    return wrong;
}

// |u - v| in the M norm. Where a coordinate is not listed both are w.
static double distance(const thudi_enclose_task *task)
{
    const thudi_enclosing *e = task->memory;
    thudi_exact_sum squares = {.terms = 0};
    double tiny = tiny_of(task->problem, 0);
    for (int c = 0; c < e->slots; c++)
    {
        int k = e->listed[c];
        const thudi_reached *at = &e->reached[k];
        double m = thudi_mass(task->problem->mass, k), u = task->u[k];
        thudi_dd apart = thudi_dd_add(thudi_two_sum(u, -at->v.hi), (thudi_dd){-at->v.lo, 0});
        double most = fabs(thudi_dd_value(apart)) * THUDI_OUTWARDS + tiny * (fabs(u) + at->reach);
        thudi_exact_add(&squares, m * most * most);
    }
    return sqrt(thudi_exact_value(&squares)) * THUDI_OUTWARDS;
}

// What rows outside the set are tested with.
typedef struct test
{
    double near;  // |v* - v|
    double bound; // |v* - u|
} test;

// Does row i hold by far, seen from u? Spares the doubled precision.
static bool is_far(const thudi_enclose_task *task, int i, const test *t)
{
    if (!task->lin)
        return false;
    const thudi_row_head *row = &task->problem->rows->heads.items[i];
    double h_norm = task->problem->h * task->memory->claims[i].norm, lin = task->lin[i];
    double unsure = LIN_ROUNDING * (fabs(lin) + row->shift) +
                    TERMS_ROUNDING * (fabs(row->gap) + h_norm * task->memory->length) + DBL_MIN;
    return lin - row->shift * task->scale > NORM_FAR * h_norm * t->bound + unsure;
}

// Rows outside the set are wrong if they are violated by more than rounding, and weak if they are
// not proved to hold by less. How many are wrong.
static int test_others(const thudi_enclose_task *task, const test *t, thud_enclosure *enclosure)
{
    thudi_enclosing *e = task->memory;
    const thud_projection *problem = task->problem;
    int wrong = 0;
    for (int i = 0; i < problem->rows->count; i++)
    {
        thudi_claim *claim = &e->claims[i];
        claim->enlarged = 0;
        if (claim->is_member)
            continue;
        claim->is_wrong = false;
        if (is_far(task, i, t))
            continue;
        measured m = measure(task, i);
        double value = thudi_dd_value(m.lin);
        // the norm is rounded too
        double lack = problem->h * claim->norm * t->near * NORM_OUTWARDS + m.error - value +
                      VALUE_ROUNDING * fabs(value);
        if (!(lack > 0))
            continue;
        if (lack > WEAK * (m.size + thudi_row_noise(problem, i)) + DBL_MIN)
        {
            claim->is_wrong = true;
            wrong++;
            continue;
        }
        claim->enlarged = lack * THUDI_OUTWARDS;
        enclosure->weak = thudi_larger(claim->enlarged, enclosure->weak);
        enclosure->weak_rows++;
    }
    return wrong;
}

// Rows that are wrong change sides: all of them, or the last alone. How many.
static int exchange(const thudi_enclose_task *task, bool all)
{
    int changed = 0;
    for (int i = task->problem->rows->count - 1; i >= 0 && (all || changed == 0); i--)
    {
        thudi_claim *claim = &task->memory->claims[i];
        if (!claim->is_wrong)
            continue;
        claim->is_member = !claim->is_member && claim->norm > 0;
        claim->base = claim->more = 0;
        changed++;
    }
    return changed;
}

// One set: how many rows are wrong. It is the one, and enclosed, if none is.
static int try_set(const thudi_enclose_task *task, thud_enclosure *enclosure)
{
    thudi_enclosing *e = task->memory;
    double length = refine(task);
    *enclosure = (thud_enclosure){.changed = enclosure->changed, .bound = INFINITY};
    test t = {.near = length / sqrt(e->theta) * THUDI_OUTWARDS};
    t.bound = (distance(task) + t.near) * THUDI_OUTWARDS;
    int wrong = test_members(task, length) + test_others(task, &t, enclosure);
    enclosure->holds = wrong == 0 && isfinite(t.bound);
    if (enclosure->holds)
        enclosure->bound = t.bound;
    return wrong;
}

// Sets are tried by principal pivots of blocks (Judice and Pires 1994): all rows that are wrong
// change sides as long as they become fewer, within a few sets; if not the last of them alone,
// which cannot go in circles.
thud_status thudi_enclose(const thudi_enclose_task *task, thud_enclosure *enclosure)
{
    const thud_enclosure none = {.bound = INFINITY};
    int fewest = INT_MAX, patience = PATIENCE;
    *enclosure = none;
    if (!task->memory->is_plain)
        return THUD_OK;
    if (task->memory->has_changed) // as if nothing had been tried before
        prepare_coordinates(task);
    read_claims(task);
    for (int round = 0; round < task->round_limit; round++)
    {
        thud_status status = find_factor(task, &enclosure->changed);
        if (status < 0)
            return status;
        if (status != THUD_OK)
            break;
        int wrong = try_set(task, enclosure);
        if (enclosure->holds)
            return THUD_OK;
        patience = wrong < fewest ? PATIENCE : patience - 1;
        fewest = wrong < fewest ? wrong : fewest;
        enclosure->changed += exchange(task, patience >= 0);
        task->memory->has_changed = true;
    }
    *enclosure = none;
    return THUD_OK;
}
