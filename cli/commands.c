// The table of commands and options.
#include "commands.h"

#include "command_texts.h"

#include <stddef.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

#define SET_OPTION                                                                                 \
    {                                                                                              \
        "set", 's', "KEY=VALUE",                                                                   \
            "override a value of the scene, for example time.end=1 or bodies.0.fill.count=100; "   \
            "may be repeated",                                                                     \
            NULL                                                                                   \
    }
#define JSON_OPTION                                                                                \
    {                                                                                              \
        "json", 'j', NULL, "print the result as JSON, and errors as JSON on standard error", NULL  \
    }

#define WALLTIME_OPTION                                                                            \
    {                                                                                              \
        "max-walltime", 0, "SECONDS",                                                              \
            "write a checkpoint and stop with status 75 before SECONDS of real time have passed",  \
            NULL                                                                                   \
    }
#define STEPS_OPTION                                                                               \
    {                                                                                              \
        "max-steps", 0, "COUNT", "write a checkpoint and stop with status 75 after COUNT steps",   \
            NULL                                                                                   \
    }
#define THREADS_OPTION                                                                             \
    {                                                                                              \
        "threads", 't', "COUNT",                                                                   \
            "number of threads; results do not depend on it (default: OMP_NUM_THREADS, or one "    \
            "per processor)",                                                                      \
            NULL                                                                                   \
    }
#define TELL_OPTION                                                                                \
    {                                                                                              \
        "tell", 0, NULL, "report each checkpoint on standard error once it is on disk", NULL       \
    }

#define SKIP_OPTION                                                                                \
    {                                                                                              \
        "skip-damaged", 0, NULL,                                                                   \
            "leave out damaged frames and print how many; --frames counts the others", NULL        \
    }

const cli_option cli_common_options[] = {
    {"help", 'h', NULL, "print this help and exit", NULL},
};
const int cli_common_option_count = COUNT(cli_common_options);

static const cli_option run_options[] = {
    {"out", 'o', "DIR", "run directory to write (default: the scene's name with the ending .run)",
     NULL},
    {"replace", 'r', NULL, "replace the run that is already in DIR", NULL},
    SET_OPTION,
    {"log", 0, "FORM", "how to store the log: as the file frames.thud, or as HDF5 files",
     "thud hdf5"},
    {"no-check", 0, NULL, "skip the independent verification of recorded steps", NULL},
    {"halve", 0, NULL,
     "run the scene a second time at half the step, without recording it, and print how each "
     "measure changes",
     NULL},
    WALLTIME_OPTION,
    STEPS_OPTION,
    TELL_OPTION,
    THREADS_OPTION,
    {"force", 0, NULL, "run even if memory or disk space may be too small", NULL},
    {"no-progress", 0, NULL, "do not show progress on standard error", NULL},
    {"quiet", 'q', NULL, "print errors only: no progress and no summary", NULL},
    JSON_OPTION,
};

static const cli_option resume_options[] = {
    {"from-checkpoint", 0, "NEW",
     "continue in the new run directory NEW from the newest intact checkpoint, where the log of "
     "RUN is damaged",
     NULL},
    WALLTIME_OPTION,
    STEPS_OPTION,
    TELL_OPTION,
    THREADS_OPTION,
    {"no-progress", 0, NULL, "do not show progress on standard error", NULL},
    {"quiet", 'q', NULL, "print errors only: no progress and no summary", NULL},
    JSON_OPTION,
};

static const cli_option check_options[] = {
    SET_OPTION,
    JSON_OPTION,
};

static const cli_option scene_options[] = {
    SET_OPTION,
    {"bodies", 'b', NULL, "print the bodies as CSV instead of the scene", NULL},
};

static const cli_option new_options[] = {
    {"list", 'l', NULL, "list the names, each with what it shows", NULL},
    {"replace", 'r', NULL, "replace FILE if it exists", NULL},
};

static const cli_option info_options[] = {
    JSON_OPTION,
};

