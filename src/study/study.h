// A convergence study at work: its runs, and what is kept of each.
#ifndef THUDI_STUDY_H
#define THUDI_STUDY_H

#include "study/reference.h"

enum
{
    THUDI_SEQUENCES = 3,
    THUDI_LEVELS = 16
};

struct thud_converge
{
    thud_allocator allocator;
    thud_fault *fault;
    thud_converge_def def;
    int dim, sample_count;
    thudi_reference reference;
    thud_model *model; // of the reference
    thud_converge_run runs[THUDI_SEQUENCES * THUDI_LEVELS];
    thud_converge_sequence sequences[THUDI_SEQUENCES];
    THUDI_ARRAY(double) samples;                    // q of every run at equal times
    THUDI_ARRAY(thud_scene_constraint) constraints; // of the scene, with smaller shifts
    double speed; // largest component of any velocity, and of any force by its mass times the time
    thud_converge_result result;
    // the scene as it was
    double step, tol, tol_a;
    bool tol_is_fixed;
    const thud_scene_constraint *own_constraints;
};

// Make one run; its errors, steps and samples are set. With `keep` it becomes the reference.
thud_status thudi_study_run(thud_converge *study, int run, bool keep);

// The samples of a run: sample_count times dim numbers.
double *thudi_study_samples(const thud_converge *study, int run);

// What sequences do and which limits there are, constants, orders and the verdict.
void thudi_study_find_verdict(thud_converge *study);

#endif
