/// The independent checker (library thud_verify): proves that a step is right, or says what is
/// wrong.
///
/// It takes two states, the multipliers that the second one stores, and the problem. It evaluates
/// the nine certificates of docs/theory.md. It shares no code with the solver, except for the
/// list of rows and the state.
#ifndef THUD_VERIFY_H
#define THUD_VERIFY_H

#include "thud/cell.h"
#include "thud/inclusion.h"
#include "thud/jamming.h"
#include "thud/solids.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The nine certificates: X(name, what it says). All sums are formed in doubled precision. Before
/// the step: q, u, t; after it: q', u', t'. lin_i is the linearised gap at the end.
///
/// A forged impulse cannot widen its own tolerance: tolerances are computed from masses, velocities
/// and forces. Impulses add only their rounding. They count up to 1,024 times the momentum that the
/// step could have moved, sum m (|u'| + |u|) + h |f|.
/// - STATIONARITY is verified per coordinate. It allows 8 ulps of m (|u'| + |u|) + h |f|, because
///   u' is w + M^-1 G^T mu, rounded once. With THUD_FIRST_ORDER w is f_n with the noise of the
///   step, and u does not matter. A force that the checker integrated again may differ by 1e-12 of
///   its mean in addition, the tolerance of the solver's own quadrature.
/// - SIGN allows no error. Multipliers must be sorted by key. Rows and multipliers with the same
///   key are matched in order. If rows with and without an impulse have the same key, the match is
///   ambiguous: give every constraint its own key. Memories of inelastic contacts must be 0. A
///   multiplier that is 0, with a memory that is 0, must not be stored.
/// - FEASIBLE allows 8 ulps of |gap| + h |slope| (|w| + |u'| + |u|). It verifies the caller's gaps,
///   without the shift.
/// - COMPLEMENTARITY is |min(h A load, lin - s sigma)| <= tolerance for every row, with or without
///   an impulse. load is mu, or what the contact law has in its place. A is
///   slope . M^-1 slope, and sigma is the row's shift. The tolerance of a row is given at
///   thud_verify_def.accuracy. s is 1. Where no velocity keeps every sigma, s may be 1/16, 1/256 or
///   0. The checker searches for such a velocity, by projections onto one row after the other.
/// - MOTION allows 2 ulps of |q| + h |u'|, whatever the tolerance. `after` must have the same t0
///   and h as `before`, and n + 1. Or it begins a new segment there (n = 0, t0 = t'). Its impulses
///   are then scaled to its own h, as thud_state_set_step does.
/// - FEASIBLE, COMPLEMENTARITY, NO_OVERLAP and BETWEEN allow 16 ulps of |slope| |q| in addition,
///   because g has the rounding error of its position. Unless thud_verify_def.strict is set, they
///   also allow 16 ulps of h |slope| |mu slope / m|.
/// - ENERGY: |u'|^2/2 - |u|^2/2 + |u' - u|^2/2 = h f.u' - sum lambda_i gap_i + sum lambda_i lin_i,
///   with norms of M and lambda = mu / h. With THUD_FIRST_ORDER w replaces u, and the work of f is
///   0. The error may be sum |u'_k| times what STATIONARITY allows for k, and 8 ulps of the
///   squares.
/// - MOMENTUM: sums of m (u' - u) - h f over the coordinates k with k mod width = axis. width is
///   that of the pair rows. Without pair rows, or with both widths, there is one sum over all
///   coordinates. A pair row of two blocks with exactly opposite slopes is internal: it does not
///   enter the sum. All other rows do. The error may be the sum of what STATIONARITY allows.
/// - With glue mu_i may be negative. SIGN is mu_i >= gamma_i, the memory before the step, and the
///   memory after it is max(gamma_min, gamma_i - mu_i). COMPLEMENTARITY is
///   (mu_i - gamma_i) lin_i = 0.
/// - With restitution FEASIBLE and COMPLEMENTARITY verify x = w + M^-1 sum memory_i grad g_i
///   instead of u'. The memories replace mu. MOTION is q' = q + h x, or the longer displacement of
///   a fast impact. The contact law has more conditions: docs/models.md.
/// - BETWEEN fails only if g is negative at one end of the step, or if the bound overflows. It
///   proves nothing if the problem does not give its smoothness. The bound holds for convex and for
///   concave g.
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

