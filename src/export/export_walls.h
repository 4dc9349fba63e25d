// Walls of a scene of spheres as triangles and lines, for exporters.
#ifndef THUDI_EXPORT_WALLS_H
#define THUDI_EXPORT_WALLS_H

#include "export/exporter.h"
#include "thud/surface.h"

// A box; empty where low > high.
typedef struct thudi_extent
{
    double low[3], high[3];
} thudi_extent;

// Planes and solids share the numbering of thud_scene_wall_name. Triangles turn counter-clockwise
// seen from the free side. In two dimensions planes, containers and sheets are lines.
typedef struct thudi_walls
{
    thud_surface *surfaces; // of the obstacles, each in its own frame
    thudi_extent extent;    // what planes are cut off at
    bool has_any, moves;
    // at the time that they were placed at: lines come first
    int64_t line_count, triangle_count;
    THUDI_ARRAY(double) points; // 3 each: two for every line, three for every triangle
    THUDI_ARRAY(int64_t) walls; // number of the wall of every line and triangle
} thudi_walls;

// Zero-initialise; free in any case. Reads the frames to be exported where planes need an extent.
thud_status thudi_walls_begin(thudi_walls *walls, const thudi_export *export);
void thudi_walls_free(thudi_walls *walls, const thudi_export *export);

// Put lines and triangles where they are at time t.
thud_status thudi_walls_place(thudi_walls *walls, const thudi_export *export, double t);

// The box around the bodies and the solids in all frames to be exported, and around those planes
// across an axis that are not farther from it than three diagonals: so the sides of a box meet.
thud_status thudi_walls_measure(const thudi_walls *walls, const thudi_export *export,
                                thudi_extent *extent);

// The material of a wall by its number, -1 for none.
int64_t thudi_wall_material(const thud_scene *scene, int wall);

// x = origin + turn y
void thudi_wall_point(const thud_placement *at, const double y[3], double x[3]);

#endif
