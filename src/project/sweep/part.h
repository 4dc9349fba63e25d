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
// arrays of a part, and neither have rows that it does not take. What a member must know of the
// whole problem to find its part is freed before the sweeps (overview.h).
#ifndef THUDI_PART_H
#define THUDI_PART_H

#include "project/projector.h"
#include "project/sweep/overview.h"
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

// So many bodies of one member are ghosts of another one.
typedef struct thudi_want
{
    int owner, member, bodies;
} thudi_want;

// What a member tells the others of its part. Arrays are rooms.
typedef struct thudi_tell
{
    thudi_want *wants;  // by owner, in the order of their ranks
    int count;          // of wants
    int *ghost;         // by ghost: its number among the bodies of its owner
    int *counts, *sent; // scratch, by rank
} thudi_tell;

enum
{
    THUDI_ROUND = 1 << 18,     // bytes of the records that are gathered at a time
    THUDI_MOST_RECORD = 4 * 8, // bytes of a record
};

// Arrays are rooms.
typedef struct thudi_part
{
    thudi_packing packing; // what it was taken from
    thudi_late_rows late;  // rows that have joined since; there is room for packing.late_rows
    thud_team *team;
    int width;                // coordinates per body
    int own_bodies, ghosts;   // ghost i is body own_bodies + i
    int own_rows;             // they count here
    int *rows_of, *bodies_of; // by rank: what the members own
    int neighbours;
    thudi_neighbour *neighbour; // in the order of their ranks
    thud_parcel *parcels;       // one for each neighbour
    int *sent;                  // own bodies that are ghosts of neighbours
    char *out, *in;             // velocities on their way
    thudi_row_multiplier *own;  // room for the multipliers of own rows
    char *round;                // records that are gathered, see thudi_part_gather
    size_t *round_first;        // by rank, and behind the last: bytes in `round`
} thudi_part;

// Lay out the part of one member: the packs of the rows that it takes. Returns the error of the
// team, or THUD_NEWS as thudi_packs_lay_out does. *is_cut: false if the rows are not cut into
// bricks; nothing is laid out then. All members find the same. If the packs are those of a part
// already, it is taken anew, with the late rows that have joined.
thud_status thudi_part_take(const thudi_packing *packing, bool *is_cut, thudi_packs *packs);

// Its second half: find whom the part sends to and receives from, and what.
thud_status thudi_part_open_lists(thudi_part *part, const thudi_tell *tell, thud_rooms *rooms);

// Mark the bodies of the problem by 0. Returns how many rows there is room for.
int thudi_part_begin_joining(const thudi_part *part);

// Take the marks away. The last `count` rows of the problem join: the part is taken again, with the
// multipliers that there are.
thud_status thudi_part_join(const thud_projection *problem, thudi_packs *packs, int count);

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

// Gather records of all members, and hand each of them over. They go in rounds, so that there need
// not be room for all of them at once. counts: by rank, the records of a member; size: the bytes of
// one; own: those of this member. Does nothing if the team has an error.
typedef void thudi_record_fn(void *user, const void *record);
void thudi_part_gather(const thudi_part *part, const int *counts, size_t size, const void *own,
                       thudi_record_fn *take, void *user);

// Accelerated Gauss-Seidel by all members of a team, in packs of which each member has a part.
// Every member calls it with an equal problem and an equal cut. Every member gets the multipliers
// of all rows, with the bits of the task solved alone. An error of one member is that of all, and
// team->message then says whose it was. Rows that do not fit into packs are swept by every member,
// and so are those that are not cut into bricks.
thud_status thudi_project_by_parts(const thudi_task *task, thud_team *team, const int *cut);

#endif
