// The work space of a step: its fields listed by the stage that writes them.
#ifndef THUDI_WORK_H
#define THUDI_WORK_H

#include "core/math/exact.h"
#include "core/memory.h"
#include "core/rooms.h"
#include "core/stop.h"
#include "rows/rows.h"
#include "thud/step.h"

#include <math.h>

struct thudi_law;

struct thud_work
{
    thud_allocator allocator, projector_allocator;
    thud_work_def def; // with the defaults filled in
    thudi_stop stop;   // which its projectors look at, too
    thud_rooms rooms;  // scratch of this step, of its projectors and of its callbacks
    int dim;           // what the arrays below are sized for, 0 before the first step

    // predict
    THUDI_ARRAY(double) mean_force;
    THUDI_ARRAY(double) w;
    THUDI_ARRAY(double) scratch; // of the quadrature, where there is one

    // linearise
    thud_rows *rows;

    // project
    thud_projector *projector;
    THUDI_ARRAY(double) warm; // by row
    bool has_memory;          // one of the state's multipliers has, and the law keeps none
    THUDI_ARRAY(thud_multiplier) recall; // what is to be kept of inelastic contacts with memory

    THUDI_ARRAY(double) pull; // first order: the force that says how accurate to be

    // the law of contacts; arrays for a step that is not the answer of the projection
    const struct thudi_law *law;  // of this step
    void *law_memory;             // what law->create made
    THUDI_ARRAY(double) velocity; // u_n+1
    THUDI_ARRAY(double) move;     // (q_n+1 - q_n) / h
    THUDI_ARRAY(double) impulse;  // by row
    THUDI_ARRAY(double) lin;      // by row, of the move
    THUDI_ARRAY(thudi_dd) exact;  // by coordinate, scratch

    // check
    thud_team *team;     // the members that take the step together; NULL: alone
    double *trial;       // q_n + h move, in a room
    thud_rows *missing;  // rows that the phase FIND_MISSING pushed
    bool look_failed;    // a search during the projection has failed, and said why
    double look_seconds; // spent on searches during the projection, by the monotonic clock
    thud_rows *probe;    // rows at the new position
    thud_projector *gamma_projector;

    thud_report report;
    thud_name_fn *name; // of constraints, for the problem of this step; NULL: by key
    void *name_user;
    thud_fault fault; // what went wrong in the last step; text is "" if nothing did
};

// Fix what went wrong in words; format as printf, numbers through thudi_text_number.
void thudi_work_fail(thud_work *work, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// One sentence with step and time.
void thudi_step_fail(const thud_state *state, thud_work *work, const char *what);

// Why the callback or the projection failed.
void thudi_fail_gaps(thud_status status, const thud_state *state, const thud_moment *moment,
                     const thud_rows *rows, thud_work *work);
void thudi_fail_projection(thud_status status, const thud_state *state, thud_work *work);

// Make room for vectors of length dim; rows are created again when dim changes.
thud_status thudi_work_fit(thud_work *work, int dim);
// The same of one list of rows.
thud_status thudi_work_fit_rows(const thud_work *work, thud_rows **rows);

// Make the memory of the law that this step has, and free that of another one.
thud_status thudi_work_use_law(thud_work *work, thud_law law);

// A further projector, which stops when the step does.
thud_status thudi_work_add_projector(thud_work *work, thud_method method, thud_projector **out);

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
void thudi_work_fail_row(thud_work *work, const thud_state *state, thud_key key, const char *what);

// What the rounding of g itself may amount to: some ulps of everything that enters row i.
double thudi_row_rounding(const thud_state *state, const thud_work *work, int i);

// The end of the step.
static inline double thudi_next_time(const thud_state *state)
{
    return fma((double)state->n + 1, state->h, state->t0);
}

thud_moment thudi_moment_of(const thud_state *state, const thud_work *work, thud_phase phase);

// Call the gaps callback into an empty list and sort what it pushed.
thud_status thudi_call_gaps(const thud_inclusion *problem, const thud_state *state,
                            const thud_moment *moment, thud_rows *rows, thud_work *work);

// The first guess of every row: from the step before; and once more from the answer of the
// projection, for rows of which the last `added` are not yet in order.
thud_status thudi_recall_state(const thud_state *state, thud_work *work);
thud_status thudi_recall_answer(thud_work *work, int added);

// Make room for the multipliers to be kept; keep them. The latter cannot fail.
thud_status thudi_keep_reserve(thud_state *state, thud_work *work);
void thudi_keep(const thud_inclusion *problem, thud_state *state, thud_work *work);

// What can be said of the step found, into the report.
thud_status thudi_examine(const thud_inclusion *problem, const thud_state *state, thud_work *work);

// state -> work: mean_force, w
thud_status thudi_predict(const thud_inclusion *problem, const thud_state *state, thud_work *work);

#endif
