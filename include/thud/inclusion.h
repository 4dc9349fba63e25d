/// The differential inclusion  M q'' + N(Q(t), q) ∋ f(t, q),  Q(t) = { q : g_i(t, q) >= 0, all i },
/// with every g_i(t, .) convex, impacts u+ = P_C(u-), and the state of its discretisation.
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
/// Return 0, or anything else to fail the step.
typedef int thud_force_fn(double t, const double *q, double *f, void *user);

/// Write the integral of f(s, q) over s in [t, t_next], q frozen, into impulse[0 .. dim).
typedef int thud_impulse_fn(double t, double t_next, const double *q, double *impulse, void *user);

/// Multiplier and memory of one constraint, carried from step to step by its key.
typedef struct thud_multiplier
{
    thud_key key;
    double impulse; ///< h lambda of the last step; below 0 where glue pulls
    double memory;  ///< one number that the law keeps per row, see thud_law; 0 when unused
} thud_multiplier;

/// The direction of a row that depends on where the step looked: of a container's tangent, or of a
/// triangle of a mesh. A step can be judged from states, multipliers and these alone.
typedef struct thud_direction
{
    thud_key key;
    double normal[3]; ///< the gradient, of unit length; the third 0 in two dimensions
} thud_direction;

/// Why the gaps callback is called.
typedef enum thud_phase
{
    THUD_LINEARISE,    ///< push g_i(t, q) and its gradient for every i that could matter
    THUD_FIND_MISSING, ///< push rows that `trial` shows to be missing; none when all is well
    /// Laws with THUD_TRAIT_LOOK_BACK only: push the rows whose keys are in `known` once more, at
    /// time t, here the START of the step, t_n, and at q as before. Others may be pushed too: only
    /// gaps count.
    THUD_LOOK_BACK
} thud_phase;

/// What the gaps callback is told. All arrays are borrowed for the call.
typedef struct thud_moment
{
    thud_phase phase;
    double t;            ///< where to evaluate g: the END of the step, t_n+1 (but see the phase)
    double h;            ///< length of the step
    const double *q;     ///< where to linearise: the position at the START, q_n, length dim
    const double *u;     ///< the velocity at the START, u_n, length dim
    const double *w;     ///< the predicted velocity, length dim
    const double *trial; ///< THUD_FIND_MISSING: the position at the end that was found; else NULL
    const thud_rows *known; ///< THUD_LOOK_BACK: the rows wanted, sorted by key; else NULL
    const thud_multiplier *multipliers; ///< of the last step, sorted by key
    int multiplier_count;
} thud_moment;

/// Push the constraints. Rows left out in THUD_LINEARISE must not be violated at the trial
/// position: either push all rows always, or look again in THUD_FIND_MISSING and push what is
/// missing, linearised at q. A cut of a concave g made at the trial position p is the row with gap
/// g(t, p) + slope . (q - p). A row that is already there, bit for bit, is ignored, so a
/// problem that always pushes everything need not look at the phase. Return 0, or anything else
/// to fail the step.
typedef int thud_gaps_fn(const thud_moment *at, thud_rows *rows, void *user);

/// Write the name of the constraint with this key, as messages are to call it: "bodies 3 and 7",
/// "constraint 'plate'".
typedef void thud_name_fn(thud_key key, char *text, size_t size, void *user);

/// Bounds on how g varies in time, valid for all rows over the run (hypotheses A5 and A3).
typedef struct thud_smoothness
{
    double gap_tt; ///< bound of |d^2 g / dt^2|; 0 for fixed or uniformly moving constraints
    double gap_tq; ///< bound of |d (grad g) / dt|; 0 unless normals turn by themselves
} thud_smoothness;

/// Bounds of a function of time a over a stretch [t, t_next], true in spite of rounding.
typedef struct thud_kink_range
{
    double low, high;             ///< of a; NAN where a is nowhere defined
    double slope_low, slope_high; ///< of (a(r) - a(s)) / (r - s); infinite where a may jump
} thud_kink_range;

/// Write the range of a_which over [t, t_next], q frozen. t_next = t: low and high are the value as
/// the force computes it, and slopes are not asked for. Return 0, or anything else to fail the
/// step.
typedef int thud_kink_fn(int which, double t, double t_next, const double *q,
                         thud_kink_range *range, void *user);

