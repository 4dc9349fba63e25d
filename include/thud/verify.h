/// The independent checker (library thud_verify): proves one step right, or names what is wrong.
///
/// It takes two states, the multipliers stored in the second, and the problem, and evaluates the
/// nine certificates of docs/theory.md. It shares no code with the solver, and uses of the core
/// only the list of rows and the state.
#ifndef THUD_VERIFY_H
#define THUD_VERIFY_H

#include "thud/cell.h"
#include "thud/inclusion.h"
#include "thud/jamming.h"
#include "thud/solids.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The nine certificates: X(name, what it says). All sums are formed in doubled precision.
///
/// Nothing that a record may choose widens what is allowed. Sizes are made of masses, velocities
/// and forces. Impulses count for their rounding only, and only up to 1,024 times all the momentum
/// that the step could have moved, sum m (|u'| + |u|) + h |f|.
/// - STATIONARITY is per coordinate, to 8 ulps of m (|u'| + |u|) + h |f|, as u' is w + M^-1 G^T mu
///   rounded once. With THUD_FIRST_ORDER w is f_n, with the noise of the step, and u plays no part.
///   A force that was integrated again may be off by 1e-12 of its mean in addition, the tolerance
///   of the solver's own quadrature.
/// - SIGN is exact; multipliers must be sorted by key. Rows of equal key are matched with
///   multipliers of that key in order, so a key shared by rows with and without an impulse is
///   ambiguous: give every constraint its own. Memories of inelastic contacts must be 0, and no
///   multiplier may be 0 with its memory.
/// - FEASIBLE allows 8 ulps of |gap| + h |slope| (|w| + |u'| + |u|) and knows the caller's gaps,
///   not the shifted ones.
/// - COMPLEMENTARITY is |min(h A load, lin - s sigma)| <= stop for every row, loaded or not, with
///   A = slope . M^-1 slope, sigma the shift of the row, and stop its own: see
///   thud_verify_def.accuracy. s is 1. Where no velocity keeps every sigma it may be 1/16, 1/256 or
///   0: that is tried, by projections onto one row after the other.
/// - MOTION is to 2 ulps, whatever the tolerance. `after` must have the same t0 and h as
///   `before` and n + 1, or begin a new segment there (n = 0, t0 = t'), its impulses then scaled
///   to its own h as by thud_state_set_step.
/// - FEASIBLE, COMPLEMENTARITY, NO_OVERLAP and BETWEEN also allow 16 ulps of |slope| |q|: g is
///   known no better than the position it is evaluated at. Without thud_verify_def.strict they
///   allow 16 ulps of h |slope| |mu slope / m|.
/// - ENERGY: |u'|^2/2 - |u|^2/2 + |u' - u|^2/2 = h f.u' - sum lambda_i gap_i + sum lambda_i lin_i,
///   M norms, lambda = mu / h; with THUD_FIRST_ORDER w replaces u and the work of f is 0. It may be
///   off by sum |u'_k| times what stationarity of k may, and 8 ulps of the squares.
/// - MOMENTUM: sums of m (u' - u) - h f over the coordinates k with k mod width = axis, width that
///   of the pair rows, or over all coordinates when there are none (or of both widths). A pair row
///   of two blocks with exactly opposite slopes is internal and does not enter; all others do. It
///   may be off by the sum of what stationarity may.
/// - With glue mu_i may be negative: SIGN is mu_i >= gamma_i of before, and the memory
///   after is max(gamma_min, gamma_i - mu_i); COMPLEMENTARITY is (mu_i - gamma_i) lin_i = 0.
/// - With restitution FEASIBLE and COMPLEMENTARITY are judged with the memories for mu and
///   x = w + M^-1 sum memory_i grad g_i for u', MOTION is q' = q + h x or the longer way that a
///   fast impact may take, and the law of impact adds its own: docs/models.md.
/// - BETWEEN fails only by a value of g at either end of the step. It is vacuous when the problem
///   does not say how smooth it is. The bound holds for convex and for concave g.
#define THUD_CERTIFICATE_LIST(X)                                                                   \
    X(STATIONARITY, "M (u' - w) = sum mu_i grad g_i")                                              \
    X(SIGN, "mu_i >= 0, and every multiplier belongs to a constraint")                             \
    X(FEASIBLE, "lin_i = g_i(t',q) + h grad g_i . u' >= 0 for all i")                              \
    X(COMPLEMENTARITY, "mu_i lin_i = 0")                                                           \
    X(MOTION, "q' = q + h u', t' = t + h")                                                         \
    X(NO_OVERLAP, "g_i(t',q') >= 0 for all i")                                                     \
    X(ENERGY, "the energy identity")                                                               \
    X(MOMENTUM, "momentum changes by the force and by external constraints only")                  \
    X(BETWEEN, "g_i >= -bound at every time in the step")

