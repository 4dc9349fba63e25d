/// The projection at the heart of every step, alone:
///
///     u = argmin |v - w|_M^2   over   K = { v : gap_i + h slope_i . v >= 0, all i }
///
/// with multipliers mu_i >= 0 such that u = w + M^-1 sum_i mu_i slope_i, and a certificate.
/// mu_i is an impulse; mu_i / h a force. lin_i = gap_i + h slope_i . u, in the unit of g.
#ifndef THUD_PROJECT_H
#define THUD_PROJECT_H

#include "thud/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The methods, one line each in src/project/methods.c.
typedef enum thud_method
{
    /// Each connected cluster of rows apart: small ones, and those without shift, exactly; the
    /// others by accelerated Gauss-Seidel.
    THUD_METHOD_AUTO = 0,
    THUD_METHOD_ACTIVE_SET = 1, ///< dense dual active set: exact; up to some 2,000 active rows
    THUD_METHOD_AGS = 2,        ///< accelerated Gauss-Seidel: large problems with shifts
    THUD_METHOD_PGS = 3,        ///< plain projected Gauss-Seidel, for comparison
    THUD_METHOD_APGD = 4        ///< accelerated projected gradient, for comparison
} thud_method;

/// How space is cut into bricks, which order the rows of large clusters for sweeps. Threads sweep
/// bricks side by side. The order follows from the problem alone, so results have the same bits for
/// any number of threads. All zero but for `side` in a world that is not periodic.
typedef struct thud_bricks
{
    /// Length of an edge, > 0: 12 diameters of a typical body. Rows between bodies more than half
    /// of it apart, and all rows of a body larger than that, are swept by one thread.
    double side;
    double period[3]; ///< of a periodic cell, see thud/cell.h; 0: the axis is not periodic
    double shear;     ///< S of the cell at the time of the gaps
} thud_bricks;

/// What to solve. A value; all arrays are borrowed.
typedef struct thud_projection
{
    int dim;
    double h;              ///< > 0
    const double *mass;    ///< length dim, or NULL for 1
    const double *w;       ///< the prediction, length dim
    const thud_rows *rows; ///< the constraints; NULL for none
    /// The position where gaps were taken, length dim: a gap is then known to an ulp of
    /// |gap| + |slope| . |origin| only, and K that is empty by no more than that is not called
    /// empty. NULL: gaps are exact.
    const double *origin;
    const double *warm; ///< first guess of mu, one per row in the order of rows; NULL: cold
    /// tol_a: an iterative method stops when no row is off by more than
    /// min(tolerance_share shift_i, accuracy h^2 a), a the largest |force| / m of the cluster; 0
    /// for tolerance_share shift_i.
    double accuracy;
    const double *force; ///< the mean force of the step, length dim, for a; NULL for 0
    double shift_scale;  ///< every row's shift is multiplied by this: 1 as a rule, 0 ignores shifts
    double tolerance_share; ///< part of its shift that a row may be off by, below 1; 0 for 1/2
    /// With origin: how rows of large clusters are ordered for sweeps. NULL: by one curve through
    /// all bodies, which one thread sweeps.
    const thud_bricks *bricks;
} thud_projection;

/// A verified active set: the rows that push at the answer P w are known, so that a bound is linear
/// in the residuals where `forward` is their root. Proved in doubled precision, apart from the
/// solver. There is none where the rows that push depend on each other, or could not be told.
typedef struct thud_enclosure
{
    bool holds;    ///< it is proved; false: nothing is said
    double bound;  ///< |u - P w|_M is at most this; INFINITY unless it holds
    double weak;   ///< P w is for the gaps of weak rows enlarged by at most this, in the unit of g
    int weak_rows; ///< rows that do not push and meet their bounds by rounding only
    int changed;   ///< rows that had to be taken into { mu > 0 } or out of it
} thud_enclosure;

/// What can be proved of (u, mu), computed apart from the solver, in doubled precision and
/// rounded outwards, from the problem and (u, mu) alone.
typedef struct thud_certificate
{
    /// |M (u - w) - G^T mu| in the M^-1 norm: 0 except for the rounding of u.
    double stationarity;
    double min_impulse; ///< smallest mu_i; >= 0 always
    /// Smallest lin_i over all rows, with the caller's gaps (not the shifted ones).
    double min_lin;
    double violation;      ///< largest (-lin_i)+: 0 means feasible exactly, not nearly
    double violation_ulps; ///< the same in ulps of |gap| + h |slope| (|w| + |mu slope / m|)
    /// Forward: |u - P_K w|_M is at most this. Where violation > 0, K is K for gaps enlarged by
    /// each row's own violation, which is at most violation_ulps ulps.
    double forward;
    /// Backward: (u, mu) is the exact answer for gaps changed by at most this, each row by its own
    /// amount (in the unit of g), and w by at most `stationarity`, the rounding of u.
    double backward;
    /// Largest relative residual of the Karush-Kuhn-Tucker conditions of the problem solved (the
    /// shifted one). Rows: |lin_i - shift_i| where mu_i > 0, (shift_i - lin_i)+ elsewhere, over the
    /// size of violation_ulps + |slope| . |origin| + h |slope| (|w| + |u - w|) in the norms of M.
    /// Stationarity: over m (|u| + |w|) + |mu slope|, per coordinate.
    double kkt;
    /// Where every cluster was solved exactly: |u - P_K w|_M for K itself, and for the problem that
    /// was solved, with the gaps less their shifts. Norms over clusters add up in squares.
    thud_enclosure enclosure, shifted;
} thud_certificate;

