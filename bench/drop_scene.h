// The drop scene: equal spheres on a jittered lattice above the floor of a box.
//
// Radius 0.01, density 2500, gravity 9.81; 19 x 19 per layer with 5 % gaps, jitter of 2 % of a
// diameter per coordinate; the lowest 0.05 above the floor of a box 0.4 wide without lid.
#ifndef DROP_SCENE_H
#define DROP_SCENE_H

#include <thud/spheres.h>

static const double DROP_RADIUS = 0.01, DROP_GRAVITY = 9.81, DROP_WIDTH = 0.4;

// A world with count spheres as above, prepared. box: its width, DROP_WIDTH for the standard one.
thud_world *drop_scene(int count, double box, double h, double tol, double tol_a, double drag);

// Mass of one sphere.
double drop_mass(void);

#endif
