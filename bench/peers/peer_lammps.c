// LAMMPS on the drop scene, soft spheres: linear springs with dampers, no friction. Writes its
// input and becomes it.
//
//     peer_lammps START FRAMES COUNT frame= per= [stiffness=N/m] [damping=ratio] [skin=radii]
#include "drop_scene.h"
#include "peer_driver.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool write_atoms(const peer_task *task, const char *path)
{
    double top = 0;
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    for (int i = 0; i < task->count; i++)
        top = fmax(top, task->state[6 * (size_t)i + 2]);
    (void)fprintf(
        file,
        "drop\n\n%d atoms\n1 atom types\n0 %.17g xlo xhi\n0 %.17g ylo yhi\n0 %.17g zlo zhi\n"
        "\nAtoms\n\n",
        task->count, DROP_WIDTH, DROP_WIDTH, top + 0.1);
    double volume = 4.0 / 3 * 3.14159265358979323846 * DROP_RADIUS * DROP_RADIUS * DROP_RADIUS;
    for (int i = 0; i < task->count; i++)
    {
        const double *x = task->state + 6 * (size_t)i;
        (void)fprintf(file, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * DROP_RADIUS,
                      drop_mass() / volume, x[0], x[1], x[2]);
    }
    (void)fprintf(file, "\nVelocities\n\n");
    for (int i = 0; i < task->count; i++)
    {
        const double *u = task->state + 6 * (size_t)i + 3;
        (void)fprintf(file, "%d %.17g %.17g %.17g 0 0 0\n", i + 1, u[0], u[1], u[2]);
    }
    return fclose(file) == 0;
}

static bool write_input(const peer_task *task, const char *path, const char *atoms,
                        const char *frames)
{
    double stiffness = peer_option(task, "stiffness", 1e5);
    // its damping is per reduced mass, which is half of a sphere's
    double frequency = sqrt(stiffness / (drop_mass() / 2));
    double damping = 2 * peer_option(task, "damping", 0.7) * frequency;
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    (void)fprintf(file,
                  "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
                  "read_data %s\nneighbor %.17g bin\nneigh_modify delay 0\ntimestep %.17g\n",
                  atoms, peer_option(task, "skin", 0.2) * DROP_RADIUS, task->step);
    (void)fprintf(file, "pair_style gran/hooke %.17g 0 %.17g 0 0 0\npair_coeff * *\n", stiffness,
                  damping);
    (void)fprintf(file, "fix move all nve/sphere\nfix fall all gravity %.17g vector 0 0 -1\n",
                  DROP_GRAVITY);
    for (int k = 0; k < 3; k++)
    {
        (void)fprintf(file, "fix wall%d all wall/gran hooke %.17g 0 %.17g 0 0 0 %cplane 0 ", k,
                      stiffness, damping, "xyz"[k]);
        if (k < 2)
            (void)fprintf(file, "%.17g\n", DROP_WIDTH);
        else
            (void)fprintf(file, "NULL\n");
    }
    (void)fprintf(file,
                  "thermo_modify lost error\nthermo %ld\n"
                  "dump frames all custom %d %s x y z vx vy vz\nrun %ld\n",
                  task->frames * task->per + 1, task->per, frames, task->frames * task->per);
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    char atoms[4096], input[4096], log[4096];
    peer_task task;
    // a name that ends in .bin is what makes its dumps binary
    size_t length = argc > 2 ? strlen(argv[2]) : 0;
    if (length < 4 || length > sizeof atoms - 8 || strcmp(argv[2] + length - 4, ".bin") != 0)
    {
        (void)fprintf(stderr, "peer_lammps: the name of FRAMES must end in .bin\n");
        return 2;
    }
    if (peer_begin(argc, argv, &task) < 0)
        return 2;
    (void)snprintf(atoms, sizeof atoms, "%s.atoms", argv[2]);
    (void)snprintf(input, sizeof input, "%s.in", argv[2]);
    (void)snprintf(log, sizeof log, "%s.log", argv[2]);
    bool fine = write_atoms(&task, atoms) && write_input(&task, input, atoms, argv[2]);
    peer_end(&task);
    if (fine)
        (void)execlp("lmp", "lmp", "-in", input, "-log", log, "-screen", "none", (char *)NULL);
    perror("peer_lammps");
    return 1;
}
