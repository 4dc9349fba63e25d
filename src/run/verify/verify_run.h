// The parts of thud_recorded_verify.
#ifndef THUDI_VERIFY_RUN_H
#define THUDI_VERIFY_RUN_H

#include "run/recorded/recorded.h"

// Look at every frame and every link of the chain of a run, at its series, run.json and
// checkpoints. An error means that no verdict could be reached.
thud_status thudi_verify_log(const thud_recorded *run, const thud_recorded_verify_def *def,
                             thud_recorded_verdict *verdict, thud_fault *fault);

// Compare what other programs read beside the log. After thudi_verify_log.
void thudi_verify_shown(const thud_recorded *run, thud_recorded_verdict *verdict);

// Take steps again and compare every byte of log and series, and every field of checkpoints, with
// what they give. After thudi_verify_log.
thud_status thudi_verify_rerun(const thud_recorded *run, const thud_recorded_verify_def *def,
                               thud_recorded_verdict *verdict, thud_fault *fault);

// Take every recorded step once more and enclose its projections: by rows of the model, and proofs
// apart from the solver.
thud_status thudi_verify_enclose(const thud_recorded *run, const thud_recorded_verify_def *def,
                                 thud_enclosed *found, thud_fault *fault);

// Tell how far the work is; true if it is to end.
bool thudi_verify_ends(const thud_recorded_verify_def *def, double part);

#endif
