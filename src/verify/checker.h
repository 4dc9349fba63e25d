/// What the files of the checker share: one examination of one step.
#ifndef THUD_CHECKER_H
#define THUD_CHECKER_H

#include "thud/verify.h"
#include "verify/checked_law.h"
#include "verify/checker_sum.h"

/// Of all momentum that a step moves: the largest stress whose rounding is excused. Of honest steps
/// of the shipped scenes it was below 4.
#define THUDI_MOST_STRESS 1024.0

/// By how much the slopes of a row may be off, each, and in *gap by how much its gap: what the
/// scene knows of its kind. Asked only for rows that the checker has pushed itself.
typedef double thudi_row_error_fn(const thud_row *row, double *gap, void *user);

/// The solver lists rows with gaps up to 2 sigma and this if they could meet by the prediction;
/// INFINITY: it lets none of this kind pass.
typedef double thudi_near_fn(const thud_row *row, void *user);

/// What a scene knows of its rows.
typedef struct thudi_known
{
    thudi_row_error_fn *row_error;
    thudi_near_fn *near;
    void *user;
} thudi_known;

/// Everything one call of thud_verify_step works with, grouped by the stage that writes it.
struct thudi_checker
{
    // the question
    const thud_inclusion *problem;
    const thudi_checked_law *law; ///< of the problem
    const thud_state *before, *after;
    thud_verify_def def; ///< with the defaults filled in
    thud_allocator allocator;
    const thudi_known *known; ///< NULL: the rows are those of the solver, to the bit
    int dim;
    double h, t, t_next;
    // memory: two blocks, for arrays over coordinates and over rows
    void *coordinate_block, *row_block;
    size_t coordinate_size, row_size;
    // force: f_n, the mean of |f|, and the error of f_n as far as known; length dim each
    double *force, *force_size, *force_error;
    double quadrature;  ///< what the solver's own mean of the force may be off by too
    double *prediction; ///< w, length dim
    double *size; ///< m (|u'| + |u|) + h |f|: momentum that the step could have moved, length dim
    double most;  ///< impulses above this vouch for no rounding: THUDI_MOST_STRESS times the sum of
                  ///< size
    double *room; ///< what stationarity may be off by, length dim
    double *reach;      ///< |w_k| + sum_i |slope_ik| mu_i / m_k, length dim; the sum at most `most`
    double *x;          ///< P_K(w): u', or what the memories say where contacts bounce, length dim
    thudi_sum *total;   ///< sums over the coordinates, length dim; free for use by any stage
    double *total_size; ///< sums of absolute values that go with total, length dim
    // rows
    thud_rows *rows; ///< at (t_n+1, q_n), sorted by key
    thud_rows *node; ///< at a node, sorted by key
    int row_count;
    double *mu;            ///< impulse of every row
    double *load;          ///< what must vanish where a row is open, every row
    int per_row;           ///< numbers that are read per row beside the impulse, at least 1
    double *kept_before;   ///< these numbers before the step, per_row for every row
    double *kept_after;    ///< the same after the step
    thudi_sum *lin;        ///< gap_i + h slope_i . u', every row
    thudi_sum *slack;      ///< gap_i + h slope_i . x, every row; x = u' unless contacts bounce
    double coupled;        ///< what lin_i may be off because all rows are solved together
    double *allowed;       ///< what lin_i may be off by rounding, in the unit of g, every row
    double *row_tolerance; ///< what the rule to stop leaves of lin_i - sigma_i, every row
    bool starts_segment;   ///< `after` begins a new segment at t_n+1
    thud_verdict verdict;  ///< handed to the caller if all went well
};

/// The mass of coordinate k.
static inline double thudi_checker_mass(const thudi_checker *checker, int k)
{
    return checker->problem->mass ? checker->problem->mass[k] : 1;
}

/// The memory of row i before and after the step: the first number that the law keeps of it.
static inline double thudi_checker_memory_before(const thudi_checker *checker, int i)
{
    return checker->kept_before[(size_t)checker->per_row * (size_t)i];
}

