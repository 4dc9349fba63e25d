// A run judged from what it has recorded, by code that shares nothing with the solver.
#ifndef CLI_AUDIT_H
#define CLI_AUDIT_H

#include "report.h"
#include "run_argument.h"

typedef struct cli_audit
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
} cli_audit;

// Look at every frame and every link of the chain of a run in `folder`, at its series, run.json and
// checkpoints. An error means that no verdict could be reached.
thud_status cli_audit_log(const char *folder, const cli_run *run, cli_audit *audit,
                          thud_fault *fault);

// Steps to compute again.
typedef enum cli_rerun
{
    CLI_RERUN_ALL, // from the start on
    CLI_RERUN_TAIL // from the older checkpoint on
} cli_rerun;

// Take steps again and compare every byte of log and series, and every field of checkpoints, with
// what they give. After cli_audit_log.
thud_status cli_audit_rerun(const char *folder, const cli_run *run, cli_rerun part,
                            cli_audit *audit, thud_fault *fault);

// Have all steps been verified?
bool cli_audit_is_complete(const cli_audit *audit);

// Steps whose active set was proved, by factors of a stated size; see thud_enclose.
typedef struct cli_enclosed
{
    int64_t steps, held; // looked at, and proved
    int64_t others;      // of the rest: computed again they are other steps
    double bound, shifted, weak;
} cli_enclosed;

// Take every recorded step once more and enclose its projections: by rows of the model, and proofs
// apart from the solver.
thud_status cli_audit_enclose(const cli_run *run, cli_enclosed *found, thud_fault *fault);
void cli_enclosed_print(const cli_enclosed *found);
void cli_enclosed_json(const cli_enclosed *found, thud_json *json);

#endif
