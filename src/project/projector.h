// What a projection method is given and what it must fill. The memory of a method is rooms, which
// are closed when it has returned.
#ifndef THUDI_PROJECTOR_H
#define THUDI_PROJECTOR_H

#include "certify/row_measures.h"
#include "core/mass.h"
#include "core/math/exact.h"
#include "core/rooms.h"
#include "core/stop.h"
#include "core/touching.h"
#include "rows/rows.h"
#include "team/team.h"
#include "thud/project.h"

// How many rows may join a problem while it is solved: memory for them is there from the beginning.
#define THUDI_LATE_ROWS(rows) ((rows) / 128 + 16)

// The search for rows that a problem lacks, while sweeps solve it. It is that of the step which
// projects. Rows that are found are put behind those of the problem, with 0 as their first guess.
// So `rows`, `warm` and the arrays of the answer have room for THUDI_LATE_ROWS more.
typedef struct thudi_look
{
    // Add the rows that are missing at velocity u, and that the filter accepts. *added counts them.
    // u is overwritten.
    thud_status (*find)(void *user, double *u, const thudi_row_filter *filter, int *added);
    // The sweeps have ended: sort the rows. from[k] receives the number that row k had before.
    thud_status (*sort)(void *user, int *from);
    void *user;
} thudi_look;

struct thud_projector
{
    thud_allocator allocator;
    thud_method method;
    double tolerance;
    int change_limit, sweep_limit, exact_limit, brick_limit;
    thudi_stop own_stop, *stop;   // the latter is what is looked at: its own, or that of a step
    thud_rooms own_rooms, *rooms; // likewise; scratch comes from them
    bool skips_enclosure;
    thudi_row_survey survey; // of the problem being solved
    // the answer's arrays
    THUDI_ARRAY(double) u;
    THUDI_ARRAY(double) mu;
    THUDI_ARRAY(double) lin; // or y: no answer has both
    THUDI_ARRAY(bool) is_tight;
    const thudi_look *look; // NULL: no rows are looked for
    thud_team *team;        // the members that solve every problem together; NULL: alone
    bool seeks_proof;       // the exact method did not converge: prove K empty near w, if it is
    thud_rows *part;        // of a cluster that is solved as a problem of its own
    int part_dim;           // what it was created for
    thud_rows *cone;        // of gamma's own problem
};

// Set for a method: the problem; to fill: mu, and y when it returns THUD_ERR_INFEASIBLE.
typedef struct thudi_task
{
    const thud_projection *problem;
    // The rows to solve for, as if there were no others; NULL: all. A method that cannot work on
    // some of the rows returns THUD_NEWS, and is given them as a problem of their own.
    const int *which;
    int which_count;
    thud_projector *projector;
    double *mu; // by row, zero on entry
    double *y;  // by row, zero on entry
    thud_effort *effort;
    bool *is_tight; // by row, false on entry
    int *tight;     // their number
    int *relieved;  // rows whose gap was enlarged by its rounding
    bool *unique;
    bool *exact; // out: the relative KKT residual may be held against the answer
    // By coordinate, for a method that marks coordinates: -1 before and after.
    int *marks;
    // All other rows are solved: their multipliers in mu are final, and those of `which` are 0. So
    // the method may use projector->look.
    bool is_last;
    // The members that solve the problem together; methods that sweep packs share the work. cut: as
    // in thudi_packing.
    thud_team *team;
    const int *cut;
} thudi_task;

static inline int thudi_task_rows(const thudi_task *task)
{
    return task->which ? task->which_count : task->problem->rows->count;
}

typedef thud_status thudi_method_fn(const thudi_task *task);

// The table of methods; NULL for an unknown one.
thudi_method_fn *thudi_method_find(thud_method method);

thudi_method_fn thudi_project_by_clusters;
thudi_method_fn thudi_project_by_active_set;
thudi_method_fn thudi_project_by_accelerated_gauss_seidel;
thudi_method_fn thudi_project_by_gauss_seidel;
thudi_method_fn thudi_project_by_accelerated_gradient;

// A Farkas vector counts as a proof when it rules out velocities so many times those of the
// problem: nearly dependent rows give one of a shorter reach, by rounding.
static const double THUDI_FAR_PROOF = 1e6;

// Of s shift_i: accuracy h^2 a below this is the rounding of a force, not a force. Positions are
// not known so well.
static const double THUDI_NO_FORCE = 0x1p-36;

// The tolerance of a row with this shift, and of row i. It is a velocity: iterative
// methods stop when no row misses its bound by more.
//
//     tolerance_i = min( s shift_i, accuracy h^2 a ) / h,   a = largest |f| / m of the bodies
//
// s = tolerance_share, 1/2 as a rule: a converged velocity has lin_i >= shift_i / 2 > 0, and its
// error shrinks with the step. Without a force, s shift_i / h. pull: accuracy h^2 a.
static inline double thudi_shift_tolerance(const thud_projection *problem, double shift,
                                           double pull)
{
    double share = problem->tolerance_share > 0 ? problem->tolerance_share : THUDI_TOLERANCE_SHARE;
    double most = share * shift;
    return (pull > THUDI_NO_FORCE * most && pull < most ? pull : most) / problem->h;
}

static inline double thudi_row_tolerance(const thud_projection *problem, int i, double pull)
{
    return thudi_shift_tolerance(problem, thudi_shift(problem, i), pull);
}

#endif
