// A run judged from what it has recorded, by code that shares nothing with the solver.
#ifndef THUDI_AUDIT_H
#define THUDI_AUDIT_H

#include "report.h"
#include "run/run_argument.h"

#include <thud/verify.h>

typedef struct thudi_audit
{
    // what was found
    int64_t first;          // node that the run begins at; steps before it are not in it
    int64_t frames, steps;  // looked at: recorded steps, and the last node of the chain
    int64_t judged, held;   // steps judged, and those that passed
    int64_t unproved;       // that could not be judged, as their force cannot be integrated
    int64_t verified;       // that hold, or were computed again
    int64_t verified_older; // of these up to the older checkpoint, by their certificates
    thud_check worst[THUD_CERT_COUNT];
    thud_digest digest; // of all records
    int64_t rerun;      // steps computed again, -1 if none,
    int64_t rerun_from; // from the state after this step on
    int64_t kept;       // the last step of which there is a checkpoint
    bool is_over;       // the run has reached its end
    double reached;
    bool has_json;     // there is a run.json that speaks of the end of the log,
    bool json_is_ours; // written by this version: its figures can be compared
    bool has_halved;   // it tells of a second run at half the step, which left no other file
    // the first certificate that does not hold
    int64_t failed_step; // 0 if all do
    thud_certificate_name failed;
    char failed_where[200];
    // what does not fit together, and where; text is "" if all does
    thud_fault damage;  // the log, checkpoints and their states
    thud_fault figures; // what series.csv, run.json and checkpoints tell of the steps
} thudi_audit;

// Look at every frame and every link of the chain of a run in `folder`, at its series, run.json and
// checkpoints. An error means that no verdict could be reached.
thud_status thudi_audit_log(const char *folder, const thudi_run *run, thudi_audit *audit,
                            thud_fault *fault);

// Steps to compute again.
typedef enum thudi_rerun
{
    THUDI_RERUN_ALL, // from the start on
    THUDI_RERUN_TAIL // from the older checkpoint on
} thudi_rerun;

// Take steps again and compare every byte of log and series, and every field of checkpoints, with
// what they give. After thudi_audit_log.
thud_status thudi_audit_rerun(const char *folder, const thudi_run *run, thudi_rerun part,
                              thudi_audit *audit, thud_fault *fault);

// Have all steps been verified?
bool thudi_audit_is_complete(const thudi_audit *audit);

// Steps whose active set was proved, by factors of a stated size; see thud_enclose.
typedef struct thudi_enclosed
{
    int64_t steps, held; // looked at, and proved
    int64_t others;      // of the rest: computed again they are other steps
    double bound, shifted, weak;
} thudi_enclosed;

// Take every recorded step once more and enclose its projections: by rows of the model, and proofs
// apart from the solver.
thud_status thudi_audit_enclose(const thudi_run *run, thudi_enclosed *found, thud_fault *fault);
void thudi_enclosed_print(const thudi_enclosed *found);
void thudi_enclosed_json(const thudi_enclosed *found, thud_json *json);

#endif
