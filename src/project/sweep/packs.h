// A cluster of pair rows laid out for the sweep: bodies in space-filling order, rows in packs of
// eight that share no body, packs in groups that threads may take side by side.
//
// A large cluster is cut into bricks (bricks.h). The rows of a brick form a group, and so do the
// rows of a patch between bricks; irregular rows form one group. A phase holds the groups of one
// class, which share no body. A sweep goes through the phases in order, so its bits depend on the
// problem alone and not on the number of threads. A small cluster is one brick.
#ifndef THUDI_PACKS_H
#define THUDI_PACKS_H

#include "core/rooms.h"
#include "project/kernels/row_pack.h"
#include "rows/rows.h"
#include "thud/project.h"
#include "thud/team.h"

enum
{
    THUDI_PACK_PHASES = 10 // at most: one for each class of rows, and one for rows that join late
};

// Of a stop: what small packs may round away.
#define THUDI_MOST_LOST 0.25

// What one sweep from y = x + beta (x - before) saw.
typedef struct thudi_sweep
{
    double energy;   // |U - U_before|_M^2 / 2 before it
    double turn;     // sum of A (y - x_new) (x_new - x): > 0 when momentum points uphill
    double decrease; // f(x_new) - f(y), <= 0
    double worst;    // largest residual over stop, as seen on the way
    double largest;  // largest multiplier, in the units of the packs; by packs only
} thudi_sweep;

// A row that has its place in the packs.
typedef struct thudi_placed_row
{
    int row;  // of the problem
    int a, b; // its bodies; a is -1 for none
    int slot; // pack * 8 + lane
} thudi_placed_row;

// All arrays are rooms, which the caller closes when the packs are done with. Arrays by body have
// further places at the end, for idle bodies: groups of a phase must not share one, as threads
// write it.
typedef struct thudi_packs
{
    const thudi_kernel *kernel;
    thud_rooms *rooms;
    int width; // coordinates per body
    int rows, bodies, bricks, groups, phases, idle_count;
    int row_room;            // how many rows there may be when late ones have joined
    bool has_late;           // late rows have joined: they are the one group of the last phase
    int parity;              // x[parity] of every pack is the present multiplier
    bool is_small;           // the small packs are in use; the others are not even filled
    bool is_fresh;           // the velocities are those of the multipliers, to rounding
    bool is_guess;           // the multipliers are the caller's first guess, scaled
    int small_sweeps;        // sweeps over small packs since the beginning
    struct thudi_part *part; // of a team, see part.h; NULL: these are all rows

    // The packs hold the problem in units of its own, powers of two: masses near 1, stops near 1.
    double per_velocity; // velocity in them over the caller's
    double per_impulse;  // multiplier in them over the caller's
    double speed;        // largest |w| of any coordinate, in them
    double shortest;     // of all stops, in them
    double longest;      // likewise, at least 1
    double pull;         // accuracy h^2 a, where a is the largest acceleration

    // What the floats of small packs round away of a residual, over its stop.
    double lost;         // at most, without multipliers
    double lost_by_push; // more for every unit of the largest one
    double largest;      // multiplier

    // by row of the cluster
    thudi_placed_row *placed; // by group, then along the curve
    double *scale;            // by placed row: slope in the packs over the caller's

    // by body
    int *coordinate; // its first coordinate
    int *body_first; // by brick, and behind the last: its bodies are consecutive
    double *energy;  // by brick: of a sweep
    double *half_mass;
    double *velocity, *before; // U and that of the sweep before, four numbers each
    // Those of small packs are in the place of `before`; they take `velocity` for what is
    // evaluated in doubles.
    float *small_velocity, *small_before;

    // by pack: one of the two kinds
    thudi_pack *packs;
    thudi_small_pack *small;
    double *saved; // x of every slot, to go back to
    float *small_saved;

    // while rows are laid out
    int *owner;      // by coordinate: the body that starts there, -1 before and after
    int *ends;       // the two bodies of every row: see packs_layout.h
    uint64_t *taken; // by body: packs of the tile that hold it

    // by group; the first groups are those of the bricks
    int *idle;                              // the body in the place of none
    int *row_first;                         // in placed, and behind the last
    int *pack_first;                        // in packs, and behind the last
    thudi_pack_sums *sums;                  // of a sweep
    bool *is_own;                           // of a part: its sums count here; NULL: all do
    int phase_first[THUDI_PACK_PHASES + 1]; // in groups
} thudi_packs;

