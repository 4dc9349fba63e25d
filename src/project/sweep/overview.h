// What every member of a team must know of the whole problem before it takes its part: the bodies
// in their order, where the bricks begin, which rows lie between bricks, and who owns what. Rows
// are not sorted, and not put into packs. All of it is freed before the sweeps.
//
// Cost: two passes over all rows, a sort of the bodies, and one of the rows between bricks.
#ifndef THUDI_OVERVIEW_H
#define THUDI_OVERVIEW_H

#include "project/sweep/packs_layout.h"
#include "team/team.h"

// Rows that have joined while the others were swept. They make one group, behind all others.
typedef struct thudi_late_rows
{
    int count;
    int *row;  // of the problem, as they came
    int *join; // by late row: how many there were after those that came with it
} thudi_late_rows;

enum
{
    THUDI_LATE = THUDI_CLASSES // the class of late rows, behind all others
};

// A group of rows between bricks. Groups are in the order in which they are swept.
typedef struct thudi_between
{
    int first, end; // in crossings; of the late group: in the late rows
    int class;
    int brick; // the lowest one of its rows; of the late group: of its first row
} thudi_between;

// Arrays are rooms of packs.rooms. Bodies are numbered as in the layout of the whole problem, and
// so are bricks. Rows are numbered as they are listed.
typedef struct thudi_overview
{
    thudi_layout layout;
    thudi_packs packs;         // bodies, bricks, coordinate, body_first, ends
    thudi_brick_place *places; // by body
    thudi_crossing *crossings; // the rows between bricks, by group
    thudi_crossing *scratch;   // as many
    int crossing_count;
    thudi_between *groups;
    int group_count;
    const thudi_late_rows *late;
    int (*late_ends)[2]; // by late row: its bodies, -1 before a single one
    int *brick_rows;     // by brick: the rows inside
    int *brick_first;    // by rank, and behind the last: the bricks that a member owns
    int *rows_of;        // by rank: the rows that it owns
} thudi_overview;

// rooms: for the overview alone. THUD_NEWS when rows are not for packs; when is_cut is false then,
// the rows are not cut into bricks, and nothing else is known.
thud_status thudi_overview_open(const thudi_packing *packing, const thudi_late_rows *late,
                                thud_rooms *rooms, thudi_overview *overview, bool *is_cut);

// The row of the problem that is listed as number i.
static inline int thudi_overview_row(const thudi_overview *o, int i)
{
    return o->layout.which ? o->layout.which[i] : i;
}

// The lower one of the two bodies of a row.
static inline int thudi_overview_lower(const int ends[2])
{
    return ends[0] >= 0 && ends[0] < ends[1] ? ends[0] : ends[1];
}

#endif
