// The grid on which the paths of a crowd to its doors are found: how large it is, before it is
// made.
#ifndef THUDI_PATH_GRID_H
#define THUDI_PATH_GRID_H

#include <thud/scene.h>

// About how many nodes the grids of all groups have; 0 without doors.
double thudi_path_nodes(const thud_scene *scene);

#endif
