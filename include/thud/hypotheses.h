/// The hypotheses of the convergence theorem, measured where a problem is, and along its steps.
///
/// The theorem (Bernicot and Lefebvre-Lepot, 2010) says that the steps of thud/step.h converge, up
/// to a subsequence, if A0 to A6 hold. Their constants are measured here at one time and position
/// at a time; docs/theory.md says what each means for a run. All norms are those of M: a velocity
/// has |v|_M, a gradient its dual, M^-1. Nothing here takes part in a step.
#ifndef THUD_HYPOTHESES_H
#define THUD_HYPOTHESES_H

#include "thud/inclusion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where to look. A value; all arrays are borrowed.
typedef struct thud_site
{
    double t;        ///< where g is evaluated
    double h;        ///< step of the run, > 0
    bool is_end;     ///< time derivatives look back from t, where a run may end, and not ahead
    const double *q; ///< position, length dim
    const thud_multiplier *multipliers; ///< rows with one are looked at however far; sorted by key
    int multiplier_count;
    /// rho > 0: the constraints with g <= reach are near. A world of spheres knows its near ones up
    /// to its largest radius only.
    double reach;
    /// How far coordinates go before gradients change much, > 0, such as the smallest radius: they
    /// are moved by 1e-5 of it.
    double length;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_site;

/// Clear `rows` and have the problem push its constraints at the site, sorted by key: all those
/// that are near, perhaps others too.
THUD_API thud_status thud_site_rows(const thud_inclusion *problem, const thud_site *site,
                                    thud_rows *rows);

/// A number, and the constraint that it belongs to.
typedef struct thud_extreme
{
    double value;
    thud_key key;
} thud_extreme;

/// Does a row of such a site touch? Its gap is at most twice its shift, or 1e-9 of `length`.
THUD_API bool thud_row_touches(const thud_row *row, double length);

/// Whether a position is in the interior, and what the velocity u does where it is not.
typedef struct thud_boundary
{
    thud_extreme gap; ///< the smallest; INFINITY without rows
    int touching;     ///< rows that touch: 0 in the interior
    /// The largest -(dg/dt + grad g . u) of a row that touches, -INFINITY without: if positive, u
    /// is not admissible, and the first step begins with an impact.
    thud_extreme approach;
} thud_boundary;

/// The time derivative is taken over a step. u: length dim.
THUD_API thud_status thud_boundary_measure(const thud_inclusion *problem, const thud_site *site,
                                           const double *u, thud_boundary *boundary);

/// A6 or A6', for a set of rows: gamma = 1 / dist(0, conv{ n_i }), n_i the unit gradients.
typedef struct thud_independence
{
    /// The constant, rounded up: all rows open along a unit velocity by 1 / gamma at least.
    /// INFINITY: see is_stressed. 1 without rows.
    double gamma;
    double least; ///< gamma is proved to be no less than this apart from rounding; finite also
                  ///< where is_stressed, if the equilibrium found is one to rounding only
    /// The rows can hold each other in equilibrium: no velocity opens them all, the hypothesis
    /// fails, multipliers are not unique. Beyond some 1e7 gamma cannot be told from that.
    bool is_stressed;
    int rows;     ///< in the set
    int clusters; ///< connected sets of rows; gamma^2 is the sum of theirs
    int setting;  ///< rows that set gamma: those with a weight
    int sweeps;   ///< of the iterative method, 0 if all clusters were solved exactly
} thud_independence;

typedef struct thud_independence_def
{
    const double *mass; ///< length dim, or NULL for 1
    const bool *use;    ///< which rows; NULL for all
    int exact_limit;    ///< clusters of up to so many rows or coordinates exactly; default 150
    int sweep_limit;    ///< for larger ones; default 20,000
    double tolerance;   ///< of larger ones, relative; default 1e-4
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_independence_def;

/// Measure gamma by one projection: the shortest v with n_i . v >= 1 for all i has |v| = gamma. It
/// splits into connected clusters, so large packs are feasible. good (length dim, or NULL)
/// receives v / |v|, the "good direction" of the theory, or 0. weight (one per row, or NULL)
/// receives y_i >= 0, sum 1: the point of the hull nearest to 0 is sum y_i n_i. def: NULL for
/// defaults.
THUD_API thud_status thud_independence_measure(const thud_rows *rows,
                                               const thud_independence_def *def,
                                               thud_independence *out, double *good,
                                               double *weight);

/// A1 to A5 and convexity at a site, over all rows that the problem pushes there.
typedef struct thud_bounds
{
    int rows;
    int unknown; ///< rows whose Hessian was not found: with more than 64 coordinates, or at the rim
    thud_extreme alpha;     ///< A1: least |grad g| of those near; INFINITY if none is
    thud_extreme beta;      ///< A1: largest |grad g|
    thud_extreme gap_t;     ///< A2: largest |dg/dt|
    thud_extreme slope_t;   ///< A3: largest |d(grad g)/dt|
    thud_extreme curvature; ///< A4: largest |D^2 g|
    thud_extreme gap_tt;    ///< A5: largest |d^2 g/dt^2|
    /// Convexity: the least eigenvalue of any D^2 g, 0 if none is negative beyond rounding.
    thud_extreme concavity;
} thud_bounds;

/// Time derivatives are one-sided differences over half a step; Hessians are differences of
/// gradients, one evaluation serving all coordinates that no row has in common.
THUD_API thud_status thud_bounds_measure(const thud_inclusion *problem, const thud_site *site,
                                         thud_bounds *bounds);

/// f at a site: its size |M^-1 f|_M, averaged over a step, and its Lipschitz constant in q.
typedef struct thud_force_bounds
{
    double size;
    /// Up to 64 coordinates the norm of df/dq there, beyond that a lower bound of it.
    double lipschitz;
    bool is_lower; ///< lipschitz is but a lower bound
} thud_force_bounds;
THUD_API thud_status thud_force_measure(const thud_inclusion *problem, const thud_site *site,
                                        thud_force_bounds *bounds);

/// A step that keeps K from being empty, by the good direction: reach alpha / (beta gap_t gamma);
/// INFINITY when nothing moves. With one beta for |grad g| and |dg/dt|, as the paper has it, that
/// is reach alpha / (beta^2 gamma).
THUD_API double thud_safe_step(const thud_bounds *bounds, double reach, double gamma);

/// The multipliers of one step against their bound  sum mu_i |grad g_i| <= gamma |u' - w|.
typedef struct thud_mass
{
    int loaded;    ///< rows with mu > 0
    int unknown;   ///< multipliers whose constraint was not found: then mass is not all of it
    double mass;   ///< sum mu_i |grad g_i|
    double change; ///< |u' - w|_M
    thud_independence independence; ///< of the loaded rows, at (t_n+1, q_n)
    double bound;                   ///< gamma |u' - w|, INFINITY where is_stressed
    bool holds;                     ///< mass <= bound, for what was found
    bool pulls; ///< some mu < 0 (glue): the bound is not for such steps, and holds is true
    thud_extreme support; ///< largest g(t_n+1, q_n+1) of a loaded row: 0 in the limit
} thud_mass;

/// mean_force: f_n of the step; NULL, or with noise: |u' - w| is taken from the multipliers. rows:
/// those of the step's report, sorted by key; NULL: found again, without cuts and with those that
/// the velocities of `after` could reach. site: reach, length and allocator are looked at.
THUD_API thud_status thud_mass_measure(const thud_inclusion *problem, const thud_state *before,
                                       const thud_state *after, const double *mean_force,
                                       const thud_rows *rows, const thud_site *site,
                                       thud_mass *mass);

#ifdef __cplusplus
}
#endif

#endif
