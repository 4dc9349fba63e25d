// The table of commands and options.
#include "commands.h"

#include <stddef.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

#define SET_OPTION                                                                                 \
    {                                                                                              \
        "set", 's', "KEY=VALUE",                                                                   \
            "override a value of the scene, such as time.end=1 or bodies.0.fill.count=100; may "   \
            "be "                                                                                  \
            "repeated",                                                                            \
            NULL                                                                                   \
    }
#define JSON_OPTION                                                                                \
    {                                                                                              \
        "json", 'j', NULL, "print JSON, for machines", NULL                                        \
    }

#define WALLTIME_OPTION                                                                            \
    {                                                                                              \
        "max-walltime", 0, "SECONDS",                                                              \
            "write a checkpoint and stop, with status 75, before that time has passed", NULL       \
    }
#define STEPS_OPTION                                                                               \
    {                                                                                              \
        "max-steps", 0, "COUNT",                                                                   \
            "write a checkpoint and stop, with status 75, after that many steps", NULL             \
    }
#define THREADS_OPTION                                                                             \
    {                                                                                              \
        "threads", 't', "COUNT",                                                                   \
            "how many threads to use, at most 16 of which have work; results do not depend on "    \
            "it (default: OMP_NUM_THREADS, else one per processor)",                               \
            NULL                                                                                   \
    }
#define TELL_OPTION                                                                                \
    {                                                                                              \
        "tell", 0, NULL, "say on standard error when a checkpoint is on the disk", NULL            \
    }

#define SKIP_OPTION                                                                                \
    {                                                                                              \
        "skip-damaged", 0, NULL,                                                                   \
            "leave out frames that are damaged, and say how many; --frames counts the others",     \
            NULL                                                                                   \
    }

const cli_option cli_common_options[] = {
    {"help", 'h', NULL, "print this and exit", NULL},
};
const int cli_common_option_count = COUNT(cli_common_options);

static const cli_option run_options[] = {
    {"out", 'o', "DIR", "the run directory (default: the scene's name with the ending .run)", NULL},
    {"replace", 'r', NULL, "replace the run that is in DIR already", NULL},
    SET_OPTION,
    {"no-check", 0, NULL, "do not have the recorded steps checked by the independent checker",
     NULL},
    WALLTIME_OPTION,
    STEPS_OPTION,
    TELL_OPTION,
    THREADS_OPTION,
    {"force", 0, NULL, "run even if the memory or disk it needs may not be there", NULL},
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    {"quiet", 'q', NULL, "no progress and no summary, errors only", NULL},
    JSON_OPTION,
};

static const cli_option resume_options[] = {
    {"from-checkpoint", 0, "NEW",
     "continue RUN in the new run directory NEW, which begins at the newest intact checkpoint; for "
     "a RUN whose log is damaged",
     NULL},
    WALLTIME_OPTION,
    STEPS_OPTION,
    TELL_OPTION,
    THREADS_OPTION,
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    {"quiet", 'q', NULL, "no progress and no summary, errors only", NULL},
    JSON_OPTION,
};

static const cli_option check_options[] = {
    SET_OPTION,
    JSON_OPTION,
};

static const cli_option scene_options[] = {
    SET_OPTION,
    {"bodies", 'b', NULL, "print the bodies as CSV instead", NULL},
};

static const cli_option new_options[] = {
    {"list", 'l', NULL, "list the names and what they show", NULL},
    {"replace", 'r', NULL, "replace a file that is there already", NULL},
};

static const cli_option info_options[] = {
    JSON_OPTION,
};

static const cli_option verify_options[] = {
    {"scene", 0, "FILE",
     "judge by this scene, not by the one in RUN, which a forger has edited too", NULL},
    SET_OPTION,
    {"complete", 0, NULL, "status 10 unless the run is over and all its steps were verified", NULL},
    {"rerun", 0, NULL,
     "compute all steps again and compare every byte of log, series and checkpoints", NULL},
    {"rerun-tail", 0, NULL, "the same of the steps since the older checkpoint only: cheap", NULL},
    {"enclose", 0, NULL, "prove which contacts push, and how near the recorded velocities are",
     NULL},
    JSON_OPTION,
    THREADS_OPTION,
};

