// The description and the examples of each command, for its help and its manual page. A blank line
// separates paragraphs. The program wraps lines.
#include "command_texts.h"

const char cli_run_text[] =
    "Reads SCENE, runs it to its end and writes a run directory. The directory holds the scene "
    "with all defaults, a log of frames with checksums, series.csv with one line per step, and "
    "run.json.\n"
    "\n"
    "Each step has its own certificate. An independent checker, which shares no code with the "
    "solver, verifies the recorded steps. To record and verify every step, write 'record: all' "
    "into the scene or use --set record=all. If a step or its verification fails, the run stops. "
    "Everything recorded before is kept.\n"
    "\n"
    "With --log hdf5 the log is stored as HDF5 files, which programs such as h5py open directly: "
    "frames.h5, and a file of each frame in the folder frames. Nothing else changes. All commands "
    "work as with the file frames.thud, and the digest is the same.\n"
    "\n"
    "A certificate proves that a step was solved. It does not say that the step is short enough. "
    "To find out, --halve runs the scene a second time at half the step and prints how much each "
    "measure changes. In the run directory, --halve changes only run.json. The second run takes 1 "
    "to 1.7 times as long as the first.\n"
    "\n"
    "A progress line on standard error shows the simulated time, the contacts, the worst "
    "certificate and the time left. On a terminal, the line is overwritten. In a file, a new line "
    "follows at every tenth of the run. --no-progress turns it off.\n"
    "\n"
    "The scene's key 'checkpoints' sets when checkpoints are written. One more is written at the "
    "end. Ctrl-C and the signals TERM and HUP write a checkpoint after the current step and stop "
    "the run with status 75. After the signal USR1 the run writes a checkpoint and continues. "
    "'thud resume' continues a run, whatever ended it.";
const char cli_run_examples[] =
    "thud new plate && thud run plate.yaml\n"
    "thud run box.yaml --set bodies.0.fill.count=1000 --out small.run\n";

const char cli_resume_text[] =
    "Continues the run in RUN from its newest checkpoint, or from the previous one if the newest "
    "is damaged. It does not matter what ended the run: a signal, a time limit, a full disk, a "
    "crash or a power failure.\n"
    "\n"
    "Frames and series written after the checkpoint are removed and recomputed. The finished run "
    "is the same, bit for bit, as one that was never interrupted. Only run.json differs: it counts "
    "how often the run was resumed.\n"
    "\n"
    "If the log is damaged, --from-checkpoint NEW continues the run in the new run directory NEW. "
    "NEW begins at the newest intact checkpoint. Its states have the same bits as those of an "
    "undamaged run. The steps before the checkpoint are not in NEW, and 'thud verify NEW' says so. "
    "'thud verify NEW --rerun' recomputes these steps, too. RUN is not changed.";
const char cli_resume_examples[] = "thud resume box.run\n"
                                   "thud resume box.run --max-walltime 3600\n"
                                   "thud resume box.run --from-checkpoint rest.run\n";

const char cli_check_text[] =
    "Reads SCENE, builds its problem and prints what was understood: bodies and masses, overlaps "
    "at the start, the step and the suggested step. Prints the memory and disk space that a run "
    "needs. Lists the conditions of the convergence theorem that are not met. Writes no file.";
const char cli_check_examples[] = "thud check hopper.yaml\n";

const char cli_scene_text[] =
    "Prints SCENE as it was understood, with every default, include and override written out. The "
    "output is itself a scene and gives the same run.\n"
    "\n"
    "'thud help scene' lists the keys of scenes, and 'thud help scene KEY' explains one.";
const char cli_scene_examples[] = "thud scene plate.yaml --set time.end=1\n"
                                  "thud help scene time.step\n";

const char cli_new_text[] =
    "Writes the scene NAME to FILE (default: NAME.yaml). The scenes 'spheres' and 'inclusion' are "
    "starting points with comments. The other scenes are the examples that come with Thud. Without "
    "NAME, or with --list, the names are listed.";
const char cli_new_examples[] = "thud new\n"
                                "thud new spheres mine.yaml\n";

const char cli_info_text[] =
    "Prints what the run directory RUN holds: the scene, the frames and their times, how the run "
    "ended, and its worst certificates. The ending and the certificates are read from the run's "
    "own files; 'thud verify' verifies them. If the log was cut off, the command prints how many "
    "frames are missing and from which time on.\n"
    "\n"
    "For a run in progress, the command prints how much is done, the rate, the time left at that "
    "rate, and the certificate of the last step in series.csv. The rate is the mean since the "
    "previous checkpoint.";
const char cli_info_examples[] = "thud info plate.run\n"
                                 "thud info plate.run --json\n";

