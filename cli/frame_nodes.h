// The two nodes of a recorded step, as states.
#ifndef CLI_FRAME_NODES_H
#define CLI_FRAME_NODES_H

#include <thud/record.h>
#include <thud/scene.h>

typedef struct cli_nodes
{
    thud_state *before, *after; // of the step; for the start both are the same
} cli_nodes;

thud_status cli_node_make(thud_state **out, int dim); // one alone
thud_status cli_nodes_make(cli_nodes *nodes, int dim);
void cli_nodes_free(cli_nodes *nodes);

// Fill both from a frame of a run of this scene: q_n+1 = q_n + h u_n+1, rounded once.
thud_status cli_nodes_fill(cli_nodes *nodes, const thud_scene *scene, const thud_frame *frame);

// Coordinate k as people know it: "body 3, x", "body 'probe', y" or "coordinate 'z'".
void cli_name_coordinate(const thud_scene *scene, int64_t k, char *text, size_t size);

#endif
