/// The independent checker (library thud_verify): proves one step right, or names what is wrong.
///
/// It takes two states, the multipliers stored in the second, and the problem, and evaluates the
/// nine certificates of docs/theory.md. It shares no code with the solver, and uses of the core
/// only the list of rows and the state.
#ifndef THUD_VERIFY_H
#define THUD_VERIFY_H

#include "thud/inclusion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The nine certificates: X(name, what it says).
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
    uint64_t key;    ///< key of that row, 0 if it is not a row
} thud_check;

typedef struct thud_check_def
{
    /// Residuals are compared with this times the sum of absolute values of their terms;
    /// default 1e-12.
    double tolerance;
    /// Complementarity is compared with this amount, in the unit of g, if it is larger; for
    /// steps solved with shifted gaps or to a stated backward error; default 0.
    double backward;
    /// Feasibility lin_i and g_i may be negative by this, in the unit of g, if it is larger;
    /// default 0.
    double feasibility;
    /// f_n of the step if it is on record, length dim; NULL: integrated anew.
    const double *mean_force;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_check_def;

typedef struct thud_verdict
{
    bool holds; ///< all nine
    thud_check checks[THUD_CERT_COUNT];
    double between; ///< the bound between nodes; INFINITY if the problem does not say
    double min_gap; ///< smallest g_i(t', q'); INFINITY without constraints
    /// Estimated error of f_n if it was integrated anew, relative to the mean of |f|. The
    /// tolerances of stationarity, energy and momentum are widened by it; 0 if f_n was known.
    double force_error;
    int rows; ///< constraints looked at
} thud_verdict;

/// The name of a certificate in lower case, such as "no overlap".
THUD_API const char *thud_certificate_title(thud_certificate_name name);

/// What a certificate says, as in THUD_CERTIFICATE_LIST.
THUD_API const char *thud_certificate_text(thud_certificate_name name);

/// Check the step from `before` to `after`. THUD_OK: looked at, see the verdict; an error means
/// that no verdict could be reached. The problem's gaps callback must push every constraint (a
/// brute-force one for spheres), as nothing that it leaves out is checked. def: NULL for
/// defaults.
THUD_API thud_status thud_check_step(const thud_inclusion *problem, const thud_state *before,
                                     const thud_state *after, const thud_check_def *def,
                                     thud_verdict *verdict);

#ifdef __cplusplus
}
#endif

#endif