static inline double thudi_checker_memory_after(const thudi_checker *checker, int i)
{
    return checker->kept_after[(size_t)checker->per_row * (size_t)i];
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

/// Memory from the allocator of the checker, or from the C library; zeroed.
void *thudi_checker_allocate(const thudi_checker *checker, size_t size);
void thudi_checker_release(const thudi_checker *checker, void *block,
                           size_t size); ///< NULL is allowed

/// Times within the step, increasing; some may be equal.
typedef struct thudi_times
{
    double *at;
    int count, room;
} thudi_times;

/// Find where the force is not smooth. Free the times in any case.
thud_status thudi_checker_find_times(thudi_checker *checker, thudi_times *times);
void thudi_checker_free_times(const thudi_checker *checker, thudi_times *times);

/// Fill force, force_size and force_error.
thud_status thudi_checker_force(thudi_checker *checker);

/// Add the noise of the step, computed again, to force and force_size.
void thudi_checker_noise(thudi_checker *checker);

/// Read the multipliers of `after` into mu, and judge signs and orphans.
void thudi_checker_sign(thudi_checker *checker);

/// Keep the worst. A residual or tolerance that is not a number is worse than any.
void thudi_checker_keep_worst(thud_check *check, double residual, double allowed, int64_t where,
                              thud_key key);

/// What q'_k is off q_k + h v by, over 8 ulps of that and room.
double thudi_checker_motion_error(const thudi_checker *checker, int k, double v, double room);

/// Fill quadrature. Uses reach and x.
thud_status thudi_checker_find_quadrature(thudi_checker *checker);

/// Fill size and most: what the tolerances of the step are made of. No impulse enters.
void thudi_checker_find_sizes(thudi_checker *checker);

/// Fill reach, x, lin, slack, allowed and stop from mu and the rows.
thud_status thudi_checker_measure(thudi_checker *checker);

/// |w| + |u'| + |u| in one coordinate: the velocities of the step, whatever its impulses.
double thudi_checker_speeds(const thudi_checker *checker, int k);

/// Coordinates per body: the width of the pair rows if there are any and they agree, else 1.
int thudi_checker_width(const thudi_checker *checker);

/// |f| / m of the body whose coordinates begin at k, in first order |w| / h.
double thudi_checker_acceleration(const thudi_checker *checker, int k, int width);

/// Take the stop from rows that push over a distance which no body could go in the step: a record
/// could else move bodies a little in every step, by any number of others.
void thudi_checker_clear_far_tolerances(thudi_checker *checker);

/// Raise the stops of rows that the solver need not have had: it lets them pass.
void thudi_checker_raise_tolerances(thudi_checker *checker);

/// Are the slopes of all rows that touch independent? For few coordinates only.
thud_status thudi_checker_is_unique(thudi_checker *checker, bool *is_unique);

/// Is there a velocity with lin_i > sigma_i for all rows? True is certain, false is not.
bool thudi_checker_has_room(thudi_checker *checker);

/// thud_verify_step of a scene that knows its rows.
thud_status thudi_verify_known(const thud_inclusion *problem, const thud_state *before,
                               const thud_state *after, const thud_verify_def *def,
                               const thudi_known *known, thud_verdict *verdict);

// One function for each of the other certificates, all into checker->verdict.checks.
void thudi_checker_stationarity(thudi_checker *checker);
void thudi_checker_feasible(thudi_checker *checker);
void thudi_checker_complementarity(thudi_checker *checker);
void thudi_checker_motion(thudi_checker *checker);
void thudi_checker_energy(thudi_checker *checker);
void thudi_checker_momentum(thudi_checker *checker);

/// Add to reach what moved the bodies in the step before, with checker->node at (t_n, q_n).
void thudi_checker_add_reach_before(thudi_checker *checker);

/// Judge the rows in checker->node, evaluated at position q, into one certificate, and return the
/// smallest gap.
double thudi_checker_node(thudi_checker *checker, const double *q, thud_certificate_name name);

/// The bound between nodes: of how far g may fall below its values at both ends of the step.
double thudi_checker_between(const thudi_checker *checker);

#endif
