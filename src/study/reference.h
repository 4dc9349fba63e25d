// What a study measures by: an exact solution, impacts followed as events, or the finest run.
#ifndef THUDI_REFERENCE_H
#define THUDI_REFERENCE_H

#include "core/memory.h"
#include "thud/converge.h"
#include "thud/events.h"

typedef struct thudi_reference
{
    const thud_allocator *allocator;
    const thud_scene *scene;
    thud_reference kind;
    const thud_inclusion *problem; // of a model that lives as long
    int dim;
    double start, end;
    double *q0, *u0, *here, *there; // start, and room; one block
    THUDI_ARRAY(double) room;       // of expressions
    THUDI_ARRAY(double) splits;     // where it is not smooth, increasing
    int split_count;
    // exact: the integral of the force up to `grid` times
    THUDI_ARRAY(double) grid, work;
    int grid_count;
    // events
    thud_events *events;
    // finest: at nodes
    double h;
    int64_t steps;
    THUDI_ARRAY(double) nodes; // q and L at every node, and the u that leads to it
} thudi_reference;

// THUD_ERR_MEMORY; close in any case. The model is at its start, and stays so.
thud_status thudi_reference_open(thudi_reference *reference, const thud_scene *scene,
                                 thud_model *model, const thud_allocator *allocator);
void thudi_reference_close(thudi_reference *reference);

// Make it of one kind: OK, or THUD_ERR_MEMORY. For events *why is "" or says why not.
thud_status thudi_reference_use_exact(thudi_reference *reference);
thud_status thudi_reference_use_events(thudi_reference *reference, const char **why);
// Room for a run of `steps` steps of length h; THUD_ERR_LIMIT when that is too much.
thud_status thudi_reference_use_finest(thudi_reference *reference, double h, int64_t steps);
void thudi_reference_note(thudi_reference *reference, int64_t n, const double *q, const double *u,
                          const double *impulse);

// Constant gravity of a scene of spheres.
void thudi_reference_gravity(const thudi_reference *reference, double gravity[3]);

// The first time after t where it is not smooth; INFINITY if there is none.
double thudi_reference_next_split(const thudi_reference *reference, double t);

// Position, velocity and cumulative impulse of the constraints at t, length dim.
void thudi_reference_at(thudi_reference *reference, double t, double *q, double *u,
                        double *impulse);

#endif
