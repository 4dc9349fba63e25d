// The two nodes of a recorded step, as states.
#ifndef THUDI_FRAME_NODES_H
#define THUDI_FRAME_NODES_H

#include <thud/record.h>
#include <thud/scene.h>

typedef struct thudi_nodes
{
    thud_state *before, *after; // of the step; for the start both are the same
} thudi_nodes;

thud_status thudi_node_make(thud_state **out, int dim); // one alone
thud_status thudi_nodes_make(thudi_nodes *nodes, int dim);
void thudi_nodes_free(thudi_nodes *nodes);

// Fill both from a frame of a run of this scene: q_n+1 = q_n + h u_n+1, rounded once.
thud_status thudi_nodes_fill(thudi_nodes *nodes, const thud_scene *scene, const thud_frame *frame);

#endif
