// What a projection method is given, what it must fill, and the memory of all of them.
#ifndef THUDI_PROJECTOR_H
#define THUDI_PROJECTOR_H

#include "certify/enclosure.h"
#include "core/mass.h"
#include "core/math/exact.h"
#include "core/rooms.h"
#include "core/stop.h"
#include "core/touching.h"
#include "project/exact/orthogonal.h"
#include "project/sweep/packs.h"
#include "rows/rows.h"
#include "thud/project.h"

// The dual active set's memory; see active_set.h.
typedef struct thudi_active_set
{
    THUDI_ARRAY(double) root;      // by coordinate: 1 / sqrt(m)
    THUDI_ARRAY(double) norm;      // by row: |slope| in the M^-1 metric, 0 for a zero row
    THUDI_ARRAY(double) value;     // by entry: slope / (sqrt(m) norm)
    THUDI_ARRAY(double) goal;      // by row: the row holds when n . x >= goal
    THUDI_ARRAY(double) size;      // by row: the size of the terms of goal, for rounding
    THUDI_ARRAY(double) relief;    // by row: what its gap was enlarged by, to undo rounding
    THUDI_ARRAY(int) place;        // by row: position in the active list, or that it has none
    THUDI_ARRAY(int) active;       // rows in the active set, in the order of the columns
    THUDI_ARRAY(double) z;         // their multipliers, for rows of unit norm
    THUDI_ARRAY(double) direction; // scratch by active row: change of z
    THUDI_ARRAY(double) x;         // by coordinate: sqrt(m) (u - w)
    THUDI_ARRAY(thudi_dd) u;       // by coordinate: w + M^-1 G^T mu in doubled precision
    THUDI_ARRAY(double) reach;     // by coordinate: |w| + |G|^T mu / m
    thudi_orthogonal basis;        // of the active rows
    int count;                     // active rows
} thudi_active_set;

// A connected set of rows as a problem of its own; see clusters.c.
typedef struct thudi_clusters
{
    int count;                       // clusters
    int unit;                        // coordinates that always belong together
    int touched;                     // units that a row has met
    THUDI_ARRAY(int) parent;         // by unit: union-find
    THUDI_ARRAY(int) number;         // by unit: cluster of a root; later by coordinate: local index
    THUDI_ARRAY(int) dims;           // by cluster: its coordinates
    int *cluster_of_row;             // by row: scratch of the splitting
    THUDI_ARRAY(int) first;          // by cluster: its rows are order[first[c] .. first[c + 1])
    THUDI_ARRAY(int) order;          // rows grouped by cluster
    THUDI_ARRAY(int) coordinate;     // by local coordinate: where it came from
    THUDI_ARRAY(int) local_index;    // scratch: one row's local coordinates
    THUDI_ARRAY(double) vectors;     // local mass, w, origin, force, by local coordinate each
    THUDI_ARRAY(double) multipliers; // local warm, mu, y, by local row each
    THUDI_ARRAY(bool) is_tight;      // by local row
    thud_rows *rows;                 // local rows
    int rows_dim;                    // what they were created for
} thudi_clusters;

// What one look at all rows tells.
typedef struct thudi_row_survey
{
    int unit;     // the width of the blocks, when all rows are pair rows whose blocks start at its
                  // multiples; else 1
    bool shifted; // every row has a shift; false where nobody looked
} thudi_row_survey;

// sum_i mu_i slope_i in one coordinate.
typedef struct thudi_coordinate_sum
{
    thudi_dd push;
    double terms; // the size of its terms
} thudi_coordinate_sum;

// What a chunk of rows or coordinates adds to a certificate.
typedef struct thudi_share
{
    thud_certificate certificate;
    double sum, change, length;
    bool is_sound; // all of it is finite
} thudi_share;

