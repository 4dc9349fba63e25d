// The table of commands and options.
#include "commands.h"

#include "command_texts.h"

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
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    {"quiet", 'q', NULL, "no progress and no summary, errors only", NULL},
};

static const cli_option plot_options[] = {
    {"out", 'o', "DIR", "where the files go (default: RUN-plots)", NULL},
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
    {"run", "SCENE", 1, 1, "run a scene and record it", cli_run_text, run_options,
     COUNT(run_options), cli_run_examples, command_run},
    {"resume", "RUN", 1, 1, "take up a run that was interrupted", cli_resume_text, resume_options,
     COUNT(resume_options), cli_resume_examples, command_resume},
    {"check", "SCENE", 1, 1, "check a scene without running it", cli_check_text, check_options,
     COUNT(check_options), cli_check_examples, command_check},
    {"scene", "SCENE", 1, 1, "print a scene with all defaults", cli_scene_text, scene_options,
     COUNT(scene_options), cli_scene_examples, command_scene},
    {"new", "[NAME [FILE]]", 0, 2, "write a scene to start from", cli_new_text, new_options,
     COUNT(new_options), cli_new_examples, command_new},
    {"info", "RUN", 1, 1, "say what is in a run directory", cli_info_text, info_options,
     COUNT(info_options), cli_info_examples, command_info},
    {"verify", "RUN", 1, 1, "prove a run right from what it has recorded", cli_verify_text,
     verify_options, COUNT(verify_options), cli_verify_examples, command_verify},
    {"hypotheses", "SCENE|RUN", 1, 1, "measure what the convergence theorem asks for",
     cli_hypotheses_text, hypotheses_options, COUNT(hypotheses_options), cli_hypotheses_examples,
     command_hypotheses},
    {"hash", "RUN", 1, 1, "print the hash of all states of a run, and the digest of its log",
     cli_hash_text, hash_options, COUNT(hash_options), cli_hash_examples, command_hash},
    {"diff", "A B", 2, 2, "find where two runs part", cli_diff_text, NULL, 0, cli_diff_examples,
     command_diff},
    {"export", "RUN", 1, 1, "write a run in the formats of other programs", cli_export_text,
     export_options, COUNT(export_options), cli_export_examples, command_export},
    {"project", "[FILE]", 0, 1, "solve one contact problem, with a proof", cli_project_text,
     project_options, COUNT(project_options), cli_project_examples, command_project},
    {"view", "RUN", 1, 1, "write a run as a page for any browser", cli_view_text, view_options,
     COUNT(view_options), cli_view_examples, command_view},
    {"render", "RUN", 1, 1, "draw the bodies of a run", cli_render_text, render_options,
     COUNT(render_options), cli_render_examples, command_render},
    {"plot", "RUN", 1, 1, "draw charts of a run", cli_plot_text, plot_options, COUNT(plot_options),
     cli_plot_examples, command_plot},
    {"converge", "SCENE", 1, 1, "run a scene at many steps and measure errors", cli_converge_text,
     converge_options, COUNT(converge_options), cli_converge_examples, command_converge},
    {"impacts", "RUN", 1, 1, "list the impacts of a run and test the law of collision",
     cli_impacts_text, impacts_options, COUNT(impacts_options), cli_impacts_examples,
     command_impacts},
    {"jam", "", 0, 0, "pack spheres until there is no room, and prove it", cli_jam_text,
     jam_options, COUNT(jam_options), cli_jam_examples, command_jam},
    {"help", "[COMMAND]", 0, 1, "explain a command", cli_help_text, help_options,
     COUNT(help_options), cli_help_examples, command_help},
};
const int cli_command_count = COUNT(cli_commands);
