// A step and its verdict: affine problems of a few coordinates, and any other, every step checked.
#ifndef MODELS_RIG_H
#define MODELS_RIG_H

#include "thud_test.h"

#include <thud/thud.h>
#include <thud/verify.h>

enum
{
    AFFINE_DIM = 12,
    AFFINE_ROWS = 16
};

// offset + speed t + slope . q >= 0
typedef struct affine_row
{
    double offset, speed;
    double slope[AFFINE_DIM];
    double shift, restitution, glue;
} affine_row;

typedef struct affine
{
    int dim, count;
    affine_row rows[AFFINE_ROWS];
    double mass[AFFINE_DIM], force[AFFINE_DIM];
    int order[AFFINE_ROWS]; // in which rows are pushed
} affine;

// An affine problem with unit masses, no rows and no force.
affine affine_make(int dim);

// Add a row and return it, all zero.
affine_row *affine_add(affine *a);

thud_inclusion affine_problem(affine *a, thud_law law);

// A problem on its way: every step is judged, and the worst of every certificate kept.
typedef struct track
{
    thud_inclusion problem;
    thud_state *state, *before;
    thud_work *work;
    thud_verify_def check;
    const thud_verify_spheres_def *spheres; // judged as a world, where not NULL
    bool owns_state;
    double worst[THUD_CERT_COUNT];
    int steps;
} track;

bool track_start(track *way, const thud_inclusion *problem, const thud_state_def *state,
                 const thud_work_def *work);
bool track_world(track *way, thud_world *world, const thud_work_def *work,
                 const thud_verify_spheres_def *spheres, double backward);
void track_end(track *way);

// One step, judged; false when it failed, which is counted.
bool track_step(track *way);
bool track_steps(track *way, int count);

double track_kinetic(const track *way);
void track_say(const track *way, const char *name);

#endif