/// The result of one certificate, which holds if value <= 1.
typedef struct thud_check
{
    bool holds;
    double value;    ///< the worst residual over its tolerance
    double residual; ///< the worst residual, in its own unit
    int64_t where;   ///< the worst row (position by key) or coordinate; -1 for none
    thud_key key;    ///< key of that row; thud_key_number(0) if it is not a row
} thud_check;

typedef struct thud_verify_def
{
    /// A residual may be this part of the sum of the absolute values of its terms. Impulses are not
    /// terms here. 0 means 8 ulps (1.8e-15).
    double tolerance;
    /// The solver's `accuracy`; 0 if the step was solved exactly. lin of a row may differ from its
    /// shift sigma by the tolerance min(sigma / 2, accuracy h^2 a). a is the largest |f| / m, in
    /// first order |w| / h. With glue the tolerance is sigma / 2.
    double accuracy;
    /// Problems of up to this many coordinates were solved exactly, whatever the accuracy; with
    /// glue only if the rows that touch are independent. For spheres there is an exception. The
    /// solver does not list pairs and walls that the prediction does not bring near. Without an
    /// impulse these may be off by the tolerance.
    int exact_limit;
    /// COMPLEMENTARITY may be off by this amount, in the unit of g, if it is more than what is
    /// allowed otherwise. For steps that were solved to a known backward error.
    double backward;
    /// lin_i and g_i may be negative by this amount, in the unit of g, if it is more than what is
    /// allowed otherwise.
    double feasibility;
    /// Do not allow for the rounding of large impulses, except with glue. For problems whose solver
    /// keeps a shift, as spheres do.
    bool strict;
    /// f_n of the step if the record has it, length dim. NULL: the checker integrates f again.
    const double *mean_force;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_verify_def;

typedef struct thud_verdict
{
    bool holds; ///< all nine certificates hold
    thud_check checks[THUD_CERT_COUNT];
    double between; ///< g >= -between within the step; INFINITY if the smoothness is not known
    double min_gap; ///< smallest g_i(t', q'); INFINITY without constraints
    /// Estimated error of f_n, relative to the mean of |f|; 0 if the checker did not integrate f.
    /// The tolerances of STATIONARITY, ENERGY and MOMENTUM include it.
    double force_error;
    int rows; ///< number of constraints that were verified
} thud_verdict;

/// The name of a certificate in lower case, such as "no overlap".
THUD_API const char *thud_certificate_title(thud_certificate_name name);

/// What a certificate says, as in THUD_CERTIFICATE_LIST.
THUD_API const char *thud_certificate_text(thud_certificate_name name);

/// Verify the step from `before` to `after`. def: NULL for defaults. THUD_OK means that *verdict
/// has the result, which may be that certificates fail. After an error *verdict is untouched:
/// - THUD_ERR_ARGUMENT: dimensions differ, a mass is not positive, or a pointer is missing;
/// - THUD_ERR_QUADRATURE: f_n could not be integrated to 1e-7 (give mean_force);
/// - THUD_ERR_CALLBACK, THUD_ERR_MEMORY, THUD_ERR_FLOAT.
///
/// If a number is not finite, no certificate holds.
///
/// The gaps callback must push every constraint in THUD_LINEARISE, for example all pairs of
/// spheres: a constraint that it leaves out is not verified. It is called at (t', q), (t', q') and
/// (t, q). It is not called in THUD_FIND_MISSING. So a step that needed cuts from that phase fails
/// STATIONARITY, SIGN, ENERGY or MOMENTUM.
THUD_API thud_status thud_verify_step(const thud_inclusion *problem, const thud_state *before,
                                      const thud_state *after, const thud_verify_def *def,
                                      thud_verdict *verdict);

/// Write the shapes at time t: the radius of every body; the unit normal (3 numbers) and the offset
/// of every wall. Points with normal . x >= offset are free. Return 0, or anything else to end the
/// verification with an error.
typedef int thud_verify_shapes_fn(double t, double *radius, double *normal, double *offset,
                                  void *user);

/// An obstacle as it was added to the world. The checker computes distances from this description,
/// with its own formulas. Triangles are borrowed.
typedef struct thud_verify_obstacle
{
    thud_solid_def solid;
    thud_pose pose;       ///< where it is, if motion is NULL
    thud_pose_fn *motion; ///< NULL: it does not move
    void *user;           ///< handed to motion
    int material;         ///< only for laws that have numbers
} thud_verify_obstacle;

/// Spheres, walls and obstacles. Body i has the coordinates dim * i up to dim * (i + 1) - 1. Keys
/// are those of thud/spheres.h; the id of a body is its index.
typedef struct thud_verify_spheres_def
{
    int dim; ///< of the space, 2 or 3
    int count, wall_count;
    thud_cell cell; ///< as in thud_world_def; all zero if nothing is periodic
    thud_verify_shapes_fn *shapes;
    void *user; ///< handed to shapes
    const thud_verify_obstacle *obstacles;
    int obstacle_count;
    /// The rows of the step's report. The checker takes directions from them, for two kinds of rows
    /// whose direction the solver chose. A cut of a concave facet is used only if it bounds the gap
    /// from above. For rows of triangles the checker computes the gaps again. NULL: a step fails if
    /// it has an impulse on a concave facet, or on a triangle in another direction than the
    /// gradient of its distance.
    const thud_rows *cuts;
    /// `cuts` has only these two kinds of rows, as the record of a run does. Any other row, or one
    /// whose direction is not used, then fails FEASIBLE.
    bool cuts_only;
    /// sigma of a contact with the smaller radius r is max(shift r, min(step_shift, most_shift r)).
    double shift;
    double step_shift, most_shift; ///< 0: sigma is shift r
    // only for laws that have numbers, as in thud_world_def
    const int *material;      ///< of every body; NULL for 0
    const int *wall_material; ///< of every wall; NULL for 0
    int material_count;       ///< number of rows, and of columns, in the table `numbers`
    /// The numbers of the problem's law by pair of materials, as in thud_world_def.numbers; NULL:
    /// none
    const double *numbers;
} thud_verify_spheres_def;

/// thud_verify_step for spheres. The gaps callback of `problem` is not used. The checker searches
/// for the pairs and walls itself. It finds all that the velocities of `after` could bring together
/// in the step, all that overlap at one of its ends, and all with an impulse. The kind of a row is
/// that of the pair, wall or obstacle that it was found for.
/// - In a periodic cell pairs are found with their images. THUD_ERR_CALLBACK if a body moves a
///   whole period in the step, relative to the mean of all bodies.
/// - A triangle of a mesh with lin < 0 passes if the normal of another triangle separates the body
///   from it. It must do so at the start and at the end of the step. A recorded direction that does
///   not separate them at the start is ignored.
/// - An obstacle that moved so far that it could have changed sides with a body fails FEASIBLE,
///   with thud_key_obstacle.
THUD_API thud_status thud_verify_spheres(const thud_inclusion *problem,
                                         const thud_verify_spheres_def *spheres,
                                         const thud_state *before, const thud_state *after,
                                         const thud_verify_def *def, thud_verdict *verdict);

/// Verify a packing with code that shares nothing with the code that makes packings. Distances of
/// all pairs, distances of the contacts and their forces are computed in doubled precision. held:
/// length count; set to true for bodies of the network. THUD_ERR_ARGUMENT if there is no body,
/// contact or diameter, or if a centre is outside of the cube; THUD_ERR_MEMORY.
THUD_API thud_status thud_verify_packing(const thud_packing *packing, bool *held,
                                         thud_packing_verdict *verdict);

#ifdef __cplusplus
}
#endif

#endif
