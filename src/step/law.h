// The functions of a contact law in a step. Each law is one const object, in a file of src/laws.
#ifndef THUDI_LAW_H
#define THUDI_LAW_H

#include "step/work.h"
#include "thud/project.h"

// The arguments of a law's functions.
typedef struct thudi_stage
{
    const thud_inclusion *problem;
    const thud_state *state; // at the start of the step
    thud_work *work;
} thudi_stage;

// A function may be NULL: the law then does what inelastic contacts do.
typedef struct thudi_law
{
    thud_law_info info; // first, so that thud_law_find gives the object too

    // Make and free the law's own memory. It is made before the law's first step, and kept in
    // work->law_memory.
    thud_status (*create)(thud_work *work, void **memory);
    void (*destroy)(thud_work *work, void *memory);

    // Returns why the law cannot use a row, or NULL.
    const char *(*row_fault)(const thud_rows *rows, const thudi_row_head *row);

    // Called before a projection: changes what is projected.
    thud_status (*begin)(const thudi_stage *stage, thud_projection *projection);
    // Called after a projection whose multipliers are not unique: chooses others.
    void (*spread)(const thudi_stage *stage, const thud_projection *projection);
    // Called after a projection: changes the step in the report, which is the projection's answer.
    void (*end)(const thudi_stage *stage);
    // Called when no row is missing at the trial position: changes the step. Sets *moves if the
    // position at the end changes too.
    thud_status (*solve)(const thudi_stage *stage, bool *moves);

    // Writes the info.kept numbers that the state keeps of row i in addition to its impulse. It
    // must not read the state's multipliers: they are being overwritten.
    void (*keep)(const thudi_stage *stage, int i, double *kept);
    // Returns the first guess of a row's multiplier. NULL: its impulse is the guess.
    double (*guess)(const thud_multiplier *kept);
} thudi_law;

// The law with this number, or NULL.
static inline const thudi_law *thudi_law_of(thud_law law)
{
    return (const thudi_law *)thud_law_find((int)law);
}

// Fails with a message if the law cannot use one of the rows.
thud_status thudi_law_check_rows(const thudi_stage *stage);

// Reserve velocity, move, exact, impulse and lin of the work space, for a law whose step is not the
// projection's answer.
thud_status thudi_law_reserve(thud_work *work);

// velocity_k = w_k + (sum_i impulse_i slope_ik) / m_k, computed in doubled precision.
void thudi_law_velocity(const thud_inclusion *problem, thud_work *work, const double *impulse,
                        double *velocity);

// gap_i + h slope_i . v, computed in doubled precision and rounded once.
double thudi_law_lin(const thud_work *work, double h, int i, const double *v);

#endif
