// The work space of a step: its fields listed by the stage that writes them.
#ifndef THUDI_WORK_H
#define THUDI_WORK_H

#include "core/math/exact.h"
#include "core/memory.h"
#include "core/stop.h"
#include "rows/rows.h"
#include "thud/step.h"

#include <math.h>

// A set of coordinates joined by active rows: one impact. See restitution.c.
typedef struct thudi_cluster
{
    bool bounces;      // one of its rows has e > 0
    bool extended;     // it moves on by e (x - w), as if it had bounced within the step
    double approach;   // largest -r_i
    double pull;       // largest |f| / m
    double weight;     // sum of (r_i^-)^2 / A_ii
    double weighted_e; // the same times e_i
    double work;       // nu . r
    double energy;     // nu . A nu
    double e;          // the one coefficient of the cluster
    double factor;     // (1 + e) s
} thudi_cluster;

// The second projection, onto the cone of velocities that leave every active row.
typedef struct thudi_impact
{
    thud_projector *projector;
    thud_rows *rows;                     // D_i + slope_i . v >= 0
    THUDI_ARRAY(int) active;             // which rows of the step these are, increasing
    int count;                           // of them
    THUDI_ARRAY(double) rate;            // D_i, by active row
    THUDI_ARRAY(double) speed;           // r_i = D_i + slope_i . w, by active row
    THUDI_ARRAY(double) warm;            // by active row
    THUDI_ARRAY(int) parent;             // by coordinate: union-find
    THUDI_ARRAY(thudi_cluster) clusters; // by coordinate, that of its root
    THUDI_ARRAY(double) sum;             // by coordinate: G^T nu
} thudi_impact;

struct thud_work
{
    thud_allocator allocator;
    thud_work_def def; // with the defaults filled in
    thudi_stop stop;   // which its projectors look at, too
    int dim;           // what the arrays below are sized for, 0 before the first step

    // predict
    THUDI_ARRAY(double) mean_force;
    THUDI_ARRAY(double) w;
    THUDI_ARRAY(double) scratch; // of the quadrature, where there is one

    // linearise
    thud_rows *rows;

    // project
    thud_projector *projector;
    THUDI_ARRAY(double) warm;            // by row
    bool has_memory;                     // one of the state's multipliers has; inelastic contacts
    THUDI_ARRAY(thud_multiplier) recall; // what is to be kept of inelastic contacts with memory

    // the law of contacts, where it is not inelastic
    THUDI_ARRAY(double) velocity; // u_n+1
    THUDI_ARRAY(double) move;     // (q_n+1 - q_n) / h
    THUDI_ARRAY(double) impulse;  // by row
    THUDI_ARRAY(double) lin;      // by row, of the move
    THUDI_ARRAY(double) memory;   // by row: gamma_n of glue
    THUDI_ARRAY(double) target;   // w + M^-1 G^T gamma, what glue projects
    THUDI_ARRAY(double) pull;     // the force that says how accurate to be: glue, first order
    THUDI_ARRAY(thudi_dd) exact;  // by coordinate, scratch
    thud_projector *spreader;     // of glue that is not unique
    thudi_impact impact;

    // check
    THUDI_LENT(double) trial; // q_n + h move, in memory of the projector, which has its answer
    thud_rows *missing;       // rows that the phase CHECK pushed
    thud_rows *probe;         // rows at the new position
    thud_projector *gamma_projector;

    thud_report report;
    thud_name_fn *name; // of constraints, for the problem of this step; NULL: by key
    void *name_user;
    thud_fault fault; // what went wrong in the last step; text is "" if nothing did
};

// Fix what went wrong in words; format as printf, numbers through thudi_text_number.
void thudi_work_say(thud_work *work, const char *format, ...) __attribute__((format(printf, 2, 3)));

// One sentence with step and time.
void thudi_step_say(const thud_state *state, thud_work *work, const char *what);

// Why the callback or the projection failed.
void thudi_explain_ask(thud_status status, const thud_state *state, const thud_moment *moment,
                       const thud_rows *rows, thud_work *work);
