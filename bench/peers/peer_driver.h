// What the programs share that run one engine on the drop scene for bench/compare:
//
//     DRIVER START FRAMES COUNT frame=SECONDS per=STEPS [name=number ...]
//
// START holds positions and velocities; COUNT frames of `per` steps each are simulated. The state
// at the start and after every frame is added to the file FRAMES.
#ifndef PEER_DRIVER_H
#define PEER_DRIVER_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_task
{
    int count;      // spheres
    double *state;  // x y z vx vy vz of each
    long frames;    // to simulate
    int per;        // steps in each
    double step;    // seconds
    FILE *out;      // what FRAMES is open as
    char **options; // name=number
    int option_count;
} peer_task;

// Read the arguments and START, and open FRAMES. 0, or -1 after a message.
int peer_begin(int argc, char **argv, peer_task *task);
void peer_end(peer_task *task);

// The number given to an option, or what it is otherwise.
double peer_option(const peer_task *task, const char *name, double otherwise);

// Take all steps: step advances by task->step and returns 0 if that went well, look copies the
// state into task->state. What main should return.
int peer_drive(peer_task *task, int (*step)(void *engine),
               void (*look)(const void *engine, double *state), void *engine);

#ifdef __cplusplus
}
#endif

#endif
