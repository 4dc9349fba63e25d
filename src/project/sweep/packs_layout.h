// What the two halves of the layout share: the bodies of some rows, and their numbering.
#ifndef THUDI_PACKS_LAYOUT_H
#define THUDI_PACKS_LAYOUT_H

#include "project/sweep/bricks.h"
#include "project/sweep/packs.h"

typedef struct thudi_layout
{
    const thud_projection *problem;
    const int *which; // rows of the problem, NULL for all
    thudi_packs *packs;
    int width, brick_limit;
    thudi_grid grid; // in layouts by bricks
    int *brick_of;   // a room, by body: the number of its brick
} thudi_layout;

// How the layout marks the coordinate of a brick's first body: it is its own inverse.
#define THUDI_FIRST_OF_BRICK(coordinate) (-1 - (coordinate))

// Every body of the rows, numbered as met, and the two of every row (-1 before a single one): fills
// bodies, coordinate and ends. False when a row is not for packs. The ends of a row are first where
// its bodies start, then their numbers as met, then their ranks.
bool thudi_layout_find_bodies(const thudi_layout *layout);

// Number the bodies along a space-filling curve: rank[i] is the place of the one that was met as
// number i.
thud_status thudi_layout_order_bodies(const thudi_layout *layout, int *rank);

// Number the bodies by brick, and along a curve in each; bodies at one place by coordinate. Writes
// places and brick_of by rank, counts the bricks, and marks the first body of each but the first.
thud_status thudi_layout_order_by_bricks(thudi_layout *layout, int *rank,
                                         thudi_brick_place *places);

// A row between bricks: its class and patch, and its place among the rows.
typedef struct thudi_crossing
{
    uint64_t patch;
    int row, class;
} thudi_crossing;

// Sort by class, then by patch. Rows of one patch keep their order. Returns the one of the two
// arrays that holds them then.
thudi_crossing *thudi_layout_sort_crossings(thudi_crossing *from, thudi_crossing *to, int count);

// The bodies of every row by their rank, and the rows sorted by the smaller.
thud_status thudi_layout_sort_rows(const thudi_layout *layout, const int *rank,
                                   thudi_placed_row *sorted);

// The rows by class and patch, in the order of the smaller body in each. The slot of a row is the
// number of its group for now.
thud_status thudi_layout_group_by_bricks(thudi_layout *layout);

// Where the bodies of each brick begin: at those that are marked. Fills body_first, and takes the
// marks away.
void thudi_layout_find_bricks(thudi_packs *packs);

// The packs of one group, whose number is pack_first[g + 1] then. Slots are counted from its first
// pack.
void thudi_layout_pack_group(thudi_packs *packs, int g);

// Number the packs of all groups, from the packs of each in pack_first[g + 1] and slots that are
// counted from its first one.
void thudi_layout_number_packs(thudi_packs *packs);

// Put the placed rows [from, end) into packs from `first_pack` on, and write their slots. Returns
// how many packs they fill. Uses p->taken, which is 0 before and after.
int thudi_layout_pack_rows(thudi_packs *p, int from, int end, int first_pack);

// Can packs of this width hold a row?
bool thudi_layout_can_hold(const thud_rows *rows, int row, int width);

// The groups of all rows, from their numbers in `slot`. Groups of a phase must not share an idle
// body, as threads write it. There is room for one more group, of rows that join late.
thud_status thudi_packs_open_groups(thudi_packs *packs);

// Arrays by body and idle body. The second velocities lie behind the first.
thud_status thudi_packs_open_bodies(thudi_packs *packs);

#endif
