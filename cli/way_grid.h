// The grid on which the ways of a crowd to its doors are found: how large it is, before it is made.
#ifndef CLI_WAY_GRID_H
#define CLI_WAY_GRID_H

#include <thud/scene.h>

// About how many nodes the grids of all groups have; 0 without doors.
double cli_way_nodes(const thud_scene *scene);

// Warn of a grid that takes long to make, with a width that would be quick.
void cli_warn_of_ways(const thud_scene *scene);

#endif