static const cli_option verify_options[] = {
    {"scene", 0, "FILE",
     "verify against this scene instead of the copy in RUN, which a forger may have edited", NULL},
    SET_OPTION,
    {"complete", 0, NULL,
     "end with status 10 unless the run is finished and all its steps were verified", NULL},
    {"rerun", 0, NULL,
     "recompute all steps and compare every byte of the log, the series and the checkpoints", NULL},
    {"rerun-tail", 0, NULL,
     "recompute only the steps since the older of the two checkpoints, which takes less time",
     NULL},
    {"enclose", 0, NULL,
     "prove which contacts carry an impulse, and bound the error of the recorded velocities", NULL},
    JSON_OPTION,
    THREADS_OPTION,
};

static const cli_option hypotheses_options[] = {
    {"rho", 0, "LENGTH",
     "for A6, take the constraints whose gap g is at most LENGTH (default: a tenth of the smallest "
     "radius; for inclusions, a tenth of the largest gap at the start)",
     NULL},
    {"looks", 0, "COUNT",
     "number of recorded steps of a run to examine closely, or 'all' (default: 20)", NULL},
    SET_OPTION,
    JSON_OPTION,
    THREADS_OPTION,
};

static const cli_option hash_options[] = {
    {"step", 0, "N", "hash of the state after step N; 0 is the start (default: the last step)",
     NULL},
};

static const cli_option export_options[] = {
    {"format", 'f', "FORMAT",
     "vtp (ParaView), xyz (extended XYZ, for OVITO), csv, hdf5, or fclib (each step's contact "
     "problem, for 'thud project' and other solvers) (default: vtp)",
     "vtp xyz csv hdf5 fclib"},
    {"out", 'o', "DIR", "directory for the files (default: RUN-FORMAT, such as box-vtp)", NULL},
    {"frames", 0, "FIRST:LAST:STRIDE",
     "frames to write, counted from 0; each part may be left out (default: all)", NULL},
    SKIP_OPTION,
    {"no-progress", 0, NULL, "do not show progress on standard error", NULL},
    {"quiet", 'q', NULL, "print errors only: no progress and no summary", NULL},
};

static const cli_option project_options[] = {
    {"frictionless", 0, NULL, "ignore friction: solve only the normal parts of the contacts", NULL},
    {"make-set", 0, "DIR",
     "write the public set of test problems to DIR and print their optimal values", NULL},
    JSON_OPTION,
    THREADS_OPTION,
};

static const cli_option view_options[] = {
    {"out", 'o', "FILE", "HTML file to write (default: RUN with the ending .html)", NULL},
    {"max-size", 'm', "MB",
     "largest size of the page, in MB; frames are left out until it fits (default: 12)", NULL},
    {"frames", 0, "FIRST:LAST:STRIDE",
     "frames to write, counted from 0; each part may be left out (default: all)", NULL},
    SKIP_OPTION,
    {"no-progress", 0, NULL, "do not show progress on standard error", NULL},
    {"quiet", 'q', NULL, "print errors only: no progress and no summary", NULL},
};

static const cli_option render_options[] = {
    {"out", 'o', "PATH",
     "one picture if PATH ends in .png, otherwise a directory with one picture per frame (default: "
     "RUN with the ending .png, or RUN-frames if --frames is given)",
     NULL},
    {"frames", 0, "FIRST:LAST:STRIDE",
     "frames to draw, counted from 0; each part may be left out (default: the last frame for one "
     "picture, all frames for a directory)",
     NULL},
    {"size", 0, "WxH", "width and height in pixels (default: 1280x720)", NULL},
    {"color", 'c', "WHAT",
     "what the colour of a body shows: speed, pressure (the contact forces on it divided by its "
     "surface), radius, contacts (their number), material, or nothing (plain) (default: speed)",
     "speed pressure radius contacts material plain"},
    {"chains", 0, NULL,
     "draw contact forces as lines, thicker for larger forces; bodies become pale", NULL},
    {"view", 0, "AZIMUTH,ELEVATION",
     "position of the camera in degrees: AZIMUTH to the right of the front (negative y), ELEVATION "
     "above the horizon (default: 25,18)",
     NULL},
    {"zoom", 0, "FACTOR",
     "magnification: 1 shows all bodies, 2 shows everything twice as large (default: 1)", NULL},
    {"theme", 0, "THEME", "background, light or dark (default: light)", "light dark"},
    THREADS_OPTION,
    {"no-text", 0, NULL, "leave out the legend and the time", NULL},
    SKIP_OPTION,
    {"no-progress", 0, NULL, "do not show progress on standard error", NULL},
    {"quiet", 'q', NULL, "print errors only: no progress and no summary", NULL},
};

