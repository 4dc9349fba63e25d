/// The differential inclusion, and the state of its discretisation:
///
///     M q'' + N(Q(t), q) ∋ f(t, q),   Q(t) = { q : g_i(t, q) >= 0 for all i }.
///
/// N(Q, q) is the cone of outward normals of Q at q. Every g_i(t, .) is convex; thud_row_kind says
/// what to do if one is not. An impact is u+ = P_C(u-), the projection in the metric of M, with
/// C = { v : d_t g_i + grad g_i . v >= 0 for all i with g_i = 0 }. Other laws are in thud/law.h.
///
/// With THUD_FIRST_ORDER it is the sweeping process  q' + N(Q(t), q) ∋ U(t, q)  instead.
#ifndef THUD_INCLUSION_H
#define THUD_INCLUSION_H

#include "thud/law.h"
#include "thud/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Write f(t, q) into f[0 .. dim); with THUD_FIRST_ORDER the wanted velocity U(t, q).
/// Return 0; any other value fails the step.
typedef int thud_force_fn(double t, const double *q, double *f, void *user);

/// Write the integral of f(s, q) over s in [t, t_next], with q fixed, into impulse[0 .. dim). With
/// THUD_FIRST_ORDER: that of U. Return 0; any other value fails the step.
typedef int thud_impulse_fn(double t, double t_next, const double *q, double *impulse, void *user);

/// Multiplier and memory of one constraint, carried from step to step by its key.
typedef struct thud_multiplier
{
    thud_key key;   ///< of the constraint
    double impulse; ///< h lambda of the last step; below 0 where glue pulls
    double memory;  ///< one number that the law keeps per row, see thud_law; 0 when unused
} thud_multiplier;

/// The gradient of a row of a mesh, or of a container's curved surface. Such a row has many
/// possible gradients, one for each point of contact; this is the one that the step took. States,
/// multipliers and these directions are all that is needed to verify a step.
typedef struct thud_direction
{
    thud_key key;
    double normal[3]; ///< the gradient, a unit vector; in two dimensions the third number is 0
} thud_direction;

/// Why the gaps callback is called.
typedef enum thud_phase
{
    THUD_LINEARISE,    ///< push g_i(t, q) and its gradient for every i that could matter
    THUD_FIND_MISSING, ///< push the rows that do not hold at `trial`; none if all hold
    /// Only for laws with THUD_TRAIT_LOOK_BACK: push the rows whose keys are in `known` again. Now
    /// t is the START of the step, t_n; q is the same. Of these rows only the gaps are used. Rows
    /// with other keys are ignored.
    THUD_LOOK_BACK
} thud_phase;

/// The input of the gaps callback. All arrays are borrowed for the call.
typedef struct thud_moment
{
    thud_phase phase;
    double t;            ///< when to evaluate g: at the END of the step, t_n+1 (but see the phase)
    double h;            ///< length of the step
    const double *q;     ///< where to linearise: the position at the START, q_n, length dim
    const double *u;     ///< the velocity at the START, u_n, length dim
    const double *w;     ///< the predicted velocity, length dim
    const double *trial; ///< THUD_FIND_MISSING: q at the END, by the projection so far; else NULL
    const thud_rows *known; ///< THUD_LOOK_BACK: the rows to push again, sorted by key; else NULL
    const thud_multiplier *multipliers; ///< of the last step, sorted by key
    int multiplier_count;
} thud_moment;

/// Push the constraints. A row that is left out in THUD_LINEARISE must hold at the trial position.
/// There are two ways. Push all rows in every phase. Or evaluate g at `trial` in THUD_FIND_MISSING,
/// and push the rows that do not hold, linearised at q. For a concave g push a cut at the trial
/// position p: the row with gap g(t, p) + slope . (q - p). A row that the step already has, bit for
/// bit, is ignored. So a problem that always pushes all rows need not read the phase. A step may
/// call it in THUD_FIND_MISSING several times. Sweeps may still go on then, and `trial` follows
/// from their present velocity. The last call is always made with the final velocity. Return 0; any
/// other value fails the step.
typedef int thud_gaps_fn(const thud_moment *at, thud_rows *rows, void *user);

/// Write the name of the constraint with this key, as messages are to call it: "bodies 3 and 7",
/// "constraint 'plate'".
typedef void thud_name_fn(thud_key key, char *text, size_t size, void *user);

/// Bounds on how g varies in time, valid for all rows over the run: hypotheses A5 and A3 of
/// docs/theory.md.
typedef struct thud_smoothness
{
    double gap_tt; ///< bound of |d^2 g / dt^2|; 0 for fixed or uniformly moving constraints
    double gap_tq; ///< bound of |d (grad g) / dt|; 0 unless normals turn by themselves
} thud_smoothness;

/// Bounds of a function a(s) over t <= s <= t_next. They must hold in spite of rounding.
typedef struct thud_kink_range
{
    double low, high;             ///< of a; NAN if a is not defined at any s
    double slope_low, slope_high; ///< of (a(r) - a(s)) / (r - s); infinite if a may jump
} thud_kink_range;

/// Write the range of a_which over [t, t_next], with q fixed. If t_next = t, low and high must both
/// be the value that the force computes with, and the slopes are not read. Return 0; any other
/// value fails the step.
typedef int thud_kink_fn(int which, double t, double t_next, const double *q,
                         thud_kink_range *range, void *user);

/// When the force is not smooth in time. It may jump or bend only when a function a_which(t, q)
/// changes its sign; a = 0 counts as positive. The step and the checker find these times, each with
/// its own code, and integrate the force piece by piece. So they miss no pulse, however short.
typedef struct thud_kinks
{
    int count;           ///< number of functions
    thud_kink_fn *range; ///< computes their bounds
    /// Write the name of function `which` for messages. NULL: messages say "the force".
    void (*describe)(int which, char *text, size_t size, void *user);
    void *user; ///< handed to range and describe
} thud_kinks;