typedef enum thud_certificate_name
{
#define THUD_CERTIFICATE_ENUM(name, text) THUD_CERT_##name,
    THUD_CERTIFICATE_LIST(THUD_CERTIFICATE_ENUM)
#undef THUD_CERTIFICATE_ENUM
        THUD_CERT_COUNT
} thud_certificate_name;

/// One certificate: holds when value <= 1.
typedef struct thud_check
{
    bool holds;
    double value;    ///< the worst residual over its tolerance
    double residual; ///< the worst residual, in its own unit
    int64_t where;   ///< row (its position by key) or coordinate of the worst, -1 for none
    thud_key key;    ///< key of that row, that of number 0 if it is not a row
} thud_check;

typedef struct thud_verify_def
{
    /// Residuals are compared with this times the sum of the absolute values of their terms, the
    /// impulses left out; default 8 ulps (1.8e-15).
    double tolerance;
    /// The solver's rule to stop: a row with the shift sigma may be off by min(sigma / 2, accuracy
    /// h^2 a), a the largest |f| / m (first order: |w| / h), with glue by sigma / 2; default 0, for
    /// steps that were solved exactly.
    double accuracy;
    /// Problems of up to so many coordinates were solved exactly, whatever the accuracy; with glue
    /// only those whose touching rows are independent. Of spheres, a pair or wall without an
    /// impulse may be off by the rule to stop all the same, if the prediction did not bring it
    /// near: the solver lets it pass. Default 0.
    int exact_limit;
    /// Complementarity is compared with this amount, in the unit of g, if it is larger; for
    /// steps solved to a stated backward error; default 0.
    double backward;
    /// Feasibility lin_i and g_i may be negative by this, in the unit of g, if it is larger;
    /// default 0.
    double feasibility;
    /// Rows get no allowance for the rounding of large impulses, but those with glue: for problems
    /// whose solver keeps a distance, as spheres do.
    bool strict;
    /// f_n of the step if it is on record, length dim; NULL: integrated again.
    const double *mean_force;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_verify_def;

typedef struct thud_verdict
{
    bool holds; ///< all nine
    thud_check checks[THUD_CERT_COUNT];
    double between; ///< the bound between nodes; INFINITY if the problem does not say
    double min_gap; ///< smallest g_i(t', q'); INFINITY without constraints
    /// Estimated error of f_n if it was integrated again, relative to the mean of |f|. The
    /// tolerances of stationarity, energy and momentum are widened by it; 0 if f_n was known.
    double force_error;
    int rows; ///< constraints looked at
} thud_verdict;

/// The name of a certificate in lower case, such as "no overlap".
THUD_API const char *thud_certificate_title(thud_certificate_name name);

/// What a certificate says, as in THUD_CERTIFICATE_LIST.
THUD_API const char *thud_certificate_text(thud_certificate_name name);

/// Check the step from `before` to `after`. THUD_OK: looked at, see the verdict; an error means
/// that no verdict could be reached, and *verdict is untouched: THUD_ERR_ARGUMENT (dims differ, a
/// mass is not positive), THUD_ERR_CALLBACK, THUD_ERR_MEMORY, or THUD_ERR_QUADRATURE (f_n could
/// not be integrated to 1e-7: give mean_force). Where a number is not finite no certificate holds.
/// The problem's gaps callback must push every constraint in THUD_LINEARISE (a brute-force one for
/// spheres), as nothing that it leaves out is checked; it is called at (t', q), (t', q') and
/// (t, q). Cuts made in THUD_FIND_MISSING are not known here: a step that needed them fails
/// STATIONARITY, SIGN, ENERGY or MOMENTUM. def: NULL for defaults.
THUD_API thud_status thud_verify_step(const thud_inclusion *problem, const thud_state *before,
                                      const thud_state *after, const thud_verify_def *def,
                                      thud_verdict *verdict);

/// Write the shapes at time t: radius of every body; unit normal (3 each) and offset of every wall,
/// which frees normal . x >= offset. Return 0, or anything else to fail the check.
typedef int thud_verify_shapes_fn(double t, double *radius, double *normal, double *offset,
                                  void *user);

/// An obstacle as it was added to the world. The checker reads the description and measures by
/// formulas of its own. Triangles are borrowed.
typedef struct thud_verify_obstacle
{
    thud_solid_def solid;
    thud_pose pose;       ///< where it is, if it does not move
    thud_pose_fn *motion; ///< NULL: it does not
    void *user;           ///< handed to motion
    int material;         ///< only for laws that have numbers
} thud_verify_obstacle;

/// Spheres, walls and obstacles. Body i has the coordinates dim * i .. dim * (i + 1); keys are
/// those of thud/spheres.h, the id of a body being its index.
typedef struct thud_verify_spheres_def
{
    int dim; ///< of the space, 2 or 3
    int count, wall_count;
    thud_cell cell; ///< as in thud_world_def; all zero for none
    thud_verify_shapes_fn *shapes;
    void *user; ///< handed to shapes
    const thud_verify_obstacle *obstacles;
    int obstacle_count;
    /// The rows of the step's report, for the directions of two kinds of rows that depend on where
    /// the step looked: cuts of concave facets, each taken only if it bounds the gap from above,
    /// and rows of triangles, whose gaps are worked out again. NULL: a step in which a concave
    /// facet carried an impulse, or a triangle by another direction than its own, fails.
    const thud_rows *cuts;
    /// The list above holds no other rows than these, as the record of a run does: one of anything
    /// else, or with a direction that is not taken, fails FEASIBLE.
    bool cuts_only;
    double shift; ///< sigma of a contact is this times the smaller radius: 2 tol
    // only for laws that have numbers, as in thud_world_def
    const int *material;      ///< of every body; NULL for 0
    const int *wall_material; ///< of every wall; NULL for 0
    int material_count;       ///< sides of the table
    /// The numbers of the problem's law by pair of materials, as thud_world_def.numbers; NULL: none
    const double *numbers;
} thud_verify_spheres_def;

/// thud_verify_step for spheres: the gaps of `problem` are not used. All pairs and walls that could
/// matter are found again, by a search of the checker's own: every pair that the velocities of
/// `after` could bring together in the step, every one that overlaps at a node, every one with an
/// impulse. In a periodic cell these are pairs with images; THUD_ERR_CALLBACK when a body is as
/// fast as to go a period in the step, beside the mean of all. The kind of a row is that of the
/// pair, wall or obstacle that it was found for. A triangle of a mesh with lin < 0 passes if the
/// normal of another one separates the body from it, at the start as well as at the end; a
/// direction on record that does not separate the start is not taken. An obstacle that
/// moved far enough to change sides with a body fails FEASIBLE, with thud_key_obstacle.
THUD_API thud_status thud_verify_spheres(const thud_inclusion *problem,
                                         const thud_verify_spheres_def *spheres,
                                         const thud_state *before, const thud_state *after,
                                         const thud_verify_def *def, thud_verdict *verdict);

/// Judge a packing by code that shares nothing with what makes one: distances
/// of all pairs, those of the contacts and their forces in doubled precision. held: length count,
/// which bodies are in the network. THUD_ERR_ARGUMENT when there is no body, contact or diameter,
/// or a centre is outside of the cube; THUD_ERR_MEMORY.
THUD_API thud_status thud_verify_packing(const thud_packing *packing, bool *held,
                                         thud_packing_verdict *verdict);

#ifdef __cplusplus
}
#endif

#endif
