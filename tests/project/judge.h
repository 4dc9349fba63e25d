/// One answer of thud_project against all that is promised of it, in 113-bit arithmetic.
#ifndef PROJECTION_JUDGE_H
#define PROJECTION_JUDGE_H

#include "quad.h"

/// Largest figures seen, for the report at the end.
typedef struct judge_tally
{
    int solved, infeasible;
    int resolved;   ///< instances whose true projection is known well enough to test `forward`
    int unresolved; ///< the others
    int lcp_agreed, lcp_close; ///< Siconos agrees; to 1e-9 of |w|
    int lcp_failed, lcp_rough; ///< it gave up; it answered with residuals too large to compare
    int lcp_infeasible;        ///< it finds no answer where there is none
    double kkt, ulps, stationarity, lin;
    double plain_ulps;       ///< violation in ulps of |gap| + h |slope| |u|, without the impulses
    int plain_beyond;        ///< instances where that is above 8
    int restarts;            ///< solved again from their own answer
    int restarts_that_added; ///< of these, those that needed a further row
    double forward;          ///< |u - P_K w| / certificate.forward
    double looseness;        ///< forward / its formula
    double distance;         ///< |u - P_K w| / (|w| + |u - w|), no shift
    double lcp_distance;
    double residual; ///< of Farkas vectors
    double radius;   ///< smallest radius / |w| of infeasible ones
} judge_tally;

/// The answer in exact terms: u = M^-1/2 x and its rows, with the caller's gaps.
typedef struct judge_exact
{
    quad *u, *effect;  ///< effect_k = sum_i |mu_i slope_ik| / m_k
    quad *lin, *scale; ///< scale of violation_ulps
    quad stationarity;
} judge_exact;

judge_exact *judge_exact_create(const problem *p, const double *u, const double *mu);
void judge_exact_destroy(judge_exact *e);

/// Check an answer of status THUD_OK, without and with the true projection.
void judge_answer(const problem *p, const thud_answer *answer, judge_tally *tally);
void judge_forward(const problem *p, const thud_answer *answer, judge_tally *tally);

/// Check the proof that comes with THUD_ERR_INFEASIBLE.
void judge_farkas(const problem *p, const thud_answer *answer, judge_tally *tally);

/// A bound of |u1 - u2|_M that holds for any two stationary pairs with multipliers >= 0, from
/// their residuals in p (with the shifts) alone; `distance` receives |u1 - u2|_M.
quad judge_pair_bound(const problem *p, const double *u1, const double *mu1, const double *u2,
                      const double *mu2, quad *distance);

/// |v|_M
double judge_norm(const problem *p, const double *v);

void judge_report(const judge_tally *tally);

#endif