static const cli_option plot_options[] = {
    {"columns", 0, "NAMES", "one chart of these columns or measures, separated by commas", NULL},
    {"out", 'o', "DIR", "directory for the files (default: RUN-plots)", NULL},
    {"skip-damaged", 0, NULL, "leave out damaged frames and print how many", NULL},
    {"quiet", 'q', NULL, "print errors only: no summary", NULL},
};

static const cli_option converge_options[] = {
    {"step", 0, "H", "largest step, in the scene's unit of time (default: the scene's step)", NULL},
    {"levels", 0, "COUNT",
     "number of steps h, h/2, h/4 ..., from 3 to 16; the other sequences end at about the same "
     "smallest step (default: 6; with --measure from 2 to 16, default 4)",
     NULL},
    {"reference", 0, "WHAT",
     "what the runs are compared with: exact, events or finest (default: the first of these that "
     "the scene has)",
     "exact events finest"},
    {"measure", 'm', "NAME",
     "study this measure or column of series.csv, such as out or load.y, at h, h/2, h/4 ...", NULL},
    {"statistic", 0, "WHAT",
     "what to study of the measure: end, maximum, minimum, mean, or rate, which is the slope of "
     "the straight line that fits best (default: end)",
     "end maximum minimum mean rate"},
    {"from", 0, "TIME", "begin to look at the measure at this time (default: the start)", NULL},
    {"to", 0, "TIME", "stop looking at it at this time (default: the end)", NULL},
    {"while", 0, "NAME=LOW:HIGH",
     "look at the measure only while NAME goes from LOW to HIGH; LOW:HIGH alone means the measure "
     "itself",
     NULL},
    {"seeds", 0, "COUNT",
     "make COUNT runs at each step, with different seeds, and print how much the seed alone "
     "changes the result (default: 1)",
     NULL},
    {"out", 'o', "DIR", "draw the errors against the step, as converge.svg and converge.png in DIR",
     NULL},
    SET_OPTION,
    THREADS_OPTION,
    {"no-progress", 0, NULL, "do not show progress on standard error", NULL},
    JSON_OPTION,
};

static const cli_option impacts_options[] = {
    {"factor", 0, "X",
     "an impulse above X times the step times the largest sum of forces is an impact, if it is "
     "larger than in the steps around it (default: 4)",
     NULL},
    {"csv", 0, NULL, "print a CSV table with one line per contact of an impact", NULL},
    JSON_OPTION,
};

static const cli_option jam_options[] = {
    {"count", 'n', "COUNT", "number of spheres, from 30 to 100,000 (default: 150)", NULL},
    {"seed", 0, "NUMBER",
     "seed of the random points; another seed gives another packing (default: 1)", NULL},
    {"out", 'o', "DIR", "directory for the files (default: jam-COUNT-SEED)", NULL},
    {"replace", 'r', NULL, "replace files that are already in DIR", NULL},
    {"force", 0, NULL, "start even if memory may be too small", NULL},
    THREADS_OPTION,
    {"no-progress", 0, NULL, "do not show progress on standard error", NULL},
    {"quiet", 'q', NULL, "print errors only: no progress and no summary", NULL},
    JSON_OPTION,
};