void thudi_explain_projection(thud_status status, const thud_state *state, thud_work *work);

// Make room for vectors of length dim; rows are created anew when dim changes.
thud_status thudi_work_fit(thud_work *work, int dim);

// What is wrong with problem or state, or NULL; *status says which kind of wrong.
const char *thudi_step_fault(const thud_inclusion *problem, const thud_state *state,
                             thud_status *status);

// The name of constraint `key`.
enum
{
    THUDI_NAME_SIZE = 200
};
const char *thudi_work_name(const thud_work *work, thud_key key, char text[THUDI_NAME_SIZE]);

// Write what went wrong with constraint `key`, with step and time.
void thudi_work_say_row(thud_work *work, const thud_state *state, thud_key key, const char *what);

// What the rounding of g itself may amount to: some ulps of everything that enters row i.
double thudi_row_rounding(const thud_state *state, const thud_work *work, int i);

// Are the rows such as the law can use?
thud_status thudi_law_check_rows(const thud_inclusion *problem, const thud_state *state,
                                 thud_work *work);

// The answer of the projection is the step: the report's views for inelastic contacts.
void thudi_law_inelastic(thud_work *work);

// Room for a law that is not inelastic, by coordinate and by row.
thud_status thudi_law_fit(thud_work *work);

// velocity_k = w_k + (sum of impulse_i slope_ik) / m_k in doubled precision.
void thudi_law_velocity(const thud_inclusion *problem, thud_work *work, const double *impulse,
                        double *velocity);

// gap_i + h slope_i . v in doubled precision, rounded once.
double thudi_law_lin(const thud_work *work, double h, int i, const double *v);

// The multiplier of row i to be kept where the law is not inelastic: impulse and memory.
thud_multiplier thudi_law_keep(const thud_inclusion *problem, const thud_work *work, int i);

// Glue. Before every projection: what to project, and where to start from; after it: the step.
thud_status thudi_glue_begin(const thud_inclusion *problem, const thud_state *state,
                             thud_work *work);
// Where multipliers are not unique, exact ones leave some contacts without any: take those that are
// found from -gamma by small changes instead, if they can be found.
void thudi_glue_spread(const thud_projection *projection, thud_work *work);
void thudi_glue_end(const thud_inclusion *problem, const thud_state *state, thud_work *work);

// Restitution. Find the rows that take part in an impact with e > 0, their number in
// impact.count; then, with their gaps at the start of the step in work->probe, the step.
thud_status thudi_impact_find(const thud_inclusion *problem, const thud_state *state,
                              thud_work *work);
thud_status thudi_impact_solve(const thud_inclusion *problem, const thud_state *state,
                               thud_work *work);

// The end of the step.
static inline double thudi_next_time(const thud_state *state)
{
    return fma((double)state->n + 1, state->h, state->t0);
}

thud_moment thudi_moment_of(const thud_state *state, const thud_work *work, thud_phase phase);

// Call the gaps callback into an empty list and sort what it pushed.
thud_status thudi_ask(const thud_inclusion *problem, const thud_state *state,
                      const thud_moment *moment, thud_rows *rows, thud_work *work);

// The first guess of every row: from the step before; and once more from the answer of the
// projection, for rows of which the last `added` are not yet in order.
thud_status thudi_recall_state(const thud_inclusion *problem, const thud_state *state,
                               thud_work *work);
thud_status thudi_recall_answer(thud_work *work, int added);

// Make room for the multipliers to be kept; keep them. The latter cannot fail.
thud_status thudi_keep_reserve(const thud_inclusion *problem, thud_state *state, thud_work *work);
void thudi_keep(const thud_inclusion *problem, thud_state *state, thud_work *work);

// What can be said of the step found, into the report.
thud_status thudi_examine(const thud_inclusion *problem, const thud_state *state, thud_work *work);

// state -> work: mean_force, w
thud_status thudi_predict(const thud_inclusion *problem, const thud_state *state, thud_work *work);

#endif
