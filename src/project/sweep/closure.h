// What one part of a layout takes: the rows that it computes and the bodies that these move.
//
// A member of a team owns bricks that follow each other along the curve. It owns their bodies, the
// rows inside them, and the patches whose lowest brick is its own. (The rows of the irregular class
// count as one patch.) The velocities of other members' bodies come once a sweep, after phase 0.
// The rows of later phases change them. The member computes those of these rows itself that its own
// bodies depend on:
//
//     needed <- own bodies
//     for all groups of later classes from the last to the first, their rows from the last to the
//     first:    if the group is its own, or one of the bodies is needed: take the row, and both
//               bodies are needed
//     ghosts <- needed bodies that are not its own
//
// A member that takes a piece of a patch keeps the packs and their order. So its rows see the same
// bits as they do where the whole patch is swept. It puts such a patch into packs, and no other.
#ifndef THUDI_CLOSURE_H
#define THUDI_CLOSURE_H

#include "project/sweep/overview.h"

// Rows between bricks that are taken from one group.
typedef struct thudi_taken
{
    int first; // in `rows` of the closure; they end where those of the next group begin
    int class;
    bool is_own;
} thudi_taken;

// Arrays are rooms of the overview. Bodies are those of the overview.
typedef struct thudi_closure
{
    bool *is_needed; // by body
    int bodies;      // that are needed
    // Groups and rows are in the order of the sweep. The slots of rows are counted from the first
    // pack of their group. The first ones are at *_first, as they are found from the last to the
    // first.
    thudi_taken *groups;
    int group_first, group_end;
    thudi_placed_row *rows;
    int row_first, row_end;
} thudi_closure;

// The closure of the bricks that member `rank` owns.
thud_status thudi_closure_find(const thudi_overview *overview, int rank, thudi_closure *closure);

#endif
