// Files of frames: positions and velocities of all spheres, x y z vx vy vz each, as doubles, one
// frame after the other. LAMMPS' binary dumps of the same columns are read as well.
#ifndef PEER_FRAMES_H
#define PEER_FRAMES_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// The only frame of a file, and how many spheres it has; to be freed. NULL if that failed.
double *peer_state_read(const char *path, int *count);

// Add a frame and let others see it. 0, or -1 when that failed.
int peer_frame_write(FILE *file, const double *state, int count);

// The next frame of a file: 1, 0 at its end, -1 when it is damaged or cut off.
int peer_frame_read(FILE *file, double *state, int count);

#ifdef __cplusplus
}
#endif

#endif
