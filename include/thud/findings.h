/// Which hypotheses of the convergence theorem hold for a scene, or along a run: facts are
/// gathered, then each hypothesis is judged by them. thud/hypotheses.h has the measurements
/// themselves.
#ifndef THUD_FINDINGS_H
#define THUD_FINDINGS_H

#include "thud/hypotheses.h"
#include "thud/json.h"
#include "thud/model.h"
#include "thud/recorded.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    THUD_SETTERS = 3,  ///< rows named of those that set gamma
    THUD_FINDINGS = 16 ///< at most
};

/// gamma at the worst place that was looked at.
typedef struct thud_facts_gamma
{
    thud_independence worst;
    double t;
    thud_key setter[THUD_SETTERS]; ///< the rows of most weight
    int setter_count;
} thud_facts_gamma;

/// What was found, at the start of a scene or over the frames of a run.
typedef struct thud_facts
{
    const thud_scene *scene;
    thud_model *model;
    double rho, length;
    thud_bounds bounds; ///< the worst of all places
    double safe_step;
    thud_facts_gamma active, near;
    thud_boundary start;
    double force_size, lipschitz, force_integral;
    bool is_lower; ///< of lipschitz
    int concave;   ///< a constraint that is not convex, or -1
    bool moves;    ///< the scene has constraints that depend on time
    int kinks;
    char kink[300];               ///< the first
    bool is_run;                  ///< what follows is of a run
    int64_t first;                ///< steps before it are not in the run
    int64_t steps, frames, looks; ///< nodes of the run, frames read, and those looked at closely
    double largest_speed, variation;
    double total_mass, worst_part, worst_time;    ///< mass / bound, the largest
    int64_t loaded_steps, held_steps, free_steps; ///< free: without a bound
    int64_t unjudged_steps; ///< bodies went too far in a step to know all its constraints
    thud_extreme support;
} thud_facts;

typedef struct thud_facts_def
{
    double rho;    ///< 0: a part of the length
    int64_t looks; ///< frames to look at closely; 0: all
} thud_facts_def;

/// Gather all that is asked. Scene, model and run are borrowed by the facts.
THUD_API thud_status thud_facts_of_scene(const thud_scene *scene, thud_model *model,
                                         const thud_facts_def *def, thud_facts *facts);
THUD_API thud_status thud_facts_of_run(const thud_recorded *run, const thud_facts_def *def,
                                       thud_facts *facts, thud_fault *fault);

typedef enum thud_holding
{
    THUD_HOLDS = 0,
    THUD_FAILS = 1,
    THUD_NOT_ASKED = 2, ///< does not hold, but the theorem does not need it here
    THUD_UNKNOWN = 3
} thud_holding;

/// One hypothesis, judged.
typedef struct thud_finding
{
    const char *name; ///< "A1"
    thud_holding holding;
    char text[400];    ///< what was measured
    char meaning[400]; ///< what it means when it fails, or ""
} thud_finding;

/// Judge the facts; returns how many findings there are.
THUD_API int thud_facts_assess(const thud_facts *facts, thud_finding findings[THUD_FINDINGS]);

THUD_API const char *
thud_holding_name(thud_holding holding); ///< "holds", "fails", "not needed", "unknown"

/// Write facts and findings for people, and for programs.
THUD_API void thud_facts_write(const thud_facts *facts, thud_writer *writer);
THUD_API void thud_facts_json(const thud_facts *facts, thud_json *json);

#ifdef __cplusplus
}
#endif

#endif
