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
    {"force", 0, NULL, "run even if the memory or disk it needs may not be there", NULL},
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

static const cli_option export_options[] = {
    {"format", 'f', "FORMAT",
     "vtp (ParaView), xyz (OVITO: extended XYZ), csv or hdf5 (default: vtp)", "vtp xyz csv hdf5"},
    {"out", 'o', "DIR", "where the files go (default: RUN-FORMAT, such as box-vtp)", NULL},
    {"frames", 0, "FIRST:LAST:STRIDE",
     "which frames, counted from 0; parts may be left out (default: all)", NULL},
    {"no-progress", 0, NULL, "no progress on standard error", NULL},
    {"quiet", 'q', NULL, "no progress and no summary, errors only", NULL},
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
     "time left. Ctrl-C stops after the present step.",
     run_options, COUNT(run_options),
     "thud new plate && thud run plate.yaml\n"
     "thud run box.yaml --set bodies.0.fill.count=1000 --out small.run\n",
     command_run},
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
     "Prints what the run directory RUN holds: the scene, frames and times, how the run ended, the "
     "worst of every certificate.",
     info_options, COUNT(info_options), "thud info plate.run\nthud info plate.run --json\n",
     command_info},
    {"export", "RUN", 1, 1, "write a run in the formats of other programs",
     "Writes the frames of RUN: for ParaView bodies and contacts (force chains) as VTP with PVD "
     "files over time; for OVITO extended XYZ; CSV; or HDF5 arrays. A frame shows the end of its "
     "step. CSV, XYZ and HDF5 hold the exact numbers.",
     export_options, COUNT(export_options),
     "thud export box.run --format vtp && paraview box-vtp/bodies.pvd\n"
     "thud export box.run --format hdf5 --frames ::10\n",
     command_export},
    {"view", "RUN", 1, 1, "write a run as a page for any browser",
     "Writes one HTML file that holds a viewer and the run, to be opened from disk or sent to "
     "someone: it asks the network for nothing. Spheres in three dimensions or two, force chains, "
     "charts and the verdict of the checks; for inclusions the coordinates against time, the phase "
     "plane and the constraints.\n"
     "\n"
     "Positions are rounded to 1/65535 of the scene's extent, which does for looking; 'thud "
     "export' has the exact numbers. A frame shows the end of its step.",
     view_options, COUNT(view_options),
     "thud view box.run && open box.html\n"
     "thud view box.run --out small.html --max-size 2\n",
     command_view},
    {"help", "[COMMAND]", 0, 1, "explain a command",
     "Prints the help of COMMAND, its manual page, or the completions of a shell.", help_options,
     COUNT(help_options),
     "thud help run\n"
     "thud help --completion bash > ~/.local/share/bash-completion/completions/thud\n",
     command_help},
};
const int cli_command_count = COUNT(cli_commands);
