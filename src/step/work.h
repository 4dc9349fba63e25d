// The work space of a step: its fields listed by the stage that writes them.
#ifndef THUDI_WORK_H
#define THUDI_WORK_H

#include "core/memory.h"
#include "core/rows.h"
#include "thud/step.h"

struct thud_work
{
    thud_allocator allocator;
    thud_work_def def; // with the defaults filled in
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
    THUDI_ARRAY(thud_multiplier) recall; // by key: the latest multipliers known in this step

    // check
    THUDI_ARRAY(double) trial; // q_n + h u
    thud_rows *missing;        // rows that the phase CHECK pushed
    thud_rows *probe;          // rows at the new position
    thud_projector *gamma_projector;

    thud_report report;
    char message[512];
};

// Fix what went wrong in words; format as printf, numbers through thudi_text_number.
void thudi_work_say(thud_work *work, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Make room for vectors of length dim; rows are created anew when dim changes.
thud_status thudi_work_fit(thud_work *work, int dim);

// state -> work: mean_force, w
thud_status thudi_predict(const thud_inclusion *problem, const thud_state *state, thud_work *work);

#endif
