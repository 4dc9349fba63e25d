// The packs of one member of a team: its part of a layout.
//
// The part is laid out like a whole problem. Its bodies have new numbers: own bodies come first,
// brick by brick, then ghosts (closure.h). Groups of other members hold only the rows that it
// takes. So a part is swept by the code that sweeps a whole problem. What is added:
//
//     after class 0                velocities of ghosts come from their owners
//     before residuals are tested  they come again, because classes behind the last row that was
//                                  taken moved them
//     sums, maxima                 of own bricks and groups, joined with those of all members
//     errors                       held until the next reduction
//
// Ghosts hold NAN where no member has sent their velocity yet. Other bodies have no place in the
// arrays of a part.
//
// For now each member lays out the whole problem before it takes its part.
#ifndef THUDI_PART_H
#define THUDI_PART_H

#include "project/projector.h"
#include "project/sweep/packs.h"

// Places in a list, from `first` to the one before `end`.
typedef struct thudi_stretch
{
    int first, end;
} thudi_stretch;

// The bodies whose velocities go to one other member, and come from it.
typedef struct thudi_neighbour
{
    int rank;
    thudi_stretch sent;   // in the list `sent` of the part
    thudi_stretch ghosts; // numbers of ghosts
} thudi_neighbour;

// What members tell each other of a row before they take their parts again: x[0] and x[1] of its
// pack, and what was saved.
typedef struct thudi_row_past
{
    double x[2], saved;
    int64_t row; // of the problem
} thudi_row_past;

// A multiplier and the row of the problem that it belongs to.
typedef struct thudi_row_multiplier
{
    double x;
    int64_t row;
} thudi_row_multiplier;

// Arrays are rooms.
typedef struct thudi_part
{
    thud_team *team;
    const int *cut;         // as in thudi_closure_find
    thudi_packs whole;      // the layout that the part was taken from
    int *body_first;        // by rank, and behind the last: bodies of the whole layout
    int width;              // coordinates per body
    int own_bodies, ghosts; // ghost i is body own_bodies + i
    int own_rows;
    int neighbours;
    thudi_neighbour *neighbour; // in the order of their ranks
    thud_parcel *parcels;       // one for each neighbour
    int *sent;                  // own bodies that are ghosts of neighbours
    char *out, *in;             // velocities on their way
    // multipliers of all rows, gathered
    size_t *gathered_first; // by rank, and behind the last: bytes in `gathered`
    thudi_row_multiplier *own, *gathered;
} thudi_part;

// Replace the layout of a whole problem by that of one part. Returns the error of the team. cut: as
// in thudi_closure_find.
thud_status thudi_part_take(thud_team *team, const int *cut, thudi_packs *packs);

// Rows have joined the whole layout, or a member has failed to join them: take the part again, with
// the multipliers that there are.
thud_status thudi_part_take_again(const thud_projection *problem, thud_status joined,
                                  thudi_packs *packs);

// Write the velocities of all bodies of all members, by coordinate of the problem. is_rough: take
// those of small packs.
thud_status thudi_part_velocity(const thudi_packs *packs, bool is_rough, double *velocity);

// What goes to member `rank` and comes from it: stretches of two lists with items of `size` bytes.
thud_parcel thudi_part_parcel(int rank, size_t size, const void *out, thudi_stretch sent, void *in,
                              thudi_stretch received);

// Get the velocities of ghosts from their owners. velocity: by body, four numbers of `size` bytes.
void thudi_part_exchange(const thudi_part *part, void *velocity, size_t size);

// Write NAN as the velocities of ghosts.
void thudi_part_forget(const thudi_part *part, void *velocity, size_t size);

// Of all members: the largest of each of `count` numbers, at most THUDI_PACKET_MAXIMA, and the
// error of the team. part: NULL for a whole problem, of which `status` is returned.
thud_status thudi_part_agree(const thudi_part *part, thud_status status, double *largest,
                             int count);

// Keep an error until the next reduction. part: NULL for a whole problem, of which `status` is
// returned.
thud_status thudi_part_hold(const thudi_part *part, thud_status status);

// Multipliers of all rows of the problem, from the first own_rows of part->own.
void thudi_part_gather(const thudi_part *part, double *x);

// Accelerated Gauss-Seidel by all members of a team, in packs of which each member has a part.
// Every member calls it with an equal problem and an equal cut. Every member gets the multipliers
// of all rows, with the bits of the task solved alone. An error of one member is that of all, and
// team->message then says whose it was. Rows that do not fit into packs are swept by every member,
// and so are those that are not cut into bricks.
thud_status thudi_project_by_parts(const thudi_task *task, thud_team *team, const int *cut);

#endif
