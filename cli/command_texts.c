// The long texts of the table of commands.
#include "command_texts.h"

const char cli_run_text[] =
    "Reads SCENE, runs it to its end, and leaves a run directory: the resolved scene, a log of "
    "frames with checksums, a line of series.csv for every step, and run.json.\n"
    "\n"
    "Every step carries its own certificate. Every recorded step is checked once more, by code "
    "that shares nothing with the solver; to have all steps recorded and checked, write 'record: "
    "all' into the scene or use --set record=all. A step that fails, or a check that does, stops "
    "the run; what was recorded before is kept.\n"
    "\n"
    "On a terminal the progress shows the simulated time, contacts, the worst certificate and "
    "the time left.\n"
    "\n"
    "Checkpoints are written as the scene's 'checkpoints' says, and at the end. Ctrl-C, or a "
    "signal TERM or HUP, writes one after the present step and stops with status 75; USR1 writes "
    "one and goes on. Whatever ends a run, 'thud resume' takes it up again.";
const char cli_run_examples[] =
    "thud new plate && thud run plate.yaml\n"
    "thud run box.yaml --set bodies.0.fill.count=1000 --out small.run\n";

const char cli_resume_text[] =
    "Goes on with the run in RUN from its newest checkpoint, or from the one before if that is "
    "damaged, whatever ended it: a signal, a time limit, a full disk, a crash, a power failure. "
    "Frames and series written after the checkpoint are cut off and computed again. What the run "
    "leaves in the end is the same, bit for bit, as if it had never been interrupted, but for "
    "run.json, which counts how often it was taken up.";
const char cli_resume_examples[] = "thud resume box.run\n"
                                   "thud resume box.run --max-walltime 3600\n";

const char cli_check_text[] =
    "Reads SCENE, builds its problem and says what was understood: bodies and masses, overlaps "
    "at the start, the step and what would be suggested, memory and disk that a run will need, "
    "and where the theory's conditions are not met. Nothing is written.";
const char cli_check_examples[] = "thud check hopper.yaml\n";

const char cli_scene_text[] =
    "Prints SCENE as it was understood: every default written out, includes and overrides taken "
    "in. The output is a scene that gives the same run.";
const char cli_scene_examples[] = "thud scene plate.yaml --set time.end=1\n";

const char cli_new_text[] =
    "Writes the scene NAME to FILE (default: NAME.yaml). The names 'spheres' and 'inclusion' are "
    "commented starters; the others are the scenes that come with Thud. Without a name, or with "
    "--list, they are listed.";
const char cli_new_examples[] = "thud new\n"
                                "thud new spheres mine.yaml\n";

const char cli_info_text[] =
    "Prints what the run directory RUN holds: the scene, frames and times, how the run ended and "
    "the worst of its certificates, both as the run says; 'thud verify' proves them.";
const char cli_info_examples[] = "thud info plate.run\n"
                                 "thud info plate.run --json\n";

const char cli_verify_text[] =
    "Judges the run in RUN from its log, by code that shares nothing with the solver, and says "
    "how many of its steps were verified.\n"
    "\n"
    "Of every recorded step: all sums; the nine certificates, with all constraints found and the "
    "force integrated anew; that it is where it should be, begins with what the step before it "
    "ended with, and matches the chain of hashes; that series.csv has what follows from its "
    "state. run.json and checkpoints must fit the log, the series and the digest of all records. "
    "A run with 'record: all' has every step recorded. Of others the steps in between, and "
    "figures that only the solver knows (rows, sweeps, bounds, counts), are as the run says.\n"
    "\n"
    "--rerun computes all steps again, from the start, and compares every byte of log, series "
    "and checkpoints; --rerun-tail those since the older of the two checkpoints that a run "
    "keeps. The scene is as the run says, too, unless --scene gives the reader's own.\n"
    "\n"
    "--enclose takes every recorded step once more and proves in doubled precision which "
    "contacts push. A bound of |u' - P_K w| follows that is near the truth, also where the "
    "solver swept. Factors have 33,554,432 numbers at most (256 MiB); what is not proved is "
    "counted.\n"
    "\n"
    "Status 6 means that a certificate does not hold, 7 that the run is not as it was written, "
    "10 that a force could not be integrated or, with --complete, that not all steps were "
    "verified.\n"
    "\n"
    "For a folder of 'thud jam' the packing is judged: overlaps, balance of forces, room to grow.";