/// The proof that K is empty, or empty within reach: y_i >= 0 with sum_i y_i slope_i nearly 0
/// and sum_i y_i gap_i < 0. Where the problem was solved with shifts and sum >= 0, K itself is not
/// shown to be empty: there is only no room for the shifts.
typedef struct thud_farkas
{
    const double *y; ///< one per row, sum 1 over rows scaled to unit slope; NULL if feasible
    double residual; ///< |sum_i y_i slope_i| in the M^-1 norm
    double sum;      ///< sum_i y_i gap_i, with the caller's gaps
    double radius;   ///< no v with |v|_M < radius is in K (rigorous); 0 if sum >= 0
} thud_farkas;

/// Work counted, not timed.
typedef struct thud_effort
{
    int added;       ///< rows that entered the active set
    int dropped;     ///< rows that left it
    int warmed;      ///< rows taken over from the first guess
    int sweeps;      ///< passes of an iterative method over its rows
    int evaluations; ///< times an iterative method checked its stopping rule
    int clusters;    ///< connected sets of rows solved apart
    int polished;    ///< refinements in doubled precision
} thud_effort;

/// The answer. Arrays are views into the projector, valid until its next use.
typedef struct thud_answer
{
    const double *u;   ///< length dim
    const double *mu;  ///< one per row
    const double *lin; ///< gap_i + h slope_i . u, one per row
    thud_certificate certificate;
    thud_farkas farkas;
    thud_effort effort;
    const bool *is_tight; ///< one per row: lin_i is within rounding of its shift
    int tight;            ///< number of tight rows
    bool unique;  ///< the slopes of the tight rows are independent, so mu is unique; examined only
                  ///< where the exact method solved, true elsewhere
    int relieved; ///< rows that conflicted by the rounding of their gaps and were given it
    double certify_seconds; ///< spent on the certificate, by the monotonic clock; no result
} thud_answer;

typedef struct thud_projector thud_projector; ///< all the memory a projection needs

typedef struct thud_projector_def
{
    thud_method method; ///< THUD_METHOD_AUTO unless said
    double tolerance;   ///< of exact methods: relative KKT residual; default 1e-12
    int sweep_limit;    ///< sweeps of an iterative method on one cluster; default 1,000,000
    int exact_limit;    ///< AUTO: clusters of up to so many coordinates or rows exactly; default 90
    int change_limit;   ///< changes of the active set; default 50 (dim + rows)
    int brick_limit; ///< clusters of more bodies are cut into bricks, if there are; default 4,096
    /// Looked at between sweeps, changes of the active set and clusters: when it is not 0 the
    /// projection is dropped with THUD_ERR_STOPPED. A signal or another thread may set it. Borrowed
    /// for the life of the object; NULL for none.
    volatile const int *stop;
    double deadline;     ///< likewise from this time on, in seconds of CLOCK_MONOTONIC; 0 for none
    bool skip_enclosure; ///< do not look for a verified active set
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_projector_def;

/// def: NULL for all defaults.
THUD_API thud_status thud_projector_create(const thud_projector_def *def, thud_projector **out);
THUD_API void thud_projector_destroy(thud_projector *projector); ///< NULL is allowed

/// Solve. THUD_ERR_STOPPED when that was wished; THUD_ERR_INFEASIBLE comes with answer->farkas,
/// THUD_ERR_NOT_CONVERGED with the best (u, mu) and its true certificate. Allocates nothing when
/// problems do not grow.
THUD_API thud_status thud_project(const thud_projection *problem, thud_projector *projector,
                                  thud_answer *answer);

/// How hard to look for a verified active set. Zero for defaults.
typedef struct thud_enclose_def
{
    int round_limit; ///< sets to try; default 8
    /// Numbers that the factor of the matrix of the set may have; default 4,194,304 (32 MiB). It
    /// is sparse: a set of k rows takes k^2 / 2 at most, and as a rule some k^(5/3).
    size_t factor_limit;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_enclose_def;

/// Enclose |u - P w|_M for any u, such as one of an iterative method, for the gaps less shift_scale
/// shifts: 0 for K itself. mu says which rows to begin with; rows enter and leave the set until one
/// is proved. enlarged[0 .. rows), unless NULL, receives what the gap of each row was enlarged by.
/// def: NULL for all defaults.
THUD_API thud_status thud_enclose(const thud_projection *problem, const double *u, const double *mu,
                                  const thud_enclose_def *def, thud_enclosure *enclosure,
                                  double *enlarged);

/// The constant of hypothesis A6 for the rows i with use[i] (NULL: all):
/// gamma = 1 / dist(0, conv{ slope_i / |slope_i| }) in the M^-1 metric, by one projection.
/// INFINITY when the rows can hold each other in equilibrium (self-stress), 1 when there are none.
/// Beyond some 1e7 the two cannot be told apart in double precision. good[0 .. dim), unless NULL,
/// receives the direction (unit in the M norm) along which all these rows open, or 0.
THUD_API thud_status thud_gamma(const thud_rows *rows, const double *mass, const bool *use,
                                thud_projector *projector, double *gamma, double *good);

#ifdef __cplusplus
}
#endif

#endif
