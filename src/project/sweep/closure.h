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
// bits as they do where the whole patch is swept.
#ifndef THUDI_CLOSURE_H
#define THUDI_CLOSURE_H

#include "project/sweep/packs.h"
#include "team/team.h"

// Arrays are rooms. Bodies, groups and slots are those of the whole layout.
typedef struct thudi_closure
{
    int *brick_first;   // by rank, and behind the last: the bricks that it owns
    int *body_first;    // by rank, and behind the last: its bodies
    bool *is_own;       // by group
    bool *is_needed;    // by body
    int *row_at;        // by slot: the placed row that is taken, -1 for none
    int own_rows, rows; // rows of own groups; all that are taken
    int bodies;         // that are needed
} thudi_closure;

// The closure of the bricks that member team->rank owns. cut: by rank, and behind the last, the
// first brick that it owns; NULL: about as many rows for each member.
thud_status thudi_closure_find(const thudi_packs *whole, const thud_team *team, const int *cut,
                               thudi_closure *closure);

#endif
