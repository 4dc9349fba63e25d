// A verified active set: what is proved of |u - P w| beside the forward bound, linear in the
// residual; see certificate_enclosure.c.
#ifndef THUDI_ENCLOSURE_H
#define THUDI_ENCLOSURE_H

#include "core/math/exact.h"
#include "core/rooms.h"
#include "rows/rows.h"
#include "thud/project.h"

// One entry of a row of the set, in the list of its coordinate.
typedef struct thudi_touch
{
    int member;   // which row of the set
    double value; // slope / (sqrt(m) D): of unit length in the metric
} thudi_touch;

// Of one row of the set, in the order of the factor.
typedef struct thudi_place
{
    int row;      // which row of the problem
    int begin;    // the first column that its row of the factor has
    size_t start; // where that column is in the factor
    double rho;   // residual, for rows of unit length
    double x;     // the solution for rho
} thudi_place;

// Multipliers base + more of a row, in doubled precision, what its gradient measures, and where it
// stands.
typedef struct thudi_claim
{
    double base, more;
    double norm;     // D: |slope| in the M^-1 metric, near enough; the scale of the row
    double enlarged; // what the gap was enlarged by: a weak row
    bool is_member;  // of the set
    bool is_wrong;   // it should change sides
} thudi_claim;

// A velocity in doubled precision, off by no more than a tiny part of its reach.
typedef struct thudi_reached
{
    thudi_dd v;
    double reach; // |w| + |G|^T |mu| / m
} thudi_reached;

// The set that is being tried. All arrays are rooms.
typedef struct thudi_enclosing
{
    thudi_claim *claims;    // by row
    thudi_reached *reached; // by coordinate
    int *members;           // rows of the set, in their order
    int *rank;              // by member: its place in the factor
    int *slot;              // by coordinate: where it is listed, -1 if it is not
    int *listed;            // coordinates that the set touches, or where u is not w
    int slots;              // how many these are
    int *touch_first;       // by slot, and one more: its touches
    thudi_touch *touches;   // by slot
    bool *is_seen;          // by slot: its touches have been gone through
    thudi_place *places;    // by place in the factor
    double *factor;         // of A - theta I, row by row, each from its `begin`
    size_t factor_room;     // numbers that the factor has room for
    int count;              // members
    int widest;             // longest row of the factor
    double theta;           // smallest eigenvalue of A is at least this
    double length;          // |u|
    bool is_plain;          // all numbers are far from the ends of the range
    bool has_factor;        // of the members as they are
    bool has_changed;       // rows entered or left since the beginning
} thudi_enclosing;

// What to try, and how hard.
typedef struct thudi_enclose_task
{
    const thud_projection *problem;
    const double *u, *mu;
    const double *lin; // gap + h slope . u as certified; NULL: not known
    double scale;      // of the shifts of the problem to be enclosed
    int round_limit;   // sets to try
    size_t room;       // numbers that the factor may have
    thudi_enclosing *memory;
    thud_rooms *rooms;
} thudi_enclose_task;

// Once for (u, mu), then any number of times for shifts of any scale: enclosure->holds tells
// whether there is a bound. Both leave rooms open, for the caller to close. They fail for lack of
// memory alone.
thud_status thudi_enclose_begin(const thudi_enclose_task *task);
thud_status thudi_enclose(const thudi_enclose_task *task, thud_enclosure *enclosure);

// The rooms of what follows.
thud_status thudi_enclose_open_rooms(const thudi_enclose_task *task);

// Put the members in order and factor A - theta I. A member that depends on those before it leaves
// the set, and *left counts them. THUD_NEWS: the factor would be too large.
thud_status thudi_enclose_factor(const thudi_enclose_task *task, int *left);

// x of every place for the rho of every place.
void thudi_enclose_solve(thudi_enclosing *e);

#endif
