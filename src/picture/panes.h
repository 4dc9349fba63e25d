// Obstacles for rays: solids that hide what is behind them, and panes of glass.
#ifndef THUDI_PANES_H
#define THUDI_PANES_H

#include "picture/solid_tree.h"
#include "thud/surface.h"

typedef struct thudi_pane
{
    thudi_vec corner, u, v; // the triangle: corner, corner + u, corner + v
    thudi_vec normal;       // unit
    thud_surface_kind kind;
} thudi_pane;

typedef struct thudi_pane_node
{
    double low[3], high[3];
    int first, count; // panes; count 0: two nodes from `first` on
} thudi_pane_node;

typedef struct thudi_panes
{
    THUDI_ARRAY(thudi_pane) items;
    THUDI_ARRAY(thudi_pane_node) nodes;
    int count, node_count;
} thudi_panes;

// Add a triangle of a surface; what has no area is left out.
thud_status thudi_panes_add(thudi_panes *panes, const thud_allocator *allocator,
                            const thudi_vec corners[3], thud_surface_kind kind);
// Make a tree of all.
thud_status thudi_panes_build(thudi_panes *panes, const thud_allocator *allocator);
void thudi_panes_free(thudi_panes *panes, const thud_allocator *allocator);

// What a ray meets before `limit`: the first solid pane, or -1, and how much glass before it.
typedef struct thudi_pane_hit
{
    int solid;
    double t;     // of the solid, or the limit
    double veil;  // part of the light that the glass keeps
    double shade; // mean of |normal . sun| of the glass
} thudi_pane_hit;

thudi_pane_hit thudi_panes_trace(const thudi_panes *panes, const thudi_ray *ray, double limit,
                                 thudi_vec sun);

#endif