const char cli_verify_examples[] = "thud verify box.run\n"
                                   "thud verify box.run --scene box.yaml --rerun --complete\n"
                                   "thud verify jam-150-1\n";

const char cli_hypotheses_text[] =
    "Measures the hypotheses of the convergence theorem (docs/theory.md) at the start of SCENE, "
    "or along the recorded steps of RUN: alpha, beta and M of A1 to A5, gamma of A6' (over the "
    "constraints that touch) and of A6 (over those with g <= rho) and the constraints that set "
    "it, convexity, kinks in time, the force, whether the start is in the interior, and the step "
    "below which some velocity is sure to be admissible; along a run also sup |u|, Var(u), and "
    "the multipliers against their bound gamma |u' - w|.\n"
    "\n"
    "What does not hold is said in plain words, with what it means. It is no error: a step is "
    "proved by its certificate, not by the theorem. A hypothesis that holds where it was looked "
    "at may fail elsewhere.";
const char cli_hypotheses_examples[] = "thud hypotheses corner.yaml\n"
                                       "thud hypotheses box.run --looks all --json\n";

const char cli_hash_text[] =
    "Prints a 64-bit hash of all that a step starts from (time, positions, velocities, "
    "multipliers), chained from the start of the run: two runs with the same hash went through "
    "the same states, bit for bit. It is for comparing, and no defence: who forges a run can "
    "give it any hash. The second line is a digest, SHA-256 over all records of the log: who "
    "keeps it elsewhere can tell whether a byte was changed.";
const char cli_hash_examples[] = "thud hash plate.run\n"
                                 "thud hash plate.run --step 100\n";

const char cli_diff_text[] =
    "Compares the chains of hashes and the frames of the runs A and B, and names the first step "
    "that differs, and the first number of it that both have recorded. Status 9 means that they "
    "differ.";
const char cli_diff_examples[] = "thud diff one.run other.run\n";

const char cli_export_text[] =
    "Writes the frames of RUN: for ParaView bodies and contacts (force chains) as VTP with PVD "
    "files over time; for OVITO extended XYZ; CSV; or HDF5 arrays. A frame shows the end of its "
    "step. CSV, XYZ and HDF5 hold the exact numbers. The format fclib writes what each recorded "
    "step has solved as a contact problem of FCLIB without friction, a file for every step.";
const char cli_export_examples[] =
    "thud export box.run --format vtp && paraview box-vtp/bodies.pvd\n"
    "thud export box.run --format hdf5 --frames ::10\n";

const char cli_project_text[] =
    "Solves the problem in FILE, a global one of FCLIB (HDF5: M, H, f and w of the group "
    "fclib_global), by the exact method: the velocity nearest to M^-1 f at which no contact "
    "overlaps. Prints the optimum and a certificate computed apart from the solver. 'thud export "
    "--format fclib' writes the steps of a run as such files.\n"
    "\n"
    "Only the normal parts are solved. Where a coefficient of friction is not 0, --frictionless "
    "must be given. M must be diagonal; local problems (W, q) and equations (G) are refused. "
    "Status 2: the problem is not one of these; 3: the file is damaged, or none of FCLIB; 5: "
    "larger than 16,777,216 in any direction; 6: infeasible, or not proved optimal.\n"
    "\n"
    "--make-set runs four small scenes, keeps the projection of a step of each (settled, impact, "
    "jammed, glued), and prints their optima: docs/problems.md.";
const char cli_project_examples[] = "thud export box.run --format fclib --frames 50:50\n"
                                    "thud project box-fclib/step-002314.hdf5\n"
                                    "thud project --make-set problems\n";

const char cli_view_text[] =
    "Writes one HTML file that holds a viewer and the run, to be opened from disk or sent to "
    "someone: it asks the network for nothing. Spheres in three dimensions or two, force chains, "
    "charts and the verdict of the checks, as the run says; for inclusions the coordinates "
    "against time, the phase plane and the constraints.\n"
    "\n"
    "Positions are rounded to 1/65535 of the scene's extent, which does for looking; 'thud "
    "export' has the exact numbers. A frame shows the end of its step.";
