// The hypotheses of the theorem for a scene, or along a run: gathered, then judged.
#ifndef CLI_HYPOTHESES_H
#define CLI_HYPOTHESES_H

#include "run_argument.h"

#include <thud/hypotheses.h>

enum
{
    CLI_SETTERS = 3 // rows named of those that set gamma
};

// gamma at the worst place that was looked at.
typedef struct cli_gamma
{
    thud_independence worst;
    double t;
    thud_key setter[CLI_SETTERS]; // the rows of most weight
    int setter_count;
} cli_gamma;

// What was found, at the start of a scene or over the frames of a run.
typedef struct cli_facts
{
    const thud_scene *scene;
    thud_model *model;
    double rho, length;
    thud_bounds bounds; // the worst of all places
    double safe_step;
    cli_gamma active, near;
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
} cli_facts;

typedef struct cli_facts_def
{
    double rho;    // 0: a part of the length
    int64_t looks; // frames to look at closely; 0: all
} cli_facts_def;

// Gather all that is asked; returns an exit code, having said what was wrong.
int cli_gather_scene(const thud_scene *scene, thud_model *model, const cli_facts_def *def,
                     cli_facts *facts);
int cli_gather_run(const cli_run *run, const cli_facts_def *def, cli_facts *facts);

typedef enum cli_holding
{
    CLI_HOLDS,
    CLI_FAILS,
    CLI_NOT_ASKED, // does not hold, but the theorem does not need it here
    CLI_UNKNOWN
} cli_holding;

// One hypothesis, judged.
typedef struct cli_finding
{
    const char *name; // "A1"
    cli_holding holding;
    char text[400];    // what was measured
    char meaning[400]; // what it means when it fails, or ""
} cli_finding;

enum
{
    CLI_FINDINGS = 16
};

// Judge the facts; returns how many findings there are.
int cli_judge(const cli_facts *facts, cli_finding findings[CLI_FINDINGS]);

const char *cli_holding_name(cli_holding holding); // "holds", "fails", "not needed", "unknown"

#endif
