// What a contact law does in a step: one const object per law, each in a file of src/laws.
#ifndef THUDI_LAW_H
#define THUDI_LAW_H

#include "step/work.h"
#include "thud/project.h"

// The step as a law sees it.
typedef struct thudi_stage
{
    const thud_inclusion *problem;
    const thud_state *state; // at the start of the step
    thud_work *work;
} thudi_stage;

// Functions may be NULL: the law then does as inelastic contacts do.
typedef struct thudi_law
{
    thud_law_info info; // first, so that thud_law_find gives the object too

    // Memory of the law alone, made before its first step and kept in work->law_memory.
    thud_status (*create)(thud_work *work, void **memory);
    void (*destroy)(thud_work *work, void *memory);

    // Why the law cannot use a row, or NULL.
    const char *(*row_fault)(const thud_rows *rows, const thudi_row_head *row);

    // Before a projection: change what is projected.
    thud_status (*begin)(const thudi_stage *stage, thud_projection *projection);
    // After one whose multipliers are not unique: choose others.
    void (*spread)(const thudi_stage *stage, const thud_projection *projection);
    // After one: the step in the report, which is the answer of the projection so far.
    void (*end)(const thudi_stage *stage);
    // When no row is missing at the trial position: change the step. *moves: the position too.
    thud_status (*solve)(const thudi_stage *stage, bool *moves);

    // What is kept of row i beside its impulse: info.kept numbers. The multipliers of the state are
    // being overwritten then.
    void (*keep)(const thudi_stage *stage, int i, double *kept);
    // The first guess of the multiplier of a row; NULL: its impulse.
    double (*guess)(const thud_multiplier *kept);
} thudi_law;

// NULL for a number that is no law.
static inline const thudi_law *thudi_law_of(thud_law law)
{
    return (const thudi_law *)thud_law_find((int)law);
}

// Are the rows such as the law can use?
thud_status thudi_law_check_rows(const thudi_stage *stage);

// Room for a law whose step is not the answer of the projection, by coordinate and by row.
thud_status thudi_law_fit(thud_work *work);

// velocity_k = w_k + (sum of impulse_i slope_ik) / m_k in doubled precision.
void thudi_law_velocity(const thud_inclusion *problem, thud_work *work, const double *impulse,
                        double *velocity);

// gap_i + h slope_i . v in doubled precision, rounded once.
double thudi_law_lin(const thud_work *work, double h, int i, const double *v);

#endif