typedef enum thud_order
{
    THUD_SECOND_ORDER = 0, ///< w = u_n + h M^-1 f_n
    THUD_FIRST_ORDER = 1   ///< w = U_n
} thud_order;

/// A problem owns nothing: copy it freely. Only dim must be given.
typedef struct thud_inclusion
{
    int dim;                  ///< number of coordinates, >= 1
    thud_order order;         ///< 0: THUD_SECOND_ORDER
    thud_law law;             ///< the contact law, see thud/law.h; 0: inelastic
    const double *mass;       ///< diagonal of M, length dim, or NULL for 1 (borrowed)
    thud_force_fn *force;     ///< NULL means 0. The step averages it by quadrature
    bool force_is_steady;     ///< f does not depend on t: one evaluation is its mean
    const double *breaks;     ///< times where f jumps or is singular, increasing (borrowed)
    int break_count;          ///< length of breaks
    const thud_kinks *kinks;  ///< further such times, which the step finds; NULL: none (borrowed)
    thud_impulse_fn *impulse; ///< the exact integral of the force; used in its place if not NULL
    /// Linear drag, in 1 / time: c >= 0 with c h <= 1. It adds -c M u_n to the force. 0 means none;
    /// THUD_FIRST_ORDER allows no other value.
    double drag;
    /// THUD_FIRST_ORDER only: s >= 0 in q' + N(Q, q) ∋ U + s dB/dt, with a Brownian motion B in
    /// every coordinate. A step has w = U_n + s Z / sqrt(h), where Z is a normal number of variance
    /// 1 for each coordinate. Z depends on seed, t0, n and the coordinate alone. So a path is the
    /// same on every machine, and after a restart.
    double noise;
    uint64_t seed;                 ///< of the noise
    thud_gaps_fn *gaps;            ///< NULL means no constraint
    thud_name_fn *name;            ///< for messages; NULL: "constraint KEY"
    void *name_user;               ///< handed to name; so a copy can have another `user`
    const thud_smoothness *smooth; ///< for the bound between nodes; NULL: unknown (borrowed)
    /// How space is cut for sweeps over large clusters, see thud/project.h. Read after gaps were
    /// called. NULL: not cut, and one thread sweeps a cluster (borrowed).
    const struct thud_bricks *bricks;
    void *user; ///< handed to force, impulse and gaps
} thud_inclusion;

/// All that changes from step to step. A checkpoint holds this, and what recorder and measures
/// remember. Read the fields freely; q and u may be written between steps. The steps of a
/// segment have one length h. thud_state_set_step begins a new segment.
typedef struct thud_state
{
    int dim;                      ///< number of coordinates
    double t0;                    ///< start of the segment
    int64_t n;                    ///< steps taken in the segment: the time is t0 + n h
    double h;                     ///< step
    double *q;                    ///< position, length dim
    double *u;                    ///< velocity, length dim; (q_n - q_n-1) / h unless the law
                                  ///< has THUD_TRAIT_MOVE_APART
    thud_multiplier *multipliers; ///< sorted by key, only rows with impulse or memory
    int multiplier_count;         ///< length of multipliers
    int multiplier_capacity;      ///< items that fit into multipliers; never affects a step
    /// Numbers that a law keeps in addition to the memory: more_width for each multiplier, in the
    /// same order. May be NULL if there are none.
    double *more;
    int more_width;           ///< thud_law_info.kept - 1, 0 for laws that keep one number or none
    size_t more_capacity;     ///< items that fit into more; never affects a step
    thud_allocator allocator; ///< used for all arrays of the state
} thud_state;

typedef struct thud_state_def
{
    int dim;                         ///< >= 1
    double t0;                       ///< start time
    double h;                        ///< step, > 0
    const double *q;                 ///< position at t0, length dim
    const double *u;                 ///< velocity at t0, length dim; NULL for 0
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_state_def;

/// Create a state at node 0 without multipliers; q and u are copied. THUD_ERR_ARGUMENT,
/// THUD_ERR_NOT_FINITE, THUD_ERR_MEMORY, THUD_ERR_FLOAT.
THUD_API thud_status thud_state_create(const thud_state_def *def, thud_state **out);
THUD_API void thud_state_destroy(thud_state *state); ///< NULL is allowed

/// The time t0 + n h, rounded once.
THUD_API double thud_state_time(const thud_state *state);

/// Continue from the present time with another step: a new segment (t0 = now, n = 0). Impulses are
/// multiplied by the new h over the old h: this keeps the forces, as a first guess for the next
/// step.
THUD_API thud_status thud_state_set_step(thud_state *state, double h);

/// Make `to` equal to `from`, which must have the same dim.
THUD_API thud_status thud_state_copy(thud_state *to, const thud_state *from);

/// Make room for `count` multipliers, so that storing them later cannot fail.
THUD_API thud_status thud_state_reserve(thud_state *state, int count);

/// Give every multiplier `width` numbers in `more`, all of them 0. width = 0 removes the numbers.
THUD_API thud_status thud_state_widen(thud_state *state, int width);

/// Replace all multipliers by copies of `count` others, sorted by key. more: `width` numbers for
/// each of them; NULL is allowed if width is 0. After THUD_ERR_MEMORY or THUD_ERR_LIMIT the state
/// has no multipliers.
THUD_API thud_status thud_state_set_multipliers(thud_state *state,
                                                const thud_multiplier *multipliers,
                                                const double *more, int count, int width);

#ifdef __cplusplus
}
#endif

#endif
