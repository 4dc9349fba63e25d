/// Random projections: one seed, one problem.
#ifndef PROJECTION_GENERATE_H
#define PROJECTION_GENERATE_H

#include "problem.h"

/// The problem of a seed. Seeds divisible by 12 give infeasible ones; all others have the point
/// `inside` in K, but for rounding, even after the shifts.
problem *generate_problem(uint64_t seed);

/// As generate_problem, feasible always, with unit masses and at most 30 coordinates on demand.
problem *generate_feasible(uint64_t seed, bool unit_mass);

/// The traits in words, for messages; `text` has room for 200 characters.
const char *generate_describe(const problem *p, char *text);

#endif
