// The grid on which the ways of a crowd to its doors are found: how large it is, before it is made.
#ifndef THUDI_WAY_GRID_H
#define THUDI_WAY_GRID_H

#include <thud/scene.h>

// About how many nodes the grids of all groups have; 0 without doors.
double thudi_way_nodes(const thud_scene *scene);

#endif
