// What the parts of a verification share: the log, its checkpoints, its series and run.json, each
// in a file of its own.
#ifndef THUDI_VERIFY_PARTS_H
#define THUDI_VERIFY_PARTS_H

#include "run/halve.h"
#include "run/verify/verify_deal.h"

#include <thud/run.h>

// A node at which files say what the run was like until then, and what it was.
typedef struct thudi_verify_mark
{
    int64_t node; // -1 for none
    // from the series
    bool is_told;
    thud_tally tally; // what follows from its columns
    int64_t concave_step;
    // from the log
    bool is_passed;
    int64_t checked, held, verified;
    bool has_enclosed; // run.json: a checkpoint of this node has what was enclosed until then
    double worst[THUD_CERT_COUNT];
    thud_digest digest;
    double *stage, *time; // checkpoints: what time_when remembers; NULL if the series lacks it
} thudi_verify_mark;

enum
{
    THUDI_MARK_NEWEST, // checkpoints
    THUDI_MARK_OLDER,
    THUDI_MARK_JSON, // run.json
    THUDI_MARK_END,
    THUDI_MARK_COUNT
};

typedef struct thudi_verifier
{
    const char *folder;
    const char *log_name; // the file that shows the log
    const thud_recorded *run;
    const thud_recorded_verify_def *def;
    thud_recorded_verdict *verdict;
    thudi_deal deal;      // of frames to the members of a team
    thudi_nodes nodes;    // of the frame being looked at
    thud_state *previous; // where the frame before it ended
    bool has_previous;
    int64_t frame;                 // being looked at
    int64_t next_node;             // whose output has not been accounted for
    int64_t next_frame;            // output times passed
    double worst[THUD_CERT_COUNT]; // as the run has seen it: with the force as recorded
    int64_t held;                  // as the run has seen it too
    // the series
    thud_series *series; // NULL if it cannot be read
    double *values, *own, *radii;
    uint64_t start_hash;  // of the first state, where the run continues another
    int64_t row;          // the step of the line last read; before the first line -1, or the first
                          // node of a run that continues another, which has no line
    int64_t missing_line; // the first step whose line is not there, -1 for none
    double start_gap;     // smallest gap at the start, INFINITY where a step lacks it
    thud_tally tally;
    int columns[THUD_TALLY_COUNT]; // of the series, by figure; -1 for none
    int64_t concave_step;
    thudi_verify_mark marks[THUDI_MARK_COUNT];
    char *json;               // run.json, as it is
    thudi_halving halving;    // sums over the lines, where it tells of a second run,
    thudi_recorder *recorder; // which has the line last read
    double *told;             // the line of the series of its node
    // measures of kind time_when, up to the line last read
    double *stage, *time;
    bool follows; // they are known, or as the first line of a run that continues another says
} thudi_verifier;

// Note what does not fit, and in which file of the run, unless something else was found before.
__attribute__((format(printf, 4, 5))) void thudi_verify_damage(thud_recorded_verdict *verdict,
                                                               const char *folder, const char *file,
                                                               const char *format, ...);
// Note a figure that is not what the steps give, and in which line, 0 if it is in none.
__attribute__((format(printf, 5, 6))) void thudi_verify_figure(thud_recorded_verdict *verdict,
                                                               const char *folder, const char *file,
                                                               int line, const char *format, ...);

// The first word of a frame that nothing else looks at and that is not as it must be; NULL if all
// are.
const char *thudi_verify_word(const thud_scene *scene, const thud_frame *frame);

// Does the state of a node, whose hash is there, match the chain?
bool thudi_verify_is_linked(const thudi_verifier *a, const thud_state *state);

// Find the nodes of all marks, and read run.json.
thud_status thudi_verify_marks(thudi_verifier *a);
// A frame that ends after these nodes comes next.
void thudi_verify_pass_marks(thudi_verifier *a, int64_t node);

// The series: open it; go to the line of a node, which the frame's end must agree with (min_gap: as
// the checker found it); go to the end of the log.
thud_status thudi_verify_series_open(thudi_verifier *a, thud_fault *fault);
thud_status thudi_verify_series_node(thudi_verifier *a, double min_gap, thud_fault *fault);
thud_status thudi_verify_series_end(thudi_verifier *a, int64_t last, thud_fault *fault);
void thudi_verify_series_missing(
    thudi_verifier *a); // lines that are missing, when it is known which may
void thudi_verify_series_close(thudi_verifier *a);

// Are the checkpoints of this run, their states those of the chain, and their figures those of the
// steps?
thud_status thudi_verify_checkpoints(thudi_verifier *a, thud_fault *fault);

// Is there a run.json, and which build of Thud wrote it?
void thudi_verify_json_source(thudi_verifier *a);
// Does run.json say what log and series say?
thud_status thudi_verify_json(thudi_verifier *a);

#endif