const char cli_verify_text[] =
    "Verifies the run in RUN from its log alone, with code that shares nothing with the solver. "
    "Prints how many of its steps were verified.\n"
    "\n"
    "For each recorded step, the checker verifies the checksums, the nine certificates, the step's "
    "place in the log and the chain of hashes. 'thud help certificate' lists the certificates. For "
    "them, the checker finds all constraints and integrates the force with its own code. If the "
    "previous step is recorded too, the step must begin where that one ended. Each line of "
    "series.csv for a recorded step must follow from the state after this step. run.json and the "
    "checkpoints must agree with the log, the series and the digest of all records.\n"
    "\n"
    "A run with 'record: all' has every step recorded. In other runs, steps between two records "
    "are not verified. Figures that only the solver knows (rows, sweeps, bounds, counts) are taken "
    "from the run.\n"
    "\n"
    "--rerun recomputes all steps from the start and compares every byte of the log, the series "
    "and the checkpoints. --rerun-tail recomputes only the steps since the older of the two "
    "checkpoints. The scene is read from the run directory, unless --scene gives your own copy.\n"
    "\n"
    "--enclose solves each recorded step again and proves in doubled precision (about 32 digits) "
    "which contacts carry an impulse. This gives a tight bound on |u' - P_K w|, the error of the "
    "velocity u' after the step. w is the velocity without contacts. P_K w is the velocity nearest "
    "to w that keeps all constraints. The bound is tight even where the solver was iterative. A "
    "step is not proved if its matrix factor would hold more than 33,554,432 numbers (256 MiB). "
    "The report counts the steps that are not proved.\n"
    "\n"
    "The processes of 'thud-mpi verify' share the recorded steps, and the steps that --rerun "
    "takes. They print what 'thud verify' prints (docs/distributed.md).\n"
    "\n"
    "Status 6: a certificate does not hold. Status 7: the run was changed after it was written. "
    "Status 10: a force could not be integrated, or, with --complete, not all steps were "
    "verified.\n"
    "\n"
    "If 'thud jam' wrote the directory, the packing is verified: that no spheres overlap, that the "
    "forces are in balance, and how much the spheres can still grow.";
const char cli_verify_examples[] = "thud verify box.run\n"
                                   "thud verify box.run --scene box.yaml --rerun --complete\n"
                                   "thud verify jam-150-1\n";

const char cli_hypotheses_text[] =
    "Measures the hypotheses of the convergence theorem (docs/theory.md) at the start of SCENE, or "
    "along the recorded steps of RUN.\n"
    "\n"
    "It prints alpha, beta and M, the constants of hypotheses A1 to A5. It prints gamma of A6' "
    "(constraints that touch) and of A6 (constraints with a gap of at most rho; --rho sets it), "
    "and the constraints that determine gamma. gamma is 1 / d, and d is the distance from 0 to the "
    "convex hull of the constraints' unit gradients. The command examines convexity, kinks in time "
    "and the force. It says whether the start is in the interior, and below which step an "
    "admissible velocity certainly exists. For a run, it adds the largest |u|, the total variation "
    "Var(u), and the multipliers with their bound gamma |u' - w|. Here u and u' are the velocities "
    "before and after a step, and w is the velocity without contacts.\n"
    "\n"
    "If a hypothesis fails, the report says what that means. A failed hypothesis is not an error: "
    "each step is proved by its certificate, not by the theorem. A hypothesis that holds where it "
    "was examined may fail elsewhere.";
const char cli_hypotheses_examples[] = "thud hypotheses corner.yaml\n"
                                       "thud hypotheses box.run --looks all --json\n";

const char cli_hash_text[] =
    "Prints two lines. The first is a 64-bit hash of everything that a step starts from: time, "
    "positions, velocities and multipliers. It is chained from the start of the run, so two runs "
    "with the same hash passed through the same states, bit for bit. Use it to compare runs, not "
    "for security: a forger can give a run any hash.\n"
    "\n"
    "The second line is a digest, SHA-256 over all records of the log. Keep a copy of it in "
    "another place: it shows later whether a byte was changed.";
const char cli_hash_examples[] = "thud hash plate.run\n"
                                 "thud hash plate.run --step 100\n";

const char cli_diff_text[] =
    "Compares the chains of hashes and the frames of the runs A and B. Prints the first step that "
    "differs, and the first number that differs in a frame that both runs recorded. Status 9 means "
    "that the runs differ.";
const char cli_diff_examples[] = "thud diff one.run other.run\n";

