// One solve by the dual active set: what its files share.
//
//     active_set.c            the method: rows enter one by one until none is violated
//     active_set_rows.c       rows scaled to unit norm, and memory
//     active_set_members.c    which rows are active: entering, leaving, and z for them all
//     active_set_dependent.c  rows that depend on active ones: rounding, or a proof of emptiness
//     active_set_refine.c     the answer in doubled precision
#ifndef THUDI_ACTIVE_SET_H
#define THUDI_ACTIVE_SET_H

#include "project/exact/orthogonal.h"
#include "project/projector.h"

// A row is violated when it is so by more than this many ulps of its terms.
static const double THUDI_DUAL_ULPS = 8;
// A row closer than this to the span of the active ones is treated as dependent on them.
static const double THUDI_DEPENDENT = 1e-12;
// A row closer than this to the span of the active ones may already prove that K is empty within
// reach, and multipliers beside it are not unique: doubles tell no more than half of their digits.
static const double THUDI_NEARLY_DEPENDENT = 1e-8;

// The places of rows that are not active.
enum
{
    THUDI_OUTSIDE = -1,
    THUDI_ASIDE = -2 // not to be looked at again: zero, or nothing can be proved of it
};

// The active set and what is computed of the rows. All arrays are rooms.
typedef struct thudi_active_set
{
    double *root;           // by coordinate: 1 / sqrt(m)
    double *norm;           // by row: |slope| in the M^-1 metric, 0 for a zero row
    size_t *first;          // by row: its first entry
    double *value;          // by entry: slope / (sqrt(m) norm)
    double *goal;           // by row: the row holds when n . x >= goal
    double *size;           // by row: the size of the terms of goal, for rounding
    double *relief;         // by row: what its gap was enlarged by, to undo rounding
    int *place;             // by row: position in the active list, or that it has none
    int *active;            // rows in the active set, in the order of the columns
    double *z;              // their multipliers, for rows of unit norm
    double *direction;      // by active row: change of z
    double *x;              // by coordinate: sqrt(m) (u - w)
    thudi_dd *u;            // by coordinate: w + M^-1 G^T mu in doubled precision
    double *reach;          // by coordinate: |w| + |G|^T mu / m
    thudi_orthogonal basis; // of the active rows
    int count;              // active rows
} thudi_active_set;

typedef struct thudi_dual
{
    const thudi_task *task;
    const thud_projection *problem;
    thudi_active_set *set;
    int rows, dim;
    int64_t changes, change_limit;
} thudi_dual;

// What became of a violated row.
typedef enum thudi_dual_entry
{
    THUDI_ENTERED,
    THUDI_RELIEVED, // its gap and those of others were given their rounding: look again
    THUDI_SET_ASIDE,
    THUDI_INFEASIBLE // task->y proves it
} thudi_dual_entry;

static inline const thudi_row_head *thudi_dual_head(const thudi_dual *d, int i)
{
    return &d->problem->rows->heads.items[i];
}

static inline const int *thudi_dual_index(const thudi_dual *d, int i, int room[6])
{
    return thudi_row_index(d->problem->rows, thudi_dual_head(d, i), room);
}

static inline const double *thudi_dual_value(const thudi_dual *d, int i)
{
    return d->set->value + d->set->first[i];
}

// What is taken off gap i: the shift, less the relief.
static inline double thudi_dual_offset(const thudi_dual *d, int i)
{
    return thudi_shift(d->problem, i) - d->set->relief[i];
}

// n_i . x - goal_i
static inline double thudi_dual_slack(const thudi_dual *d, int i)
{
    int room[6];
    const int *index = thudi_dual_index(d, i, room);
    const double *value = thudi_dual_value(d, i);
    double sum = -d->set->goal[i];
    for (int k = 0; k < thudi_row_size(thudi_dual_head(d, i)); k++)
        sum += value[k] * d->set->x[index[k]];
    return sum;
}

// Open the rooms, with no row active.
thud_status thudi_dual_open_rooms(thudi_dual *d);
// Scale the rows to unit norm and find their goals. A zero row is set aside: it either holds for
// every v, or none.
thud_status thudi_dual_scale_rows(thudi_dual *d);
// Whether a row is infeasible by itself, zero with a negative gap; task->y says which.
bool thudi_dual_has_infeasible_row(const thudi_dual *d);

// Write row i as a combination of active ones and a rest of length norm, see
// thudi_orthogonal_split.
thud_status thudi_dual_split(thudi_dual *d, int i, double *norm);
// Row i, which was split last, becomes active with multiplier z.
void thudi_dual_enter(thudi_dual *d, int i, double z, double norm);
// Active row j is so no longer.
void thudi_dual_leave(thudi_dual *d, int j);
// The active row with the most negative multiplier, -1 if none is negative.
int thudi_dual_most_negative(const thudi_dual *d);
// Drop rows until all multipliers are >= 0: a valid start for the dual method.
void thudi_dual_make_feasible(thudi_dual *d);
// Begin with the rows that the caller expects to be active.
thud_status thudi_dual_warm_start(thudi_dual *d);

// Row s depends on active ones, or nearly so, and none of them would leave as it enters, by
// set->direction. THUDI_ENTERED: it may go in. Fails for lack of memory alone.
thud_status thudi_dual_classify_dependent(thudi_dual *d, int s, double violation, bool dependent,
                                          thudi_dual_entry *outcome);

// mu, u and x of the active rows, by Newton's method with the residual in doubled precision.
void thudi_dual_refine(thudi_dual *d);
// The same when rounds or changes run out: mu >= 0, and the certificate says how far it is off.
void thudi_dual_refine_and_clip(thudi_dual *d);
// With the refined velocity: the worst row beyond rounding, or -1.
int thudi_dual_most_violated_exactly(const thudi_dual *d, double *violation);
// Rows at their bound, and whether their slopes are independent. The basis is spent on this.
thud_status thudi_dual_count_tight(thudi_dual *d);

#endif
