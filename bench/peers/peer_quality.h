// How good a state of the drop scene is, from positions and velocities alone: the same measure for
// every program.
#ifndef PEER_QUALITY_H
#define PEER_QUALITY_H

typedef struct peer_quality
{
    double overlap; // the worst of pairs and walls, in radii; 0 if there is none
    double energy;  // kinetic, of the mean sphere, over m g r
    double height;  // mean height of the centres
    int outside;    // centres that are not in the box, or no numbers
} peer_quality;

// state: x y z vx vy vz of count spheres. 0, or -1 without memory.
int peer_measure(const double *state, int count, peer_quality *quality);

#endif