static const cli_option hypotheses_options[] = {
    {"rho", 0, "LENGTH",
     "constraints with g <= LENGTH are near, for A6 (default: a tenth of the smallest radius; for "
     "inclusions of the largest gap at the start)",
     NULL},
    {"looks", 0, "COUNT",
     "how many of the recorded steps of a run to look at closely, or 'all' (default: 20)", NULL},
    SET_OPTION,
    JSON_OPTION,
    THREADS_OPTION,
};

static const cli_option hash_options[] = {
    {"step", 0, "N", "of the state after step N, 0 for the start (default: the last)", NULL},
};

static const cli_option export_options[] = {
    {"format", 'f', "FORMAT",
     "vtp (ParaView), xyz (OVITO: extended XYZ), csv, hdf5, or fclib (the projection of every "
     "step, "
     "for 'thud project' and other solvers) (default: vtp)",
     "vtp xyz csv hdf5 fclib"},
    {"out", 'o', "DIR", "where the files go (default: RUN-FORMAT, such as box-vtp)", NULL},
    {"frames", 0, "FIRST:LAST:STRIDE",
     "which frames, counted from 0; parts may be left out (default: all)", NULL},
    SKIP_OPTION,
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    {"quiet", 'q', NULL, "no progress and no summary, errors only", NULL},
};

static const cli_option project_options[] = {
    {"frictionless", 0, NULL, "ignore friction: solve the normal parts of the contacts alone",
     NULL},
    {"make-set", 0, "DIR", "write the public set of problems to DIR and print its optima", NULL},
    JSON_OPTION,
    THREADS_OPTION,
};

static const cli_option view_options[] = {
    {"out", 'o', "FILE", "the page (default: RUN with the ending .html)", NULL},
    {"max-size", 'm', "MB", "the largest page; frames are left out until it fits (default: 12)",
     NULL},
    {"frames", 0, "FIRST:LAST:STRIDE",
     "which frames, counted from 0; parts may be left out (default: all)", NULL},
    SKIP_OPTION,
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    {"quiet", 'q', NULL, "no progress and no summary, errors only", NULL},
};

static const cli_option render_options[] = {
    {"out", 'o', "PATH",
     "a picture, if PATH ends in .png, else a folder of them, one for each frame (default: RUN "
     "with the ending .png, or RUN-frames when --frames is given)",
     NULL},
    {"frames", 0, "FIRST:LAST:STRIDE",
     "which frames, counted from 0; parts may be left out (default: the last one for a picture, "
     "all for a folder)",
     NULL},
    {"size", 0, "WxH", "width and height in pixels (default: 1280x720)", NULL},
    {"color", 'c', "WHAT",
     "what bodies are coloured by: speed, pressure (forces on a body by its surface), radius, "
     "contacts, material or plain (default: speed)",
     "speed pressure radius contacts material plain"},
    {"chains", 0, NULL, "draw contact forces as lines, thickness by force; bodies become pale",
     NULL},
    {"view", 0, "AZIMUTH,ELEVATION",
     "where the eye is, in degrees: to the right of the front, which is at negative y, and above "
     "the horizon (default: 25,18)",
     NULL},
    {"zoom", 0, "FACTOR", "1 shows all bodies, 2 everything twice as large (default: 1)", NULL},
    {"theme", 0, "THEME", "light or dark (default: light)", "light dark"},
    THREADS_OPTION,
    {"no-text", 0, NULL, "neither legend nor time", NULL},
    SKIP_OPTION,
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    {"quiet", 'q', NULL, "no progress and no summary, errors only", NULL},
};

static const cli_option plot_options[] = {
    {"out", 'o', "DIR", "where the files go (default: RUN-plots)", NULL},
    {"skip-damaged", 0, NULL, "leave out frames that are damaged, and say how many", NULL},
    {"quiet", 'q', NULL, "no summary, errors only", NULL},
};