const char cli_view_examples[] = "thud view box.run && open box.html\n"
                                 "thud view box.run --out small.html --max-size 2\n";

const char cli_render_text[] =
    "Draws frames of RUN as PNG, without a screen: spheres with soft shadows, disks flat and "
    "crisp. A frame shows the end of its step; camera and colours are the same for all frames of "
    "one call, and the pictures do not depend on the number of threads.";
const char cli_render_examples[] = "thud render box.run --out box.png --color pressure\n"
                                   "thud render hopper.run --frames ::2 --out film/ --theme dark\n";

const char cli_plot_text[] =
    "Draws charts of RUN, each as SVG and PNG: energies, impulses of walls or constraints, gaps "
    "and bounds, contacts and sweeps, measures; for spheres the distribution of contact forces "
    "in the last frame; for inclusions coordinates, the phase plane and, of two coordinates, the "
    "path. Charts with nothing to show are left out.";
const char cli_plot_examples[] = "thud plot plate.run --out figures\n";

const char cli_converge_text[] =
    "Runs SCENE along three sequences of steps (halves: h, h/2, h/4 ...; thirds: h, h/3, h/9 "
    "...; golden: 0.618 h and its halves) with tolerances that shrink with the step, and prints "
    "errors of the velocity (L1), of the position (maximum) and of the cumulative impulses of "
    "the constraints (E, a distance of measures), each also divided by h.\n"
    "\n"
    "Errors are those against the solution that the scene gives under 'exact'; else, for a few "
    "spheres without lasting contact, against their impacts followed one by one; else "
    "differences from the run with the smallest step. The theorem promises a limit up to a "
    "subsequence: so it is said which sequences go to the same limit, and where they do not, "
    "which go where. A finite number of steps proves nothing; what is reported is that errors "
    "stay below C h, or do not. Status 0 means one limit. Status 9 means that the sequences do "
    "not go to one limit. Status 11 means that it cannot be told: the runs have not come near a "
    "limit, as in chaotic scenes or with too few levels.";
const char cli_converge_examples[] = "thud converge plate.yaml\n"
                                     "thud converge plate.yaml --levels 8 --out figures\n";

const char cli_impacts_text[] =
    "Lists the impacts of RUN, which must have recorded every step ('record: all' in the scene, "
    "or --set record=all; status 2 if it has not): time, who meets whom, how fast before and "
    "after, the impulse, and the residual |u+ - P_C u-|, with restitution |u+ - P_C u- - e (P_C "
    "u- - u-)|: how far the velocity after the impact is from what the law of collision makes of "
    "the one before. It goes to 0 with the step.\n"
    "\n"
    "In the limit multipliers are measures: atoms at impacts, a density where contact lasts. "
    "Here an atom is an impulse that is above --factor times the step times the largest sum of "
    "forces, begins at more than 4 times the impulse of the step before and is over after two or "
    "three steps; the scheme takes two for an impact. Impacts that are weaker cannot be told "
    "from load at that step. With e > 0 a contact that others have closed is a new impact in the "
    "next step, and the residual of both together does not go to 0.";
const char cli_impacts_examples[] =
    "thud run plate.yaml --set record=all && thud impacts plate.run\n"
    "thud impacts plate.run --csv > impacts.csv\n";

const char cli_jam_text[] =
    "Grows equal spheres from random points in a periodic cube until none can grow, and proves "
    "it: a network of contacts whose forces are in balance bounds how much larger the spheres "
    "could be. Writes the packing, the network, what is proved, and a scene to look at it with; "
    "docs/jamming.md says what that is, and 'thud verify' proves it anew from the files.\n"
    "\n"
    "What it costs: 500 spheres take some 10 seconds of a processor and 17 MB, 2,000 some 10 "
    "minutes and 56 MB. The time grows about as count^3, memory as count^(5/3): 10,000 would "
    "take about a day and 0.8 GB, 100,000 need 36 GB. What does not fit into memory is refused "
    "at the start.";
const char cli_jam_examples[] = "thud jam --count 150 --seed 3\n"
                                "thud jam --count 300 --out large --json\n";

const char cli_help_text[] =
    "Prints the help of COMMAND, its manual page, or the completions of a shell.";
const char cli_help_examples[] =
    "thud help run\n"
    "thud help --completion bash > ~/.local/share/bash-completion/completions/thud\n";