const char cli_export_text[] =
    "Writes the frames of RUN for other programs. The format vtp is for ParaView: bodies, contacts "
    "(force chains) and walls as VTP files, and PVD files that list them by time. The format xyz "
    "is extended XYZ for OVITO. The format csv writes tables. The format hdf5 writes one file with "
    "arrays of the frames, the walls, the whole series and the text of the scene. The format fclib "
    "writes one file per recorded step: the contact problem, without friction, that the step "
    "solved.\n"
    "\n"
    "A frame shows the end of its step. CSV, XYZ and HDF5 hold the exact numbers.";
const char cli_export_examples[] =
    "thud export box.run --format vtp && paraview box-vtp/bodies.pvd\n"
    "thud export box.run --format hdf5 --frames ::10\n";

const char cli_project_text[] =
    "Solves one contact problem by the exact method: it finds the velocity nearest to M^-1 f at "
    "which no contact overlaps. M holds the masses, and M^-1 f is the velocity without contacts. "
    "Prints the optimal value and a certificate that is computed separately from the solver.\n"
    "\n"
    "FILE is an HDF5 file with a global problem of FCLIB: M, H (contact directions), f and w "
    "(velocities of the gaps when all bodies rest) in the group fclib_global. 'thud export "
    "--format fclib' writes the steps of a run as such files.\n"
    "\n"
    "Only the normal components are solved. If a coefficient of friction is not 0, --frictionless "
    "is required. M must be diagonal. Local problems (W, q) and equality constraints (G) are "
    "refused.\n"
    "\n"
    "Status 2: this kind of problem is refused. Status 3: the file is damaged, or is not an FCLIB "
    "file. Status 5: a dimension is above 16,777,216. Status 6: the problem is infeasible, or the "
    "result is not proved optimal.\n"
    "\n"
    "--make-set runs four small scenes (settled, impact, jammed, glued). It writes one step of "
    "each scene as a problem, and prints the optimal values. See docs/problems.md.";
const char cli_project_examples[] = "thud export box.run --format fclib --frames 50:50\n"
                                    "thud project box-fclib/step-002314.hdf5\n"
                                    "thud project --make-set problems\n";

const char cli_view_text[] =
    "Writes one HTML file that holds a viewer and the run. Open it from disk or send it to "
    "someone: it loads nothing from the network. It shows the spheres or disks, force chains, "
    "charts, and the results of verification as the run recorded them. For inclusions it shows the "
    "coordinates against time, the phase plane and the constraints.\n"
    "\n"
    "Positions are rounded to 1/65535 of the scene's extent, which is enough for viewing. 'thud "
    "export' writes the exact numbers. A frame shows the end of its step.";
const char cli_view_examples[] = "thud view box.run && open box.html\n"
                                 "thud view box.run --out small.html --max-size 2\n";

const char cli_render_text[] =
    "Draws frames of RUN as PNG files. No display is needed. Spheres have soft shadows; disks are "
    "flat. A frame shows the end of its step. The camera is the same for all frames of one call. A "
    "colour means the same in all pictures of a run and on the page of 'thud view'. The pictures "
    "do not depend on the number of threads.";
const char cli_render_examples[] = "thud render box.run --out box.png --color pressure\n"
                                   "thud render hopper.run --frames ::2 --out film/ --theme dark\n";

const char cli_plot_text[] =
    "Draws charts of RUN, each as SVG and PNG. They show the scene's measures, energies, impulses "
    "of walls or constraints, gaps, bounds, contacts and the solver's sweeps. For spheres, one "
    "chart shows the distribution of contact forces in the last frame. For inclusions, charts show "
    "the coordinates, the phase plane and, with two coordinates, the path. Charts with nothing to "
    "show are left out. Where curves coincide, the one drawn on top is dashed.\n"
    "\n"
    "With --columns only one chart is drawn, as columns.svg and columns.png. NAMES are columns of "
    "series.csv, such as kinetic or out.count. The name of a measure stands for all its columns. "
    "Columns with the same unit share a panel.\n"
    "\n"
    "A measure's component is left out if it is always 0. Values above 0 that span at least three "
    "powers of ten get a logarithmic axis.";
const char cli_plot_examples[] = "thud plot plate.run --out figures\n"
                                 "thud plot discharge.run --columns out,kinetic\n";

