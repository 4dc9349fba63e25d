// The hypotheses of the theorem for a scene, or along a run: gathered, then judged.
#ifndef THUDI_HYPOTHESES_H
#define THUDI_HYPOTHESES_H

#include "run/run_argument.h"

#include <thud/hypotheses.h>

enum
{
    THUDI_SETTERS = 3 // rows named of those that set gamma
};

// gamma at the worst place that was looked at.
typedef struct thudi_gamma
{
    thud_independence worst;
    double t;
    thud_key setter[THUDI_SETTERS]; // the rows of most weight
    int setter_count;
} thudi_gamma;

// What was found, at the start of a scene or over the frames of a run.
typedef struct thudi_facts
{
    const thud_scene *scene;
    thud_model *model;
    double rho, length;
    thud_bounds bounds; // the worst of all places
    double safe_step;
    thudi_gamma active, near;
    thud_boundary start;
    double force_size, lipschitz, force_integral;
    bool is_lower; // of lipschitz
    int concave;   // a constraint that is not convex, or -1
    bool moves;    // the scene has constraints that depend on time
    int kinks;
    char kink[300]; // the first
    // of a run
    bool is_run;
    int64_t first;                // steps before it are not in the run
    int64_t steps, frames, looks; // nodes of the run, frames read, and those looked at closely
    double largest_speed, variation;
    double total_mass, worst_part, worst_time;    // mass / bound, the largest
    int64_t loaded_steps, held_steps, free_steps; // free: without a bound
    int64_t unjudged_steps; // bodies went too far in a step to know all its constraints
    thud_extreme support;
} thudi_facts;

typedef struct thudi_facts_def
{
    double rho;    // 0: a part of the length
    int64_t looks; // frames to look at closely; 0: all
} thudi_facts_def;

// Gather all that is asked; returns an exit code, having said what was wrong.
int thudi_gather_scene(const thud_scene *scene, thud_model *model, const thudi_facts_def *def,
                       thudi_facts *facts);
int thudi_gather_run(const thudi_run *run, const thudi_facts_def *def, thudi_facts *facts);

typedef enum thudi_holding
{
    THUDI_HOLDS,
    THUDI_FAILS,
    THUDI_NOT_ASKED, // does not hold, but the theorem does not need it here
    THUDI_UNKNOWN
} thudi_holding;

// One hypothesis, judged.
typedef struct thudi_finding
{
    const char *name; // "A1"
    thudi_holding holding;
    char text[400];    // what was measured
    char meaning[400]; // what it means when it fails, or ""
} thudi_finding;

enum
{
    THUDI_FINDINGS = 16
};

// Judge the facts; returns how many findings there are.
int thudi_judge(const thudi_facts *facts, thudi_finding findings[THUDI_FINDINGS]);

const char *thudi_holding_name(thudi_holding holding); // "holds", "fails", "not needed", "unknown"

#endif
