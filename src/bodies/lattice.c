// Bodies on a lattice, moved at random within the jitter.
#include "bodies/distribution.h"
#include "core/memory.h"

static void place(const thudi_lattice *lattice, const int cell[3], thudi_random *jitter,
                  thud_sphere *sphere)
{
    for (int k = 0; k < (lattice->dim == 3 ? 3 : 2); k++)
    {
        double moved = lattice->jitter * (2 * thudi_random_uniform(jitter) - 1);
        sphere->center[k] = lattice->origin[k] + cell[k] * lattice->spacing[k] + moved;
        sphere->velocity[k] = lattice->velocity[k];
    }
}

thud_status thudi_lattice_make(const thudi_lattice *lattice, thud_sphere *spheres)
{
    // two sequences, so that the jitter does not change the radii
    thudi_random radii = thudi_random_start(lattice->seed);
    thudi_random jitter = thudi_random_start(thudi_random_bits(&radii));
    int depth = lattice->dim == 3 ? lattice->count[2] : 1, cell[3];
    for (cell[2] = 0; cell[2] < depth; cell[2]++)
        for (cell[1] = 0; cell[1] < lattice->count[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < lattice->count[0]; cell[0]++)
            {
                *spheres = (thud_sphere){0};
                THUD_TRY(thudi_distribution_draw(&lattice->radius, &radii, &spheres->radius));
                place(lattice, cell, &jitter, spheres);
                spheres++;
            }
    return THUD_OK;
}