static const cli_option converge_options[] = {
    {"step", 0, "H", "the largest step (default: that of the scene)", NULL},
    {"levels", 0, "COUNT",
     "how often it is halved, the first included, 3 to 16; the other sequences go about as far "
     "down (default: 6)",
     NULL},
    {"reference", 0, "WHAT",
     "what runs are measured by: exact, events or finest (default: the first of these that there "
     "is)",
     "exact events finest"},
    {"out", 'o', "DIR", "draw the errors over the step, as converge.svg and converge.png in DIR",
     NULL},
    SET_OPTION,
    THREADS_OPTION,
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    JSON_OPTION,
};

static const cli_option impacts_options[] = {
    {"factor", 0, "X",
     "impulses above X times the step times the largest force are atoms, if they stand out "
     "(default: 4)",
     NULL},
    {"csv", 0, NULL, "print a table for machines, one line for every contact of an impact", NULL},
    JSON_OPTION,
};

static const cli_option jam_options[] = {
    {"count", 'n', "COUNT", "spheres, 30 to 100,000 (default: 150)", NULL},
    {"seed", 0, "NUMBER", "another one makes another packing (default: 1)", NULL},
    {"out", 'o', "DIR", "where the files go (default: jam-COUNT-SEED)", NULL},
    {"replace", 'r', NULL, "write over files that are in DIR already", NULL},
    {"force", 0, NULL, "begin even if the memory it needs may not be there", NULL},
    THREADS_OPTION,
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    {"quiet", 'q', NULL, "no progress and no summary, errors only", NULL},
    JSON_OPTION,
};

static const cli_option help_options[] = {
    {"man", 0, NULL, "print the manual page in roff instead", NULL},
    {"completion", 0, "SHELL", "print the completions of a shell instead", "bash zsh fish"},
};

