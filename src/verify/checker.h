/// What the files of the checker share: the data and the parts of one call of thud_verify_step.
#ifndef THUD_CHECKER_H
#define THUD_CHECKER_H

#include "thud/verify.h"
#include "verify/checked_law.h"
#include "verify/checker_list.h"
#include "verify/checker_sum.h"

/// Impulses widen a tolerance, by their rounding, up to this many times the momentum that the step
/// could have moved. No correct step of the shipped scenes needed a factor of 4.
#define THUDI_IMPULSE_CAP 1024.0

/// Error bounds of a row that the checker computed itself. Returns that of each slope, and writes
/// that of the gap to *gap, in the unit of g.
typedef double thudi_row_error_fn(const thud_row *row, double *gap, void *user);

/// The solver lists a row whose bodies could meet by the prediction if its gap is below 2 sigma
/// plus this distance. INFINITY: the solver lists such rows at any distance.
typedef double thudi_listing_range_fn(const thud_row *row, void *user);

/// Find all rows at a moment and add them to an empty list. known: in THUD_LOOK_BACK the rows to
/// find again, else NULL. Return 0, or anything else to end the verification.
typedef int thudi_find_rows_fn(const thud_moment *at, const thudi_row_list *known,
                               thudi_row_list *list, void *user);

/// What a scene knows of its rows.
typedef struct thudi_known
{
    thudi_find_rows_fn *find_rows; ///< called instead of the gaps callback of the problem
    thudi_row_error_fn *row_error;
    thudi_listing_range_fn *listing_range;
    void *user; ///< handed to all of them
} thudi_known;

/// All data of one call, grouped by the stage that writes them. Arrays "by coordinate" have the
/// length dim, arrays "by row" the length row_count.
struct thudi_checker
{
    // the question
    const thud_inclusion *problem;
    const thudi_checked_law *law; ///< of the problem
    const thud_state *before, *after;
    thud_verify_def def; ///< with the defaults filled in
    thud_allocator allocator;
    const thudi_known *known; ///< NULL: the rows have the same bits as the solver's
    int dim;
    double h, t, t_next;
    // memory: one block for all arrays by coordinate, one for all arrays by row; sizes in bytes
    void *coordinate_block, *row_block;
    size_t coordinate_size, row_size;
    // force: f_n, the mean of |f|, and the estimated error of f_n; by coordinate
    double *force, *force_size, *force_error;
    double quadrature_error;    ///< largest error of the solver's own f_n, in the unit of f
    double *prediction;         ///< w, by coordinate
    double impulse_cap;         ///< THUDI_IMPULSE_CAP times the sum of m (|u'| + |u|) + h |f|
    double *coordinate_allowed; ///< largest error of stationarity, an impulse; by coordinate
    double *speed_bound; ///< |w_k| + sum_i |slope_ik| mu_i / m_k, the sum at most impulse_cap / m_k
    const double *x;     ///< P_K(w), by coordinate: u', or w and the memories where contacts bounce
    double *own_x;       ///< memory of x if the law has a displacement of its own, else NULL
    thudi_sum *total;    ///< sums by coordinate; scratch memory of every stage
    // rows
    thudi_row_list rows; ///< at (t_n+1, q_n); empty after the law's verify_step
    thudi_row_list node; ///< at one end of the step
    int row_count;
    int width;              ///< coordinates per body: of all pair rows if they agree, else 1
    int *before_index;      ///< the row's multiplier in before->multipliers, -1 for none; by row
    int *after_index;       ///< the same in after->multipliers
    double unscale;         ///< a stored impulse of `after` times this is one of the step
    double *load;           ///< what must be 0 where the row is open, by row; from the law
    int per_row;            ///< numbers per row that are read in addition to the impulse, >= 1
    thudi_sum *lin;         ///< gap_i + h slope_i . u', by row
    thudi_sum *lin_x;       ///< gap_i + h slope_i . x, by row; the same memory where x is u'
    double coupled_allowed; ///< largest error of lin_i from solving all rows together, same unit
    double *allowed;        ///< largest rounding error of lin_i, in the unit of g; by row
    double *row_tolerance; ///< largest |lin_i - sigma_i| that the solver's tolerance allows, by row
    bool starts_segment;   ///< `after` begins a new segment at t_n+1
    thud_verdict verdict;  ///< copied to the caller at the end, unless an error occurs
};

/// The mass of coordinate k.
static inline double thudi_checker_mass(const thudi_checker *checker, int k)
{
    return checker->problem->mass ? checker->problem->mass[k] : 1;
}

/// The impulse mu of row i.
static inline double thudi_checker_impulse(const thudi_checker *checker, int i)
{
    int m = checker->after_index[i];
    return m < 0 ? 0 : checker->after->multipliers[m].impulse * checker->unscale;
}

/// The memory of row i before the step: the first number that the law keeps of the row.
static inline double thudi_checker_memory_before(const thudi_checker *checker, int i)
{
    int m = checker->before_index[i];
    return m < 0 ? 0 : checker->before->multipliers[m].memory;
}

/// The same after the step.
static inline double thudi_checker_memory_after(const thudi_checker *checker, int i)
{
    int m = checker->after_index[i];
    return m < 0 ? 0 : checker->after->multipliers[m].memory;
}