const char cli_converge_text[] =
    "Runs SCENE with three sequences of steps: halves (h, h/2, h/4 ...), thirds (h, h/3, h/9 ...) "
    "and golden (0.618 h and its halves). Tolerances shrink with the step. Prints the errors of "
    "the velocity (L1), the position (maximum) and the constraints' cumulative impulses (E: the "
    "difference integrated over time, plus the difference at the end). Each error is also printed "
    "divided by h.\n"
    "\n"
    "If the scene gives a solution under 'exact', errors are measured against it. Otherwise, a few "
    "spheres without lasting contact are compared with their impacts, computed one by one. In all "
    "other cases, the numbers are differences from the run with the smallest step. These are not "
    "errors. Runs whose step is less than 4 times the smallest one are then left out of the chart "
    "and of the constant C below.\n"
    "\n"
    "The theorem promises only that a subsequence has a limit. The report therefore says which "
    "sequences approach the same limit and which do not. It also says whether the errors stay "
    "below C h, with a constant C of the scene. A finite number of steps does not prove "
    "convergence.\n"
    "\n"
    "Status 0: one limit. Status 9: the sequences do not approach one limit. Status 11: undecided, "
    "because the runs have not come near a limit. This happens in chaotic scenes and with too few "
    "levels.\n"
    "\n"
    "With --measure, one measure of the scene is studied instead, at h, h/2, h/4 and so on. "
    "Tolerances stay as the scene has them. Prints the measure at each step, how much each halving "
    "changes it, and whether the changes shrink. The paths of a chaotic scene, such as a flow, "
    "have no limit, but its measures may have one. Such measures also change with the seed: "
    "--seeds prints by how much. Status 11: a run does not reach the window of --while, or the "
    "measure has no value there.";
const char cli_converge_examples[] =
    "thud converge plate.yaml\n"
    "thud converge plate.yaml --levels 8 --out figures\n"
    "thud converge discharge.yaml --measure out --statistic rate --while 170:500\n";

const char cli_impacts_text[] =
    "Lists the impacts of RUN: the time, which bodies or walls meet, their normal velocity before "
    "and after, the impulse and a residual. Every step of the run must be recorded ('record: all' "
    "in the scene, or --set record=all). Otherwise the status is 2.\n"
    "\n"
    "The residual is the distance between the velocity u+ after the impact and the velocity that "
    "the collision law predicts. It is |u+ - P_C u-|; with restitution e, it is |u+ - P_C u- - e "
    "(P_C u- - u-)|. u- is the velocity before the impact. P_C u- is the velocity nearest to u- at "
    "which bodies and walls that touch do not approach each other. The residual goes to 0 with the "
    "step.\n"
    "\n"
    "As the step goes to 0, an impact gives a finite impulse at one time (an atom), and a lasting "
    "contact a finite force. An impulse counts as an atom under three conditions. It is above "
    "--factor times the step times the largest sum of |force| over all coordinates. It begins at "
    "more than 4 times the impulse of the previous step. It ends after two or three steps (the "
    "scheme needs two steps for an impact). Weaker impacts cannot be told apart from lasting "
    "contact at this step.\n"
    "\n"
    "With e > 0, an impact may close a contact that was opening. This contact then has an impact "
    "in the next step. The residual of both impacts together does not go to 0.";
const char cli_impacts_examples[] =
    "thud run plate.yaml --set record=all && thud impacts plate.run\n"
    "thud impacts plate.run --csv > impacts.csv\n";

const char cli_jam_text[] =
    "Grows equal spheres from random points in a periodic cube until they cannot grow any more, "
    "and proves it. The proof is a network of contacts whose forces are in balance. The network "
    "gives a bound on further growth, as a fraction of the radius. To first order, no motion from "
    "this configuration lets all spheres grow by more.\n"
    "\n"
    "Writes the packing, the network, what is proved, and a scene that shows the packing. "
    "docs/jamming.md explains these files. 'thud verify' verifies the proof again from the files.\n"
    "\n"
    "500 spheres take about 10 seconds of processor time and 17 MB. 2,000 spheres take about 10 "
    "minutes and 56 MB. Time grows about as count^3, memory as count^(5/3). So 10,000 spheres "
    "would take about a day and 0.8 GB, and 100,000 would need 36 GB. A packing that does not fit "
    "into memory is refused at the start.";
const char cli_jam_examples[] = "thud jam --count 150 --seed 3\n"
                                "thud jam --count 300 --out large --json\n";

const char cli_help_text[] =
    "Prints the help of COMMAND, its manual page, or the completions for a shell.\n"
    "\n"
    "Any other WORD is looked up in the glossary (docs/glossary.md): 'thud help gap' explains what "
    "a gap is. 'thud help words' lists the words.\n"
    "\n"
    "'thud help scene KEY' explains a key of scene files. KEY is the key's path or the end of this "
    "path: 'time.step', 'walls.NAME.plane' or 'step'. 'thud help scene' lists the keys.\n"
    "\n"
    "'thud help laws' lists the contact laws and their numbers.";
const char cli_help_examples[] =
    "thud help run\n"
    "thud help backward bound\n"
    "thud help scene time.step\n"
    "thud help --completion bash > ~/.local/share/bash-completion/completions/thud\n";