/// Where the force is not smooth in time: it may jump or bend only at sign changes of functions
/// a_which(t, q), a = 0 counting as positive. Steps and checker find the times, each in its own
/// way, and integrate piece by piece: a pulse is not missed, however short.
typedef struct thud_kinks
{
    int count;           ///< of functions
    thud_kink_fn *range; ///< their bounds
    /// Name function `which` for messages; NULL: by its number.
    void (*describe)(int which, char *text, size_t size, void *user);
    void *user; ///< handed back to both
} thud_kinks;

typedef enum thud_order
{
    THUD_SECOND_ORDER = 0, ///< w = u_n + h M^-1 f_n
    THUD_FIRST_ORDER = 1   ///< w = U_n
} thud_order;

/// A problem is a value: copy it freely, it owns nothing. Only dim is compulsory.
typedef struct thud_inclusion
{
    int dim;                  ///< number of coordinates, >= 1
    thud_order order;         ///< THUD_SECOND_ORDER unless said
    thud_law law;             ///< of contacts, inelastic unless said: see thud/law.h
    const double *mass;       ///< diagonal of M, length dim, or NULL for 1 (borrowed)
    thud_force_fn *force;     ///< NULL means 0. Averaged over the step by quadrature
    bool force_is_steady;     ///< f does not depend on t: one evaluation is its mean
    const double *breaks;     ///< times where f jumps or is singular, increasing (borrowed)
    int break_count;          ///< length of breaks
    const thud_kinks *kinks;  ///< times like breaks that must be found; NULL: none (borrowed)
    thud_impulse_fn *impulse; ///< replaces force when not NULL: its exact integral
    double drag; ///< c >= 0: the force is f(t, q) - c M u_n, linear drag; c h <= 1. 0 for none
    /// THUD_FIRST_ORDER only: s >= 0 in q' + N(Q, q) ∋ U + s dB/dt, B a Brownian motion in every
    /// coordinate: w = U_n + s N / sqrt(h), N normal numbers that depend on seed, t0, n and the
    /// coordinate alone. So a path is the same on every machine, and after a restart.
    double noise;
    uint64_t seed;                 ///< of the noise
    thud_gaps_fn *gaps;            ///< NULL means no constraint
    thud_name_fn *name;            ///< for messages; NULL: "constraint KEY"
    void *name_user;               ///< handed to name: a copy may have another `user`
    const thud_smoothness *smooth; ///< for the bound between nodes; NULL: unknown (borrowed)
    void *user;                    ///< handed back to every other callback
} thud_inclusion;

/// All that changes from step to step. A checkpoint holds this, and what recorder and measures
/// remember.
/// Read the fields freely; q and u may be written between steps.
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
    int multiplier_capacity;      ///< room in multipliers; not part of the state proper
    /// Numbers that a law keeps beyond the memory: more_width by multiplier, in the same order.
    /// NULL while more_width is 0.
    double *more;
    int more_width;           ///< thud_law_info.kept - 1, 0 for laws that keep one number or none
    size_t more_capacity;     ///< room in more; not part of the state proper
    thud_allocator allocator; ///< where its memory comes from
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

THUD_API thud_status thud_state_create(const thud_state_def *def, thud_state **out);
THUD_API void thud_state_destroy(thud_state *state); ///< NULL is allowed

/// The time t0 + n h, rounded once.
THUD_API double thud_state_time(const thud_state *state);

/// Continue from the present time with another step: a new segment (t0 = now, n = 0).
/// Impulses are scaled by h / old h, the best first guess for the next step.
THUD_API thud_status thud_state_set_step(thud_state *state, double h);

/// Make `to` equal to `from`, which must have the same dim.
THUD_API thud_status thud_state_copy(thud_state *to, const thud_state *from);

/// Make room for `count` multipliers, so that storing them later cannot fail.
THUD_API thud_status thud_state_reserve(thud_state *state, int count);

/// Give every multiplier `width` numbers in `more`, all 0; 0 takes them away.
THUD_API thud_status thud_state_widen(thud_state *state, int width);

/// Replace the multipliers by `count` others, sorted by key, and `width` numbers of each in `more`,
/// which may be NULL if width is 0.
THUD_API thud_status thud_state_set_multipliers(thud_state *state,
                                                const thud_multiplier *multipliers,
                                                const double *more, int count, int width);

#ifdef __cplusplus
}
#endif

#endif