static const cli_option help_options[] = {
    {"man", 0, NULL, "print the manual page, in roff", NULL},
    {"completion", 0, "SHELL", "print the completions for SHELL: bash, zsh or fish",
     "bash zsh fish"},
    {"markdown", 0, NULL,
     "with 'scene': print all keys of scenes as tables in Markdown; with 'laws': the contact laws",
     NULL},
    {"schema", 0, NULL, "print a JSON Schema of scene files, for editors", NULL},
};

const cli_command cli_commands[] = {
    {"run", "SCENE", 1, 1, "run a scene and record it", cli_run_text, run_options,
     COUNT(run_options), cli_run_examples, command_run, true},
    {"resume", "RUN", 1, 1, "continue an interrupted run", cli_resume_text, resume_options,
     COUNT(resume_options), cli_resume_examples, command_resume, true},
    {"check", "SCENE", 1, 1, "check a scene without running it", cli_check_text, check_options,
     COUNT(check_options), cli_check_examples, command_check, false},
    {"scene", "SCENE", 1, 1, "print a scene with all defaults written out", cli_scene_text,
     scene_options, COUNT(scene_options), cli_scene_examples, command_scene, false},
    {"new", "[NAME [FILE]]", 0, 2, "write a scene to start from", cli_new_text, new_options,
     COUNT(new_options), cli_new_examples, command_new, false},
    {"info", "RUN", 1, 1, "show what a run directory holds", cli_info_text, info_options,
     COUNT(info_options), cli_info_examples, command_info, false},
    {"verify", "RUN", 1, 1, "verify a run from its log, without the solver", cli_verify_text,
     verify_options, COUNT(verify_options), cli_verify_examples, command_verify, true},
    {"hypotheses", "SCENE|RUN", 1, 1, "measure the hypotheses of the convergence theorem",
     cli_hypotheses_text, hypotheses_options, COUNT(hypotheses_options), cli_hypotheses_examples,
     command_hypotheses, false},
    {"hash", "RUN", 1, 1, "print the hash of a run's states and the digest of its log",
     cli_hash_text, hash_options, COUNT(hash_options), cli_hash_examples, command_hash, false},
    {"diff", "A B", 2, 2, "find the first difference between two runs", cli_diff_text, NULL, 0,
     cli_diff_examples, command_diff, false},
    {"export", "RUN", 1, 1, "write a run for other programs", cli_export_text, export_options,
     COUNT(export_options), cli_export_examples, command_export, false},
    {"project", "[FILE]", 0, 1, "solve one contact problem and prove the result", cli_project_text,
     project_options, COUNT(project_options), cli_project_examples, command_project, false},
    {"view", "RUN", 1, 1, "write a run as a page for any browser", cli_view_text, view_options,
     COUNT(view_options), cli_view_examples, command_view, false},
    {"render", "RUN", 1, 1, "draw pictures of a run's bodies", cli_render_text, render_options,
     COUNT(render_options), cli_render_examples, command_render, false},
    {"plot", "RUN", 1, 1, "draw charts of a run", cli_plot_text, plot_options, COUNT(plot_options),
     cli_plot_examples, command_plot, false},
    {"converge", "SCENE", 1, 1, "run a scene with many steps and compare the results",
     cli_converge_text, converge_options, COUNT(converge_options), cli_converge_examples,
     command_converge, false},
    {"impacts", "RUN", 1, 1, "list the impacts of a run and test the collision law",
     cli_impacts_text, impacts_options, COUNT(impacts_options), cli_impacts_examples,
     command_impacts, false},
    {"jam", "", 0, 0, "pack spheres until they cannot grow, and prove it", cli_jam_text,
     jam_options, COUNT(jam_options), cli_jam_examples, command_jam, false},
    {"help", "[COMMAND | WORD | scene KEY | laws]", 0, 4,
     "explain a command, or a word that Thud prints", cli_help_text, help_options,
     COUNT(help_options), cli_help_examples, command_help, false},
};
const int cli_command_count = COUNT(cli_commands);