/// Row i of the step.
static inline thud_row thudi_checker_row(const thudi_checker *checker, int i, thud_row_room *room)
{
    return thudi_list_row(&checker->rows, i, room);
}

/// Number of slopes of a row.
static inline int thudi_row_length(const thud_row *row)
{
    return row->count * (row->width > 1 ? row->width : 1);
}

/// The coordinate of slope e of a row, 0 <= e < thudi_row_length(row).
static inline int thudi_row_coordinate(const thud_row *row, int e)
{
    return row->width > 1 ? row->index[e / row->width] + e % row->width : row->index[e];
}

/// Allocate memory of zeros from checker->allocator, or from the C library. NULL if there is none.
void *thudi_checker_allocate(const thudi_checker *checker, size_t size);
/// Free it. block: NULL is allowed. size: as allocated.
void thudi_checker_release(const thudi_checker *checker, void *block, size_t size);

/// Times within the step, increasing; some may be equal.
typedef struct thudi_times
{
    double *at;
    int count, capacity;
} thudi_times;

/// Find the times within the step at which the force is not smooth. Free them even after an error.
thud_status thudi_checker_find_times(thudi_checker *checker, thudi_times *times);
void thudi_checker_free_times(const thudi_checker *checker, thudi_times *times);

/// Fill force, force_size and force_error.
thud_status thudi_checker_find_force(thudi_checker *checker);

/// Compute the noise of the step again, and add it to force and force_size.
void thudi_checker_add_noise(thudi_checker *checker);

/// Fill quadrature_error. Overwrites total.
thud_status thudi_checker_find_quadrature(thudi_checker *checker);

/// Fill impulse_cap, and coordinate_allowed with m (|u'| + |u|) + h |f|, first order m (|u'| +
/// |f|). Tolerances are computed from these. They do not depend on impulses, because a forged
/// impulse must not widen its own tolerance.
void thudi_checker_find_momentum_scale(thudi_checker *checker);

/// Fill speed_bound, x, lin, lin_x, allowed, coupled_allowed and row_tolerance from the impulses
/// and the rows.
thud_status thudi_checker_measure_rows(thudi_checker *checker);

/// |w| + |u'| + |u| of coordinate k: the sum of the step's velocities, without impulses.
double thudi_checker_speed_sum(const thudi_checker *checker, int k);

/// Fill width from the rows.
void thudi_checker_find_width(thudi_checker *checker);

/// |f| / m of the body whose first coordinate is k; in first order |w| / h.
double thudi_checker_acceleration(const thudi_checker *checker, int k, int width);

/// Set row_tolerance to 0 for rows with a load whose gap is too large for any body to cross in the
/// step. Otherwise a forged record could move bodies a little in every step, by many such rows.
void thudi_checker_clear_far_tolerances(thudi_checker *checker);

/// Raise row_tolerance of the rows that the solver may leave out, because it does not list them.
void thudi_checker_raise_tolerances(thudi_checker *checker);

/// Are the slopes of all rows that touch linearly independent? Needs dim^2 numbers of memory, so
/// call it only for few coordinates.
thud_status thudi_checker_is_unique(thudi_checker *checker, bool *is_unique);

/// Is there a velocity with lin_i > sigma_i for all rows? The answer true is certain, false is not.
/// Overwrites total.
bool thudi_checker_has_room(thudi_checker *checker);

/// Verify a step as thud_verify_step does. known: what the scene knows of its rows, or NULL.
thud_status thudi_verify_known(const thud_inclusion *problem, const thud_state *before,
                               const thud_state *after, const thud_verify_def *def,
                               const thudi_known *known, thud_verdict *verdict);

/// Replace the check's residual by this one if it is worse, relative to what is allowed. NAN counts
/// as the worst. where: a row or a coordinate, -1 for neither. key: of the row, else number 0.
void thudi_checker_keep_worst(thud_check *check, double residual, double allowed, int64_t where,
                              thud_key key);

/// |q'_k - (q_k + h v)| over the error that is allowed: 8 ulps of |q_k| + h |v|, and `extra`, a
/// length.
double thudi_checker_motion_error(const thudi_checker *checker, int k, double v, double extra);

/// Fill before_index, after_index, unscale and load. Verify the signs of the multipliers of
/// `after`, and that each belongs to a row.
void thudi_checker_verify_sign(thudi_checker *checker);

// One function for each of the other certificates. All write to checker->verdict.checks.
void thudi_checker_verify_stationarity(thudi_checker *checker);
void thudi_checker_verify_feasible(thudi_checker *checker);
void thudi_checker_verify_complementarity(thudi_checker *checker);
void thudi_checker_verify_motion(thudi_checker *checker);
void thudi_checker_verify_energy(thudi_checker *checker);
void thudi_checker_verify_momentum(thudi_checker *checker);

/// Add to speed_bound the velocities and impulses of the step before. Needs checker->node at (t_n,
/// q_n).
void thudi_checker_add_speed_bound_before(thudi_checker *checker);

/// Verify that no gap of checker->node, evaluated at position q, is below 0. `name` is the
/// certificate that this belongs to. Returns the smallest gap.
double thudi_checker_verify_node(thudi_checker *checker, const double *q,
                                 thud_certificate_name name);

/// How far g may fall, within the step, below the smaller of its values at both ends.
double thudi_checker_bound_between(const thudi_checker *checker);

#endif