const cli_command cli_commands[] = {
    {"run", "SCENE", 1, 1, "run a scene and record it",
     "Reads SCENE, runs it to its end, and leaves a run directory: the resolved scene, a log of "
     "frames with checksums, a line of series.csv for every step, and run.json.\n"
     "\n"
     "Every step carries its own certificate. Every recorded step is checked once more, by code "
     "that shares nothing with the solver; to have all steps recorded and checked, write "
     "'record: all' into the scene or use --set record=all. A step that fails, or a check that "
     "does, stops the run; what was recorded before is kept.\n"
     "\n"
     "On a terminal the progress shows the simulated time, contacts, the worst certificate and the "
     "time left.\n"
     "\n"
     "Checkpoints are written as the scene's 'checkpoints' says, and at the end. Ctrl-C, or a "
     "signal TERM or HUP, writes one after the present step and stops with status 75; USR1 "
     "writes one and goes on. Whatever ends a run, 'thud resume' takes it up again.",
     run_options, COUNT(run_options),
     "thud new plate && thud run plate.yaml\n"
     "thud run box.yaml --set bodies.0.fill.count=1000 --out small.run\n",
     command_run},
    {"resume", "RUN", 1, 1, "take up a run that was interrupted",
     "Goes on with the run in RUN from its newest checkpoint, or from the one before if that is "
     "damaged, whatever ended it: a signal, a time limit, a full disk, a crash, a power failure. "
     "Frames and series written after the checkpoint are cut off and computed again. What the run "
     "leaves in the end is the same, bit for bit, as if it had never been interrupted, but for "
     "run.json, which counts how often it was taken up.\n"
     "\n"
     "If the log is damaged, --from-checkpoint NEW continues RUN in the new run directory NEW. It "
     "begins at the newest intact checkpoint, and its states are the same bits as those of an "
     "undamaged run. The steps before it are not in NEW: 'thud verify NEW' says so, and 'thud "
     "verify NEW --rerun' computes them, too. RUN stays as it is.",
     resume_options, COUNT(resume_options),
     "thud resume box.run\nthud resume box.run --max-walltime 3600\n"
     "thud resume box.run --from-checkpoint rest.run\n",
     command_resume},
    {"check", "SCENE", 1, 1, "check a scene without running it",
     "Reads SCENE, builds its problem and says what was understood: bodies and masses, overlaps at "
     "the start, the step and what would be suggested, memory and disk that a run will need, and "
     "where the theory's conditions are not met. Nothing is written.",
     check_options, COUNT(check_options), "thud check hopper.yaml\n", command_check},
    {"scene", "SCENE", 1, 1, "print a scene with all defaults",
     "Prints SCENE as it was understood: every default written out, includes and overrides taken "
     "in. The output is a scene that gives the same run.",
     scene_options, COUNT(scene_options), "thud scene plate.yaml --set time.end=1\n",
     command_scene},
    {"new", "[NAME [FILE]]", 0, 2, "write a scene to start from",
     "Writes the scene NAME to FILE (default: NAME.yaml). The names 'spheres' and 'inclusion' are "
     "commented starters; the others are the scenes that come with Thud. Without a name, or with "
     "--list, they are listed.",
     new_options, COUNT(new_options), "thud new\nthud new spheres mine.yaml\n", command_new},
    {"info", "RUN", 1, 1, "say what is in a run directory",
     "Prints what the run directory RUN holds: the scene, frames and times, how the run ended and "
     "the worst of its certificates, both as the run says; 'thud verify' proves them. Of a log "
     "that "
     "was cut it says how many frames are missing, and from which time on.\n"
     "\n"
     "Of a run in progress it tells how much is done, the rate, the time left at that rate, and "
     "the certificate of the last step in series.csv. The rate is that since the older checkpoint.",
     info_options, COUNT(info_options), "thud info plate.run\nthud info plate.run --json\n",
     command_info},
    {"verify", "RUN", 1, 1, "prove a run right from what it has recorded",
     "Judges the run in RUN from its log, by code that shares nothing with the solver, and says "
     "how "
     "many of its steps were verified.\n"
     "\n"
     "Of every recorded step: all sums; the nine certificates, with all constraints found and the "
     "force integrated anew; that it is where it should be, begins with what the step before it "
     "ended with, and matches the chain of hashes; that series.csv has what follows from its "
     "state. "
     "run.json and checkpoints must fit the log, the series and the digest of all records. A run "
     "with 'record: all' has every step recorded. Of others the steps in between, and figures that "
     "only the solver knows (rows, sweeps, bounds, counts), are as the run says.\n"
     "\n"
     "--rerun computes all steps again, from the start, and compares every byte of log, series and "
     "checkpoints; --rerun-tail those since the older of the two checkpoints that a run keeps. The "
     "scene is as the run says, too, unless --scene gives the reader's own.\n"
     "\n"
     "--enclose takes every recorded step once more and proves in doubled precision which contacts "
     "push. A bound of |u' - P_K w| follows that is near the truth, also where the solver swept. "
     "Factors have 33,554,432 numbers at most (256 MiB); what is not proved is counted.\n"
     "\n"
     "Status 6 means that a certificate does not hold, 7 that the run is not as it was written, 10 "
     "that a force could not be integrated or, with --complete, that not all steps were verified.\n"
     "\n"
     "For a folder of 'thud jam' the packing is judged: overlaps, balance of forces, room to grow.",
     verify_options, COUNT(verify_options),
     "thud verify box.run\n"
     "thud verify box.run --scene box.yaml --rerun --complete\n"
     "thud verify jam-150-1\n",
     command_verify},
    {"hypotheses", "SCENE|RUN", 1, 1, "measure what the convergence theorem asks for",
     "Measures the hypotheses of the convergence theorem (docs/theory.md) at the start of SCENE, "
     "or "
     "along the recorded steps of RUN: alpha, beta and M of A1 to A5, gamma of A6' (over the "
     "constraints that touch) and of A6 (over those with g <= rho) and the constraints that set "
     "it, convexity, kinks in time, the force, whether the start is in the interior, and the step "
     "below which some velocity is sure to be admissible; along a run also sup |u|, Var(u), and "
     "the multipliers against their bound gamma |u' - w|.\n"
     "\n"
     "What does not hold is said in plain words, with what it means. It is no error: a step is "
     "proved by its certificate, not by the theorem. A hypothesis that holds where it was looked "
     "at may fail elsewhere.",
     hypotheses_options, COUNT(hypotheses_options),
     "thud hypotheses corner.yaml\nthud hypotheses box.run --looks all --json\n",
     command_hypotheses},
    {"hash", "RUN", 1, 1, "print the hash of all states of a run, and the digest of its log",
     "Prints a 64-bit hash of all that a step starts from (time, positions, velocities, "
     "multipliers), chained from the start of the run: two runs with the same hash went through "
     "the same states, bit for bit. It is for comparing, and no defence: who forges a run can give "
     "it any hash. The second line is a digest, SHA-256 over all records of the log: who keeps it "
     "elsewhere can tell whether a byte was changed.",
     hash_options, COUNT(hash_options), "thud hash plate.run\nthud hash plate.run --step 100\n",
     command_hash},
    {"diff", "A B", 2, 2, "find where two runs part",
     "Compares the chains of hashes and the frames of the runs A and B, and names the first step "
     "that differs, and the first number of it that both have recorded. Status 9 means that they "
     "differ.",
     NULL, 0, "thud diff one.run other.run\n", command_diff},
    {"export", "RUN", 1, 1, "write a run in the formats of other programs",
     "Writes the frames of RUN: for ParaView bodies and contacts (force chains) as VTP with PVD "
     "files over time; for OVITO extended XYZ; CSV; or HDF5 arrays. A frame shows the end of its "
     "step. CSV, XYZ and HDF5 hold the exact numbers. The format fclib writes what each recorded "
     "step has solved as a contact problem of FCLIB without friction, a file for every step.",
     export_options, COUNT(export_options),
     "thud export box.run --format vtp && paraview box-vtp/bodies.pvd\n"
     "thud export box.run --format hdf5 --frames ::10\n",
     command_export},
    {"project", "[FILE]", 0, 1, "solve one contact problem, with a proof",
     "Solves the problem in FILE, a global one of FCLIB (HDF5: M, H, f and w of the group "
     "fclib_global), by the exact method: the velocity nearest to M^-1 f at which no contact "
     "overlaps. "
     "Prints the optimum and a certificate computed apart from the solver. 'thud export --format "
     "fclib' writes the steps of a run as such files.\n"
     "\n"
     "Only the normal parts are solved. Where a coefficient of friction is not 0, --frictionless "
     "must be given. M must be diagonal; local problems (W, q) and equations (G) are refused. "
     "Status 2: the problem is not one of these; 3: the file is damaged, or none of FCLIB; 5: "
     "larger than 16,777,216 in any direction; 6: infeasible, or not proved optimal.\n"
     "\n"
     "--make-set runs four small scenes, keeps the projection of a step of each (settled, impact, "
     "jammed, glued), and prints their optima: docs/problems.md.",
     project_options, COUNT(project_options),
     "thud export box.run --format fclib --frames 50:50\n"
     "thud project box-fclib/step-002314.hdf5\n"
     "thud project --make-set problems\n",
     command_project},
    {"view", "RUN", 1, 1, "write a run as a page for any browser",
     "Writes one HTML file that holds a viewer and the run, to be opened from disk or sent to "
     "someone: it asks the network for nothing. Spheres in three dimensions or two, force chains, "
     "charts and the verdict of the checks, as the run says; for inclusions the coordinates "
     "against time, the phase "
     "plane and the constraints.\n"
     "\n"
     "Positions are rounded to 1/65535 of the scene's extent, which does for looking; 'thud "
     "export' has the exact numbers. A frame shows the end of its step.",
     view_options, COUNT(view_options),
     "thud view box.run && open box.html\n"
     "thud view box.run --out small.html --max-size 2\n",
     command_view},
    {"render", "RUN", 1, 1, "draw the bodies of a run",
     "Draws frames of RUN as PNG, without a screen: spheres with soft shadows, disks flat and "
     "crisp. A frame shows the end of its step; camera and colours are the same for all frames of "
     "one call, and the pictures do not depend on the number of threads.",
     render_options, COUNT(render_options),
     "thud render box.run --out box.png --color pressure\n"
     "thud render hopper.run --frames ::2 --out film/ --theme dark\n",
     command_render},
    {"plot", "RUN", 1, 1, "draw charts of a run",
     "Draws charts of RUN, each as SVG and PNG: energies, impulses of walls or constraints, gaps "
     "and bounds, contacts and sweeps, measures; for spheres the distribution of contact forces in "
     "the last frame; for inclusions coordinates, the phase plane and, of two coordinates, the "
     "path. Charts with nothing to show are left out.",
     plot_options, COUNT(plot_options), "thud plot plate.run --out figures\n", command_plot},
    {"converge", "SCENE", 1, 1, "run a scene at many steps and measure errors",
     "Runs SCENE along three sequences of steps (halves: h, h/2, h/4 ...; thirds: h, h/3, h/9 ...; "
     "golden: 0.618 h and its halves) with tolerances that shrink with the step, and prints errors "
     "of the velocity (L1), of the position (maximum) and of the cumulative impulses of the "
     "constraints (E, a distance of measures), each also divided by h.\n"
     "\n"
     "Errors are those against the solution that the scene gives under 'exact'; else, for a few "
     "spheres without lasting contact, against their impacts followed one by one; else differences "
     "from the run with the smallest step. The theorem promises a limit up to a subsequence: so it "
     "is said which sequences go to the same limit, and where they do not, which go where. A "
     "finite number of steps proves nothing; what is reported is that errors stay below C h, or do "
     "not. Status 0 means one limit. Status 9 means that the sequences do not go to one limit. "
     "Status 11 means that it cannot be told: the runs have not come near a limit, as in chaotic "
     "scenes or with too few levels.",
     converge_options, COUNT(converge_options),
     "thud converge plate.yaml\nthud converge plate.yaml --levels 8 --out figures\n",
     command_converge},
    {"impacts", "RUN", 1, 1, "list the impacts of a run and test the law of collision",
     "Lists the impacts of RUN, which must have recorded every step ('record: all' in the scene, "
     "or --set record=all; status 2 if it has not): time, who meets whom, how fast before and "
     "after, the impulse, and the residual |u+ - P_C u-|, with restitution |u+ - P_C u- - e (P_C "
     "u- - u-)|: how far the "
     "velocity after the impact is from what the law of collision makes of the one before. It goes "
     "to 0 with the step.\n"
     "\n"
     "In the limit multipliers are measures: atoms at impacts, a density where contact lasts. Here "
     "an atom is an impulse that is above --factor times the step times the largest sum of forces, "
     "begins at more than 4 times the impulse of the step before and is over after two or three "
     "steps; "
     "the scheme takes two for an impact. Impacts that are weaker cannot be told from load at that "
     "step. With e > 0 a contact that others have closed is a new impact in the next step, and the "
     "residual of both together does not go to 0.",
     impacts_options, COUNT(impacts_options),
     "thud run plate.yaml --set record=all && thud impacts plate.run\n"
     "thud impacts plate.run --csv > impacts.csv\n",
     command_impacts},
    {"jam", "", 0, 0, "pack spheres until there is no room, and prove it",
     "Grows equal spheres from random points in a periodic cube until none can grow, and proves "
     "it: "
     "a network of contacts whose forces are in balance bounds how much larger the spheres could "
     "be. Writes the packing, the network, what is proved, and a scene to look at it with; "
     "docs/jamming.md says what that is, and 'thud verify' proves it anew from the files.\n"
     "\n"
     "What it costs: 500 spheres take some 10 seconds of a processor and 17 MB, 2,000 some 10 "
     "minutes and 56 MB. The time grows about as count^3, memory as count^(5/3): 10,000 would take "
     "about a day and 0.8 GB, 100,000 need 36 GB. What does not fit into memory is refused at the "
     "start.",
     jam_options, COUNT(jam_options),
     "thud jam --count 150 --seed 3\n"
     "thud jam --count 300 --out large --json\n",
     command_jam},
    {"help", "[COMMAND]", 0, 1, "explain a command",
     "Prints the help of COMMAND, its manual page, or the completions of a shell.", help_options,
     COUNT(help_options),
     "thud help run\n"
     "thud help --completion bash > ~/.local/share/bash-completion/completions/thud\n",
     command_help},
};
const int cli_command_count = COUNT(cli_commands);