struct thud_projector
{
    thud_allocator allocator;
    thud_method method;
    double tolerance;
    int change_limit, sweep_limit, exact_limit;
    thudi_stop own_stop, *stop;   // the latter is what is looked at: its own, or that of a step
    thud_rooms own_rooms, *rooms; // likewise; scratch comes from them
    bool skips_enclosure;
    thudi_row_survey survey; // of the problem being solved
    // the answer's arrays
    THUDI_ARRAY(double) u;
    THUDI_ARRAY(double) mu;
    THUDI_ARRAY(double) lin; // or y: no answer has both
    THUDI_ARRAY(bool) is_tight;
    // scratch of the certificates; their sums are in the room of the packs, done with by then
    THUDI_ARRAY(thudi_share) shares;        // by chunk of rows or units
    THUDI_ARRAY(thudi_coordinate_sum) push; // of a Farkas vector, which methods look at on the way
    bool seeks_proof;  // the exact method did not converge: prove K empty near w, if it is
    bool lacks_memory; // there was none for it
    thudi_enclosing enclosing;
    // the methods' own memory
    thudi_active_set active_set;
    thudi_packs packs;
    THUDI_ARRAY(double) by_row;        // of the iterative methods: see thudi_iteration
    THUDI_ARRAY(double) by_coordinate; // likewise
    THUDI_ARRAY(double) apgd_next;     // by row
    THUDI_ARRAY(double) mark;          // by row: multipliers when growth was last looked at
    bool is_marked;                    // they were, in this solve
    thudi_clusters clusters;
    // gamma's own problem
    thud_rows *cone;
    THUDI_ARRAY(int) cone_index;
    THUDI_ARRAY(double) cone_slope;
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
void thudi_clusters_free(thudi_clusters *clusters, const thud_allocator *allocator);
void thudi_active_set_free(thudi_active_set *set, const thud_allocator *allocator);

// u = w + M^-1 G^T mu and reach = |w| + |G|^T |mu| / m, in doubled precision; for problems that are
// small, as of the exact method.
void thudi_velocity(const thud_projection *problem, const double *mu, thudi_dd *u, double *reach);

// gap_i - offset + h slope_i . u of row i in doubled precision, u given so too.
thudi_dd thudi_lin_exact(const thud_projection *problem, int i, double offset, const thudi_dd *u);

// |gap_i| + h |slope_i| . reach: what an ulp of row i is measured against.
double thudi_row_scale(const thud_projection *problem, int i, const double *reach);

// |slope_i| . |origin|: gap i is known to an ulp of this, at best; 0 when gaps are exact.
double thudi_row_noise(const thud_projection *problem, int i);

// |v| in the M norm.
double thudi_length(const thud_projection *problem, const double *v);

static inline double thudi_shift(const thud_projection *problem, int i)
{
    return problem->rows->heads.items[i].shift * problem->shift_scale;
}

// A Farkas vector counts as a proof when it rules out velocities so many times those of the
// problem: nearly dependent rows give one of a shorter reach, by rounding.
static const double THUDI_FAR_PROOF = 1e6;

// Of s shift_i: accuracy h^2 a below this is the rounding of a force, not a force. Positions are
// not known so well.
static const double THUDI_NO_FORCE = 0x1p-36;

// The tolerance of row i, a velocity: iterative methods stop when no row misses its bound by more.
//
//     tolerance_i = min( s shift_i, accuracy h^2 a ) / h,   a = largest |f| / m of the bodies
//
// s = stop_share, 1/2 as a rule: a converged velocity has lin_i >= shift_i / 2 > 0, and its error
// shrinks with the step. Without a force, s shift_i / h. pull: accuracy h^2 a.
static inline double thudi_row_tolerance(const thud_projection *problem, int i, double pull)
{
    double share = problem->stop_share > 0 ? problem->stop_share : THUDI_STOP;
    double most = share * thudi_shift(problem, i);
    return (pull > THUDI_NO_FORCE * most && pull < most ? pull : most) / problem->h;
}

// One look at all rows.
thudi_row_survey thudi_survey_rows(const thud_projection *problem);

// u = w + M^-1 G^T mu, rounded once, lin and the certificate of (u, mu), from the problem alone.
// unit: that of its survey.
thud_status thudi_certify(const thud_projection *problem, int unit, const double *mu,
                          thud_projector *projector, double *u, double *lin,
                          thud_certificate *certificate);

// The enclosures of (u, mu), lin as certified, into the certificate.
thud_status thudi_certify_enclosures(const thud_projection *problem, const double *u,
                                     const double *mu, const double *lin, thud_projector *projector,
                                     thud_certificate *certificate);

// The figures of a Farkas vector y for gaps less shift_scale times their shifts, rounded outwards;
// farkas->y is set too. shift_scale 0 makes it a statement on K itself.
void thudi_certify_farkas(const thud_projection *problem, const double *y, double shift_scale,
                          thud_projector *projector, thud_farkas *farkas);

// |slope_i| in the M^-1 metric, safe for slopes of any scale.
double thudi_row_norm(const thud_projection *problem, int i);

#endif