// Which rows of a problem are laid out, and where.
typedef struct thudi_packing
{
    const thud_projection *problem;
    const int *which; // NULL: all rows
    int count;
    int *marks; // by coordinate of the problem: -1 before and after
    thud_rooms *rooms;
    int brick_limit; // more bodies are cut into bricks
    int late_rows;   // how many more rows may join, see thudi_packs_join
    // Lay out the part of one member of a team. NULL, or a team of one: all rows.
    thud_team *team;
    const int *cut; // by rank, and behind the last: its first brick; NULL: about as many rows each
} thudi_packing;

// Lay out rows and start at the problem's first guess, in small packs if their floats will do.
// THUD_NEWS when they do not fit into packs (numbers too far apart); nothing is laid out then.
thud_status thudi_packs_begin(const thudi_packing *packing, thudi_packs *packs);

// Its first half: everything but the numbers. THUD_NEWS when rows are not for packs: without shift,
// slopes that are 0 or not opposite, of two widths, with bodies that share coordinates.
thud_status thudi_packs_lay_out(const thudi_packing *packing, thudi_packs *packs);

// Do the numbers of one more row fit into packs in these units? Its stop and those of all others,
// which lie between *shortest and *longest, must not be too far apart; it is then one of them.
bool thudi_packs_can_fill(const thud_projection *problem, const thudi_packs *packs,
                          const thud_rows *rows, int row, double *shortest, double *longest);

// Fill in the rows of the last group from placed row `from` on.
thud_status thudi_packs_fill_late(const thud_projection *problem, thudi_packs *packs, int from);

// Fill packs whose rows were laid out anew while they were swept, with multipliers 0. They stay
// small or double, and in their units.
thud_status thudi_packs_fill_again(const thud_projection *problem, thudi_packs *packs);

// Go on in doubles, from the multipliers that small packs hold.
thud_status thudi_packs_widen(const thud_projection *problem, thudi_packs *packs);

// Begin, or begin again, with the multipliers in the packs and without momentum.
void thudi_packs_start(const thud_projection *problem, thudi_packs *packs);

// Recompute both velocities, from both multipliers: what roundings have gathered is gone.
void thudi_packs_recompute(const thud_projection *problem, thudi_packs *packs);

// What the rows in small packs may be off, over the stop; at most THUDI_MOST_LOST, or doubles are
// used.
static inline double thudi_packs_lost(const thudi_packs *p)
{
    return p->lost + p->lost_by_push * p->largest;
}

// Which rows may join: `fits` accepts those that packs can hold, of bodies that are in these ones,
// as long as there is room for them.
typedef struct thudi_joining
{
    const thud_projection *problem;
    thudi_packs *packs;
    int accepted, room;       // so many rows; at most
    double shortest, longest; // of all stops, with those of the accepted rows
    thudi_row_filter fits;
} thudi_joining;

// From begin_joining to join the marks of the task hold the bodies' numbers in the packs; of a
// part, 0 for every body of the problem that is solved. The last `count` rows of the problem, which
// were accepted, join with multipliers 0.
void thudi_packs_begin_joining(const thud_projection *problem, thudi_packs *packs,
                               thudi_joining *joining);
thud_status thudi_packs_join(const thud_projection *problem, thudi_packs *packs,
                             const thudi_joining *joining, int count);

// Write the velocities of the bodies in the packs, by coordinate of the problem; of a part, those
// of all members.
thud_status thudi_packs_velocity(const thudi_packs *packs, double *velocity);

// As in sweeper.h. What is lost in small packs has been added to what evaluate returns.
thudi_sweep thudi_packs_sweep(thudi_packs *packs, double beta);
double thudi_packs_evaluate(const thud_projection *problem, thudi_packs *packs);

// Go on in doubles if the multipliers have outgrown the small packs, or the sweeps go on for so
// long that roundings gather. To be called after a sweep.
thud_status thudi_packs_widen_if_needed(const thud_projection *problem, thudi_packs *packs,
                                        const thudi_sweep *seen);
void thudi_packs_save(thudi_packs *packs);
void thudi_packs_restore(const thud_projection *problem, thudi_packs *packs);
void thudi_packs_collect(const thud_projection *problem, const thudi_packs *packs, double *x);
double thudi_packs_length(const thudi_packs *packs); // |U| in the M norm

#endif
